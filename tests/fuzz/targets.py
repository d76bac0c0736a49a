"""The readers of what comes from outside, each with what it may refuse with and good inputs to spoil."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from bots.external.messages import BadLine, read_line
from engine.codes import CodeError, deal, parse_code
from engine.layout import LayOutError, parse_lay_out
from engine.log.entry import LogError, unpack_body
from engine.names import look, shown_name
from engine.race.card import RaceCardError, read_card
from engine.record import parse_record, position_after
from engine.replay.document import ReplayError, from_json, to_json
from engine.replay.file import read_replay
from engine.replay.verify import verify
from engine.wire.codec import BadFrame, Subprotocol, decode_inbound, decode_outbound, encode

__all__ = ["CORPUS", "TARGETS", "Target"]

GOLDEN = Path(__file__).parents[1] / "golden"
CORPUS = Path(__file__).parent / "corpus"
"""A folder a target: inputs that were once answered wrongly, and such as are at an edge."""
LONGEST_WORDS = 200
"""As many words of a record as are played out here."""


class Target(Struct, frozen=True):
    """A reader: `read` returns or raises one of `refuses`; `seeds` are inputs that it takes."""

    name: str
    read: Callable[[bytes], object]
    refuses: tuple[type[Exception], ...]
    seeds: Callable[[], list[bytes]]

    def kept(self) -> list[bytes]:
        """The corpus of this target."""
        return [path.read_bytes() for path in sorted((CORPUS / self.name).glob("*"))]


def _inbound(subprotocol: Subprotocol) -> Callable[[bytes], object]:
    def read(frame: bytes) -> object:
        message = decode_inbound(frame, subprotocol)
        again = encode(message, subprotocol)  # Compared as bytes: a number may be no number, and equal nothing.
        assert encode(decode_inbound(again, subprotocol), subprotocol) == again
        return message

    return read


def _golden(file: str, subprotocol: Subprotocol) -> list[bytes]:
    return list(_frames(json.loads((GOLDEN / "wire" / file).read_text()), subprotocol))


def _frames(value: object, subprotocol: Subprotocol) -> Iterator[bytes]:
    """The frames of a subprotocol in a file of golden bytes: texts as JSON, hex digits as msgpack."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(inner, str) and key == subprotocol.name.lower():
                yield bytes.fromhex(inner) if subprotocol is Subprotocol.MSGPACK else inner.encode()
            else:
                yield from _frames(inner, subprotocol)
    elif isinstance(value, list):
        for inner in value:
            yield from _frames(inner, subprotocol)


def _code(raw: bytes) -> object:
    return deal(parse_code(raw.decode("utf-8", "surrogateescape")))


def _record(raw: bytes) -> object:
    record = parse_record(raw.decode("utf-8", "replace"))
    return position_after(type(record)(record.code, record.words[:LONGEST_WORDS]))


def _replays() -> list[bytes]:
    return [path.read_bytes() for path in sorted((GOLDEN / "replays").glob("*.fairdeal"))]


def _verdict(data: bytes) -> object:
    verdict = verify(data)
    assert verdict.ok == (verdict.fault is None)
    return verdict


def _replay_bodies() -> list[bytes]:
    return [entry.body for data in _replays() for entry in read_replay(data).entries]


def _text(read: Callable[[str], object]) -> Callable[[bytes], object]:
    return lambda raw: read(raw.decode("utf-8", "replace"))


def _card(raw: bytes) -> object:
    try:
        value = msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None  # Refused before any card is looked at.
    return read_card(value)


_GOLF, _DOUBLE = b"GO1-E-AAAAAAB", b"DS1-D3N-AAAAAAB"
_LAY_OUT = b"GO1-C\n1: KS QH\nwaste: 5D\nstock: AC 2C 3C\n"
_LINES = (
    b'{"t":"hello","v":1,"name":"a","version":"1","games":["GO","DS"],"mode":"fair"}',
    b'{"t":"ready","game":7}',
    b'{"t":"best","game":7,"turn":12,"m":"5","info":{"nodes":100,"note":"x"}}',
)
_CARDS = (
    b'{"game":"GO1-C","seats":2,"goal":"score","time_limit_s":600,"undo":"free","bots":[{"bot":"solver","pace":2.5}]}',
    b'{"code":"DS1-D3N-ABCDEFG","seats":4,"goal":"first","watch":"off","start":"host","name":"Friday","listed":false}',
    b'{"game":"GO1-E","sealed":true,"series":3,"rated":false}',
)

_ALL = (
    Target(
        "wire-msgpack",
        _inbound(Subprotocol.MSGPACK),
        (BadFrame,),
        lambda: _golden("inbound.json", Subprotocol.MSGPACK),
    ),
    Target("wire-json", _inbound(Subprotocol.JSON), (BadFrame,), lambda: _golden("inbound.json", Subprotocol.JSON)),
    Target(
        "wire-of-server",
        lambda frame: decode_outbound(frame, Subprotocol.JSON),
        (BadFrame,),
        lambda: _golden("outbound.json", Subprotocol.JSON),
    ),
    Target("code", _code, (CodeError,), lambda: [_GOLF, _DOUBLE, b"go1 c abcdefg", b"DS1-D1VO-ABCDEFG"]),
    Target("record", _record, (CodeError,), lambda: [_GOLF + b" d 5 2 u d d", _DOUBLE + b" d d w1 c1c2 u", _GOLF]),
    Target("lay-out", _text(parse_lay_out), (LayOutError, CodeError), lambda: [_LAY_OUT, b'{"columns":[["KS"]]}']),
    Target("replay-file", _verdict, (), _replays),
    Target("replay-json", from_json, (ReplayError,), lambda: [to_json(read_replay(data)) for data in _replays()]),
    Target("log-entry", unpack_body, (LogError,), _replay_bodies),
    Target("bot-line", read_line, (BadLine,), lambda: list(_LINES)),
    Target("race-card", _card, (RaceCardError, CodeError), lambda: list(_CARDS)),
    Target("name", _text(lambda text: (shown_name(text, 40), look(text))), (), lambda: ["Ánna Nguyễn".encode()]),
)
TARGETS = {target.name: target for target in _ALL}
