"""A running program: messages to it and from it, never waiting longer than told, and its end with all it started."""

from __future__ import annotations

import os
import select
import subprocess
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from msgspec import Struct

from bots.contender import Failed, Failure
from bots.external.family import MARK, Family
from bots.external.lines import Lines, LineTooLong
from bots.external.messages import BadLine, Quit, Said, line_of, read_line

__all__ = ["LEAVES_S", "Program"]

LEAVES_S: Final = 2.0
"""How long a program may take to leave after its input has closed."""
LOOK_S: Final = 0.05
"""How often is looked at what the program holds, while it is waited for."""
GONE_S: Final = 0.005
"""How often is looked whether it has left."""
LOG_BYTES: Final = 2**20
"""How much of its stderr is kept in a file."""
_TOLD: Final = 300
"""How much of the end of its stderr is told where it died."""
_CHUNK: Final = 65536


class Program:
    """A program that has been started; raises Failed where that cannot be done.

    `memory_mb` is what all its processes may hold together; `log` the file to which its stderr is added.
    """

    def __init__(self, command: Sequence[str], memory_mb: int, log: Path | None = None) -> None:
        mark = uuid.uuid4().hex
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
                env={**os.environ, MARK: mark},
            )
        except OSError as fault:
            raise Failed(Failure.EXIT, f"expected a program, found {command[0]}: {fault.strerror}") from fault
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._lines = Lines(self._process.stdin.fileno(), self._process.stdout.fileno())
        self._err = self._process.stderr.fileno()
        os.set_blocking(self._err, False)
        self._poll = select.poll()
        self._poll.register(self._process.stdout, select.POLLIN)
        self._poll.register(self._err, select.POLLIN)
        self._log, self._logged, self._told = log, 0, b""
        self._family = Family(self._process.pid, mark)
        self._memory_mb = memory_mb
        self._looked = 0.0
        self._too_much_mb: float | None = None
        self.alive = True
        self.cpu_ms = 0.0
        """CPU time used so far, as it was when last looked at."""
        self.peak_mb = 0.0
        """The most memory that was seen; set it to 0 to begin anew."""

    def look(self) -> None:
        """See what its processes use, and end them where it is too much."""
        self._looked = time.monotonic()
        usage = self._family.usage()
        # What a process has used may go from sight with it: the sum never goes down.
        self.cpu_ms = max(self.cpu_ms, usage.cpu_ms)
        self.peak_mb = max(self.peak_mb, usage.memory_mb)
        if usage.memory_mb > self._memory_mb:
            self._too_much_mb = usage.memory_mb
            self.end()

    def say(self, message: Struct, until: float) -> None:
        """Send a message, by a moment of the monotonic clock. Raises Failed where the program has ended or is late."""
        try:
            taken = self._lines.send(line_of(message), until)
        except OSError:
            raise self._ended() from None
        if not taken:
            raise Failed(Failure.TIMEOUT, "expected its input to be read in time, found it full")

    def hear(self, awaited: str, until: float) -> Said:
        """Return the next message of a known kind. Raises Failed: late, no message, too long a line, or its end."""
        while True:
            try:
                while (line := self._lines.next()) is not None:
                    if (said := read_line(line)) is not None:
                        return said
            except BadLine as fault:
                raise Failed(Failure.BAD_JSON, str(fault)) from fault
            except LineTooLong as fault:
                self.end()  # Nothing says where its next message will begin.
                raise Failed(Failure.BAD_JSON, str(fault)) from fault
            now = time.monotonic()
            if now >= until:
                raise Failed(Failure.TIMEOUT, f"expected {awaited} in time, found nothing")
            if now - self._looked > LOOK_S:
                self.look()
            if not self.alive or not self._receive(min(LOOK_S, until - now)):
                raise self._ended()

    def leave(self, *, told: bool = True) -> bool:
        """Tell it to quit, close its input, give it a moment, and end what is left; False if it had to be ended."""
        if self.alive:
            if told:
                with suppress(Failed):
                    self.say(Quit(), time.monotonic())
            self._close(self._process.stdin)
            until = time.monotonic() + LEAVES_S
            # What it still says is taken, lest it waits for that; its children may hold its output open for ever.
            while self._process.poll() is None and (left_s := until - time.monotonic()) > 0:
                if not self._receive(min(GONE_S, left_s)):
                    time.sleep(min(GONE_S, left_s))
        gone = self._process.poll() is not None
        self.end()
        return gone

    def end(self) -> None:
        """End it and all that it started, at once."""
        if not self.alive:
            return
        self.alive = False
        self._family.end(root=self._process.returncode is None)
        self._process.wait()
        self._hear_log()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            self._close(pipe)

    def _receive(self, within_s: float) -> bool:
        """Wait for something to come, and take it; False at the end of its output."""
        more = True
        for pipe, _ in self._poll.poll(within_s * 1000):
            if pipe == self._err:
                self._hear_log()
            else:
                more = self._lines.receive()
        return more

    def _hear_log(self) -> None:
        try:
            chunk = os.read(self._err, _CHUNK)
        except OSError:
            return
        if not chunk:
            with suppress(KeyError):
                self._poll.unregister(self._err)
            return
        self._told = (self._told + chunk)[-_TOLD:]
        if self._log is not None and self._logged < LOG_BYTES:
            self._logged += len(chunk)
            # On another machine the folder need not be there.
            with suppress(OSError), self._log.open("ab") as file:
                file.write(chunk)

    def _ended(self) -> Failed:
        """End it, and say how it ended."""
        if self.alive:
            self.look()
        try:
            # One that closed its output may go on a little until it has its status.
            status = self._process.wait(LOOK_S) if self.alive else self._process.returncode
        except subprocess.TimeoutExpired:
            status = None
        self.end()
        if self._too_much_mb is not None:
            return Failed(Failure.MEMORY, f"expected at most {self._memory_mb} MB, found {self._too_much_mb:.0f}")
        how = "its output closed" if status is None else f"its end with status {status}"
        told = self._told.decode("utf-8", "replace").strip()
        return Failed(Failure.EXIT, f"expected an answer, found {how}" + (f": {told}" if told else ""))

    @staticmethod
    def _close(pipe: object) -> None:
        with suppress(OSError):
            pipe.close()  # type: ignore[attr-defined]
