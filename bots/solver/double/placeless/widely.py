"""Find the most cards that go up in one pass: many states side by side, wider each time, and in between everything."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from random import Random
from typing import Final

import numpy as np
from msgspec import Struct

from bots.solver.double import mark as at
from bots.solver.double.mark import Int64
from bots.solver.double.placeless.abreast import begin, follow
from bots.solver.double.placeless.bound import most_to_come
from bots.solver.double.placeless.certain import forced
from bots.solver.double.placeless.exhaust import exhaust, memory, prepare
from bots.solver.double.placeless.hall import Hall
from bots.solver.double.placeless.placed import placed
from bots.solver.double.placeless.play import AWAITS, play
from bots.solver.double.placeless.pool import BEST_STATE, STATES, Pool, pool
from bots.solver.double.places.hunt import Findings
from bots.solver.double.position import Position, Setting
from bots.solver.golf.search import Limits

__all__ = ["Trial", "followed", "most_cards"]

WEIGHTS: Final[dict[int, tuple[int, ...]]] = {1: (39, 22, 1, 64, 1, 41, 4, 20), 3: (281, 6, 0, 12, 16, 4, 16, 11)}
"""What makes a state promise much, by cards a draw (see `promise`); found by trying."""
WIDTHS: Final = {30: 4, 100: 6, 300: 4, 1_000: 20}
"""States followed of each number of cards in the stock, and how many searches of that width are made."""
WEIGHED: Final = 0.4, 1.8
"""Between which times as much other weights are: what some of them do not find others do, more than wider searches."""
EXACT: Final = 2_000
"""States of the first search through everything."""
LONGER: Final = 4
"""How many times as many the next one has, before searches of the next width."""
SLICE: Final = 4_000
"""States followed between two looks at the clock: some 30 milliseconds."""

_memory = threading.local()


class Trial(Struct, frozen=True):
    """A wide search, and before it one through everything; None: not before this one."""

    width: int
    weights: tuple[int, ...]
    exact: int | None


def most_cards(position: Position, setting: Setting, limits: Limits) -> Findings:
    """Look for the path that puts up most cards; its moves as `places/play.py` writes them."""
    ends = None if limits.ms is None else time.thread_time() + limits.ms / 1000
    best = Findings(False, (), 0, setting.cards, 0, "memory")
    nodes = 0
    for trial in _trials(setting.draw):
        for look in (_exactly, followed):
            left = Limits(
                nodes=None if limits.nodes is None else limits.nodes - nodes,
                ms=None if ends is None else (ends - time.thread_time()) * 1000,
            )
            if ended := _ended(left):
                return _better(best, Findings(False, (), -1, best.bound, nodes, ended))
            found = look(position, setting, trial, left)
            nodes += found.nodes
            best = _better(best, Findings(found.won, found.path, found.up, found.bound, nodes, found.limit))
            if best.limit is None:
                return best
    return best


def _trials(draw: int) -> Iterator[Trial]:
    first = weights = WEIGHTS[1 if draw == 1 else 3]
    chance = Random(draw)
    exact = EXACT
    for width, searches in WIDTHS.items():
        for number in range(searches):
            yield Trial(width, weights, None if number else exact)
            weights = tuple(round(weight * chance.uniform(*WEIGHED)) for weight in first)
        exact *= LONGER


def _ended(left: Limits) -> str | None:
    if left.nodes is not None and left.nodes <= 0:
        return "nodes"
    return "time" if left.ms is not None and left.ms <= 0 else None


def _better(one: Findings, other: Findings) -> Findings:
    """Return what puts up more, with the states and the end of the other, which came later."""
    more = other if other.won or other.up > one.up else one
    bound = min(one.bound, other.bound)
    limit = None if other.won or other.limit is None or bound == more.up else other.limit
    return Findings(more.won, more.path, more.up, bound, other.nodes, limit)


def _exactly(position: Position, setting: Setting, trial: Trial, left: Limits) -> Findings:
    """Search through everything, as far as a trial has states for that."""
    mine = memory()
    prepare(mine, position, setting)
    bound = int(most_to_come(mine))
    if trial.exact is None:
        return Findings(False, (), -1, bound, 0, "memory")
    nodes = trial.exact if left.nodes is None else min(left.nodes, trial.exact)
    found = exhaust(position, setting, Limits(nodes, left.ms))
    return Findings(found.won, found.path, found.up, min(found.bound, bound), found.nodes, found.limit)


def followed(position: Position, setting: Setting, trial: Trial, left: Limits) -> Findings:
    """Follow many states side by side; what is found is bounded by the pack only."""
    mine, states = memory(), _pool()
    weights = np.array(trial.weights, np.int64)
    prepare(mine, position, setting)
    mine.mark[at.SLOTS], mine.mark[at.NOISE] = len(mine.seen) - 1, 0
    begin(mine, states, weights)
    limit = _follow(mine, states, trial.width, weights, left)
    nodes = int(states.counts[STATES]) + 1
    path = _way(mine, states, position, setting)
    up = int(mine.mark[at.UP])
    return Findings(up == setting.cards, placed(position, setting, path), up, setting.cards, nodes, limit)


def _follow(mine: Hall, states: Pool, width: int, weights: Int64, left: Limits) -> str:
    """Follow states until none is left, and return which limit ended that."""
    ends = None if left.ms is None else time.thread_time() + left.ms / 1000
    while True:
        more = SLICE if left.nodes is None else min(SLICE, left.nodes - 1 - int(states.counts[STATES]))
        if not follow(mine, states, width, weights, more):
            return "memory"
        if more < SLICE:
            return "nodes"
        if ends is not None and time.thread_time() > ends:
            return "time"


def _way(mine: Hall, states: Pool, position: Position, setting: Setting) -> list[int]:
    """Return the moves to the state that puts up most, which is where the hall stands then."""
    moves = []
    place = int(states.counts[BEST_STATE])
    while place:
        before, move = states.ways[place].tolist()
        moves.append(move)
        place = before
    prepare(mine, position, setting)
    forced(mine)
    for move in reversed(moves):
        play(mine, move)
        if move >> AWAITS == 0:
            forced(mine)
    return list(map(int, mine.path[: mine.mark[at.DEPTH]]))


def _pool() -> Pool:
    mine: Pool | None = getattr(_memory, "pool", None)
    if mine is None:
        mine = _memory.pool = pool(max(WIDTHS))
    return mine
