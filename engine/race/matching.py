"""Who races whom in quick races: by game and rating, wider the longer somebody waits. Nothing but values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from engine.codes import DEFAULT_GAMES, parse_game, shortened
from engine.game import GAMES
from engine.race.card import Goal, RaceCard, Watch, raced_under
from engine.race.events import Kept, PlayerKind
from engine.solo import UndoPolicy

__all__ = ["Pool", "Terms", "Ticket", "card_of", "kept_of", "may_meet", "pairs", "pool_asked_for", "window"]

LOOKED_AT: Final = 400
"""Of one pool so many tickets are paired in one go, those that wait longest."""


class Terms(Struct, frozen=True):
    """How far apart ratings may be at first, how much further with each second, and when bots will do (ms)."""

    window: int
    widen_per_s: int
    bot_after_ms: int


class Pool(Struct, frozen=True):
    """What somebody waits for; only those who wait for the same are paired."""

    game: str
    goal: Goal
    rated: bool

    def __str__(self) -> str:
        """Return its name."""
        return f"{self.game}:{self.goal.value}:{'rated' if self.rated else 'open'}"


def pool_asked_for(game: str, goal: str | None, rated: bool) -> Pool:
    """Read what somebody wants to race: `GO` and `GO1-N` are read as `GO1-E`. Raises CodeError, ValueError."""
    named = game.strip().upper()
    letters, version, rules = parse_game(DEFAULT_GAMES.get(named, named))
    if version != 1:
        raise ValueError(f"game: expected {letters}1 with its rules, found {shortened(game)}")
    if goal is not None and goal not in tuple(Goal):
        raise ValueError(f"goal: expected one of {', '.join(Goal)}, found {shortened(goal)}")
    wanted = Goal(goal or Goal.SCORE)
    return Pool(f"{letters}{version}-{raced_under(rules, wanted)}", wanted, rated)


class Ticket(Struct, frozen=True):
    """Somebody who waits since a time (ms of Redis's clock); `address` stands for where from, and is no address."""

    player: str
    name: str
    kind: PlayerKind
    engine: str | None
    pool: Pool
    rating: int
    address: str
    since: int = 0

    @property
    def id(self) -> str:
        """One per player and pool, so that asking twice is waiting once."""
        return f"{self.player}:{self.pool}"


def window(ticket: Ticket, now: int, terms: Terms) -> int:
    """Return how far from its own rating a ticket takes an opponent at `now` (ms)."""
    return terms.window + terms.widen_per_s * max(0, now - ticket.since) // 1000


def may_meet(one: Ticket, other: Ticket, now: int, terms: Terms) -> bool:
    """Tell whether two who wait may race each other at `now` (ms): both have to be content with the difference.

    A rated race is not between connections of one address. A person meets somebody's bot only after waiting as long
    as for one of ours.
    """
    if one.pool != other.pool or one.player == other.player:
        return False
    if one.pool.rated and one.address == other.address:
        return False
    if one.kind != other.kind:
        person = one if one.kind == "person" else other
        if now - person.since < terms.bot_after_ms:
            return False
    return abs(one.rating - other.rating) <= min(window(one, now, terms), window(other, now, terms))


def pairs(tickets: Sequence[Ticket], now: int, terms: Terms) -> list[tuple[Ticket, Ticket]]:
    """Return who is to race whom at `now` (ms): whoever waits longest chooses first, and chooses the nearest rating.

    The same for the same tickets in any order.
    """
    found: list[tuple[Ticket, Ticket]] = []
    by_pool: dict[Pool, list[Ticket]] = {}
    for ticket in sorted(tickets, key=lambda ticket: (ticket.since, ticket.id)):
        by_pool.setdefault(ticket.pool, []).append(ticket)
    for waiting in by_pool.values():
        left = dict.fromkeys(waiting[:LOOKED_AT])
        while len(left) > 1:
            one = next(iter(left))
            del left[one]
            others = [other for other in left if may_meet(one, other, now, terms)]
            if others:
                other = min(others, key=lambda other: abs(one.rating - other.rating))
                del left[other]
                found.append((one, other))
    return found


def card_of(pool: Pool) -> RaceCard:
    """Return the terms of a quick race; a rated one is sealed, and nothing that turned up a card is undone."""
    limit_s = GAMES[pool.game[:2]].time_limit_s
    if not pool.rated:
        return RaceCard(pool.game, goal=pool.goal, time_limit_s=limit_s)
    return RaceCard(
        pool.game,
        goal=pool.goal,
        time_limit_s=limit_s,
        undo=UndoPolicy.UNREVEALED,
        sealed=True,
        rated=True,
        watch=Watch.NUMBERS,
    )


def kept_of(*tickets: Ticket) -> tuple[Kept, ...]:
    """Return the seats that are kept for those who have been paired."""
    return tuple(
        Kept(seat, ticket.player, ticket.name, ticket.kind, ticket.engine) for seat, ticket in enumerate(tickets, 1)
    )
