"""How often a game of Double Solitaire was played as if the cards face down were known."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct

from bots.analysis.position import WordsRefused
from bots.players.double.games import worth
from bots.players.double.laid import NUMBER, Within, lay_out, limit
from bots.players.double.sight import UNSEEN, look
from bots.players.double.weights import WEIGHTS
from bots.solver.double.playouts import playout
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playtable import Table, table
from engine.codes import Code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.question import ForesightAnswer
from engine.refusals import Reason
from engine.solo import UNDO, Solo, deal_out

__all__ = ["foresight_double"]

PLANS: Final = 8
"""How many plans are compared at a decision."""
WORLDS: Final = 24
"""Shuffles of the unseen cards over which a plan's worth to one who sees the open cards is averaged."""
FOUND: Final = Within(in_round=200, next_round=120, widely=300)
"""How far plans are looked for, by the seat and then in what is played out: as the solver's player does."""
PLAYED_OUT: Final = Within(in_round=60, next_round=60, widely=100)
CLEARLY: Final = 0.005
"""By how much, 1 being about a win, one plan has to be better than another by all cards: about a card put up."""
NOT_SHUFFLED: Final = -1
SEED_BITS: Final = 60


class Target(Struct, frozen=True):
    """What a plan comes to: a card turned up in a column, or the card at a place of the stock and waste played."""

    column: int | None = None
    talon: int | None = None


class _Decision(Struct, frozen=True):
    """Where a seat learnt something last, and what it came to from there."""

    solo: Solo
    taken: Target


class _Worth(Struct, frozen=True):
    """What a target is worth with the cards as they lie, and on average over shuffles of the unseen ones."""

    by_all: float
    by_sight: float


def foresight_double(code: Code, words: Sequence[str], ms: float) -> ForesightAnswer:
    """Weigh the decisions of a game in no order, within so many CPU milliseconds; what is weighed is a fair sample.

    A plan leads to the next card that is turned up or played from the waste. It is worth what a play-out comes to after
    it: with the cards as they lie, or on average over shuffles. On an occasion the best plan by all cards is clearly
    better than the one that is best by sight. Play-outs are rough, and so is this: over many games it tells who plays
    by the cards face down in this way; who follows a line of the exact solver stands out less. Raises WordsRefused.
    """
    assert isinstance(code.rules, DoubleRules)
    until = time.thread_time() * 1000 + ms
    scales = _Scales(code.rules)
    decisions = list(_decisions(code, words))
    Random(str(code)).shuffle(decisions)
    weighed = occasions = taken = 0
    for place, decision in enumerate(decisions):
        if time.thread_time() * 1000 > until:
            return ForesightAnswer(weighed, occasions, taken, complete=False)
        worths = scales.weigh(decision.solo, Random(f"{code}:{place}").getrandbits(SEED_BITS))
        if len(worths) < 2:
            continue
        weighed += 1
        most = max(one.by_all for one in worths.values())
        seen_best = max(worths.values(), key=lambda one: one.by_sight)
        best = {target for target, one in worths.items() if one.by_all == most}
        if most - seen_best.by_all >= CLEARLY:
            occasions += 1
            taken += decision.taken in best
    return ForesightAnswer(weighed, occasions, taken)


def _decisions(code: Code, words: Sequence[str]) -> Iterator[_Decision]:
    """Yield each decision of a game where no card lies face down that the seat has seen: by undo it may have."""
    solo = before = deal_out(code)
    seen: set[tuple[int, int]] = set()
    for word in words:
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            raise WordsRefused(code, word, outcome)
        after = outcome.solo
        old, new = solo.board, after.board
        assert isinstance(old, DoubleBoard)
        assert isinstance(new, DoubleBoard)
        turned = (
            []
            if word == UNDO
            else [c for c, (was, now) in enumerate(zip(old.down, new.down, strict=True)) if now < was]
        )
        target = None
        if turned:
            target = Target(column=turned[0])
        elif word.startswith("w-"):
            target = Target(talon=len(old.waste) - 1)
        if target is not None:
            known = before.board
            assert isinstance(known, DoubleBoard)
            if not any((column, place) in seen for column, down in enumerate(known.down) for place in range(down)):
                yield _Decision(before, target)
        seen |= {(column, new.down[column]) for column in turned}
        if target is not None or word == UNDO or (word == "d" and UNSEEN in look(solo.position()).stock[-1:]):
            before = after
        solo = after


class _Scales:
    """Weighs plans by playing them out."""

    def __init__(self, rules: DoubleRules) -> None:
        self._rules = rules
        self._table: Table = table(WEIGHTS[rules.draw, rules.scoring])
        self._worth = np.array(worth(rules, "score"))

    def weigh(self, solo: Solo, seed: int) -> dict[Target, _Worth]:
        """Return what each target is worth that a plan leads to; none where no card is unseen."""
        mine, board, sight = self._table, solo.board, look(solo.position())
        assert isinstance(board, DoubleBoard)
        limit(mine, FOUND)
        hidden = lay_out(mine, sight, self._rules)
        if not hidden:
            return {}
        targets = [self._target(start) for start in range(playout.set_out(mine, PLANS))]
        if len(set(targets)) < 2:
            return {}
        unseen = [card for card, known in zip(board.stock, sight.stock, strict=True) if known == UNSEEN]
        covered = [card for column, down in zip(board.columns, board.down, strict=True) for card in column[:down]]
        # As play-outs lay them: column by column, then the stock from its end.
        mine.unseen[:hidden] = [NUMBER[card] for card in (*covered, *reversed(unseen))]
        limit(mine, PLAYED_OUT)
        ends, starts = np.zeros((len(targets), 1 + WORLDS)), np.arange(len(targets))
        mine.mark[at.SEED] = NOT_SHUFFLED
        playout.value_starts(mine, starts, hidden, self._worth, ends, 0, 1)
        if np.ptp(ends[:, 0]) >= CLEARLY:  # Else there is no occasion, whatever is seen.
            mine.mark[at.SEED] = seed
            playout.value_starts(mine, starts, hidden, self._worth, ends, 1, 1 + WORLDS)
        worths: dict[Target, _Worth] = {}
        for target, row in zip(targets, ends, strict=True):
            other = worths.get(target, _Worth(-np.inf, -np.inf))
            worths[target] = _Worth(max(other.by_all, row[0]), max(other.by_sight, row[1:].mean()))
        return worths

    def _target(self, start: int) -> Target:
        """Return what a start comes to, by the last step of its plan."""
        mine = self._table
        if mine.turns[start] != at.NOTHING:
            return Target(column=int(mine.turns[start]))
        entry = int(mine.starts[at.ROW * start + at.ENTRY])
        return Target(talon=int(mine.ends[3 * entry + 2]) >> 3 & 63)
