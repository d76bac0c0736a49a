"""The fair player's kernels: ends, guesses and expectations against slow and obvious ways to the same."""

from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.golf import plans
from bots.solver.golf.guesses import HIDDEN, RANKS, guess_of
from bots.solver.golf.position import EMPTY, LETTERS, Position, arrays, fitting
from bots.solver.golf.table import CLEARED, DEEPEST, ENDS, Scratch, Table, scratch
from tests.bots.solver.oracle import DEALS
from tests.bots.solver.plain import plain

WORTH = np.array([1 - left / 50 for left in range(CLEARED)] + [2 - draws / 40 for draws in range(ENDS - CLEARED)])
NOTHING = np.zeros(0, np.int8)


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Few cards of few ranks, so that much fits, with a joker and empty wastes."""
    ranks = st.sampled_from((1, 2, 3, 4, 12, 13))
    heights = draw(st.lists(st.integers(0, 3), min_size=7, max_size=7).filter(lambda heights: sum(heights) < 12))
    columns = [[draw(ranks) for _ in range(height)] for height in heights]
    if columns[0] and draw(st.booleans()):
        columns[0][-1] = 0
    waste = draw(st.sampled_from((EMPTY, 0, 1, 2, 3, 12, 13)))
    stock = draw(st.lists(st.sampled_from((0, 1, 2, 3, 4, 12, 13)), min_size=1, max_size=DEEPEST))
    return Position(tuple(map(tuple, columns)), waste, tuple(stock))


def tabled(position: Position, letter: str, kernels: ModuleType = plans) -> tuple[Table, int, Scratch]:
    given_arrays = arrays(position, LETTERS[letter])
    face, accept = np.zeros(64, np.int32), np.zeros(64, np.int32)
    vectors = np.zeros((7, 6, HIDDEN), np.float32)
    packed = kernels.lay(
        given_arrays.columns, given_arrays.heights, given_arrays.fits, face, accept, vectors, guess_of(letter)
    )
    return Table(face, accept, given_arrays.fits, vectors, LETTERS[letter].draw_waits), packed, scratch(1)


Columns = tuple[tuple[int, ...], ...]


def slow_ends(columns: Columns, waste: int, letter: str, free_draw: bool) -> tuple[set[Columns], int]:
    """Try every order of removals; returns the columns at which a draw is allowed and the fewest cards left."""
    fits = [int(mask) for mask in fitting(LETTERS[letter])]
    ends: set[Columns] = set()
    seen = {(columns, waste)}
    todo = [(columns, waste, free_draw)]
    while todo:
        here, top, free = todo.pop()
        onward = [k for k, column in enumerate(here) if column and fits[top] >> column[-1] & 1]
        if free or not onward or not LETTERS[letter].draw_waits:
            ends.add(here)
        for k in onward:
            after = (*here[:k], here[k][:-1], *here[k + 1 :])
            if (after, here[k][-1]) not in seen:
                seen.add((after, here[k][-1]))
                todo.append((after, here[k][-1], False))
    return ends, min(sum(map(len, here)) for here, _ in seen)


def slow_worth(columns: Columns, stock: tuple[int, ...], known: int, letter: str, drawn: int = 0) -> float:
    """Average over every next card, each time with the best of all that can follow."""
    total = 0.0
    nexts = range(1) if known else range(len(stock))
    for at in nexts:
        rest = stock[:at] + stock[at + 1 :]
        ends, fewest = slow_ends(columns, stock[at], letter, False)
        if fewest == 0 or not rest:
            total += WORTH[fewest or CLEARED + drawn]
        else:
            total += max(slow_worth(end, rest, max(0, known - 1), letter, drawn + 1) for end in ends)
    return total / len(nexts)


def heights(packed: int) -> tuple[int, ...]:
    return tuple(packed >> 3 * k & 7 for k in range(7))


@settings(max_examples=150, deadline=None)
@given(positions(), st.sampled_from("ECS"))
def test_reaches_what_trying_every_order_reaches(position: Position, letter: str) -> None:
    """The ends before a draw and the fewest cards left are those of a slow search; ways lead there."""
    table, packed, room = tabled(position, letter)
    free_draw = position.waste == EMPTY
    count, fewest, _ = plans.reach(packed, int(table.fits[position.waste]), free_draw, table, room, 0)
    ends, slow_fewest = slow_ends(position.columns, position.waste, letter, free_draw)
    assert fewest == slow_fewest
    if fewest:
        found = {heights(int(room.states[at]) >> 4) for at in room.ends[0, :count]}
        assert found == {tuple(map(len, end)) for end in ends}
        assert count == len(found)


@settings(max_examples=100, deadline=None)
@given(positions(), st.sampled_from("ECS"), st.data())
def test_expects_exactly_what_every_order_of_the_stock_gives(
    position: Position, letter: str, data: st.DataObject
) -> None:
    """As deep as the stock, an expectation is the average over every next card of the best that follows."""
    table, packed, room = tabled(position, letter)
    known = data.draw(st.integers(0, len(position.stock)))
    counts = np.bincount(position.stock, minlength=RANKS)
    before = counts.tolist()
    expected = slow_worth(position.columns, position.stock, known, letter)
    found = plans.expect(
        packed, counts, np.array(position.stock[:known], np.int8), len(position.stock), 0, WORTH, table,
        guess_of(letter), room,
    )  # fmt: skip
    assert found == pytest.approx(expected)
    assert counts.tolist() == before


def test_guesses_alike_compiled_or_not() -> None:
    """A guess is the same number to the last bit in plain Python, where sums run in another order."""
    kernels = plain(plans.__name__)
    guess = guess_of("C")
    for _, position in DEALS[:20]:
        counts = np.bincount(position.stock, minlength=RANKS)
        guesses = []
        for module in (plans, kernels):
            table, packed, room = tabled(position, "C", module)
            module.to_come(counts, guess, room.stock[0])
            guesses.append([float(module.estimate(packed, table, room.stock[0], guess, answer)) for answer in (0, 1)])
        assert guesses[0] == guesses[1]


def test_plays_out_alike_compiled_or_not() -> None:
    """The same seed shuffles the same worlds and plays the same games in plain Python."""
    sums = []
    _, deal = DEALS[3]
    for module in (plans, plain(plans.__name__)):
        table, packed, room = tabled(deal, "E", module)
        total = np.zeros(1)
        stock = np.array(deal.stock, np.int8)
        with np.errstate(over="ignore"):
            module.value_plans(np.array([packed]), stock[:2], stock[2:], 3, 0, WORTH, table, guess_of("E"), room, total)
        sums.append((total.tolist(), room.seed.tolist(), room.world.tolist()))
    assert sums[0] == sums[1]


def test_keeps_known_cards_where_they_are() -> None:
    """Shuffles move only the cards that are not known."""
    table, packed, room = tabled(DEALS[3][1], "E")
    stock = np.array(DEALS[3][1].stock, np.int8)
    total = np.zeros(1)
    for _ in range(5):
        plans.value_plans(np.array([packed]), stock[:4], stock[4:], 1, 0, WORTH, table, guess_of("E"), room, total)
        assert room.world[:4].tolist() == stock[:4].tolist()
        assert sorted(room.world[: len(stock)].tolist()) == sorted(stock.tolist())
