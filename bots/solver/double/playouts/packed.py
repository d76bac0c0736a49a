"""Runs, foundations and talon, each packed into one number: read and changed."""

from __future__ import annotations

from bots.solver.double.playouts.playtable import CLASS
from bots.solver.jit import inlined

__all__ = [
    "card_at",
    "cards_up",
    "drawn",
    "goes_up",
    "joined",
    "put_up",
    "safe",
    "taken_back",
    "waste_end",
    "with_card",
    "without",
]


@inlined
def card_at(run: int, under: int) -> int:
    """Return the card of a run on which so many others lie."""
    return (((run >> 4) & 15) + under) | ((((run >> 8) ^ under) & 1) << 4) | (((run >> (9 + under)) & 1) << 5)


@inlined
def without(run: int, cards: int) -> int:
    """Return a run without its last cards."""
    left = (run & 15) - cards
    if left == 0:
        return 0
    return left | (((run >> 4) & 15) + cards) << 4 | (((run >> 8) ^ cards) & 1) << 8 | (run >> (9 + cards)) << 9


@inlined
def with_card(run: int, card: int) -> int:
    """Return a run with one card more."""
    return (run & 15) + 1 | (card & CLASS) << 4 | ((run >> 9) << 1 | card >> 5) << 9


@inlined
def joined(run: int, other: int, cards: int) -> int:
    """Return a run with the last cards of another on it."""
    suits = (run >> 9) << cards | ((other >> 9) & ((1 << cards) - 1))
    return (run & 15) + cards | (other & 0x1F0) | suits << 9


@inlined
def goes_up(up: int, card: int) -> bool:
    """Tell whether a foundation takes a card."""
    heights = up >> ((card >> 4) << 3)
    below = (card & 15) - 1
    return bool((heights & 15) == below or ((heights >> 4) & 15) == below)


@inlined
def put_up(up: int, card: int) -> int:
    """Return the heights with a card more."""
    shift = (card >> 4) << 3
    if (up >> shift) & 15 == (card & 15) - 1:
        return up + (1 << shift)
    return up + (16 << shift)


@inlined
def taken_back(up: int, card: int) -> int:
    """Return the heights without a card that is the top of one of its suit's places."""
    shift = (card >> 4) << 3
    tall, low = (up >> shift) & 15, (up >> (shift + 4)) & 15
    up -= (tall | low << 4) << shift
    if low == card & 15:
        low -= 1
    else:
        tall, low = max(tall - 1, low), min(tall - 1, low)
    return up + ((tall | low << 4) << shift)


@inlined
def safe(up: int, card: int) -> bool:
    """Tell whether a card that goes up can never be missed on the tableau.

    What could come to lie on it, at once or later, are lower cards: of the other colour from one rank below, of its own
    from two below, each in all its copies. When all of these are up, only such as were taken back could lie there; they
    would be taken back to hold still lower cards, of which none is in play. So a line that wins with the card left down
    wins without those take-backs too, and then the card is only in the way. One pack's milder rules do not carry over:
    there the second card of a suit and rank does not exist, here it may still wait for a place.
    """
    below = (card & 15) - 1
    for suit in range(4):
        low = (up >> ((suit << 3) + 4)) & 15
        if low < (below - 1 if (suit & 1) == (card >> 4) & 1 else below):
            return False
    return True


@inlined
def cards_up(up: int) -> int:
    """Count the cards on the foundations."""
    count = 0
    for place in range(8):
        count += (up >> (place << 2)) & 15
    return count


@inlined
def next_set(bits: int, at: int) -> int:
    """Return the first set bit from a place on; there must be one."""
    bits >>= at
    while bits & 15 == 0:
        bits >>= 4
        at += 4
    while bits & 1 == 0:
        bits >>= 1
        at += 1
    return at


@inlined
def drawn(talon: int, turned: int, turns: int) -> int:
    """Return how many of the cards dealt have been turned after a draw of so many, or of what is left."""
    for _ in range(turns):
        if talon >> turned:
            turned = next_set(talon, turned) + 1
    return turned


@inlined
def waste_end(talon: int, turned: int) -> int:
    """Return behind which of the cards dealt, so many at most, the waste's top one lies; 0 when there is none."""
    while turned > 0 and not (talon >> (turned - 1)) & 1:
        turned -= 1
    return turned
