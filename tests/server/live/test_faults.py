"""A Redis that does not answer, a node that goes away: every command is answered, and nothing confirmed is lost."""

from __future__ import annotations

import asyncio

import pytest

from engine.wire import inbound
from engine.wire.outbound import Drain, Ev, Pong, Res, Resumed
from server.live.closing import Closing
from server.live.hearing import Hearing
from server.live.rooms import Rooms
from server.live.session import Session
from tests.server.conftest import Serve
from tests.server.store.wire import wire_to

CODE = "GO1-E-AAAAAAB"


async def test_redis_does_not_answer(serve: Serve, redis_url: str) -> None:
    """While Redis is silent a play is answered once, as unknown; everything else on the socket goes on.

    The same play sent again afterwards is in once.
    """
    async with wire_to(redis_url) as (wire, near):
        server = await serve(near, give_up_ms=500)
        anna = await server.talker()
        race = await server.started(anna, code=CODE)
        await anna.play(race, "d")
        wire.flowing.clear()
        await anna.say(inbound.Play(race, 2, "5", id="p"), inbound.Ping("meanwhile"), inbound.Join("other", id="j"))
        assert isinstance(await anna.next(), Pong)
        res = await anna.until(Res, lambda res: res.id == "p")
        assert (res.ok, res.code) == (False, "unavailable")
        assert res.retry_ms
        async with server.http.get(f"/api/races/{race}") as answer:
            told = await answer.json()
            assert (answer.status, told["code"]) == (503, "unavailable")
        wire.flowing.set()
        while (again := await anna.ask(inbound.Play(race, 2, "5"))).code == "unavailable":
            pass
        assert (again.ok, again.lane) == (True, 2)
        await anna.play(race, "2", first=3)
        assert [res.id for res in anna.heard if isinstance(res, Res)].count("p") == 1
        told = [message.d["n"] for message in anna.heard if isinstance(message, Ev) and message.k == "seat.played"]
        assert told == [1, 2, 3]


async def test_node_goes_away(serve: Serve) -> None:
    """A node that stops says so and closes its sockets as restarting; what was played is there on another node."""
    one, other = await serve(), await serve()
    guest = await one.guest()
    anna, idle = await one.talker(guest), await one.connect()
    race = await one.started(anna, code=CODE)
    await anna.play(race, "d 5")
    last = [message for message in anna.heard if isinstance(message, Ev)][-1]
    await one.stop()
    assert (await anna.until(Drain)).retry_ms > 0
    assert await anna.closed() == 1012
    assert await idle.closed() == 1012
    again = await other.talker(guest, resume=(inbound.Resume(race, "seat", last.seq, last.hash),))
    await again.until(Resumed)
    await again.until(Ev, lambda ev: ev.k == "seat.back")
    assert [message.k for message in again.heard if isinstance(message, Ev)] == ["seat.absent", "seat.back"]
    await again.play(race, "2", first=3)


@pytest.mark.parametrize("moment", ["begins", "ends"])
async def test_closed_as_it_begins_or_ends(serve: Serve, monkeypatch: pytest.MonkeyPatch, moment: str) -> None:
    """Whoever closes a session right after it has begun, or after its client has gone, meets no fault there."""
    closed: list[BaseException | None] = []
    enter, listen = Rooms.enter, Hearing.listen

    def close(session: Session) -> None:
        try:
            session.close(Closing.RESTART)
            closed.append(None)
        except RuntimeError as fault:
            closed.append(fault)

    def entered(rooms: Rooms, session: Session) -> None:
        enter(rooms, session)
        asyncio.get_running_loop().call_soon(close, session)

    async def listened(hearing: Hearing) -> None:
        await listen(hearing)
        asyncio.get_running_loop().call_soon(close, hearing._session)

    if moment == "begins":
        monkeypatch.setattr(Rooms, "enter", entered)
    else:
        monkeypatch.setattr(Hearing, "listen", listened)
    server = await serve()
    anna = await server.connect()
    if moment == "begins":
        assert await anna.closed() == Closing.RESTART
    await anna.close()
    await server.stop()
    assert closed == [None]


async def test_a_fault_of_ours_gives_up_the_seat(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    """A session that fails is closed with 1011, and its seat is said to be absent, so that the race can end."""
    server = await serve()
    anna, watcher = await server.talker(), await server.talker()
    race = await server.started(anna, code=CODE)
    await watcher.watch(race)

    def fail(hearing: Hearing, message: inbound.Said, now: float) -> None:
        raise RuntimeError("a fault of ours")

    monkeypatch.setattr(Hearing, "_take", fail)
    await anna.say(inbound.Done(race, "1"))
    assert await anna.closed() == Closing.FAULT
    absent = await watcher.until(Ev, lambda ev: ev.k == "seat.absent")
    assert absent.s == 1
