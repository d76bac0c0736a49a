"""What steps weigh in plans, by draw and scoring: found by trials over some ten thousand random deals each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bots.solver.double.playouts.playtable import Weights

__all__ = ["KLONDIKE", "WEIGHTS"]

_FIRST: Final = Weights(
    run=160,
    part=192,
    put_up=8,
    taken_back=400,
    to_column=192,
    to_foundation=224,
    draw=160,
    turned_none=320,
    taken_place=160,
    given_place=80,
    buried=64,
    recycle=160,
    per_point=8,
)

WEIGHTS: Final[Mapping[tuple[int, str], Weights]] = {
    (1, "N"): _FIRST,
    (3, "N"): _FIRST._replace(
        part=206,
        put_up=1,
        taken_back=322,
        to_column=326,
        draw=143,
        turned_none=478,
        given_place=74,
        buried=47,
        recycle=120,
        per_point=9,
    ),
    (1, "V"): Weights(
        run=356,
        part=71,
        put_up=0,
        taken_back=123,
        to_column=1607,
        to_foundation=61,
        draw=127,
        turned_none=225,
        taken_place=592,
        given_place=69,
        buried=36,
        recycle=0,
        per_point=0,
    ),
    (3, "V"): Weights(
        run=488,
        part=45,
        put_up=7,
        taken_back=799,
        to_column=238,
        to_foundation=71,
        draw=76,
        turned_none=116,
        taken_place=160,
        given_place=18,
        buried=55,
        recycle=0,
        per_point=0,
    ),
}

KLONDIKE: Final = Weights(
    run=398,
    part=10,
    put_up=4,
    taken_back=769,
    to_column=300,
    to_foundation=145,
    draw=6,
    turned_none=4544,
    taken_place=279,
    given_place=19,
    buried=93,
    recycle=14,
    per_point=0,
)
"""For one pack, three cards a draw, where recycles are free."""
