"""What journeys share: kernels that are compiled, and for those of the page a browser each, and a server a file."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser

from tests.journeys.person import chromium
from tests.journeys.serving import serving

COMPILED_S = 600
"""Eighty seconds of CPU are usual where nothing is compiled yet."""


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled kernels on the disk, made once, whoever runs tests beside this one.

    In a fresh checkout each bot and each analyst would compile for itself, a minute and more, for which tests do not
    wait; and those of the page would have to share the machine with it.
    """
    left_s = signal.alarm(0)  # The test that happens to be first is not hanging.
    with (tmp_path_factory.getbasetemp().parent / "kernels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([sys.executable, "-m", "bots.players.warm_up"], check=True, timeout=COMPILED_S)
    signal.alarm(left_s)


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(kernels: None) -> Iterator[str]:
    with serving() as address:
        yield address
