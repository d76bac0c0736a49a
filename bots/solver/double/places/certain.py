"""What goes up without loss, so that no other move need be tried: reasoned in `README.md`."""

from __future__ import annotations

from bots.solver.double.mark import PACKS, RESERVE, SUITS, TALL, WIDTH
from bots.solver.double.places.play import COLUMN_UP, RESERVE_UP
from bots.solver.double.places.room import Room
from bots.solver.double.places.state import at_hand, goes_up
from bots.solver.jit import compiled

__all__ = ["never_needed", "only_move"]


@compiled
def never_needed(room: Room, card: int) -> bool:
    """Tell whether a card may go to its foundation, and stay there, without loss."""
    suit, rank = card >> 4, card & 15
    red = suit == 1 or suit == 2
    for other in range(room.mark[SUITS]):
        if other == suit:
            least = rank - 1
        elif (other == 1 or other == 2) == red:
            least = rank - 3
        else:
            least = rank - 2
        if least > 0 and room.up[other << 4 | least] < room.mark[PACKS]:
            return False
    return True


@compiled
def only_move(room: Room) -> int:
    """Return a move that loses nothing, or -1."""
    mark = room.mark
    for c in range(mark[WIDTH]):
        if room.height[c]:
            card = int(room.cards[TALL * c + room.height[c] - 1])
            if goes_up(room, card) and never_needed(room, card):
                return COLUMN_UP | c << 4
    if at_hand(mark):
        for p in range(1, mark[RESERVE] + 1):
            card = int(room.dealt[room.reserve[p - 1]])
            if goes_up(room, card) and never_needed(room, card):
                return RESERVE_UP | p << 4
    return -1
