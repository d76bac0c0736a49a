"""What `fairdeal solve` says of games that were played: records, and the seats of a replay."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

import click

from engine.codes import Code
from engine.question import RunAnswer
from engine.record import Record
from engine.replay import ReplayError, from_json, read_replay
from engine.replay.verify import followed
from server.commands.answers import InputRefused

__all__ = ["analysed", "is_replay", "seats_of", "show_analysed"]

ZSTD: Final = b"\x28\xb5\x2f\xfd"
"""How a replay file begins."""


def is_replay(beginning: bytes) -> bool:
    """Tell by its beginning whether a file is a replay, in either form, and no list of codes."""
    return beginning.startswith(ZSTD) or beginning.lstrip().startswith(b"{")


def seats_of(data: bytes) -> Iterator[tuple[dict[str, Any], Record]]:
    """Yield what was played in a replay, seat by seat, each with whose it was. Raises InputRefused."""
    try:
        replay = read_replay(data) if data.startswith(ZSTD) else from_json(data)
        race = followed(replay.header, replay.entries)[-1].after
    except ReplayError as fault:
        raise InputRefused(f"expected a replay, found a fault at {fault.place}: {fault.fault}") from fault
    if race.code is None:
        raise InputRefused("expected a race that was played, found one that never started")
    for number, seat in sorted(race.seats.items()):
        yield {"race": race.id, "seat": number, "name": seat.name}, Record(race.code, seat.words)


def analysed(record: Record, seconds: float | None = None) -> dict[str, Any]:
    """Say of a game what it gave away, within so many CPU seconds. Raises InputRefused for a word that is refused."""
    from bots.analysis.position import WordsRefused
    from bots.analysis.run import MOST_MS, run_answer

    begun = time.thread_time()
    try:
        found = run_answer(record.code, record.words, MOST_MS if seconds is None else seconds * 1000)
    except WordsRefused as refused:
        raise InputRefused(str(refused)) from refused
    return _answer(record.code, record.words, found, (time.thread_time() - begun) * 1000)


def _answer(code: Code, words: Sequence[str], found: RunAnswer, ms: float) -> dict[str, Any]:
    return {
        "code": str(code),
        "operations": len(words),
        "verdict": {True: "winnable", False: "unwinnable", None: "unknown"}[found.start.winnable],
        "best": found.start.best.shown(),
        "result": {**found.result.shown(), "score": found.result.score},
        "regret": found.regret,
        "dropped": found.dropped,
        "lost_at": found.lost_at,
        "winnable_until": found.winnable_until,
        "lost_from": found.lost_from,
        "changes": [
            {"n": one.n, "m": one.m, "best": one.best.shown(), "winnable": one.winnable, "better": one.better}
            for one in found.changes
        ],
        "complete": found.complete,
        "ms": round(ms, 3),
    }


def show_analysed(answer: dict[str, Any]) -> None:
    """Print it for people."""
    best, result = answer["best"], answer["result"]
    click.echo(f"{answer['code']}: {answer['verdict']}, {answer['operations']} operations played")
    click.echo(f"best: {_end(best)}")
    click.echo(f"result: {_end(result)}" + _regret(answer))
    for change in answer["changes"]:
        better = f"; {change['better']} would have been better" if change["better"] else ""
        lost = ", which lost it" if change["n"] == answer["lost_at"] else ""
        click.echo(f"{change['n']}: {change['m']}{lost}, leaves {_end(change['best'])}{better}")
    if answer["lost_at"] is None and answer["lost_from"]:
        click.echo(f"lost after operation {answer['winnable_until'] or 0}, and by {answer['lost_from']} at the latest")


def _end(end: dict[str, int]) -> str:
    cards = f"{end['placed']} placed" if "placed" in end else f"{end['removed']} removed"
    return f"{cards}, score {end['score']}" if "score" in end else cards


def _regret(answer: dict[str, Any]) -> str:
    return "" if answer["regret"] is None else f", {answer['regret']} below the best"
