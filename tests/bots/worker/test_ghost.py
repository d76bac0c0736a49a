"""Ghosts and series on a real server: runs played again in their own time, bots that stay for all of a series."""

from __future__ import annotations

from typing import Any

import pytest
from redis.asyncio import Redis

from bots.client import Client, Refused
from bots.ghost import Run, haunt, read_run
from bots.offered import offered
from engine.race.card import Ghost
from engine.roster import ROSTER, unpack_roster
from engine.wire.outbound import Matched
from tests.bots.worker.conftest import Working

CODE = "GO1-E-AAAAAAB"
WORDS = ("d", "5", "u", "d")


async def run_of(client: Client, *words: str, **card: Any) -> str:
    """Race alone, on the published deal unless the card names another, a few operations, and settle."""
    race = await client.join(await client.create_race({"code": CODE, "seats": 1} | card))
    await client.ready(race.race)
    await race.until(lambda race: race.playing)
    for word in words or WORDS:
        await client.play(race.race, word)
    await client.done(race.race)
    await race.until(lambda race: race.over)
    return race.race


async def steps(client: Client, rid: str, seat: int) -> Run:
    return await read_run(client.http, Ghost(rid, seat))


async def test_a_ghost_plays_a_run_again(client: Client, working: Working) -> None:
    """A ghost says whose it is, plays each operation of the run, and settles as it did."""
    before = await run_of(client)
    rid = await client.create_race({"bots": [{"bot": "ghost", "race": before, "seat": 1}], "seats": 2})
    async with working("one"):
        race = await client.join(rid)
        await client.ready(rid)
        await race.until(lambda race: race.playing)
        await race.until(lambda race: any(seat.status == "done" for seat in race.seats.values()))
        await client.resign(rid)
        await race.until(lambda race: race.over)
    ghost = next(seat for seat in race.seats.values() if seat.kind == "bot")
    assert (ghost.name, ghost.engine) == ("Ghost of Ann", f"ghost of {before} seat 1")
    assert race.card is not None
    assert (race.card["code"], race.card["rated"]) == (CODE, False)
    again = await steps(client, rid, ghost.seat)
    assert [word for _, word in again.steps][:5] == [*WORDS, "done"]


async def test_a_ghost_keeps_its_time(client: Client) -> None:
    """Each operation waits for the time at which it was played; a run that was played on is not begun anew."""
    rid = await client.create_race({"code": CODE, "seats": 1})
    await client.join(rid)
    await client.ready(rid)
    await client.races[rid].until(lambda race: race.playing)
    await client.play(rid, "d")
    await haunt(client, rid, Run("Ann", ((0, "d"), (300, "5"), (301, "resign"))))
    steps_again = (await steps(client, rid, 1)).steps
    assert [word for _, word in steps_again] == ["d", "5", "resign", "done"]
    # Clocks may differ by some ms, and no more is lost.
    assert steps_again[1][0] > 250


async def test_a_run_as_it_was(client: Client) -> None:
    """A run has the name of its player, and its operations with the ms after the start; a seat without one has none."""
    rid = await run_of(client)
    run = await steps(client, rid, 1)
    assert run.ghost_name == "Ghost of Ann"
    assert [word for _, word in run.steps] == [*WORDS, "done", "done"]
    assert [after for after, _ in run.steps] == sorted(after for after, _ in run.steps)
    with pytest.raises(LookupError, match="seat"):
        await steps(client, rid, 2)


async def test_only_on_its_own_open_deal(client: Client) -> None:
    """A ghost needs a finished run on an open deal, raced on that deal, with undo as it used it."""
    rid, sealed = await run_of(client), await run_of(client, "d", sealed=True, code=None, game="GO1-E")
    open_race = await client.create_race({"code": CODE})
    for card, field in (
        ({"bots": [{"bot": "ghost", "race": "a" * 26, "seat": 1}], "code": CODE}, "bots"),
        ({"bots": [{"bot": "ghost", "race": open_race, "seat": 1}], "code": CODE}, "bots"),
        ({"bots": [{"bot": "ghost", "race": rid, "seat": 2}]}, "bots"),
        ({"bots": [{"bot": "ghost", "race": rid, "seat": 1}], "code": "GO1-E-AAAAAAC"}, "code"),
        ({"bots": [{"bot": "ghost", "race": rid, "seat": 1}], "game": "GO1-E"}, "code"),
        ({"bots": [{"bot": "ghost", "race": rid, "seat": 1}], "undo": "none"}, "undo"),
        ({"bots": [{"bot": "ghost", "race": sealed, "seat": 1}], "code": CODE}, "bots"),
    ):
        with pytest.raises(Refused) as refused:
            await client.create_race(card)
        assert refused.value.reason == field, card


async def test_a_bot_stays_for_a_series(client: Client, working: Working) -> None:
    """A bot that raced in the first race of a series races in all of them, as the same player in the same seat."""
    card = {"game": "GO1-C", "goal": "strokes", "series": 3, "bots": [{"bot": "greedy", "pace": 1000}]}
    rid = await client.create_race(card)
    players = set()
    async with working("one"):
        race = await client.join(rid)
        await client.ready(rid)
        for leg in range(1, 4):
            await race.until(lambda race: race.playing)
            assert race.card is not None
            await client.done(race.race)
            await race.until(lambda race: race.over and race.series is not None and race.series["finished"])
            players.add(next(seat.player for seat in race.seats.values() if seat.kind == "bot"))
            if leg < 3:
                await race.until(lambda race: race.next is not None)
                race = await client.join(str(race.next))
    await race.until(lambda race: (race.series or {}).get("finished") == 3)
    assert len(players) == 1
    assert [one["strokes"] for one in (race.series or {})["totals"] if one["name"] == "Ann"] == [105]


async def test_the_roster_is_known_to_the_server(client: Client, working: Working, redis: Redis) -> None:
    """Once a worker has been there, a card that asks for a bot that is not to be had names those that are."""
    assert await client.create_race({"code": CODE, "bots": [{"bot": "nobody"}]})
    async with working("one"):
        while await redis.get(ROSTER) is None:
            pass
    assert unpack_roster(await redis.get(ROSTER)) == offered()
    with pytest.raises(Refused, match="greedy") as refused:
        await client.create_race({"code": CODE, "bots": [{"bot": "nobody"}]})
    assert refused.value.reason == "bots"
    assert await client.create_race({"code": CODE, "bots": [{"bot": "greedy"}]})


async def test_quick_race_by_the_client(client: Client, address: str) -> None:
    """Two clients that wait are sent to one race."""
    async with Client(address, name="Bob") as other:
        told = [client.messages(), other.messages()]
        await client.queue("GO")
        await other.queue("GO1-E")
        races = set()
        for messages in told:
            async for message in messages:
                if isinstance(message, Matched):
                    races.add(message.race)
                    break
        assert len(races) == 1
        await client.unqueue()
