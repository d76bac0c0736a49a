"""Run the command line in this process, as a terminal would, and keep what it answers."""

import io
import sys
from typing import NamedTuple

import msgspec
import pytest

from server.cli import run

__all__ = ["Answer", "Terminal"]


class Answer(NamedTuple):
    """Exit status, and what was printed on stdout and stderr."""

    status: int
    out: str
    err: str

    def json(self) -> dict:
        """Read stdout as the one JSON document that it must be."""
        assert self.out.endswith("\n")
        return msgspec.json.decode(self.out)

    def lines(self) -> list[dict]:
        """Read stdout as JSON lines."""
        return [msgspec.json.decode(line) for line in self.out.splitlines()]


class Terminal:
    """Runs `fairdeal` commands, given as their words or as one text."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
        self._monkeypatch = monkeypatch
        self._capfd = capfd

    def __call__(self, *words: str, stdin: str = "") -> Answer:
        self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode())))
        status = run(words[0].split() if len(words) == 1 else words)
        return Answer(status, *self._capfd.readouterr())
