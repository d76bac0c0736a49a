"""What a command answers: JSON on stdout, refused inputs as one sentence and status 2, one input a line from files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

import click
import msgspec

from engine.codes import CodeError
from engine.layout import LayOutError
from server.cli import REFUSED

__all__ = [
    "InputRefused",
    "answer_lines",
    "file_option",
    "json_lines_option",
    "json_option",
    "one_input",
    "print_json",
    "refusing",
]

_FAULTS = (CodeError, LayOutError)
"""What the engine says of an input that it cannot take."""

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
json_lines_option = click.option("--json", "as_json", is_flag=True, help="Print JSON objects, one a line.")
file_option = click.option(
    "--file",
    "file",
    type=click.File("r", encoding="utf-8-sig", errors="replace"),
    help="Take one input a line from a file, - for stdin; prints one JSON object a line.",
)


class InputRefused(click.ClickException):
    """An input that cannot be taken; the message says what was expected and what was found."""

    exit_code = REFUSED


@contextmanager
def refusing() -> Iterator[None]:
    """Turn the engine's faults into a refused input."""
    try:
        yield
    except _FAULTS as fault:
        raise InputRefused(str(fault)) from fault


def one_input(words: Sequence[str], file: TextIO | None, name: str) -> str | None:
    """Return the words given as one text, or None when a file was given; raises UsageError for both or neither."""
    if bool(words) == (file is not None):
        raise click.UsageError(f"Give either {name} or --file")
    return " ".join(words) if words else None


def print_json(value: Any) -> None:
    """Print one JSON document on a line of its own, in UTF-8 whatever the locale."""
    click.echo(msgspec.json.encode(value))


def answer_lines(lines: Iterable[str], answer: Callable[[str], tuple[dict[str, Any], int]]) -> int:
    """Print the answer to each line that is not blank, or its fault; return the worst exit status."""
    worst = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            value, status = answer(line.strip())
        except (*_FAULTS, InputRefused) as fault:
            click.echo(f"fairdeal: line {number}: {fault}", err=True)
            value, status = {"line": number, "error": str(fault)}, REFUSED
        print_json(value)
        worst = max(worst, status)
    return worst
