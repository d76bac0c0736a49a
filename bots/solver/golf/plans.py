"""Plans of a player who does not see the stock: what to remove before the next draw, and what that is worth.

All that happens between two draws is open to view, so a decision is a choice among the heights that the columns can
have at the next draw: its *ends*. An end's worth depends only on the heights and on which cards are still to come, not
on the waste, which the draw covers. Three estimates of it, each made of the one before: a learned guess (`estimate`),
the guess after every possible next card (`expect`), and games played out over shuffled stocks (`value_plans`).
"""

from __future__ import annotations

import numpy as np

from bots.solver.golf.guesses import (
    AT_DEPTH,
    COVERS,
    COVERS_FREE,
    HEIGHT,
    HIDDEN,
    LEFT,
    RANKS,
    STOCK,
    TO_COME,
    Floats,
    Guess,
)
from bots.solver.golf.position import Masks, Ranks
from bots.solver.golf.table import CLEARED, SLOTS, STATES, Ints, Scratch, Table, Worth
from bots.solver.jit import compiled, compiled_sums


@compiled
def lay(columns: Ranks, heights: Ranks, fits: Masks, face: Masks, accept: Masks, vectors: Floats, guess: Guess) -> int:
    """Fill in a table's arrays for these columns and return their packed heights."""
    packed = 0
    for k in range(7):
        packed |= int(heights[k]) << (3 * k)
        for h in range(6):
            vectors[k, h] = guess.rows[HEIGHT + h]
        for h in range(heights[k]):
            face[8 * k + h + 1] = 1 << int(columns[k, h])
            accept[8 * k + h] = fits[columns[k, h]]
            above = 0
            for at in range(h + 1):
                rank = int(columns[k, at])
                vectors[k, h + 1] += guess.rows[AT_DEPTH + (h - at) * RANKS + rank]
                if at:
                    vectors[k, h + 1] += guess.rows[(COVERS_FREE if at == h else COVERS) + rank * RANKS + above]
                above = rank
    return packed


@compiled
def to_come(counts: Ints, guess: Guess, vector: Floats) -> None:
    """Write what the cards still to come (how many of each rank) add to the hidden layer."""
    cards = 0
    vector[:] = guess.bias
    for rank in range(RANKS):
        cards += counts[rank]
        for copy in range(counts[rank]):
            vector += guess.rows[TO_COME + 4 * rank + copy]
    vector += guess.rows[STOCK + cards]


@compiled_sums
def estimate(packed: int, table: Table, stock: Floats, guess: Guess, answer: int) -> float:
    """Guess one answer, as a logit, for drawing at these heights, with `stock` from `to_come`."""
    a, b, c, d = packed & 7, (packed >> 3) & 7, (packed >> 6) & 7, (packed >> 9) & 7
    e, f, g = (packed >> 12) & 7, (packed >> 15) & 7, (packed >> 18) & 7
    left = LEFT + a + b + c + d + e + f + g
    total = guess.answer_bias[answer]
    for x in range(HIDDEN):
        value = (
            stock[x] + guess.rows[left, x]
            + table.columns[0, a, x] + table.columns[1, b, x] + table.columns[2, c, x] + table.columns[3, d, x]
            + table.columns[4, e, x] + table.columns[5, f, x] + table.columns[6, g, x]
        )  # fmt: skip
        total += max(value, np.float32(0)) * guess.answers[answer, x]
    return float(total)


@compiled
def reach(  # noqa: C901
    packed: int, fitting: int, free_draw: bool, table: Table, scratch: Scratch, level: int
) -> tuple[int, int, int]:
    """Find all heights at which the next card may be drawn, with those ranks fitting on the waste now.

    `free_draw`: a draw is allowed at once though something fits. Returns how many ends were written to
    `scratch.ends[level]` (as indices of its states for level 0, else packed heights), the fewest cards left on the way
    and the state where: with no card left it stops there.
    """
    scratch.tick[0] += 1
    if scratch.tick[0] == 1 << 18:
        scratch.slots[:] = 0
        scratch.tick[0] = 1
    tick = scratch.tick[0]
    states, slots = scratch.states, scratch.slots
    states[0] = packed << 4 | 8
    scratch.parents[0] = -1
    scratch.todo[0] = 0
    seen, todo, ends = 1, 1, 0
    fewest, fewest_at = 99, 0
    while todo:
        todo -= 1
        at = scratch.todo[todo]
        here = states[at] >> 4
        source = states[at] & 15
        if source < 8:
            fitting = table.accept[8 * source + ((here >> (3 * source)) & 7)]
        left = 0
        stuck = True
        for k in range(7):
            height = (here >> (3 * k)) & 7
            left += height
            if fitting & table.face[8 * k + height]:
                stuck = False
                state = (here - (1 << (3 * k))) << 4 | k
                slot = (state * 2654435761 >> 7) & (SLOTS - 1)
                while slots[slot] & 0x3FFFF == tick and slots[slot] >> 18 != state:
                    slot = (slot + 1) & (SLOTS - 1)
                if slots[slot] & 0x3FFFF != tick and seen < STATES:
                    slots[slot] = state << 18 | tick
                    states[seen] = state
                    scratch.parents[seen] = at
                    scratch.todo[todo] = seen
                    todo += 1
                    seen += 1
        if left < fewest:
            fewest = left
            fewest_at = at
            if left == 0:
                break
        if stuck or not table.waits or (free_draw and at == 0):
            state = here << 4 | 9
            slot = (state * 2654435761 >> 7) & (SLOTS - 1)
            while slots[slot] & 0x3FFFF == tick and slots[slot] >> 18 != state:
                slot = (slot + 1) & (SLOTS - 1)
            if slots[slot] & 0x3FFFF != tick:
                slots[slot] = state << 18 | tick
                scratch.ends[level, ends] = here if level else at
                ends += 1
    return ends, fewest, fewest_at


@compiled
def expect(
    packed: int,
    counts: Ints,
    known: Ranks,
    depth: int,
    answer: int,
    worth: Worth,
    table: Table,
    guess: Guess,
    scratch: Scratch,
) -> float:
    """Average over the next card of the best that can then be done, so many draws deep, with the guess behind that.

    `counts` holds the cards to come, of which the next are `known`. As deep as the stock it is exact. Level by level in
    arrays instead of by calling itself, for numba cannot keep a kernel that does that on disk.
    """
    cards = counts.sum()
    rank, end, ends, best, total = scratch.rank, scratch.end, scratch.ends_found, scratch.best, scratch.total
    level = 1
    scratch.heights[level], rank[level], total[level] = packed, -1, 0.0
    while True:
        drawn = level - 1
        if rank[level] < 0 or end[level] == ends[level]:
            if rank[level] >= 0:  # All that can follow this card has been looked at.
                counts[rank[level]] += 1
                share = 1.0 if drawn < len(known) else counts[rank[level]] / (cards - drawn)
                total[level] += share * best[level]
            rank[level] += 1
            while rank[level] < RANKS and (
                counts[rank[level]] == 0 or (drawn < len(known) and known[drawn] != rank[level])
            ):
                rank[level] += 1
            if rank[level] == RANKS:
                if level == 1:
                    return float(total[1])
                level -= 1
                best[level] = max(best[level], total[level + 1])
                continue
            fitting = table.fits[rank[level]]
            found, fewest, _ = reach(scratch.heights[level], fitting, False, table, scratch, level)
            counts[rank[level]] -= 1
            end[level], ends[level], best[level] = 0, found, -1e9
            if fewest == 0 or drawn + 1 == cards:
                best[level] = worth[fewest] if fewest else worth[CLEARED + drawn]
                end[level] = found
            elif level == depth:
                to_come(counts, guess, scratch.stock[0])
                for at in range(found):
                    best[level] = max(
                        best[level], estimate(scratch.ends[level, at], table, scratch.stock[0], guess, answer)
                    )
                best[level] = 1 / (1 + np.exp(-best[level]))
                end[level] = found
            continue
        scratch.heights[level + 1] = scratch.ends[level, end[level]]
        end[level] += 1
        level += 1
        rank[level], total[level] = -1, 0.0


@compiled
def foresee(
    ends: Ints,
    counts: Ints,
    known: Ranks,
    depth: int,
    answer: int,
    worth: Worth,
    table: Table,
    guess: Guess,
    scratch: Scratch,
    values: Worth,
) -> None:
    """Write into `values` what drawing at each of these ends is worth: guessed for depth 0, else as expected."""
    to_come(counts, guess, scratch.stock[19])
    for at in range(len(ends)):
        if depth:
            values[at] = expect(ends[at], counts, known, depth, answer, worth, table, guess, scratch)
        else:
            values[at] = estimate(ends[at], table, scratch.stock[19], guess, answer)


@compiled
def play_out(packed: int, cards: int, answer: int, table: Table, guess: Guess, scratch: Scratch) -> int:
    """Draw through `scratch.world`, each time to the end that the guess likes best; returns how it ends (`CLEARED`)."""
    for drawn in range(cards):
        ends, fewest, _ = reach(packed, table.fits[scratch.world[drawn]], False, table, scratch, 1)
        if fewest == 0:
            return CLEARED + drawn
        if drawn == cards - 1:
            return fewest
        packed = scratch.ends[1, 0]
        if ends > 1:
            best = -1e9
            for at in range(ends):
                value = estimate(scratch.ends[1, at], table, scratch.stock[drawn + 1], guess, answer)
                if value > best:
                    best = value
                    packed = scratch.ends[1, at]
    return 99


@compiled
def value_plans(
    plans: Ints,
    known: Ranks,
    unseen: Ranks,
    worlds: int,
    answer: int,
    worth: Worth,
    table: Table,
    guess: Guess,
    scratch: Scratch,
    sums: Worth,
) -> None:
    """Add to `sums` what each plan's games were worth, over so many shuffles of the unseen cards: the same for each."""
    cards = len(known) + len(unseen)
    world = scratch.world
    counts = np.zeros(RANKS, np.int64)
    for at in range(cards):
        world[at] = known[at] if at < len(known) else unseen[at - len(known)]
    for _ in range(worlds):
        state = scratch.seed[0]
        for at in range(cards - 1, len(known), -1):
            state ^= state >> np.uint64(12)
            state ^= state << np.uint64(25)
            state ^= state >> np.uint64(27)
            lot = np.int64((state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(33))
            other = len(known) + ((lot * (at - len(known) + 1)) >> 31)
            world[at], world[other] = world[other], world[at]
        scratch.seed[0] = state
        counts[:] = 0
        for drawn in range(cards - 1, 0, -1):
            counts[world[drawn]] += 1
            to_come(counts, guess, scratch.stock[drawn])
        for at in range(len(plans)):
            sums[at] += worth[play_out(plans[at], cards, answer, table, guess, scratch)]
