"""Workers on a real server: seats that want a bot are taken, played to the end, and taken over."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from bots.client import Client, Following, Refused
from bots.roster import Entry, entry
from bots.seat import NotOpen, play_seat
from bots.thinking import Thinking
from engine.wire.outbound import Ev
from engine.wish import GROUP, STREAM
from server.store.accounts import Accounts
from tests.bots.worker.conftest import Working

CODE = "GO1-E-AAAAAAB"
FAST = 1000.0


async def offer(client: Client, *bots: str, pace: float = FAST, **card: Any) -> Following:
    """Offer a race on the published deal to so many bots, and watch it."""
    wishes = [{"bot": bot, "pace": pace} for bot in bots]
    rid = await client.create_race({"code": CODE, "seats": len(bots), "bots": wishes, "time_limit_s": 60} | card)
    return await client.watch(rid)


async def nothing_wanted(redis: Redis) -> None:
    """Wait until no wish is left."""
    while await redis.xlen(STREAM):  # noqa: ASYNC110 - nobody is told when a stream has become empty.
        await asyncio.sleep(0.01)


def ends(standings: Sequence[dict[str, Any]] | None) -> list[tuple[str, str]]:
    return sorted((row["name"], row["status"]) for row in standings or ())


async def test_bots_race_each_other_to_the_end(client: Client, working: Working, redis: Redis) -> None:
    """Each bot of the card has a seat, says what it is, plays until it is won or settled; then nothing is wanted."""
    async with working("one"):
        race = await offer(client, "greedy", "random", "greedy")
        await race.until(lambda race: race.over)
        await nothing_wanted(redis)

    assert race.standings is not None
    assert sorted(row["name"] for row in race.standings) == ["greedy", "greedy", "random"]
    assert {row["status"] for row in race.standings} <= {"won", "done"}
    assert {row["kind"] for row in race.standings} == {"bot"}
    assert {row["engine"] for row in race.standings} == {"fairdeal greedy", "fairdeal random"}
    assert await redis.keys("*token*") == []


@pytest.mark.parametrize("undo", ["free", "unrevealed", "none"])
async def test_a_stuck_bot_settles(client: Client, working: Working, undo: str) -> None:
    """A bot that can only undo does not wait for the time limit."""
    async with working("one"):
        race = await offer(client, "random", undo=undo)
        await race.until(lambda race: race.over)

    assert race.standings is not None
    assert race.standings[0]["status"] in {"won", "done"}


async def test_a_seat_is_seen_to_warm_up_before_it_is_ready(client: Client, address: str) -> None:
    """The bot joins at once, and is ready when it has loaded what it needs."""
    warm = Event()

    def warm_up(_: str) -> float:
        warm.wait()
        return 0.0

    bot = msgspec.structs.replace(entry("greedy"), warm_up=warm_up)
    rid = await client.create_race({"code": CODE, "seats": 2})
    race = await client.watch(rid)
    with Thinking() as thinking:
        async with Client(address, name="greedy", kind="bot") as player:
            task = asyncio.create_task(play_seat(player, rid, bot, FAST, thinking))
            await race.until(lambda race: 1 in race.seats)
            assert (race.seats[1].ready, race.seats[1].kind) == (False, "bot")
            warm.set()
            await race.until(lambda race: race.seats[1].ready)
            task.cancel()
            await asyncio.wait([task])


async def test_a_worker_that_comes_back_plays_on(client: Client, working: Working) -> None:
    """Stopped in mid-race and started again under its name, a worker has its seat and its lane back."""
    async with working("one"):
        race = await offer(client, "greedy", pace=100)
        await race.until(lambda race: has_played(race, 5))
    async with working("one"):
        await race.until(lambda race: race.over)

    assert ends(race.standings) in ([("greedy", "won")], [("greedy", "done")])


async def test_a_seat_of_a_silent_worker_is_taken_over(client: Client, working: Working, redis: Redis) -> None:
    """When a worker has said nothing for long, another plays its seat on; the first, alive after all, lets go of it."""
    messages = client.messages()
    async with working("silent"):
        race = await offer(client, "greedy", pace=40)
        await race.until(lambda race: has_played(race, 3))
        (wish_id, _), *_ = await redis.xrange(STREAM)
        await redis.xclaim(STREAM, GROUP, "silent", 0, [wish_id], idle=60_000, justid=True)
        async with working("other"):
            await race.until(lambda race: race.over)
            await nothing_wanted(redis)

    client.ignore(messages)
    messages.end()
    taken = [heard.k async for heard in messages if isinstance(heard, Ev) and heard.k in ("race.joined", "seat.back")]
    assert taken == ["race.joined", "seat.back"]
    assert ends(race.standings) in ([("greedy", "won")], [("greedy", "done")])


def has_played(race: Following, moves: int) -> bool:
    return 1 in race.seats and (race.seats[1].moves or 0) >= moves


async def test_an_unknown_bot_is_wanted_no_longer(client: Client, working: Working, redis: Redis) -> None:
    """A wish that nobody can serve is dropped, and holds nobody up; no bot sits down to a game that it cannot play."""
    golfer = msgspec.structs.replace(entry("greedy"), name="golfer", makers={"GO": entry("greedy").makers["GO"]})
    await offer(client, "nobody")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots.roster.ROSTER", {"golfer": golfer, "greedy": entry("greedy")})
        double = await offer(client, "golfer", code="DS1-D1N-AAAAAAB")
        async with working("one"):
            race = await offer(client, "greedy")
            await race.until(lambda race: race.over)
            await nothing_wanted(redis)
    assert double.seats == {}


async def test_a_bot_whose_name_is_claimed_is_marked(client: Client, working: Working, redis: Redis) -> None:
    """Whoever has called themselves like a bot that came later keeps neither it nor its twin from racing."""
    for number, name in enumerate(("Greedy", "gReedy (bot)")):
        await Accounts(redis).claim(f"player{number}", name)
    async with working("one"):
        race = await offer(client, "greedy", "random")
        await race.until(lambda race: race.over)
    assert [name for name, _ in ends(race.standings)] == ["greedy (bot 2)", "random"]


async def test_a_race_called_off_frees_its_bots(client: Client, working: Working, redis: Redis) -> None:
    """A bot leaves a race that will not be held."""
    async with working("one"):
        race = await offer(client, "greedy", seats=2)
        await race.until(lambda race: 1 in race.seats and race.seats[1].ready)
        await client.cancel(race.race)
        await nothing_wanted(redis)


async def test_a_race_that_is_gone_is_wanted_no_longer(client: Client, working: Working, redis: Redis) -> None:
    """A bot that comes too late drops the wish."""
    race = await offer(client, "greedy", seats=2)
    await client.cancel(race.race)
    async with working("one"):
        await nothing_wanted(redis)
    assert race.seats == {}


async def test_player_that_chooses_what_is_refused_is_settled(client: Client, address: str) -> None:
    """A bot's fault ends its own seat, not its worker."""

    class Wrong:
        def choose(self, view: object, budget: object) -> Any:
            from bots.player import Choice

            return Choice("c1r1")

    bot = Entry("wrong", "Plays a covered card.", {"GO": lambda seat: Wrong()})
    rid = await client.create_race({"code": CODE, "seats": 1})
    race = await client.watch(rid)
    with Thinking() as thinking, pytest.MonkeyPatch.context() as patch:
        patch.setattr("bots.roster.ROSTER", {"wrong": bot})
        async with Client(address, name="wrong", kind="bot") as player:
            await play_seat(player, rid, bot, FAST, thinking)
    assert ends(race.standings) == [("wrong", "done")]


async def test_a_full_race_refuses_a_bot(client: Client, address: str) -> None:
    """A seat that cannot be had is a refusal, for the worker to drop."""
    rid = await client.create_race({"code": CODE, "seats": 1})
    await client.join(rid)
    with Thinking() as thinking:
        async with Client(address, kind="bot") as player:
            with pytest.raises(Refused, match="full"):
                await play_seat(player, rid, entry("greedy"), FAST, thinking)


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("card", [{}, {"code": None, "game": "GO1-E"}], ids=["a code named", "a code drawn"])
async def test_an_oracle_plays_open_races(client: Client, working: Working, card: dict[str, Any]) -> None:
    """It is given the code that all can see, and nobody does better."""
    async with working("one"):
        race = await offer(client, "oracle", "greedy", **card)
        await race.until(lambda race: race.over)

    assert race.standings is not None
    scores = {row["name"]: row["score"] for row in race.standings}
    assert scores["oracle"] >= scores["greedy"]


async def test_an_oracle_does_not_sit_down_to_a_sealed_race(client: Client, address: str) -> None:
    """The deal is nobody's to know there: the seat stays free, whatever the server let be asked for."""
    rid = await client.create_race({"game": "GO1-E", "seats": 1, "sealed": True})
    race = await client.watch(rid)
    with Thinking() as thinking:
        async with Client(address, name="oracle", kind="bot") as player:
            with pytest.raises(NotOpen, match="expected an open, unrated race"):
                await play_seat(player, rid, entry("oracle"), FAST, thinking)
    assert race.seats == {}


async def test_a_slow_bot_hurries_when_time_is_short(client: Client, working: Working) -> None:
    """At a move in ten seconds it would be half through when the time is up: it goes by the clock instead."""
    async with working("one"):
        race = await offer(client, "greedy", pace=0.1, time_limit_s=3)
        await race.until(lambda race: race.over)

    assert ends(race.standings) in ([("greedy", "won")], [("greedy", "done")])
