"""A ghost: plays a stored run again, each operation at the time at which it was played then."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog
from msgspec import Struct

from bots.client import FINAL, Client, Following, Http, Refused
from bots.player import DONE
from bots.seat import be_ready
from engine.race.card import Ghost
from engine.wire.outbound import Ev

__all__ = ["Run", "haunt", "read_run"]

NAME_LENGTH: Final = 40
_RESIGN: Final = "resign"

log = structlog.get_logger()


class Run(Struct, frozen=True):
    """What a seat did in a race: whose it was, and each operation, then how it settled, in ms after the start."""

    name: str
    steps: tuple[tuple[int, str], ...]

    @property
    def ghost_name(self) -> str:
        """How whoever plays it again is called."""
        return f"Ghost of {self.name}"[:NAME_LENGTH]


async def read_run(http: Http, ghost: Ghost) -> Run:
    """Read a run from the log of its race, which is over. Raises Refused, ServerUnreachable, LookupError."""
    name, start_at, steps = "", 0, list[tuple[int, str]]()
    for message in await http.events(ghost.race):
        if not isinstance(message, Ev):
            continue
        if message.k == "race.started":
            start_at = int(message.d["start_at"])
        elif message.k == "race.finished":
            steps.append((message.at - start_at, DONE))
        elif message.s != ghost.seat:
            continue
        elif message.k == "race.joined":
            name = str(message.d["name"])
        elif (word := _word(message)) is not None:
            steps.append((message.at - start_at, word))
    if not name:
        raise LookupError(f"expected a seat of race {ghost.race} that was taken, found none at {ghost.seat}")
    return Run(name, tuple(steps))


def _word(ev: Ev) -> str | None:
    match ev.k:
        case "seat.played":
            return str(ev.d["m"])
        case "seat.undone":
            return "u"
        case "seat.done":
            return DONE
        case "seat.resigned":
            return _RESIGN
        case _:
            return None


async def haunt(client: Client, rid: str, run: Run) -> None:
    """Join, be ready, play the run in its own time, stay until the race ends; a seat played before is played on.

    Raises Refused where the seat cannot be had, and Closed where the connection has gone to somebody else.
    """
    race = await client.join(rid)
    await be_ready(client, race)
    await race.until(lambda race: race.playing or race.over or race.my_status in FINAL)
    for after_ms, word in run.steps[race.lane :]:
        await _wait(client, race, after_ms)
        if not race.playing:
            break
        try:
            if word == DONE:
                await client.done(rid)
            elif word == _RESIGN:
                await client.resign(rid)
            else:
                await client.play(rid, word)
        except Refused as refused:
            log.warning("ghost refused", race=rid, word=word, why=str(refused))
            break
    await race.until(lambda race: race.over)


async def _wait(client: Client, race: Following, after_ms: int) -> None:
    """Wait until so long after the start, or until the seat cannot play any more."""
    wait_s = ((race.start_at or 0) + after_ms - client.server_now()) / 1000
    try:
        async with asyncio.timeout(max(0.0, wait_s)):
            await race.until(lambda race: not race.playing)
    except TimeoutError:
        return
