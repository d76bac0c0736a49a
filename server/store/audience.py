"""Who hears a channel besides this node: a ring that nobody else would hear need not be sent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from server.store.notice import Notice

__all__ = ["CALL", "Audience"]

CALL: Final = b"?"
"""Published by whoever begins to hear a channel, so that the others ring from then on; older nodes pass over it."""
HOLDS_S: Final = 10.0
"""How long a count of those who hear is believed. Older nodes do not call; they read each second all the same."""


class _Counted(Struct, frozen=True):
    until: float
    alone: bool


class _Count(Struct, frozen=True, eq=False):
    """A ring of a channel that is being counted."""

    channel: bytes


class Audience:
    """What one node knows of who hears the channels that it hears; `now` gives s.

    Counts are believed only for channels that it heard itself when they were made: it is one of those counted.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._heard: set[bytes] = set()
        self._counted: dict[bytes, _Counted] = {}
        self._kept: dict[bytes, int] = {}
        """Up to where rings that were not sent would have told of entries."""
        self._under_way: deque[_Count] = deque()
        """In the order of the answers."""
        self._awaited: dict[bytes, _Count] = {}
        """Those of them that will be believed, by channel."""

    def joined(self, channel: bytes) -> Notice | None:
        """Take note that this node hears a channel; returns what there is to ring for."""
        self._heard.add(channel)
        return self._doubt(channel)

    def left(self, channel: bytes) -> Notice | None:
        """Take note that this node hears a channel no more; returns what there is to ring for."""
        self._heard.discard(channel)
        return self._doubt(channel)

    def deaf(self) -> None:
        """Take note that this node hears nothing until it joins again, and has not for a while."""
        self._heard.clear()
        self._counted.clear()
        self._awaited.clear()

    def unanswered(self) -> None:
        """Take note that what is under way gets no answer."""
        self._under_way.clear()
        self._awaited.clear()

    def keeps(self, channel: bytes, seq: int) -> bool:
        """Tell whether nobody else would hear a ring; it is not to be sent then: whoever comes is told."""
        counted = self._counted.get(channel)
        if counted is None or not counted.alone or self._now() >= counted.until:
            return False
        self._kept[channel] = seq
        return True

    def counts(self, channel: bytes) -> bool:
        """Tell whether `counted` is to be told how many have heard a ring that is to be sent, which Redis answers."""
        counted = self._counted.get(channel)
        if counted is not None and self._now() < counted.until:
            return False
        if channel not in self._heard or channel in self._awaited:
            return False
        self._awaited[channel] = count = _Count(channel)
        self._under_way.append(count)
        return True

    def called(self, channel: bytes) -> Notice | None:
        """Take note that somebody begins to hear a channel; returns what there is to ring for."""
        return self._doubt(channel)

    def counted(self, hear: object) -> None:
        """Take Redis's answer to the next ring that was to be counted: how many have heard it, or an error."""
        count = self._under_way.popleft() if self._under_way else None
        if count is None or self._awaited.get(count.channel) is not count:
            return
        del self._awaited[count.channel]
        if isinstance(hear, int):
            self._counted[count.channel] = _Counted(self._now() + HOLDS_S, hear <= 1)

    def _doubt(self, channel: bytes) -> Notice | None:
        """Believe no count that was or is being made, nor that nobody is there who missed what was kept."""
        self._counted.pop(channel, None)
        self._awaited.pop(channel, None)
        seq = self._kept.pop(channel, None)
        return None if seq is None else Notice(seq)
