"""The doorbell: tells the nodes that have a race open that there is something new in its log."""

import asyncio
from collections.abc import AsyncIterator, Callable, Coroutine
from types import TracebackType
from typing import Final, Self

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import MovedError, RedisError

from server.store import keys
from server.store.audience import CALL
from server.store.bell_line import RECONNECT_MS, Line
from server.store.cluster import Cluster
from server.store.notice import Notice, joined, seq_in
from server.store.slots import slot_of_key

CATCH_UP_MS: Final = 1000
SLICES: Final = 50
"""Most parts of the catch-up time: in each a part of the races is caught up with, for thousands at once would stand
before every move."""
SLICE: Final = 20
"""Least races in a part, unless there are fewer in all: each part wakes the node."""


class Rung(Struct, frozen=True):
    """There may be something new in a race's log: up to `seq` if that was told, else unknown."""

    rid: str
    seq: int | None


class Bell:
    """One node's doorbell: rings for all, hears for the races that it attends; an asynchronous context.

    It owns a line to Redis; in a cluster, one to each master, for the races of its slots, while it has any. A ring
    may be lost: a race that is attended counts as rung when its subscription begins, also anew, and whenever it was
    silent for `catch_up_ms`. `news(race, seq, data)` may say of a ring that there is nothing to be done about it, as
    about one's own: it is passed over. `data` is what was published (`notice.entries_in`).
    """

    def __init__(
        self,
        client: Redis,
        catch_up_ms: int = CATCH_UP_MS,
        news: Callable[[str, int, bytes], bool] = lambda rid, seq, data: True,
    ) -> None:
        self._client = client
        self._catch_up_ms = catch_up_ms
        self._news = news
        self._cluster = client if isinstance(client, Cluster) else None
        self._attended: set[str] = set()
        self._to_place: dict[str, Notice] = {}
        self._silent: set[str] = set()
        self._rung: dict[str, int | None] = {}
        self._lines: dict[Redis, Line] = {}
        self._only: Line | None = None
        """The line for all races, where there is no cluster."""
        self._heard, self._changed = asyncio.Event(), asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._start(self._share_out(), "share out")
        self._start(self._catch_up(), "catch up")
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
        self._attended.add(rid)
        self._want(rid, wanted=True)

    def leave(self, rid: str) -> None:
        """Hear a race no longer."""
        if rid in self._attended:
            self._attended.remove(rid)
            self._rung.pop(rid, None)
            self._silent.discard(rid)
            self._want(rid, wanted=False)

    def ring(self, rid: str, notice: Notice, *, known: bool = False) -> None:
        """Ring for a race whose log has grown; returns at once, this node hears it too.

        `known`: there is nothing to be done here about what it tells.
        """
        line = self._only or self._line_to(rid)
        if line is None:
            self._to_place[rid] = joined(self._to_place.get(rid), notice)
            self._changed.set()
        elif not line.ring(rid, notice):
            if known:
                self._silent.discard(rid)
            else:
                self._hear(rid, notice.seq, b"")

    async def rung(self) -> AsyncIterator[Rung]:
        """Yield races as they are rung, each once however often it was rung meanwhile, until the context ends."""
        while True:
            while self._rung:
                rid = next(iter(self._rung))
                yield Rung(rid, self._rung.pop(rid))
            self._heard.clear()
            await self._heard.wait()
            if ended := [task for task in self._tasks if _broken_off(task)]:
                for task in ended:
                    if not task.cancelled():
                        task.result()  # Raises what ended it: no side task dies unnoticed.
                return

    def _start(self, work: Coroutine[None, None, None], name: str) -> None:
        task = asyncio.create_task(work, name=f"bell {name}")
        task.add_done_callback(self._done)
        self._tasks.append(task)

    def _done(self, task: asyncio.Task[None]) -> None:
        if _broken_off(task):
            self._heard.set()
        else:
            self._tasks.remove(task)

    def _line_to(self, rid: str) -> Line | None:
        """Return the line to who serves a race's channel; None where that is not known."""
        owner = self._client if self._cluster is None else self._cluster.masters.owner(_slot_of(rid))
        return None if owner is None else self._line(owner)

    def _want(self, rid: str, *, wanted: bool) -> None:
        """Let the line to who serves a race's channel hear it, or not; where that is not known, share out anew."""
        line = self._line_to(rid)
        if line is None:
            self._changed.set()
        else:
            line.want_one(rid, wanted=wanted)

    def _mark(self, rid: str, seq: int | None) -> None:
        self._silent.discard(rid)
        known = self._rung.get(rid, 0)
        self._rung[rid] = None if seq is None or known is None else max(seq, known)
        self._heard.set()

    def _line(self, client: Redis) -> Line:
        line = self._lines.get(client)
        if line is None:
            line = self._lines[client] = Line(client, self._cluster is not None, self._told, self._lost)
            if self._cluster is None:
                self._only = line
            self._start(line.hear(), "hear")
            self._start(line.ring_on(), "ring")
        return line

    def _told(self, line: Line, told: object) -> None:
        match told:
            case [b"message" | b"smessage", bytes() as channel, bytes() as data]:
                rid, seq = keys.race_rung(channel), seq_in(data)
                if data == CALL:
                    line.called(rid)
                if seq is None:
                    return
            case [b"subscribe" | b"ssubscribe", bytes() as channel, int()]:
                rid, seq, data = keys.race_rung(channel), None, b""
                line.heard(rid)
            case [b"sunsubscribe", bytes() as channel, int()] if self._cluster is not None:
                if line.dropped(keys.race_rung(channel)):
                    # Its slot has moved.
                    self._cluster.masters.look_again()
                    self._changed.set()
                return
            case MovedError() if self._cluster is not None:
                self._cluster.masters.moved(told, line.client)
                self._changed.set()
                return
            case _:
                return
        self._hear(rid, seq, data)

    def _hear(self, rid: str, seq: int | None, data: bytes) -> None:
        if rid not in self._attended:
            return
        if seq is None or self._news(rid, seq, data):
            self._mark(rid, seq)
        else:
            self._silent.discard(rid)

    def _lost(self, line: Line) -> None:
        if self._cluster is not None:
            self._cluster.masters.suspect(line.client)
            self._changed.set()

    async def _share_out(self) -> None:
        """Let each line hear those attended races whose channels are there, and ring what is to be rung, for ever."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            try:
                for rid in tuple(self._to_place):
                    line = self._line(await self._owner(rid))
                    notice = self._to_place.pop(rid)
                    if not line.ring(rid, notice):
                        self._hear(rid, notice.seq, b"")
                wanted: dict[Redis, list[str]] = {}
                for rid in tuple(self._attended):
                    wanted.setdefault(await self._owner(rid), []).append(rid)
                serving = await self._end_lines()
            except (RedisError, OSError):
                self._changed.set()
                await asyncio.sleep(RECONNECT_MS / 1000)
                continue
            if self._to_place or not wanted.keys() <= serving:
                # Masters have changed meanwhile: all is shared out once more.
                self._changed.set()
            for client in (wanted.keys() | self._lines.keys()) & serving:
                self._line(client).want(wanted.get(client, ()))

    async def _end_lines(self) -> set[Redis]:
        """End the lines to servers that serve no slot any more, and return those that do.

        What was to be rung where a line is ended is yet to be placed.
        """
        if self._cluster is None:
            return {self._client}
        serving = set(await self._cluster.masters.all())
        for client in self._lines.keys() - serving:
            for rid, notice in self._lines.pop(client).end().items():
                self._to_place[rid] = joined(notice, self._to_place.get(rid, notice))
        return serving

    async def _owner(self, rid: str) -> Redis:
        return self._client if self._cluster is None else await self._cluster.masters.of(_slot_of(rid))

    async def _catch_up(self) -> None:
        while True:
            attended = tuple(self._attended)
            slices = min(len(attended) // SLICE, SLICES) or 1
            for first in range(slices):
                await asyncio.sleep(self._catch_up_ms / 1000 / slices)
                for rid in attended[first::slices]:
                    if rid in self._silent:
                        self._mark(rid, None)
                    if rid in self._attended:
                        self._silent.add(rid)
            for line in tuple(self._lines.values()):
                line.ping()


def _slot_of(rid: str) -> int:
    return slot_of_key(keys.race_bell(rid))


def _broken_off(task: asyncio.Task[None]) -> bool:
    """Tell whether a task is over that was to go on; those of a line that was ended return."""
    return task.done() and (task.cancelled() or task.exception() is not None)
