"""Play Golf games out from a position, over stocks shuffled anew, to value each legal move."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bots.solver.golf.position import Masks, Ranks
from bots.solver.jit import compiled

Floats = NDArray[np.float64]
Seed = NDArray[np.int64]
DRAW = 7
"""The place of the draw among the values of the moves; columns are 0..6."""


@compiled
def play_out(
    face: Masks, accept: Masks, fits: Masks, packed: int, fitting: int, stock: Ranks, drawn: int, chance: Seed
) -> int:
    """Play one game to its end and return the cards left.

    Removes whenever something fits: first cards on which another fits, then from the tallest column, then by lot.
    """
    left = 0
    for k in range(7):
        left += (packed >> (3 * k)) & 7
    seed = chance[0]
    while left:
        best = -1
        best_value = -1
        equals = 0
        for k in range(7):
            height = (packed >> (3 * k)) & 7
            if fitting & face[8 * k + height]:
                value = height
                onward = accept[8 * k + height - 1]
                after = packed - (1 << (3 * k))
                for q in range(7):
                    if onward & face[8 * q + ((after >> (3 * q)) & 7)]:
                        value += 8
                        break
                if value > best_value:
                    best_value = value
                    best = k
                    equals = 1
                elif value == best_value:
                    equals += 1
                    seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
                    if (seed >> 8) % equals == 0:
                        best = k
        if best >= 0:
            packed -= 1 << (3 * best)
            fitting = accept[8 * best + ((packed >> (3 * best)) & 7)]
            left -= 1
        elif drawn < len(stock):
            fitting = fits[stock[drawn]]
            drawn += 1
        else:
            break
    chance[0] = seed
    return left


@compiled
def value_moves(
    columns: Ranks,
    heights: Ranks,
    waste: int,
    stock: Ranks,
    known: int,
    fits: Masks,
    draw_waits: bool,
    worth: Floats,
    worlds: int,
    chance: Seed,
    values: Floats,
) -> None:
    """Add to `values`, for each legal move, what its games were worth: the same shuffled stocks for every move.

    The first `known` stock cards stay where they are, the rest is shuffled anew for each world.
    """
    face = np.zeros(64, np.int32)
    accept = np.zeros(64, np.int32)
    packed = 0
    for k in range(7):
        packed |= int(heights[k]) << (3 * k)
        for h in range(heights[k]):
            face[8 * k + h + 1] = 1 << columns[k, h]
            accept[8 * k + h] = fits[columns[k, h]]
    fitting = fits[waste]
    removable = False
    for k in range(7):
        removable |= (fitting & face[8 * k + ((packed >> (3 * k)) & 7)]) != 0
    may_draw = len(stock) > 0 and (waste == 14 or not (draw_waits and removable))
    world = stock.copy()
    for _ in range(worlds):
        seed = chance[0]
        for at in range(len(world) - 1, known, -1):
            seed = (seed * 1103515245 + 12345) & 0x7FFFFFFF
            other = known + (seed >> 8) % (at - known + 1)
            world[at], world[other] = world[other], world[at]
        chance[0] = seed
        for k in range(7):
            height = (packed >> (3 * k)) & 7
            if fitting & face[8 * k + height]:
                onward = accept[8 * k + height - 1]
                left = play_out(face, accept, fits, packed - (1 << (3 * k)), onward, world, 0, chance)
                values[k] += worth[left]
        if may_draw:
            values[DRAW] += worth[play_out(face, accept, fits, packed, fits[world[0]], world, 1, chance)]
