"""A race over real sockets, from the offer to the standings."""

from __future__ import annotations

import msgspec
import pytest

from engine.refusals import Barred, ErrorCode
from engine.texts import text_of
from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Ev, Progress, Res, Skip, Snap
from tests.server.served import Server

CODE = "GO1-E-AAAAAAB"


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
async def test_race_from_join_to_standings(server: Server, subprotocol: Subprotocol) -> None:
    """Two players join, get ready, play and give up; each is told what it may see, and all of it at the end."""
    anna = await server.talker(await server.guest("Anna"), subprotocol)
    bela = await server.talker(await server.guest("Béla"), subprotocol)
    race = await server.started(anna, bela, code=CODE)
    await anna.play(race, "d 5 2")
    skip = await bela.until(Skip)
    progress = await bela.until(Progress, lambda progress: progress.seats[0].cleared == 2)
    assert (skip.from_, progress.seats[0].score, progress.seats[0].moves) == (7, 20, 3)
    for player in (anna, bela):
        assert (await player.ask(inbound.Resign(race))).ok
    for player in (anna, bela):
        finished = await player.until(Ev, lambda ev: ev.k == "race.finished")
        assert finished.sig is not None
        end = await player.next()
        assert isinstance(end, Snap)
        assert (end.reason, end.status, end.card["code"]) == ("end", "finished", CODE)
        assert end.standings is not None
        # Both scores are 0 after the penalty for cards left: Béla's has stood for longer.
        assert [(one["rank"], one["seat"], one["cleared"]) for one in end.standings] == [(1, 2, 0), (2, 1, 2)]
        assert all(seat.board is not None or (end.my and end.my.seat == seat.seat) for seat in end.seats)


async def test_own_events_come_before_the_answer(server: Server) -> None:
    """A command's own events precede its `res`, and the answers of pipelined plays come in order."""
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    await anna.say(*(inbound.Play(race, n, word, id=str(n)) for n, word in enumerate(("d", "5", "2"), 1)))
    told: list[str] = []
    while len(told) < 6:
        message = await anna.next()
        if isinstance(message, Ev):
            told.append(f"ev {message.d['n']}")
        elif isinstance(message, Res):
            told.append(f"res {message.id}")
    assert [one for one in told if one.startswith("ev")] == ["ev 1", "ev 2", "ev 3"]
    assert [one for one in told if one.startswith("res")] == ["res 1", "res 2", "res 3"]
    assert all(told.index(f"ev {n}") < told.index(f"res {n}") for n in (1, 2, 3))


async def test_join_is_answered_then_shown(server: Server) -> None:
    """`join` is answered by `res`, then `snap`, with its own events inside, also when already seated."""
    guest = await server.guest("Anna")
    race = await server.race(guest, code=CODE)
    anna = await server.talker(guest)
    for dup in (None, True):
        await anna.say(inbound.Join(race, id="j"))
        res, snap = await anna.next(), await anna.next()
        assert isinstance(res, Res)
        assert isinstance(snap, Snap)
        assert (res.ok, res.dup, snap.reason, snap.seq, snap.hash) == (True, dup, "join", res.seq, res.hash)
        assert snap.my is not None
        assert (snap.my.seat, snap.my.lane, snap.my.board) == (1, 0, None)
        assert [(seat.seat, seat.name, seat.present) for seat in snap.seats] == [(1, "Anna", True)]


async def test_boards_come_at_the_start(server: Server) -> None:
    """Before `start_at` nobody has a board; then each seat has its own with the legal moves, and no other."""
    anna, bela = await server.talker(), await server.talker()
    await server.started(anna, bela, code=CODE)
    for number, player in enumerate((anna, bela), 1):
        snaps = [message for message in player.heard if isinstance(message, Snap)]
        assert [snap.my and snap.my.board for snap in snaps if snap.reason != "start"] == [None]
        (start,) = [snap for snap in snaps if snap.reason == "start"]
        assert start.my is not None
        assert start.my.seat == number
        assert start.my.board is not None
        assert start.my.board["legal"] == ["d"]
        assert all(seat.board is None for seat in start.seats)


@pytest.mark.parametrize(
    ("message", "why"),
    [
        pytest.param(inbound.Play("", 1, "d"), ErrorCode.NOT_SEATED, id="play without a seat"),
        pytest.param(inbound.Ready(""), ErrorCode.NOT_SEATED, id="ready without a seat"),
        pytest.param(inbound.Leave(""), ErrorCode.NOT_SEATED, id="leave without a seat"),
        pytest.param(inbound.Join(""), ErrorCode.OVER, id="join after the start"),
        pytest.param(inbound.Start(""), Barred.NOT_YOURS, id="start by another"),
        pytest.param(inbound.Cancel(""), Barred.NOT_YOURS, id="cancel by another"),
        pytest.param(inbound.Rematch(""), ErrorCode.NOT_SEATED, id="rematch without a seat"),
    ],
)
async def test_strangers_are_refused(server: Server, message: inbound.Command, why: ErrorCode | Barred) -> None:
    """What a stranger asks of a running race is refused with code, reason and a sentence in the stranger's language."""
    anna = await server.talker()
    race = await server.started(anna, code=CODE)
    stranger = await server.talker(lang="hu-HU")
    res = await stranger.ask(msgspec.structs.replace(message, race=race))
    code, reason = ("forbidden", why.value) if isinstance(why, Barred) else (why.value, None)
    assert (res.ok, res.code, res.reason, res.message) == (False, code, reason, text_of(why, "hu"))


async def test_refused_move_names_its_reason(server: Server) -> None:
    """An illegal move is refused with reason, text and the lane; a gap in the numbers with the lane that is right."""
    anna = await server.talker(lang="en")
    race = await server.started(anna, code=CODE)
    blocked = await anna.ask(inbound.Play(race, 1, "c3r4"))
    assert (blocked.code, blocked.reason, blocked.message, blocked.lane) == (
        "illegal", "blocked", "This card is blocked", 0,
    )  # fmt: skip
    gap = await anna.ask(inbound.Play(race, 3, "d"))
    assert (gap.code, gap.lane) == ("stale_lane", 0)
    assert (await anna.ask(inbound.Play(race, 1, "d"))).dup is None
    again = await anna.ask(inbound.Play(race, 1, "d"))
    assert (again.ok, again.dup, again.lane) == (True, True, 1)
    other = await anna.ask(inbound.Play(race, 1, "5"))
    assert (other.code, other.lane) == ("stale_lane", 1)


async def test_unknown_race(server: Server) -> None:
    """A race that is not there is refused as such, whatever is asked of it."""
    anna = await server.talker()
    for kind in (inbound.Join, inbound.Watch, inbound.Ready, inbound.Leave):
        assert (await anna.ask(kind("nosuchrace"))).code == "unknown_race"


async def test_player_leaves_before_the_start(server: Server) -> None:
    """Who leaves gets no more of the race; the seat is free again."""
    anna, bela = await server.talker(), await server.talker()
    race = await server.race(await server.guest(), code=CODE)
    await anna.join(race)
    await bela.join(race)
    assert (await anna.ask(inbound.Leave(race))).ok
    left = await bela.until(Ev, lambda ev: ev.k == "race.left")
    assert left.s == 1
    assert (await anna.ask(inbound.Leave(race))).code == "not_seated"
    assert (await bela.ask(inbound.Ready(race))).ok
    assert (await anna.join(race)).seq == left.seq + 2
    heard = [message for message in anna.heard if isinstance(message, Ev)]
    assert [ev.k for ev in heard] == ["race.joined", "race.left"]


async def test_creator_cancels(server: Server) -> None:
    """A race that its creator calls off is voided for everybody."""
    guest = await server.guest()
    race = await server.race(guest, code=CODE)
    creator, anna = await server.talker(guest), await server.talker()
    await anna.join(race)
    assert (await creator.ask(inbound.Cancel(race))).ok
    voided = await anna.until(Ev, lambda ev: ev.k == "race.voided")
    assert voided.d["reason"] == "cancelled"
    end = await anna.until(Snap)
    assert (end.reason, end.status) == ("end", "voided")
