"""What the learned guess of a position is made of, and the guess of each rule letter.

`bots.solver.golf.learn` makes them.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

HIDDEN: Final = 64
"""Width of the learned guess's hidden layer."""
RANKS: Final = 14
"""Joker, ace to king."""

# Rows of the guess's first layer: what each says of a position.
AT_DEPTH: Final = 0  # 5 × 14: a card so many places above its column's free card
COVERS_FREE: Final = AT_DEPTH + 5 * RANKS  # 14 × 14: that free card covered by that card
COVERS: Final = COVERS_FREE + RANKS * RANKS  # the same further up
HEIGHT: Final = COVERS + RANKS * RANKS  # 0..5: a column's height
TO_COME: Final = HEIGHT + 6  # 14 × 4: the first, second, … card of a rank still to come
STOCK: Final = TO_COME + 4 * RANKS  # 0..19: cards in the stock
LEFT: Final = STOCK + 20  # 0..35: cards in the columns
ROWS: Final = LEFT + 36


class Guess(NamedTuple):
    """The learned guess: one hidden layer, two answers (chance to clear, settled score over 350), as logits."""

    rows: Floats
    """ROWS × HIDDEN."""
    bias: Floats
    answers: Floats
    """2 × HIDDEN."""
    answer_bias: Floats


FILE: Final = Path(__file__).with_name("guesses.npz")

# Weights are whole multiples of these, so small that every sum of a guess is exact in 24 bits: whatever the order in
# which a machine adds, it comes to the same.
GRAINS: Final = Guess(rows=2.0**-8, bias=2.0**-8, answers=2.0**-5, answer_bias=2.0**-13)  # type: ignore[arg-type]


@cache
def guess_of(letter: str) -> Guess:
    """Load the guess for a rule letter: E, C or S."""
    with np.load(FILE) as arrays:
        guess = Guess(
            *(
                (arrays[f"{letter}_{name}"] * grain).astype(np.float32)
                for name, grain in zip(Guess._fields, GRAINS, strict=True)
            )
        )
    assert guess.rows.shape == (ROWS, HIDDEN)
    return guess


def keep(letter: str, guess: Guess) -> None:
    """Write a letter's guess into the file, in grains, and leave the others as they are."""
    arrays = dict(np.load(FILE)) if FILE.exists() else {}
    for name, array, grain in zip(Guess._fields, guess, GRAINS, strict=True):
        grains = np.rint(array / grain)
        limits = np.iinfo(np.int16)
        arrays[f"{letter}_{name}"] = np.clip(grains, limits.min, limits.max).astype(np.int16)
    np.savez_compressed(FILE, allow_pickle=False, **dict(sorted(arrays.items())))
