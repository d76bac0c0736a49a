"""How much load, of which kind, for how long."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

__all__ = ["MAX_SOCKETS", "SETTLE_S", "Terms", "TermsRefused"]

MAX_SOCKETS: Final = 5_000
"""Sockets that one process opens at most: beyond that it is the load test that is slow."""
SETTLE_S: Final = 60.0
"""How long after the end of play races may take to end and to give out their replay files."""


class TermsRefused(ValueError):
    """A load that is not to be had: what was expected, what was found."""


class Terms(Struct, frozen=True, kw_only=True):
    """So many races at a time, each with so many seats and spectators, for so many seconds.

    `servers` are addresses of nodes on one Redis: the seats of a race are spread over them. A seat sends `rate` plays
    a second (None: each as soon as there is room), with at most `together` unanswered, and settles after `moves`.
    `bots` are names of the server's own bots, each of which gets one more seat.
    """

    servers: tuple[str, ...]
    races: int = 10
    seats: int = 2
    spectators: int = 1
    seconds: float = 10.0
    rate: float | None = 10.0
    together: int = 4
    moves: int = 200
    bots: tuple[str, ...] = ()
    game: str = "GO1-E"
    seed: int = 1

    def check(self) -> None:
        """Raise TermsRefused where a number is out of its range."""
        bounds = (
            ("races", self.races, 1, 1_000),
            ("seats", self.seats, 1, 100),
            ("spectators", self.spectators, 0, 1_000),
            ("seconds", self.seconds, 0.1, 3_600),
            ("rate", 1 if self.rate is None else self.rate, 0.01, 1_000),
            ("together", self.together, 1, 100),
            ("moves", self.moves, 1, 5_000),
        )
        for name, found, least, most in bounds:
            if not least <= found <= most:
                raise TermsRefused(f"expected {name} from {least} to {most}, found {found}")
        sockets = self.races * (self.seats + self.spectators)
        if sockets > MAX_SOCKETS:
            raise TermsRefused(
                f"expected at most {MAX_SOCKETS} sockets, found {sockets} (races × (seats + spectators)): "
                "take fewer, or load from several machines"
            )
