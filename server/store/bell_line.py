"""One server, for the doorbell: a connection that hears its races and one that rings for them, both renewed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Final

import hiredis
from redis.asyncio import Redis
from redis.exceptions import AskError, RedisError

from server.store import keys
from server.store.audience import CALL, Audience
from server.store.connect import own_connection
from server.store.notice import Notice, joined, pack_notice
from server.store.pipe import Pipe, Reply

__all__ = ["RECONNECT_MS", "Line", "pauses_s"]

RECONNECT_MS: Final = 100
RECONNECT_MOST_MS: Final = 5_000
"""Nobody waits for a line that is away for long: races are read each second all the same."""
CONNECT_MS: Final = 2000
DEAF_AFTER_PINGS: Final = 5
"""Pings without an answer, after which a connection is taken for dead."""
PLAIN: Final = ("SUBSCRIBE", "UNSUBSCRIBE", "PUBLISH")
SHARDED: Final = ("SSUBSCRIBE", "SUNSUBSCRIBE", "SPUBLISH")
"""As `PLAIN`, but told to the nodes of a channel's slot only."""


def pauses_s() -> Iterator[float]:
    """Yield how long to wait before each next attempt to connect, in s: twice as long each time, and never just so.

    All nodes lose a server at the same moment, and are not to come back at the same one.
    """
    most_ms = RECONNECT_MS
    while True:
        yield random.uniform(0.5, 1.0) * most_ms / 1000
        most_ms = min(2 * most_ms, RECONNECT_MOST_MS)


class Line:
    """Races of one server. `told` is called with what it tells, and with a redirection that it answers.

    `lost` is called when a connection was lost, or could not be made. With `sharded` the channels are those of slots,
    where the server knows of such (Redis 7); before, a cluster tells all channels to all nodes.
    """

    def __init__(
        self,
        client: Redis,
        sharded: bool,
        told: Callable[[Line, object], None],
        lost: Callable[[Line], None],
    ) -> None:
        self.client = client
        self._loop = asyncio.get_running_loop()
        self._sharded = sharded
        self._told, self._lost = told, lost
        self._wanted: set[str] = set()
        self._subscribed: set[str] = set()
        self._changed: set[str] = set()
        self._to_ring: dict[str, Notice] = {}
        self._to_call: set[str] = set()
        self._audience = Audience(self._loop.time)
        self._needed, self._ringing = asyncio.Event(), asyncio.Event()
        self._ear: Pipe | None = None
        self._hand: Pipe | None = None
        self._pings = 0
        self._words = self._publish = PLAIN
        self._over: asyncio.Future[None] = self._loop.create_future()

    def end(self) -> Mapping[str, Notice]:
        """Be needed no more: `hear` and `ring_on` return soon. Returns what was still to be rung."""
        self._over.set_result(None)
        self._needed.set()
        self._ringing.set()
        for pipe in (self._ear, self._hand):
            if pipe is not None:
                pipe.close()
        rings, self._to_ring = self._to_ring, {}
        return rings

    def want(self, rids: Collection[str]) -> None:
        """Hear just these races from now on."""
        wanted = set(rids)
        for rid in (self._wanted ^ wanted) | (wanted - self._subscribed):
            self.want_one(rid, wanted=rid in wanted)

    def want_one(self, rid: str, *, wanted: bool) -> None:
        """Hear a race, or hear it no longer, from the end of this turn of the loop on."""
        if wanted:
            self._wanted.add(rid)
            self._needed.set()
        else:
            self._wanted.discard(rid)
            if not self._wanted:
                self._needed.clear()
        if not self._changed:
            self._loop.call_soon(self._subscribe)
        self._changed.add(rid)

    def heard(self, rid: str) -> None:
        """Take note that the server has begun a subscription, and let the others know, who ring for each other only."""
        self._soon()
        self._to_call.add(rid)
        self._make_good(rid, self._audience.joined(rid))

    def dropped(self, rid: str) -> bool:
        """Take note that the server has ended a subscription; False where that was wanted."""
        if rid not in self._wanted:
            return False
        self._audience.left(rid)
        self._subscribed.discard(rid)
        return True

    def called(self, rid: str) -> None:
        """Take note that somebody has begun to hear a race, and ring for what was not sent since nobody did."""
        self._make_good(rid, self._audience.called(rid))

    def ring(self, rid: str, notice: Notice) -> bool:
        """Ring at the end of this turn of the loop; rings that wait are one. False where nobody else would hear it."""
        waiting = self._to_ring.get(rid)
        if waiting is None and self._audience.keeps(rid, notice.seq):
            return False
        self._soon()
        self._to_ring[rid] = joined(waiting, notice)
        return True

    def _make_good(self, rid: str, kept: Notice | None) -> None:
        if kept is not None:
            self.ring(rid, kept)

    def _soon(self) -> None:
        if not self._to_ring and not self._to_call:
            self._loop.call_soon(self._ring_all)

    async def hear(self) -> None:
        """Hear what is wanted, until the line is ended."""
        pauses = pauses_s()
        while not self._over.done():
            await self._needed.wait()
            try:
                async with own_connection(self.client, CONNECT_MS) as connection:
                    ear = Pipe(connection, self._take)
                    self._words = await self._words_for(ear)
                    self._ear, self._subscribed, self._pings = ear, set(), 0
                    pauses = pauses_s()
                    self._changed |= self._wanted
                    self._subscribe()
                    await self._until_lost(ear)
            except (RedisError, OSError):
                pass  # As when it is lost.
            self._ear = None
            self._audience.deaf()
            await self._pause(pauses)

    def ping(self) -> None:
        """Let the server answer, which shows that the connection lives; one that is dead is renewed."""
        self._pings += 1
        if self._ear is not None and self._pings > DEAF_AFTER_PINGS:
            self._ear.close()
        elif self._ear is not None:
            self._ear.send(_packed("PING"))

    async def ring_on(self) -> None:
        """Hold the connection that rings, from the first ring on, until the line is ended.

        Nobody waits for the replies, and few are asked for: a ring that is lost is made good by catching up.
        """
        pauses = pauses_s()
        while not self._over.done():
            await self._ringing.wait()
            try:
                async with own_connection(self.client, CONNECT_MS) as connection:
                    hand = Pipe(connection, self._counted)
                    self._publish = await self._words_for(hand)
                    hand.send(SILENT)
                    self._hand, pauses = hand, pauses_s()
                    self._ring_all()
                    await self._until_lost(hand)
            except (RedisError, OSError):
                pass  # As when it is lost.
            self._hand = None
            self._audience.unanswered()
            await self._pause(pauses)

    async def _until_lost(self, pipe: Pipe) -> None:
        if self._over.done():
            pipe.close()
        await pipe.lost

    async def _pause(self, pauses: Iterator[float]) -> None:
        if not self._over.done():
            self._lost(self)
            await asyncio.wait((self._over,), timeout=next(pauses))

    def _take(self, told: Reply) -> None:
        self._pings = 0
        if isinstance(told, Exception) and not isinstance(told, AskError):
            if self._ear is not None:
                self._ear.close()
        else:
            self._told(self, told)

    def _subscribe(self) -> None:
        """Tell the server what of that which is wanted has changed."""
        changed, self._changed = self._changed, set()
        if self._ear is None:
            return
        subscribe, unsubscribe, _ = self._words
        # One command each: channels of several slots may not be named together.
        packed = []
        for rid in changed:
            if rid in self._wanted and rid not in self._subscribed:
                self._subscribed.add(rid)
                packed.append(_packed(subscribe, keys.race_bell(rid)))
            elif rid in self._subscribed and rid not in self._wanted:
                self._subscribed.discard(rid)
                self._make_good(rid, self._audience.left(rid))
                packed.append(_packed(unsubscribe, keys.race_bell(rid)))
        if packed:
            self._ear.send(b"".join(packed))

    def _ring_all(self) -> None:
        self._ringing.set()
        if self._hand is None:
            return
        rings, self._to_ring = self._to_ring, {}
        calls, self._to_call = self._to_call, set()
        publish = self._publish[-1]
        counted = list[bytes]()
        others = [_packed(publish, keys.race_bell(rid), CALL) for rid in calls]
        for rid, notice in rings.items():
            ring = _packed(publish, keys.race_bell(rid), pack_notice(notice))
            (counted if self._audience.counts(rid) else others).append(ring)
        if counted:
            others += [ANSWERED, *counted, SILENT]
        if others:
            self._hand.send(b"".join(others))

    def _counted(self, reply: Reply) -> None:
        if reply != ANSWERING:
            self._audience.counted(reply)

    async def _words_for(self, pipe: Pipe) -> tuple[str, str, str]:
        if not self._sharded:
            return PLAIN
        (known,) = await pipe.exchange(_packed("COMMAND", "INFO", SHARDED[-1]), 1, CONNECT_MS / 1000)
        return SHARDED if isinstance(known, list) and known[0] is not None else PLAIN


def _packed(*command: str | bytes | int) -> bytes:
    packed: bytes = hiredis.pack_command(command)  # type: ignore[arg-type]
    return packed


ANSWERED: Final = _packed("CLIENT", "REPLY", "ON")
SILENT: Final = _packed("CLIENT", "REPLY", "OFF")
ANSWERING: Final = b"OK"
"""What is answered to `ANSWERED` itself."""
