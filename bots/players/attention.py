"""What a player who is not perfect overlooks and misjudges: seeded, so that its game can be played again."""

from __future__ import annotations

from hashlib import blake2b
from statistics import NormalDist
from typing import Final

__all__ = ["chance", "overlooked", "slip"]

NEAR: Final = 0.6
"""How much of its chance to be overlooked a card has on the column where the eyes are."""
FARTHER: Final = 0.25
"""What each column from there adds."""
_NORMAL: Final = NormalDist()


def chance(seed: int, *what: int) -> float:
    """Return a number of [0, 1) that follows from the seed and from what it is about, and from nothing else."""
    digest = blake2b(repr((seed, what)).encode(), digest_size=6).digest()
    return int.from_bytes(digest) / 2**48


def overlooked(share: float, distance: int, roll: float) -> bool:
    """Tell whether a card so many columns away from the eyes is overlooked by who overlooks such a share of them."""
    return roll < share * (NEAR + FARTHER * distance)


def slip(roll: float) -> float:
    """Turn a number of [0, 1) into a normal deviate."""
    return _NORMAL.inv_cdf(roll + 2**-49)
