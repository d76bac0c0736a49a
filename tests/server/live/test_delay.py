"""Spectators of a race with a delay: what they see is old until every seat has ended, over sockets and HTTP alike."""

from __future__ import annotations

import msgspec
import pytest
from redis.asyncio import Redis

from engine.race.events import Played
from engine.replay.seen import Step
from engine.replay.verify import verify
from engine.wire import inbound
from engine.wire.outbound import Crowd, Error, Ev, Snap, Welcome
from server.live.delayed import seen_late
from tests.engine.race.course import Course
from tests.server.cut import cut
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"
LONG_S = 3_600
UNSEEN = (Crowd, Welcome)
"""What says nothing of the race that its file could bear out."""


def _words(talker: Talker) -> list[str]:
    return [str(told.d["m"]) for told in talker.heard if isinstance(told, Ev) and told.k == "seat.played"]


async def test_late_until_the_end(server: Server) -> None:
    """A spectator sees who sits down at once, boards and moves when their time has come or the race is over."""
    anna, early = await server.talker(), await server.talker()
    race = await server.race(await server.guest(), code=CODE, seats=1, delay_s=LONG_S)
    assert (await early.watch(race)).seats == ()
    await anna.join(race)
    await early.had(Ev, lambda ev: ev.k == "race.joined")
    assert (await anna.ask(inbound.Ready(race))).ok
    await early.had(Ev, lambda ev: ev.k == "race.started")
    await anna.had(Snap, lambda snap: snap.reason == "start")
    await anna.play(race, "d 5")
    late = await server.talker()
    snap = await late.watch(race)
    assert (snap.status, snap.seats[0].board, snap.card.get("code")) == ("starting", None, CODE)
    resumed = await server.talker(resume=(inbound.Resume(race, "watch", snap.seq, snap.hash),))
    stranger = await server.guest()
    async with server.http.get(f"/api/races/{race}/events", headers=stranger.bearer) as answer:
        assert "seat.played" not in await answer.text()
    assert _words(early) == _words(late) == []
    assert (await anna.ask(inbound.Resign(race))).ok
    for watcher in (early, late, resumed):
        end = await watcher.had(Snap, lambda snap: snap.reason == "end")
        assert end.seats[0].board is not None
        assert _words(watcher) == ["d", "5"]
    async with server.http.get(f"/api/races/{race}/events", headers=stranger.bearer) as answer:
        assert (await answer.text()).count("seat.played") == 2


async def test_late_after_a_loss_too(server: Server, redis: Redis) -> None:
    """What is left of a history is as late as all of it was; only what has been told and is lost is told anew."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.race(await server.guest(), code=CODE, seats=1, delay_s=LONG_S)
    await watcher.watch(race)
    await anna.join(race)
    await watcher.had(Ev, lambda ev: ev.k == "race.joined")
    await cut(redis, race, 1)
    open_again = await watcher.had(Snap, lambda snap: snap.reason == "recovered")
    assert (open_again.seq, open_again.seats) == (1, ())
    await anna.had(Error, lambda error: error.code == "not_seated")
    await anna.join(race)
    assert (await anna.ask(inbound.Ready(race))).ok
    await watcher.had(Ev, lambda ev: ev.k == "race.started")
    await anna.had(Snap, lambda snap: snap.reason == "start")
    await anna.play(race, "d 5 2")
    told = len(watcher.heard)
    await cut(redis, race, -2)
    await anna.had(Snap, lambda snap: snap.reason == "recovered")
    await anna.play(race, "5 2", first=2)
    late = await server.talker()
    assert (await late.watch(race)).seats[0].board is None
    assert (await anna.ask(inbound.Resign(race))).ok
    for one in (watcher, late):
        assert (await one.had(Snap, lambda snap: snap.reason == "end")).seats[0].board is not None
        assert _words(one) == ["d", "5", "2"]
    assert [one.reason for one in watcher.heard[told:] if isinstance(one, Snap)] == ["start", "end"]


async def test_late_again_where_the_end_is_lost(server: Server, redis: Redis) -> None:
    """A race that goes on, for its end is gone, is told as late as before; what had been shown of it is taken back."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.started(anna, code=CODE, delay_s=LONG_S)
    await watcher.watch(race)
    await anna.play(race, "d 5")
    assert (await anna.ask(inbound.Resign(race))).ok
    assert (await watcher.had(Snap, lambda snap: snap.reason == "end")).seats[0].board is not None
    told = len(watcher.heard)
    await cut(redis, race, -2)
    assert (await watcher.had(Snap, lambda snap: snap.reason == "recovered")).seats[0].board is None
    await anna.had(Snap, lambda snap: snap.reason == "recovered")
    await anna.play(race, "2", first=3)
    late = await server.talker()
    assert (await late.watch(race)).seats[0].board is None
    assert [one for one in watcher.heard[told:] if isinstance(one, Ev) and one.k == "seat.played"] == []


async def test_a_short_delay_passes(server: Server) -> None:
    """What happened a second ago is shown, boards and moves, while the race runs; all of it holds beside the file."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.race(await server.guest(), code=CODE, seats=1, delay_s=1)
    await watcher.watch(race)
    await anna.join(race)
    assert (await anna.ask(inbound.Ready(race))).ok
    await anna.had(Snap, lambda snap: snap.reason == "start")
    await anna.play(race, "d 5")
    start = await watcher.had(Snap, lambda snap: snap.reason == "start")
    assert start.seats[0].board is not None
    assert start.seats[0].board["moves"] == 0
    await watcher.had(Ev, lambda ev: ev.d.get("n") == 2)
    assert _words(watcher) == ["d", "5"]
    late = await server.talker()
    board = (await late.watch(race)).seats[0].board
    assert board is not None
    await anna.play(race, "2", 3)
    assert (await anna.ask(inbound.Done(race))).ok
    for talker in (watcher, late):
        await talker.had(Snap, lambda snap: snap.reason == "end")
    async with server.http.get(f"/api/races/{race}/record") as answer:
        record = await answer.read()
    for talker in (watcher, late):
        told = [message for message in talker.heard if not isinstance(message, UNSEEN)]
        verdict = verify(record, map(msgspec.json.encode, talker.heard))
        assert (verdict.ok, verdict.frames) == (True, len(told)), verdict


async def test_seats_are_not_late(server: Server) -> None:
    """The delay is for spectators: seats are dealt at once; anybody is told of the delay, and no seat watches."""
    anna, bela = await server.talker(), await server.talker()
    race = await server.started(anna, bela, code=CODE, delay_s=LONG_S)
    await anna.play(race, "d")
    async with server.http.get(f"/api/races/{race}") as answer:
        assert (await answer.json())["card"]["delay_s"] == LONG_S
    assert (await bela.ask(inbound.Watch(race))).code == "forbidden"


@pytest.mark.parametrize(("delay", "known"), [(0, 3), (1_000, 2), (2_000, 1), (3_000, 0)])
def test_what_is_known(delay: int, known: int) -> None:
    """Of three moves a second apart those are known that are old enough, and all where there is no delay."""
    course = Course(seats=1).begin("ann")
    for _ in range(3):
        course.now += 1_000
        course.play("ann", "d")
    history = [Step(*told) for told in course.told]
    shown, later = seen_late(history, course.now, delay)
    assert [*shown, *later] == history
    assert sum(isinstance(step.event, Played) for step in shown) == known
    assert len(shown) == 4 + known
