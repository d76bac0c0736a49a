"""Decide positions by the game without places: searches through everything, each longer than the one before."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from math import inf
from typing import Final

import numpy as np

from bots.solver.double import mark as at
from bots.solver.double.placeless import hall as stands
from bots.solver.double.placeless.hall import Hall, hall
from bots.solver.double.placeless.placed import placed
from bots.solver.double.placeless.search import search
from bots.solver.double.placeless.state import add_base, add_loose, put_up, whole_key
from bots.solver.double.places.hunt import Findings
from bots.solver.double.position import RANK_BITS, Position, Setting
from bots.solver.golf.search import Limits

__all__ = ["exhaust", "memory", "prepare"]

SLICE: Final = 20_000
"""States searched between two looks at the clock: some 30 milliseconds."""
FIRST: Final = 1_000
"""States of each of the first searches."""
HUNTS: Final = 8
"""Searches of one length, each with other chances in the order of moves, before one that is as long as all of them."""
LONGER: Final = 4
"""How many times as long the next ones are."""
NOISE: Final = 200
LEAST_SLOTS: Final = 1 << 14
SEEDS: Final = 0x9E3779B97F4A7C15

_memory = threading.local()


def memory() -> Hall:
    """Return this thread's hall, made at first use."""
    mine: Hall | None = getattr(_memory, "mine", None)
    if mine is None:
        mine = _memory.mine = hall()
    return mine


def prepare(hall: Hall, position: Position, setting: Setting) -> None:
    """Write a position into the hall."""
    mark, now, key = hall.mark, hall.now, hall.key
    at.begin(mark, position, setting)
    now[:] = 0
    up = np.zeros(4 << RANK_BITS, np.int64)
    pack = [suit << RANK_BITS | rank for suit in range(setting.suits) for rank in range(1, setting.ranks + 1)]
    up[pack] = setting.packs
    for c, column in enumerate(position.columns):
        now[stands.DEALT + at.TALL * c :][: len(column)] = column
        now[stands.LEFT + c] = position.down[c] + 1 if column else 0
        add_base(hall, c)
        for place, card in enumerate(column):
            up[card] -= 1
            if place > position.down[c]:
                add_loose(hall, card, 1)
    # All cards of a reserve are at hand where one is drawn at a time: equal ones are the same then.
    at_hand = setting.draw == 1 and setting.recycles
    for i, card in enumerate(position.reserve):
        now[stands.STOCK + i], now[stands.ORDER + i] = card, i
        key[stands.STOCK_KEY + i] = key[stands.HELD_KEY + (card if at_hand else i)]
        now[stands.HELD + card] += 1
        up[card] -= 1
    mark[at.UP] = 0  # As many as are put up now.
    for suit in range(setting.suits):
        now[stands.UPS + (suit << RANK_BITS)] = setting.packs
    for card in pack:
        for _ in range(up[card]):
            put_up(hall, card, 1)
    mark[at.KEY] = whole_key(hall)
    hall.path[stands.FIRST] = 0
    at.next_round(mark, hall.seen)


def exhaust(position: Position, setting: Setting, limits: Limits) -> Findings:
    """Look for a path that puts up all cards, or for proof that there is none; moves as in `places/play.py`."""
    mine, mark = memory(), memory().mark
    ends = None if limits.ms is None else time.thread_time() + limits.ms / 1000
    nodes, most = 0, -1
    path: list[int] = []
    for number, length in enumerate(_lengths(limits.nodes)):
        prepare(mine, position, setting)
        mark[at.SLOTS] = min(max(LEAST_SLOTS, 1 << (2 * length - 1).bit_length()), len(mine.seen)) - 1
        mark[at.NOISE], mark[at.CHANCE] = NOISE if number else 0, (number * SEEDS) & at.KEYS
        mark[at.BEST_UP] = max(mark[at.BEST_UP], most)
        limit = _search(mine, length, ends)
        nodes += int(mark[at.NODES])
        status = int(mark[at.STATUS])
        if status == at.WON:
            path = mine.path[: mark[at.DEPTH]].tolist()
            return Findings(True, placed(position, setting, path), int(mark[at.UP]), setting.cards, nodes, None)
        if mark[at.BEST_UP] > most:
            most, path = int(mark[at.BEST_UP]), mine.path[stands.BEST :][: mark[at.BEST_DEPTH]].tolist()
        if status == at.EXHAUSTED and not mark[at.CUT]:
            bound = max(most, int(mark[at.PASSED_OVER]))
            return Findings(False, placed(position, setting, path), most, bound, nodes, None)
        if limit is None and status == at.FULL and mark[at.SLOTS] == len(mine.seen) - 1:
            limit = "memory"
        if limit:
            break
    return Findings(False, placed(position, setting, path), most, setting.cards, nodes, limit or "nodes")


def _lengths(nodes: int | None) -> Iterator[int]:
    """Plan searches: some short ones, one as long as they together, then longer ones; the last gets what is left."""
    length, left = FIRST, inf if nodes is None else nodes
    while left >= 2 * HUNTS * length:
        yield from [length] * HUNTS
        yield HUNTS * length
        left -= 2 * HUNTS * length
        length *= LONGER
    yield int(left)


def _search(hall: Hall, length: int, ends: float | None) -> str | None:
    """Search through so many states; returns `time` when CPU time has ended first."""
    mark = hall.mark
    while mark[at.STATUS] in (at.NEW, at.RUNNING) and mark[at.NODES] < length:
        if ends is not None and time.thread_time() > ends:
            return "time"
        search(hall, min(length - int(mark[at.NODES]), SLICE))
    return None
