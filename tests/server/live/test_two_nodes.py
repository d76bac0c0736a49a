"""One seat over two sockets on two nodes, commands doubled and out of order: each operation is in the log once."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from engine.wire import inbound
from engine.wire.outbound import Ev, Res
from tests.server.conftest import Serve
from tests.server.served import Talker

CODE = "GO1-E-AAAAAAB"
WORDS = list("dududduuddududud")
FAST = {"play_burst": 10_000, "play_rate": 10_000}


async def answers(talker: Talker, number: int) -> list[Res]:
    """So many answers to plays."""
    found = []
    while len(found) < number:
        found.append(await talker.until(Res, lambda res: res.id.startswith("p")))
    return found


def plays(race: str, order: list[int]) -> list[inbound.Play]:
    """The operations of these numbers."""
    return [inbound.Play(race, n, WORDS[n - 1], id=f"p{n}-{place}") for place, n in enumerate(order)]


def told(talker: Talker) -> list[tuple[int, str]]:
    """The operations of the seat that a socket was told of, in order."""
    kinds = ("seat.played", "seat.undone")
    return [(ev.d["n"], ev.d.get("m", "u")) for ev in talker.heard if isinstance(ev, Ev) and ev.k in kinds]


async def in_the_log(talker: Talker, race: str) -> list[tuple[int, str]]:
    """The operations of the seat, all of which its socket was told of, once its race is over."""
    assert (await talker.ask(inbound.Done(race))).ok
    await talker.until(Ev, lambda ev: ev.k == "race.finished")
    return told(talker)


async def test_one_seat_over_two_nodes(serve: Serve) -> None:
    """Both sockets send the same operations at once: each is accepted by one and a repeat for the other."""
    one, other = await serve(**FAST), await serve(**FAST)
    guest = await one.guest()
    first = await one.talker(guest)
    race = await one.started(first, code=CODE)
    second = await other.talker(guest)
    order = list(range(1, len(WORDS) + 1))
    # The second socket does not hold the seat, and needs not to: a play is its player's.
    await asyncio.gather(first.say(*plays(race, order)), second.say(*plays(race, order)))
    heard = await asyncio.gather(*(answers(talker, len(order)) for talker in (first, second)))
    for n in order:
        both = [next(res for res in mine if res.id.startswith(f"p{n}-")) for mine in heard]
        accepted = [res for res in both if res.ok and not res.dup]
        assert len(accepted) <= 1
        assert all(res.ok or res.code == "stale_lane" for res in both), both
    while (last := len(told(first))) < len(order):
        await first.say(*plays(race, order[last:]))
        await answers(first, len(order) - last)
    assert await in_the_log(first, race) == list(enumerate(WORDS, 1))


@pytest.mark.parametrize("seed", range(3))
async def test_doubled_and_out_of_order(serve: Serve, seed: int) -> None:
    """Operations come several times and in any order, over two nodes, until all are in: once each, in their order."""
    chance = Random(seed)
    one, other = await serve(**FAST), await serve(**FAST)
    guest = await one.guest()
    first = await one.talker(guest)
    race = await one.started(first, code=CODE)
    second = await other.talker(guest)
    lane = 0
    while lane < len(WORDS):
        order = [n for n in range(max(1, lane - 2), min(len(WORDS), lane + 4) + 1) for _ in range(2)]
        chance.shuffle(order)
        half = len(order) // 2
        await asyncio.gather(first.say(*plays(race, order[:half])), second.say(*plays(race, order[half:])))
        heard = [*await answers(first, half), *await answers(second, len(order) - half)]
        assert all(res.ok or res.code == "stale_lane" for res in heard)
        assert all(res.lane is not None for res in heard)
        lane = max(res.lane or 0 for res in heard)
    assert await in_the_log(first, race) == list(enumerate(WORDS, 1))
