"""Golf a second time, slow and obvious, written from the rules alone: an oracle for the engine."""

import re
from copy import deepcopy

__all__ = ["PlainGolf"]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


class PlainGolf:
    """A game on a lay-out of card texts; `play` changes it and returns the refusal's name, or None."""

    def __init__(self, letter: str, columns: list[list[str]], waste: list[str], stock: list[str]) -> None:
        self.letter = letter
        self.columns = columns
        self.waste = waste
        self.stock = stock
        self.score = 0
        self.status = "playing"
        self.moves = 0
        self.past: list[dict] = []

    def left(self) -> int:
        return sum(len(column) for column in self.columns)

    def fits(self, card: str) -> bool:
        if not self.waste:
            return True
        onto = self.waste[-1]
        if card.startswith("*") or onto.startswith("*"):
            return True
        card_rank, onto_rank = card[:-1], onto[:-1]
        if self.letter == "S" and onto_rank == "K":
            return False
        if self.letter == "E" and {card_rank, onto_rank} == {"A", "K"}:
            return True
        return abs(RANKS.index(card_rank) - RANKS.index(onto_rank)) == 1

    def some_free_card_fits(self) -> bool:
        return any(self.fits(column[-1]) for column in self.columns if column)

    def refusal(self, word: str) -> str | None:
        if word == "u":
            return None if self.past else "nothing_to_undo"
        if word != "d" and not re.fullmatch("[1-7]|c[1-7]r[1-5]", word):
            return "bad_move"
        if self.status != "playing":
            return {"won": "game_over", "stuck": "no_moves"}[self.status]
        if word == "d":
            if not self.stock:
                return "stock_empty"
            if self.letter == "S" and self.waste and self.some_free_card_fits():
                return "draw_not_allowed"
            return None
        column = self.columns[int(word[-1 if len(word) == 1 else 1]) - 1]
        row = int(word[3]) if len(word) > 1 else len(column)
        if not column or row > len(column):
            return "column_empty"
        if row < len(column):
            return "blocked"
        return None if self.fits(column[-1]) else "not_adjacent"

    def play(self, word: str) -> str | None:
        reason = self.refusal(word)
        if reason is not None:
            return reason
        if word == "u":
            self.__dict__.update(self.past.pop())
            return None
        kept = ("columns", "waste", "stock", "score", "status")
        self.past = [*self.past, {name: deepcopy(getattr(self, name)) for name in kept}][-100:]
        self.moves += 1
        if word == "d":
            self.waste.append(self.stock.pop(0))
        else:
            self.waste.append(self.columns[int(word[-1 if len(word) == 1 else 1]) - 1].pop())
            self.score += 10
        if self.left() == 0:
            self.status = "won"
        elif not self.stock and not self.some_free_card_fits():
            self.status = "stuck"
            self.score = max(0, self.score - 10 * self.left())
        return None

    def legal(self) -> list[str]:
        return [word for word in "1234567d" if self.refusal(word) is None]

    def perft(self, depth: int) -> list[int]:
        """Count the sequences of 1, 2, … `depth` moves that can be played, undo aside."""
        if depth == 0:
            return []
        counts = [0] * depth
        for word in self.legal():
            counts[0] += 1
            after = deepcopy(self)
            after.play(word)
            for at, count in enumerate(after.perft(depth - 1), 1):
                counts[at] += count
        return counts
