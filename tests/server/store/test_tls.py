"""Redis over TLS, alone, in a cluster and watched by sentinels: certificates are checked, all else is as without."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.log.entry import START, Cursor
from server.doctor import examine_redis
from server.node import node, run
from server.settings import Durability, Settings
from server.store import keys
from server.store.append import Appended
from server.store.bell import Bell, Rung
from server.store.connect import connect
from server.store.datadir import StartRefused
from server.store.log import Log
from server.store.notice import Notice
from tests.authority import Authority
from tests.cluster import cluster_up
from tests.needs import needs
from tests.redis_on import free_port, patient, redis_on
from tests.server.store.conftest import RID, heard, sealed
from tests.watched import watched

NEVER_MS = 600_000
GIVE_UP_MS = 30_000
RESET = struct.pack("ii", 1, 0)
PLAIN_OR_NOT_KNOWN = "certificate verify failed|closed|[Rr]eset"

pytestmark = [pytest.mark.redis, needs("redis-server", "openssl")]


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "authority")


@pytest.fixture
def stranger(tmp_path: Path) -> Authority:
    """An authority that has signed nothing here."""
    return Authority(tmp_path / "stranger")


def _refused(url: str, authority: Authority, stranger: Authority) -> list[str]:
    """URLs that reach the same, but know its servers by another authority, by none, or do not speak TLS."""
    of_all = url.replace(authority.options, "")
    return [url.replace(authority.options, stranger.options), of_all, of_all.replace("rediss", "redis")]


def _in_use(client: Redis) -> tuple[Log, Bell]:
    return Log(client, durability=Durability.REPLICA, give_up_ms=GIVE_UP_MS), Bell(client, NEVER_MS)


async def _append(log: Log, after: Cursor, word: str) -> Cursor:
    outcome = await log.append(RID, after, "*", sealed(word))
    assert isinstance(outcome, Appended)
    return outcome.entries[-1].cursor


def test_a_cluster(tmp_path: Path, authority: Authority, stranger: Authority) -> None:
    """On a node's loop a log and its bell go through a slot that moves and a master that dies; nobody else gets in."""

    async def play() -> None:
        client = connect(cluster.url, timeout_ms=1000)
        log, bell = _in_use(client)
        async with log, bell:
            bell.attend(RID)
            assert await heard(bell, 1) == {Rung(RID, None)}
            tail = await _append(log, START, "a")
            bell.ring(RID, Notice(tail.seq))
            assert await heard(bell, 1) == {Rung(RID, tail.seq)}
            await asyncio.to_thread(cluster.begin_move(keys.race_log(RID)).end)
            assert await heard(bell, 1) == {Rung(RID, None)}
            tail = await _append(log, tail, "b")
            await asyncio.to_thread(cluster.lose, cluster.master_of(keys.race_log(RID)))
            await asyncio.to_thread(cluster.heal)
            await _append(log, tail, "c")
            assert len(await log.read(RID)) == 3  # type: ignore[arg-type]
        await client.aclose()
        for url in _refused(cluster.url, authority, stranger):
            # Where TLS is spoken, uvloop raises an error of its own to who does not.
            async with connect(url) as refused:
                with pytest.raises(RedisError, match=PLAIN_OR_NOT_KNOWN):
                    await refused.ping()

    (tmp_path / "cluster").mkdir()
    with cluster_up(tmp_path / "cluster", tls=authority) as cluster:
        run(play())


async def test_sentinels(tmp_path: Path, authority: Authority, stranger: Authority) -> None:
    """A log goes on at the next master that sentinels make; nobody else gets in."""
    (tmp_path / "field").mkdir()
    async with watched(tmp_path / "field", authority) as field:
        client = connect(field.url)
        log, bell = _in_use(client)
        async with log, bell:
            tail = await _append(log, START, "a")
            first = await field.master()
            async with field.patient(field.sentinels[0]) as sentinel:
                await sentinel.execute_command("SENTINEL", "FAILOVER", "mymaster")
            tail = await _append(log, tail, "b")
            async with asyncio.timeout(GIVE_UP_MS / 1000):
                while await field.master() == first:
                    pass
            await _append(log, tail, "c")
        await client.aclose()
        for url in _refused(field.url, authority, stranger):
            async with connect(url) as refused:
                with pytest.raises(RedisError, match="no sentinel knows a master"):
                    await refused.ping()


async def test_what_is_said_of_a_certificate(tmp_path: Path, authority: Authority, stranger: Authority) -> None:
    """A node does not start, and `doctor` says so too: whose certificate is to be named and where, or one's own."""
    port = free_port()
    words = (str(word) for name, value in authority.settings(port).items() for word in (f"--{name}", value))
    with redis_on(port, tmp_path / "one", *words):
        async with patient(port, authority) as there:
            assert await there.ping()
        of_all = f"rediss://127.0.0.1:{port}/0"
        with pytest.raises(StartRefused, match=r"certificate verify failed.*\?ssl_ca_certs=FILE"):
            async with node(Settings(data=tmp_path / "data", redis=of_all, redis_ms=400, port=0)):
                pass
        for url in (of_all, of_all + stranger.options, of_all.replace("127.0.0.1", "localhost") + authority.options):
            async with connect(url) as client:
                (finding,) = await examine_redis(client, Durability.AOF)
            assert "?ssl_ca_certs=FILE" in finding.fix
        async with connect(of_all + authority.options) as client:
            assert await client.ping()
            await client.config_set("tls-auth-clients", "yes")
        async with connect(of_all + authority.options) as client:
            (finding,) = await examine_redis(client, Durability.AOF)
        assert "?ssl_certfile=FILE&ssl_keyfile=FILE" in finding.fix
        async with connect(of_all + authority.options + authority.own) as client:
            assert await client.ping()


async def test_a_reset_that_overtakes_what_is_said_of_a_certificate(authority: Authority) -> None:
    """Whoever is cut off just after TLS was agreed on hears of certificates too; with one of its own it does not."""

    def cut_off(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        writer.transport.abort()

    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(*authority.chain)
    async with await asyncio.start_server(cut_off, "127.0.0.1", 0, ssl=tls) as server:
        url = f"rediss://127.0.0.1:{server.sockets[0].getsockname()[1]}/0{authority.options}"
        for own, fix in (("", "?ssl_certfile=FILE&ssl_keyfile=FILE"), (authority.own, "start it, or correct")):
            async with connect(url + own) as client:
                (finding,) = await examine_redis(client, Durability.AOF)
            assert fix in finding.fix, finding
