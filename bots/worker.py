"""A worker: takes seats that want a bot and plays them, many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

import aiohttp
import structlog
from redis.exceptions import RedisError

from bots.client import Client, Closed, Following, Http, Refused, ServerUnreachable
from bots.client.outbox import AGAIN
from bots.ghost import haunt, read_run
from bots.offered import offered
from bots.places import Place, Places
from bots.process import stop
from bots.roster import UnknownPlayer, entry
from bots.seat import play_series
from bots.thinking import Thinking
from bots.wanted import DEAD_AFTER_MS, Taken, Wanted
from engine.race.card import Ghost, ghost_of
from engine.refusals import ErrorCode
from engine.roster import pack_roster
from engine.wish import SeatWish

__all__ = ["SEATS", "Worker"]

SEATS: Final = 64
"""How many seats a worker plays at a time, unless told otherwise."""
AGAIN_S: Final = 1.0
HAND: Final = 1024
"""Wishes that are taken while all places are: among them may be those of somebody who has no seat yet."""
AT_ONCE: Final = 16
"""Wishes taken in one go: others' workers take the rest."""
WAITS_S: Final = 600.0
"""How long a seat is held in a race that does not begin and where nobody is; then it is given back."""
OFFER_EVERY_S: Final = 60.0
TAKEN_OVER: Final = 4409
MARKS: Final = ("{}", "{} (bot)", "{} (bot 2)", "{} (bot 3)")
"""What a bot is called: nobody is kept from a race by a name that is somebody's own."""

log = structlog.get_logger()

T = TypeVar("T")


class _Seat:
    """A wish that is being served: by which task, over which connection, since when nobody waits for its race."""

    def __init__(self, taken: Taken, now: float) -> None:
        self.taken = taken
        self.task: asyncio.Task[None] | None = None
        self.client: Client | None = None
        self._seen_at = now

    @property
    def place(self) -> Place:
        """What this seat takes of the worker's places."""
        return Place(self.taken.owner, any(race.start_at is not None for race in self._races))

    def kept(self, now: float) -> bool:
        """Tell whether the seat is to be held at a time (s of the loop's clock): its race may still begin."""
        races = [race for race in self._races if race.seq]
        people = (seat for race in races for seat in race.seats.values() if seat.kind == "person" and seat.present)
        if not races or self.place.begun or any(people):
            self._seen_at = now
        return now - self._seen_at < WAITS_S

    async def leave(self) -> None:
        """Give the seat back before its race has begun. Raises Refused, Closed."""
        assert self.client is not None
        for rid in [*self.client.races]:
            try:
                await self.client.leave(rid)
            except Refused as refused:
                if refused.code != ErrorCode.NOT_SEATED:  # It was left before, and the answer did not come in time.
                    raise
            log.info("seat given back", race=rid)
        self.stop()

    def stop(self) -> None:
        """Play on no more."""
        if self.task is not None:
            self.task.cancel()

    @property
    def _races(self) -> Iterable[Following]:
        return () if self.client is None else self.client.races.values()


class Worker:
    """Serves wishes from a stream by playing them on one server."""

    def __init__(self, wanted: Wanted, server: str, thinking: Thinking, *, seats: int = SEATS) -> None:
        self._wanted = wanted
        self._server = server
        self._thinking = thinking
        self._places = Places(seats)
        self._hand: dict[str, Taken] = {}
        self._seats: dict[str, _Seat] = {}

    async def work(self, dead_after_ms: int = DEAD_AFTER_MS) -> None:
        """Take seats and play them, for ever; when cancelled, leave them to the next worker."""
        beside = [
            asyncio.create_task(self._say_working(dead_after_ms / 3000), name="working"),
            asyncio.create_task(self._offer(), name="offering"),
            asyncio.create_task(self._give_back(), name="giving back"),
        ]
        try:
            self._take(await _patiently(self._wanted.mine))
            while True:
                self._seat()
                if not self._hand:
                    self._take(await _patiently(lambda: self._wanted.take(AT_ONCE)))
                    continue
                # It is full. What is taken now is kept from other workers, so they have the first go at it.
                await asyncio.sleep(AGAIN_S)
                if len(self._hand) < HAND:
                    self._take(await _patiently(lambda: self._wanted.take(HAND - len(self._hand), 1)))
        finally:
            await stop([*beside, *(seat.task for seat in self._seats.values() if seat.task is not None)])

    def _take(self, taken: list[Taken]) -> None:
        self._hand |= {one.id: one for one in taken if one.id not in self._seats}

    def _seat(self) -> None:
        """Seat as many of the wishes at hand as there are places for."""
        while taken := self._places.next([*self._hand.values()], [seat.place for seat in self._seats.values()]):
            del self._hand[taken.id]
            self._serve(taken)

    def _serve(self, taken: Taken) -> None:
        seat = self._seats[taken.id] = _Seat(taken, asyncio.get_running_loop().time())
        seat.task = asyncio.create_task(self._see_to(seat), name=f"wish {taken.id}")
        seat.task.add_done_callback(lambda task: self._ended(taken.id, task))

    def _ended(self, wish_id: str, task: asyncio.Task[None]) -> None:
        self._seats.pop(wish_id, None)
        if not task.cancelled() and (fault := task.exception()) is not None:
            # The wish stays taken and unserved: it is tried again when its time is up, as after a worker's death.
            log.error("seat failed", wish=wish_id, exc_info=fault)

    async def _see_to(self, seat: _Seat) -> None:
        """Play a wish's seat to the end and drop the wish, unless another worker has taken it over."""
        taken = seat.taken
        if taken.wish is None:
            log.error("wish not understood", wish=taken.id)
        else:
            try:
                await self._play(seat, taken.wish)
            except Closed as closed:
                if closed.code == TAKEN_OVER:
                    log.info("seat taken over", race=taken.wish.rid, bot=taken.wish.bot)
                    return
                log.warning("seat lost", race=taken.wish.rid, bot=taken.wish.bot, why=str(closed))
            except (Refused, UnknownPlayer, LookupError) as refused:
                log.warning("seat not to be had", race=taken.wish.rid, bot=taken.wish.bot, why=str(refused))
        await _patiently(lambda: self._wanted.done(taken.id))

    async def _play(self, seat: _Seat, wish: SeatWish) -> None:
        ghost = ghost_of(wish.bot)
        if ghost is not None:
            await self._haunt(seat, wish, ghost)
            return
        bot = entry(wish.bot)
        if wish.game not in bot.games:
            raise UnknownPlayer(wish.bot, wish.game)
        token = await self._token(seat.taken.id, bot.name, f"fairdeal {bot.name}")
        async with Client(self._server, token, kind="bot", race=wish.rid) as client:
            seat.client = client
            log.info("seat taken", race=wish.rid, bot=bot.name)
            await play_series(client, wish.rid, bot, wish.pace, self._thinking)

    async def _haunt(self, seat: _Seat, wish: SeatWish, ghost: Ghost) -> None:
        run = await self._call(lambda http: read_run(http, ghost))
        token = await self._token(seat.taken.id, run.ghost_name, f"ghost of {ghost.race} seat {ghost.seat}")
        async with Client(self._server, token, kind="bot", race=wish.rid) as client:
            seat.client = client
            log.info("seat taken", race=wish.rid, ghost=wish.bot)
            await haunt(client, wish.rid, run)

    async def _token(self, wish_id: str, name: str, engine: str) -> str:
        """Return the token of a wish's seat, that of a new guest if it has none.

        Should two workers try, both get the token that was kept first.
        """
        known = await _patiently(lambda: self._wanted.token(wish_id))
        if known is not None:
            return known
        token = await self._new_token(name, engine)
        return await _patiently(lambda: self._wanted.keep_token(wish_id, token))

    async def _new_token(self, name: str, engine: str, marks: Sequence[str] = MARKS) -> str:
        """Become a guest of a bot's name, marked where it is an account's: claimed before there was such a bot."""
        named = marks[0].format(name)
        try:
            return (await self._call(lambda http: http.new_player(named, "bot", engine))).token
        except Refused as refused:
            if refused.reason != "name" or len(marks) == 1:
                raise
        return await self._new_token(name, engine, marks[1:])

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
            for wish_id in [*self._seats, *self._hand]:
                with suppress(RedisError, OSError):
                    if await self._wanted.working(wish_id):
                        continue
                    # Another worker has it, or it is done.
                    self._hand.pop(wish_id, None)
                    if (seat := self._seats.get(wish_id)) is not None:
                        seat.stop()

    async def _give_back(self) -> None:
        """Give back seats in races that do not begin and where no person is."""
        while True:
            await asyncio.sleep(AGAIN_S)
            now = asyncio.get_running_loop().time()
            for seat in [seat for seat in self._seats.values() if not seat.kept(now)]:
                with suppress(Refused, Closed, TimeoutError):  # It begins just now, or has gone.
                    async with asyncio.timeout(AGAIN_S):
                        await seat.leave()
                    await _patiently(partial(self._wanted.done, seat.taken.id))


async def _patiently(call: Callable[[], Awaitable[T]]) -> T:
    """Ask Redis until it answers: it may be restarted under a worker."""
    while True:
        try:
            return await call()
        except (RedisError, OSError) as fault:
            log.warning("redis does not answer", why=str(fault))
            await asyncio.sleep(AGAIN_S)
