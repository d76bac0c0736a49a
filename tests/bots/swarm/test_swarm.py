"""The load test: races are held over the real protocol, and what does not hold is found."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from redis.asyncio import Redis

from bots.swarm.audit import Ended, audit
from bots.swarm.hand import Confirmed
from bots.swarm.swarm import Swarm
from bots.swarm.tally import Tally
from bots.swarm.terms import Terms, TermsRefused
from engine.wire.outbound import Res
from server.node import node
from server.settings import Settings

MOVES = 12


@pytest.fixture
async def addresses(redis: Redis, redis_url: str, tmp_path: Path) -> AsyncIterator[tuple[str, str]]:
    """Two nodes on one Redis where nobody waits."""
    chosen = {
        "redis": redis_url,
        "port": 0,
        "start_delay_ms": 0,
        "progress_ms": 10,
        "keyring": tmp_path / "keyring.json",
    }
    quick = Settings(data=tmp_path / "one", play_burst=10_000, play_rate=10_000, **chosen)  # type: ignore[arg-type]
    async with node(quick) as one, node(replace(quick, data=tmp_path / "other")) as other:
        yield one.url, other.url


async def held(addresses: tuple[str, str], folder: Path, **terms: object) -> tuple[Tally, list[Ended]]:
    """Hold as many races as there are slots, or a few more, seats and spectators spread over both nodes."""
    chosen = {"servers": addresses, "races": 1, "rate": None, "moves": MOVES} | terms
    swarm, over = Swarm(Terms(**chosen), folder), list[Ended]()  # type: ignore[arg-type]
    # Once it is enough nobody plays on: races must not be over before each slot has played one out.
    await swarm.run(lambda: len(over) >= swarm.terms.races, over.append)
    return swarm.tally, over


@pytest.mark.parametrize("game", ["GO1-E", "DS1-D1N"])
async def test_races_are_held_and_verify(addresses: tuple[str, str], tmp_path: Path, game: str) -> None:
    """Every move is confirmed, is in the log once, and what seats and spectators saw on two nodes is the truth."""
    tally, over = await held(addresses, tmp_path, game=game, races=2, seats=2, spectators=1)
    for ended in over:
        audit(ended, tally)
    report = tally.report()
    assert report.ok, report
    assert report.verified == report.races == len(over) >= 2
    assert report.confirmed >= 2 * 2 * MOVES
    assert 0 < report.p50_ms <= report.p99_ms <= report.max_ms
    assert report.frames > report.entries


def _lost(ended: Ended) -> Ended:
    seat = ended.seats[0]
    more = Confirmed(MOVES + 1, "d", Res("x", True, 99, MOVES + 1, hash="0" * 32))
    return replace(ended, seats=[replace(seat, sent=(*seat.sent, "d"), confirmed=(*seat.confirmed, more))])


def _never_sent(ended: Ended) -> Ended:
    seat = ended.seats[0]
    return replace(ended, seats=[replace(seat, sent=seat.sent[:-1], confirmed=seat.confirmed[:-1])])


def _elsewhere(ended: Ended) -> Ended:
    seat = ended.seats[0]
    first = seat.confirmed[0]
    moved = replace(first, res=replace(first.res, hash="0" * 32))
    return replace(ended, seats=[replace(seat, confirmed=(moved, *seat.confirmed[1:]))])


def _unseen(ended: Ended) -> Ended:
    lines = ended.seen[0].read_bytes().splitlines(keepends=True)
    ended.seen[0].write_bytes(b"".join(line for line in lines if b'"n":3,' not in line))
    return ended


def _damaged(ended: Ended) -> Ended:
    return replace(ended, record=ended.record[:-1])


DOCTORED: dict[str, tuple[Callable[[Ended], Ended], tuple[int, int], str]] = {
    "lost": (_lost, (1, 0), "confirmed and not in the log: [13]"),
    "never sent": (_never_sent, (0, 1), "0 operations twice, and never sent: [12]"),
    "elsewhere": (_elsewhere, (0, 0), "confirmed at another place than in the log: [1]"),
    "not seen": (_unseen, (0, 0), "seat-1.jsonl: seen line"),
    "damaged": (_damaged, (0, 0), "checksum"),
}


async def test_what_does_not_hold_is_found(addresses: tuple[str, str], tmp_path: Path) -> None:
    """A confirmed move that is gone, one that nobody sent, another place, a frame left out, a file cut off."""
    _, (ended, *_) = await held(addresses, tmp_path, seats=1, spectators=0)
    for name, (doctor, (lost, doubled), sentence) in DOCTORED.items():
        tally = Tally()
        audit(doctor(ended), tally)
        assert (tally.lost, tally.doubled, tally.verified) == (lost, doubled, 0), name
        assert any(sentence in fault for fault in tally.faults), (name, tally.faults)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"races": 0}, "expected races from 1 to 1000, found 0"),
        ({"seconds": 1e9}, "expected seconds from 0.1 to 3600"),
        ({"rate": -1}, "expected rate from 0.01 to 1000, found -1"),
        ({"seats": 101}, "expected seats from 1 to 100"),
        ({"races": 1000, "seats": 10}, "expected at most 5000 sockets, found 11000"),
    ],
    ids=["no races", "for ever", "backwards", "crowded", "too many sockets"],
)
def test_loads_are_bounded(wrong: dict[str, float], sentence: str) -> None:
    """What one process cannot do, or nobody should, is refused with its bounds."""
    with pytest.raises(TermsRefused, match=sentence.replace("(", r"\(")):
        Terms(servers=("http://127.0.0.1:1",), **wrong).check()  # type: ignore[arg-type]
