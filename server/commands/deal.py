"""`fairdeal deal`: the cards that a code deals, face-down ones included."""

from __future__ import annotations

from typing import TextIO

import click

from engine.codes import deal as dealt
from engine.codes import parse_code
from engine.layout import LaidOut
from server.commands.answers import answer_lines, file_option, json_option, one_input, print_json, refusing

__all__ = ["deal"]


@click.command
@click.argument("code", nargs=-1)
@json_option
@file_option
def deal(code: tuple[str, ...], as_json: bool, file: TextIO | None) -> int:
    """Show the cards that CODE deals: columns from the covered card down, waste, stock in the order drawn."""
    text = one_input(code, file, "CODE")
    if text is None:
        assert file is not None
        return answer_lines(file, lambda line: (_laid_out(line).as_json(), 0))
    with refusing():
        laid_out = _laid_out(text)
    if as_json:
        print_json(laid_out.as_json())
    else:
        click.echo(str(laid_out))
    return 0


def _laid_out(text: str) -> LaidOut:
    code = parse_code(text)
    return LaidOut(code, dealt(code))
