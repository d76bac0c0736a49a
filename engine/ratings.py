"""Ratings from finish orders (Weng and Lin 2011, Plackett–Luce): pools, who counts, and what one race changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Final

from msgspec import Struct
from openskill.models import PlackettLuce

from engine.codes import parse_game

__all__ = [
    "DAILY_MEETINGS",
    "PROVISIONAL_RACES",
    "Changes",
    "Group",
    "Met",
    "RatedRace",
    "Rating",
    "changes",
    "pair",
    "pool_name",
    "pools",
    "read_pool",
]

DAILY_MEETINGS: Final = 3
"""How often a pair counts on one day (UTC): friends cannot lift each other by racing all night."""
PROVISIONAL_RACES: Final = 10
"""Before so many races a rating is shown as provisional and has no place on the ladder."""
DAY_MS: Final = 86_400_000

_MODEL: Final = PlackettLuce()
_SHOWN_AT_FIRST: Final = 1500
_SHOWN_PER_MU: Final = 50
"""So that 400 points are odds of about 10 to 1, as with Elo: 400 / 50 = 8 = 1.33 × √2 × the model's beta of 25/6."""


class Group(StrEnum):
    """Whom a pool holds: people among themselves, bots among themselves, or both together."""

    PEOPLE = "people"
    BOTS = "bots"
    ALL = "all"


class Rating(Struct, frozen=True):
    """What is believed of a player's strength: normal with mean `mu` and deviation `sigma`, after so many races."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    races: int = 0

    @property
    def shown(self) -> int:
        """The rating as people see it: 1500 at first."""
        return round(_SHOWN_AT_FIRST + _SHOWN_PER_MU * (self.mu - _MODEL.mu))

    @property
    def provisional(self) -> bool:
        """True while too few races say anything."""
        return self.races < PROVISIONAL_RACES


class Met(Struct, frozen=True):
    """How often a pair has met on the day (in days of UTC since 1970) when it met last."""

    day: int
    times: int


class RatedRace(Struct, frozen=True):
    """A race that may count in a pool: when it ended (ms), its id, and the rank of each player who is rated there."""

    at: int
    rid: str
    ranks: dict[str, int]

    @property
    def day(self) -> int:
        """The day on which it ended, in days of UTC since 1970."""
        return self.at // DAY_MS

    @property
    def pairs(self) -> list[str]:
        """Every two of its players."""
        return [pair(one, other) for one, other in combinations(sorted(self.ranks), 2)]


class Changes(Struct, frozen=True):
    """What a race makes of the ratings of its players and of the meetings of its pairs."""

    ratings: dict[str, Rating]
    met: dict[str, Met]


def pair(one: str, other: str) -> str:
    """Return the name of two players together, whichever is named first."""
    return ":".join(sorted((one, other)))


def pool_name(game: str, group: Group = Group.ALL) -> str:
    """Return the pool of a game with its rules (`GO1-C`) and a group: `GO1-C-all`."""
    return f"{game}-{group.value}"


def read_pool(name: str) -> tuple[str, Group] | None:
    """Return game and group of a pool; None for what names none; the inverse of `pool_name`. Raises CodeError."""
    game, _, group = name.rpartition("-")
    if group not in set(Group):
        return None
    letters, version, rules = parse_game(game)
    return (game, Group(group)) if f"{letters}{version}-{rules}" == game else None


def pools(game: str, kinds: Mapping[str, str], ranks: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """Return the ranks that count in each pool, by pool; kinds (`person`, `bot`) and ranks are by player.

    Nobody is rated alone.
    """
    members = {
        Group.PEOPLE: [player for player in ranks if kinds[player] == "person"],
        Group.BOTS: [player for player in ranks if kinds[player] == "bot"],
        Group.ALL: list(ranks),
    }
    return {
        pool_name(game, group): {player: ranks[player] for player in sorted(players)}
        for group, players in members.items()
        if len(players) > 1
    }


def changes(race: RatedRace, known: Mapping[str, Rating], met: Mapping[str, Met]) -> Changes:
    """Return what a race changes, applied after all that ended before it (then by id).

    `known` has the ratings of players who have one, `met` the meetings of pairs that met before. A race of a pair that
    has met often enough on its day changes no ratings.
    """
    times = {
        name: found.times if (found := met.get(name)) is not None and found.day == race.day else 0
        for name in race.pairs
    }
    now_met = {name: Met(race.day, n + 1) for name, n in times.items()}
    if any(n >= DAILY_MEETINGS for n in times.values()):
        return Changes({}, now_met)
    players = sorted(race.ranks)
    before = [known.get(player, Rating()) for player in players]
    after = _rated(before, [race.ranks[player] for player in players])
    return Changes(dict(zip(players, after, strict=True)), now_met)


def _rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    teams = [[_MODEL.rating(mu=one.mu, sigma=one.sigma)] for one in before]
    rated = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma, one.races + 1) for team, one in zip(rated, before, strict=True)]
