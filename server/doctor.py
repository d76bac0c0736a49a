"""The checks of `fairdeal doctor`: what a server needs of its surroundings, what was found, how to mend it."""

import importlib.util
import os
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec
from redis.asyncio import Redis
from redis.exceptions import RedisError

from server.settings import Durability, Settings, masked
from server.store.binary import OLDEST, check_log, check_version, find_redis, parse_version, version_of, version_text
from server.store.cluster import Cluster
from server.store.connect import connect, what_to_do
from server.store.datadir import DataDirTaken, StartRefused, owned
from server.store.local import private_redis
from server.store.sentinel import sentinels_of
from server.store.slots import SLOTS
from server.store.url import address_text

__all__ = ["Finding", "examine", "examine_redis"]

SENTINELS: Final = 3
MASTERS: Final = 3
CLOCKS_MS: Final = 200
"""Countdowns and deadlines may be early or late by so much where the masters of a cluster have clocks of their own."""


class Finding(msgspec.Struct, frozen=True):
    """The outcome of one check; `fix` says what to do and is empty when all is well.

    What `can_wait` is to be mended, and a server serves meanwhile.
    """

    check: str
    ok: bool
    found: str
    fix: str = ""
    can_wait: bool = False


async def examine(settings: Settings) -> tuple[Finding, ...]:
    """Run every check; none of them changes anything that outlives it."""
    return (
        *await _redis(settings),
        _data(settings.data),
        _port(settings.host, settings.port),
        _numba_cache(os.environ),
    )


async def examine_redis(client: "Redis", durability: Durability) -> tuple[Finding, ...]:
    """Check that a Redis answers, is new enough, and keeps and evicts as the durability promised needs it to.

    Also what `/readyz` demands. Raises nothing: a Redis that cannot be asked is a finding. Of a cluster each master is
    examined, and told of what is worst.
    """
    try:
        if isinstance(client, Cluster):
            return await _cluster(client, durability)
        return await _server(client, durability)
    except (RedisError, OSError) as error:
        return (Finding("redis", False, f"no answer: {error}", what_to_do(str(error))),)


async def _server(client: Redis, durability: Durability, *, of_cluster: bool = False) -> tuple[Finding, ...]:
    server = await client.info("server")
    replication = await client.info("replication")
    answers = Finding("redis", True, "answers")
    if server.get("redis_mode") == "cluster" and not of_cluster:
        answers = Finding(
            "redis", False, "one node of a cluster", "name the cluster: --redis redis+cluster://HOST:PORT"
        )
    version = parse_version(str(server.get("redis_version", "")))
    new_enough = version is not None and version >= OLDEST
    return (
        answers,
        Finding(
            "redis version",
            new_enough,
            version_text(version) if version else "unknown",
            "" if new_enough else f"install Redis {version_text(OLDEST)} or newer",
        ),
        *[await _configured(client, name, wanted) for name, wanted in _wanted(durability).items()],
        *_replicas(replication, durability),
        *await _sentinels(client),
    )


def _wanted(durability: Durability) -> dict[str, tuple[str, ...]]:
    """The values that each of Redis's settings may have, the one to set first."""
    always: dict[str, tuple[str, ...]] = {"appendonly": ("yes",), "maxmemory-policy": ("noeviction",)}
    match durability:
        case Durability.FSYNC:
            return always | {"appendfsync": ("always",), "no-appendfsync-on-rewrite": ("no",)}
        case Durability.AOF:
            return always | {"appendfsync": ("everysec", "always")}
        case Durability.REPLICA:
            return {"maxmemory-policy": ("noeviction",)}


async def _configured(client: "Redis", name: str, wanted: tuple[str, ...]) -> Finding:
    try:
        answer = await client.config_get(name)
    except (RedisError, OSError) as error:
        # Hosted services often refuse CONFIG: then nobody can tell from here, and nothing is promised unseen.
        return Finding(
            name, False, f"cannot be read: {error}", f"see to it that {name} is {wanted[0]}, and let CONFIG GET be used"
        )
    found = _text(answer.get(name, "unknown to this Redis"))
    if found in wanted:
        return Finding(name, True, found)
    return Finding(name, False, found, f"redis-cli CONFIG SET {name} {wanted[0]}, and the same in redis.conf")


def _replicas(replication: Mapping[str, Any], durability: Durability) -> tuple[Finding, ...]:
    if durability is not Durability.REPLICA:
        return ()
    count = int(replication.get("connected_slaves", 0))
    fix = "" if count else "connect a replica, or choose another --durability"
    return (Finding("replicas", count > 0, f"{count} connected", fix),)


async def _sentinels(client: Redis) -> tuple[Finding, ...]:
    """Whether sentinels enough answer, and agree, for a master that dies to be replaced."""
    sentinels = sentinels_of(client)
    if sentinels is None:
        return ()
    told = await sentinels.all()
    answers = [one for one in told if not one.fault]
    faults = "; ".join(one.fault for one in told if one.fault)
    masters = sorted({f"{one.host}:{one.port}" for one in answers})
    most = 1 + max((one.others for one in answers), default=0)
    found = f"{len(answers)} of {len(told)} answer, {most} there are; the master is {' or '.join(masters) or 'unknown'}"
    fix = ""
    if faults:
        fix = f"start what does not answer, or correct --redis: {faults}"
    elif len(masters) > 1:
        fix = "let all of them watch the same master, and reach it"
    elif most < SENTINELS:
        fix = f"run {SENTINELS} or more, each on a machine of its own: fewer cannot outvote one that is cut off"
    elif any(one.replicas == 0 for one in answers):
        fix = "connect a replica, and give the sentinels ten seconds to hear of it: they have nobody to make master"
    return (Finding("sentinels", not fix, found, fix, can_wait=True),)


async def _cluster(cluster: Cluster, durability: Durability) -> tuple[Finding, ...]:
    masters = await cluster.masters.all()
    worst: dict[str, Finding] = {}
    answering: list[Redis] = []
    for master in masters:
        where = address_text(cluster.masters.address(master))
        try:
            findings = await _server(master, durability, of_cluster=True)
            answering.append(master)
        except (RedisError, OSError) as error:
            # Races of the other masters go on, and its replica may take its place just now.
            cluster.masters.suspect(master)
            fix = f"start {where}, or see why its replica does not take its place"
            findings = (Finding("redis", False, f"no answer: {error}", fix, can_wait=True),)
        for one in findings:
            if one.check not in worst or (worst[one.check].ok and not one.ok):
                worst[one.check] = msgspec.structs.replace(
                    one, found=one.found if one.ok else f"at {where}: {one.found}"
                )
    if not answering:
        return (msgspec.structs.replace(worst["redis"], can_wait=False),)
    return (*worst.values(), _served(cluster, masters), await _clocks(answering))


def _served(cluster: Cluster, masters: Sequence[Redis]) -> Finding:
    """Whether each slot has a master, and whether there are masters enough to agree on the loss of one."""
    unserved = SLOTS - sum(len(cluster.masters.slots(master)) for master in masters)
    found = f"{len(masters)} masters, {f'{unserved} slots are served by none' if unserved else 'all slots are served'}"
    fix = ""
    if unserved:
        fix = "start the masters that are missing, or let redis-cli --cluster fix HOST:PORT"
    elif len(masters) < MASTERS:
        fix = f"spread the slots over {MASTERS} masters or more: fewer cannot outvote one that is cut off"
    return Finding("cluster", not fix, found, fix, can_wait=True)


async def _clocks(masters: Sequence[Redis]) -> Finding:
    """Whether the masters' clocks agree: each race runs on that of its own."""
    apart: list[float] = []
    for master in masters:
        sent = time.monotonic()
        seconds, micros = await master.time()
        apart.append(seconds + micros / 1e6 - (sent + time.monotonic()) / 2)
    differ_ms = round(1000 * (max(apart) - min(apart)))
    ok = differ_ms <= CLOCKS_MS
    fix = "" if ok else "let all machines of the cluster keep time by NTP"
    return Finding("clocks", ok, f"the masters' differ by {differ_ms} ms", fix, can_wait=True)


async def _redis(settings: Settings) -> tuple[Finding, ...]:
    if settings.redis is not None:
        where = masked(settings.redis)
        try:
            client = connect(settings.redis)
        except ValueError as error:
            return (Finding("redis", False, f"{where}: {error}", "correct its address with --redis URL"),)
        async with client:
            return await examine_redis(client, settings.durability)
    try:
        # A Redis is tried out in a directory of its own, for the real one may be in use.
        with tempfile.TemporaryDirectory(prefix="fairdeal-doctor-") as folder, owned(Path(folder)) as data:
            async with private_redis(data) as url, connect(url) as client:
                found = await examine_redis(client, Durability.FSYNC)
        binary = find_redis()
        check_version(settings.data, version_of(binary), binary)
        check_log(settings.data)
    except StartRefused as refused:
        return (Finding("redis", False, "none that can be started", str(refused)),)
    return found


def _data(data: Path) -> Finding:
    existing = next(folder for folder in (data, *data.absolute().parents) if folder.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK | os.X_OK):
        return Finding("data directory", False, f"{data} cannot be written", "choose another with --data DIR")
    if not data.exists():
        return Finding("data directory", True, f"{data} will be made")
    try:
        with owned(data):
            return Finding("data directory", True, f"{data} is free")
    except DataDirTaken as taken:
        by = f"by process {taken.owner.pid}" if taken.owner else "by another process"
        return Finding("data directory", False, f"{data} is in use {by}", str(taken))


def _port(host: str, port: int) -> Finding:
    name = f"port {port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        return Finding(
            name, False, f"cannot be had on {host}: {error.strerror}", "free it, or choose another with --port"
        )
    return Finding(name, True, f"free on {host}")


def _numba_cache(environ: Mapping[str, str]) -> Finding:
    """Whether compiled solvers can be kept, so that only the first start waits for them."""
    name = "numba cache"
    if chosen := environ.get("NUMBA_CACHE_DIR"):
        folder = Path(chosen)
    else:
        # The solvers' package is only looked up: the server does not import it.
        spec = importlib.util.find_spec("bots")
        assert spec is not None
        assert spec.origin is not None
        folder = Path(spec.origin).parent / "solver" / "__pycache__"
    existing = next(parent for parent in (folder, *folder.absolute().parents) if parent.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        return Finding(name, True, f"{folder} can be written")
    return Finding(name, False, f"{folder} cannot be written", "set NUMBA_CACHE_DIR to a folder that can be")


def _text(value: object) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
