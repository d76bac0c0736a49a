"""Verifying a replay file offline: checksum, commitment, chain, the engine's own fold, and what was seen live."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.codes import CodeError, parse_code
from engine.log.chain import BrokenChain, check_chain, entry_mac, next_hash
from engine.log.entry import GENESIS, SHARED_LANE, Cursor, Entry, LogError
from engine.race.events import (
    Created,
    Event,
    Finished,
    FinishReason,
    Hinted,
    Played,
    Recovered,
    Resigned,
    SeatDone,
    Undone,
    Voided,
)
from engine.race.evolve import event_in, step
from engine.race.model import Opening, Race
from engine.replay.difference import difference
from engine.replay.document import FORMAT, Header, Replay, ReplayError, header_of, read_parts
from engine.replay.file import CHECKSUM_BYTES, inflate, read_replay, write_replay
from engine.replay.seen import Step, check_seen
from engine.secrets import commitment

__all__ = ["Verdict", "followed", "verify", "verify_replay"]

LANE_EVENTS: Final = (Played, Undone, Hinted, SeatDone, Resigned)
"""What stands in its seat's lane, and happens between the start and the deadline only."""


class Verdict(Struct, frozen=True, omit_defaults=True):
    """Whether a replay file holds; if not, the place of the first difference and what is wrong there.

    `entries` and `frames` count what was found to be in order.
    """

    ok: bool
    race: str | None = None
    code: str | None = None
    entries: int = 0
    frames: int = 0
    standings: list[dict[str, Any]] | None = None
    place: str | None = None
    fault: str | None = None


def verify(data: bytes, seen: Iterable[bytes] | None = None) -> Verdict:
    """Check a replay file and, if given, what a client received live (JSON lines) against it. It never raises.

    Where the checksum does not hold, what can be read is checked all the same to name the place.
    """
    try:
        replay = read_replay(data)
    except ReplayError as error:
        found = _damage(data) if error.place == "checksum" else error
        return Verdict(False, place=found.place, fault=found.fault)
    return verify_replay(replay, seen)


def verify_replay(replay: Replay, seen: Iterable[bytes] | None = None) -> Verdict:
    """Check a replay that has been read, from either form."""
    header = replay.header
    try:
        steps = followed(header, replay.entries)
        _check_end(header, steps)
        frames = 0 if seen is None else check_seen(header, steps, seen)
    except ReplayError as error:
        return Verdict(False, header.race, header.code, place=error.place, fault=error.fault)
    return Verdict(True, header.race, header.code, len(steps), frames, header.standings)


class _HeaderSecrets:
    """A race's secrets as the header of its replay opens them."""

    def __init__(self, header: Header) -> None:
        self._header = header

    def opening(self, created: Created) -> Opening:
        code = self._header.code
        return Opening(self._header.salt, None if code is None else parse_code(code).number)


def followed(header: Header, entries: Sequence[Entry]) -> list[Step]:
    """Return the race step by step: chain, opening, fold, lanes and times are checked. Raises ReplayError."""
    if header.format != FORMAT:
        raise ReplayError("header.format", f"expected {FORMAT}, found {header.format}")
    _check_chain(header, entries)
    _check_opening(header, entries)
    race = Race(header.race)
    secrets = _HeaderSecrets(header)
    steps: list[Step] = []
    for entry in entries:
        place = f"entry {entry.seq}"
        try:
            event, after = step(race, entry, secrets)
        except LogError as error:
            raise ReplayError(f"{place}.b", error.fault) from None
        _check_place(race, event, entry)
        steps.append(Step(race, event, after))
        race = after
    return steps


def _check_chain(header: Header, entries: Sequence[Entry]) -> None:
    try:
        salt = bytes.fromhex(header.salt)
    except ValueError:
        raise ReplayError("header.salt", f"expected 32 hex digits, found {header.salt!r}") from None
    try:
        check_chain(entries, salt)
    except BrokenChain as broken:
        raise ReplayError(_broken_part(broken.seq, header, entries, salt), broken.fault) from None


def _broken_part(seq: int, header: Header, entries: Sequence[Entry], salt: bytes) -> str:
    """Name the part that is at fault where the chain breaks, as well as the entries around it tell."""
    entry = entries[seq - 1]
    if entry.seq != seq:
        return f"entry {seq}.seq"
    before = entries[seq - 2] if seq > 1 else None
    if before is not None and entry.at < before.at:
        return f"entry {seq}.a"
    closing = _closing(entries)
    if seq == 1 and closing is not None and closing.salt != header.salt and _recomputes(None, entry, closing.salt):
        return "header.salt"
    computed = next_hash(GENESIS if before is None else before.h, entry.at, entry_mac(salt, entry.body))
    if seq < len(entries):
        # The next hash binds this one: where it follows from what was computed, what stands here is wrong.
        following = entries[seq]
        if following.h == next_hash(computed, following.at, entry_mac(salt, following.body)):
            return f"entry {seq}.h"
        if following.h == next_hash(entry.h, following.at, entry_mac(salt, following.body)):
            return f"entry {seq}.b"
    return f"entry {seq}"


def _recomputes(before: Cursor | None, entry: Entry, salt: str) -> bool:
    try:
        check_chain([entry], bytes.fromhex(salt), before)
    except ValueError:
        return False
    except BrokenChain:
        return False
    return True


def _closing(entries: Sequence[Entry]) -> Finished | Voided | None:
    """The event that closes the race, if it is there to be read."""
    for entry in reversed(entries):
        try:
            event = event_in(entry)
        except LogError:
            return None
        if isinstance(event, Finished | Voided):
            return event
        if not isinstance(event, Recovered):
            return None
    return None


def _check_opening(header: Header, entries: Sequence[Entry]) -> None:
    """Check code, salt and commitment of the header against each other and against what the log says of them."""
    if header.code is not None:
        _check_code(header.code)
    closing = _closing(entries)
    if closing is not None:
        for name, told, found in (("code", closing.code, header.code), ("salt", closing.salt, header.salt)):
            if told != found:
                raise ReplayError(f"header.{name}", f"expected {told} as the log says, found {found}")
    if entries:
        _check_commitment(header, entries[0])


def _check_code(code: str) -> None:
    try:
        canonical = str(parse_code(code))
    except CodeError as error:
        raise ReplayError("header.code", str(error)) from None
    if canonical != code:
        raise ReplayError("header.code", f"expected {canonical}, found {code}")


def _check_commitment(header: Header, first: Entry) -> None:
    try:
        created = event_in(first)
    except LogError as error:
        raise ReplayError("entry 1.b", error.fault) from None
    if not isinstance(created, Created):
        raise ReplayError("entry 1.b", f"expected {Created.KIND} first, found {created.KIND}")
    if created.race != header.race:
        raise ReplayError("header.race", f"expected {created.race} as the log says, found {header.race}")
    if created.commitment != header.commitment:
        raise ReplayError("header.commitment", f"expected {created.commitment}, found {header.commitment}")
    if created.card.sealed and header.code is not None:
        opened = commitment(header.race, header.code, bytes.fromhex(header.salt))
        if opened != header.commitment:
            raise ReplayError(
                "header.commitment",
                f"expected the commitment to race, code and salt, {opened}, found {header.commitment}",
            )


def _check_place(before: Race, event: Event, entry: Entry) -> None:
    """Check that an entry stands in its lane, in its time, and not after the end."""
    place = f"entry {entry.seq}"
    lane = str(event.seat) if isinstance(event, LANE_EVENTS) else SHARED_LANE
    if entry.lane != lane:
        raise ReplayError(f"{place}.l", f"expected lane {lane}, found {entry.lane}")
    if before.closed and not isinstance(event, Recovered):
        raise ReplayError(place, f"expected nothing after the end but a recovery, found {event.KIND}")
    earliest, end = 0, None
    if isinstance(event, LANE_EVENTS):
        earliest, end = before.start_at or 0, before.deadline
    elif isinstance(event, Finished) and event.reason is FinishReason.TIME:
        earliest = before.deadline or 0
    elif isinstance(event, Finished) and event.reason is FinishReason.GONE:
        earliest = before.gone_at or 0
    if entry.at < earliest or (end is not None and entry.at >= end):
        until = "" if end is None else f" and before {end}"
        raise ReplayError(f"{place}.a", f"expected a time from {earliest}{until}, found {entry.at}")


def _check_end(header: Header, steps: Sequence[Step]) -> None:
    """Check that the race is over and that the header says what it came to."""
    if not steps or not steps[-1].after.closed:
        raise ReplayError(f"entry {len(steps) + 1}", "expected the log to go on to the end of its race, found no more")
    try:
        expected = msgspec.to_builtins(header_of(steps[-1].after))
    except CodeError as error:  # Of a race that was never dealt nobody has read the card's code yet.
        raise ReplayError("entry 1.b", str(error)) from None
    differs = difference(expected, msgspec.to_builtins(header))
    if differs is not None:
        path, fault = differs
        raise ReplayError(f"header{path}", fault)


def _damage(data: bytes) -> ReplayError:
    """Name the first place where a file whose checksum does not hold differs from a whole one."""
    if len(data) <= CHECKSUM_BYTES:
        return ReplayError("file", f"expected a replay file, found {len(data)} bytes")
    inflated = inflate(data[:-CHECKSUM_BYTES])
    try:
        header, entries, _, fault = read_parts(inflated.document)
        steps = followed(header, entries)
        if fault is not None:
            raise fault
        _check_end(header, steps)
    except ReplayError as error:
        if inflated.broken_at is None:
            return error
        return ReplayError(error.place, f"{error.fault}; {_unreadable(inflated.broken_at)}")
    if inflated.broken_at is not None:
        return ReplayError(f"byte {inflated.broken_at}", _unreadable(inflated.broken_at))
    whole = write_replay(Replay(header, tuple(entries)))
    return ReplayError(
        _first_byte(whole, data),
        "expected the bytes that this race is written as, found others; the race itself is whole",
    )


def _unreadable(broken_at: int) -> str:
    return f"the file cannot be decompressed beyond byte {broken_at}"


def _first_byte(expected: bytes, found: bytes) -> str:
    for place, (one, other) in enumerate(zip(expected, found, strict=False)):
        if one != other:
            named = "checksum, " if place >= len(expected) - CHECKSUM_BYTES else ""
            return f"{named}byte {place}"
    return f"byte {min(len(expected), len(found))}"
