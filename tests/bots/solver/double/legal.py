"""Tells whether the kernels' moves are moves of the slow search."""

from bots.solver.double import mark as at
from bots.solver.double.places.hunt import prepare
from bots.solver.double.places.play import play
from bots.solver.double.places.room import Room, room
from bots.solver.double.position import Position, Setting
from tests.bots.solver.double.slow import State, alike, moves

ROOM = room(16)


def end_of(position: Position, setting: Setting, path: tuple[int, ...]) -> Room:
    """Play a path; every move of it must be legal."""
    prepare(ROOM, position, setting)
    for move in path:
        before = state_of(ROOM, setting)
        play(ROOM, move)
        assert leads_to(before, state_of(ROOM, setting), setting)
    return ROOM


def state_of(of: Room, setting: Setting) -> State:
    columns = []
    for c in range(of.mark[at.WIDTH]):
        cards = tuple(of.cards[at.TALL * c : at.TALL * c + of.height[c]].tolist())
        columns.append((cards[: of.down[c]], cards[of.down[c] :]))
    reserve = tuple(of.dealt[of.reserve[: of.mark[at.RESERVE]]].tolist())
    turned = int(of.mark[at.TURNED])
    heights = []
    for suit in range(setting.suits):
        ranks = of.up[16 * suit + 1 : 16 * suit + setting.ranks + 1]
        heights += [int((ranks > place).sum()) for place in reversed(range(setting.packs))]
    return State(tuple(columns), reserve[:turned], reserve[turned:], tuple(heights))


def leads_to(before: State, after: State, setting: Setting) -> bool:
    """Tell whether one move does, after any number of draws."""
    after = alike(after, setting)
    for _ in range(60):
        if any(alike(state, setting) == after for state in moves(before, setting)):
            return True
        if not before.stock and not (before.waste and setting.recycles):
            return False
        before = next(moves(before, setting))
    return False
