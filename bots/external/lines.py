"""Lines from one end of a pipe and to another, without ever waiting in a read or a write."""

from __future__ import annotations

import os
import select
import time
from collections import deque
from typing import Final

from bots.external.messages import LONGEST

__all__ = ["LineTooLong", "Lines"]

_CHUNK: Final = 65536


class LineTooLong(ValueError):
    """A line that has no end within the bytes that a line may have."""

    def __init__(self) -> None:
        super().__init__(f"expected lines of at most {LONGEST} bytes, found a longer one")


class Lines:
    """The input and the output of a program, as file descriptors of ours that do not block."""

    def __init__(self, to: int, of: int) -> None:
        self._to, self._of = to, of
        for pipe in (to, of):
            os.set_blocking(pipe, False)
        self._room = select.poll()
        self._room.register(to, select.POLLOUT)
        self._whole: deque[bytes] = deque()
        self._part = bytearray()

    def send(self, line: bytes, until: float) -> bool:
        """Write a line; False when it could not be written by that moment of the monotonic clock. Raises OSError."""
        rest = memoryview(line)
        while rest:
            try:
                rest = rest[os.write(self._to, rest) :]
            except BlockingIOError:
                left_s = until - time.monotonic()
                if left_s <= 0:
                    return False
                self._room.poll(left_s * 1000)
        return True

    def next(self) -> bytes | None:
        """Return the next whole line that was received. Raises LineTooLong where it has no end."""
        if self._whole:
            line = self._whole.popleft()
            if len(line) >= LONGEST:
                raise LineTooLong
            return line
        if len(self._part) >= LONGEST:
            raise LineTooLong
        return None

    def receive(self) -> bool:
        """Take what has come; False at the end of the program's output."""
        try:
            chunk = os.read(self._of, _CHUNK)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not chunk:
            return False
        first, *others = chunk.split(b"\n")
        self._part += first
        if others:
            if self._part:
                self._whole.append(bytes(self._part))
            self._whole.extend(line for line in others[:-1] if line)
            self._part = bytearray(others[-1])
        return True
