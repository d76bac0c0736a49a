"""What waits for a slow reader: coalesced first, then replaced by a snapshot, then given up."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from engine.wire.codec import Subprotocol, decode_outbound
from engine.wire.outbound import Crowd, Ev, Outbound, Pong, Progress, SeatNumbers, Skip, Snap
from server.live.frames import frame_of
from server.live.outbox import Outbox, Owner, Post
from server.settings import Settings

RACE = "r"


class FakeTransport(asyncio.Transport):
    """A transport whose peer reads only when told to."""

    def __init__(self) -> None:
        super().__init__()
        self.written = bytearray()
        self.unread = 0
        self.writes = 0
        self.wrote = asyncio.Event()
        self.gone = False

    def get_write_buffer_size(self) -> int:
        return self.unread

    def is_closing(self) -> bool:
        return self.gone

    def write(self, data: Any) -> None:
        """Take bytes; as with uvloop's, it is an error once the connection is gone."""
        assert not self.gone
        self.written += data
        self.writes += 1
        self.wrote.set()

    def messages(self) -> list[Outbound]:
        """Everything written so far, read as a client reads frames."""
        found: list[Outbound] = []
        rest = bytes(self.written)
        while rest:
            assert rest[0] == 0x82
            length, head = rest[1], 2
            if length == 126:
                length, head = struct.unpack(">H", rest[2:4])[0], 4
            elif length == 127:
                length, head = struct.unpack(">Q", rest[2:10])[0], 10
            found.append(decode_outbound(rest[head : head + length], Subprotocol.MSGPACK))
            rest = rest[head + length :]
        return found


class Reader:
    """An outbox, its transport, and what it asked of its session."""

    def __init__(self, **settings: int) -> None:
        self.transport = FakeTransport()
        self.seq = 0
        self.given_up = 0
        owner = Owner(lambda: None, lambda race: _frame(_snap(race, self.seq)), self._give_up)
        limits = Settings(**settings)  # type: ignore[arg-type]
        self.outbox = Outbox(self.transport, Subprotocol.MSGPACK, limits, owner, Post())

    def _give_up(self) -> None:
        self.given_up += 1

    def event(self, race: str = RACE, *, shown: bool = False) -> None:
        self.seq += 1
        send = self.outbox.show if shown else self.outbox.tell
        send(race, _frame(Ev(race, self.seq, 0, "", "race.ready", 1, {})))

    def skip(self, race: str = RACE) -> None:
        self.seq += 1
        self.outbox.skip(Skip(race, self.seq, self.seq, str(self.seq)))

    def progress(self, cleared: int, race: str = RACE) -> None:
        self.outbox.progress(race, _frame(Progress(race, 0, (SeatNumbers(1, cleared, "playing", True),))))

    def answer(self, c: int = 0) -> None:
        self.outbox.say(_frame(Pong(c, 0)))

    def block(self) -> None:
        self.transport.unread = 1 << 20

    async def read(self) -> list[Outbound]:
        """Let the peer read everything, and return all that it got."""
        self.transport.unread = 0
        self.outbox.flush()
        return self.transport.messages()


def _frame(message: Outbound) -> bytes:
    return frame_of(message, Subprotocol.MSGPACK)


def _snap(race: str, seq: int) -> Snap:
    return Snap(race, seq, "", {}, "live", (), "slow", 0)


def _told(messages: list[Outbound]) -> list[str]:
    """Messages in short: `ev 3`, `skip 1-2`, `snap 9`, `progress 5`, `pong 0`."""
    short: dict[type, Callable[[Any], str]] = {
        Ev: lambda ev: f"ev {ev.seq}",
        Skip: lambda skip: f"skip {skip.from_}-{skip.to}",
        Snap: lambda snap: f"snap {snap.seq}",
        Progress: lambda progress: f"progress {progress.seats[0].cleared}",
        Crowd: lambda crowd: f"crowd {crowd.watching}",
        Pong: lambda pong: f"pong {pong.c}",
    }
    return [short[type(message)](message) for message in messages]


async def test_everything_in_order() -> None:
    """A reader that keeps up gets every frame in its order, those of one moment in one write; skips join a frame."""
    reader = Reader()
    reader.event()
    reader.answer(1)
    await reader.transport.wrote.wait()
    assert _told(reader.transport.messages()) == ["ev 1", "pong 1"]
    assert reader.transport.writes == 1
    reader.skip()
    reader.skip("another race")
    reader.skip()
    await asyncio.sleep(0)
    assert reader.transport.writes == 1
    reader.answer(2)
    await asyncio.sleep(0)
    assert _told(reader.transport.messages())[2:] == ["skip 2-4", "skip 3-3", "pong 2"]
    assert reader.transport.writes == 2


async def test_a_skip_with_nothing_to_join() -> None:
    """A skip to which nothing comes goes out by itself, soon."""
    reader = Reader()
    reader.skip()
    await reader.transport.wrote.wait()
    assert _told(reader.transport.messages()) == ["skip 1-1"]


async def test_what_is_shown_is_written_at_once() -> None:
    """An event for who watches waits for no turn of the loop, but goes after what waits for one."""
    reader = Reader()
    reader.event(shown=True)
    assert _told(reader.transport.messages()) == ["ev 1"]
    reader.skip()
    reader.event(shown=True)
    reader.event(shown=True)
    assert reader.transport.writes == 1
    await asyncio.sleep(0)
    assert _told(reader.transport.messages()) == ["ev 1", "skip 2-2", "ev 3", "ev 4"]
    assert reader.transport.writes == 2


async def test_coalescing() -> None:
    """While nothing is read, adjacent skips are joined, and newer numbers replace older ones at the end."""
    reader = Reader()
    reader.block()
    for cleared in range(3):
        reader.skip()
        reader.skip()
        reader.progress(cleared)
    reader.event()
    reader.skip()
    reader.outbox.crowd(RACE, _frame(Crowd(RACE, 1)))
    reader.outbox.crowd(RACE, _frame(Crowd(RACE, 2)))
    assert _told(await reader.read()) == [
        "skip 1-2",
        "skip 3-4",
        "skip 5-6",
        "progress 2",
        "ev 7",
        "skip 8-8",
        "crowd 2",
    ]
    reader.progress(9)
    assert _told(await reader.read())[-1] == "progress 9"


async def test_joined_skip_keeps_the_last_hash() -> None:
    """A joined skip ends with the hash of its last entry."""
    reader = Reader()
    reader.block()
    for _ in range(5):
        reader.skip()
    assert await reader.read() == [Skip(RACE, 1, 5, "5")]


async def test_too_much_becomes_a_snapshot() -> None:
    """Over the limit a race's frames give way to one snap, made when it is sent; answers and other races stay."""
    reader = Reader(outbox_count=20)
    reader.block()
    reader.event("other")
    reader.answer(1)
    for _ in range(30):
        reader.event()
        reader.progress(1)
    reader.answer(2)
    reader.event()
    assert reader.given_up == 0
    assert _told(await reader.read()) == ["ev 1", "pong 1", "snap 32", "pong 2"]
    reader.event()
    assert _told(await reader.read())[-1] == "ev 33"


async def test_too_many_bytes_become_a_snapshot() -> None:
    """The bound holds for bytes as for frames."""
    reader = Reader(outbox_bytes=4_096)
    reader.block()
    for _ in range(200):
        reader.event()
        assert reader.outbox.waiting[1] <= 4_096
    assert _told(await reader.read()) == ["snap 200"]
    assert reader.given_up == 0


async def test_answers_alone_cannot_be_replaced() -> None:
    """When even the answers are too many, the socket is given up."""
    reader = Reader(outbox_count=10)
    reader.block()
    for c in range(11):
        reader.answer(c)
    assert reader.given_up == 1


@given(
    steps=st.lists(
        st.sampled_from(["event", "event", "shown", "skip", "progress", "answer", "other", "read", "block", "turn"]),
        max_size=80,
    ),
    count=st.integers(8, 20),
    size=st.integers(100, 400),
)
async def test_a_queue_never_passes_its_limits(steps: list[str], count: int, size: int) -> None:
    """Whatever is sent and however it is read: what waits stays within both limits, or the reader is given up."""
    reader = Reader(outbox_count=count, outbox_bytes=size)
    for step in steps:
        match step:
            case "event":
                reader.event()
            case "shown":
                reader.event(shown=True)
            case "other":
                reader.event("another race")
            case "skip":
                reader.skip()
            case "progress":
                reader.progress(1)
            case "answer":
                reader.answer()
            case "read":
                reader.transport.unread = 0
            case "block":
                reader.block()
            case _:
                await asyncio.sleep(0)
        waiting = reader.outbox.waiting
        assert (waiting[0] <= count and waiting[1] <= size) or reader.given_up
        if reader.given_up:
            return
    told = [one for one in await reader.read() if isinstance(one, Ev | Snap)]
    for race in (RACE, "another race"):
        seqs = [one.seq for one in told if one.race == race]
        assert seqs == sorted(seqs)


async def test_a_snapshot_that_is_never_read() -> None:
    """A snap that waits longer than `slow_ms` is a reason to give up; one that is read in time is not."""
    reader = Reader(outbox_count=8, slow_ms=10_000)
    reader.block()
    for _ in range(20):
        reader.event()
    now = asyncio.get_running_loop().time()
    assert not reader.outbox.stuck(now)
    assert reader.outbox.stuck(now + 10)
    await reader.read()
    assert not reader.outbox.stuck(now + 10)


async def test_a_reader_that_comes_back_is_noticed() -> None:
    """What waits goes out by itself once the peer reads again."""
    reader = Reader()
    reader.block()
    reader.event()
    await asyncio.sleep(0)
    assert reader.transport.messages() == []
    reader.transport.unread = 0
    await reader.transport.wrote.wait()
    assert _told(reader.transport.messages()) == ["ev 1"]
    reader.outbox.close()


async def test_nothing_is_written_to_a_client_that_has_gone() -> None:
    """A connection may be gone before its session knows: pings, events and answers are passed over then."""
    reader = Reader()
    reader.transport.gone = True
    reader.outbox.ping(b"12345678")
    reader.event()
    reader.event(shown=True)
    reader.answer()
    assert await reader.read() == []
    reader.outbox.close()
