"""What is said of values that have not the shape that was asked for."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal

import msgspec
import pytest
from msgspec import Meta, Struct

from engine.misfit import misfit


class _Suit(StrEnum):
    SPADES = "S"
    HEARTS = "H"


class _Pile(Struct):
    suit: _Suit
    height: Annotated[int, Meta(ge=0)] = 0
    lies: Literal["up", "down"] | None = None


class _Table(Struct):
    trump: _Suit | None = None
    row: tuple[_Suit, ...] = ()
    piles: list[_Pile] = []


@pytest.mark.parametrize(
    ("given", "field", "detail"),
    [
        pytest.param({"trump": "X"}, "trump", "expected one of S, H, found 'X'", id="a word or nothing"),
        pytest.param({"row": ["S", "Y"]}, "row[1]", "expected one of S, H, found 'Y'", id="a list of words"),
        pytest.param(
            {"piles": [{"suit": "Q"}]}, "piles[0].suit", "expected one of S, H, found 'Q'", id="a word further in"
        ),
        pytest.param({"piles": [{"suit": "S", "height": -1}]}, "piles[0].height", "Expected `int` >= 0", id="number"),
        pytest.param({"trump": 3}, "trump", "Expected `str | null`, got `int`", id="another kind"),
        pytest.param(
            {"piles": [{"suit": "S", "lies": "Z"}]},
            "piles[0].lies",
            "expected one of up, down, found 'Z'",
            id="literal",
        ),
        pytest.param([], "", "Expected `object`, got `array`", id="the whole"),
    ],
)
def test_the_field_and_what_it_takes_are_named(given: object, field: str, detail: str) -> None:
    """The path leads to the field at fault, and a field of a few words names them."""
    with pytest.raises(msgspec.ValidationError) as fault:
        msgspec.convert(given, _Table)
    assert (field, detail) == misfit(fault.value, _Table)
