"""The log in Redis: append what was decided on what has been seen, read what followed, exactly once each."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from enum import StrEnum
from types import TracebackType
from typing import Final, Self, cast

from redis.asyncio import Redis
from redis.exceptions import NoScriptError, ResponseError

from engine.log.entry import GENESIS, START, Cursor, Entry, LogError
from server.store import keys
from server.store.append import SCRIPT, Behind, Forked, Outcome, append_command, found_in, outcome_of, unreadable
from server.store.batch import Batch, Command, ReplyLost, Word
from server.store.batches import Batches, batch_of
from server.store.connect import StoreUnavailable
from server.store.pipe import Reply
from server.store.stored import entries_after

PAGE: Final = 4096
SCANNED: Final = 1000
"""Keys that Redis looks at in one go when it is asked for all logs."""
FIRST_PAUSE_MS: Final = 20


class Durability(StrEnum):
    """When an entry counts as kept, so that it may be told."""

    FSYNC = "fsync"
    AOF = "aof"
    REPLICA = "replica"


class Log:
    """The logs of all races in one Redis, for one node; an asynchronous context that owns two connections."""

    def __init__(
        self,
        client: Redis,
        *,
        durability: Durability = Durability.FSYNC,
        timeout_ms: int = 3000,
        give_up_ms: int = 6000,
    ) -> None:
        replicas = 1 if durability is Durability.REPLICA else 0
        # Two pipelines, so that a long read never stands before a move.
        self._writes = batch_of(client, "log writes", timeout_ms=timeout_ms, replicas=replicas)
        self._reads = batch_of(client, "log reads", timeout_ms=timeout_ms, replicas=replicas)
        self._give_up_ms = give_up_ms

    async def __aenter__(self) -> Self:
        await self._writes.__aenter__()
        await self._reads.__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._writes.__aexit__(kind, error, trace)
        await self._reads.__aexit__(kind, error, trace)

    async def append(
        self,
        rid: str,
        seen: Cursor,
        lane: str,
        bodies: Sequence[tuple[bytes, bytes]],
        *,
        start_ms: int | None = None,
        until_ms: int | None = None,
        begun: bool = False,
    ) -> Outcome:
        """Append (MAC, body) pairs, all or none, if nothing after `seen` speaks against it.

        The entries' time, which is Redis's, must be in `start_ms` ≤ time < `until_ms`; `begun` when the same may have
        been appended already. Raises `StoreUnavailable` when the outcome could not be found out: then read the log
        before deciding anything on this lane again.
        """
        if not bodies:
            raise ValueError("expected at least one body to append, found none")
        if seen.seq == 0 and seen.h != GENESIS:
            return Forked()
        reply, sends = await self._send(self._writes, append_command(rid, seen, lane, bodies, start_ms, until_ms))
        outcome = outcome_of(reply, seen, lane, bodies)
        if isinstance(outcome, Behind) and (begun or sends > 1):
            return found_in(outcome, seen, lane, bodies) or outcome
        return outcome

    def begin(
        self,
        rid: str,
        seen: Cursor,
        lane: str,
        bodies: Sequence[tuple[bytes, bytes]],
        told: Callable[[Outcome | None], None],
        *,
        start_ms: int | None = None,
        until_ms: int | None = None,
    ) -> None:
        """Try once what `append` does, without a task: `told` gets the outcome.

        None where there is none, or where it is not as simple as that: `append`, with `begun`, finds it out.
        """

        def answered(reply: Reply) -> None:
            try:
                outcome = outcome_of(reply, seen, lane, bodies)
            except (StoreUnavailable, LogError):
                outcome = None  # Also where the reply is an error.
            told(None if type(outcome) is Forked else outcome)

        try:
            self._writes.put(append_command(rid, seen, lane, bodies, start_ms, until_ms), answered)
        except StoreUnavailable:
            told(None)

    async def read(self, rid: str, cursor: Cursor = START) -> tuple[Entry, ...] | Forked:
        """Read all entries after `cursor`, whose own entry must still bear its hash; no such race is an empty log.

        Raises `LogError` where an entry is not as `append` writes it, `StoreUnavailable` when Redis does not answer.
        """
        if cursor.seq == 0 and cursor.h != GENESIS:
            return Forked()
        entries: list[Entry] = []
        while True:
            command = ("XRANGE", keys.race_log(rid), f"{cursor.seq}-0", "+", "COUNT", PAGE)
            reply, _ = await self._send(self._reads, command)
            if not isinstance(reply, list):
                raise unreadable(reply)
            page = entries_after(reply, cursor)
            if page is None:
                return Forked()
            entries += page
            if len(page) < PAGE - 1:
                return tuple(entries)
            cursor = page[-1].cursor

    def ends_at(self, rid: str, cursor: Cursor, told: Callable[[bool], None]) -> None:
        """Ask, without a task, whether a log ends at a cursor; False is told also where that cannot be found out so."""
        last = (b"%d-0" % cursor.seq, cursor.h.encode())

        def answered(reply: Reply) -> None:
            match reply:
                case [[bytes(seq_id), [_, bytes(h), *_]]]:
                    told((seq_id, h) == last)
                case _:
                    told(False)

        try:
            self._reads.put(("XRANGE", keys.race_log(rid), f"{cursor.seq}-0", "+", "COUNT", 2), answered)
        except StoreUnavailable:
            told(False)

    async def now(self) -> int:
        """Redis's time in ms, the only clock that decides."""
        match (await self._send(self._reads, ("TIME",)))[0]:
            case [bytes(seconds), bytes(micros)]:
                return int(seconds) * 1000 + int(micros) // 1000
            case other:
                raise unreadable(other)

    async def expire(self, rid: str, keep_ms: int) -> bool:
        """Let a log go `keep_ms` from now, once its archive file has been verified; False if there is no such log."""
        reply, _ = await self._send(self._writes, ("PEXPIRE", keys.race_log(rid), keep_ms))
        return reply == 1

    async def keep(self, *command: Word) -> Reply:
        """Carry out another write, once; its reply is told when that is kept as entries are.

        Raises ResponseError, and StoreUnavailable where nobody knows whether it was carried out, or will be kept.
        """
        try:
            return await self._writes.call(*command)
        except ReplyLost as lost:
            raise StoreUnavailable(str(lost)) from lost

    async def _send(self, batch: Batch | Batches, command: Command) -> tuple[Reply, int]:
        """Send until there is a reply; the count of times that it may have been carried out comes with it."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self._give_up_ms / 1000
        sends, pause_s = 0, FIRST_PAUSE_MS / 1000
        while True:
            try:
                return await batch.call(*command), sends + 1
            except NoScriptError:
                # Not carried out; and whoever flushed the scripts may do so again, so the clock runs on.
                reason = "the append script could not be loaded"
                # Its text makes it known there, and nowhere else in a cluster.
                command = ("EVAL", SCRIPT, *command[2:])
            except ReplyLost as lost:
                sends, reason = sends + 1, str(lost)
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, 0.5)
            except ResponseError as refusal:
                reason = str(refusal)
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, 0.5)
            if loop.time() >= give_up:
                raise StoreUnavailable(reason)


async def races_logged(client: Redis) -> AsyncIterator[str]:
    """Yield every race that has a log now, in no order, some of them twice. Raises RedisError, OSError."""
    before, after = keys.race_log("*").encode().split(b"*")
    async for name in client.scan_iter(keys.race_log("*"), count=SCANNED):
        yield cast(bytes, name).removeprefix(before).removesuffix(after).decode()
