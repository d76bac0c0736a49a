"""The doorbell: tells the nodes that have a race open that there is something new in its log."""

import asyncio
import math
from collections.abc import AsyncIterator, Coroutine
from types import TracebackType
from typing import Final, Self

from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import RedisError

from server.store import keys
from server.store.connect import own_connection

CATCH_UP_MS: Final = 1000
DEAF_AFTER_TICKS: Final = 5
RECONNECT_MS: Final = 100
SEND_MS: Final = 2000


class Rung(Struct, frozen=True):
    """There may be something new in a race's log: up to `seq` if that was told, else unknown."""

    rid: str
    seq: int | None


class Bell:
    """One node's doorbell: rings for all, hears for the races that it attends; an asynchronous context.

    It owns a connection that hears and one that rings, both renewed by themselves. A ring may be lost: a race that is
    attended counts as rung when its subscription begins, also anew, and whenever it was silent for `catch_up_ms`.
    """

    def __init__(self, client: Redis, catch_up_ms: int = CATCH_UP_MS) -> None:
        self._client = client
        self._catch_up_ms = catch_up_ms
        self._attended: dict[bytes, str] = {}
        self._subscribed: set[bytes] = set()
        self._silent: set[str] = set()
        self._rung: dict[str, int | None] = {}
        self._to_ring: dict[str, int] = {}
        self._heard, self._changed, self._ringing = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._ear: AbstractConnection | None = None
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._start(self._hear(), "hear")
        self._start(self._subscribe(), "subscribe")
        self._start(self._catch_up(), "catch up")
        self._start(self._ring(), "ring")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        running = set(self._tasks)
        while running:
            for task in running:
                task.cancel()
            # Again and again, since connecting (see `own_connection`) may swallow a cancellation.
            _, running = await asyncio.wait(running, timeout=1)

    def attend(self, rid: str) -> None:
        """Hear a race from now on; it counts as rung as soon as that is so."""
        self._attended[keys.race_bell(rid).encode()] = rid
        self._changed.set()

    def leave(self, rid: str) -> None:
        """Hear a race no longer."""
        if self._attended.pop(keys.race_bell(rid).encode(), None) is not None:
            self._rung.pop(rid, None)
            self._silent.discard(rid)
            self._changed.set()

    def ring(self, rid: str, seq: int) -> None:
        """Ring for a race whose log has durable entries up to `seq`; returns at once, this node hears it too."""
        self._to_ring[rid] = max(seq, self._to_ring.get(rid, 0))
        self._ringing.set()

    async def rung(self) -> AsyncIterator[Rung]:
        """Yield races as they are rung, each once however often it was rung meanwhile, until the context ends."""
        while True:
            while self._rung:
                rid = next(iter(self._rung))
                yield Rung(rid, self._rung.pop(rid))
            self._heard.clear()
            await self._heard.wait()
            if ended := [task for task in self._tasks if task.done()]:
                for task in ended:
                    if not task.cancelled():
                        task.result()  # Raises what ended it: no side task dies unnoticed.
                return

    def _start(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.create_task(work, name=f"bell {name}")
        task.add_done_callback(lambda _: self._heard.set())
        self._tasks.append(task)

    def _mark(self, rid: str, seq: int | None) -> None:
        self._silent.discard(rid)
        known = self._rung.get(rid, 0)
        self._rung[rid] = None if seq is None or known is None else max(seq, known)
        self._heard.set()

    async def _hear(self) -> None:
        while True:
            try:
                async with own_connection(self._client, SEND_MS) as ear:
                    self._ear, self._subscribed = ear, set()
                    self._changed.set()
                    while True:
                        async with asyncio.timeout(DEAF_AFTER_TICKS * self._catch_up_ms / 1000):
                            self._take(await ear.read_response(disable_decoding=True, timeout=math.inf))
            except (RedisError, OSError):
                self._ear = None
                await asyncio.sleep(RECONNECT_MS / 1000)

    def _take(self, told: object) -> None:
        match told:
            case [b"subscribe", bytes(channel), int()]:
                seq = None
            case [b"message", bytes(channel), bytes(data)] if data.isdigit():
                seq = int(data)
            case _:
                return
        rid = self._attended.get(channel)
        if rid is not None:
            self._mark(rid, seq)

    async def _subscribe(self) -> None:
        while True:
            await self._changed.wait()
            self._changed.clear()
            wanted = set(self._attended)
            new, old = wanted - self._subscribed, self._subscribed - wanted
            if self._ear is not None:
                self._subscribed = wanted
                if new:
                    await self._tell("SUBSCRIBE", *new)
                if old:
                    await self._tell("UNSUBSCRIBE", *old)

    async def _catch_up(self) -> None:
        while True:
            await asyncio.sleep(self._catch_up_ms / 1000)
            for rid in tuple(self._silent):
                self._mark(rid, None)
            self._silent = set(self._attended.values())
            # The answer shows `_hear` that the connection lives.
            await self._tell("PING")

    async def _tell(self, *command: str | bytes) -> None:
        if self._ear is not None:
            try:
                await _send(self._ear, command)
            except (RedisError, OSError):
                return  # `_hear` finds the connection closed, or silent, and everything is subscribed to anew.

    async def _ring(self) -> None:
        while True:
            try:
                async with own_connection(self._client, SEND_MS) as hand:
                    # Nobody waits for these replies: a ring that is lost is made good by catching up.
                    await _send(hand, ("CLIENT", "REPLY", "OFF"))
                    while True:
                        await self._ringing.wait()
                        self._ringing.clear()
                        rings, self._to_ring = self._to_ring, {}
                        await _send(hand, *(("PUBLISH", keys.race_bell(rid), seq) for rid, seq in rings.items()))
            except (RedisError, OSError):
                await asyncio.sleep(RECONNECT_MS / 1000)


async def _send(connection: AbstractConnection, *commands: tuple[str | bytes | int, ...]) -> None:
    async with asyncio.timeout(SEND_MS / 1000):
        await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
