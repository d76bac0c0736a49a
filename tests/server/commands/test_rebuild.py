"""`fairdeal rebuild` beside a server: where it may go on, and where it has to be stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import run
from server.store.datadir import owned

pytestmark = pytest.mark.redis


def test_a_server_on_a_running_redis_may_go_on(
    private_redis_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its data directory is used while it owns it; one that has a Redis of its own is left to it."""
    asked = ["rebuild", "--data", str(tmp_path), "--json"]
    with owned(tmp_path):
        assert run([*asked, "--redis", private_redis_url]) == 0
        assert json.loads(capsys.readouterr().out)["damaged"] == []
        assert run(asked) == 1
        assert "is for one process at a time" in capsys.readouterr().err
