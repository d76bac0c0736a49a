"""Nodes and clients that cannot be reached for a while, and come back: what is said of them is put right."""

from __future__ import annotations

import asyncio

from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Ev
from server.store import keys
from tests.journeys.proxy import Proxy
from tests.server.conftest import Serve

CODE = "GO1-E-AAAAAAB"
NO_RACE = 26 * "a"
LONGER_S = 4.0
"""Than what waits for Redis is tried again."""


async def test_a_node_cut_off_beyond_its_lease_takes_its_seats_back(line: Proxy, serve: Serve, redis: Redis) -> None:
    """Another node says that its players are gone; it says that they are not, and that it is to be watched again."""
    one, other = await serve(line.url, give_up_ms=200, lease_ms=400), await serve(lease_ms=400)
    anna, bob = await one.talker(), await other.talker()
    race = await other.race(await other.guest(), code=CODE, seats=2)
    for player in (anna, bob):
        await player.join(race)
    noted = [keys.node_races(int(node)) for node in await redis.zrange(keys.NODES, 0, -1)]
    assert [await redis.smembers(held) for held in noted] == [{race.encode()}] * 2
    line.refusing = True
    line.cut()
    await bob.until(Ev, lambda ev: ev.k == "seat.absent" and ev.s == 1)
    while await redis.exists(*noted) == 2:
        pass
    line.heal()
    await bob.until(Ev, lambda ev: ev.k == "seat.back" and ev.s == 1)
    assert (await anna.ask(inbound.Ready(race))).ok
    while await redis.exists(*noted) < 2:
        pass


async def test_a_seat_taken_over_meanwhile_is_not_taken_back(line: Proxy, serve: Serve) -> None:
    """Whoever comes back over another node while the first is cut off keeps the seat; the old socket is closed."""
    one, other = await serve(line.url, give_up_ms=200, lease_ms=400), await serve(lease_ms=400)
    guest = await one.guest()
    anna, bob = await one.talker(guest), await other.talker()
    race = await other.race(await other.guest(), code=CODE, seats=2)
    for player in (anna, bob):
        await player.join(race)
    line.refusing = True
    line.cut()
    await bob.until(Ev, lambda ev: ev.k == "seat.absent" and ev.s == 1)
    again = await other.talker(guest)
    await again.join(race)
    line.heal()
    assert await anna.closed() == 4409
    assert (await again.ask(inbound.Ready(race))).ok
    assert (await bob.ask(inbound.Ready(race))).ok
    await bob.had(Ev, lambda ev: ev.k == "race.started")
    told = [ev.k for ev in bob.heard if isinstance(ev, Ev) and ev.s == 1]
    assert told == ["seat.absent", "seat.back", "race.ready"]


async def test_what_a_socket_asked_before_it_went_is_not_done_after_the_player_is_back(
    line: Proxy, serve: Serve
) -> None:
    """A resume that waits for Redis, of a socket that is gone by then, does not close the one that came after it."""
    one, other = await serve(line.url, give_up_ms=200), await serve()
    guest = await one.guest()
    anna, bob = await one.talker(guest), await other.talker()
    race = await other.race(await other.guest(), code=CODE, seats=2)
    for player in (anna, bob):
        await player.join(race)
    line.refusing = True
    line.cut()
    gone = await one.talker(guest, resume=(inbound.Resume(race, "seat", 0, ""),))
    assert not (await gone.ask(inbound.Ready(NO_RACE))).ok
    await gone.close()
    again = await other.talker(guest)
    await again.join(race)
    line.heal()
    assert await anna.closed() == 4409
    await asyncio.sleep(LONGER_S)
    assert (await again.ask(inbound.Ready(race))).ok
    await bob.until(Ev, lambda ev: ev.k == "race.ready")
    assert [ev.k for ev in bob.heard if isinstance(ev, Ev) and ev.s == 1] == ["seat.back", "race.ready"]


async def test_a_close_waits_for_its_answer(serve: Serve) -> None:
    """The server keeps a socket until its close frame is answered: cut before, the frame could be lost with it."""
    server = await serve()
    talker = await server.connect(autoclose=False)
    for _ in range(12):
        await talker.raw(b"\xc1")
    assert await talker.closed() == 1008
    for _ in range(20):
        async with server.http.get("/metrics") as answer:
            assert "fairdeal_sockets 1.0" in (await answer.text()).splitlines()
    await talker.socket.close()
