"""Rematches and series over sockets: one successor, told to everybody, on any node, whatever was lost meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from redis.asyncio import Redis

from engine.wire import inbound
from engine.wire.outbound import Error, Ev, Matched, Snap
from server.store import keys
from server.store.archive import FolderArchive, open_folder
from tests.server.conftest import Serve
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"


async def _finished(server: Server, *players: Talker, **card: Any) -> str:
    """A race in which all have resigned, its end told to everybody."""
    race = await server.started(*players, **{"code": CODE, **card})
    await _resign(race, *players)
    return race


async def _resign(race: str, *players: Talker) -> None:
    for player in players:
        assert (await player.ask(inbound.Resign(race))).ok
    for player in players:
        await player.had(Snap, lambda snap: snap.reason == "end" and snap.race == race)


async def _shown(server: Server, race: str) -> dict[str, Any]:
    async with server.http.get(f"/api/races/{race}") as answer:
        shown: dict[str, Any] = await answer.json()
        return shown


async def test_three_at_a_rematch_at_once(serve: Serve) -> None:
    """Three ask at once, over two nodes: all are sent to one race, on a new deal, where their seats are kept."""
    first, second = await serve(), await serve()
    guests = [await first.guest(name) for name in ("Anna", "Béla", "Cili")]
    nodes = (first, second, second)
    players = [await node.talker(guest) for node, guest in zip(nodes, guests, strict=True)]
    race = await _finished(first, *players)
    answers = await asyncio.gather(*(player.ask(inbound.Rematch(race)) for player in players))
    (following,) = {answer.race for answer in answers}
    assert following is not None
    again = await players[0].ask(inbound.Rematch(race))
    assert (again.ok, again.race) == (True, following)
    for number, player in reversed(list(enumerate(players, 1))):
        snap = await player.join(following)
        assert snap.my is not None
        assert snap.my.seat == number
        assert "code" not in snap.card
    stranger = await first.talker()
    assert (await stranger.ask(inbound.Join(following))).code == "full"
    for player in players:
        assert (await player.ask(inbound.Ready(following))).ok
    start = await players[0].had(Snap, lambda snap: snap.race == following and snap.reason == "start")
    assert start.card["code"] != CODE
    assert (await _shown(second, race))["next"] == following
    assert (await _shown(second, following))["previous"] == race


async def test_a_rematch_asked_for_with_the_last_move(server: Server) -> None:
    """Who asks as soon as the last seat has ended is sent to the next race: the end need not be told before."""
    anna, bela = await server.talker(), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    assert (await anna.ask(inbound.Resign(race))).ok
    assert (await bela.ask(inbound.Resign(race))).ok
    rematch = await bela.ask(inbound.Rematch(race))
    assert (rematch.code, rematch.race) == (None, (await _shown(server, race))["next"])


async def test_the_other_seats_are_told(serve: Serve) -> None:
    """Who did not ask is told of the rematch once, on any node; who was away is told on coming back."""
    first, second = await serve(), await serve()
    bela = await second.guest("Béla")
    anna, elsewhere, away = await first.talker(), await second.talker(bela), await second.talker()
    race = await _finished(first, anna, elsewhere, away)
    await away.close()
    following = (await anna.ask(inbound.Rematch(race))).race
    assert (await elsewhere.until(Matched)) == Matched(str(following), race)
    assert (await anna.ask(inbound.Rematch(race))).race == following
    snap = await anna.join(race)
    assert snap.status == "finished"
    back = await second.talker(bela, resume=(inbound.Resume(race, "seat", snap.seq, snap.hash),))
    assert (await back.until(Matched)).race == following
    assert not [told for told in anna.heard if isinstance(told, Matched)]
    assert len([told for told in elsewhere.heard if isinstance(told, Matched)]) == 1


async def test_a_seat_that_watches_is_told(server: Server) -> None:
    """Who has ended and watches the others is told of the rematch like any seat; who only watches is not."""
    anna, bela, stranger = await server.talker(), await server.talker(), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    assert (await anna.ask(inbound.Done(race))).ok
    for one in (anna, stranger):
        assert (await one.ask(inbound.Watch(race))).ok
    assert (await bela.ask(inbound.Resign(race))).ok
    await anna.had(Snap, lambda snap: snap.reason == "end")
    following = (await bela.ask(inbound.Rematch(race))).race
    assert (await anna.until(Matched)) == Matched(str(following), race)
    assert (await stranger.ask(inbound.Watch(race))).ok
    assert not [told for told in stranger.heard if isinstance(told, Matched)]


async def test_no_rematch(server: Server) -> None:
    """A rematch is for those who had a seat, of a race that has been finished."""
    anna, stranger = await server.talker(), await server.talker()
    race = await server.started(anna, code=CODE)
    assert (await anna.ask(inbound.Rematch(race))).reason == "not_over"
    assert (await anna.ask(inbound.Rematch("nosuchrace"))).code == "unknown_race"
    await _resign(race, anna)
    assert (await stranger.ask(inbound.Rematch(race))).code == "not_seated"
    guest = await server.guest()
    creator = await server.talker(guest)
    called_off = await server.race(guest, code=CODE)
    await creator.join(called_off)
    assert (await creator.ask(inbound.Cancel(called_off))).ok
    assert (await creator.ask(inbound.Rematch(called_off))).reason == "voided"


async def test_declined(server: Server) -> None:
    """Who declines a rematch before sitting down frees the seat for anybody."""
    anna, bela, cili = [await server.talker() for _ in range(3)]
    race = await _finished(server, anna, bela)
    following = str((await anna.ask(inbound.Rematch(race))).race)
    assert [kept["seat"] for kept in (await anna.join(following)).kept] == [2]
    assert (await bela.ask(inbound.Leave(following))).ok
    await anna.had(Ev, lambda ev: ev.k == "race.left" and ev.race == following)
    snap = await cili.join(following)
    assert snap.my is not None
    assert snap.my.seat == 2


async def test_series_runs_to_its_end(serve: Serve) -> None:
    """Nine deals of Golf by strokes: each race begins by itself; whoever stays away pays for every card."""
    first, second = await serve(series_delay_ms=0), await serve(series_delay_ms=0)
    anna, bela = await first.talker(), await second.talker()
    race = await first.started(anna, bela, game="GO1-C", goal="strokes", series=9)
    races = [race]
    for leg in range(1, 10):
        await anna.play(race, "d d")
        assert (await bela.ask(inbound.Resign(race))).ok
        await _resign(race, anna)
        if leg == 9:
            break
        race = (await anna.had(Matched, lambda told, race=race: told.previous == race)).race  # type: ignore[misc]
        races.append(race)
        snap = await anna.join(race)
        assert snap.status in ("starting", "live")
        assert (snap.series or {})["leg"] == leg + 1
        await anna.had(Snap, lambda snap, race=race: snap.race == race and snap.my.board is not None)  # type: ignore[misc]
    await anna.had(Snap, lambda snap: snap.race == race and snap.reason == "end")
    series = (await _shown(second, race))["series"]
    assert (series["leg"], series["finished"], series["par"]) == (9, 9, 45)
    assert [(one["rank"], one["strokes"]) for one in series["totals"]] == [(1, 9 * 35), (1, 9 * 35)]
    assert "next" not in await _shown(first, race)
    codes = {(await _shown(first, one))["code"] for one in races}
    assert len(codes) == 9


async def test_series_goes_on_though_its_node_died(serve: Serve, redis: Redis) -> None:
    """The timer of a race that ended makes the next one where the node that ended it did not."""
    server = await serve(series_delay_ms=0)
    anna = await server.talker()
    race = await server.started(anna, game="GO1-C", goal="strokes", series=2)
    await _resign(race, anna)
    following = (await anna.until(Matched)).race
    # As if it had never been made: the race's timer is still there.
    await redis.delete(keys.race_log(following))
    await anna.close()
    await server.stop()
    other = await serve(series_delay_ms=0)
    back = await other.talker()
    async with asyncio.timeout(10):
        while (await _shown(other, race)).get("next") != following:
            await back.ask(inbound.Watch(race))


async def test_no_show(serve: Serve) -> None:
    """A seat that is not ready in time is freed, and its client told; the one who waits can be joined by another."""
    server = await serve(no_show_ms=300)
    anna, idle, cili = [await server.talker() for _ in range(3)]
    race = await server.race(await server.guest(), code=CODE)
    await anna.join(race)
    await idle.join(race)
    assert (await anna.ask(inbound.Ready(race))).ok
    error = await idle.until(Error)
    assert (error.code, error.race) == ("not_seated", race)
    snap = await cili.join(race)
    assert snap.my is not None
    assert snap.my.seat == 2
    assert (await cili.ask(inbound.Ready(race))).ok
    assert (await anna.had(Snap, lambda snap: snap.reason == "start")).status == "live"


async def test_hints_of_solo_practice(server: Server) -> None:
    """Practice asks for moves that can be played; the answer, the event and the result tell of them."""
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    res = await anna.ask(inbound.Hint(race))
    assert res.ok
    assert res.m is not None
    ev = await anna.had(Ev, lambda ev: ev.k == "seat.hinted")
    assert ev.d == {"n": 0, "m": res.m}
    again = await anna.ask(inbound.Hint(race))
    assert (again.dup, again.m) == (True, res.m)
    await anna.play(race, res.m)
    await _resign(race, anna)
    end = await anna.had(Snap, lambda snap: snap.reason == "end")
    assert end.standings is not None
    assert end.standings[0]["hints"] == 1
    bela, cili = await server.talker(), await server.talker()
    both = await server.started(bela, cili, code=CODE)
    assert (await bela.ask(inbound.Hint(both))).reason == "no_hints"


async def _archived(archive: FolderArchive, redis: Redis, race: str) -> None:
    """Wait until a race has its file, and let its log go as it does a minute later."""
    async with asyncio.timeout(20):
        while await archive.read(race) is None:  # noqa: ASYNC110 - nobody is told of a file.
            await asyncio.sleep(0.05)
    await redis.delete(keys.race_log(race))


async def test_rematch_of_an_archived_race(serve: Serve, redis: Redis, tmp_path: Path) -> None:
    """A race that only its file tells of has the same one successor, and its runs can be raced against."""
    archive = open_folder(tmp_path / "archive")
    first = await serve(archive=archive)
    guests = [await first.guest(), await first.guest()]
    players = [await first.talker(guest) for guest in guests]
    race = await first.started(*players, code=CODE)
    await players[0].play(race, "d 5")
    await _resign(race, *players)
    await _archived(archive, redis, race)
    following = str((await players[0].ask(inbound.Rematch(race))).race)
    for player in players:
        await player.join(following)
    for player in players:
        assert (await player.ask(inbound.Ready(following))).ok
    await players[0].had(Snap, lambda snap: snap.race == following and snap.reason == "start")
    await _resign(following, *players)
    await _archived(archive, redis, following)
    second = await serve(archive=archive)
    again = await second.talker(guests[1])
    assert (await again.ask(inbound.Rematch(race))).race == following
    assert (await _shown(second, race))["next"] == following
    offered = await second.offer(guests[0], {"bots": [{"bot": "ghost", "race": race, "seat": 1}]})
    assert offered.status == 201
    card = (await _shown(second, (await offered.json())["race"]))["card"]
    assert (card["code"], card["bots"][0]["bot"]) == (CODE, f"ghost:{race}:1")
