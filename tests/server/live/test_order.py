"""Many clients at once, on two nodes, some of them cut off again and again: what each was told is the log, in order."""

from __future__ import annotations

import asyncio
import random

import msgspec
import pytest

from engine.replay.verify import verify
from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Ev, Outbound, Res, Resumed, Skip, Snap
from tests.server.conftest import Serve
from tests.server.served import Guest, Server, Talker

OPERATIONS = 40


class Player:
    """Plays its lane to the end over connections that break, and keeps all that it heard."""

    def __init__(self, servers: list[Server], guest: Guest, race: str, chance: random.Random) -> None:
        self.servers = servers
        self.guest = guest
        self.race = race
        self.chance = chance
        self.heard: list[Outbound] = []
        self.talker: Talker | None = None

    @property
    def last(self) -> inbound.Resume | None:
        for message in reversed(self.heard):
            if isinstance(message, Ev | Snap):
                return inbound.Resume(self.race, "seat", message.seq, message.hash)
            if isinstance(message, Skip):
                return inbound.Resume(self.race, "seat", message.to, message.hash)
        return None

    async def connect(self) -> Talker:
        """Connect to some node, and take the race up where it was left."""
        server = self.chance.choice(self.servers)
        subprotocol = self.chance.choice(list(Subprotocol))
        resume = () if self.last is None else (self.last,)
        self.talker = await server.talker(self.guest, subprotocol, resume=resume)
        if not resume:
            await self.talker.say(inbound.Join(self.race, id="join"))
        await self.talker.until(Snap if not resume else Resumed)
        return self.talker

    async def drop(self) -> None:
        """Lose the connection, with whatever was on its way."""
        if self.talker is not None:
            self.heard += self.talker.heard
            await self.talker.close()
            self.talker = None

    async def play(self) -> None:
        """Play every operation, a few at a time; what was not answered is sent again after a reconnection."""
        done = 0
        talker = self.talker
        while done < OPERATIONS:
            if talker is None:
                talker = await self.connect()
            upto = min(OPERATIONS, done + self.chance.randint(1, 6))
            for n in range(done + 1, upto + 1):
                await talker.say(inbound.Play(self.race, n, "d" if n % 2 else "u", id=f"p{n}"))
            if self.chance.random() < 0.3:
                await self.drop()
                talker = None
                continue
            while done < upto:
                res = await talker.until(Res, lambda res: res.id.startswith("p"))
                assert res.ok, res
                done = max(done, res.lane or 0)


@pytest.mark.parametrize("seed", range(3))
async def test_everybody_is_told_the_log(serve: Serve, seed: int) -> None:
    """Frames come in order and without a gap over all connections of a player, and agree with the replay file."""
    servers = [await serve(), await serve()]
    chance = random.Random(seed)
    guests = [await servers[0].guest(f"P{number}") for number in range(4)]
    race = await servers[0].race(guests[0], game="GO1-E", seats=4)
    players = [Player(servers, guest, race, chance) for guest in guests]
    talkers = [await player.connect() for player in players]
    watcher = await servers[1].talker(boards=True)
    await watcher.watch(race)
    for talker in talkers:
        assert (await talker.ask(inbound.Ready(race))).ok
    for talker in talkers:
        await talker.had(Snap, lambda snap: snap.reason == "start")
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play())
    for player in players:
        talker = player.talker or await player.connect()
        assert (await talker.ask(inbound.Done(race))).ok
    for player in players:
        assert player.talker is not None
        await player.talker.had(Snap, lambda snap: snap.reason == "end")
        await player.drop()
    await watcher.had(Snap, lambda snap: snap.reason == "end")
    async with servers[0].http.get(f"/api/races/{race}/record") as answer:
        record = await answer.read()
    for heard in [*(player.heard for player in players), watcher.heard]:
        verdict = verify(record, [msgspec.json.encode(message) for message in heard])
        assert (verdict.ok, verdict.place, verdict.fault) == (True, None, None)
        _check_order(heard)


def _check_order(heard: list[Outbound]) -> None:
    """Every entry once, in its order, but where a snapshot or a resumption begins anew."""
    seq = 0
    for message in heard:
        match message:
            case Snap():
                assert message.seq >= seq
                seq = message.seq
            case Resumed():
                assert message.from_ == seq + 1
            case Ev():
                assert message.seq == seq + 1
                seq = message.seq
            case Skip():
                assert message.from_ == seq + 1
                seq = message.to
            case _:
                pass
    assert seq > 0
