"""The log in Redis: append what was decided on what has been seen, read what followed, exactly once each."""

import asyncio
import hashlib
from collections.abc import AsyncIterator, Callable, Sequence
from enum import StrEnum
from importlib import resources
from itertools import chain
from types import TracebackType
from typing import Final, Self, cast

from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import NoScriptError, ResponseError

from engine.log.entry import GENESIS, SHARED_LANE, START, Cursor, Entry, Hash, LogError
from server.store import keys
from server.store.batch import Batch, Command, ReplyLost, Word
from server.store.batches import Batches, batch_of
from server.store.connect import StoreUnavailable
from server.store.pipe import Reply

SCRIPT: Final = resources.files("server.store").joinpath("append.lua").read_text(encoding="utf-8")
SHA: Final = hashlib.sha1(SCRIPT.encode(), usedforsecurity=False).hexdigest()
PAGE: Final = 4096
SCANNED: Final = 1000
"""Keys that Redis looks at in one go when it is asked for all logs."""
FIRST_PAUSE_MS: Final = 20
FIELDS: Final = (b"h", b"a", b"l", b"b")


_Stored = tuple[bytes, list[bytes]]
"""An entry as the stream has it: id, then names and values, unless another hand has written it."""


class Durability(StrEnum):
    """When an entry counts as kept, so that it may be told."""

    FSYNC = "fsync"
    AOF = "aof"
    REPLICA = "replica"


class Appended(Struct, frozen=True, tag=True):
    """The entries are in: after `seq_before`, after the missed ones of other lanes."""

    seq_before: int
    missed: tuple[Entry, ...]
    entries: tuple[Entry, ...]


class Behind(Struct, frozen=True, tag=True):
    """Nothing was written: these later entries may change the decision. Fold them, decide again."""

    missed: tuple[Entry, ...]


class Forked(Struct, frozen=True, tag=True):
    """What was seen is not in the log: drop the fold, read from 1."""


class TooEarly(Struct, frozen=True, tag=True):
    """Nothing was written: the entry would bear `now` (ms), before the window opens."""

    now: int


class TooLate(Struct, frozen=True, tag=True):
    """Nothing was written: the entry would bear `now` (ms), at the end of the window or after it."""

    now: int


class Archived(Struct, frozen=True, tag=True):
    """Nothing was written: the race is closed for good, its log is gone and its file in the archive is right."""


Outcome = Appended | Behind | Forked | TooEarly | TooLate | Archived


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
        reply, sends = await self._send(self._writes, _append(rid, seen, lane, bodies, start_ms, until_ms))
        outcome = _outcome(reply, seen, lane, bodies)
        if isinstance(outcome, Behind) and (begun or sends > 1):
            return _found(outcome, seen, lane, bodies) or outcome
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
                outcome = _outcome(reply, seen, lane, bodies)
            except (StoreUnavailable, LogError):
                outcome = None  # Also where the reply is an error.
            told(None if type(outcome) is Forked else outcome)

        try:
            self._writes.put(_append(rid, seen, lane, bodies, start_ms, until_ms), answered)
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
            page = _after(_entries(reply), cursor)
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
                raise _unreadable(other)

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


def _append(
    rid: str,
    seen: Cursor,
    lane: str,
    bodies: Sequence[tuple[bytes, bytes]],
    start_ms: int | None,
    until_ms: int | None,
) -> Command:
    return (
        "EVALSHA", SHA, "1", keys.race_log(rid), seen.seq, seen.h, lane,
        "" if start_ms is None else start_ms, "" if until_ms is None else until_ms,
        *chain.from_iterable(bodies),
    )  # fmt: skip


def _outcome(reply: Reply, seen: Cursor, lane: str, bodies: Sequence[tuple[bytes, bytes]]) -> Outcome:
    # A pattern such as int(seq) costs 1 µs, for Python looks in vain for what is to be matched within: 4 % of a move.
    match reply:
        case [b"appended", seq, missed, hashes, at] if (
            isinstance(seq, int) and isinstance(missed, list) and isinstance(hashes, list) and isinstance(at, int)
        ):
            entries: list[Entry] = []
            for h, (_, body) in zip(hashes, bodies, strict=True):
                entries.append(Entry(seq + len(entries) + 1, Hash(h.decode()), at, lane, body))
            return Appended(seq, _missed(missed, seen), tuple(entries))
        case [b"behind", list(missed)]:
            return Behind(_missed(missed, seen))
        case [b"forked"]:
            return Forked()
        case [b"early", int(now)]:
            return TooEarly(now)
        case [b"late", int(now)]:
            return TooLate(now)
        case _:
            raise _unreadable(reply)


def _found(behind: Behind, seen: Cursor, lane: str, bodies: Sequence[tuple[bytes, bytes]]) -> Appended | None:
    """The outcome of an append whose reply was lost, if it had gone in.

    If it had, its entries are together and are the first ones after `seen` that it conflicts with: had another of
    that lane or of `*` stood before them, the script would have refused them, and it writes all or none. Equal bodies
    of another node in that very place cannot be told apart, nor need they be: they are the same facts about the same
    lane, decided on the same state (a move names its number, a race its nonce, a connection its own number).
    """
    conflicts = (SHARED_LANE, lane)
    places = (place for place, entry in enumerate(behind.missed) if lane == SHARED_LANE or entry.lane in conflicts)
    first = next(places, 0)
    own = behind.missed[first : first + len(bodies)]
    if [(entry.lane, entry.body) for entry in own] != [(lane, body) for _, body in bodies]:
        return None
    return Appended(seen.seq + first, behind.missed[:first], own)


def _missed(raw: list[_Stored], seen: Cursor) -> tuple[Entry, ...]:
    """The entries after the seen one."""
    return _dense(tuple(map(_entry, raw)), seen.seq) if raw else ()


def _after(entries: tuple[Entry, ...], cursor: Cursor) -> tuple[Entry, ...] | None:
    """The entries after the cursor's own, densely numbered; None if that one is gone or bears another hash."""
    if cursor.seq > 0:
        if not entries or entries[0].seq != cursor.seq or entries[0].h != cursor.h:
            return None
        entries = entries[1:]
    return _dense(entries, cursor.seq)


def _dense(entries: tuple[Entry, ...], after: int) -> tuple[Entry, ...]:
    for seq, entry in enumerate(entries, after + 1):
        if entry.seq != seq:
            raise LogError(seq, f"expected seq {seq}, found {entry.seq}")
    return entries


def _entries(raw: Reply) -> tuple[Entry, ...]:
    if not isinstance(raw, list):
        raise _unreadable(raw)
    return tuple([_entry(one) for one in raw])


def _entry(raw: _Stored) -> Entry:
    try:
        seq_id, (h_is, h, a_is, at, l_is, lane, b_is, body) = raw
        if (h_is, a_is, l_is, b_is) == FIELDS and seq_id.endswith(b"-0"):
            return Entry(int(seq_id[:-2]), Hash(h.decode()), int(at), lane.decode(), body)
    except (TypeError, ValueError, AttributeError):
        pass  # It is told below what was found.
    raise LogError(0, f"expected an entry h, a, l, b under a dense id, found {raw!r}")


def _unreadable(reply: object) -> StoreUnavailable:
    return StoreUnavailable(f"a reply that no script of ours gives: {reply!r}"[:200])
