"""The JSON Schema of the wire: whole, and true of the bytes that are kept."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine.wire.schema import schema
from tests.engine.wire.golden import kept

PLAIN: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema()))


def _fits(value: object, name: str) -> bool:
    """Whether a value is what the schema defines under a name."""
    return bool(Draft202012Validator({**PLAIN, "$ref": f"#/$defs/{name}"}).is_valid(value))


@pytest.mark.parametrize(("name", "direction"), [("client_message", "inbound"), ("server_message", "outbound")])
def test_kept_frames_fit(name: str, direction: str) -> None:
    """Each frame is a message of its direction in both codings, and none of another kind or without its kind."""
    Draft202012Validator.check_schema(PLAIN)
    for title, frames in kept(direction).items():
        for value in (msgspec.json.decode(frames.text), msgspec.msgpack.decode(frames.packed)):
            assert _fits(value, name), title
            assert not _fits({**value, "t": "dance"}, name), title
            assert not _fits({key: part for key, part in value.items() if key != "t"}, name), title


@pytest.mark.parametrize(
    ("card", "fits"),
    [
        pytest.param({"game": "GO1-C"}, True, id="a game"),
        pytest.param(
            {"code": "GO1-E-AAAAAAB", "seats": 100, "bots": [{"bot": "solver", "pace": 2}]}, True, id="a code"
        ),
        pytest.param({"game": "GO1-C", "later": 1}, True, id="an unknown key"),
        pytest.param({"game": "GO1-C", "seats": 101}, False, id="too many seats"),
        pytest.param({"game": "GO1-C", "goal": "fame"}, False, id="no such goal"),
        pytest.param({"game": 1}, False, id="no text"),
    ],
)
def test_cards(card: dict[str, Any], fits: bool) -> None:
    """A race card's keys have the ranges and words that are told where one is refused."""
    assert _fits(card, "race_card") == fits
