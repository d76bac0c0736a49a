"""One server, for the doorbell: a connection that hears its channels and one that rings them, both renewed."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Collection
from typing import Final

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import AskError, RedisError

from server.store.connect import own_connection

__all__ = ["RECONNECT_MS", "Line"]

RECONNECT_MS: Final = 100
SEND_MS: Final = 2000
PLAIN: Final = ("SUBSCRIBE", "UNSUBSCRIBE", "PUBLISH")
SHARDED: Final = ("SSUBSCRIBE", "SUNSUBSCRIBE", "SPUBLISH")
"""As `PLAIN`, but told to the nodes of a channel's slot only."""


class Line:
    """Channels of one server. `told` is called with what it tells, and with a redirection that it answers.

    `lost` is called when the connection that hears was lost, or could not be made. With `sharded` the channels are
    those of slots, where the server knows of such (Redis 7); before, a cluster tells all channels to all nodes.
    """

    def __init__(
        self,
        client: Redis,
        sharded: bool,
        deaf_after_s: float,
        told: Callable[[Line, object], None],
        lost: Callable[[Line], None],
    ) -> None:
        self.client = client
        self._sharded, self._deaf_after_s = sharded, deaf_after_s
        self._told, self._lost = told, lost
        self._wanted: frozenset[bytes] = frozenset()
        self._subscribed: frozenset[bytes] = frozenset()
        self._to_ring: dict[bytes, int] = {}
        self._needed, self._changed, self._ringing = asyncio.Event(), asyncio.Event(), asyncio.Event()
        self._ear: AbstractConnection | None = None
        self._words = PLAIN

    def want(self, channels: Collection[bytes]) -> None:
        """Hear just these channels from now on."""
        self._wanted = frozenset(channels)
        if self._wanted:
            self._needed.set()
        else:
            self._needed.clear()
        self._changed.set()

    def dropped(self, channel: bytes) -> bool:
        """Take note that the server has ended a subscription; False where that was wanted."""
        if channel not in self._wanted:
            return False
        self._subscribed -= {channel}
        return True

    def ring(self, channel: bytes, seq: int) -> None:
        """Ring soon; of rings that wait the highest counts."""
        self._to_ring[channel] = max(seq, self._to_ring.get(channel, 0))
        self._ringing.set()

    async def hear(self) -> None:
        """Hear what is wanted, for ever."""
        while True:
            await self._needed.wait()
            try:
                async with own_connection(self.client, SEND_MS) as ear:
                    self._words = await self._words_for(ear)
                    self._ear, self._subscribed = ear, frozenset()
                    self._changed.set()
                    while True:
                        async with asyncio.timeout(self._deaf_after_s):
                            self._told(self, await _told(ear))
            except (RedisError, OSError):
                self._ear = None
                self._lost(self)
                await asyncio.sleep(RECONNECT_MS / 1000)

    async def subscribe(self) -> None:
        """Tell the server what is wanted, for ever."""
        while True:
            await self._changed.wait()
            self._changed.clear()
            if self._ear is None:
                continue
            new, old = self._wanted - self._subscribed, self._subscribed - self._wanted
            self._subscribed = self._wanted
            subscribe, unsubscribe, _ = self._words
            # One command each: channels of several slots may not be named together.
            await self._tell(
                *((subscribe, channel) for channel in new),
                *((unsubscribe, channel) for channel in old),
            )

    async def ping(self) -> None:
        """Let the server answer, which shows `hear` that the connection lives."""
        await self._tell(("PING",))

    async def ring_on(self) -> None:
        """Ring, for ever. Nobody waits for the replies: a ring that is lost is made good by catching up."""
        while True:
            await self._ringing.wait()
            try:
                async with own_connection(self.client, SEND_MS) as hand:
                    _, _, publish = await self._words_for(hand)
                    await _send(hand, ("CLIENT", "REPLY", "OFF"))
                    while True:
                        await self._ringing.wait()
                        self._ringing.clear()
                        rings, self._to_ring = self._to_ring, {}
                        await _send(hand, *((publish, channel, seq) for channel, seq in rings.items()))
            except (RedisError, OSError):
                await asyncio.sleep(RECONNECT_MS / 1000)

    async def _words_for(self, connection: AbstractConnection) -> tuple[str, str, str]:
        if not self._sharded:
            return PLAIN
        await _send(connection, ("COMMAND", "INFO", SHARDED[-1]))
        async with asyncio.timeout(SEND_MS / 1000):
            known = await _told(connection)
        return SHARDED if isinstance(known, list) and known[0] is not None else PLAIN

    async def _tell(self, *commands: tuple[str | bytes, ...]) -> None:
        if self._ear is not None and commands:
            try:
                await _send(self._ear, *commands)
            except (RedisError, OSError):
                return  # `hear` finds the connection closed, or silent, and everything is subscribed to anew.


async def _told(connection: AbstractConnection) -> object:
    """Return the next thing that a server tells; a redirection is one, other errors are raised."""
    try:
        return await connection.read_response(disable_decoding=True, timeout=math.inf)
    except AskError as redirection:
        return redirection


async def _send(connection: AbstractConnection, *commands: tuple[str | bytes | int, ...]) -> None:
    async with asyncio.timeout(SEND_MS / 1000):
        await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
