"""Group commit on a cluster: a pipeline to each master, and each command where its key is by now."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import Final, Self

import hiredis
from redis.asyncio import Redis
from redis.exceptions import AskError, RedisError, ResponseError

from server.store import keys
from server.store.batch import Batch, Command, ReplyLost, Told, Word
from server.store.cluster import UNANSWERED, Cluster
from server.store.connect import StoreUnavailable, own_connection
from server.store.masters import Masters
from server.store.pipe import Pipe, Reply
from server.store.slots import key_in, slot_of, slot_of_key

__all__ = ["Batches", "batch_of"]

ASKING: Final = hiredis.pack_command(("ASKING",))


def batch_of(client: Redis, name: str, *, timeout_ms: int, replicas: int) -> Batch | Batches:
    """Return what groups commands to one Redis, or to a cluster."""
    if isinstance(client, Cluster):
        return Batches(client, name, timeout_ms=timeout_ms, replicas=replicas)
    return Batch(client, name, timeout_ms=timeout_ms, replicas=replicas)


class Batches:
    """As `Batch`, with one of its own to each master; a command that one has not carried out goes to the next."""

    def __init__(self, cluster: Cluster, name: str, *, timeout_ms: int, replicas: int) -> None:
        self._cluster, self._name = cluster, name
        self._timeout_ms, self._replicas = timeout_ms, replicas
        self._batches: dict[Redis, _MasterBatch] = {}
        self._open = False

    async def __aenter__(self) -> Self:
        self._open = True
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._open = False
        await asyncio.gather(*(batch.__aexit__(kind, error, trace) for batch in self._batches.values()))

    async def call(self, *command: Word) -> Reply:
        """Send one command with the next pipeline to its master and return its reply; raises as `Batch.call`."""
        if not self._open:
            raise StoreUnavailable("this node is closing")

        async def send(client: Redis, asking: bool) -> Reply:
            try:
                return await (self._ask(client, command) if asking else (await self._to(client)).call(*command))
            except ReplyLost:
                self._cluster.masters.suspect(client)
                raise

        try:
            return await self._cluster.carried_out(slot_of(command), send)
        except UNANSWERED as fault:
            raise ReplyLost(str(fault)) from fault

    def put(self, command: Command, told: Told) -> None:
        """Let a command go out once, to who is known as its master; its reply is told as by `Batch.put`.

        Errors of a cluster are answers to it, too. Raises `StoreUnavailable` at once where no pipeline is there yet.
        """
        slot = slot_of(command)
        owner = None if slot is None else self._cluster.masters.owner(slot)
        batch = None if owner is None else self._batches.get(owner)
        if batch is None:
            raise StoreUnavailable("there is no pipeline to that master yet")
        batch.put(command, told)

    async def _to(self, client: Redis) -> _MasterBatch:
        batch = self._batches.get(client)
        if batch is None:
            batch = _MasterBatch(self._cluster.masters, client, self._name, self._timeout_ms, self._replicas)
            self._batches[client] = batch
            await batch.__aenter__()
        return batch

    async def _ask(self, client: Redis, command: Command) -> Reply:
        """Send a command to a master that is being given its slot; that is rare, and has a connection to itself."""
        batch = await self._to(client)
        words = [("ASKING",), command, *(batch.replicated() if self._replicas else ())]
        packed = b"".join([hiredis.pack_command(word) for word in words])
        try:
            async with own_connection(client, self._timeout_ms) as connection:
                replies = await Pipe(connection).exchange(packed, len(words), self._timeout_ms / 1000)
        except (RedisError, OSError) as fault:
            raise ReplyLost(str(fault) or f"no reply within {self._timeout_ms} ms") from fault
        reply = replies[1]
        if isinstance(reply, ResponseError):
            raise reply
        if self._replicas and (not_held := batch.not_held(*replies[-2:])):
            raise ReplyLost(not_held)
        return reply


class _MasterBatch(Batch):
    """A batch that writes, before a WAIT, in a slot of its master's own."""

    def __init__(self, masters: Masters, client: Redis, name: str, timeout_ms: int, replicas: int) -> None:
        super().__init__(client, name, timeout_ms=timeout_ms, replicas=replicas)
        self._masters, self._mark = masters, keys.REPLICATED
        self._leaving: set[int] = set()

    def replicated(self) -> tuple[Command, Command]:
        slot = slot_of_key(self._mark)
        if slot in self._leaving or self._masters.owner(slot) is not self._client:
            slots = set(self._masters.slots(self._client)) - self._leaving
            self._mark = key_in(slots, keys.REPLICATED) if slots else keys.REPLICATED
        _, wait = super().replicated()
        return ("SET", self._mark, "", "EX", 60), wait

    def not_held(self, mark: Reply, held: Reply) -> str:
        if isinstance(mark, AskError):
            # On its way to another master, where a key of that name would stand in the way of this one.
            self._leaving.add(mark.slot_id)
        return super().not_held(mark, held)
