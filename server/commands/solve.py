"""`fairdeal solve`: whether a deal can be won, the line that does it, and the best that can be had from it."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from typing import Any, Final, TextIO, assert_never

import click

from engine.codes import Code, deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules
from engine.solo import Played, deal_out
from server.commands.answers import (
    InputRefused,
    answer_lines,
    file_option,
    json_option,
    one_input,
    print_json,
    refusing,
)

__all__ = ["solve", "solved"]

FAIR_WORLDS: Final = 400
"""Games that the fair player plays out for each of its moves: a number, so that it plays the same on any machine."""
HURRIED_WORLDS: Final = 16
"""The same once its time is up."""


@click.command
@click.argument("code", nargs=-1)
@click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), help="CPU seconds that a code may take.")
@click.option("--fair", is_flag=True, help="Play it as a player who does not see the stock would.")
@json_option
@file_option
def solve(code: tuple[str, ...], seconds: float | None, fair: bool, as_json: bool, file: TextIO | None) -> int:
    """Say whether CODE can be won, with a line that wins it or leads to the best that there is.

    With --fair the solver plays one game and sees only what a player sees: a win proves the deal winnable, anything
    else leaves it unknown.
    """
    text = one_input(code, file, "CODE")
    answered = played_fairly if fair else solved
    if text is None:
        assert file is not None
        with _progress(file) as lines:
            return answer_lines(lines, lambda line: (answered(parse_code(line), seconds), 0))
    with refusing():
        answer = answered(parse_code(text), seconds)
    if as_json:
        print_json(answer)
    else:
        _show(answer)
    return 0


def solved(code: Code, seconds: float | None = None) -> dict[str, Any]:
    """Search a deal for at most so many CPU seconds."""
    from bots.solver.double.verdict import solve_double
    from bots.solver.verdict import Limits, solve_golf

    _warm_up(code.game)
    limits = Limits(ms=None if seconds is None else seconds * 1000)
    match code.rules:
        case GolfRules() as rules:
            dealt = deal(code)
            golf = solve_golf(rules, dealt.columns, dealt.waste, dealt.stock, limits)
            best = {"removed": golf.best.removed, "score": golf.best.score}
            return _answer(code, golf.verdict, golf.line, best, golf.nodes, golf.ms)
        case DoubleRules() as rules:
            double = solve_double(DoubleBoard.start(rules, deal(code)), limits)
            best = {"placed": double.best.placed, "score": double.best.score}
            return _answer(code, double.verdict, double.line, best, double.nodes, double.ms)
        case _:
            assert_never(code.rules)


def played_fairly(code: Code, seconds: float | None = None) -> dict[str, Any]:
    """Let the fair solver play a deal once, in haste after so many CPU seconds; a node is a game played out.

    Raises InputRefused for a game without one.
    """
    from bots.player import Budget
    from bots.roster import new

    if not isinstance(code.rules, GolfRules):
        raise InputRefused(f"expected a game that has a fair solver (GO), found {code.game}")
    player = new("solver", rules=code.rules, goal="first")
    _warm_up(code.game)
    begun = time.process_time()
    solo, line, nodes = deal_out(code), [], 0
    while legal := solo.board.legal():
        late = seconds is not None and time.process_time() - begun > seconds
        budget = Budget(nodes=HURRIED_WORLDS if late else FAIR_WORLDS)
        word = player.choose(solo.position(), budget).word
        nodes += budget.nodes if budget.nodes and len(legal) > 1 else 0
        outcome = solo.play(word)
        if not isinstance(outcome, Played):
            break
        solo = outcome.solo
        line.append(word)
    best = {"removed": solo.board.cleared, "score": solo.board.settled_score}
    verdict = "winnable" if not solo.board.left else "unknown"
    return _answer(code, verdict, line, best, nodes, (time.process_time() - begun) * 1000)


@cache
def _warm_up(game: str) -> None:
    """Load a game's kernels first, so that no code is charged for that."""
    if game == "DS":
        from bots.solver.double.verdict import warm_up
    else:
        from bots.players.warm_up import warm_up

    warm_up()


def _answer(
    code: Code, verdict: str, line: Iterable[str], best: dict[str, int], nodes: int, ms: float
) -> dict[str, Any]:
    return {
        "code": str(code),
        "verdict": verdict,
        "line": list(line),
        "best": best,
        "nodes": nodes,
        "ms": round(ms, 3),
    }


def _show(answer: dict[str, Any]) -> None:
    best = answer["best"]
    click.echo(f"{answer['code']}: {answer['verdict']}")
    cards = f"{best['placed']} placed" if "placed" in best else f"{best['removed']} removed"
    click.echo(f"best: {cards}, score {best['score']}")
    click.echo(f"line: {' '.join(answer['line'])}")
    click.echo(f"{answer['nodes']} nodes, {answer['ms']:.0f} ms")


def _progress(file: TextIO) -> AbstractContextManager[Iterable[str]]:
    """Return the file's lines, under a bar with an estimate where that is seen and disturbs no output."""
    if not sys.stderr.isatty() or sys.stdout.isatty() or file is sys.stdin:
        return nullcontext(file)
    return click.progressbar(file.readlines(), label="solving", file=sys.stderr, show_pos=True)
