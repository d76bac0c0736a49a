"""What an event makes of a race: `evolve(race, event) → race`, the only place where a race changes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Protocol, assert_never

import msgspec

from engine.log.entry import Entry, Hash, LogError, unpack_body
from engine.log.upcast import upcast
from engine.race.card import Goal, RaceCard
from engine.race.events import (
    RULES_VERSION,
    Absent,
    Back,
    Created,
    Event,
    Finished,
    FinishReason,
    Hinted,
    Joined,
    Left,
    Played,
    Readied,
    Recovered,
    Resigned,
    SeatDone,
    SeatEvent,
    Started,
    Undone,
    Unreadied,
    Voided,
    event_of,
)
from engine.race.model import SHOWN_EVERY, Leaver, Opening, Race, Seat, SeatEnd, code_of
from engine.race.playing import play
from engine.refusals import Reason, Status
from engine.solo import deal_out

__all__ = ["ImpossibleEvent", "Secrets", "event_in", "evolve", "fold", "opened", "step"]

replace = msgspec.structs.replace

RaceEvents = Created | Started | Finished | Voided | Recovered
_PLAYING: Final = Status.PLAYING
_ENDS_BY_TIME: Final = {FinishReason.TIME: SeatEnd.TIME, FinishReason.GONE: SeatEnd.GONE}


class ImpossibleEvent(ValueError):
    """An event that cannot have happened to this race: the log was not written by these rules."""


class Secrets(Protocol):
    """Where the fold learns a race's salt and sealed number (a key ring, or the header of a replay file)."""

    def opening(self, created: Created) -> Opening:
        """Return the secrets of a race that was created so."""


def event_in(entry: Entry) -> Event:
    """Return the event that an entry holds, lifted to today's version. Raises LogError."""
    body = upcast(unpack_body(entry.body, entry.seq), entry.seq)
    try:
        return event_of(body)
    except ValueError as error:
        raise LogError(entry.seq, str(error)) from error


def step(race: Race, entry: Entry, secrets: Secrets, event: Event | None = None) -> tuple[Event, Race]:
    """Return the next entry's event (read from it unless it is given) and the race after it. Raises LogError."""
    if event is None:
        event = event_in(entry)
    try:
        if race.opening is None:
            race = opened(race, event, secrets)
        return event, evolve(race, event, entry.at, entry.h)
    except ValueError as error:
        raise LogError(entry.seq, str(error)) from error


def opened(race: Race, event: Event, secrets: Secrets) -> Race:
    """Return the race with its secrets, which its first event names."""
    if race.opening is None and isinstance(event, Created):
        return replace(race, opening=secrets.opening(event))
    return race


def fold(race: Race, entries: Iterable[Entry], secrets: Secrets) -> Race:
    """Return the race after some more entries of its log. Raises LogError at the first that cannot be."""
    for entry in entries:
        _, race = step(race, entry, secrets)
    return race


def evolve(race: Race, event: Event, at: int, h: Hash) -> Race:
    """Return the race after an event at time `at` (ms) whose entry bears hash `h`.

    What seats do after the end changes nothing. Raises ImpossibleEvent.
    """
    # Most entries are moves: these are folded with one copy of the race, and asked for first.
    card = race.card
    if (type(event) is Played or type(event) is Undone) and card is not None and race.over_at is None:
        seats = race.seats.copy()
        seat = seats[event.seat] = _played(seats.get(event.seat), event, at, card.sealed)
        race = replace(race, seq=race.seq + 1, h=h, at=at, seats=seats)
        return race if seat.end is None else _over(race, at)
    if card is None and not isinstance(event, Created):
        raise ImpossibleEvent(f"expected race.created first, found {event.KIND}")
    if isinstance(event, SeatEvent):
        if race.ended:
            return replace(race, seq=race.seq + 1, h=h, at=at)
        return _seat_evolved(replace(race, seq=race.seq + 1, h=h, at=at), event, at)
    return _race_evolved(replace(race, seq=race.seq + 1, h=h, at=at), event, at)


def _race_evolved(race: Race, event: RaceEvents, at: int) -> Race:
    match event:
        case Created():
            return _created(race, event, at)
        case Started():
            return _started(race, event, at)
        case Finished():
            return _finished(race, event, at)
        case Voided():
            return _voided(race, event, at)
        case Recovered():
            return replace(race, recoveries=race.recoveries + 1)
        case _:
            assert_never(event)


def _created(race: Race, event: Created, at: int) -> Race:
    if race.card is not None:
        raise ImpossibleEvent("expected one race.created only, found another")
    if event.race != race.id:
        raise ImpossibleEvent(f"expected the log of race {race.id}, found that of {event.race}")
    if event.rules != RULES_VERSION:
        # Under other rules the same moves come to something else, and nobody would see it.
        raise ImpossibleEvent(f"expected rules of version {RULES_VERSION}, found version {event.rules}")
    return replace(
        race,
        card=event.card,
        creator=event.creator,
        nonce=event.nonce,
        kid=event.kid,
        rules=event.rules,
        commitment=event.commitment,
        gone_after_ms=event.gone_after_ms,
        no_show_ms=event.no_show_ms,
        chain=event.chain,
        challenge=bool(event.kept and event.creator) and event.chain is None,
        kept={kept.seat: kept for kept in event.kept},
        daily=event.daily,
        created_at=at,
    )


def _card(race: Race) -> RaceCard:
    if race.card is None:
        raise ImpossibleEvent("expected a race that was created")
    return race.card


def _started(race: Race, event: Started, at: int) -> Race:
    if race.started or race.ended or not race.seats:
        raise ImpossibleEvent("expected an open race with seats, found race.started")
    code = code_of(race, event.number)
    if code is None:
        raise ImpossibleEvent("expected the number of the deal, found none")
    start_at = at + event.delay_ms
    card = _card(race)
    deadline = start_at + card.time_limit_s * 1000
    if race.sealed_until is not None:
        deadline = min(deadline, race.sealed_until)
    solo = deal_out(code, card.undo)
    seats = {}
    for number, seat in race.seats.items():
        dealt = replace(seat, solo=solo, scored_at=start_at)
        seats[number] = replace(dealt, shown=dealt.numbers)
    return replace(race, code=code, start_at=start_at, deadline=deadline, seats=seats)


def _finished(race: Race, event: Finished, at: int) -> Race:
    if race.closed or event.code != str(race.code):
        raise ImpossibleEvent(f"expected the end of a race on {race.code} that is not closed, found {event.code}")
    if race.over is not None:
        if event.reason is not race.over:
            raise ImpossibleEvent(f"expected a race that ended by {race.over}, found {event.reason}")
        return replace(race, closed=True)
    if event.reason not in _ENDS_BY_TIME:
        raise ImpossibleEvent(f"expected a race whose seats have ended, found some in play and {event.reason}")
    end = _ENDS_BY_TIME[event.reason]
    seats = {number: _ended(seat, end, at) for number, seat in race.seats.items()}
    return replace(race, seats=seats, over=event.reason, over_at=at, over_seq=race.seq, closed=True)


def _voided(race: Race, event: Voided, at: int) -> Race:
    if race.closed:
        raise ImpossibleEvent("expected a race that is not closed, found race.voided")
    if race.over is not None:
        return replace(race, voided=event.reason, closed=True)
    return replace(race, voided=event.reason, over_at=at, over_seq=race.seq, closed=True)


def _ended(seat: Seat, end: SeatEnd, at: int) -> Seat:
    """End a seat unless it has ended before; its last numbers are shown."""
    if seat.end is not None:
        return seat
    ended = replace(seat, end=end, ended_at=at)
    return replace(ended, shown=ended.numbers)


def _seat_evolved(race: Race, event: SeatEvent, at: int) -> Race:
    if isinstance(event, Joined):
        return _joined(race, event, at)
    if isinstance(event, Left) and race.challenge:
        race = replace(race, leaver=_leaver(race, event))
    if isinstance(event, Left) and event.seat in race.kept:
        return replace(race, kept={number: kept for number, kept in race.kept.items() if number != event.seat})
    seat = _taken(race, event)
    match event:
        case SeatDone():
            return _over(_with(race, _ended(_in_play(seat), SeatEnd.DONE, at)), at)
        case Resigned():
            return _over(_with(race, _ended(_in_play(seat), SeatEnd.RESIGNED, at)), at)
        case Hinted():
            return _with(race, _hinted(_in_play(seat), event))
        case Absent():
            if seat.connection != event.connection:
                raise ImpossibleEvent(f"expected the connection that holds seat {event.seat}, found another")
            return _with(race, replace(seat, connection=0, absent_since=at))
        case Back():
            return _with(race, replace(seat, connection=event.connection))
        case _:
            return _before_start(race, seat, event, at)


def _leaver(race: Race, event: Left) -> Leaver:
    one = race.kept.get(event.seat) or _taken(race, event)
    return Leaver(one.seat, one.player, one.name, one.kind, event.reason)


def _taken(race: Race, event: SeatEvent) -> Seat:
    seat = race.seats.get(event.seat)
    if seat is None:
        raise _free(event)
    return seat


def _free(event: SeatEvent) -> ImpossibleEvent:
    return ImpossibleEvent(f"expected a seat that is taken, found seat {event.seat}")


def _before_start(race: Race, seat: Seat, event: SeatEvent, at: int) -> Race:
    if race.started:
        raise ImpossibleEvent(f"expected a race that has not started, found {event.KIND}")
    match event:
        case Readied():
            return _with(race, replace(seat, ready=True, ready_at=at))
        case Unreadied():
            return _with(race, replace(seat, ready=False))
        case Left():
            others = {number: other for number, other in race.seats.items() if other is not seat}
            return replace(race, seats=others, bots_left=race.bots_left + (seat.kind == "bot"))
        case _:
            raise ImpossibleEvent(f"expected an event of a seat, found {event.KIND}")


def _joined(race: Race, event: Joined, at: int) -> Race:
    if race.started or event.seat in race.seats or not 1 <= event.seat <= _card(race).seats:
        raise ImpossibleEvent(f"expected a free seat of a race that has not started, found seat {event.seat}")
    kept = race.kept.get(event.seat)
    if kept is not None:
        if kept.player != event.player:
            raise ImpossibleEvent(f"expected the player for whom seat {event.seat} is kept, found another")
        race = replace(race, kept={number: other for number, other in race.kept.items() if other is not kept})
    seat = Seat(event.seat, event.player, event.name, event.kind, event.engine, event.connection, joined_at=at)
    return _with(race, seat)


def _hinted(seat: Seat, event: Hinted) -> Seat:
    if event.n != seat.lane:
        raise ImpossibleEvent(f"expected a hint after operation {seat.lane}, found one after {event.n}")
    return replace(seat, hint=event.m, hint_at=event.n, hints=seat.hints + 1)


def _with(race: Race, seat: Seat) -> Race:
    return replace(race, seats={**race.seats, seat.seat: seat})


def _in_play(seat: Seat) -> Seat:
    if seat.solo is None or seat.end is not None:
        raise ImpossibleEvent(f"expected seat {seat.seat} to be in play")
    return seat


def _played(seat: Seat | None, event: Played | Undone, at: int, sealed: bool) -> Seat:
    """Return the seat after one more operation; it ends when it wins, or is stuck with nothing to take back."""
    if seat is None:
        raise _free(event)
    before, operations, word = seat.solo, seat.operations, event.m
    if before is None or seat.end is not None or event.n != operations.count + 1:
        raise ImpossibleEvent(f"expected operation {seat.lane + 1} of a seat in play, found {event.n}")
    played = play(before, word)
    if type(played) is Reason:
        raise ImpossibleEvent(f"expected a move that can be played, found {word!r}: {played.value}")
    solo, was = played.solo, before.board
    board = solo.board
    # While a game is in play, what it has earned is its score.
    same = board.score == was.score if board.status is was.status else board.earned == was.earned
    scored_at = seat.scored_at if same else at
    seat = replace(seat, solo=solo, operations=operations.then(word), turned=played.turned, scored_at=scored_at)
    if board.status is not _PLAYING:
        if board.status is Status.WON:
            return _ended(seat, SeatEnd.WON, at)
        if not solo.undoable:
            return _ended(seat, SeatEnd.DONE, at)
    return replace(seat, shown=seat.numbers) if sealed and event.n % SHOWN_EVERY == 0 else seat


def _over(race: Race, at: int) -> Race:
    """End the race at the entry that ends it: the first clear under goal `first`, or the last seat."""
    if _card(race).goal is Goal.FIRST and any(seat.end is SeatEnd.WON for seat in race.seats.values()):
        seats = {number: _ended(seat, SeatEnd.DONE, at) for number, seat in race.seats.items()}
        return replace(race, seats=seats, over=FinishReason.FIRST, over_at=at, over_seq=race.seq)
    if all(seat.end is not None for seat in race.seats.values()):
        return replace(race, over=FinishReason.ALL, over_at=at, over_seq=race.seq)
    return race
