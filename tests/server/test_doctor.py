"""The checks of `fairdeal doctor`."""

import socket
from pathlib import Path

import msgspec
import pytest
from redis.asyncio import Redis

from server.doctor import Finding, examine, examine_redis
from server.settings import Durability, Settings
from server.store.connect import connect
from server.store.datadir import owned
from tests.cluster import ClusterUp
from tests.needs import needs
from tests.redis_on import free_port, patient, redis_on


def faults(findings: tuple[Finding, ...]) -> dict[str, str]:
    """The failed checks and what was found."""
    return {finding.check: finding.found for finding in findings if not finding.ok}


@needs("redis-server")
async def test_all_well(tmp_path: Path) -> None:
    """On a machine that has what is needed every check passes, and nothing is left in the data directory."""
    data = tmp_path / "data"
    findings = await examine(Settings(data=data, port=0))
    assert faults(findings) == {}
    assert not data.exists()


async def test_given_redis(redis_url: str, tmp_path: Path) -> None:
    """A Redis named by URL is asked itself."""
    findings = await examine(Settings(data=tmp_path, port=0, redis=redis_url))
    assert faults(findings) == {}


@pytest.mark.parametrize(
    ("durability", "setting", "value", "fault"),
    [
        (Durability.FSYNC, "appendfsync", "everysec", {"appendfsync": "everysec"}),
        (Durability.AOF, "appendfsync", "everysec", {}),
        (Durability.AOF, "appendfsync", "no", {"appendfsync": "no"}),
        (Durability.FSYNC, "no-appendfsync-on-rewrite", "yes", {"no-appendfsync-on-rewrite": "yes"}),
        (Durability.FSYNC, "maxmemory-policy", "allkeys-lru", {"maxmemory-policy": "allkeys-lru"}),
        (Durability.REPLICA, "appendfsync", "no", {"replicas": "0 connected"}),
    ],
)
async def test_wrongly_set(
    redis: Redis, durability: Durability, setting: str, value: str, fault: dict[str, str]
) -> None:
    """A setting of Redis that breaks the durability promised is found, and its fix names the command."""
    before = await redis.config_get(setting)
    await redis.config_set(setting, value)
    try:
        findings = await examine_redis(redis, durability)
    finally:
        await redis.config_set(setting, before[setting])
    assert fault == faults(findings)
    assert all(finding.fix for finding in findings if not finding.ok)


@pytest.mark.parametrize("redis_url", ["cluster"], indirect=True)
async def test_cluster(redis: Redis, cluster: ClusterUp) -> None:
    """Each master of a cluster is asked, and who is at fault is named; one node alone is not the cluster."""
    assert faults(await examine_redis(redis, Durability.REPLICA)) == {}
    at_fault = cluster.master_of("{nodes}")
    at_fault.client.config_set("appendfsync", "no")
    try:
        findings = await examine_redis(redis, Durability.FSYNC)
    finally:
        at_fault.client.config_set("appendfsync", "always")
    assert faults(findings) == {"appendfsync": f"at 127.0.0.1:{at_fault.port}: no"}
    assert "3 masters, all slots are served" in [finding.found for finding in findings]
    cluster.replica_of(at_fault).kill()
    at_fault.kill()
    try:
        findings = await examine_redis(redis, Durability.FSYNC)
        async with connect(f"redis+cluster://127.0.0.1:{at_fault.port}") as lost:
            (alone,) = await examine_redis(lost, Durability.FSYNC)
    finally:
        cluster.heal()
    assert (
        f"none of the nodes of the cluster that are known has told who serves which slot: 127.0.0.1:{at_fault.port}: Er"
        in (alone.found)
    )
    assert "name others in --redis redis+cluster://HOST:PORT,HOST:PORT" in alone.fix
    (silent,) = [finding for finding in findings if not finding.ok]
    assert silent.found.startswith(f"at 127.0.0.1:{at_fault.port}: no answer")
    assert silent.can_wait, "the races of the others go on"
    async with connect(f"redis://127.0.0.1:{at_fault.port}") as one:
        assert faults(await examine_redis(one, Durability.FSYNC)) == {"redis": "one node of a cluster"}


@needs("redis-server")
async def test_no_cluster(tmp_path: Path) -> None:
    """A Redis that is no cluster says so where it is taken for one."""
    with redis_on(port := free_port(), tmp_path / "one"):
        async with patient(port) as one:
            await one.ping()
        url = f"redis+cluster://127.0.0.1:{port}"
        findings = await examine(Settings(data=tmp_path, port=0, redis=url))
    assert "cluster support disabled" in faults(findings)["redis"]


async def test_no_redis(tmp_path: Path) -> None:
    """A Redis that does not answer is a finding, with its password masked."""
    url = f"unix://:hush@{tmp_path}/none.sock"
    findings = await examine(Settings(data=tmp_path, port=0, redis=url))
    assert list(faults(findings)) == ["redis"]
    assert "hush" not in repr(findings)


async def test_not_a_url(tmp_path: Path) -> None:
    """An address that no client can be made for is a finding."""
    findings = await examine(Settings(data=tmp_path, port=0, redis="amqp://localhost"))
    assert list(faults(findings)) == ["redis"]


async def test_no_binary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without URL and without a redis-server the fix is one line."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("server.store.binary.find_spec", lambda _: None)
    findings = await examine(Settings(data=tmp_path / "data", port=0))
    (fault,) = [finding for finding in findings if not finding.ok]
    assert "apt-get install redis-server" in fault.fix


@needs("redis-server")
@pytest.mark.parametrize("data", ["file", "file/data"])
async def test_a_file_in_the_way_of_the_data(data: str, tmp_path: Path) -> None:
    """A data directory that can never be one is a fault like others, with what to do."""
    (tmp_path / "file").touch()
    findings = await examine(Settings(data=tmp_path / data, port=0))
    assert faults(findings) == {"data directory": f"{tmp_path / data} cannot be written"}


async def test_taken(redis_url: str, tmp_path: Path) -> None:
    """A port and a data directory in use are found."""
    with socket.create_server(("127.0.0.1", 0)) as other, owned(tmp_path):
        port = other.getsockname()[1]
        findings = await examine(Settings(data=tmp_path, port=port, redis=redis_url))
    assert ["data directory", f"port {port}"] == list(faults(findings))


async def test_numba_cache(redis_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache folder that cannot be made is found; a file in its way stands for a read-only system, also for root."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "file" / "cache"))
    findings = await examine(Settings(data=tmp_path, port=0, redis=redis_url))
    assert list(faults(findings)) == ["numba cache"]


def test_as_json() -> None:
    """A finding is printed as one flat map."""
    assert (
        msgspec.json.encode(Finding("redis", True, "answers"))
        == b'{"check":"redis","ok":true,"found":"answers","fix":"","can_wait":false}'
    )
