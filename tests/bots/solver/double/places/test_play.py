"""Moves taken back one by one."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.double import mark as at
from bots.solver.double.places.hunt import prepare
from bots.solver.double.places.play import awaited, play, unplay
from bots.solver.double.places.room import Room, room
from bots.solver.double.places.search import come_to
from bots.solver.double.places.state import column_key, turned_key
from bots.solver.double.position import Position, Setting
from tests.bots.solver.double.games import games

ROOM = room(1 << 18)


def state(of: Room) -> list[object]:
    """Everything that a position consists of."""
    columns = [
        (of.cards[at.TALL * c : at.TALL * c + h].tolist(), of.key[at.TALL * c : at.TALL * c + h + 1].tolist(), down)
        for c, (h, down) in enumerate(zip(of.height.tolist(), of.down.tolist(), strict=True))
    ]
    numbers = [of.mark[at.RESERVE], of.mark[at.TURNED], of.mark[at.UP], of.mark[at.COVERED], of.mark[at.KEY]]
    return [columns, of.reserve[: of.mark[at.RESERVE]].tolist(), of.up.tolist(), of.held.tolist(), numbers]


@settings(max_examples=50)
@given(games(), st.integers(0, 2**32))
def test_moves_taken_back(game: tuple[Setting, Position], seed: int) -> None:
    """Taken back one by one, moves lead through the very states they led to; a key does not depend on the way."""
    setting, position = game
    prepare(ROOM, position, setting)
    ROOM.mark[at.WHOLE] = 1
    chance, states = Random(seed), [state(ROOM)]
    for _ in range(40):
        come_to(ROOM, awaited(ROOM))
        begin, end = ROOM.first[ROOM.mark[at.DEPTH]], ROOM.first[ROOM.mark[at.DEPTH] + 1]
        if begin == end:
            break
        play(ROOM, int(ROOM.moves[chance.randrange(begin, end)]))
        states.append(state(ROOM))
        key = sum(int(column_key(ROOM, c)) for c in range(len(position.columns)))
        key += sum(ROOM.dealt_key[ROOM.reserve[: ROOM.mark[at.RESERVE]]].tolist()) + turned_key(ROOM)
        assert ROOM.mark[at.KEY] == key & at.KEYS
    while ROOM.mark[at.DEPTH]:
        assert state(ROOM) == states.pop()
        unplay(ROOM)
    assert state(ROOM) == states.pop()
