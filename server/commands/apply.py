"""`fairdeal apply`: the position after some moves."""

from __future__ import annotations

from typing import Any, TextIO

import click

from engine.record import Record, parse_record, position_after, replay
from engine.texts import DEFAULT_LANGUAGE, LANGUAGES, language_of
from server.cli import REFUSED
from server.commands.answers import answer_lines, file_option, json_option, one_input, print_json, refusing

__all__ = ["apply"]


def _language(ctx: click.Context, parameter: click.Parameter, tag: str) -> str:
    """Read `hu` or `hu-HU`; what is none of ours is wrong use, not English."""
    language = language_of(tag)
    if not tag.lower().startswith(language):
        raise click.BadParameter(f"expected {', '.join(LANGUAGES)}, found {tag!r}")
    return language


@click.command
@click.argument("record", nargs=-1, metavar="CODE [MOVES]...")
@json_option
@file_option
@click.option("--lang", default=DEFAULT_LANGUAGE, callback=_language, help="Language of the refusals: en, hu or vi.")
def apply(record: tuple[str, ...], as_json: bool, file: TextIO | None, lang: str) -> int:
    """Show the position after MOVES on CODE. A refused move changes nothing; the rest is played, the status is 2."""
    line = one_input(record, file, "CODE and MOVES")
    if line is None:
        assert file is not None
        return answer_lines(file, lambda line: _position(parse_record(line), lang))
    with refusing():
        parsed = parse_record(line)
    if as_json:
        position, status = _position(parsed, lang)
        print_json(position)
        return status
    return _show(parsed, lang)


def _position(record: Record, language: str) -> tuple[dict[str, Any], int]:
    position = position_after(record, language)
    return position, REFUSED if position["refusals"] else 0


def _show(record: Record, language: str) -> int:
    solo, refusals = replay(record)
    click.echo(f"{record.code}\n{solo.board}")
    click.echo(f"moves: {solo.moves}  undoable: {solo.undoable}  legal: {' '.join(solo.board.legal()) or 'none'}")
    for refusal in refusals:
        told = refusal.told(language)
        click.echo(f"refused: move {refusal.index + 1}, {told['move']}: {told['message']} ({told['reason']})")
    return REFUSED if refusals else 0
