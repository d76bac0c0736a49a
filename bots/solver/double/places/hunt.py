"""Drive the search: hunts with some chance in them, between them searches through everything."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct

from bots.solver.double import mark as at
from bots.solver.double.places.bound import most_to_come
from bots.solver.double.places.room import Room, room
from bots.solver.double.places.search import search
from bots.solver.double.places.state import column_key, put, turned_key
from bots.solver.double.position import Position, Setting
from bots.solver.golf.search import Limits

__all__ = ["Findings", "find", "memory", "prepare"]

SLICE: Final = 10_000
"""States searched between two looks at the clock: some 30 milliseconds."""
SMALL: Final = 1 << 17
"""Slots of the table that short searches use: what stays in a processor's cache."""
FIRST: Final = 2_000
"""States of the first hunt."""
LONGEST: Final = 50_000
"""States of the longest."""
HUNTS: Final = 3
"""Hunts before each search through everything, and as many more as are as long as these once they grow no longer."""
NOISE: Final = 8
SEEDS: Final = 0x9E3779B97F4A7C15

_memory = threading.local()


class Findings(Struct, frozen=True):
    """What was found: whether a path wins, and the path that puts up most of those tried.

    If no limit ended it, no path wins but this; with one pass through the stock, none puts up more either.
    """

    won: bool
    path: tuple[int, ...]
    """Moves as the kernels write them; a win may be certain before its last card is up."""
    up: int
    """Cards on the foundations at its end."""
    bound: int
    """No path puts up more."""
    nodes: int
    limit: str | None
    """`nodes`, `time` or `memory` when that ended it."""


class Attempt(Struct, frozen=True):
    """One search of several: how the stock is gone through, for how many states, with how much chance.

    A `hunt` tries only what looks like leading on, `whole` everything.
    """

    setting: Setting
    kind: Literal["hunt", "whole"]
    nodes: int
    noise: int = 0


def memory() -> Room:
    """Return this thread's room, made at first use."""
    mine: Room | None = getattr(_memory, "mine", None)
    if mine is None:
        mine = _memory.mine = room()
    return mine


def prepare(room: Room, position: Position, setting: Setting) -> None:
    """Write a position into the room."""
    mark = room.mark
    at.begin(mark, position, setting)
    for piles in (room.height, room.down, room.up, room.held):
        piles[:] = 0
    for suit in range(setting.suits):
        room.up[16 * suit : 16 * suit + setting.ranks + 1] = setting.packs
    for c, column in enumerate(position.columns):
        room.down[c] = position.down[c]
        for card in column:
            put(room, c, card)
            room.up[card] -= 1
    key = sum(int(column_key(room, c)) for c in range(len(position.columns)))
    # All cards of a reserve are at hand where one is drawn at a time: equal ones are the same then.
    at_hand = setting.draw == 1 and setting.recycles
    for i, card in enumerate(position.reserve):
        room.dealt[i], room.reserve[i] = card, i
        room.dealt_key[i] = room.held_key[card if at_hand else i]
        room.held[card] += 1
        room.up[card] -= 1
        key += int(room.dealt_key[i])
    mark[at.KEY] = (key + int(turned_key(room))) & at.KEYS
    room.first[0] = 0
    at.next_round(mark, room.seen)


def attempts(setting: Setting) -> Iterator[Attempt]:
    """Plan searches, each round twice as long as the one before; those that depend on luck only up to a length.

    What is won by drawing three cards at a time is won by drawing one, and there are fewer ways to do that.
    """
    nodes, noise = FIRST, 0
    by_threes = Setting(3, True, setting.packs, setting.suits, setting.ranks)
    while True:
        length = min(nodes, LONGEST)
        for hunt in range(HUNTS * nodes // length):
            of = by_threes if hunt % HUNTS == HUNTS - 1 and setting.draw == 1 and setting.recycles else setting
            yield Attempt(of, "hunt", length, noise)
            noise = NOISE
        yield Attempt(setting, "whole", 2 * nodes)
        nodes *= 2


def find(position: Position, setting: Setting, limits: Limits) -> Findings:
    """Look for a path that puts up all cards, or for proof that there is none."""
    mine, mark = memory(), memory().mark
    begun = time.thread_time()
    nodes, most = 0, -1
    path: tuple[int, ...] = ()
    given_up: set[tuple[Setting, str]] = set()
    prepare(mine, position, setting)
    bound = most_to_come(mine)
    for number, attempt in enumerate(attempts(setting)):
        if (attempt.setting, attempt.kind) in given_up:
            continue
        _prepare_for(attempt, number, mine, position, most)
        left = None if limits.nodes is None else limits.nodes - nodes
        ends = None if limits.ms is None else begun + limits.ms / 1000
        limit = _search(mine, attempt, left, ends)
        nodes += int(mark[at.NODES])
        status = int(mark[at.STATUS])
        if status == at.WON:
            path = tuple(map(int, mine.path[: mark[at.DEPTH]]))
            return Findings(True, path, int(mark[at.UP]), setting.cards, nodes, None)
        if mark[at.BEST_UP] > most:
            most, path = int(mark[at.BEST_UP]), tuple(map(int, mine.best[: mark[at.BEST_DEPTH]]))
        if attempt.kind == "whole" and status == at.EXHAUSTED and not mark[at.CUT]:
            return Findings(False, path, most, max(most, int(mark[at.PASSED_OVER])), nodes, None)
        if bound < setting.cards and setting.recycles:
            return Findings(False, path, most, bound, nodes, None)
        if status != at.RUNNING:
            given_up.add((attempt.setting, attempt.kind))
        # Hunts go on as long as they are allowed to; without an end of that kind, the end of memory is theirs too.
        endless = limits.nodes is None and limits.ms is None
        if (setting, "whole") in given_up and (endless or (setting, "hunt") in given_up):
            limit = limit or "memory"
        if limit:
            return Findings(False, path, most, bound, nodes, limit)
    raise AssertionError("there is always another attempt")


def _prepare_for(attempt: Attempt, number: int, room: Room, position: Position, most: int) -> None:
    """Write a position into the room for the attempt of that number; so many cards have been put up before."""
    prepare(room, position, attempt.setting)
    mark = room.mark
    mark[at.SLOTS] = (SMALL if 2 * attempt.nodes < SMALL else len(room.seen)) - 1
    mark[at.WHOLE], mark[at.NOISE] = attempt.kind == "whole", attempt.noise
    if mark[at.WHOLE]:
        mark[at.BEST_UP] = max(mark[at.BEST_UP], most)
    mark[at.CHANCE] = (number * SEEDS) & at.KEYS


def _search(room: Room, attempt: Attempt, left: int | None, ends: float | None) -> str | None:
    """Make an attempt, and return which limit ended that: states left, or when CPU time ends."""
    mark = room.mark
    nodes = attempt.nodes if left is None else min(attempt.nodes, left)
    while mark[at.STATUS] in (at.NEW, at.RUNNING) and mark[at.NODES] < attempt.nodes:
        if mark[at.NODES] >= nodes:
            return "nodes"
        if ends is not None and time.thread_time() > ends:
            return "time"
        search(room, min(nodes - int(mark[at.NODES]), SLICE))
    return None
