"""A terminal for the tests of commands."""

import pytest

from tests.server.commands.terminal import Terminal


@pytest.fixture
def fairdeal(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Terminal:
    """Run a command and return its status and output."""
    return Terminal(monkeypatch, capfd)
