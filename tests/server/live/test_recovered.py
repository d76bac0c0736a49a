"""Confirmed history that a failover has lost: everybody is told, on all nodes, and goes on from what is left."""

from __future__ import annotations

import json

import pytest
from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Error, Ev, Skip, Snap
from tests.journeys.proxy import Proxy
from tests.server.conftest import Serve
from tests.server.cut import cut

CODE = "GO1-E-AAAAAAB"
MORE_THAN_TRIED = 20
"""Attempts to connect, after which the node has answered at least once that Redis cannot be reached."""


def _recovered(snap: Snap) -> bool:
    return snap.reason == "recovered"


async def test_seats_and_spectators_of_all_nodes_are_told(serve: Serve, redis: Redis) -> None:
    """Nobody has asked for anything: each is shown what is left, then the note of what is lost, the same for all."""
    first, second = await serve(), await serve()
    anna, bela = await first.talker(), await second.talker()
    race = await first.started(anna, bela, code=CODE)
    watchers = [await node.talker() for node in (first, second)]
    for watcher in watchers:
        await watcher.watch(race)
    await anna.play(race, "d 5 2")
    for watcher in watchers:
        await watcher.had(Ev, lambda ev: ev.d.get("n") == 3)
    await bela.had(Skip, lambda skip: skip.to == 9)

    await cut(redis, race, -2)

    # The node that finds it first notes it; the other may read the note with what is left.
    snaps = [await one.had(Snap, _recovered) for one in (anna, bela, *watchers)]
    assert {snap.seq for snap in snaps} <= {7, 8}
    assert snaps[0].my is not None
    assert snaps[0].my.lane == 1
    await anna.play(race, "5 2", first=2)
    told = [await one.had(Ev, lambda ev: ev.d.get("n") == 3 and ev.seq == 10) for one in watchers]
    assert len({ev.hash for ev in told}) == 1
    async with first.http.get(f"/api/races/{race}/events") as answer:
        notes = [line for line in (await answer.text()).splitlines() if "race.recovered" in line]
    assert [json.loads(note)["d"]["seq"] for note in notes] == [9]


async def test_whose_seat_is_lost_sees_nothing_of_who_has_it_now(serve: Serve, redis: Redis) -> None:
    """A join that is gone is told as such; whoever takes the seat next is not seen by the one who had it."""
    first, second = await serve(), await serve()
    anna, bela = await first.talker(), await second.talker()
    race = await first.race(await first.guest(), code=CODE, seats=1)
    await anna.join(race)
    await cut(redis, race, 1)
    await bela.join(race)
    assert (await anna.had(Error, lambda error: error.race == race)).code == "not_seated"
    heard = len(anna.heard)
    assert (await bela.ask(inbound.Ready(race))).ok
    await bela.had(Snap, lambda snap: snap.reason == "start")
    assert (await anna.ask(inbound.Play(race, 1, "d"))).code == "not_seated"
    assert not [told for told in anna.heard[heard:] if isinstance(told, Snap | Ev)]


async def test_a_connection_whose_taking_over_is_lost_holds_the_seat_again(serve: Serve, redis: Redis) -> None:
    """Else the log would have the seat held by a connection that has ended, and call it absent for good."""
    server = await serve()
    guest = await server.guest()
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.race(await server.guest(), code=CODE, seats=2)
    for player in (anna, bela):
        await player.join(race)
    again = await server.talker(guest)
    await again.join(race)
    assert await anna.closed() == 4409
    await bela.had(Ev, lambda ev: ev.k == "seat.back")
    await cut(redis, race, -1)
    await again.had(Snap, _recovered)
    # The connection that has ended may have called the seat absent first, where the log no longer knew better.
    await bela.until(Ev, lambda ev: ev.k == "seat.back")
    told = len(bela.heard)
    assert (await bela.ask(inbound.Ready(race))).ok
    assert "seat.absent" not in [one.k for one in bela.heard[told:] if isinstance(one, Ev)]
    await again.close()
    await bela.until(Ev, lambda ev: ev.k == "seat.absent")


@pytest.mark.parametrize("goes_on", [False, True], ids=["shorter", "another"])
async def test_an_earlier_receipt_proves_a_loss_too(serve: Serve, redis: Redis, goes_on: bool) -> None:
    """What a client saw last was another's, for which it has no receipt: its own last one is enough."""
    first = await serve()
    guest = await first.guest()
    anna, bela = await first.talker(guest), await first.talker()
    race = await first.started(anna, bela, code=CODE)
    res = await anna.ask(inbound.Play(race, 1, "d"))
    assert (await bela.ask(inbound.Play(race, 1, "d"))).ok
    last = await anna.had(Skip, lambda skip: skip.to > (res.seq or 0))
    await first.stop()
    await cut(redis, race, (res.seq or 0) - 1)
    second = await serve()
    if goes_on:
        other = await second.talker(guest)
        await other.join(race)
        await other.play(race, "d 5 2")
    assert res.seq is not None
    assert res.hash is not None
    assert res.sig is not None
    receipt = inbound.Receipt(res.seq, res.hash, res.sig)
    known = inbound.Resume(race, "seat", last.to, last.hash, receipt=receipt)
    again = await second.talker(guest, resume=(known,))
    assert (await again.until(Snap)).reason in ("hash", "ahead")
    async with second.http.get(f"/api/races/{race}/events", headers=guest.bearer) as answer:
        assert f'"d":{{"seq":{res.seq},"h":"{res.hash}"}}' in await answer.text()


async def test_a_receipt_is_kept_while_redis_is_away(line: Proxy, serve: Serve, redis: Redis) -> None:
    """Who comes back before Redis does is resumed once it is there, from all that it has proof of."""
    first, second = await serve(), await serve(line.url, give_up_ms=600)
    guest = await first.guest()
    anna = await first.talker(guest)
    race = await first.started(anna, code=CODE)
    res = await anna.ask(inbound.Play(race, 1, "d"))
    await first.stop()
    assert res.seq is not None
    assert res.hash is not None
    await cut(redis, race, res.seq - 1)
    line.refusing = True
    line.cut()
    again = await second.talker(guest, resume=(inbound.Resume(race, "seat", res.seq, res.hash, res.sig),))
    while line.turned_away < MORE_THAN_TRIED:
        await (await second.http.get("/healthz")).read()
    line.heal()
    assert (await again.until(Snap)).reason in ("hash", "ahead")
    async with second.http.get(f"/api/races/{race}/events") as answer:
        assert "race.recovered" in await answer.text()
