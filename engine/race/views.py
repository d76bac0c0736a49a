"""What a viewer may see of a race, made before anything is encoded (protocol.md, "Fair view")."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.race.card import Watch
from engine.race.events import (
    Absent,
    Back,
    Created,
    Event,
    Finished,
    Hinted,
    Joined,
    Kept,
    Left,
    Played,
    Started,
    Undone,
    Voided,
)
from engine.race.model import Numbers, Race, Seat
from engine.race.series import series_of
from engine.race.standings import standings
from engine.wire.outbound import Ev, Eval, MySeat, Progress, SeatEval, SeatNumbers, SeatView, Skip, Snap, SnapReason

__all__ = [
    "PUBLIC",
    "Role",
    "Viewer",
    "card_for",
    "ev_for",
    "eval_for",
    "missed",
    "numbers_for",
    "progress_for",
    "sees_board",
    "sees_evals",
    "snap_for",
    "standings_of",
]


class Role(StrEnum):
    """In which capacity somebody looks at a race."""

    SEAT = "seat"
    WATCH = "watch"
    PUBLIC = "public"


class Viewer(Struct, frozen=True):
    """Who looks: a seat (with its number), a spectator, or anybody. `boards` adds whole boards to `ev`."""

    role: Role
    seat: int | None = None
    boards: bool = False


PUBLIC = Viewer(Role.PUBLIC)
"""Somebody of whom nothing is known: sees numbers only until the end."""


# Asked for by each event and viewer: a member is looked up in its enum ten times as slowly (Python 3.11).
_SEAT: Final = Role.SEAT
_WATCH: Final = Role.WATCH
_BOARDS: Final = Watch.BOARDS


def sees_board(race: Race, seat: int, viewer: Viewer) -> bool:
    """Tell whether the viewer may see the cards of a seat now: its own, all at the end, else by the watch setting."""
    if race.closed:
        return True
    if viewer.role is _SEAT:
        return viewer.seat == seat
    return viewer.role is _WATCH and race.card is not None and race.card.watch is _BOARDS


def sees_evals(race: Race, viewer: Viewer) -> bool:
    """Tell whether the viewer may be told now what solvers make of the boards: a spectator who sees them, unsealed.

    What a solver knows of the stock must reach nobody who plays. A seat is never told, and of a sealed race nobody
    before its end. A race that is told late is the one that its spectators see, so what is made of it is late too.
    """
    card = race.card
    if card is None or card.sealed or race.start_at is None or race.ended:
        return False
    return viewer.role is _WATCH and card.watch is _BOARDS


def eval_for(race: Race, viewer: Viewer, seq: int, seats: tuple[SeatEval, ...]) -> Eval | None:
    """Return what solvers made of the boards at `seq`, or None where the viewer may not know or nothing is known."""
    return Eval(race.id, seq, seats) if seats and sees_evals(race, viewer) else None


def numbers_for(race: Race, seat: Seat, viewer: Viewer) -> SeatNumbers:
    """Return what the viewer may know of a seat in numbers; of a sealed race only what is shown now and then."""
    sealed = race.card is not None and race.card.sealed and not race.closed
    if not sealed or sees_board(race, seat.seat, viewer):
        now = seat.numbers
        return SeatNumbers(seat.seat, now.cleared, now.status.value, seat.present, now.score, now.moves)
    shown: Numbers = seat.shown or seat.numbers
    return SeatNumbers(seat.seat, shown.cleared, shown.status.value, seat.present)


def progress_for(race: Race, viewer: Viewer) -> Progress:
    """Return the numbers of all seats but the viewer's own."""
    others = tuple(numbers_for(race, seat, viewer) for seat in _seats(race) if seat.seat != viewer.seat)
    return Progress(race.id, race.at, others)


def card_for(race: Race, now: int) -> dict[str, Any]:
    """Return the race card, with the code where it is public: named, or drawn and `start_at` reached, or at the end."""
    card: dict[str, Any] = msgspec.to_builtins(race.card)
    if race.code is not None and (
        race.closed or (not _sealed(race) and race.start_at is not None and now >= race.start_at)
    ):
        card["code"] = str(race.code)
    return {key: value for key, value in card.items() if value is not None}


def snap_for(race: Race, viewer: Viewer, now: int, reason: SnapReason) -> Snap:
    """Return the race as it stands at its seq, for this viewer, at `now` (ms)."""
    dealt = race.start_at is not None and now >= race.start_at
    ranks = {standing.seat: standing.rank for standing in standings(race)} if race.closed else {}
    return Snap(
        race=race.id,
        seq=race.seq,
        hash=race.h,
        at=race.at,
        card=card_for(race, now),
        status=race.status(now).value,
        seats=tuple(_seat_view(race, seat, viewer, dealt, ranks.get(seat.seat)) for seat in _seats(race)),
        reason=reason,
        creator=race.creator,
        start_at=race.start_at,
        deadline=race.deadline,
        my=_my_seat(race, viewer, dealt),
        commitment=race.commitment,
        standings=standings_of(race) if race.closed else None,
        salt=race.opening.salt if race.closed and race.opening is not None else None,
        previous=None if race.chain is None else race.chain.previous,
        series=series_of(race),
        kept=tuple(_kept_view(race.kept[number]) for number in sorted(race.kept)) if _open(race) else (),
        sealed_until=race.sealed_until,
        private=race.private and _open(race),
        voided=_voided_view(race),
    )


def _seats(race: Race) -> list[Seat]:
    return [race.seats[number] for number in sorted(race.seats)]


def _sealed(race: Race) -> bool:
    return race.card is not None and race.card.sealed


def _seat_view(race: Race, seat: Seat, viewer: Viewer, dealt: bool, rank: int | None) -> SeatView:
    numbers = numbers_for(race, seat, viewer)
    own = viewer.role is Role.SEAT and viewer.seat == seat.seat
    shows = dealt and not own and seat.solo is not None and sees_board(race, seat.seat, viewer)
    return SeatView(
        seat=seat.seat,
        player=seat.player,
        name=seat.name,
        kind=seat.kind,
        status=numbers.status,
        ready=seat.ready,
        present=seat.present,
        cleared=numbers.cleared,
        engine=seat.engine,
        score=numbers.score,
        moves=numbers.moves,
        rank=rank,
        board=seat.solo.position() if shows and seat.solo is not None else None,
    )


def _open(race: Race) -> bool:
    return not race.started and not race.ended


def _kept_view(kept: Kept) -> dict[str, Any]:
    return {"seat": kept.seat, "player": kept.player, "name": kept.name, "kind": kept.kind}


def _voided_view(race: Race) -> dict[str, Any] | None:
    if race.voided is None:
        return None
    by: dict[str, Any] = msgspec.to_builtins(race.leaver) or {}
    view = {"reason": race.voided.value, "why": by.pop("reason", None), "by": by}
    return {key: value for key, value in view.items() if value}


def _my_seat(race: Race, viewer: Viewer, dealt: bool) -> MySeat | None:
    if viewer.role is not Role.SEAT or viewer.seat is None or viewer.seat not in race.seats:
        return None
    seat = race.seats[viewer.seat]
    board = seat.solo.position() if dealt and seat.solo is not None else None
    hint = seat.hint if seat.hint_at == seat.lane else None
    return MySeat(seat.seat, seat.lane, seat.status.value, board, hint, race.practice)


def standings_of(race: Race) -> tuple[dict[str, Any], ...]:
    """Return the standings as the wire and the command line show them."""
    return tuple(
        {key: value for key, value in msgspec.to_builtins(standing).items() if value is not None}
        for standing in standings(race)
    )


def ev_for(before: Race, event: Event, after: Race, viewer: Viewer) -> Ev | None:
    """Return an event as the viewer may see it, or None when it is hidden (a `skip`).

    What a seat still sent when the race had ended counts for nothing and is shown to nobody.
    It depends on the log and the viewer alone, never on when it is told, so that what was shown can be checked later.
    """
    seat = event.seat
    if before.over_at is not None and seat is not None:
        return None
    if type(event) is Played or type(event) is Undone:
        # Nearly all are told to the seat itself, which sees its board.
        if viewer.seat != seat and not sees_board(before, event.seat, viewer):
            return None
        data = _operation(event, after.seats[event.seat], viewer)
    elif type(event) is Hinted and not sees_board(before, event.seat, viewer):
        return None
    else:
        data = _public_data(event, after)
    return Ev(after.id, after.seq, after.at, after.h, event.KIND, seat, data)


def _public_data(event: Event, after: Race) -> dict[str, Any]:
    """Return the data of an event that hides no card, without what must wait: the deal of a race that starts."""
    match event:
        case Created():
            return {"card": card_for(after, after.at), "creator": event.creator, "commitment": event.commitment}
        case Started():
            return {"start_at": after.start_at, "deadline": after.deadline}
        case Finished():
            return {
                "reason": event.reason.value,
                "code": event.code,
                "salt": event.salt,
                "standings": list(standings_of(after)),
            }
        case Joined():
            data: dict[str, Any] = msgspec.to_builtins(event)
            return {key: data[key] for key in ("player", "name", "kind", "engine") if data[key] is not None}
        case Left():
            return {} if event.reason is None else {"reason": event.reason.value}
        case Absent() | Back():
            return {}
        case Voided():
            return {"reason": event.reason.value, "code": event.code, "salt": event.salt}
        case _:
            rest: dict[str, Any] = msgspec.to_builtins(event)
            rest.pop("seat", None)
            return rest


def _operation(event: Played | Undone, seat: Seat, viewer: Viewer) -> dict[str, Any]:
    """Return what the last operation of a seat did to its board, which the viewer sees."""
    solo = seat.solo
    if solo is None:
        return {"n": event.n}
    board = solo.board
    # In play, score and status are the board's: no property is asked.
    score, status = (board.score, board.status) if seat.end is None else (seat.score, seat.status)
    data = {
        "n": event.n,
        "m": event.m,
        "turned": seat.turned,
        "score": score,
        "moves": solo.moves,
        "status": str(status),
        "legal": board.legal(),
    }
    if viewer.boards:
        data["board"] = solo.position()
    return data


def missed(race_id: str, frames: Iterator[tuple[Ev | None, int, str]]) -> Iterator[Ev | Skip]:
    """Join hidden events into `skip`s: from (event or None, seq, hash) of each entry, in order."""
    hidden: tuple[int, int, str] | None = None
    for ev, seq, h in frames:
        if ev is None:
            hidden = (hidden[0] if hidden else seq, seq, h)
            continue
        if hidden:
            yield Skip(race_id, *hidden)
            hidden = None
        yield ev
    if hidden:
        yield Skip(race_id, *hidden)
