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
    RedisError,
    ResponseError,
    TryAgainError,
)

from server.store import keys
from server.store.slots import SLOTS, served, slot_of, slot_of_key
from server.store.url import Address, address_in, with_address

__all__ = ["UNANSWERED", "Cluster"]

PAUSE_S: Final = 0.05
"""Before a command is sent again that nobody can carry out just now: its keys, or its master, are changing place."""
LEARN_AGAIN_S: Final = 0.1
"""Between two times of asking who serves which slot."""
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
        self._url, self._one = urls[0], one
        self._clients: dict[Address, Redis] = {}
        self._seeds = [self._at(address_in(url)) for url in urls]
        super().__init__(connection_pool=self._seeds[0].connection_pool)
        self._timeout_s = timeout_ms / 1000
        self._owners: list[Redis | None] = [None] * SLOTS
        # How often there was reason to ask who serves which slot, and how many of those times the table answers.
        self._doubts, self._settled = 1, 0
        self._learned_at = -LEARN_AGAIN_S
        self._suspects: set[Redis] = set()
        self._told_of: Redis | None = None
        self._learning = asyncio.Lock()
        self._texts: dict[str, str] = {}

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Close the connections to all nodes."""
        for client in self._clients.values():
            await client.aclose(close_connection_pool)

    async def master(self, slot: int | None = None) -> Redis:
        """Return a client of the master of a slot, or of what has no key. Raises RedisError, OSError."""
        if self._settled < self._doubts:
            await self._learn()
        found = self._owners[slot_of_key(keys.NODES) if slot is None else slot]
        if found is None:
            self._doubts += 1
            raise ClusterDownError(f"CLUSTERDOWN nobody serves slot {slot}")
        return found

    async def masters(self) -> list[Redis]:
        """Return a client of each master that serves slots. Raises RedisError, OSError."""
        await self.master()
        return list(dict.fromkeys(filter(None, self._owners)))

    def suspect(self, client: Redis) -> None:
        """Note that a node does not answer: another may serve its slots by now."""
        self._suspects.add(client)
        self._doubts += 1

    def owner(self, slot: int) -> Redis | None:
        """Return a client of the master of a slot as far as it is known now, asking nobody."""
        return self._owners[slot]

    def slots(self, client: Redis) -> list[int]:
        """Return the slots that a master serves as far as it is known now."""
        return [slot for slot, owner in enumerate(self._owners) if owner is client]

    def look_again(self) -> None:
        """Note that slots have moved."""
        self._doubts += 1

    def moved(self, fault: AskError, answered: Redis) -> Redis:
        """Take note where a slot is for good, as `answered` has told; returns the client of that master."""
        named = self._named(fault, answered)
        # It knows best; and where one slot has moved, others may have.
        self._owners[fault.slot_id] = self._told_of = named
        self._doubts += 1
        return named

    async def carried_out(self, slot: int | None, send: Callable[[Redis, bool], Awaitable[T]]) -> T:
        """Let `send(client, asking)` send what is for a slot until somebody carries it out; returns its result.

        `asking`: the slot is on its way there, and the command is to follow an ASKING. Raises what `send` raises but
        for the errors that mean that nothing was carried out; those too, when an answer has taken too long.
        """
        until = asyncio.get_running_loop().time() + self._timeout_s
        client, asking = None, False
        while True:
            try:
                if client is None:
                    client = await self.master(slot)
                return await send(client, asking)
            except NOT_HERE as fault:
                if asyncio.get_running_loop().time() >= until:
                    raise
                if isinstance(fault, AskError) and client is not None:
                    asking = not isinstance(fault, MovedError)
                    client = self._named(fault, client) if asking else self.moved(fault, client)
                else:
                    self._doubts += isinstance(fault, ClusterDownError)
                    await asyncio.sleep(PAUSE_S)
                    client, asking = None, False
            except UNANSWERED:
                if client is not None:
                    self.suspect(client)
                raise

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry out a command where its key is, and return its parsed reply."""
        if args[0] in EVERYWHERE:
            told = [await self._sent(client, False, args, options) for client in await self.masters()]
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
        for client in await self.masters():
            async for key in client.scan_iter(match, count, _type, **options):
                yield key

    async def together(self, calls: Sequence[Call]) -> list[Any]:
        """Carry out commands, those of each master in one go; errors that Redis answers stand among the replies."""
        replies: list[Any] = [None] * len(calls)
        parts: dict[Redis, list[int]] = {}
        for place, (args, _) in enumerate(calls):
            try:
                parts.setdefault(await self.master(slot_of(args)), []).append(place)
            except ClusterDownError as fault:
                replies[place] = fault
        told = await asyncio.gather(
            *(self._at_once(client, [calls[place] for place in places]) for client, places in parts.items()),
            return_exceptions=True,
        )
        for (client, places), part in zip(parts.items(), told, strict=True):
            if isinstance(part, BaseException):
                if isinstance(part, UNANSWERED):
                    self.suspect(client)
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

    async def _learn(self) -> None:
        """Ask one node after another who serves which slot. Raises what the last one raised."""
        async with self._learning:
            now = asyncio.get_running_loop().time()
            doubts = self._doubts
            if self._settled == doubts or (self._settled and now < self._learned_at + LEARN_AGAIN_S):
                return
            self._learned_at = now
            last: Exception | None = None
            for client in self._informed():
                try:
                    told = await self._sent(client, False, ("CLUSTER", "SLOTS"), {})
                except (RedisError, OSError) as fault:
                    last = fault
                    self._suspects.add(client)
                    continue
                runs = list(served(told, self._address(client)[0]))
                if not runs:
                    last = ClusterDownError("CLUSTERDOWN it knows of no master")
                    continue
                self._suspects.discard(client)
                self._owners, self._told_of, self._settled = [None] * SLOTS, None, doubts
                for run in runs:
                    self._owners[run.first : run.last + 1] = [self._at(run.master)] * (run.last + 1 - run.first)
                return
            assert last is not None
            raise last

    def _informed(self) -> list[Redis]:
        """Return the nodes that may know, those first that are likely to know best."""
        told = [] if self._told_of is None else [self._told_of]
        known = dict.fromkeys(
            [*told, *filter(None, dict.fromkeys(self._owners)), *self._seeds, *self._clients.values()]
        )
        return sorted(known, key=lambda client: client in self._suspects)

    def _named(self, fault: AskError, answered: Redis) -> Redis:
        """Return the client of the node that a redirection names; without a host it is that of who answered."""
        host, port = fault.node_addr
        return self._at((host or self._address(answered)[0], int(port)))

    def _at(self, address: Address) -> Redis:
        client = self._clients.get(address)
        if client is None:
            client = self._clients[address] = self._one(with_address(self._url, address))
        return client

    def _address(self, client: Redis) -> Address:
        return next(address for address, one in self._clients.items() if one is client)


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
