"""What the search works in: its memory."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from bots.solver.double.mark import COLUMNS, DEEPEST, KEYS, MARKS, MOVES, TALL, Int64

__all__ = ["Room", "room"]


class Room(NamedTuple):
    """Memory of a search, made once and used again. A tuple, for numba.

    cards[TALL * column + place], height, down: the columns; key[TALL * column + h]: the key of the first h cards.
    up[16 * suit + rank]: how many of a card's equals are on the foundations; rank 0: all of them. A card can be put up
    when more of the rank below are up than of its own: then one of the suit's places ends there.
    held[card]: how many are in waste and stock. reserve: these cards, in order, as indices into `dealt`.
    card_key, down_key, turned_key, held_key: random keys; dealt_key: those of the cards of the reserve.
    hosts, wants, near: see `survey`; host, can, most, low, free, gone: see `most_to_come`.
    path, turns, was, keys: the moves made; for each the card turned up or the index in `dealt` of the card taken, and
    what `TURNED` and `KEY` were. at, first: a depth's next move, and where its moves begin, in `moves`.
    best: the path that put up most.
    seen: the table of states.
    """

    cards: Int64
    height: Int64
    down: Int64
    key: Int64
    up: Int64
    held: Int64
    reserve: Int64
    dealt: Int64
    card_key: Int64
    down_key: Int64
    turned_key: Int64
    dealt_key: Int64
    held_key: Int64
    hosts: Int64
    wants: Int64
    near: Int64
    host: Int64
    can: Int64
    most: Int64
    low: Int64
    free: Int64
    gone: Int64
    path: Int64
    turns: Int64
    was: Int64
    keys: Int64
    at: Int64
    first: Int64
    moves: Int64
    best: Int64
    seen: Int64
    mark: Int64


def room(slots: int = 1 << 22, salt: int = 1) -> Room:
    """Make room for searches of up to three quarters of so many states (a power of two); keys follow from the salt."""
    chance = np.random.default_rng(salt)

    def keys() -> Int64:
        return chance.integers(1, KEYS, 64, dtype=np.int64)

    def zeros(count: int) -> Int64:
        return np.zeros(count, np.int64)

    return Room(
        cards=zeros(COLUMNS * TALL),
        height=zeros(COLUMNS),
        down=zeros(COLUMNS),
        key=zeros(COLUMNS * TALL),
        up=zeros(5 * 16),
        held=zeros(64),
        reserve=zeros(64),
        dealt=zeros(64),
        card_key=keys(),
        down_key=keys(),
        turned_key=keys(),
        dealt_key=keys(),
        held_key=keys(),
        hosts=zeros(32),
        wants=zeros(32),
        near=zeros(32),
        host=zeros(32),
        can=zeros(5 * 16),
        most=zeros(5 * 16),
        low=zeros(COLUMNS),
        free=zeros(COLUMNS + 1),
        gone=zeros(COLUMNS + 1),
        path=zeros(DEEPEST),
        turns=zeros(DEEPEST),
        was=zeros(DEEPEST),
        keys=zeros(DEEPEST),
        at=zeros(DEEPEST + 1),
        first=zeros(DEEPEST + 2),
        moves=zeros(MOVES),
        best=zeros(DEEPEST),
        seen=zeros(slots),
        mark=zeros(MARKS),
    )
