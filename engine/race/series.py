"""Races that follow one another: what a series has come to, and the race after this one (protocol.md, "series")."""

from __future__ import annotations

from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.codes import parse_game
from engine.race.card import GHOST, Goal, RaceCard
from engine.race.events import Chain, Kept, Ran
from engine.race.model import Race, Seat, SeatStatus
from engine.race.standings import standings

__all__ = ["PAR", "Successor", "ran", "series_of", "successor"]

PAR: Final = 5
"""Strokes that a good player needs for a deal of Golf: 45 for nine."""


class Successor(Struct, frozen=True):
    """The terms of the race that follows, whose seats it keeps, and its place."""

    card: RaceCard
    creator: str
    kept: tuple[Kept, ...]
    chain: Chain


def successor(race: Race) -> Successor:
    """Return the race after one that is over: the next of its series, or a rematch. Both are on a new deal.

    A rematch is not rated, since the server has not paired it. Raises ValueError for a race without a card.
    """
    if race.card is None:
        raise ValueError(f"expected a race that was created, found {race.id}")
    if race.goes_on:
        kept = tuple(map(_kept, race.seats.values()))
        return Successor(_next_card(race.card), race.creator, kept, Chain(race.id, race.leg + 1, ran(race)))
    # The bots of the card are asked for anew, and come as other players.
    comes_anew = bool(race.card.bots)
    kept = tuple(_kept(seat) for seat in race.seats.values() if not (comes_anew and seat.kind == "bot"))
    return Successor(_next_card(race.card), race.creator, kept, Chain(race.id))


def _kept(seat: Seat) -> Kept:
    return Kept(seat.seat, seat.player, seat.name, seat.kind, seat.engine)


def _next_card(card: RaceCard) -> RaceCard:
    if any(wish.bot.startswith(GHOST) for wish in card.bots):
        return card  # A ghost has only its own deal.
    game, _, rules = parse_game(card.game)
    return msgspec.structs.replace(card, game=f"{game}1-{rules}", code=None, rated=False)


def ran(race: Race) -> tuple[Ran, ...]:
    """Return what each seat has come to in its series, this race included once it has been finished."""
    before = {one.seat: one for one in race.chain.so_far} if race.chain is not None else {}
    if not race.closed or race.voided is not None:
        return tuple(before[seat] for seat in sorted(before))
    sums = []
    for one in standings(race):
        old = before.get(one.seat, Ran(one.seat))
        cleared = one.status is SeatStatus.WON
        sums.append(
            Ran(
                one.seat,
                old.strokes + one.strokes,
                old.score + one.score,
                old.moves + (one.moves if cleared else 0),
                old.won + (one.rank == 1),
                old.cleared + cleared,
            )
        )
    return tuple(sorted(sums, key=lambda one: one.seat))


def _key(goal: Goal, one: Ran) -> tuple[int, ...]:
    """Return what sorts a seat over the series: lower is better."""
    match goal:
        case Goal.STROKES:
            return (one.strokes,)
        case Goal.SCORE:
            return (-one.score,)
        case Goal.FIRST:
            return (-one.won, -one.score)
        case Goal.MOVES:
            return (-one.cleared, one.moves, -one.score)


def series_of(race: Race) -> dict[str, Any] | None:
    """Return a series as it stands: place and length, par by strokes in Golf, and the totals from first to last.

    What is equal shares its rank. None for a race that stands alone.
    """
    card = race.card
    if card is None or card.series == 1:
        return None
    sums = sorted(ran(race), key=lambda one: (_key(card.goal, one), one.seat))
    keys = [_key(card.goal, one) for one in sums]
    finished = race.leg if race.closed and race.voided is None else race.leg - 1
    par = {"par": PAR * finished} if card.goal is Goal.STROKES and card.game.startswith("GO") else {}
    totals = [
        {"rank": keys.index(key) + 1, **_named(race.seats.get(one.seat)), **msgspec.to_builtins(one)}
        for key, one in zip(keys, sums, strict=True)
    ]
    return {"leg": race.leg, "of": card.series, "finished": finished, **par, "totals": totals}


def _named(seat: Seat | None) -> dict[str, Any]:
    return {} if seat is None else {"player": seat.player, "name": seat.name, "kind": seat.kind}
