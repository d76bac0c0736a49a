"""A private Redis for one server: started with it on a unix socket, durable at every write, stopped with it."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import structlog

from server.store.binary import RedisFailed, check_log, check_version, find_redis, record_version, version_of
from server.store.datadir import LockFile, OwnedDir, StartRefused
from server.store.socket_path import new_socket_path, remove_socket

__all__ = ["LocalRedis", "private_redis"]

LOCK_NAME = "redis.lock"
SOCKET_NAME = "redis.sock"
PID_NAME = "redis.pid"
LOG_NAME = "redis.log"
ANSWER_S = 30.0  # How long a Redis may be silent after its start; reading a long log is not silence.
STOP_S = 15.0  # How long a Redis may take to write out and leave before it is killed.
POLL_S = 0.01
WATCH_S = 0.25
# In the title braces are for names that Redis knows.
NO_BRACES = str.maketrans("{}", "()")

log = structlog.get_logger()


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
        try:
            self.claim()
            self.spawn()
            self.await_ready()
        except BaseException:
            self.stop()
            raise
        return self.url

    async def keep(self) -> None:
        """Start Redis again, at the same URL, whenever it ends by itself; it has kept all that it answered for."""
        while True:
            await asyncio.sleep(WATCH_S)
            if self._process is not None and self._process.poll() is None:
                continue
            log.warning("private redis ended, starting it again", log=str(self.data / LOG_NAME))
            try:
                await asyncio.to_thread(self.claim)
                self.spawn()
                await asyncio.to_thread(self.await_ready)
            except (StartRefused, OSError) as refused:
                # As where the disk is full, or no process more is to be had: it may be mended, and this goes on.
                log.error("private redis cannot be started again", why=str(refused))

    def claim(self) -> None:
        """Find the binary, stop an orphan, lock the directory, check and record the version that writes it."""
        self._binary = find_redis()
        version = version_of(self._binary)
        self._lock_out_orphan()
        try:
            check_version(self.data, version, self._binary)
            check_log(self.data)
            record_version(self.data, version)
        except BaseException:
            self._lock.release()
            raise

    def spawn(self) -> None:
        """Start the process; call it from a thread that lives as long as the server does (see `_command`)."""
        try:
            self._socket = self._socket or new_socket_path(SOCKET_NAME)
            self._lock.write(f"{self._socket}\n")
            (self.data / PID_NAME).unlink(missing_ok=True)
            logged = self.data / LOG_NAME
            if logged.exists():  # The last words of a Redis that ended by itself are worth one more start.
                logged.replace(self.data / f"{LOG_NAME}.1")
            with logged.open("wb") as file:
                self._process = subprocess.Popen(
                    self._command(self._binary, self._socket),
                    stdin=subprocess.DEVNULL,
                    stdout=file,
                    stderr=subprocess.STDOUT,
                    pass_fds=[self._lock.fd],
                    # Ctrl-C goes to a terminal's whole process group, and Redis must outlive the server's clean-up.
                    start_new_session=True,
                )
        finally:
            self._lock.release()

    def await_ready(self) -> None:
        """Wait until Redis has read its log and answers; raises RedisFailed when it ends or stays silent."""
        silent_until = time.monotonic() + ANSWER_S
        while (answer := self._ping()) != "+PONG":
            if answer.startswith("-LOADING"):
                silent_until = time.monotonic() + ANSWER_S
            dead = self._process is None or self._process.poll() is not None
            if dead or time.monotonic() > silent_until:
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
            remove_socket(self._socket)
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
            "proc-title-template": "{title} {unixsocket} --dir " + str(self.data).translate(NO_BRACES),
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
        left_behind = Path(self._lock.read().strip())
        if left_behind != self._socket and left_behind.name == SOCKET_NAME:
            remove_socket(left_behind)

    def _recorded_pid(self) -> int | None:
        try:
            return int((self.data / PID_NAME).read_text())
        except (FileNotFoundError, ValueError):
            return None

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

    Whenever Redis ends by itself it is started again at the same URL; until it answers, its clients get errors.
    Raises StartRefused (RedisMissing, RedisTooOld, RedisFailed) with what to do.
    """
    redis = LocalRedis(data)
    try:
        await asyncio.to_thread(redis.claim)
        redis.spawn()
        await asyncio.to_thread(redis.await_ready)
        keeper = asyncio.create_task(redis.keep(), name="private redis")
        try:
            yield redis.url
        finally:
            keeper.cancel()
            await asyncio.wait([keeper])
    finally:
        await asyncio.to_thread(redis.stop)
