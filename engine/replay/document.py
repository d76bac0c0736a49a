"""What a replay file holds: a header that says what the race came to, and its whole log; and the JSON form of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import msgpack
import msgspec
from msgspec import Struct

from engine.learning import learn
from engine.log.entry import Body, Entry, Hash, LogError, pack_body, unpack_body
from engine.misfit import UNREADABLE
from engine.race.model import Race, code_of
from engine.race.views import standings_of

__all__ = [
    "FORMAT",
    "Header",
    "Replay",
    "ReplayError",
    "entry_of",
    "from_json",
    "header_of",
    "packed_parts",
    "read_parts",
    "replay_of",
    "to_json",
]

FORMAT: Final = 1
"""The version of the file's form that is written today."""
MAX_PART_BYTES: Final = 256 << 10
"""No header and no entry comes near it; what is longer is not unpacked: as objects it is fifty times as large."""


class ReplayError(ValueError):
    """A replay file that does not hold: the place of the first difference, and what is wrong there."""

    def __init__(self, place: str, fault: str) -> None:
        super().__init__(f"{place}: {fault}")
        self.place = place
        self.fault = fault


class Header(Struct, frozen=True, forbid_unknown_fields=True):
    """What the log comes to: everything here follows from the entries.

    `seats` are maps of seat, player, name, kind and engine; `standings` those of the command line.
    """

    format: int
    race: str
    rules: int
    card: dict[str, Any]
    code: str | None
    salt: str
    commitment: str | None
    kid: str
    seats: list[dict[str, Any]]
    standings: list[dict[str, Any]]


class Replay(Struct, frozen=True):
    """A header and all entries of its log, from seq 1."""

    header: Header
    entries: tuple[Entry, ...]


class _Written(Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as the document has it: its body packed, or in JSON as `[k, v, s, d]`."""

    seq: int
    h: str
    a: int
    l: str  # noqa: E741 - the name that the log gives it
    b: bytes | list[Any]


class _WrittenReplay(Struct, frozen=True, forbid_unknown_fields=True):
    header: Header
    entries: list[_Written]


learn(_WrittenReplay)


def header_of(race: Race) -> Header:
    """Return the header that belongs to a race which is closed."""
    code = race.code or code_of(race)
    return Header(
        format=FORMAT,
        race=race.id,
        rules=race.rules,
        card=_plain(race.card),
        code=None if code is None else str(code),
        salt="" if race.opening is None else race.opening.salt,
        commitment=race.commitment,
        kid=race.kid,
        seats=[
            {"seat": seat.seat, "player": seat.player, "name": seat.name, "kind": seat.kind, "engine": seat.engine}
            for _, seat in sorted(race.seats.items())
        ],
        standings=_plain(standings_of(race)),
    )


def replay_of(race: Race, entries: Sequence[Entry]) -> Replay:
    """Return the replay of a closed race, folded from exactly these entries. Raises ValueError for any other."""
    if not race.closed or race.seq != len(entries) or race.h != entries[-1].h:
        raise ValueError(f"expected a closed race and its whole log, found {race.id} at {race.cursor}")
    return Replay(header_of(race), tuple(entries))


def packed_parts(replay: Replay) -> list[bytes]:
    """Return the msgpack document in parts: up to the first entry, then entry by entry; together they are the whole."""
    packer = msgpack.Packer(autoreset=False)
    packer.pack_map_header(2)
    packer.pack("header")
    packer.pack(msgspec.to_builtins(replay.header))
    packer.pack("entries")
    packer.pack_array_header(len(replay.entries))
    return [packer.bytes(), *(msgpack.packb(_written(entry, entry.body)) for entry in replay.entries)]


def read_parts(document: bytes) -> tuple[Header, list[Entry], int | None, ReplayError | None]:
    """Read a msgpack document as far as it can be read.

    Returns its header, the entries before the first fault, how many entries it announces (None where that cannot be
    read either), and the fault, if there is one. Raises ReplayError where there is no header.
    """
    reader = msgpack.Unpacker(max_buffer_size=max(1, len(document)))
    reader.feed(document)
    place, entries, count = "header", list[Entry](), None
    header = None
    try:
        keys = reader.read_map_header()
        named = _part(reader, document, place)
        _expect(keys == 2 and named == "header", place, "expected a document of header and entries")
        header = msgspec.convert(_part(reader, document, place), Header)
        place = "entries"
        _expect(_part(reader, document, place) == "entries", place, "expected the entries after the header")
        count = reader.read_array_header()
        for seq in range(1, count + 1):
            place = f"entry {seq}"
            entries.append(entry_of(msgspec.convert(_part(reader, document, place), _Written), seq))
        place = "end"
        _expect(reader.tell() == len(document), place, "expected nothing after the last entry, found more")
    except (ValueError, TypeError, RecursionError, msgpack.UnpackException) as error:
        fault = error if isinstance(error, ReplayError) else ReplayError(place, f"cannot be read: {_sentence(error)}")
        if header is None:
            raise fault from None
        return header, entries, count, fault
    return header, entries, count, None


def _part(reader: msgpack.Unpacker, document: bytes, place: str) -> Any:
    """Unpack what stands next, once it is known to be short."""
    start = reader.tell()
    reader.skip()
    end = reader.tell()
    _expect(end - start <= MAX_PART_BYTES, place, f"expected at most {MAX_PART_BYTES} bytes, found {end - start}")
    return msgpack.unpackb(document[start:end])


def to_json(replay: Replay) -> bytes:
    """Return the JSON form: the same document, with each body as `[k, v, s, d]`; the inverse of `from_json`."""
    entries = []
    for entry in replay.entries:
        body = unpack_body(entry.body, entry.seq)
        entries.append(_written(entry, [body.k, body.v, body.s, body.d]))
    return msgspec.json.encode({"header": replay.header, "entries": entries})


def from_json(text: bytes) -> Replay:
    """Read the JSON form. Raises ReplayError."""
    try:
        read = msgspec.json.decode(text, type=_WrittenReplay)
    except UNREADABLE as error:
        raise ReplayError("file", f"expected the JSON form of a replay: {_sentence(error)}") from None
    return Replay(read.header, tuple(entry_of(entry, seq) for seq, entry in enumerate(read.entries, 1)))


def entry_of(written: _Written, seq: int) -> Entry:
    """Return the entry that the document has in this place. Raises ReplayError."""
    body = written.b
    if isinstance(body, list):
        try:
            k, v, s, d = body
            body = pack_body(Body(k, v, s, d))
            unpack_body(body, seq)
        except (LogError, ValueError, TypeError, AttributeError, OverflowError) as error:
            raise ReplayError(f"entry {seq}.b", f"expected a body of kind, version, seat and data: {error}") from None
    return Entry(written.seq, Hash(written.h), written.a, written.l, body)


def _written(entry: Entry, body: bytes | list[object]) -> dict[str, object]:
    return {"seq": entry.seq, "h": entry.h, "a": entry.at, "l": entry.lane, "b": body}


def _plain(value: object) -> Any:
    """Return a value as JSON would bring it back: a tuple is a list in a file."""
    return msgspec.json.decode(msgspec.json.encode(value))


def _expect(holds: bool, place: str, fault: str) -> None:
    if not holds:
        raise ReplayError(place, fault)


def _sentence(error: Exception) -> str:
    return "it ends too early" if isinstance(error, msgpack.OutOfData) else str(error) or type(error).__name__
