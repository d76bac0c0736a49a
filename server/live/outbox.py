"""What waits for one socket: written in order, bounded in bytes and count, never waited for by anybody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from msgspec import Struct

from engine.wire.codec import Subprotocol
from engine.wire.outbound import Skip
from server.live.frames import frame_of
from server.live.slack import call_with_slack
from server.settings import Settings

__all__ = ["Outbox", "Owner", "Post"]

WRITE_AHEAD: Final = 64 << 10
"""Bytes that may lie in the transport: enough to keep a fast reader busy, little enough to be coalesced in here."""
LOOK_AGAIN_S: Final = 0.02
"""How soon a socket that takes nothing is looked at again."""
SKIP_S: Final = 0.3
"""How long a skip may wait for a frame to go out with: it shows nothing, and costs a write of its own.

Longer than numbers wait, so that it goes out with those.
"""
SKIP_BYTES: Final = 120
"""What a skip that waits is counted as: about its length, which joining it with others changes."""
_PING: Final = 0x89


class _Kind(Enum):
    ANSWER = auto()
    EVENT = auto()
    SKIP = auto()
    PROGRESS = auto()
    CROWD = auto()
    EVAL = auto()
    SNAP = auto()


class _Waiting(Struct):
    """A frame that waits; `make` makes it when its turn comes, `gone` says that a later one has replaced it."""

    kind: _Kind
    race: str | None
    size: int
    frame: bytes = b""
    make: Callable[[], bytes] | None = None
    skip: Skip | None = None
    gone: bool = False
    since: float = 0.0


class Owner(Struct, frozen=True):
    """What an outbox asks of its session: to count a replacement, a fresh `snap` frame of a race, to be closed."""

    replaced: Callable[[], None]
    snap: Callable[[str], bytes]
    too_slow: Callable[[], None]


class Post:
    """Writes out, once in each turn of the loop, what was said in it: one write a socket, however many frames.

    What outboxes `show` they write themselves.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._ready: list[Outbox] = []

    def expect(self, outbox: Outbox) -> None:
        """Let an outbox write when this turn of the loop is over."""
        if not self._ready:
            self._loop.call_soon(self._deliver)
        self._ready.append(outbox)

    def _deliver(self) -> None:
        ready, self._ready = self._ready, []
        for outbox in ready:
            outbox.deliver()


class Outbox:
    """The frames that wait for one socket.

    A reader that is too slow for them loses none of the truth: newer progress replaces older, adjacent skips are
    joined, and when it is still too much a race's frames give way to one snap, made when its turn comes. Only a socket
    that then takes nothing for `slow_ms`, or whose answers alone are too many, is given up.
    """

    def __init__(
        self, transport: asyncio.Transport, subprotocol: Subprotocol, settings: Settings, owner: Owner, post: Post
    ) -> None:
        self._transport = transport
        self._subprotocol = subprotocol
        self._max_bytes = settings.outbox_bytes
        self._max_count = settings.outbox_count
        self._slow_s = settings.slow_ms / 1000
        self._owner = owner
        self._post = post
        self._loop = asyncio.get_running_loop()
        self._waiting: deque[_Waiting] = deque()
        self._bytes = 0
        self._gone = 0
        self._newest: dict[tuple[_Kind, str], _Waiting] = {}
        self._snaps: dict[str, _Waiting] = {}
        self._ready: list[bytes] = []
        self._ready_bytes = 0
        self._skips: dict[str, Skip] = {}
        self._letting_go: asyncio.TimerHandle | None = None
        self._turn: asyncio.Handle | None = None
        self._closed = False

    @property
    def waiting(self) -> tuple[int, int]:
        """How many frames and bytes wait."""
        return len(self._waiting) - self._gone, self._bytes

    def say(self, frame: bytes) -> None:
        """Send an answer, or anything else that nothing can replace."""
        if not self._sent(frame):
            self._put(_Waiting(_Kind.ANSWER, None, len(frame), frame))

    def tell(self, race: str, frame: bytes) -> None:
        """Send an event or a snap of a race."""
        if not self._sent(frame) and race not in self._snaps:
            self._put(_Waiting(_Kind.EVENT, race, len(frame), frame))

    def show(self, race: str, frame: bytes) -> None:
        """Send an event to who watches: mostly all that is said in a turn, and to many, so it is written at once."""
        transport = self._transport
        if (
            self._ready
            or self._waiting
            or self._skips
            or self._closed
            or transport.get_write_buffer_size() > WRITE_AHEAD
            or transport.is_closing()
        ):
            self.tell(race, frame)
        else:
            transport.write(frame)

    def skip(self, skip: Skip) -> None:
        """Send a skip, with the next frame or a little later; one that waits right before it takes it in."""
        if skip.race in self._snaps or self._closed:
            return
        if not self._waiting:
            held = self._skips.get(skip.race)
            self._skips[skip.race] = skip if held is None else _joined(held, skip)
            if self._letting_go is None:
                self._letting_go = call_with_slack(self._loop, SKIP_S, self._let_go)
            return
        last = self._waiting[-1]
        if last.skip is not None and last.race == skip.race and not last.gone:
            last.skip = _joined(last.skip, skip)
            return
        self._put_skip(skip)

    def progress(self, race: str, frame: bytes) -> None:
        """Send others' numbers, in place of older ones that wait."""
        self._newer(_Kind.PROGRESS, race, frame)

    def crowd(self, race: str, frame: bytes) -> None:
        """Send how many watch, in place of an older number that waits."""
        self._newer(_Kind.CROWD, race, frame)

    def evaluated(self, race: str, frame: bytes) -> None:
        """Send what solvers make of the boards, in place of what waits of that."""
        self._newer(_Kind.EVAL, race, frame)

    def ping(self, payload: bytes) -> None:
        """Send a WebSocket ping (payload below 126 bytes), unless so much lies unread that it would tell nothing."""
        transport = self._transport
        if not self._closed and not transport.is_closing() and transport.get_write_buffer_size() < WRITE_AHEAD:
            transport.write(bytes((_PING, len(payload))) + payload)

    def stuck(self, now: float) -> bool:
        """Tell whether a snap that replaced a race's frames could not be sent for `slow_ms` before `now` (seconds)."""
        return any(snap.since <= now - self._slow_s for snap in self._snaps.values())

    def flush(self) -> None:
        """Write all that waits, as far as the transport takes it."""
        self._take_skips()
        if self._turn is not None:
            self._turn.cancel()
        self._write()

    def deliver(self) -> None:
        """Write what has been said in this turn of the loop."""
        frames, self._ready, self._ready_bytes = self._ready, [], 0
        if frames and not self._transport.is_closing():
            self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))

    def close(self) -> None:
        """Write nothing more."""
        self._closed = True
        for timer in (self._turn, self._letting_go):
            if timer is not None:
                timer.cancel()
        self._turn = None
        self._ready.clear()
        self._skips.clear()
        self._waiting.clear()
        self._newest.clear()
        self._snaps.clear()
        self._bytes = self._gone = 0

    def _sent(self, frame: bytes) -> bool:
        """Take a frame for the end of this turn where nothing waits before it and the transport takes it."""
        if self._waiting or self._closed or self._transport.get_write_buffer_size() + self._ready_bytes > WRITE_AHEAD:
            self._take_skips()
            return False
        ready = self._ready
        if not ready:
            self._post.expect(self)
        if self._skips:
            for skip in self._skips.values():
                before = frame_of(skip, self._subprotocol)
                ready.append(before)
                self._ready_bytes += len(before)
            self._skips.clear()
        ready.append(frame)
        self._ready_bytes += len(frame)
        return True

    def _let_go(self) -> None:
        """Send the skips that nothing came to go out with."""
        self._letting_go = None
        self._take_skips()

    def _take_skips(self) -> None:
        skips, self._skips = self._skips, {}
        for skip in skips.values():
            if not self._sent(frame_of(skip, self._subprotocol)):
                self._put_skip(skip)

    def _put_skip(self, skip: Skip) -> None:
        self._put(_Waiting(_Kind.SKIP, skip.race, SKIP_BYTES, skip=skip))

    def _newer(self, kind: _Kind, race: str, frame: bytes) -> None:
        if self._sent(frame) or race in self._snaps:
            return
        older = self._newest.get((kind, race))
        if older is not None:
            self._drop(older)
        waiting = self._newest[kind, race] = _Waiting(kind, race, len(frame), frame)
        self._put(waiting)

    def _put(self, waiting: _Waiting) -> None:
        if self._closed:
            return
        self._waiting.append(waiting)
        self._bytes += waiting.size
        if self._turn is None:
            self._turn = self._loop.call_soon(self._write)
        elif self._too_much():
            # Much may have come in one moment: it only counts when the transport does not take it.
            self.flush()
            if self._too_much():
                self._make_room()

    def _too_much(self) -> bool:
        return self._bytes > self._max_bytes or len(self._waiting) - self._gone > self._max_count

    def _drop(self, waiting: _Waiting) -> None:
        if not waiting.gone:
            waiting.gone = True
            self._gone += 1
            self._bytes -= waiting.size

    def _make_room(self) -> None:
        """Replace the frames of the race that has most of them by one snap; give up when that is not enough."""
        sizes: dict[str, int] = {}
        for waiting in self._waiting:
            if waiting.race is not None and not waiting.gone and waiting.kind is not _Kind.SNAP:
                sizes[waiting.race] = sizes.get(waiting.race, 0) + waiting.size + 1
        if sizes:
            self._replace(max(sizes, key=lambda race: sizes[race]))
        if self._too_much():
            self._owner.too_slow()

    def _replace(self, race: str) -> None:
        self._owner.replaced()
        kept: deque[_Waiting] = deque()
        snap = _Waiting(_Kind.SNAP, race, 0, make=lambda: self._owner.snap(race), since=self._loop.time())
        for waiting in self._waiting:
            if waiting.race == race:
                self._drop(waiting)
                if race not in self._snaps:
                    self._snaps[race] = snap
                    kept.append(snap)
            elif not waiting.gone:
                kept.append(waiting)
        self._waiting = kept
        self._gone = 0
        for kind in (_Kind.PROGRESS, _Kind.CROWD, _Kind.EVAL):
            self._newest.pop((kind, race), None)

    def _write(self) -> None:
        self._turn = None
        if self._closed or self._transport.is_closing():
            return
        self.deliver()
        room = WRITE_AHEAD - self._transport.get_write_buffer_size()
        frames: list[bytes] = []
        while self._waiting and room > 0:
            waiting = self._waiting.popleft()
            if waiting.gone:
                self._gone -= 1
                continue
            frame = self._taken(waiting)
            frames.append(frame)
            room -= len(frame)
        if frames:
            self._transport.write(frames[0] if len(frames) == 1 else b"".join(frames))
        if self._waiting:
            self._turn = self._loop.call_later(LOOK_AGAIN_S, self._write)

    def _taken(self, waiting: _Waiting) -> bytes:
        """Return the frame of what is written now, made at this moment where it must be the newest."""
        self._bytes -= waiting.size
        match waiting.kind:
            case _Kind.PROGRESS | _Kind.CROWD | _Kind.EVAL:
                if waiting.race is not None:
                    self._newest.pop((waiting.kind, waiting.race), None)
            case _Kind.SNAP:
                if waiting.race is not None:
                    self._snaps.pop(waiting.race, None)
                if waiting.make is not None:
                    return waiting.make()
            case _Kind.SKIP:
                if waiting.skip is not None:
                    return frame_of(waiting.skip, self._subprotocol)
            case _:
                pass
        return waiting.frame


def _joined(first: Skip, then: Skip) -> Skip:
    return Skip(then.race, first.from_, then.to, then.hash)
