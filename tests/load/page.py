"""What watching costs a browser: nine boards at fifty events a second, `python -m tests.load.page`."""

from __future__ import annotations

import argparse
import asyncio
import json
from typing import Final

import msgspec
from msgspec import Struct
from playwright.async_api import Browser, Page

from tests.journeys.person import Person, chromium
from tests.load.processes import product
from tests.server.served import Server, Talker

__all__ = ["Watched", "watch"]

SEATS: Final = 9
EVENTS_A_SECOND: Final = 50
LONG_MS: Final = 50
"""A task as long as this keeps a page from answering: the browser's own measure of a long task."""
SETTLE_S: Final = 1.0
ROUNDS: Final = {"GO1-E-AAAAAAB": ("d", "5", "u", "u"), "DS1-D1N-AAAAAAB": ("d", "d", "u", "u")}
"""Words that are legal where they begin, turn cards up, and lead back there."""
OBSERVE: Final = """
  globalThis.longTasks = [];
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map((task) => task.duration)))
    .observe({ type: "longtask" });
"""


class Watched(Struct, frozen=True):
    """What the page's main thread did while a race was watched; times in ms.

    CPU is the thread's own; `long_tasks` are those of the browser's long-task observer, which counts also the time in
    which others had the core: on a loaded machine there are some that cost little.
    """

    code: str
    boards: int
    events: int
    cpu_per_event: float
    longest_cpu: float
    over_50_cpu: int
    long_tasks: int
    longest: float


async def watch(
    browser: Browser, url: str, code: str, seconds: float, width: int = 2560, height: int = 1440
) -> Watched:
    """Have nine seats of a server play for so long, evenly, and watch them."""
    async with Server(url, _nothing) as server:
        seats = [await server.talker(await server.guest(f"Player {n}")) for n in range(1, SEATS + 1)]
        race = await server.started(*seats, code=code)
        person = await Person.arrive(browser, url, width=width, height=height)
        await person.page.add_init_script(OBSERVE)
        await person.open(f"/w/{race}")
        await person.cards_dealt()
        # What is measured is the watching, not the loading.
        await asyncio.sleep(SETTLE_S)
        await person.page.evaluate("longTasks.length = 0")
        first = await _seq(person.page)
        await browser.start_tracing(page=person.page, categories=["toplevel"])
        async with asyncio.TaskGroup() as playing:
            for talker in seats:
                playing.create_task(_play(talker, race, ROUNDS[code], seconds))
        await asyncio.sleep(SETTLE_S)
        cpu = _tasks(await browser.stop_tracing())
        events = await _seq(person.page) - first
        found: list[float] = msgspec.convert(await person.page.evaluate("longTasks"), list[float], strict=False)
        assert person.complaints == []
        return Watched(
            code=code,
            boards=await person.page.locator("figure.watched").count(),
            events=events,
            cpu_per_event=round(sum(cpu) / max(1, events), 2),
            longest_cpu=round(max(cpu), 1),
            over_50_cpu=sum(ms > LONG_MS for ms in cpu),
            long_tasks=len(found),
            longest=round(max(found, default=0.0)),
        )


async def _nothing() -> None:
    """The server ends with its process."""


async def _play(talker: Talker, race: str, words: tuple[str, ...], seconds: float) -> None:
    """Play a seat's share of the events, evenly."""
    loop = asyncio.get_running_loop()
    begun, wait_s = loop.time(), SEATS / EVENTS_A_SECOND
    for n in range(1, int(seconds / wait_s) + 1):
        await talker.play(race, words[(n - 1) % len(words)], first=n)
        await asyncio.sleep(begun + n * wait_s - loop.time())


async def _seq(page: Page) -> int:
    """How far the page has come in the race's log."""
    return int(await page.locator(".race").get_attribute("data-seq") or 0)


def _tasks(trace: bytes) -> list[float]:
    """The tasks of pages' main threads: ms of CPU of each."""
    events = msgspec.json.decode(trace)["traceEvents"]
    main = {
        (one["pid"], one["tid"])
        for one in events
        if one["name"] == "thread_name" and one["args"]["name"] == "CrRendererMain"
    }
    return [
        one.get("tdur", 0) / 1000
        for one in events
        if one["name"].endswith("RunTask") and one["ph"] == "X" and (one["pid"], one["tid"]) in main
    ]


async def _measured(seconds: float, width: int, height: int) -> None:
    for code in ROUNDS:
        with product() as served:
            async with chromium() as browser:
                found = await watch(browser, served.url, code, seconds, width, height)
        print(json.dumps(msgspec.to_builtins(found)), flush=True)


def main() -> None:
    """Print a JSON line for each game."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--width", type=int, default=2560)
    parser.add_argument("--height", type=int, default=1440)
    asked = parser.parse_args()
    asyncio.run(_measured(asked.seconds, asked.width, asked.height))


if __name__ == "__main__":
    main()
