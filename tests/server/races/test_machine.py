"""Two nodes, one Redis, a line that loses things, nodes that forget: all is as if one had kept it on paper."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from msgspec import Struct
from redis.asyncio import Redis

from engine.log.chain import check_chain
from engine.log.entry import START
from engine.race import commands as ask
from engine.race.card import read_card
from engine.race.events import Event
from engine.race.evolve import event_in
from server.races.answer import Answer
from server.races.reaper import Reaper
from server.races.tables import Tables
from server.settings import Settings
from server.store.append import Forked
from server.store.connect import connect
from server.store.keyring import new_key_ring
from server.store.timers import Timers
from server.watch.metrics import Metrics
from tests.server.races.conftest import CODE, Heard
from tests.server.races.paper import SEATS, Asked, Paper
from tests.server.races.wire import AppendWire, append_wire

PLAYERS = ("ann", "bob", "eve")
RING = new_key_ring()

PLAYS = st.builds(
    Asked, st.sampled_from(PLAYERS), st.just("play"), st.sampled_from([1, 1, 1, 1, 0, -1, 2]), st.sampled_from("ddu")
)
OTHERS = st.sampled_from(["join", "leave", "ready", "unready", "ready", "join", "done", "resign"])
ASKED = PLAYS | PLAYS | st.builds(Asked, st.sampled_from(PLAYERS), OTHERS)


class _Case(Struct, frozen=True):
    """A command on its way: at which node, what, and as operation number which."""

    node: int
    asked: Asked
    n: int


class Machine(RuleBasedStateMachine):
    """Commands come alone or many at once, at two nodes; the first one's line to Redis loses appends and replies."""

    redis_url = ""

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.stack = AsyncExitStack()
        self.paper = Paper()
        self.seq = 0

    def run(self, work: Any) -> Any:
        return self.runner.run(work)

    @initialize(started=st.booleans())
    def begin(self, started: bool) -> None:
        """A race is created; in half of the runs two players have started it."""
        self.run(self._begin())
        if started:
            for what in ("join", "ready"):
                for player in PLAYERS[:SEATS]:
                    self.alone(1, Asked(player, what))

    async def _begin(self) -> None:
        self.redis: Redis = await self._client(self.redis_url)
        await self.redis.flushall()
        self.wire: AppendWire
        self.wire, near = await self.stack.enter_async_context(append_wire(self.redis_url))
        self.nodes = []
        for url in (near, self.redis_url):
            client = await self._client(url)
            self.nodes.append(await self.stack.enter_async_context(Tables(Settings(), client, RING)))
        card = read_card({"code": CODE, "seats": SEATS})
        self.rid = (await self.nodes[0].offers.create(card, "host", "machine")).rid
        self.heard = [Heard(), Heard()]
        for node, heard in zip(self.nodes, self.heard, strict=True):
            (await node.table(self.rid)).follow(heard)
        self.seq = 1

    async def _client(self, url: str) -> Redis:
        client = connect(url)
        self.stack.push_async_callback(client.aclose)
        return client

    def teardown(self) -> None:
        self.run(self._end())
        self.runner.close()

    async def _end(self) -> None:
        if self.seq:
            for node, heard in zip(self.nodes, self.heard, strict=True):
                table = await node.table(self.rid)
                race = await table.fresh()
                # Each listener was told every entry after its first, once, in order.
                told = [after.seq for _, _, after in heard.entries]
                assert told == list(range(2, race.seq + 1))
                table.unfollow(heard)
        await self.stack.aclose()

    @rule(node=st.sampled_from([0, 1]), asked=ASKED)
    def alone(self, node: int, asked: Asked) -> None:
        """A command that comes alone is answered as on paper."""
        expected = self.paper.expected(asked)
        (answer,) = self.run(self._ask([_Case(node, asked, self.paper.number(asked))]))
        assert answer.code is None or answer.retry_ms is None, answer
        found = "dup" if answer.dup else "ok" if answer.ok else str(answer.code)
        assert found == expected, (asked, answer)

    @rule(cases=st.lists(st.tuples(st.sampled_from([0, 1]), ASKED), min_size=2, max_size=6))
    def at_once(self, cases: list[tuple[int, Asked]]) -> None:
        """Of commands that come at once each is answered by what the log then says."""
        self.run(self._ask([_Case(node, asked, self.paper.number(asked)) for node, asked in cases]))

    @rule(what=st.sampled_from(["replies_to_lose", "requests_to_lose"]), times=st.integers(1, 2))
    def lose(self, what: str, times: int) -> None:
        """The next appends of the first node, or their replies, are lost."""
        setattr(self.wire, what, times)

    @rule(node=st.sampled_from([0, 1]))
    def forget(self, node: int) -> None:
        """A node is as after a restart, but for who listens."""
        self.run(self._forget(node))

    async def _forget(self, number: int) -> None:
        node = self.nodes[number]
        old = await node.table(self.rid)
        race = await old.fresh()
        old.unfollow(self.heard[number])
        node._tables.pop(self.rid, None)
        node._alive.pop(self.rid, None)
        table = await node.table(self.rid)
        assert table is not old
        assert table.race == race
        table.follow(self.heard[number])

    @invariant()
    def one_truth(self) -> None:
        """Both nodes have the same fold, it is that of the log, and the log has a timer."""
        if self.seq:
            self.run(self._one_truth())

    async def _one_truth(self) -> None:
        while True:
            here, there = [await (await node.table(self.rid)).fresh() for node in self.nodes]
            entries = await self.nodes[1].log.read(self.rid)
            assert not isinstance(entries, Forked)
            if here.seq == there.seq == len(entries):
                break  # Else a node has closed the race meanwhile, by itself: then all is looked at once more.
        assert here == there
        assert here.opening is not None
        assert check_chain(entries, bytes.fromhex(here.opening.salt)) == here.cursor
        assert await Reaper(self.redis, Timers(self.redis), Metrics()).sweep() == []

    async def _ask(self, cases: list[_Case]) -> list[Answer]:
        answers = await asyncio.gather(*map(self._asked, cases))
        entries = await self.nodes[1].log.read(self.rid, START)
        assert not isinstance(entries, Forked)
        events = {entry.seq: event_in(entry) for entry in entries[self.seq :]}
        for event in events.values():
            self.paper.take(event)
        self.seq = len(entries)
        claimed = set()
        for case, answer in zip(cases, answers, strict=True):
            if answer.ok and not answer.dup:
                event = events[answer.seq]
                assert _is_of(event, case), (case, event)
                assert answer.h == entries[answer.seq - 1].h
                claimed.add((answer.seq, case.asked.player, case.asked.what, case.n, case.asked.word))
        # Equal plays at once may be told the same entry, however their number came about; different commands never are.
        assert len({seq for seq, *_ in claimed}) == len(claimed), claimed
        return answers

    async def _asked(self, case: _Case) -> Answer:
        node = self.nodes[case.node]
        table = await node.table(self.rid)
        player, now = case.asked.player, node.clock.now()
        command: ask.Command
        match case.asked.what:
            case "join":
                command = ask.Join(player, player.title(), "person", ord(player[0]))
            case "leave":
                command = ask.Leave(player)
            case "ready":
                command = ask.Ready(player, "AAAAAAC", delay_ms=0)
            case "unready":
                command = ask.Unready(player)
            case "play":
                command = ask.Play(player, case.n, case.asked.word, now)
            case "done":
                command = ask.Done(player, now)
            case _:
                command = ask.Resign(player, now)
        return await table.ask(command)


KINDS = {
    "join": ("race.joined",),
    "leave": ("race.left",),
    "ready": ("race.ready", "race.started"),
    "unready": ("race.unready",),
    "play": ("seat.played", "seat.undone"),
    "done": ("seat.done",),
    "resign": ("seat.resigned",),
}


def _is_of(event: Event, case: _Case) -> bool:
    """Tell whether an event is what a command asked for."""
    player = getattr(event, "player", case.asked.player)
    n = getattr(event, "n", case.n)
    return event.KIND in KINDS[case.asked.what] and (player, n) == (case.asked.player, case.n)


def test_two_nodes_are_as_one(redis_url: str) -> None:
    """The machine, on the tests' Redis."""
    machine = type("Machine", (Machine,), {"redis_url": redis_url})
    run_state_machine_as_test(machine, settings=settings(max_examples=15, stateful_step_count=20, deadline=None))
