"""A whole node: its own Redis, its port, its end, and what keeps it from starting."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest
from aiohttp import ClientSession

from server.node import Address, node, run
from server.settings import Settings
from server.store.datadir import StartRefused
from tests.needs import needs


async def _ready(address: Address) -> int:
    async with ClientSession(address.url) as http, http.get("/readyz") as answer:
        return answer.status


@needs("redis-server")
def test_node_starts_and_stops(tmp_path: Path) -> None:
    """A node with nothing but a data directory answers, is ready, and leaves its directory free."""

    async def twice() -> list[int]:
        statuses = []
        for _ in range(2):
            async with node(Settings(data=tmp_path, port=0)) as address:
                assert address.url == f"http://127.0.0.1:{address.port}"
                assert address.redis_url.startswith("unix://")
                statuses.append(await _ready(address))
        return statuses

    assert run(twice()) == [200, 200]
    assert (tmp_path / "keyring.json").stat().st_mode & 0o777 == 0o600


@needs("redis-server")
async def test_the_next_free_port(tmp_path: Path, redis_url: str) -> None:
    """A port that is taken is a reason not to start, or, where that is asked for, to take the next."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        settings = Settings(data=tmp_path, port=port, redis=redis_url)
        with pytest.raises(StartRefused, match=f"Port {port} of 127.0.0.1"):
            async with node(settings):
                pytest.fail("the port is taken")
        async with node(settings, next_port=True) as address:
            assert port < address.port <= port + 100
            assert await _ready(address) == 200


async def test_a_key_ring_that_others_can_read(tmp_path: Path, redis_url: str) -> None:
    """A key ring that is not its owner's alone keeps the node from starting."""
    ring = tmp_path / "ring.json"
    ring.write_text("{}")
    ring.chmod(0o644)
    with pytest.raises(StartRefused, match="chmod 600"):
        async with node(Settings(data=tmp_path / "data", port=0, redis=redis_url, keyring=ring)):
            pytest.fail("the ring is no secret")


@pytest.mark.parametrize(("host", "shown"), [("0.0.0.0", "127.0.0.1"), ("127.0.0.1", "127.0.0.1")])
async def test_the_address_can_be_reached(tmp_path: Path, redis_url: str, host: str, shown: str) -> None:
    """A node that listens on every address names one that reaches it; a public one where the settings have it."""
    async with node(Settings(data=tmp_path, host=host, port=0, redis=redis_url)) as address:
        assert address.url == f"http://{shown}:{address.port}"
        assert await _ready(address) == 200
    public = Settings(data=tmp_path, host=host, port=0, redis=redis_url, public_url="https://fairdeal.example")
    async with node(public) as address:
        assert address.url == "https://fairdeal.example"
