"""A worker: takes seats that want a bot and plays them, many at a time."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, TextIO, TypeVar

import aiohttp
import click
import structlog
from redis.exceptions import RedisError

from bots.client import Client, Closed, Http, Refused, ServerUnreachable
from bots.client.outbox import AGAIN
from bots.ghost import haunt, read_run
from bots.offered import offered
from bots.process import log_to_stderr, stop, work_until_told
from bots.roster import UnknownPlayer, entry
from bots.seat import play_series
from bots.thinking import Thinking
from bots.wanted import DEAD_AFTER_MS, Taken, Wanted, connect
from engine.race.card import Ghost, ghost_of
from engine.roster import pack_roster
from engine.wish import SeatWish

__all__ = ["Worker", "run_worker"]

SEATS: Final = 64
AGAIN_S: Final = 1.0
OFFER_EVERY_S: Final = 60.0
TAKEN_OVER: Final = 4409
NICENESS: Final = 5
"""Bots give way to the server where both share a machine."""

log = structlog.get_logger()

T = TypeVar("T")


class Worker:
    """Serves wishes from a stream by playing them on one server."""

    def __init__(self, wanted: Wanted, server: str, thinking: Thinking, *, seats: int = SEATS) -> None:
        self._wanted = wanted
        self._server = server
        self._thinking = thinking
        self._limit = seats
        self._seats: dict[str, asyncio.Task[None]] = {}

    async def work(self, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        """Take seats and play them, for ever; when cancelled, leave them to the next worker."""
        saying = asyncio.create_task(self._say_working(dead_after_ms / 3000), name="working")
        offering = asyncio.create_task(self._offer(), name="offering")
        try:
            for taken in await _patiently(self._wanted.mine):
                self._serve(taken)
            while True:
                if len(self._seats) >= self._limit:
                    await asyncio.wait(self._seats.values(), return_when=asyncio.FIRST_COMPLETED)
                    continue
                for taken in await _patiently(lambda: self._wanted.take(self._limit - len(self._seats))):
                    self._serve(taken)
        finally:
            await stop([saying, offering, *self._seats.values()])

    def _serve(self, taken: Taken) -> None:
        if taken.id in self._seats:
            return
        task = asyncio.create_task(self._see_to(taken), name=f"wish {taken.id}")
        self._seats[taken.id] = task
        task.add_done_callback(lambda task: self._ended(taken.id, task))

    def _ended(self, wish_id: str, task: asyncio.Task[None]) -> None:
        self._seats.pop(wish_id, None)
        if not task.cancelled() and (fault := task.exception()) is not None:
            # The wish stays taken and unserved: it is tried again when its time is up, as after a worker's death.
            log.error("seat failed", wish=wish_id, exc_info=fault)

    async def _see_to(self, taken: Taken) -> None:
        """Play a wish's seat to the end and drop the wish, unless another worker has taken it over."""
        if taken.wish is None:
            log.error("wish not understood", wish=taken.id)
        else:
            try:
                await self._play(taken.id, taken.wish)
            except Closed as closed:
                if closed.code == TAKEN_OVER:
                    log.info("seat taken over", race=taken.wish.rid, bot=taken.wish.bot)
                    return
                log.warning("seat lost", race=taken.wish.rid, bot=taken.wish.bot, why=str(closed))
            except (Refused, UnknownPlayer, LookupError) as refused:
                log.warning("seat not to be had", race=taken.wish.rid, bot=taken.wish.bot, why=str(refused))
        await _patiently(lambda: self._wanted.done(taken.id))

    async def _play(self, wish_id: str, wish: SeatWish) -> None:
        ghost = ghost_of(wish.bot)
        if ghost is not None:
            await self._haunt(wish_id, wish, ghost)
            return
        bot = entry(wish.bot)
        if wish.game not in bot.games:
            raise UnknownPlayer(wish.bot, wish.game)
        token = await self._token(wish_id, bot.name, f"fairdeal {bot.name}")
        async with Client(self._server, token, kind="bot") as client:
            log.info("seat taken", race=wish.rid, bot=bot.name)
            await play_series(client, wish.rid, bot, wish.pace, self._thinking)

    async def _haunt(self, wish_id: str, wish: SeatWish, ghost: Ghost) -> None:
        run = await self._call(lambda http: read_run(http, ghost))
        token = await self._token(wish_id, run.ghost_name, f"ghost of {ghost.race} seat {ghost.seat}")
        async with Client(self._server, token, kind="bot") as client:
            log.info("seat taken", race=wish.rid, ghost=wish.bot)
            await haunt(client, wish.rid, run)

    async def _token(self, wish_id: str, name: str, engine: str) -> str:
        """Return the token of a wish's seat, that of a new guest if it has none.

        Should two workers try, both get the token that was kept first.
        """
        known = await _patiently(lambda: self._wanted.token(wish_id))
        if known is not None:
            return known
        guest = await self._call(lambda http: http.new_player(name, "bot", engine))
        return await _patiently(lambda: self._wanted.keep_token(wish_id, guest.token))

    async def _call(self, call: Callable[[Http], Awaitable[T]]) -> T:
        """Make a call to the server until it answers."""
        async with aiohttp.ClientSession() as session:
            http = Http(session, self._server)
            while True:
                try:
                    return await call(http)
                except ServerUnreachable:
                    await asyncio.sleep(AGAIN_S)
                except Refused as refused:
                    if refused.code not in AGAIN:
                        raise
                    await asyncio.sleep(AGAIN_S if refused.retry_ms is None else refused.retry_ms / 1000)

    async def _offer(self) -> None:
        """Make known which bots are to be had here, now and then anew, for Redis may have been emptied."""
        roster = pack_roster(offered())
        while True:
            await _patiently(lambda: self._wanted.offer(roster))
            await asyncio.sleep(OFFER_EVERY_S)

    async def _say_working(self, every_s: float) -> None:
        """Say of each seat that it is being played; stop those that another worker has taken over."""
        while True:
            await asyncio.sleep(every_s)
            for wish_id, task in list(self._seats.items()):
                with suppress(RedisError, OSError):
                    if not await self._wanted.working(wish_id) and wish_id in self._seats:
                        task.cancel()


async def _patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Ask Redis until it answers: it may be restarted under a worker."""
    while True:
        try:
            return await call()
        except (RedisError, OSError) as fault:
            log.warning("redis does not answer", why=str(fault))
            await asyncio.sleep(AGAIN_S)


async def run_worker(redis_url: str, server: str, *, name: str, seats: int = SEATS) -> None:
    """Work until cancelled: take seats from that Redis and play them on that server.

    `name` is one that no other living worker has; one that comes back under its name goes on with its seats at once.
    """
    client = connect(redis_url)
    try:
        with Thinking() as thinking:
            await Worker(Wanted(client, name), server, thinking, seats=seats).work()
    finally:
        await client.aclose()


@click.command
@click.option("--redis", "redis_url", envvar="FAIRDEAL_REDIS", help="Where the wishes are.")
@click.option("--redis-file", envvar="FAIRDEAL_REDIS_FILE", type=click.File(), help="A file that says where.")
@click.option("--server", required=True, help="Where to play: http://127.0.0.1:8080.")
@click.option("--name", default=lambda: f"{socket.gethostname()}:{os.getpid()}", help="A name of this worker's own.")
@click.option("--seats", default=SEATS, show_default=True, type=click.IntRange(1), help="Seats played at a time.")
@click.option("--log-level", envvar="FAIRDEAL_LOG_LEVEL", default="info", help="The least serious thing logged.")
@click.option("--while-stdin", is_flag=True, help="Stop when standard input ends.")
def main(
    redis_url: str | None,
    redis_file: TextIO | None,
    server: str,
    name: str,
    seats: int,
    log_level: str,
    while_stdin: bool,
) -> None:
    """Take seats that want a bot and play them."""
    redis_url = redis_url or (redis_file.read().strip() if redis_file else "")
    if not redis_url:
        raise click.UsageError("expected a Redis, found none: --redis URL, or --redis-file FILE that holds the URL")
    log_to_stderr(log_level)
    os.nice(NICENESS)
    work_until_told(run_worker(redis_url, server, name=name, seats=seats), while_stdin)


if __name__ == "__main__":
    main()
