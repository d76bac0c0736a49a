"""What a play costs the rules of a race: `python -m tests.load.decide` prints microseconds and ratios to a yardstick.

The yardstick is one round of msgpack coding of a move's body in the same run, so that figures of two machines compare.
Nothing is asserted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from timeit import repeat
from typing import Final

from engine.log.entry import pack_body, unpack_body
from engine.race.commands import Play
from engine.race.decide import Happens, decide
from engine.race.events import Played, packed
from engine.race.evolve import evolve, fold
from engine.race.model import Race
from engine.race.playing import forget
from tests.engine.race.course import SECRETS, WINNING, Course

H: Final = "00" * 16
MOVE: Final = unpack_body(packed(Played(1, 1, "d")))


def under_way(seats: int) -> Race:
    """A race of that many seats at the moment of its first move."""
    return Course(seats=seats).begin(*(f"player {number}" for number in range(seats))).race


def game(race: Race) -> Callable[[], None]:
    """The published win, decided and folded move by move."""
    assert race.start_at is not None
    plays = [Play("player 0", n, word, race.start_at) for n, word in enumerate(WINNING, 1)]

    def played() -> None:
        forget()
        now = race
        for play in plays:
            decision = decide(now, play)
            assert isinstance(decision, Happens)
            now = evolve(now, decision.events[0], play.now, H)  # type: ignore[arg-type]

    return played


def refold() -> tuple[Callable[[], None], int]:
    """A race of two seats read from its log anew, and its number of entries."""
    course = Course().begin("ann", "bob")
    for player in ("ann", "bob"):
        for _ in range(76):
            course.play(player, "d", "u")
        course.win(player)
    return lambda: fold(Race(course.race.id), course.log, SECRETS) and None, len(course.log)


def yardstick() -> None:
    """As many bodies of moves packed and read again as the win has moves."""
    for _ in WINNING:
        unpack_body(pack_body(MOVE))


def cost_us(job: Callable[[], None], steps: int, rounds: int) -> float:
    """Return the microseconds of one step, from the quickest of many short runs."""
    return min(repeat(job, number=rounds, repeat=200)) / rounds / steps * 1e6


def main() -> None:
    """Print the table."""
    measure = cost_us(yardstick, len(WINNING), 2)
    refolded, entries = refold()
    rows = [
        ("decide + evolve, a Golf play, 2 seats", cost_us(game(under_way(2)), len(WINNING), 2)),
        ("decide + evolve, a Golf play, 100 seats", cost_us(game(under_way(100)), len(WINNING), 2)),
        (f"fold one of {entries} entries of a race", cost_us(refolded, entries, 1)),
        ("yardstick: pack and unpack a body", measure),
    ]
    for name, cost in rows:
        sys.stdout.write(f"{name:<42}{cost:8.2f} µs{cost / measure:8.2f} × yardstick\n")
    sys.stdout.write(f"rebuild that race of {entries} entries{rows[2][1] * entries / 1000:21.2f} ms\n")


if __name__ == "__main__":
    main()
