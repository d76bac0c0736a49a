"""One pack: the lay-out is Klondike's, and wins consist of moves of the slow search; the engine has no such game."""

from collections import Counter

import pytest

from bots.solver.double import room as at
from bots.solver.double import search
from bots.solver.double.hunt import find, prepare
from bots.solver.double.klondike import KLONDIKE, decided, numbered
from bots.solver.double.position import Setting
from bots.solver.double.room import Room, room
from bots.solver.golf.search import Limits
from tests.bots.solver.double.slow import State, moves

ROOM = room(16)
LIMITS = Limits(nodes=30_000)


def test_lays_out_one_pack() -> None:
    """28 cards lie in columns of 1 to 7, their last ones face up, the other 24 in the stock; a number is one deal."""
    dealt = numbered(7)
    assert [len(column) for column in dealt.columns] == [1, 2, 3, 4, 5, 6, 7]
    assert dealt.down == (0, 1, 2, 3, 4, 5, 6)
    assert set(Counter([*sum(dealt.columns, ()), *dealt.reserve]).values()) == {1}
    assert len(dealt.reserve) == 24
    assert dealt == numbered(7) != numbered(8)


def state_of(of: Room) -> State:
    columns = []
    for c in range(7):
        cards = tuple(of.cards[at.TALL * c : at.TALL * c + of.height[c]].tolist())
        columns.append((cards[: of.down[c]], cards[of.down[c] :]))
    reserve = tuple(of.dealt[of.reserve[: of.mark[at.RESERVE]]].tolist())
    turned = int(of.mark[at.TURNED])
    heights = tuple(int(of.up[16 * suit + 1 : 16 * suit + 14].sum()) for suit in range(4))
    return State(tuple(columns), reserve[:turned], reserve[turned:], heights)


def leads_to(before: State, after: State, setting: Setting) -> bool:
    """Tell whether one move does, after any number of draws."""
    for _ in range(60):
        drawn, *others = moves(before, setting) if before.waste or before.stock else (None, *moves(before, setting))
        if after in others:
            return True
        if drawn is None:
            return False
        before = drawn
    return False


@pytest.mark.parametrize("name", KLONDIKE)
def test_wins_by_legal_moves(name: str) -> None:
    """Every move of the wins found is one of the rules', and at their ends all other cards can go up."""
    setting, won = KLONDIKE[name], 0
    for number in range(2, 12):
        found = find(numbered(number), setting, LIMITS)
        assert decided(name, number, LIMITS) == (
            "winnable" if found.won else "unknown" if found.limit else "unwinnable"
        )
        if not found.won:
            continue
        won += 1
        prepare(ROOM, numbered(number), setting)
        for move in found.path:
            before = state_of(ROOM)
            search.play(ROOM, move)
            assert leads_to(before, state_of(ROOM), setting)
        # Up, or nothing face down and every card of the stock at hand.
        assert ROOM.mark[at.UP] == 52 or (
            not ROOM.mark[at.COVERED] and (setting.draw == 1 or not ROOM.mark[at.RESERVE])
        )
    assert won > 5
