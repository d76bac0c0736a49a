"""The archive in a bucket: against a server that speaks S3, the same as in a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from moto.server import ThreadedMotoServer
from redis.asyncio import Redis

from engine.race import commands as ask
from engine.replay.verify import verify
from server.races.tables import Tables
from server.settings import Settings
from server.store import keys
from server.store.archive import Archive, open_archive
from server.store.connect import StoreUnavailable, connect
from server.store.keyring import KeyRing, new_key_ring
from tests.server.races.conftest import WINNING, begun, play

RID = "abcdefghijklmnopqrstuvwxyz"
OTHER = "ab" + "2" * 24


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("AWS_ACCESS_KEY_ID", "tests")
        patched.setenv("AWS_SECRET_ACCESS_KEY", "tests")
        server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
        server.start()
        host, port = server.get_host_and_port()
        yield f"http://{host}:{port}"
        server.stop()


@pytest.fixture
def bucket(endpoint: str, request: pytest.FixtureRequest) -> str:
    """The URL of an empty bucket."""
    name = f"bucket-{abs(hash(request.node.name))}"
    with urlopen(Request(f"{endpoint}/{name}", method="PUT")):
        return f"s3://{name}/races?endpoint={endpoint}"


@pytest.fixture
def archive(bucket: str, tmp_path: Path) -> Archive:
    return open_archive(bucket, tmp_path)


async def test_files_read_back(archive: Archive) -> None:
    """What is written is read back byte by byte, replaced where it differs, and what is not there is None."""
    assert await archive.read(RID) is None
    await archive.write(RID, b"first")
    await archive.write(RID, b"first")
    await archive.write(RID, b"second")
    await archive.write(OTHER, b"x" * 100_000)
    assert (await archive.read(RID), await archive.read(OTHER)) == (b"second", b"x" * 100_000)
    assert [rid async for rid in archive.races()] == [OTHER, RID]


async def test_only_races_have_files(archive: Archive) -> None:
    """What is no race's id names no object."""
    assert await archive.read("../keyring") is None
    with pytest.raises(ValueError, match="expected the id of a race"):
        await archive.write("../keyring", b"x")


@pytest.mark.parametrize("wrong", ["s3://no-such-bucket-here/races", "s3://x/y"])
async def test_a_bucket_that_is_not_there(endpoint: str, tmp_path: Path, wrong: str) -> None:
    """A bucket that cannot be written is the store's fault, told as such."""
    archive = open_archive(f"{wrong}?endpoint={endpoint}", tmp_path)
    with pytest.raises(StoreUnavailable, match="archive"):
        await archive.write(RID, b"x")
    with pytest.raises(StoreUnavailable, match="archive"):
        await archive.read(RID)


async def test_races_go_into_the_bucket(
    archive: Archive, redis: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A race that is over becomes a verified object, its log goes, and it is found as before."""
    monkeypatch.setattr("server.races.due.TIMERS_EVERY_S", 0.02)
    monkeypatch.setattr("server.races.due.CLOSED_WITHIN_MS", 1)
    monkeypatch.setattr("server.races.keeping.STREAM_KEPT_MS", 30)
    ring: KeyRing = new_key_ring()
    client = connect(redis_url)
    async with Tables(Settings(), client, ring, archive) as node:
        table = await begun(node, "ann")
        await play(node, table, "ann", *WINNING)
        await table.ask(ask.Tick(node.clock.now()))
        while await redis.exists(keys.race_log(table.rid)):
            pass
        assert verify(await archive.read(table.rid) or b"").ok
        async with Tables(Settings(), client, ring, archive) as other:
            assert (await other.table(table.rid)).race == table.race
    await client.aclose()
    assert not asyncio.all_tasks() - {asyncio.current_task()}
