"""Rate limits: token buckets, and what a client is told when it goes too fast."""

from __future__ import annotations

from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from engine.wire import inbound
from engine.wire.outbound import Pong, Res
from server.live.limits import Bucket, Rate, rates, told
from server.settings import Settings
from tests.server.conftest import Serve


@given(
    burst=st.integers(1, 50),
    per_s=st.integers(1, 50),
    waits_ms=st.lists(st.integers(0, 2_000), max_size=200),
)
def test_bucket_gives_no_more_than_declared(burst: int, per_s: int, waits_ms: list[int]) -> None:
    """Whatever the times, no more is taken than the burst and what has flowed in since."""
    bucket, now, taken = Bucket(Rate(burst, per_s), 0.0), 0.0, 0
    for wait_ms in waits_ms:
        now += wait_ms / 1000
        taken += bucket.take(now) == 0
        assert taken <= burst + now * per_s + 1e-6


@given(burst=st.integers(1, 50), per_s=st.floats(0.1, 100))
def test_bucket_says_when(burst: int, per_s: float) -> None:
    """Whoever waits as long as is said gets the next token."""
    bucket = Bucket(Rate(burst, per_s), 0.0)
    assert all(bucket.take(0.0) == 0 for _ in range(burst))
    retry_ms = bucket.take(0.0)
    assert retry_ms > 0
    assert bucket.take(retry_ms / 1000) == 0


def test_every_message_has_its_rate() -> None:
    """Every message but `hello` has a rate, and `welcome` tells them all."""
    declared = rates(Settings())
    assert set(declared) == set(get_args(inbound.Inbound)) - {inbound.Hello}
    assert told(declared, 16_384)["play"] == {"burst": 100, "per_s": 30}
    assert len(told(declared, 16_384)) == len(declared) + 1


async def test_plays_too_fast(serve: Serve) -> None:
    """A play beyond the burst is refused with when to send it again; the race goes on, and it is then accepted."""
    server = await serve(play_burst=2, play_rate=50)
    anna = await server.talker()
    race = await server.started(anna, code="GO1-E-AAAAAAB")
    await anna.say(*(inbound.Play(race, n, "d", id=str(n)) for n in range(1, 6)))
    answers = [await anna.until(Res) for _ in range(5)]
    refused = [res for res in answers if not res.ok]
    assert len(refused) >= 2
    assert all(res.code == "rate" and res.retry_ms is not None and 0 < res.retry_ms <= 20 for res in refused)
    lane = max(res.lane or 0 for res in answers)
    while not (res := await anna.ask(inbound.Play(race, lane + 1, "d"))).ok:
        assert res.code == "rate"
    assert res.lane == lane + 1


async def test_a_flood_is_closed(serve: Serve) -> None:
    """Who goes on and on is closed, and told to come back later."""
    anna = await (await serve()).talker()
    for _ in range(600):
        await anna.say(inbound.Ping())
    assert await anna.closed() == 4429
    assert sum(isinstance(message, Pong) for message in anna.heard) >= 20
