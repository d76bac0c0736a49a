"""The search: complete, the same as plain Python, and ended where its memory is."""

from random import Random
from types import ModuleType

import pytest
from hypothesis import given, settings

from bots.solver.double import mark as at
from bots.solver.double import places
from bots.solver.double.places.bound import most_to_come
from bots.solver.double.places.hunt import prepare
from bots.solver.double.places.room import Room, room
from bots.solver.double.position import Position, Setting
from tests.bots.solver.double.games import games
from tests.bots.solver.double.slow import most_up
from tests.bots.solver.plain import plain

ROOM = room(1 << 18)
ALL = 10**9


def searched(
    position: Position, setting: Setting, *, whole: bool = True, kernels: ModuleType = places, slice_of: int = ALL
) -> Room:
    prepare(ROOM, position, setting)
    ROOM.mark[at.SLOTS] = len(ROOM.seen) - 1
    ROOM.mark[at.WHOLE] = whole
    ROOM.mark[at.NOISE] = 0
    while ROOM.mark[at.STATUS] in (at.NEW, at.RUNNING):
        kernels.search.search(ROOM, slice_of)
    return ROOM


@settings(max_examples=60)
@given(games())
def test_finds_what_a_slow_search_finds(game: tuple[Setting, Position]) -> None:
    """Whether a small game can be won, and with one pass how many cards go up, is as trying every move gives it.

    And no more go up than the bounds say.
    """
    setting, position = game
    prepare(ROOM, position, setting)
    bound = most_to_come(ROOM)
    found = searched(position, setting)
    assert not found.mark[at.CUT]
    won, best = found.mark[at.STATUS] == at.WON, found.mark[at.BEST_UP]
    most = most_up(position, setting)
    assert won == (most == setting.cards)
    assert most <= bound
    if not won:
        assert best <= most <= max(best, found.mark[at.PASSED_OVER])
        assert setting.recycles or best == most


def test_makes_a_place_before_it_takes_back_the_next_card() -> None:
    """A card is taken back to free the next, and a card from the stock laid down to take that: neither helps alone."""
    position = Position(
        ((17, 38, 18, 35), (34, 33, 1), (21, 22, 36, 4, 2)), down=(3, 2, 4), reserve=(20, 5, 6, 3, 19, 37)
    )
    found = searched(position, Setting(draw=1, packs=1, suits=3, ranks=6))
    assert found.mark[at.STATUS] == at.WON


@pytest.mark.parametrize("draw", [1, 3])
def test_plain_python_searches_the_same_states(draw: int) -> None:
    """Compiled or not, in one go or in small slices, a search goes the same way and ends with the same numbers."""
    setting = Setting(draw=draw, packs=2, suits=2, ranks=5)
    order = [suit << 4 | rank for suit in range(2) for rank in range(1, 6)] * 2
    Random(4).shuffle(order)
    position = Position((tuple(order[:2]), tuple(order[2:5]), tuple(order[5:9])), (1, 2, 3), tuple(order[9:]))
    ends = []
    for kernels, slice_of in ((places, ALL), (plain(places.__name__), 7)):
        found = searched(position, setting, kernels=kernels, slice_of=slice_of)
        numbers = found.mark.tolist()
        ends.append((numbers[: at.ROUND], numbers[at.ENTERED :], found.best[: found.mark[at.BEST_DEPTH]].tolist()))
    assert ends[0] == ends[1]


def test_says_when_its_memory_is_full() -> None:
    """A search without room for its states stops with that status."""
    order = [suit << 4 | rank for suit in range(4) for rank in range(1, 14)] * 2
    Random(1).shuffle(order)
    columns = tuple(tuple(order[h * (h + 1) // 2 :][: h + 1]) for h in range(9))
    prepare(ROOM, Position(columns, tuple(range(9)), tuple(order[45:])), Setting())
    ROOM.mark[at.SLOTS] = 15
    places.search.search(ROOM, ALL)
    assert ROOM.mark[at.STATUS] == at.FULL
    assert ROOM.mark[at.ENTERED] < 16
