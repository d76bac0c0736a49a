"""The private Redis of a data directory."""

from redis import Redis


def test_starts_durable(redis_url: str) -> None:
    """A private Redis fsyncs every write, evicts nothing and listens on no port."""
    expected = {"appendonly": "yes", "appendfsync": "always", "maxmemory-policy": "noeviction", "port": "0"}
    with Redis.from_url(redis_url, decode_responses=True) as client:
        found = {name: client.config_get(name)[name] for name in expected}
    assert expected == found


async def test_client(redis) -> None:
    """The shared client starts on an empty database."""
    assert await redis.dbsize() == 0
