"""`fairdeal rebuild` beside a server: where it may go on, and where it has to be stopped."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from server.cli import run
from server.store.datadir import owned
from tests.redis_on import free_port, redis_on

pytestmark = pytest.mark.redis


def test_a_server_on_a_running_redis_may_go_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Its data directory is used while it owns it; one that has a Redis of its own is left to it."""
    data, port = tmp_path / "data", free_port()
    data.mkdir()
    asked = ["rebuild", "--data", str(data), "--json"]
    # A Redis that no other test has races in, which the ring of this folder would not open.
    with redis_on(port, tmp_path / "redis"), owned(data):
        assert run([*asked, "--redis", f"redis://127.0.0.1:{port}"]) == 0
        assert json.loads(capsys.readouterr().out)["damaged"] == []
        assert run(asked) == 1
        assert "is for one process at a time" in capsys.readouterr().err
