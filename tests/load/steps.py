"""The yardstick of a move's own steps: a server that does what a move takes, and has nothing around it.

Two sockets share a race that has begun. A message is decoded, decided, written to the log of
its race by the product's own functions; when it is durable it is folded, and its event and its answer go out in one
write, with a skip of what the other has done before. There are no players, no limits, no rings, no counters, no other
commands, and no spectators; a lost reply or a conflict would end the race.
"""

from __future__ import annotations

from typing import Final
from uuid import uuid4

from aiohttp import WSMsgType, web
from redis.asyncio import Redis

from engine.log.chain import entry_mac
from engine.log.entry import Cursor
from engine.race.commands import Play
from engine.race.decide import Happens, decide
from engine.race.events import Event, packed
from engine.race.evolve import step
from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for
from engine.secrets import receipt
from engine.wire.codec import Subprotocol, decode_inbound
from engine.wire.inbound import Play as PlayMessage
from engine.wire.outbound import Res, Skip
from server.live.frames import frame_of
from server.store import keys
from server.store.append import Appended, Outcome
from server.store.log import Log
from tests.engine.race.course import RID, SECRETS, Course

__all__ = ["Steps"]

SPOKEN: Final = Subprotocol.MSGPACK
KEY: Final = bytes(32)
SALT: Final = bytes.fromhex(SECRETS.opening_of_all.salt)
PLAYERS: Final = ("ann", "bob")


class _Pair:
    """One race of two sockets."""

    def __init__(self, rid: str, race: Race) -> None:
        self.rid = rid
        self.race = race
        self.skips: list[Skip | None] = [None, None]


class Steps:
    """Serves moves: the first two sockets share a race, so do the next two."""

    def __init__(self, client: Redis, log: Log) -> None:
        self._client = client
        self._log = log
        self._waits: _Pair | None = None
        """The race whose second socket has not come yet."""

    async def _race(self) -> tuple[_Pair, int]:
        """Return the race of a new socket, which has begun in the log, and its place there: 0 or 1."""
        if self._waits is not None:
            pair, self._waits = self._waits, None
            return pair, 1
        course = Course().begin(*PLAYERS)
        pair = self._waits = _Pair(uuid4().hex, course.race)
        for entry in course.log:
            fields = {"h": entry.h, "a": entry.at, "l": entry.lane, "b": entry.body}
            await self._client.xadd(keys.race_log(pair.rid), fields, id=f"{entry.seq}-0")  # type: ignore[arg-type]
        return pair, 0

    async def serve(self, request: web.Request) -> web.WebSocketResponse[bool]:
        """Carry out each move that comes."""
        pair, place = await self._race()
        socket = web.WebSocketResponse(compress=False, autoping=True)
        await socket.prepare(request)
        transport, begin, skips = request.transport, self._log.begin, pair.skips
        assert transport is not None
        player, seat, other = PLAYERS[place], place + 1, 1 - place
        viewer, beside, lane = Viewer(Role.SEAT, seat), Viewer(Role.SEAT, other + 1), str(seat)
        async for frame in socket:
            if frame.type is not WSMsgType.BINARY:
                continue
            message = decode_inbound(frame.data, SPOKEN)
            race = pair.race
            assert isinstance(message, PlayMessage)
            assert race.start_at is not None
            decision = decide(race, Play(player, message.n, message.m, race.start_at))
            assert type(decision) is Happens
            event = decision.events[0]
            body = packed(event)

            def told(outcome: Outcome | None, message: PlayMessage = message, event: Event = event) -> None:
                assert type(outcome) is Appended
                entry, before = outcome.entries[0], pair.race
                _, pair.race = step(before, entry, SECRETS, event)
                after = pair.race
                ev = ev_for(before, event, after, viewer)
                assert ev is not None
                if ev_for(before, event, after, beside) is None:
                    waiting = skips[other]
                    skips[other] = Skip(RID, waiting.from_ if waiting else after.seq, after.seq, after.h)
                sig = receipt(KEY, RID, 0, entry.seq, entry.h)
                res = Res(message.id, True, entry.seq, message.n, sig=sig, hash=entry.h)
                frames = frame_of(ev, SPOKEN) + frame_of(res, SPOKEN)
                skip, skips[place] = skips[place], None
                transport.write(frames if skip is None else frame_of(skip, SPOKEN) + frames)

            begin(pair.rid, Cursor(race.seq, race.h), lane, [(entry_mac(SALT, body), body)], told)
        return socket
