"""Child processes whose start the system refuses."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from server.children import Child, kept


async def test_a_child_that_cannot_be_started_is_started_when_it_can(tmp_path: Path) -> None:
    """Whoever waits for it is told that it has not begun; it is tried again, and runs once nothing is in its way."""
    command = tmp_path / "command"
    told: asyncio.Queue[int | None] = asyncio.Queue()
    async with asyncio.timeout(30), kept([Child("late", (str(command),), {}, told.put_nowait)], 1.0):
        assert await told.get() == os.EX_OSERR
        (tmp_path / "written").write_text("#!/bin/sh\necho ready\nread line\n")
        (tmp_path / "written").chmod(0o700)
        (tmp_path / "written").rename(command)
        while (status := await told.get()) is not None:
            assert status == os.EX_OSERR
