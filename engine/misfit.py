"""What is wrong with a value that has not the shape that was asked for, said so that it can be mended."""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from typing import Any, Final, Literal, get_args, get_origin

import msgspec
from msgspec import Struct

__all__ = ["UNREADABLE", "misfit"]

UNREADABLE: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""What msgspec raises for bytes that are no JSON or msgpack, have no text where one is to be, or nest too deeply."""

_NO_SUCH_WORD: Final = re.compile(r"Invalid enum value (.*)", re.DOTALL)


def misfit(fault: msgspec.ValidationError, shape: type[object]) -> tuple[str, str]:
    """Return the path of the field at fault, empty for the whole value, and what was expected and found there.

    Where a field takes one of a few words msgspec names the wrong one only: here they are all named.
    """
    detail, _, path = str(fault).partition(" - at ")
    field = path.strip("`").removeprefix("$").removeprefix(".")
    wrong = _NO_SUCH_WORD.fullmatch(detail)
    words = _words_at(shape, field) if wrong else ()
    return field, f"expected one of {', '.join(words)}, found {wrong[1]}" if wrong and words else detail


def _words_at(shape: type[object], path: str) -> tuple[str, ...]:
    """Return the words that the field at a path (`bots[0].bot`) takes; none where it is not one of a few."""
    hint: Any = shape
    for name in re.sub(r"\[[^]]*\]", "", path).split("."):
        of = (field for kind in _kinds(hint) if issubclass(kind, Struct) for field in msgspec.structs.fields(kind))
        hint = next((field.type for field in of if field.encode_name == name), None)
    return tuple(_words(hint))


def _words(hint: Any) -> Iterator[str]:
    if get_origin(hint) is Literal:
        yield from map(str, get_args(hint))
        return
    if isinstance(hint, type) and issubclass(hint, Enum):
        yield from (str(word.value) for word in hint)
    for part in get_args(hint):
        yield from _words(part)


def _kinds(hint: Any) -> Iterator[type]:
    """Give the classes that a type is made of: those of `Pile | None`, of `tuple[Pile, ...]`."""
    if isinstance(hint, type):
        yield hint
    for part in get_args(hint):
        yield from _kinds(part)
