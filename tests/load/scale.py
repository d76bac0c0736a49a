"""How costs grow: with processes, live races, a race's length, its spectators, many starts at once; and the least."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager
from statistics import median
from typing import Final

import aiohttp

from tests.load.field import CODE, Seat, closed, greeted, opened, read_events, seats, watching, written_bare
from tests.load.lines import Form, Line, _cost, _load
from tests.load.processes import bare, product

__all__ = ["SCALE"]

RACES_OF_A_SOCKET: Final = 200
RACES_OF_TWO: Final = 64
"""Live races over two processes, and where a commit is to hold many moves."""
SKEW: Final = re.compile(r'fairdeal_start_skew_seconds_bucket\{le="([^"]+)"\} (\S+)')


def _floor(name: str) -> Callable[[Form], Awaitable[tuple[list[float], str]]]:
    """CPU of a message to a yardstick that is durable ÷ the echo's, among 8 races; among 64 it is told beside.

    `logged` is the least that is durable: an echo that awaits one XADD in a group commit and writes two frames. `steps`
    is the least that is a move: what the product is above it goes for people, limits, other nodes and other commands.
    """

    async def measure(form: Form) -> tuple[list[float], str]:
        ratios, wide, costs = [], [], []
        with ExitStack() as stack:
            redis = stack.enter_context(product()).redis_url()
            one, other = stack.enter_context(bare(name, redis)), stack.enter_context(bare("echo"))
            async with opened(one.url) as here, opened(other.url) as there:
                ours = await seats(here, RACES_OF_TWO, 2, echo=True)
                echoes = await seats(there, RACES_OF_TWO, 2, echo=True)
                await _load(ours, 0.3)
                await _load(echoes, 0.3)
                for _ in range(form.rounds):
                    echo_s, _ = await _cost(other, echoes[:16], form.seconds)
                    ours_s, _ = await _cost(one, ours[:16], form.seconds)
                    ratios.append(ours_s / echo_s)
                    costs.append(ours_s)
                    echo_s, _ = await _cost(other, echoes, form.seconds)
                    ours_s, _ = await _cost(one, ours, form.seconds)
                    wide.append(ours_s / echo_s)
        return ratios, f"{median(costs) * 1e6:.0f} µs; among {RACES_OF_TWO} races {median(wide):.2f}"

    return measure


async def _two_processes(form: Form) -> tuple[list[float], str]:
    """CPU of a move with two processes that serve on one Redis ÷ that with one, among as many races as want two.

    Among few races each process commits smaller groups: among eight it is 1.24.
    """
    ratios, costs = [], []
    with ExitStack() as stack:
        one, two = stack.enter_context(product()), stack.enter_context(product(FAIRDEAL_WORKERS="2"))
        async with opened(one.url) as here, opened(two.url) as there:
            players, shared = await seats(here, RACES_OF_TWO, 2), await seats(there, RACES_OF_TWO, 2)
            for both in (players, shared):
                await _load(both, 0.3)
            for _ in range(form.rounds):
                alone, _ = await _cost(one, players, form.seconds)
                together, _ = await _cost(two, shared, form.seconds)
                ratios.append(together / alone)
                costs.append(together)
    return ratios, f"{median(costs) * 1e6:.0f} µs a move, {RACES_OF_TWO} races"


async def _live_races(form: Form) -> tuple[list[float], str]:
    """CPU of a move among many live races, of ten of which the moves are ÷ that among ten.

    What the idle ones cost by themselves (they are caught up with each second) is told beside it.
    """
    with product() as served:
        async with opened(served.url) as session:
            players = await seats(session, 10, 1)
            await _load(players, 0.3)
            few = [(await _cost(served, players, form.seconds))[0] for _ in range(form.rounds)]
            async with _idle_races(session, form.live):
                await asyncio.sleep(2)
                before = served.cpu_s()
                await asyncio.sleep(form.seconds)
                idle = (served.cpu_s() - before) / form.seconds
                many = []
                for _ in range(form.rounds):
                    cost, rate = await _cost(served, players, form.seconds)
                    many.append(cost - idle / rate)
    note = f"{form.live} idle ones cost {idle / form.live * 1e6:.0f} µs a second each"
    return [after / median(few) for after in many], note


@asynccontextmanager
async def _idle_races(session: aiohttp.ClientSession, races: int) -> AsyncIterator[None]:
    """Hold the seats of so many races, all under way, over few sockets."""
    shares = [min(RACES_OF_A_SOCKET, races - before) for before in range(0, races, RACES_OF_A_SOCKET)]
    holders = [await greeted(session) for _ in shares]
    async with asyncio.TaskGroup() as opening:
        for holder, share in zip(holders, shares, strict=True):
            opening.create_task(_begun(session, holder, share), name=f"{share} idle races")
    listening = [asyncio.create_task(_listening(holder), name="holder of idle races") for holder in holders]
    try:
        yield
    finally:
        for listener in listening:
            listener.cancel()
        await asyncio.wait(listening)


async def _begun(session: aiohttp.ClientSession, holder: Seat, races: int) -> None:
    """Begin so many races of one seat, one after the other: a socket may ask for a few a second only."""
    async with session.post("/api/players", json={}) as answer:
        headers = {"Authorization": f"Bearer {(await answer.json())['token']}"}
    card = {"code": CODE, "seats": 1, "time_limit_s": 7200}
    for _ in range(races):
        async with session.post("/api/races", json=card, headers=headers) as answer:
            race = (await answer.json())["race"]
        await _asked(holder, "join", race)
        await _asked(holder, "ready", race)
        while (await holder.until("snap"))["reason"] != "start":
            pass


async def _listening(holder: Seat) -> None:
    """Answer the server's pings: who does not is taken for gone."""
    while True:
        await holder.socket.receive()


async def _asked(seat: Seat, what: str, race: str) -> None:
    """Ask for something until it is done, no sooner each time than the server wants."""
    await seat.say(t=what, id=what, race=race)
    while not (answer := await seat.until("res"))["ok"]:
        await asyncio.sleep(answer["retry_ms"] / 1000)
        await seat.say(t=what, id=what, race=race)


async def _lane_length(form: Form) -> tuple[list[float], str]:
    """CPU of a move on long lanes ÷ that on new ones."""
    ratios = []
    with product() as served:
        async with opened(served.url) as session:
            for _ in range(form.rounds):
                players = await seats(session, 4, 2)
                new, _ = await _cost(served, players, form.seconds / 4)
                while players[0].moves < form.lane:
                    await _load(players, form.seconds / 4)
                long, _ = await _cost(served, players, form.seconds / 4)
                ratios.append(long / new)
    return ratios, f"from operation {form.lane} on"


async def _per_spectator(form: Form) -> tuple[list[float], str]:
    """How an event's CPU for a spectator grows from a tenth of them to all ÷ how that of a bare write does.

    The system's own part of a write grows with the sockets that are written to, by a half on busy cores.
    """
    many, few, events = form.spectators, form.spectators // 10, 50
    costs: dict[int, list[float]] = {0: [], few: [], many: []}
    bares: dict[int, list[float]] = {few: [], many: []}
    with product() as served, bare("crowd") as other:
        async with opened(served.url) as session:
            (player,) = await seats(session, 1, 1)
            for crowd in costs:
                watchers = await watching(session, player.race, crowd)
                sockets = [await asyncio.open_connection("127.0.0.1", other.port) for _ in range(crowd)]
                for _ in range(form.rounds):
                    before = served.cpu_s()
                    for _ in range(events):
                        await player.move()
                    await read_events(watchers, events)
                    costs[crowd].append((served.cpu_s() - before) / events)
                    if crowd:
                        before = other.cpu_s()
                        await written_bare(sockets, events)
                        bares[crowd].append((other.cpu_s() - before) / events / crowd)
                for watcher in watchers:
                    await watcher.socket.close()
                await closed(sockets)
    alone = median(costs[0])
    each = (median(costs[few]) - alone) / few
    system = median(bares[many]) / median(bares[few])
    grown = [(cost - alone) / many / each for cost in costs[many]]
    note = (
        f"{each * 1e6:.1f} µs for each of {few}, × {median(grown):.2f} for each of {many}; a bare write × {system:.2f}"
    )
    return [one / system for one in grown], note


async def _starts(form: Form) -> tuple[list[float], str]:
    """The latest of many starts within a second, in ms: the bound of the metric's bucket that holds it."""
    latest = []
    with product(FAIRDEAL_START_DELAY_MS="3000") as served:
        async with opened(served.url) as session:
            for _ in range(form.rounds):
                before = await _skews(session)
                players = await seats(session, form.sockets // 2, 2, together=True)
                after = await _skews(session)
                for player in players:
                    await player.socket.close()
                latest.append(max(le for le, count in after.items() if count > before.get(le, 0)) * 1000)
    return latest, f"{form.sockets // 2} races"


async def _skews(session: aiohttp.ClientSession) -> dict[float, float]:
    """How many starts so far fell into each bucket of lateness (s)."""
    async with session.get("/metrics") as answer:
        found = [(float(le), float(count)) for le, count in SKEW.findall(await answer.text())]
    return {le: count - (found[at - 1][1] if at else 0) for at, (le, count) in enumerate(found)}


SCALE: Final = (
    Line("logged", "× echo", 2.5, _floor("logged")),
    Line("steps", "× echo", 2.5, _floor("steps")),
    Line("two_processes", "× one", 1.15, _two_processes),
    Line("live_races", "× ten", 1.15, _live_races),
    Line("lane_length", "× new", 1.15, _lane_length),
    Line("per_spectator", "× bare growth", 1.15, _per_spectator),
    Line("starts", "ms late", 50.0, _starts),
)
"""What the long form measures beside the table's lines."""
