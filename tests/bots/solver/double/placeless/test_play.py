"""Moves of the game without places taken back one by one."""

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.double import mark as at
from bots.solver.double.placeless import hall as stands
from bots.solver.double.placeless.exhaust import prepare
from bots.solver.double.placeless.hall import hall
from bots.solver.double.placeless.play import AWAITS, MOVE_BITS, play, unplay
from bots.solver.double.placeless.search import come_to
from bots.solver.double.placeless.state import whole_key
from bots.solver.double.position import Position, Setting
from tests.bots.solver.double.games import games

HALL = hall(1 << 16)


@settings(max_examples=50)
@given(games(), st.integers(0, 2**32))
def test_moves_taken_back(game: tuple[Setting, Position], seed: int) -> None:
    """Taken back one by one, moves lead through the very states they led to; a key does not depend on the way."""
    setting, position = game
    prepare(HALL, position, setting)
    HALL.mark[at.NOISE], HALL.mark[at.SLOTS] = 0, len(HALL.seen) - 1
    numbers = [at.RESERVE, at.TURNED, at.UP, at.COVERED, at.KEY]

    def state() -> list[int]:
        order = HALL.now[stands.ORDER : stands.ORDER + HALL.mark[at.RESERVE]]
        return [*HALL.now[: stands.ORDER].tolist(), *order.tolist(), *HALL.mark[numbers].tolist()]

    chance, states, awaits = Random(seed), [state()], 0
    for _ in range(40):
        come_to(HALL, awaits)
        begin, end = HALL.path[stands.FIRST + HALL.mark[at.DEPTH] :][:2]
        if begin == end:
            break
        move = int(HALL.path[stands.LISTED + chance.randrange(begin, end)]) & ((1 << MOVE_BITS) - 1)
        play(HALL, move)
        awaits = move >> AWAITS
        states.append(state())
        assert HALL.mark[at.KEY] == whole_key(HALL)
    while HALL.mark[at.DEPTH]:
        assert state() == states.pop()
        unplay(HALL)
    assert state() == states.pop()
