"""`fairdeal solve`: whether a deal can be won and how, the best it has to give, and what a game on it gave away."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from functools import cache, partial
from itertools import chain
from math import isfinite
from typing import Any, BinaryIO, Final, assert_never

import click

from engine.codes import Code, CodeError, deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules
from engine.record import Record, parse_record
from engine.solo import Played, deal_out
from server.commands.answers import (
    InputRefused,
    answer_lines,
    json_option,
    print_json,
    refusing,
)
from server.commands.solve_games import analysed, is_replay, seats_of, show_analysed

__all__ = ["solve", "solved"]

FAIR_WORLDS: Final = 2000
"""Games that the fair player plays out for a decision: a number, so that it plays the same on any machine.

Within a time it plays as many as it can, and its time is shared out among the decisions to come.
"""


@click.command
@click.argument("code", nargs=-1)
@click.option("--time", "seconds", type=click.FloatRange(0, min_open=True), help="CPU seconds that a code may take.")
@click.option("--fair", is_flag=True, help="Play it as a player who does not see the stock would.")
@click.option("--roster", is_flag=True, help="Let the bots play it too, and say who wins.")
@json_option
@click.option(
    "--file", type=click.File("rb"), help="Codes or records, one a line (- for stdin), or a replay; prints JSON lines."
)
def solve(
    code: tuple[str, ...], seconds: float | None, fair: bool, roster: bool, as_json: bool, file: BinaryIO | None
) -> int:
    """Say whether CODE can be won, with a line that wins it or leads to the best that there is.

    CODE with moves after it, or a replay, is a game that was played: the answer is what it gave away, and where. With
    --fair the solver plays one game and sees only what a player sees: a win proves the deal winnable, anything else
    leaves it unknown.
    """
    if bool(code) == (file is not None):
        raise click.UsageError("Give either CODE or --file")
    if seconds is not None and not isfinite(seconds):
        raise click.BadParameter(f"expected a number of seconds, found {seconds}", param_hint="--time")
    answered = partial(_answered, seconds=seconds, fair=fair, roster=roster)
    if file is not None:
        return _solve_file(file, answered, seconds)
    with refusing():
        answer = answered(_read(" ".join(code)))
    if as_json:
        print_json(answer)
    elif "result" in answer:
        show_analysed(answer)
    else:
        _show(answer)
    return 0


def _read(text: str) -> Record:
    """Read a code, typed with spaces or not, or a record. Raises CodeError."""
    try:
        return Record(parse_code(text))
    except CodeError:
        record = parse_record(text)
        if not record.words:
            raise
        return record


def _answered(record: Record, *, seconds: float | None, fair: bool, roster: bool) -> dict[str, Any]:
    """Answer one input. Raises InputRefused."""
    if record.words:
        if fair or roster:
            raise InputRefused("expected a code alone for --fair and --roster, found one with moves")
        _warm_up(record.code.game)
        return analysed(record, seconds)
    answer = played_fairly(record.code, seconds) if fair else solved(record.code, seconds)
    return answer | {"won_by": _won_by(record.code, seconds)} if roster else answer


def _won_by(code: Code, seconds: float | None) -> dict[str, dict[str, int]]:
    from bots.analysis.code import won_by

    games = won_by(code, None if seconds is None else seconds * 1000)
    return {name: {"won": won, "of": of} for name, (won, of) in games.items()}


def _solve_file(file: BinaryIO, answered: Callable[[Record], dict[str, Any]], seconds: float | None) -> int:
    """Answer every line of a file, or every seat of a replay, each as soon as it is known."""
    first = file.readline()
    if is_replay(first):
        for whose, record in seats_of(first + file.read()):
            _warm_up(record.code.game)
            print_json(whose | analysed(record, seconds))
        return 0
    with _progress(file, first) as lines:
        return answer_lines(lines, lambda line: (answered(_read(line)), 0))


def solved(code: Code, seconds: float | None = None) -> dict[str, Any]:
    """Search a deal for at most so many CPU seconds."""
    from bots.solver.double.verdict import solve_double
    from bots.solver.verdict import Limits, solve_golf

    _warm_up(code.game)
    ms = None if seconds is None else seconds * 1000
    match code.rules:
        case GolfRules() as rules:
            dealt = deal(code)
            golf = solve_golf(rules, dealt.columns, dealt.waste, dealt.stock, Limits(ms=ms))
            best = {"removed": golf.best.removed, "score": golf.best.score}
            return _answer(code, golf.verdict, golf.line, best, golf.nodes, golf.ms)
        case DoubleRules() as rules:
            double = solve_double(DoubleBoard.start(rules, deal(code)), Limits(ms=ms))
            best = {"placed": double.best.placed, "score": double.best.score}
            return _answer(code, double.verdict, double.line, best, double.nodes, double.ms)
        case _:
            assert_never(code.rules)


def played_fairly(code: Code, seconds: float | None = None) -> dict[str, Any]:
    """Let the fair solver play a deal once within so many CPU seconds; a node is a game played out.

    Raises InputRefused for a game without one.
    """
    from bots.player import Budget
    from bots.roster import entry, new

    games = entry("solver").games
    if code.game not in games:
        raise InputRefused(f"expected a game that has a fair solver ({', '.join(games)}), found {code.game}")
    player = new("solver", rules=code.rules, goal="first")
    _warm_up(code.game)
    begun = time.process_time()
    solo, line, nodes = deal_out(code), [], 0
    while solo.board.legal():
        if seconds is None:
            budget = Budget(nodes=FAIR_WORLDS)
        else:
            left_ms = max(0.0, seconds - (time.process_time() - begun)) * 1000
            budget = Budget(wall_ms=left_ms, clock_ms=left_ms)
        choice = player.choose(solo.position(), budget)
        nodes += choice.nodes or 0
        outcome = solo.play(choice.word)
        if not isinstance(outcome, Played):
            break
        solo = outcome.solo
        line.append(choice.word)
    best = {"removed" if code.game == "GO" else "placed": solo.board.cleared, "score": solo.board.settled_score}
    verdict = "winnable" if not solo.board.left else "unknown"
    return _answer(code, verdict, line, best, nodes, (time.process_time() - begun) * 1000)


@cache
def _warm_up(game: str) -> None:
    """Load a game's kernels first, so that no code is charged for that."""
    from bots.players.warm_up import warm_up

    warm_up(game)


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
    for name, games in answer.get("won_by", {}).items():
        click.echo(f"{name}: won {games['won']} of {games['of']}")


def _progress(file: BinaryIO, first: bytes) -> AbstractContextManager[Iterable[str]]:
    """Return the file's lines, under a bar with an estimate where that is seen and disturbs no output."""
    lines = (line.decode("utf-8-sig", "replace") for line in chain([first], file))
    if not sys.stderr.isatty() or sys.stdout.isatty() or not file.seekable():
        return nullcontext(lines)
    return click.progressbar(list(lines), label="solving", file=sys.stderr, show_pos=True)
