"""Group commit: whatever waits while one pipeline is in flight goes out together as the next."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from types import TracebackType
from typing import Final, Self

import hiredis
import structlog
from redis.asyncio import Redis
from redis.exceptions import AskError, ReadOnlyError, RedisError
from redis.exceptions import ConnectionError as Disconnected

from server.store import keys
from server.store.connect import StoreUnavailable, own_connection
from server.store.pipe import Pipe, Reply
from server.store.sentinel import is_not_master

Word = str | bytes | int
Command = tuple[Word, ...]
Told = Callable[[Reply | Exception], None]
"""Takes the reply to a command: what Redis answered, an error among that, or `ReplyLost`, `StoreUnavailable`."""
Waiting = tuple[bytes, Told, asyncio.Future[Reply] | None]
"""A packed command, who is told its reply, and what is done already where nobody waits for that any more."""
Write = Callable[..., Awaitable[object]]
"""Carries out one command that writes, given word by word; its reply is told when what it wrote is kept."""

MAX_WAITING: Final = 20_000
MAX_COMMANDS: Final = 512
MAX_BYTES: Final = 1 << 20
UNUSABLE: Final = (Disconnected, ReadOnlyError)
"""Errors after which a new connection is made: it is loading, wants a login, is a replica by now."""


log = structlog.get_logger("store")


class ReplyLost(Exception):
    """No reply came to this command: it may have been carried out or not."""


class Batch:
    """One connection, one task, one pipeline in flight; every command sent this way must be safe to send again.

    Use it as an asynchronous context: leaving it sends what still waits, then closes the connection.
    With `replicas` a reply is given out only when that many replicas hold all that was written before it was made.
    """

    def __init__(self, client: Redis, name: str, *, timeout_ms: int = 3000, replicas: int = 0) -> None:
        self._client = client
        self._name = name
        self._timeout_ms = timeout_ms
        self._replicas = replicas
        self._waiting: deque[Waiting] = deque()
        self._loop = asyncio.get_running_loop()
        self._wake = asyncio.Event()
        self._closing = False
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._work(), name=f"batch {self._name}")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._task

    async def call(self, *command: Word) -> Reply:
        """Send one command with the next pipeline and return its reply.

        Raises `ReplyLost`, the `ResponseError` that Redis answered, or `StoreUnavailable` when too many wait already.
        """
        answer: asyncio.Future[Reply] = self._loop.create_future()

        def told(reply: Reply | Exception) -> None:
            if answer.done():
                return
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)

        self.put(command, told, answer)
        return await answer

    def put(self, command: Command, told: Told, answer: asyncio.Future[Reply] | None = None) -> None:
        """Let a command go out with the next pipeline, unless `answer` is done by then; its reply is told.

        Raises `StoreUnavailable` at once when it will not go out, `TypeError` when it is no command.
        """
        if self._closing or self._task is None:
            raise StoreUnavailable("this node is closing")
        waiting = self._waiting
        if len(waiting) >= MAX_WAITING:
            raise StoreUnavailable(f"{MAX_WAITING} commands wait already")
        packed = hiredis.pack_command(command)  # type: ignore[arg-type]
        if not waiting:
            self._wake.set()
        waiting.append((packed, told, answer))

    async def _work(self) -> None:
        try:
            while await self._something_waits():
                try:
                    async with own_connection(self._client, self._timeout_ms) as connection:
                        pipe = Pipe(connection)
                        while await self._something_waits() and await self._exchange(pipe, self._take()):
                            pass
                except Exception as error:
                    if not isinstance(error, RedisError | OSError):
                        # A fault of ours: this task is the node's only way to Redis, and has to go on.
                        log.exception("a pipeline failed", name=self._name)
                    lost = ReplyLost(str(error) or f"no connection within {self._timeout_ms} ms")
                    while self._waiting:
                        self._settle(self._take(), lost)
        finally:
            self._closing = True
            self._settle(tuple(self._waiting), StoreUnavailable("this node is closing"))

    async def _something_waits(self) -> bool:
        """Wait for a command; False when there is none and none will come."""
        while not self._waiting:
            if self._closing:
                return False
            self._wake.clear()
            await self._wake.wait()
        return True

    def _take(self) -> list[Waiting]:
        taken: list[Waiting] = []
        size = 0
        while self._waiting and len(taken) < MAX_COMMANDS and size < MAX_BYTES:
            one = packed, _, answer = self._waiting.popleft()
            # Whoever asked may have been cancelled: what was not sent yet need not be sent at all.
            if answer is None or not answer.done():
                taken.append(one)
                size += len(packed)
        return taken

    async def _exchange(self, pipe: Pipe, taken: list[Waiting]) -> bool:
        """Send one pipeline and hand out its replies; False when the connection is not to be used any more."""
        if not taken:
            return True  # All who asked were cancelled: no reply would ever come.
        packed = [packed for packed, _, _ in taken]
        if self._replicas:
            packed += [hiredis.pack_command(command) for command in self.replicated()]  # type: ignore[arg-type]
        try:
            replies = await pipe.exchange(b"".join(packed), len(packed), self._timeout_ms / 1000)
        except TimeoutError:
            self._settle(taken, ReplyLost(f"no reply within {self._timeout_ms} ms"))
            return False
        except (RedisError, OSError) as error:
            self._settle(taken, ReplyLost(str(error)))
            return False
        except asyncio.CancelledError:
            self._settle(taken, ReplyLost("this node is closing"))
            raise
        except Exception as error:
            # A fault of ours: whoever has asked is not to wait for ever all the same.
            self._settle(taken, ReplyLost(f"{type(error).__name__}: {error}"))
            raise
        if self._replicas and (not_held := self.not_held(*replies[-2:])):
            self._settle(taken, ReplyLost(not_held))
            return True
        del replies[len(taken) :]
        good = True
        for place, reply in enumerate(replies):
            if not isinstance(reply, Exception):
                continue
            if isinstance(reply, UNUSABLE):
                good = False
                replies[place] = ReplyLost(str(reply))
            elif is_not_master(reply):
                # Refused by what is a replica by now, inside a script too: whoever asks again asks the master.
                good = False
        self._hand_out(taken, replies)
        return good

    def _settle(self, waiting: Sequence[Waiting], fault: Exception) -> None:
        self._hand_out(waiting, [fault] * len(waiting))

    def _hand_out(self, waiting: Sequence[Waiting], replies: Sequence[Reply | Exception]) -> None:
        """Let replies be told in the order of their commands.

        That is in the next turn of the loop: so the next pipeline goes out before, and whoever awaits a reply, and is
        woken in the next turn too, has it in its order. Where neither matters it is now.
        """
        if not self._waiting and all(answer is None for _, _, answer in waiting):
            _tell([(told, reply) for (_, told, _), reply in zip(waiting, replies, strict=True)])
            return
        together: list[tuple[Told, Reply | Exception]] = []
        for (_, told, answer), reply in zip(waiting, replies, strict=True):
            if answer is None:
                if not together:
                    self._loop.call_soon(_tell, together)  # And those that follow on it here.
                together.append((told, reply))
            else:
                told(reply)  # Whoever awaits it is woken in the next turn, too.
                together = []

    def replicated(self) -> tuple[Command, Command]:
        """Return what asks whether the replicas hold all that has been written."""
        return ("SET", keys.REPLICATED, "", "EX", 60), ("WAIT", self._replicas, self._timeout_ms // 2)

    def not_held(self, mark: Reply, held: Reply) -> str:
        """Return why nobody may be told yet what was replied, from the replies to `replicated`; empty: all may."""
        if isinstance(mark, AskError):
            return f"expected to write before WAIT, found {mark}"
        held_enough = isinstance(held, int) and held >= self._replicas
        return "" if held_enough else f"expected {self._replicas} replicas to hold it, found {held}"


def _tell(together: Sequence[tuple[Told, Reply | Exception]]) -> None:
    for told, reply in together:
        try:
            told(reply)
        except Exception:
            log.exception("a reply could not be told")
