"""Learn the guess of a rule letter by self-play: `python -m bots.solver.golf.learn E`; takes some minutes on a core.

Fitted value iteration: play games by the present guess, value each position met by looking one draw ahead (`expect`),
teach the guess those values, repeat. The cards are renumbered anew for every position taught where the rules do not
tell the numbers apart: turned around the joined ring of ranks under Easy, mirrored under Easy and Classic.
"""

from __future__ import annotations

import sys
from typing import NamedTuple

import numba
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bots.solver.golf.guesses import (
    AT_DEPTH,
    COVERS,
    COVERS_FREE,
    HEIGHT,
    HIDDEN,
    LEFT,
    RANKS,
    ROWS,
    STOCK,
    TO_COME,
    Floats,
    Guess,
    keep,
)
from bots.solver.golf.plans import estimate, expect, lay, reach, to_come
from bots.solver.golf.position import LETTERS, Masks, Ranks, fitting
from bots.solver.golf.table import CLEARED, ENDS, Ints, Scratch, Table, scratch

ROUNDS = 100
GAMES = 10_000
"""Games of a round: some 150,000 positions."""
BATCH = 256
RATE = 0.002
"""Step of Adam; falls to a twentieth over the last four tenths of the rounds."""
STRAY = 0.08
"""How often self-play takes any end instead of the best guessed."""
TURNED, MIRRORED, FIXED = 2, 1, 0

# Not kept on disk: numba's cache would miss changes in the kernels that these call.
here = numba.njit(nogil=True, error_model="numpy", fastmath=True)


class Lessons(NamedTuple):
    """Positions before a draw and their values: a row each."""

    columns: Ranks
    """35 ranks as dealt; `packed` tells how many are left."""
    packed: Ints
    counts: NDArray[np.int8]
    """How many cards of each rank are to come."""
    values: Floats
    """Chance to clear; settled score over 350."""


def lessons(size: int) -> Lessons:
    """Make room for so many positions."""
    return Lessons(
        columns=np.zeros((size, 35), np.int8),
        packed=np.zeros(size, np.int64),
        counts=np.zeros((size, RANKS), np.int8),
        values=np.zeros((size, 2), np.float32),
    )


def deals(chance: Generator, games: int) -> Ranks:
    """Deal games as rows of 35 column cards, the waste (14: empty) and up to 19 stock cards, −1 for none.

    One in eight has a joker, one in eight two; one in eight starts with an empty waste.
    """
    rows = np.full((games, 55), -1, np.int8)
    for row in rows:
        jokers = (0, 0, 0, 0, 0, 0, 1, 2)[chance.integers(8)]
        pack = chance.permutation(np.concatenate([np.arange(52) % 13 + 1, np.zeros(jokers, np.int64)]))
        if chance.integers(8):
            row[: len(pack)] = pack
        else:
            row[:35], row[35], row[36 : len(pack) + 1] = pack[:35], 14, pack[35:]
    return rows


@here
def sow(seed: int) -> None:
    """Seed the kernels' own chance."""
    np.random.seed(seed)


@here
def play(  # noqa: C901
    dealt: Ranks, fits: Masks, waits: bool, guess: Guess, answer: int, stray: float, room: Scratch, taught: Lessons
) -> tuple[int, int]:
    """Play games by the guess; returns how many were cleared and how many positions were written into `taught`."""
    scores = np.zeros((2, ENDS))
    for left in range(CLEARED):
        scores[1, left] = max(0, 350 - 20 * left) / 350
    scores[:, CLEARED:] = 1
    nothing_known = np.zeros(0, np.int8)
    counts = np.zeros(RANKS, np.int64)
    vector = np.zeros(HIDDEN, np.float32)
    heights = np.full(7, 5, np.int8)
    cleared = 0
    written = 0
    for game in range(len(dealt)):
        face, accept = np.zeros(64, np.int32), np.zeros(64, np.int32)
        vectors = np.zeros((7, 6, HIDDEN), np.float32)
        packed = lay(dealt[game, :35].copy().reshape(7, 5), heights, fits, face, accept, vectors, guess)
        table = Table(face, accept, fits, vectors, waits)
        stock = dealt[game, 36:]
        counts[:] = 0
        for rank in stock:
            if rank >= 0:
                counts[rank] += 1
        waste = dealt[game, 35]
        for drawn in range(20):
            ends, fewest, _ = reach(packed, fits[waste], waste == 14, table, room, 3)
            if fewest == 0:
                cleared += 1
            if fewest == 0 or counts.sum() == 0:
                break
            to_come(counts, guess, vector)
            packed = room.ends[3, 0]
            if np.random.random() < stray:
                packed = room.ends[3, np.random.randint(ends)]
            elif ends > 1:
                best = -1e9
                for at in range(ends):
                    value = estimate(room.ends[3, at], table, vector, guess, answer)
                    if value > best:
                        best = value
                        packed = room.ends[3, at]
            if written < len(taught.packed):
                taught.columns[written] = dealt[game, :35]
                taught.packed[written] = packed
                for rank in range(RANKS):
                    taught.counts[written, rank] = counts[rank]
                for which in range(2):
                    taught.values[written, which] = expect(
                        packed, counts, nothing_known, 1, which, scores[which], table, guess, room
                    )
                written += 1
            waste = stock[drawn]
            counts[waste] -= 1
    return cleared, written


@here
def renumbered(rank: int, symmetry: int, turn: int, mirror: int) -> int:
    """Give a rank the number it has after turning and mirroring."""
    if rank == 0:
        return 0
    if symmetry >= MIRRORED and mirror:
        rank = 14 - rank
    return (rank - 1 + turn) % 13 + 1 if symmetry == TURNED else rank


@here
def adam(weights: Floats, slope: Floats, mean: Floats, square: Floats, rate: float, step: int) -> None:
    """Take one step and clear the slope."""
    first, second = 1 - 0.9**step, 1 - 0.999**step
    for at in range(len(weights)):
        g = slope[at] / BATCH
        mean[at] = np.float32(0.9) * mean[at] + np.float32(0.1) * g
        square[at] = np.float32(0.999) * square[at] + np.float32(0.001) * g * g
        weights[at] -= np.float32(rate * (mean[at] / first) / (np.sqrt(square[at] / second) + 1e-6))
        slope[at] = 0


@here
def teach(  # noqa: C901
    order: Ints, taught: Lessons, guess: Guess, slopes: Guess, means: Guess, squares: Guess, rate: float, step: int,
    symmetry: int,
) -> tuple[float, int]:  # fmt: skip
    """Teach positions in that order; returns the mean cross-entropy and the number of steps so far."""
    said = np.zeros(128, np.int64)
    hidden = np.zeros(HIDDEN, np.float32)
    loss = 0.0
    for nth in range(len(order)):
        at = order[nth]
        turn, mirror = np.random.randint(13), np.random.randint(2)
        n, left, cards = 0, 0, 0
        for k in range(7):
            height = (taught.packed[at] >> (3 * k)) & 7
            left += height
            said[n] = HEIGHT + height
            n += 1
            above = 0
            for h in range(height):
                rank = renumbered(taught.columns[at, 5 * k + h], symmetry, turn, mirror)
                said[n] = AT_DEPTH + (height - 1 - h) * RANKS + rank
                n += 1
                if h:
                    said[n] = (COVERS_FREE if h == height - 1 else COVERS) + rank * RANKS + above
                    n += 1
                above = rank
        for rank in range(RANKS):
            cards += taught.counts[at, rank]
            for copy in range(taught.counts[at, rank]):
                said[n] = TO_COME + 4 * renumbered(rank, symmetry, turn, mirror) + copy
                n += 1
        said[n] = STOCK + cards
        said[n + 1] = LEFT + left
        n += 2
        hidden[:] = guess.bias
        for i in range(n):
            hidden += guess.rows[said[i]]
        back = np.zeros(HIDDEN, np.float32)
        for which in range(2):
            logit = guess.answer_bias[which]
            for x in range(HIDDEN):
                logit += max(hidden[x], np.float32(0)) * guess.answers[which, x]
            chance = 1 / (1 + np.exp(-logit))
            truth = taught.values[at, which]
            loss -= truth * np.log(chance + 1e-9) + (1 - truth) * np.log(1 - chance + 1e-9)
            error = np.float32(chance - truth)
            slopes.answer_bias[which] += error
            for x in range(HIDDEN):
                if hidden[x] > 0:
                    slopes.answers[which, x] += error * hidden[x]
                    back[x] += error * guess.answers[which, x]
        slopes.bias[:] += back
        for i in range(n):
            slopes.rows[said[i]] += back
        if (nth + 1) % BATCH == 0:
            step += 1
            adam(guess.rows.ravel(), slopes.rows.ravel(), means.rows.ravel(), squares.rows.ravel(), rate, step)
            adam(guess.bias, slopes.bias, means.bias, squares.bias, rate, step)
            adam(
                guess.answers.ravel(),
                slopes.answers.ravel(),
                means.answers.ravel(),
                squares.answers.ravel(),
                rate,
                step,
            )
            adam(guess.answer_bias, slopes.answer_bias, means.answer_bias, squares.answer_bias, rate, step)
    return loss / len(order), step


def learn(letter: str, rounds: int = ROUNDS, games: int = GAMES, seed: int = 1) -> Guess:
    """Learn a letter's guess from nothing; prints a line a round. The same seed learns the same."""
    sow(seed)
    chance = np.random.default_rng(seed)
    guess = Guess(
        rows=(chance.normal(size=(ROWS, HIDDEN)) * 0.05).astype(np.float32),
        bias=np.zeros(HIDDEN, np.float32),
        answers=(chance.normal(size=(2, HIDDEN)) * 0.1).astype(np.float32),
        answer_bias=np.zeros(2, np.float32),
    )
    slopes, means, squares = (Guess(*(np.zeros_like(array) for array in guess)) for _ in range(3))
    switches = LETTERS[letter]
    symmetry = (TURNED if switches.wrap else MIRRORED) if switches.on_king else FIXED
    fits = fitting(switches)
    room = scratch(seed)
    taught = lessons(games * 20)
    step = 0
    for nth in range(rounds):
        some = games // 3 if nth < 20 else games  # At first only the last draws are valued rightly.
        cleared, written = play(deals(chance, some), fits, switches.draw_waits, guess, nth % 2, STRAY, room, taught)
        rate = RATE * min(1.0, max(0.05, (rounds - nth) / (rounds * 0.4)))
        for _ in range(2):
            loss, step = teach(chance.permutation(written), taught, guess, slopes, means, squares, rate, step, symmetry)
        print(f"{letter} round {nth + 1}: {cleared / some:.1%} cleared, loss {loss:.4f}", flush=True)
    return guess


if __name__ == "__main__":
    for name in sys.argv[1:]:
        keep(name, learn(name))
