"""Group commit: order, one pipeline in flight, bounds, and an orderly end."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from redis.asyncio import Redis
from redis.exceptions import ResponseError
from structlog.testing import capture_logs

from server.store import batch as batch_module
from server.store.batch import Batch, ReplyLost
from server.store.connect import StoreUnavailable, connect
from tests.server.store.wire import Wire, wire_to


@pytest.fixture
async def wired(redis_url: str, redis: Redis) -> AsyncIterator[tuple[Wire, Batch]]:
    """A batch whose wire to Redis can be held and cut, connected already."""
    async with wire_to(redis_url) as (wire, url):
        client = connect(url)
        async with Batch(client, "tested") as batch:
            assert await batch.call("PING") == b"PONG"
            wire.requests.clear()
            wire.got_reply.clear()
            yield wire, batch
        await client.aclose()


async def hold(wire: Wire, batch: Batch) -> "asyncio.Task[object]":
    """Send one command and hold back its reply."""
    wire.flowing.clear()
    first = asyncio.create_task(batch.call("RPUSH", "list", "first"))
    await wire.got_reply.wait()
    return first


async def test_what_waits_goes_out_together_and_in_order(wired: tuple[Wire, Batch], redis: Redis) -> None:
    """While one pipeline is in flight nothing else is sent; then all that waits goes in the order of the calls."""
    wire, batch = wired
    first = await hold(wire, batch)
    rest = [asyncio.create_task(batch.call("RPUSH", "list", number)) for number in range(200)]
    await asyncio.sleep(0)  # One turn of the loop, for all to be waiting.
    assert len(wire.requests) == 1
    wire.flowing.set()

    assert await asyncio.gather(first, *rest) == list(range(1, 202))
    assert b"".join(wire.requests[1:]).count(b"RPUSH") == 200
    assert await redis.lrange("list", 0, -1) == [b"first", *(str(number).encode() for number in range(200))]


async def test_what_is_no_reply(wired: tuple[Wire, Batch]) -> None:
    """What cannot be read ends the connection; nobody waits for ever, and the next command has a new one."""
    wire, batch = wired
    wire.garble = True
    async with asyncio.timeout(10):
        with pytest.raises(ReplyLost, match="Protocol error"):
            await batch.call("PING")
        assert await batch.call("PING") == b"PONG"


async def test_an_error_is_its_own_commands_only(wired: tuple[Wire, Batch]) -> None:
    """A command that Redis refuses raises for its caller; its neighbours have their replies."""
    _, batch = wired

    good, bad, also_good = await asyncio.gather(
        batch.call("SET", "a", "1"), batch.call("LPUSH", "a", "1"), batch.call("GET", "a"), return_exceptions=True
    )

    assert (good, also_good) == (b"OK", b"1")
    assert isinstance(bad, ResponseError)


async def test_a_fault_of_whoever_is_told_is_its_own(wired: tuple[Wire, Batch]) -> None:
    """Replies that are told come in order, and one that cannot be is logged; all others come all the same."""
    _, batch = wired
    told: list[object] = []

    def faulty(reply: object) -> None:
        raise RuntimeError(f"a fault of ours, told {reply!r}")

    with capture_logs() as lines:
        batch.put(("SET", "a", "1"), told.append)
        batch.put(("GET", "a"), faulty)
        batch.put(("LPUSH", "a", "1"), told.append)
        assert await batch.call("GET", "a") == b"1"

    good, bad = told
    assert good == b"OK"
    assert isinstance(bad, ResponseError)
    assert [line["event"] for line in lines] == ["a reply could not be told"]


async def test_replies_come_in_order_to_whoever_waits(wired: tuple[Wire, Batch]) -> None:
    """Whether a reply is told or awaited, it comes after those to the commands before it."""
    wire, batch = wired
    first = await hold(wire, batch)
    came: list[int] = []

    async def awaited(place: int) -> None:
        await batch.call("PING")
        came.append(place)

    async with asyncio.TaskGroup() as tasks:
        for place in range(6):
            if place % 2:
                tasks.create_task(awaited(place))
                await asyncio.sleep(0)
            else:
                batch.put(("PING",), lambda _, place=place: came.append(place))  # type: ignore[misc]
        wire.flowing.set()
    await first
    assert came == [0, 1, 2, 3, 4, 5]


async def test_values_that_cannot_be_sent_harm_only_their_pipeline(wired: tuple[Wire, Batch]) -> None:
    """A mistake of a caller comes back to it, and the batch goes on."""
    _, batch = wired

    with pytest.raises(TypeError, match="must be str, int, float or bytes"):
        await batch.call("SET", "a", None)  # type: ignore[arg-type]

    assert await batch.call("PING") == b"PONG"


async def test_cut_is_a_lost_reply_and_the_next_call_connects_anew(wired: tuple[Wire, Batch]) -> None:
    """Who was in flight when the connection broke is told so; afterwards all is as before."""
    wire, batch = wired
    wire.cut_reply = True

    with pytest.raises(ReplyLost):
        await batch.call("PING")

    assert await batch.call("PING") == b"PONG"


async def test_too_many_waiting_are_refused(wired: tuple[Wire, Batch], monkeypatch: pytest.MonkeyPatch) -> None:
    """The queue is bounded: what would not fit is unavailable at once."""
    wire, batch = wired
    monkeypatch.setattr(batch_module, "MAX_WAITING", 3)
    first = await hold(wire, batch)
    rest = [asyncio.create_task(batch.call("PING")) for _ in range(3)]
    await asyncio.sleep(0)  # One turn of the loop, for all to be waiting.

    with pytest.raises(StoreUnavailable, match="3 commands wait already"):
        await batch.call("PING")

    wire.flowing.set()
    assert await asyncio.gather(first, *rest) == [1, b"PONG", b"PONG", b"PONG"]


async def test_when_all_who_wait_are_cancelled_the_connection_goes_on(wired: tuple[Wire, Batch]) -> None:
    """Where nothing is left to send nothing is waited for: the next command has its reply over the same connection."""
    wire, batch = wired
    first = await hold(wire, batch)
    given_up = asyncio.create_task(batch.call("PING"))
    await asyncio.sleep(0)  # One turn of the loop, for it to be waiting.
    given_up.cancel()
    wire.flowing.set()
    assert await first == 1

    assert await batch.call("PING") == b"PONG"
    assert wire.requests[1:] == [b"*1\r\n$4\r\nPING\r\n"]


async def test_pipelines_are_bounded(wired: tuple[Wire, Batch], redis: Redis) -> None:
    """More commands and bytes than one pipeline takes go out in several, in order, and all are answered."""
    _, batch = wired
    words = [bytes([number % 256]) * 5000 for number in range(1500)]

    lengths = await asyncio.gather(*(batch.call("RPUSH", "list", word) for word in words))

    assert lengths == list(range(1, 1501))
    assert await redis.lrange("list", 0, -1) == words


async def test_leaving_sends_what_waits_and_refuses_what_comes_later(redis_url: str, redis: Redis) -> None:
    """The end is orderly: calls made before are answered, later ones are unavailable."""
    client = connect(redis_url)
    async with Batch(client, "tested") as batch:
        calls = [asyncio.create_task(batch.call("RPUSH", "list", number)) for number in range(1000)]
        await asyncio.sleep(0)  # One turn of the loop, for all to be waiting.

    assert await asyncio.gather(*calls) == list(range(1, 1001))
    with pytest.raises(StoreUnavailable, match="closing"):
        await batch.call("PING")
    await client.aclose()


@pytest.mark.parametrize("fault", ["READONLY You can't write against a read only replica.", "LOADING Redis is loading"])
async def test_a_server_that_is_the_wrong_one_now(wired: tuple[Wire, Batch], fault: str) -> None:
    """What answers that it takes no commands at present is left: the next ones go over a new connection."""
    _, batch = wired
    before = await batch.call("CLIENT", "ID")

    with pytest.raises(ReplyLost):
        await batch.call("EVAL", f'return redis.error_reply("{fault}")', 0)

    assert await batch.call("CLIENT", "ID") != before
