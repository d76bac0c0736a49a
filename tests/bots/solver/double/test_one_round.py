"""Games of one round: no card is lost or peeked at, what can be done is done, and the kernels are what was written."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from bots.players.double.laid import NUMBER, lay_out
from bots.players.double.one_round import row_of
from bots.players.double.sight import look
from bots.players.double.weights import WEIGHTS
from bots.solver.double import one_round, playtable
from bots.solver.double import one_round as at
from bots.solver.double.playtable import table
from engine.double.board import DoubleBoard
from engine.solo import Solo
from tests.bots.players.double.test_players import dealt, play, player
from tests.bots.solver.double.test_playout import games_of
from tests.bots.solver.plain import plain

CODES = ["DS1-D1VO-AAAAAAH", "DS1-D3VO-AAAAAAJ"]
KERNELS = {"compiled": one_round, "plain": plain("bots.solver.double.one_round")}


def cards_of(row: np.ndarray) -> Counter[int]:
    """Count the cards of a position, those on the foundations by their heights."""
    columns = [row[at.TALL * c :][: row[at.HEIGHT + c]].tolist() for c in range(playtable.COLUMNS)]
    waste = row[at.WASTE :][: row[at.IN_WASTE]].tolist()
    stock = row[at.STOCK + row[at.DRAWN] : at.STOCK + row[at.IN_STOCK]].tolist()
    up = [place >> 1 << 4 | rank for place in range(8) for rank in range(1, row[at.UP + place] + 1)]
    return Counter([*(card for column in columns for card in column), *waste, *stock, *up])


def laid(solo: Solo) -> tuple[playtable.Table, int]:
    """Return a table with a game's position as its root, and how many cards are not seen."""
    board = solo.board
    assert isinstance(board, DoubleBoard)
    mine = table(WEIGHTS[board.rules.draw, board.rules.scoring])
    return mine, lay_out(mine, look(solo.position()), board.rules)


@pytest.mark.parametrize("code", CODES)
def test_writes_what_the_seat_sees(code: str) -> None:
    """A position holds the cards in sight where they lie, and as many unknown ones as are not seen."""
    for solo in games_of(code, 12):
        mine, hidden = laid(solo)
        row = row_of(mine, mine.root, playtable.NOTHING)
        sight, cards = look(solo.position()), cards_of(row)
        assert cards.pop(at.UNSEEN, 0) == hidden
        assert sum(cards.values()) == 104 - hidden
        assert row[at.WASTE :][: row[at.IN_WASTE]].tolist() == [NUMBER[card] for card in sight.waste]
        for c, run in enumerate(sight.columns):
            assert row[at.DOWN + c] == sight.down[c]
            shown = row[at.TALL * c + sight.down[c] :][: len(run)].tolist()
            assert shown == [NUMBER[card] for card in run]
        drawn = row_of(mine, mine.root, playtable.DRAWS)
        more = drawn[at.IN_WASTE] - row[at.IN_WASTE]
        assert more == min(solo.board.rules.draw, len(sight.stock))  # type: ignore[union-attr]
        assert row[at.IN_STOCK] - drawn[at.IN_STOCK] == more


@pytest.mark.parametrize("code", CODES)
def test_plays_on_until_nothing_is_left_to_do(code: str) -> None:
    """Every card is there at the end, the stock is drawn, no card can go up, and compiled comes to what was written."""
    for solo in games_of(code, 30):
        mine, hidden = laid(solo)
        ups = []
        for kernels in KERNELS.values():
            memory = kernels.memory(mine.mark[playtable.TURNS])
            memory.starts[: at.ROW] = row_of(mine, mine.root, playtable.NOTHING)
            results = np.zeros((1, 3))
            kernels.value_starts(
                memory, np.array([0]), int(mine.mark[playtable.TURNS]), mine.unseen, hidden, 5, results, 0, 3
            )
            ups.append(results.tolist())
            row = memory.world
            assert set(cards_of(row).values()) == {2}
            assert row[at.DRAWN] == row[at.IN_STOCK]
            assert results[0, 2] == row[at.UP : at.WASTE].sum()
            ends = [row[at.TALL * c + row[at.HEIGHT + c] - 1] for c in range(9) if row[at.HEIGHT + c]]
            waste = row[at.WASTE :][: row[at.IN_WASTE]].tolist()[-1:]
            assert not any(one_round.goes_up(row, card) for card in [*ends, *waste])
        assert ups[0] == ups[1]


@pytest.mark.parametrize("code", CODES)
def test_knows_no_more_than_the_cards_drawn(code: str) -> None:
    """Up to the next card that was not known, worlds that differ in it alone are played alike: the same first draw."""
    mine, hidden = laid(dealt(code))
    memory, cards = one_round.memory(mine.mark[playtable.TURNS]), mine.unseen[:hidden].tolist()
    chance, ups = Random(3), set()
    for _ in range(20):
        chance.shuffle(cards)
        mine.unseen[:hidden] = cards
        memory.starts[: at.ROW] = row_of(mine, mine.root, playtable.NOTHING)
        one_round.place_laid(memory._replace(laid=mine.unseen), 0)
        row = memory.world
        one_round.survey(row)
        row[at.VALUE], row[at.BEST] = 0, at.NOTHING
        one_round.from_waste(row, memory.habits)
        for c in range(9):
            one_round.column_end(row, memory.habits, c)
            one_round.runs(row, memory.habits, c)
        ups.add(tuple(row[at.BEST : at.BEST + 4].tolist()))
    assert len(ups) == 1


def test_makes_more_dollars_than_the_steady_player() -> None:
    """Over a few deals choosing by such games comes to more than the cheapest plans do."""
    codes = [f"DS1-D1VO-AAAAAA{letter}" for letter in "CDEFGH"]
    dollars = {
        name: sum(play(player(name, one), dealt(one), nodes=200)[0].board.score for one in codes)
        for name in ("solver", "steady")
    }
    assert dollars["solver"] > dollars["steady"]


def test_heights_go_up_in_either_place() -> None:
    """A card goes to whichever place of its suit ends just below it."""
    row = np.zeros(at.WORLD, np.int64)
    assert not one_round.goes_up(row, 2)
    for card in (1, 2, 1, 2, 3):
        assert one_round.goes_up(row, card)
        one_round.put_up(row, card)
    assert sorted(row[at.UP : at.UP + 2].tolist()) == [2, 3]
