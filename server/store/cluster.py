"""A cluster of Redis as one client: each command goes to the master of its key, wherever that is by now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from typing import Any, Final, TypeVar

from redis import exceptions
from redis.asyncio import Redis
from redis.asyncio.client import Pipeline
from redis.commands.core import AsyncScript
from redis.exceptions import (
    AskError,
    ClusterDownError,
    MovedError,
    NoScriptError,
    ResponseError,
    TryAgainError,
)

from server.store.masters import Masters
from server.store.slots import slot_of

__all__ = ["UNANSWERED", "Cluster", "masters_of"]

TURNS: Final = 3
"""Redirections that are followed at once: while a slot moves, two masters may each name the other."""
PAUSE_S: Final = 0.05
"""Before a command is sent again that nobody can carry out just now: its keys, or its master, are changing place."""
UNANSWERED: Final = (exceptions.ConnectionError, exceptions.TimeoutError, OSError)
"""What is raised where nobody knows whether a command was carried out."""
NOT_HERE: Final = (AskError, TryAgainError, ClusterDownError)
"""What Redis answers that has not carried out a command, but may soon, or elsewhere (MOVED is an ASK for good)."""
EVERYWHERE: Final = frozenset({"FLUSHALL", "SCRIPT FLUSH"})

Call = tuple[tuple[Any, ...], Mapping[str, Any]]
"""A command's words, and the options by which the library reads its reply."""

T = TypeVar("T")


class Cluster(Redis):
    """All masters of a cluster; `one` makes the client of a server from its URL.

    A command that no master has carried out (MOVED, ASK, TRYAGAIN, CLUSTERDOWN, NOSCRIPT) is sent again, for as long as
    an answer may take. One whose reply was lost is not: as with one Redis, it raises. Commands without a key, the time
    among them, are the business of one master: that of the nodes' leases.
    """

    def __init__(self, urls: Sequence[str], one: Callable[[str], Redis], timeout_ms: int) -> None:
        self.masters = Masters(urls, one)
        super().__init__(connection_pool=self.masters.seeds[0].connection_pool)
        self._timeout_s = timeout_ms / 1000
        self._texts: dict[str, str] = {}

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Close the connections to all nodes."""
        await self.masters.aclose()

    async def carried_out(self, slot: int | None, send: Callable[[Redis, bool], Awaitable[T]]) -> T:
        """Let `send(client, asking)` send what is for a slot until somebody carries it out; returns its result.

        `asking`: the slot is on its way there, and the command is to follow an ASKING. Raises what `send` raises but
        for the errors that mean that nothing was carried out; those too, when an answer has taken too long.
        """
        until = asyncio.get_running_loop().time() + self._timeout_s
        client, asking, turns = None, False, 0
        while True:
            turns += 1
            try:
                if client is None:
                    client = await self.masters.of(slot)
                return await send(client, asking)
            except NOT_HERE as fault:
                if asyncio.get_running_loop().time() >= until:
                    raise
                if isinstance(fault, AskError) and client is not None:
                    asking = not isinstance(fault, MovedError)
                    client = self.masters.named(fault, client) if asking else self.masters.moved(fault, client)
                else:
                    if isinstance(fault, ClusterDownError):
                        self.masters.look_again()
                    client, asking = None, False
                if client is None or turns > TURNS:
                    await asyncio.sleep(PAUSE_S)
            except UNANSWERED:
                if client is not None:
                    self.masters.suspect(client)
                raise

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out a command where its key is, and return its parsed reply."""
        if args[0] in EVERYWHERE:
            told = [await self._sent(client, False, args, options) for client in await self.masters.all()]
            return told[0]
        return await self._alone((args, options))

    def register_script(self, script: str | bytes) -> AsyncScript:  # type: ignore[override]
        """Return a script that can be called; a master that does not know it yet is given its text."""
        registered = super().register_script(script)
        self._texts[registered.sha] = script.decode() if isinstance(script, bytes) else script
        return registered

    def pipeline(self, transaction: bool = True, shard_hint: str | None = None) -> Pipeline:
        """Return a pipeline: a transaction if all its keys are in one slot, else any commands, in parts."""
        return _Split(self, transaction)

    async def scan_iter(  # type: ignore[override]
        self, match: Any = None, count: int | None = None, _type: str | None = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Yield the keys of all masters; one that changes its place meanwhile may be told twice or not at all."""
        for client in await self.masters.all():
            async for key in client.scan_iter(match, count, _type, **options):
                yield key

    async def together(self, calls: Sequence[Call]) -> list[Any]:
        """Carry out commands, those of each master in one go; errors that Redis answers stand among the replies."""
        replies: list[Any] = [None] * len(calls)
        parts: dict[Redis, list[int]] = {}
        for place, (args, _) in enumerate(calls):
            try:
                parts.setdefault(await self.masters.of(slot_of(args)), []).append(place)
            except ClusterDownError as fault:
                replies[place] = fault
        told = await asyncio.gather(
            *(self._at_once(client, [calls[place] for place in places]) for client, places in parts.items()),
            return_exceptions=True,
        )
        for (client, places), part in zip(parts.items(), told, strict=True):
            if isinstance(part, BaseException):
                if isinstance(part, UNANSWERED):
                    self.masters.suspect(client)
                raise part
            for place, reply in zip(places, part, strict=True):
                replies[place] = reply
        for place, reply in enumerate(replies):
            if isinstance(reply, (*NOT_HERE, NoScriptError)):
                try:
                    replies[place] = await self._alone(calls[place])
                except ResponseError as fault:
                    replies[place] = fault
        return replies

    async def as_one(self, calls: Sequence[Call]) -> list[Any]:
        """Carry out commands as a transaction. Raises ValueError where their keys are in several slots."""
        slots = {slot_of(args) for args, _ in calls}
        if len(slots) != 1:
            raise ValueError(f"expected the keys of a transaction in one slot, found them in {len(slots)}")

        async def send(client: Redis, asking: bool) -> list[Any]:
            async with client.pipeline(transaction=True) as pipe:
                if asking:
                    await pipe.immediate_execute_command("ASKING")  # type: ignore[no-untyped-call]
                pipe.command_stack = [(args, dict(options)) for args, options in calls]
                return list(await pipe.execute(raise_on_error=False))

        return await self.carried_out(slots.pop(), send)

    async def _alone(self, call: Call) -> Any:
        args, options = call

        async def send(client: Redis, asking: bool) -> Any:
            try:
                return await self._sent(client, asking, args, options)
            except NoScriptError:
                if args[1] not in self._texts:
                    raise
                # Its text makes it known there from now on.
                return await self._sent(client, asking, ("EVAL", self._texts[args[1]], *args[2:]), options)

        return await self.carried_out(slot_of(args), send)

    async def _sent(self, client: Redis, asking: bool, args: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
        if not asking:
            return await client.execute_command(*args, **options)  # type: ignore[no-untyped-call]
        _, reply = await self._at_once(client, [(("ASKING",), {}), (args, options)])
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def _at_once(self, client: Redis, calls: Sequence[Call]) -> list[Any]:
        async with client.pipeline(transaction=False) as pipe:
            pipe.command_stack = [(args, dict(options)) for args, options in calls]
            return list(await pipe.execute(raise_on_error=False))


async def masters_of(client: Redis) -> list[Redis]:
    """Return a client of each master; that of one Redis is its own. Raises RedisError, OSError."""
    return await client.masters.all() if isinstance(client, Cluster) else [client]


class _Split(Pipeline):
    """A pipeline that a cluster carries out."""

    def __init__(self, cluster: Cluster, transaction: bool) -> None:
        super().__init__(cluster.connection_pool, cluster.response_callbacks, transaction, None)
        self._cluster = cluster

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Carry out what was collected; the replies stand in its order."""
        stack = self.command_stack
        try:
            if not stack:
                return []
            carry_out = self._cluster.as_one if self.is_transaction else self._cluster.together
            replies = await carry_out(stack)
            if raise_on_error:
                self.raise_first_error(stack, replies)
            return replies
        finally:
            await self.reset()  # type: ignore[no-untyped-call]
