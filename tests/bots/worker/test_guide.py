"""The guide's own client, played against a real server."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

GUIDE = Path(__file__).parents[3] / "bots" / "README.md"


async def test_the_client_of_the_guide_plays_a_race(address: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What the guide says to write does what it says: a race to its end, and its standings."""
    found = re.search(r"```python\n(import asyncio\n.*?)\nasyncio\.run\(main\(\)\)\n```", GUIDE.read_text(), re.DOTALL)
    assert found is not None
    written: dict[str, Any] = {}
    exec(found[1].replace("http://127.0.0.1:8080", address), written)

    await written["main"]()

    assert "'name': 'First card'" in capsys.readouterr().out
