"""Double Solitaire a second time, slow and obvious, written from the rules alone: an oracle for the engine."""

import re

__all__ = ["WORDS", "PlainDouble"]

RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
SUITS = "SHDC"
COLUMNS = "123456789"

WORDS = [
    "d",
    "r",
    "w-f",
    *(f"w-t{to}" for to in COLUMNS),
    *(f"t{of}-f" for of in COLUMNS),
    *(f"f{suit}{place}-t{to}" for suit in SUITS for place in ("", "2") for to in COLUMNS),
    *(f"t{of}-t{to}{run}" for of in COLUMNS for to in COLUMNS for run in ["", *(f"x{n}" for n in range(2, 14))]),
]
"""Every canonical word but undo, with runs of up to thirteen cards."""


def rank(card: str) -> int:
    return RANKS.index(card[:-1]) + 1


def color(card: str) -> str:
    return "red" if card[-1] in "HD" else "black"


class PlainDouble:
    """A game on a lay-out of card texts; `play` changes it and returns the refusal's name, or None.

    A card of the tableau is a pair: its text, and whether it lies face up. A foundation is a list of cards.
    """

    def __init__(self, draw: int, scoring: str, once: bool, columns: list[list[str]], stock: list[str]) -> None:
        self.draw, self.scoring, self.once = draw, scoring, once
        self.columns = [
            [(card, card_at == len(column)) for card_at, card in enumerate(column, 1)] for column in columns
        ]
        self.stock = stock
        self.waste: list[str] = []
        self.foundations: dict[str, list[list[str]]] = {suit: [[], []] for suit in SUITS}
        self.score = 0 if scoring == "N" else -104
        self.moves = 0
        self.most_up: dict[str, int] = {}
        self.past: list[PlainDouble] = []

    @property
    def status(self) -> str:
        return "won" if sum(len(place) for row in self.foundations.values() for place in row) == 104 else "playing"

    def up(self, card: str) -> int:
        """How many cards equal to this one lie on the foundations."""
        return sum(place.count(card) for place in self.foundations[card[-1]])

    def place_for(self, card: str) -> list[str] | None:
        for place in self.foundations[card[-1]]:
            if len(place) + 1 == rank(card):
                return place
        return None

    def misfit(self, card: str, target: str) -> str | None:
        column = self.columns[int(target) - 1]
        if not column:
            return None if card[:-1] == "K" else "not_a_king"
        onto = column[-1][0]
        if color(card) == color(onto):
            return "wrong_color"
        return None if rank(card) + 1 == rank(onto) else "wrong_rank"

    def refusal(self, word: str) -> str | None:
        if word == "u":
            return None if self.past else "nothing_to_undo"
        run = re.fullmatch("t([1-9])-t([1-9])(?:x([1-9][0-9]{0,2}))?", word)
        if run and any(not face_up for _, face_up in self.columns[int(run[1]) - 1][-int(run[3] or 1) :]):
            return "face_down"
        if not run and not re.fullmatch("d|r|w-t[1-9]|w-f|t[1-9]-f|f[SHDC][12]?-t[1-9]", word):
            return "bad_move"
        if self.status == "won":
            return "game_over"
        if word in ("d", "r"):
            return self.turning_refusal(word)
        source, target = word.split("-")
        cards = self.movable(source)
        count = int(run[3] or 1) if run else 1
        if len(cards) < count:
            return "waste_empty" if source == "w" else "pile_empty"
        if target == "f":
            return "not_on_foundation" if self.place_for(cards[-1]) is None else None
        return "same_pile" if source == target[:2] else self.misfit(cards[-count], target[1])

    def turning_refusal(self, word: str) -> str | None:
        if word == "d":
            return None if self.stock else "stock_empty"
        if self.scoring == "V":
            return "no_recycling"
        if self.stock:
            return "stock_not_empty"
        return None if self.waste else "waste_empty"

    def movable(self, source: str) -> list[str]:
        """Return the cards of a pile that a word names, from the bottom up."""
        if source == "w":
            return self.waste[-1:]
        if source[0] == "t":
            return [card for card, _ in self.columns[int(source[1]) - 1]]
        return self.foundations[source[1]][int(source[2:] or 1) - 1][-1:]

    def play(self, word: str) -> str | None:
        reason = self.refusal(word)
        if reason is not None:
            return reason
        if word == "u":
            before = self.past.pop()
            for name in ("columns", "stock", "waste", "foundations", "score", "most_up"):
                setattr(self, name, getattr(before, name))
            return None
        self.past = [*self.past, self.copy()][-200:]
        self.moves += 1
        if word == "d":
            self.waste += self.stock[: self.draw]
            del self.stock[: self.draw]
        elif word == "r":
            self.stock, self.waste = self.waste, []
            self.score = max(self.score - 100, 0)
        else:
            self.carry(*word.split("-"))
        return None

    def carry(self, source: str, target: str) -> None:
        target, _, count = target.partition("x")
        if source == "w":
            cards = [self.waste.pop()]
        elif source[0] == "f":
            cards = [self.foundations[source[1]][int(source[2:] or 1) - 1].pop()]
        else:
            column = self.columns[int(source[1]) - 1]
            cards = [column.pop()[0] for _ in range(int(count or 1))][::-1]
            if column and not column[-1][1]:
                column[-1] = (column[-1][0], True)
                self.score += 5 if self.scoring == "N" else 0
        if target == "f":
            self.put_up(cards[0])
            return
        self.columns[int(target[1]) - 1] += [(card, True) for card in cards]
        if source == "w" and self.scoring == "N":
            self.score += 5

    def put_up(self, card: str) -> None:
        place = self.place_for(card)
        assert place is not None
        place.append(card)
        if not self.once or self.up(card) > self.most_up.get(card, 0):
            self.score += 10 if self.scoring == "N" else 5
        self.most_up[card] = max(self.up(card), self.most_up.get(card, 0))

    def copy(self) -> "PlainDouble":
        """A game from here on, without its past."""
        other = PlainDouble(self.draw, self.scoring, self.once, [], list(self.stock))
        other.columns = [list(column) for column in self.columns]
        other.waste = list(self.waste)
        other.foundations = {suit: [list(place) for place in row] for suit, row in self.foundations.items()}
        other.score, other.moves, other.most_up = self.score, self.moves, dict(self.most_up)
        return other

    def legal(self) -> list[str]:
        """Every word that names face-up cards and is not refused."""
        words = ["d", "r", "w-f", *(f"w-t{to}" for to in COLUMNS), *(f"t{of}-f" for of in COLUMNS)]
        for of, column in zip(COLUMNS, self.columns, strict=True):
            face_up = sum(face_up for _, face_up in column)
            words += [f"t{of}-t{to}" + (f"x{n}" if n > 1 else "") for to in COLUMNS for n in range(1, face_up + 1)]
        for suit, row in self.foundations.items():
            words += [
                f"f{suit}{at or ''}-t{to}" for at, place in zip((0, 2), row, strict=True) if place for to in COLUMNS
            ]
        return sorted(word for word in words if self.refusal(word) is None)

    def perft(self, depth: int) -> list[int]:
        """Count the sequences of 1, 2, … `depth` moves that can be played, undo aside."""
        counts = [0] * depth
        words = self.legal() if depth else []
        for word in words:
            counts[0] += 1
            if depth > 1:
                after = self.copy()
                after.play(word)
                for at, count in enumerate(after.perft(depth - 1), 1):
                    counts[at] += count
        return counts
