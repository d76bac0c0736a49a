"""Group commit: whatever waits while one pipeline is in flight goes out together as the next."""

import asyncio
import math
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Self

from redis.asyncio import Redis
from redis.asyncio.connection import AbstractConnection
from redis.exceptions import ConnectionError as RedisConnectionError
from redis.exceptions import RedisError, ResponseError
from redis.exceptions import TimeoutError as RedisTimeoutError

from server.store import keys
from server.store.connect import StoreUnavailable

Word = str | bytes | int
Command = tuple[Word, ...]
Reply = object
"""What RESP2 carries: bytes, int, None, or a list of these."""

MAX_WAITING: Final = 20_000
MAX_COMMANDS: Final = 512
MAX_BYTES: Final = 1 << 20


class ReplyLost(Exception):
    """No reply came to this command: it may have been carried out or not."""


class Batch:
    """One connection, one task, one pipeline in flight; every command sent this way must be safe to send again.

    Use it as an asynchronous context: leaving it sends what still waits, then closes the connection.
    With `replicas` a reply is given out only when that many replicas hold all that was written before it was made.
    """

    def __init__(self, client: "Redis", name: str, *, timeout_ms: int = 3000, replicas: int = 0) -> None:
        self._client = client
        self._name = name
        self._timeout_ms = timeout_ms
        self._replicas = replicas
        self._waiting: deque[tuple[Command, asyncio.Future[Reply]]] = deque()
        self._wake = asyncio.Event()
        self._closing = False
        self._connection: AbstractConnection | None = None
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
        if self._closing or self._task is None:
            raise StoreUnavailable("this node is closing")
        if len(self._waiting) >= MAX_WAITING:
            raise StoreUnavailable(f"{MAX_WAITING} commands wait already")
        answer: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        self._waiting.append((command, answer))
        self._wake.set()
        return await answer

    async def _work(self) -> None:
        try:
            while True:
                if not self._waiting:
                    if self._closing:
                        return
                    self._wake.clear()
                    await self._wake.wait()
                    continue
                await self._exchange(self._take())
        finally:
            self._closing = True
            _settle((answer for _, answer in self._waiting), StoreUnavailable("this node is closing"))
            if self._connection is not None:
                await self._connection.disconnect(nowait=True)
                await self._client.connection_pool.release(self._connection)

    def _take(self) -> list[tuple[Command, asyncio.Future[Reply]]]:
        taken: list[tuple[Command, asyncio.Future[Reply]]] = []
        size = 0
        while self._waiting and len(taken) < MAX_COMMANDS and size < MAX_BYTES:
            command, answer = self._waiting.popleft()
            # Whoever asked may have been cancelled: what was not sent yet need not be sent at all.
            if not answer.done():
                taken.append((command, answer))
                size += sum(len(word) for word in command if isinstance(word, bytes))
        return taken

    async def _exchange(self, taken: list[tuple[Command, asyncio.Future[Reply]]]) -> None:
        replies: list[Reply] = []
        fault: Exception | None = None
        try:
            async with asyncio.timeout(self._timeout_ms / 1000):
                connection = await self._connected()
                commands = [command for command, _ in taken]
                if self._replicas:
                    commands.append(("SET", keys.REPLICATED, "", "EX", 60))
                    commands.append(("WAIT", self._replicas, self._timeout_ms // 2))
                await connection.send_packed_command(connection.pack_commands(commands), check_health=False)
                replies.extend([await _reply(connection) for _ in commands])
        except (RedisConnectionError, RedisTimeoutError, TimeoutError, OSError) as error:
            fault = ReplyLost(str(error) or f"no reply within {self._timeout_ms} ms")
        except RedisError as error:
            fault = error
        except asyncio.CancelledError:
            _settle((answer for _, answer in taken), ReplyLost("this node is closing"))
            raise
        finally:
            if fault is not None or len(replies) < len(taken):
                await self._drop()
        if fault is None and self._replicas:
            held = replies[-1]
            if not isinstance(held, int) or held < self._replicas:
                fault = ReplyLost(f"expected {self._replicas} replicas to hold it, found {held}")
        if fault is not None:
            _settle((answer for _, answer in taken), fault)
            return
        for (_, answer), reply in zip(taken, replies, strict=False):
            if answer.done():
                continue
            if isinstance(reply, Exception):
                answer.set_exception(reply)
            else:
                answer.set_result(reply)

    async def _connected(self) -> AbstractConnection:
        if self._connection is None:
            self._connection = await self._client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
            # The timeout of the whole pipeline is the one that counts.
            self._connection.socket_timeout = None
        return self._connection

    async def _drop(self) -> None:
        if self._connection is not None:
            await self._connection.disconnect(nowait=True)


async def _reply(connection: AbstractConnection) -> Reply:
    try:
        return await connection.read_response(disable_decoding=True, timeout=math.inf)
    except ResponseError as error:
        return error


def _settle(answers: Iterable[asyncio.Future[Reply]], fault: Exception) -> None:
    for answer in answers:
        if not answer.done():
            answer.set_exception(fault)
