"""Who hears of a race besides this node: a ring that nobody else would hear need not be sent."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from msgspec import Struct

from server.store.notice import Notice

__all__ = ["CALL", "Audience"]

CALL: Final = b"?"
"""Published by whoever begins to hear a race, so that the others ring from then on; older nodes pass over it."""
HOLDS_S: Final = 10.0
"""How long a count of those who hear is believed. Older nodes do not call; they read each second all the same."""


class _Counted(Struct, frozen=True):
    until: float
    alone: bool


class _Count(Struct, frozen=True, eq=False):
    """A ring for a race that is being counted."""

    rid: str


class Audience:
    """What one node knows of who hears the races that it hears; `now` gives s.

    Counts are believed only for races that it heard itself when they were made: it is one of those counted.
    """

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._heard: set[str] = set()
        self._counted: dict[str, _Counted] = {}
        self._kept: dict[str, int] = {}
        """Up to where rings that were not sent would have told of entries."""
        self._under_way: deque[_Count] = deque()
        """In the order of the answers."""
        self._awaited: dict[str, _Count] = {}
        """Those of them that will be believed, by race."""

    def joined(self, rid: str) -> Notice | None:
        """Take note that this node hears a race; returns what there is to ring for."""
        self._heard.add(rid)
        return self._doubt(rid)

    def left(self, rid: str) -> Notice | None:
        """Take note that this node hears a race no more; returns what there is to ring for."""
        self._heard.discard(rid)
        return self._doubt(rid)

    def deaf(self) -> None:
        """Take note that this node hears nothing until it joins again, and has not for a while."""
        self._heard.clear()
        self._counted.clear()
        self._awaited.clear()

    def unanswered(self) -> None:
        """Take note that what is under way gets no answer."""
        self._under_way.clear()
        self._awaited.clear()

    def keeps(self, rid: str, seq: int) -> bool:
        """Tell whether nobody else would hear a ring; it is not to be sent then: whoever comes is told."""
        counted = self._counted.get(rid)
        if counted is None or not counted.alone or self._now() >= counted.until:
            return False
        self._kept[rid] = seq
        return True

    def counts(self, rid: str) -> bool:
        """Tell whether `counted` is to be told how many have heard a ring that is to be sent, which Redis answers."""
        counted = self._counted.get(rid)
        if counted is not None and self._now() < counted.until:
            return False
        if rid not in self._heard or rid in self._awaited:
            return False
        self._awaited[rid] = count = _Count(rid)
        self._under_way.append(count)
        return True

    def called(self, rid: str) -> Notice | None:
        """Take note that somebody begins to hear a race; returns what there is to ring for."""
        return self._doubt(rid)

    def counted(self, hear: object) -> None:
        """Take Redis's answer to the next ring that was to be counted: how many have heard it, or an error."""
        count = self._under_way.popleft() if self._under_way else None
        if count is None or self._awaited.get(count.rid) is not count:
            return
        del self._awaited[count.rid]
        if isinstance(hear, int):
            self._counted[count.rid] = _Counted(self._now() + HOLDS_S, hear <= 1)

    def _doubt(self, rid: str) -> Notice | None:
        """Believe no count that was or is being made, nor that nobody is there who missed what was kept."""
        self._counted.pop(rid, None)
        self._awaited.pop(rid, None)
        seq = self._kept.pop(rid, None)
        return None if seq is None else Notice(seq)
