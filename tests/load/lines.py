"""The lines of the table of what must be reached, each measured beside its yardstick, round by round."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack
from statistics import median, quantiles
from time import perf_counter, process_time
from typing import Final

import redis.asyncio
from msgspec import Struct

from engine.race.evolve import fold
from engine.race.model import Race
from server.store.connect import connect
from server.store.log import Log
from tests.engine.race.course import SECRETS, Course
from tests.engine.speed import GAMES, raced_us
from tests.load.field import Seat, closed, greeted, opened, read_events, seats, watching, written_bare
from tests.load.processes import Served, bare, product

__all__ = ["LINES", "Form", "Line", "Measured"]


class Form(Struct, frozen=True):
    """How thoroughly it is measured."""

    rounds: int
    seconds: float
    """Of load in each round."""
    sockets: int
    spectators: int
    idle: int
    live: int
    """Races under way that nobody moves in."""
    lane: int
    """Operations after which a lane counts as long."""


SHORT: Final = Form(rounds=3, seconds=1.0, sockets=100, spectators=300, idle=300, live=200, lane=500)
LONG: Final = Form(rounds=5, seconds=5.0, sockets=1_000, spectators=1_000, idle=10_000, live=10_000, lane=2_000)


class Measured(Struct, frozen=True):
    """What one line came to: the median of its rounds, the least and the most, and what it is to be."""

    ratio: float
    low: float
    high: float
    target: float
    holds: bool
    unit: str
    note: str = ""


class Line(Struct, frozen=True):
    """One line of the table: `least` where more is better."""

    name: str
    unit: str
    target: float
    measure: Callable[[Form], Awaitable[tuple[list[float], str]]]
    least: bool = False

    async def run(self, form: Form) -> Measured:
        """Measure it."""
        found, note = await self.measure(form)
        middle = median(found)
        holds = middle >= self.target if self.least else middle <= self.target
        low, high = round(min(found), 3), round(max(found), 3)
        return Measured(round(middle, 3), low, high, self.target, holds, self.unit, note)


async def _load(players: Sequence[Seat], seconds: float) -> int:
    """Let every seat play one move after the other for a while; returns how many were answered."""
    until = perf_counter() + seconds

    async def play(player: Seat) -> int:
        moves = 0
        while perf_counter() < until:
            await player.move()
            moves += 1
        return moves

    return sum(await asyncio.gather(*map(play, players)))


async def _cost(served: Served, players: Sequence[Seat], seconds: float) -> tuple[float, float]:
    """The CPU (s) that one move cost the server, and moves per second."""
    before, begun = served.cpu_s(), perf_counter()
    moves = await _load(players, seconds)
    return (served.cpu_s() - before) / moves, moves / (perf_counter() - begun)


async def _move_cost(form: Form) -> tuple[list[float], str]:
    """The server's CPU for a durable move of two seats' races ÷ that for an echoed message."""
    ratios, walls, costs = [], [], []
    with ExitStack() as stack:
        one, other = stack.enter_context(product()), stack.enter_context(bare("echo"))
        async with opened(one.url) as here, opened(other.url) as there:
            players, echoes = await seats(here, 8, 2), await seats(there, 8, 2, echo=True)
            await _load(players, 0.3)
            await _load(echoes, 0.3)
            for _ in range(form.rounds):
                echo_s, echo_rate = await _cost(other, echoes, form.seconds)
                move_s, move_rate = await _cost(one, players, form.seconds)
                ratios.append(move_s / echo_s)
                walls.append(move_rate / echo_rate)
                costs.append(move_s)
    return ratios, f"{median(costs) * 1e6:.0f} µs a move; moves/s ÷ echo/s {median(walls):.2f}"


async def _p99_s(players: Sequence[Seat], rate: float, seconds: float) -> float:
    """The 99th percentile of the answers' times at a rate (moves/s, all seats together, evenly spread).

    Nothing is collected here meanwhile: a client with a thousand sockets would pause for longer than any answer takes.
    """
    gc.collect()
    gc.disable()
    took: list[float] = []
    begun, moves = perf_counter(), max(len(players), int(rate * seconds))

    async def at(number: int) -> None:
        await asyncio.sleep(max(0.0, begun + number / rate - perf_counter()))
        took.append(await players[number % len(players)].move())

    async def hand(first: int) -> None:
        for number in range(first, moves, len(players)):
            await at(number)

    try:
        await asyncio.gather(*map(hand, range(len(players))))
    finally:
        gc.enable()
    return quantiles(took, n=100)[98]


async def _latency(form: Form) -> tuple[list[float], str]:
    """The p99 of a move's answer at 20 % of the top rate ÷ the echo's at the same rate, with many sockets open.

    What the yardsticks take that are durable is told beside it: an echo that awaits one XADD, and a move's steps alone.
    """
    took: dict[str, list[float]] = {"echo": [], "logged": [], "steps": [], "move": []}
    async with AsyncExitStack() as stack:
        one = stack.enter_context(product())
        redis = one.redis_url()
        served = {name: stack.enter_context(bare(name, redis)) for name in took if name != "move"} | {"move": one}
        players = {}
        for name, server in served.items():
            session = await stack.enter_async_context(opened(server.url))
            players[name] = await seats(session, form.sockets // 2, 2, echo=name != "move")
        _, top = await _cost(one, players["move"], form.seconds)
        for _ in range(form.rounds):
            for name, ours in players.items():
                took[name].append(await _p99_s(ours, top / 5, form.seconds))

    def ratios(name: str) -> list[float]:
        return [mine / echo for mine, echo in zip(took[name], took["echo"], strict=True)]

    note = f"{form.sockets} sockets, {top / 5:.0f} moves/s, p99 {median(took['move']) * 1000:.1f} ms"
    least = f"one XADD alone {median(ratios('logged')):.1f} × echo, the steps alone {median(ratios('steps')):.1f}"
    return ratios("move"), f"{note}; {least}"


async def _fan_out(form: Form) -> tuple[list[float], str]:
    """Events a CPU second to many spectators ÷ the same bytes written to as many bare sockets."""
    ratios, events = [], 10
    with ExitStack() as stack:
        one, other = stack.enter_context(product()), stack.enter_context(bare("crowd"))
        async with opened(one.url) as here:
            (player,) = await seats(here, 1, 1)
            crowd = await watching(here, player.race, form.spectators)
            bare_crowd = [await asyncio.open_connection("127.0.0.1", other.port) for _ in range(form.spectators)]
            for _ in range(form.rounds + 1):
                before = one.cpu_s()
                for _ in range(events):
                    await player.move()
                await read_events(crowd, events)
                ours = one.cpu_s() - before
                before = other.cpu_s()
                await written_bare(bare_crowd, events)
                ratios.append((other.cpu_s() - before) / ours)
            await closed(bare_crowd)
    return ratios[1:], f"{form.spectators} spectators"


async def _rebuild(form: Form) -> tuple[list[float], str]:
    """Milliseconds of CPU to read a race of two seats × 200 moves from Redis and fold it."""
    course = Course().begin("ann", "bob")
    for player in ("ann", "bob"):
        for _ in range(100):
            course.play(player, "d", "u")
    took = []
    with product() as served:
        async with _redis(served) as client, Log(client) as log:
            for entry in course.log:
                fields = {"h": entry.h, "a": entry.at, "l": entry.lane, "b": entry.body}
                await client.xadd(f"race:{{{course.race.id}}}:log", fields, id=f"{entry.seq}-0")  # type: ignore[arg-type]
            for _ in range(form.rounds * 5):
                begun = process_time()
                entries = await log.read(course.race.id)
                assert isinstance(entries, tuple)
                race = fold(Race(course.race.id), entries, SECRETS)
                took.append((process_time() - begun) * 1000)
                assert race.seq == len(course.log)
    return took, f"{len(course.log)} entries"


def _redis(served: Served) -> redis.asyncio.Redis:
    """A client of the private Redis of a server."""
    return connect(served.redis_url())


def _decide(game: str) -> Callable[[Form], Awaitable[tuple[list[float], str]]]:
    async def measure(form: Form) -> tuple[list[float], str]:
        return [raced_us(GAMES[game]) for _ in range(form.rounds)], ""

    return measure


async def _idle(form: Form) -> tuple[list[float], str]:
    """Kilobytes of the server's memory for a socket that has said hello and no more."""
    with product() as served:
        async with opened(served.url) as session:
            sockets = [await greeted(session) for _ in range(50)]
            before = served.memory_bytes()
            sockets += [await greeted(session) for _ in range(form.idle)]
            taken = (served.memory_bytes() - before) / form.idle / 1024
            del sockets
    return [taken], f"{form.idle} sockets"


async def _event_bytes(form: Form) -> tuple[list[float], str]:
    """Bytes of Redis's memory for an event, all keys counted, of races of two seats × 200 moves.

    What Redis says of its keys is added up: buffers of connections come and go by more than these keys hold.
    """
    with product() as served:
        async with opened(served.url) as session, _redis(served) as client:
            before = await _kept(client)
            players = await seats(session, 8, 2)
            for _ in range(200):
                await asyncio.gather(*(player.move() for player in players))
            events = await _events(client)
            taken = (await _kept(client) - before) / events
    return [taken], f"{events} events"


async def _kept(client: redis.asyncio.Redis) -> int:
    """Bytes of all keys, their names and places included."""
    return sum([await client.memory_usage(key, samples=0) or 0 async for key in client.scan_iter()])


async def _events(client: redis.asyncio.Redis) -> int:
    return sum([await client.xlen(key) async for key in client.scan_iter("race:*:log")])


async def _archived(form: Form) -> tuple[list[float], str]:
    """Seconds from a race's end to its file in the archive."""
    with product() as served:
        assert served.data is not None
        async with opened(served.url) as session:
            (player,) = await seats(session, 1, 1)
            await player.say(t="done", id="d", race=player.race)
            begun = perf_counter()
            while not list((served.data / "archive").rglob("*.fairdeal")):
                await asyncio.sleep(0.05)
                if perf_counter() - begun > 120:
                    break
            return [perf_counter() - begun], ""


LINES: Final = (
    Line("durable_move_cpu", "× echo", 2.5, _move_cost),
    Line("move_latency_p99", "× echo", 5.0, _latency),
    Line("fan_out", "of bare writes", 0.7, _fan_out, least=True),
    Line("rebuild", "ms", 10.0, _rebuild),
    Line("decide_golf", "µs", 5.0, _decide("Golf")),
    Line("decide_double", "µs", 15.0, _decide("Double")),
    Line("idle_socket", "KB", 40.0, _idle),
    Line("redis_event", "bytes", 180.0, _event_bytes),
    Line("archived", "s", 60.0, _archived),
)
