"""`fairdeal code`: new random codes, what a code says, literal codes for lay-outs typed as text."""

from __future__ import annotations

import secrets
from typing import Any, Final, TextIO

import click

from engine.codes import (
    DEFAULT_GAMES,
    OPEN_LETTERS,
    Code,
    Rules,
    number_letters,
    parse_code,
    parse_game,
)
from engine.golf.rules import GolfRules
from engine.layout import parse_lay_out
from server.commands.answers import (
    InputRefused,
    answer_lines,
    file_option,
    json_option,
    one_input,
    print_json,
    refusing,
)

__all__ = ["code"]


WINNABLE_S: Final = 5.0
"""CPU seconds after which another deal is tried."""


@click.group(no_args_is_help=False)
def code() -> None:
    """Make, check and translate game codes."""


@code.command
@click.argument("game")
@click.option("--winnable", is_flag=True, help="Only a deal that the solver has won.")
@json_option
def new(game: str, winnable: bool, as_json: bool) -> None:
    """Print a new random code of GAME: GO, DS, or one with rules such as GO1-C or DS1-D3V."""
    with refusing():
        letters, version, rules = parse_game(DEFAULT_GAMES.get(game.strip().upper(), game))
    if version == 0:
        raise InputRefused(f"expected {letters}1-{rules}, since a number of version 0 is one deal only, found {game}")
    drawn = _drawn(letters, version, rules)
    while winnable and not _winnable(drawn):
        drawn = _drawn(letters, version, rules)
    _print_code(drawn, as_json)


def _drawn(letters: str, version: int, rules: Rules) -> Code:
    return Code(letters, version, rules, number_letters(secrets.randbits(5 * OPEN_LETTERS), OPEN_LETTERS))


def _winnable(code: Code) -> bool:
    from server.commands.solve import solved

    return bool(solved(code, WINNABLE_S)["verdict"] == "winnable")


@code.command
@click.argument("code", nargs=-1)
@json_option
@file_option
def check(code: tuple[str, ...], as_json: bool, file: TextIO | None) -> int:
    """Say what CODE means, written canonically, or what is wrong with it."""
    text = one_input(code, file, "CODE")
    if text is None:
        assert file is not None
        return answer_lines(file, lambda line: (_checked(parse_code(line)), 0))
    with refusing():
        found = parse_code(text)
    if as_json:
        print_json(_checked(found))
    else:
        click.echo(f"{found}\n{_rules_text(found.rules)}. {_source_text(found)}")
    return 0


@code.command("from")
@click.argument("file", type=click.File("r", encoding="utf-8-sig", errors="replace"))
@json_option
def from_(file: TextIO, as_json: bool) -> None:
    """Print the literal code of the lay-out in FILE (- for stdin), as `fairdeal deal` prints it or without labels."""
    with refusing():
        laid_out = parse_lay_out(file.read())
    _print_code(laid_out.code, as_json)


def _print_code(found: Code, as_json: bool) -> None:
    if as_json:
        print_json(_checked(found))
    else:
        click.echo(str(found))


def _checked(found: Code) -> dict[str, Any]:
    return {
        "code": str(found),
        "game": found.game,
        "version": found.version,
        "rules": str(found.rules),
        "number": found.number,
        "published": found.published,
        "meaning": f"{_rules_text(found.rules)}. {_source_text(found)}",
    }


def _rules_text(rules: Rules) -> str:
    if isinstance(rules, GolfRules):
        parts = [
            {
                "E": "Golf, Easy: king and ace are joined",
                "C": "Golf, Classic: king and ace are separate",
                "S": "Golf, Strict: nothing goes on a king, and a draw waits until no card fits",
            }[rules.letter]
        ]
        if rules.jokers:
            parts.append("one joker" if rules.jokers == 1 else "two jokers")
        if rules.empty_waste:
            parts.append("the waste starts empty")
        return "; ".join(parts)
    draw = "one card a draw" if rules.draw == 1 else "three cards a draw"
    scoring = "Normal scoring" if rules.scoring == "N" else "Vegas scoring, one pass"
    return f"Double Solitaire: {draw}, {scoring}" + ("; a card pays only once" if rules.once else "")


def _source_text(found: Code) -> str:
    if found.published:
        return "The app's pages print this deal, so app and code deal the same cards."
    if found.version == 0:
        return "The number is the deal itself, whatever its source."
    return (
        "The app's pages do not print this deal, so the app deals other cards for this code; "
        "`fairdeal code from` makes a code for those."
    )
