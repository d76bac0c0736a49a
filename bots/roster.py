"""The built-in players by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Literal

from msgspec import Struct

from bots.levels import LEVELS, Level
from bots.player import Goal, Player, Seat
from bots.ratings import Rated, measured, pool_of
from engine.codes import Code, Rules
from engine.golf.rules import GolfRules

__all__ = ["ROSTER", "Entry", "UnknownPlayer", "entry", "new"]


class Entry(Struct, frozen=True):
    """A player of the roster: what it is called, what it does, and how it is made for each game it plays."""

    name: str
    description: str
    makers: Mapping[str, Callable[[Seat], Player]]
    """By the game's letters."""
    mode: Literal["fair", "oracle"] = "fair"
    pace: str = "steady"
    """The pace that suits it where a race names none."""
    warm_up: Callable[[str], float] | None = None
    """Loads what it needs for a game before its first move, in the process that plays; returns the seconds it took."""

    @property
    def games(self) -> tuple[str, ...]:
        """The letters of the games it plays."""
        return tuple(self.makers)

    def rated(self, game: str | Rules) -> Rated | None:
        """Return what was measured of it in a game's pool (`GO1-C`, `DS1-D3VO`); None for an oracle, or if nothing was.

        Raises CodeError.
        """
        pool = measured().get(pool_of(game))
        return None if pool is None or self.mode != "fair" else pool.players.get(self.name)

    def rating(self, game: str | Rules) -> int | None:
        """Return its rating in a game (`GO1-C`, `DS1-D3VO`); None for who has none. Raises CodeError."""
        rated = self.rated(game)
        return None if rated is None else rated.rating

    def player(self, seat: Seat) -> Player:
        """Make a player for one game. Raises UnknownPlayer."""
        game = "GO" if isinstance(seat.rules, GolfRules) else "DS"
        if game not in self.makers:
            raise UnknownPlayer(self.name, game, self.games)
        return self.makers[game](seat)


# The makers import what they make only when they make it: a list of names must not cost the second that numba takes.


def _dice(seat: Seat) -> Player:
    from bots.players.dice import Dice

    return Dice(seat)


def _dice_double(seat: Seat) -> Player:
    from bots.players.double.dice import DiceDouble

    return DiceDouble(seat)


def _greedy_golf(seat: Seat) -> Player:
    from bots.players.greedy import GreedyGolf

    return GreedyGolf(seat)


def _greedy_double(seat: Seat) -> Player:
    from bots.players.double.greedy import GreedyDouble

    return GreedyDouble(seat)


def _steady_golf(seat: Seat) -> Player:
    from bots.players.steady import SteadyGolf

    return SteadyGolf(seat)


def _steady_double(seat: Seat) -> Player:
    from bots.players.double.steady import SteadyDouble

    return SteadyDouble(seat)


def _solver_golf(seat: Seat) -> Player:
    from bots.players.solver import SolverGolf

    return SolverGolf(seat)


def _level_golf(seat: Seat, level: Level) -> Player:
    from bots.players.level import LevelGolf

    return LevelGolf(seat, level.golf)


def _level_double(seat: Seat, level: Level) -> Player:
    from bots.players.double.level import LevelDouble

    return LevelDouble(seat, level.double)


def _oracle_golf(seat: Seat) -> Player:
    from bots.players.oracle import OracleGolf

    return OracleGolf(seat)


def _oracle_double(seat: Seat) -> Player:
    from bots.players.double.oracle import OracleDouble

    return OracleDouble(seat)


def _solver_double(seat: Seat) -> Player:
    from bots.players.double.solver import SolverDouble

    return SolverDouble(seat)


def _warm_up(game: str) -> float:
    from bots.players.warm_up import warm_up

    return warm_up(game)


_ENTRIES = (
    Entry(
        name="random",
        description="Plays any legal move with equal chance.",
        makers={"GO": _dice, "DS": _dice_double},
        pace="quick",
    ),
    Entry(
        name="greedy",
        description="Plays what looks best at once: cards that lead on, cards turned up, cards put up.",
        makers={"GO": _greedy_golf, "DS": _greedy_double},
        pace="quick",
    ),
    Entry(
        name="steady",
        description="Plans as far as it knows the cards: to the next draw (Golf), to the next card turned up (Double).",
        makers={"GO": _steady_golf, "DS": _steady_double},
        pace="quick",
        warm_up=_warm_up,
    ),
    *(
        Entry(
            name=name,
            description=level.description,
            makers={"GO": partial(_level_golf, level=level), "DS": partial(_level_double, level=level)},
            pace=level.pace,
            warm_up=_warm_up,
        )
        for name, level in LEVELS.items()
    ),
    Entry(
        name="solver",
        description="Plays games out over shuffles of the cards it has not seen and does what is best on average.",
        makers={"GO": _solver_golf, "DS": _solver_double},
        warm_up=_warm_up,
    ),
    Entry(
        name="oracle",
        description="Is given the whole deal, and plays the best line: for benchmarks, and races whose code is open.",
        makers={"GO": _oracle_golf, "DS": _oracle_double},
        mode="oracle",
        warm_up=_warm_up,
    ),
)
ROSTER: Mapping[str, Entry] = {player.name: player for player in _ENTRIES}
"""The levels stand in rising order; `Entry.rating` tells how strong each is."""


class UnknownPlayer(ValueError):
    """A name that is not in the roster, or a game that its player does not play."""

    def __init__(self, name: str, game: str | None = None, games: Sequence[str] | None = None) -> None:
        self.name, self.game = name, game
        if game is None:
            super().__init__(f"expected one of {', '.join(ROSTER)}, found {name!r}: choose a name of `fairdeal bots`")
        else:
            plays = ", ".join(ROSTER[name].games if games is None else games)
            super().__init__(f"expected a game that {name} plays ({plays}), found {game}: choose another player")


def entry(name: str) -> Entry:
    """Return the player of that name. Raises UnknownPlayer."""
    try:
        return ROSTER[name]
    except KeyError:
        raise UnknownPlayer(name) from None


def new(
    name: str,
    *,
    rules: Rules,
    goal: Goal = "score",
    undo: Literal["free", "unrevealed", "none"] = "none",
    seed: int = 0,
    code: Code | None = None,
) -> Player:
    """Make a player for one game; an oracle needs the deal's code. Raises UnknownPlayer."""
    return entry(name).player(Seat(rules=rules, goal=goal, undo=undo, seed=seed, code=code))
