"""What solvers say of races that are over, and of open codes, as HTTP shows it."""

from __future__ import annotations

from typing import Any, Final, assert_never

import msgspec
from aiohttp import web

from engine.codes import Code
from engine.question import (
    Answer,
    CodeAnswer,
    CodeQuestion,
    ForesightAnswer,
    NoAnswer,
    PositionAnswer,
    RunAnswer,
    RunQuestion,
)
from engine.race.model import Race
from engine.refusals import ErrorCode
from server.http.calls import CALLERS, TABLES, address
from server.http.errors import CallRefused, json_of
from server.store.analyses import Analyses, Pending

__all__ = ["ANALYSES", "RETRY_MS", "answer_as_shown", "show_analysis", "verdict_on"]

ANALYSES: Final = web.AppKey("analyses", Analyses)
RETRY_MS: Final = 1_000
"""When an answer that is not there yet is to be asked for again."""


async def show_analysis(request: web.Request) -> web.Response:
    """`GET /api/races/{race}/analysis`: what each seat of a race that is over could have had, and where it went.

    202 while the solvers are at it.
    """
    race = (await request.app[TABLES].table(request.match_info["race"])).race
    if not race.closed:
        raise CallRefused(409, ErrorCode.FORBIDDEN, "expected a race that is over", reason="not_over")
    request.app[CALLERS].check("analysis", address(request))
    runs = _runs(race)
    answers = await request.app[ANALYSES].ask(list(runs.values()))
    if Pending.FULL in answers:
        raise CallRefused(503, ErrorCode.BUSY, "too many analyses wait", retry_ms=RETRY_MS)
    ready = {seat: answer for seat, answer in zip(runs, answers, strict=True) if not isinstance(answer, Pending)}
    if len(ready) < len(runs):
        body = {"race": race.id, "retry_ms": RETRY_MS, "ready": len(ready), "of": len(runs)}
        return json_of(body, 202, {"Retry-After": str(-(-RETRY_MS // 1000))})
    seats = [
        {"seat": seat, "name": race.seats[seat].name, "kind": race.seats[seat].kind, **answer_as_shown(answer)}
        for seat, answer in ready.items()
    ]
    return json_of({"race": race.id, "code": None if race.code is None else str(race.code), "seats": seats})


def _runs(race: Race) -> dict[int, RunQuestion]:
    """Return what is asked about each seat that was dealt to."""
    if race.code is None:
        return {}
    code = str(race.code)
    return {number: RunQuestion(code, race.seats[number].words) for number in sorted(race.seats)}


async def verdict_on(analyses: Analyses, code: Code, *, ask: bool) -> dict[str, Any]:
    """Return the verdict on an open code, or when to come again for it; `ask`: solvers may be put to work for it.

    No line is shown: races on the code may be under way.
    """
    question = CodeQuestion(str(code))
    answer: Answer | Pending | None
    if ask:
        (answer,) = await analyses.ask([question])
    else:
        (answer,) = await analyses.known([question])
    if answer is None or isinstance(answer, Pending):
        return {"verdict": None, "verdict_retry_ms": RETRY_MS}
    return {"verdict": answer_as_shown(answer)}


def answer_as_shown(answer: Answer) -> dict[str, Any]:
    """Return an answer as it is shown: without lines that win, as `winnable`, `unwinnable` or `unknown`."""
    match answer:
        case PositionAnswer():
            return _position(answer)
        case CodeAnswer():
            won_by = {name: {"won": won, "of": of} for name, (won, of) in answer.won_by.items()}
            return {**_position(answer.start), "won_by": won_by}
        case RunAnswer():
            rest = {name: msgspec.to_builtins(getattr(answer, name)) for name in answer.__struct_fields__}
            changes = [{**msgspec.to_builtins(one), "best": one.best.shown()} for one in answer.changes]
            return {**rest, "start": _position(answer.start), "changes": changes}
        case ForesightAnswer():
            told: dict[str, Any] = msgspec.to_builtins(answer)
            return {**told, "complete": answer.complete}
        case NoAnswer():
            return {"why": answer.why}
        case _:
            assert_never(answer)


def _position(answer: PositionAnswer) -> dict[str, Any]:
    verdict = {True: "winnable", False: "unwinnable", None: "unknown"}[answer.winnable]
    return {"verdict": verdict, "best": answer.best.shown(), "exact": answer.exact}
