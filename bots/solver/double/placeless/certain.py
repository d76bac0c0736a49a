"""What goes up without loss, so that no other move need be tried: reasoned in `README.md`."""

from __future__ import annotations

from bots.solver.double.mark import KING, RESERVE, SUITS, TALL, WIDTH
from bots.solver.double.placeless.hall import DEALT, HELD, LEFT, LOOSE, LOWEST, ORDER, STOCK, Hall
from bots.solver.double.placeless.play import BASE_UP, LOOSE_UP, RESERVE_UP, play
from bots.solver.double.placeless.state import at_hand, class_of, goes_up, hosts_of
from bots.solver.jit import compiled, inlined

__all__ = ["forced", "never_needed", "only_move"]


@inlined
def never_needed(hall: Hall, card: int) -> bool:
    """Tell whether a card may go to its foundation, and stay there, without loss."""
    suit, rank = card >> 4, card & 15
    for other in range(hall.mark[SUITS]):
        away = 1 if other == suit else 3 if ((other + 1) & 2) == ((suit + 1) & 2) else 2
        if hall.now[LOWEST + other] < rank - away:
            return False
    return True


@compiled
def only_move(hall: Hall) -> int:
    """Return a move that loses nothing, or -1."""
    mark = hall.mark
    for c in range(mark[WIDTH]):
        if hall.now[LEFT + c]:
            card = int(hall.now[DEALT + TALL * c + hall.now[LEFT + c] - 1])
            if goes_up(hall, card) and hosts_of(hall, class_of(card)) > 0 and never_needed(hall, card):
                return BASE_UP | c << 4
    for suit in range(mark[SUITS]):
        card = int(suit << 4 | (hall.now[LOWEST + suit] + 1))
        if card & 15 > mark[KING] or not never_needed(hall, card):
            continue
        if hall.now[LOOSE + card] and hosts_of(hall, class_of(card)) > 0:
            return LOOSE_UP | card << 4
        if hall.now[HELD + card] and at_hand(mark):
            for p in range(1, mark[RESERVE] + 1):
                if hall.now[STOCK + hall.now[ORDER + p - 1]] == card:
                    return RESERVE_UP | p << 4
    return -1


@inlined
def forced(hall: Hall) -> None:
    """Put up all that can go up without loss."""
    move = only_move(hall)
    while move >= 0:
        play(hall, move)
        move = only_move(hall)
