"""What a client received live, as JSON lines: the frames that `fairdeal verify --seen` compares with the log."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from engine.wire.codec import Subprotocol

__all__ = ["SeenFile"]


class SeenFile:
    """A file to which every received frame is added as a line of JSON, whatever the subprotocol."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def keep(self, frame: bytes, subprotocol: Subprotocol) -> None:
        """Add a frame."""
        # Re-coding JSON too keeps it to one line, and both subprotocols to the same bytes.
        decode = msgspec.json.decode if subprotocol is Subprotocol.JSON else msgspec.msgpack.decode
        self._file.write(msgspec.json.encode(decode(frame)) + b"\n")

    def close(self) -> None:
        """Write out what is left and close the file."""
        self._file.close()
