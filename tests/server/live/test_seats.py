"""Seats and the connections that hold them: takeover, absence, resume, and who may watch."""

from __future__ import annotations

import pytest
from redis.asyncio import Redis

from engine.log.entry import GENESIS
from engine.wire import inbound
from engine.wire.outbound import Crowd, Error, Ev, Outbound, Resumed, Skip, Snap
from tests.server.conftest import Serve
from tests.server.cut import cut
from tests.server.served import Server, Talker

CODE = "GO1-E-AAAAAAB"


def _resume(race: str, last: Ev | Skip | Snap, as_: str = "seat") -> tuple[inbound.Resume, ...]:
    seq = last.to if isinstance(last, Skip) else last.seq
    return (inbound.Resume(race, as_, seq, last.hash),)  # type: ignore[arg-type]


def _last(talker: Talker) -> Ev | Skip | Snap:
    return [message for message in talker.heard if isinstance(message, Ev | Skip | Snap)][-1]


def _log(messages: list[Outbound]) -> list[str]:
    """What a client was told of the log, in words."""
    told: list[str] = []
    for message in messages:
        match message:
            case Ev():
                told.append(f"{message.seq} {message.k} {message.s or ''}".strip())
            case Skip():
                told.append(f"{message.from_}-{message.to} skip")
            case Snap():
                told.append(f"{message.seq} snap {message.reason}")
            case _:
                pass
    return told


async def test_second_connection_takes_over(server: Server) -> None:
    """A second connection for the same seat takes it; the first is closed as taken over, the other seat sees it."""
    guest = await server.guest("Anna")
    first, bela = await server.talker(guest), await server.talker()
    race = await server.started(first, bela, code=CODE)
    await first.play(race, "d")
    second = await server.talker(guest)
    snap = await second.join(race)
    assert await first.closed() == 4409
    assert snap.my is not None
    assert (snap.my.seat, snap.my.lane) == (1, 1)
    await second.play(race, "5", first=2)
    back = await bela.until(Ev, lambda ev: ev.k == "seat.back")
    assert (back.s, back.d) == (1, {})


async def test_takeover_on_another_node(serve: Serve) -> None:
    """The connection that is taken over may be on another node: it sees that in the log."""
    one, other = await serve(), await serve()
    guest = await one.guest("Anna")
    first = await one.talker(guest)
    race = await one.started(first, code=CODE)
    second = await other.talker(guest)
    await second.join(race)
    assert await first.closed() == 4409
    await second.play(race, "d 5 2")


async def test_absence_is_seen(server: Server) -> None:
    """When a seat's socket is gone, the others see it absent, and back when it resumes."""
    guest = await server.guest("Anna")
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    await anna.close()
    absent = await bela.until(Ev, lambda ev: ev.k == "seat.absent")
    assert absent.s == 1
    again = await server.talker(guest, resume=_resume(race, _last(anna)))
    await again.until(Resumed)
    await bela.until(Ev, lambda ev: ev.k == "seat.back")
    assert (await bela.join(race)).seats[0].present


async def test_resume_brings_exactly_what_was_missed(server: Server) -> None:
    """A seat that comes back gets the missed events, joined skips included, then goes on live."""
    guest = await server.guest("Anna")
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    await anna.play(race, "d 5")
    last = _last(anna)
    await anna.close()
    await bela.until(Ev, lambda ev: ev.k == "seat.absent")
    await bela.play(race, "d 5 2")
    again = await server.talker(guest, resume=_resume(race, last))
    resumed = await again.until(Resumed)
    assert (resumed.from_, resumed.to) == (9, 13)
    await bela.play(race, "d", first=4)
    await again.play(race, "2", first=3)
    told = _log(again.heard)
    assert told[:3] == ["9 seat.absent 1", "10-12 skip", "13 seat.back 1"]
    assert told[3:] == ["14-14 skip", "15 seat.played 1"]
    assert (await again.ask(inbound.Play(race, 2, "5"))).dup is True


async def test_resume_after_a_restart(serve: Serve) -> None:
    """A node that never saw the race resumes it from the log alone."""
    one = await serve()
    guest = await one.guest("Anna")
    anna = await one.talker(guest)
    race = await one.started(anna, code=CODE)
    await anna.play(race, "d 5 2")
    last = _last(anna)
    await anna.say(inbound.Play(race, 4, "d"))
    await anna.close()
    again = await (await serve()).talker(guest, resume=_resume(race, last))
    await again.until(Resumed)
    await again.until(Ev, lambda ev: ev.k == "seat.played" and ev.d["n"] == 4)


async def test_resume_over_the_start_and_the_end(server: Server) -> None:
    """Whoever was away at the start, or at the end, gets the snapshot of that moment in its place among the events."""
    guest = await server.guest("Anna")
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.race(await server.guest(), code=CODE)
    joined = await anna.join(race)
    await bela.join(race)
    for player in (anna, bela):
        assert (await player.ask(inbound.Ready(race))).ok
    await bela.had(Snap, lambda snap: snap.reason == "start")
    await bela.play(race, "d")
    assert (await anna.ask(inbound.Resign(race))).ok
    assert (await bela.ask(inbound.Resign(race))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end")
    again = await server.talker(guest, resume=_resume(race, joined))
    await again.until(Snap, lambda snap: snap.reason == "end")
    assert _log(again.heard) == [
        "3 race.joined 2",
        "4 race.ready 1",
        "5 race.ready 2",
        "6 race.started",
        "6 snap start",
        "7-7 skip",
        "8 seat.resigned 1",
        "9 seat.resigned 2",
        "10 race.finished",
        "10 snap end",
    ]
    assert [ev.sig is not None for ev in again.heard if isinstance(ev, Ev)][-1]


@pytest.mark.parametrize(
    ("seq", "h", "reason"),
    [
        pytest.param(3, "f" * 32, "hash", id="another history"),
        pytest.param(1_000, "f" * 32, "ahead", id="a future"),
        pytest.param(0, "f" * 32, "hash", id="another beginning"),
        pytest.param(0, GENESIS, None, id="from the beginning"),
    ],
)
async def test_resume_that_does_not_fit(server: Server, seq: int, h: str, reason: str | None) -> None:
    """What cannot be added to is answered by a snapshot that says why."""
    guest = await server.guest()
    anna = await server.talker(guest)
    race = await server.started(anna, code=CODE)
    again = await server.talker(guest, resume=(inbound.Resume(race, "seat", seq, h),))
    if reason is None:
        assert (await again.until(Resumed)).from_ == 1
        await again.until(Ev, lambda ev: ev.k == "seat.back")
        assert _log(again.heard)[0] == "1 race.created"
    else:
        snap = await again.until(Snap)
        assert snap.reason == reason
        assert snap.my is not None
        assert snap.my.board is not None
    await again.play(race, "d 5 2")


@pytest.mark.parametrize(
    ("goes_on", "reason"), [pytest.param(False, "ahead", id="shorter"), pytest.param(True, "hash", id="another")]
)
async def test_a_receipt_proves_a_loss(serve: Serve, redis: Redis, goes_on: bool, reason: str) -> None:
    """Where a failover has taken what was confirmed, the receipt of a client that resumes brings it to light, once."""
    first = await serve()
    guest = await first.guest()
    anna = await first.talker(guest)
    race = await first.started(anna, code=CODE)
    await anna.play(race, "d 5")
    res = await anna.ask(inbound.Play(race, 3, "2"))
    await first.stop()
    await cut(redis, race, 5)
    second = await serve()
    if goes_on:
        other = await second.talker(guest)
        await other.join(race)
        await other.play(race, "u d u", first=2)
        await other.close()
    assert res.seq is not None
    assert res.hash is not None
    known = (inbound.Resume(race, "seat", res.seq, res.hash, res.sig),)
    for expected in (reason, "hash"):
        again = await second.talker(guest, resume=known)
        snap = await again.until(Snap)
        assert snap.reason == expected
        async with second.http.get(f"/api/races/{race}/events", headers=guest.bearer) as answer:
            assert (await answer.text()).count("race.recovered") == 1
    assert snap.my is not None
    await again.play(race, "d", first=snap.my.lane + 1)


async def test_resume_without_the_right(server: Server) -> None:
    """What may not be resumed, or is not there, is told by an `error` that names the race."""
    anna = await server.talker(await server.guest())
    race = await server.started(anna, code=CODE)
    for known, code in (
        (inbound.Resume(race, "seat", 1, "0" * 32), "not_seated"),
        (inbound.Resume("nosuchrace", "watch", 1, "0" * 32), "unknown_race"),
    ):
        stranger = await server.talker(await server.guest(), resume=(known,))
        error = await stranger.error()
        assert (error.code, error.race) == (code, known.race)


async def test_watching(server: Server) -> None:
    """A spectator sees the boards where the card says so, and is counted; leaving ends it."""
    anna, watcher = await server.talker(), await server.talker(boards=True)
    race = await server.started(anna, code=CODE)
    snap = await watcher.watch(race)
    assert snap.my is None
    assert snap.seats[0].board is not None
    await anna.play(race, "d 5")
    ev = await watcher.until(Ev, lambda ev: ev.d.get("n") == 2)
    assert ev.d["board"]["removed"] == 1
    assert (await anna.until(Crowd)).watching == 1
    assert (await watcher.ask(inbound.Leave(race))).ok
    assert (await anna.until(Crowd)).watching == 0


async def test_watch_off(server: Server) -> None:
    """Where watching is off, nobody watches before the end."""
    anna, watcher = await server.talker(), await server.talker()
    race = await server.started(anna, code=CODE, watch="off")
    assert (await watcher.ask(inbound.Watch(race))).reason == "watch_off"
    assert (await anna.ask(inbound.Resign(race))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end")
    assert (await watcher.watch(race)).standings is not None


async def test_nobody_watches_a_race_with_an_open_seat(server: Server) -> None:
    """A player whose seat is open may not watch, over any connection; one whose seat has ended may."""
    guest = await server.guest()
    anna, bela = await server.talker(guest), await server.talker()
    race = await server.race(guest, code=CODE, seats=2)
    aside = await server.talker(guest)
    await aside.watch(race)
    await anna.join(race)
    error = await aside.until(Error)
    assert (error.code, error.reason, error.race) == ("forbidden", "seat_open", race)
    assert (await aside.ask(inbound.Watch(race))).reason == "seat_open"
    assert (await anna.ask(inbound.Watch(race))).code == "forbidden"
    resumed = await server.talker(guest, resume=(inbound.Resume(race, "watch", 1, "0" * 32),))
    assert (await resumed.error()).reason == "seat_open"
    await bela.join(race)
    for player in (anna, bela):
        assert (await player.ask(inbound.Ready(race))).ok
    await anna.had(Ev, lambda ev: ev.k == "race.started")
    assert (await anna.ask(inbound.Resign(race))).ok
    assert (await aside.watch(race)).seats[1].board is not None
    assert (await anna.watch(race)).seats[1].board is not None
