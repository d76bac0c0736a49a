"""Many plans followed side by side, every card known: for one round through the stock, which no search exhausts."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

import numpy as np
from msgspec import Struct
from msgspec.structs import replace
from numpy.typing import NDArray

from bots.players.double.laid import NUMBER, Within, lay_out, limit, way_to, words_of
from bots.players.double.sight import Sight
from bots.players.double.weights import WEIGHTS
from bots.solver.double import playout
from bots.solver.double import playtable as at
from bots.solver.double.playtable import Ints, Table, table
from bots.solver.double.verdict import Most, Verdict, replay
from bots.solver.verdict import LineRefused
from engine.double.board import DoubleBoard

__all__ = ["Beam", "improved", "richest"]

FOLLOWED: Final = Within(in_round=100, next_round=100, widely=100)
WIDEST: Final = 100
EACH_MS: Final = 50.0
"""What it takes to follow one position at a time from the deal to the end, with eight plans tried in each."""
NOT_SHUFFLED: Final = -1
POINTS: Final = np.array([0.0, 1.0, 0.0, 0.0])
"""What a play-out is worth: its score."""


class Beam(Struct, frozen=True):
    """How many positions are followed at a time, and how many plans are tried in each."""

    wide: int = 16
    plans: int = 8

    @classmethod
    def within(cls, ms: float | None) -> Beam:
        """Return a beam for so many milliseconds of CPU, or a little more; None: no limit."""
        return cls() if ms is None else cls(wide=max(1, min(WIDEST, int(ms / EACH_MS))))


class Way(Struct, frozen=True):
    """A position on the way: as play-outs have it, which cards lie face down there, the plans that led to it."""

    row: Ints
    down: NDArray[np.int64]
    plans: tuple[int, ...]
    comes_to: float
    """The score that a play-out from there comes to."""


def improved(found: Verdict, board: DoubleBoard, beam: Beam) -> Verdict:
    """Return what a search has found, with another line where many plans side by side lead to more cards put up."""
    begun = time.thread_time()
    line = richest(table(WEIGHTS[board.rules.draw, board.rules.scoring]), board, beam)
    end = replay(board, line)
    ms = found.ms + (time.thread_time() - begun) * 1000
    if end.cleared <= found.best.placed:
        return replace(found, ms=ms)
    won = end.left == 0
    return replace(
        found,
        verdict="winnable" if won else found.verdict,
        line=tuple(line),
        best=Most(placed=end.cleared, score=end.settled_score),
        limit=None if won else found.limit,
        ms=ms,
    )


def richest(mine: Table, board: DoubleBoard, beam: Beam) -> list[str]:
    """Return the words of the line that scores most of those found, all cards of the board being known.

    Every plan turns a card up or plays one of the stock, so there are fewer than a hundred rounds. In each the
    positions are kept from which a play-out scores most, each once. Raises LineRefused if the engine refuses a word.
    """
    hidden = [[NUMBER[card] for card in column[:down]] for column, down in zip(board.columns, board.down, strict=True)]
    lay_out(mine, _sight(board), board.rules)
    limit(mine, FOLLOWED)
    ways = [Way(mine.root.copy(), mine.root_down.copy(), (), -np.inf)]
    best = ways[0]
    while ways:
        found: dict[bytes, Way] = {}
        for way in ways:
            for after in _after(mine, way, hidden, beam.plans):
                found.setdefault(after.row[: at.TURNED + 1].tobytes() + after.down.tobytes(), after)
        ways = sorted(found.values(), key=lambda way: -way.comes_to)[: beam.wide]
        if ways and ways[0].comes_to >= best.comes_to:
            best = ways[0]
    return _words(mine, board, best.plans, beam.plans)


def _after(mine: Table, way: Way, hidden: Sequence[Sequence[int]], most: int) -> list[Way]:
    """Return the positions that the plans from one lead to, the uncovered card turned up."""
    _place(mine, way.row, way.down, hidden)
    starts = playout.set_out(mine, most)
    scores = np.zeros((starts, 1))
    playout.value_starts(mine, np.arange(starts), int(way.down.sum()), POINTS, scores, 0, 1)
    ways = []
    for start in range(starts):
        row, down = mine.starts[at.ROW * start : at.ROW * (start + 1)].copy(), way.down.copy()
        turned = int(mine.turns[start])
        if turned != at.NOTHING:
            down[turned] -= 1
            row[turned] = playout.with_card(0, hidden[turned][down[turned]])
        ways.append(Way(row, down, (*way.plans, start), float(scores[start, 0])))
    return ways


def _place(mine: Table, row: Ints, down: NDArray[np.int64], hidden: Sequence[Sequence[int]]) -> None:
    mine.root[:], mine.root_down[:] = row, down
    mine.mark[at.COVERED], mine.mark[at.SEED] = down.sum(), NOT_SHUFFLED
    covered = [card for cards, many in zip(hidden, down, strict=True) for card in cards[:many]]
    mine.unseen[: len(covered)] = covered


def _words(mine: Table, board: DoubleBoard, plans: Sequence[int], most: int) -> list[str]:
    """Make the plans again, position by position, as words of legal moves, up to where the score is highest."""
    words: list[str] = []
    richest, upto = board.score, 0
    for plan in plans:
        sight = _sight(board)
        lay_out(mine, sight, board.rules)
        playout.set_out(mine, most)
        for word in words_of(way_to(mine, plan), sight, board.rules.draw):
            answer = board.answer(word)
            if not isinstance(answer, tuple):
                raise LineRefused([*words, word], len(words), answer)
            board, _ = answer
            words.append(word)
            if board.score > richest:
                richest, upto = board.score, len(words)
    return words[:upto]


def _sight(board: DoubleBoard) -> Sight:
    """Return a board as a seat would see it that has seen the stock."""
    columns = tuple(column[down:] for column, down in zip(board.columns, board.down, strict=True))
    return Sight(columns, board.down, board.waste, board.stock, board.foundations, board.score, 0, ())
