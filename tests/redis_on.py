"""Redis servers on ports of this machine, for what one on a unix socket cannot show: replicas, sentinels, clusters."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff

from server.store.binary import find_redis
from tests.authority import Authority
from tests.ports import free_port

__all__ = ["free_port", "patient", "redis_on", "started"]


def started(port: int, folder: Path, *settings: str) -> subprocess.Popen[bytes]:
    """Start a Redis in a folder, which is made unless it is there; whoever starts it has to end it."""
    folder.mkdir(exist_ok=True)
    quick = ("--save", "", "--bind", "127.0.0.1", "--repl-diskless-sync-delay", "0", "--logfile", "redis.log")
    return subprocess.Popen([str(find_redis()), "--port", str(port), "--dir", str(folder), *quick, *settings])


@contextmanager
def redis_on(port: int, folder: Path, *settings: str) -> Iterator[None]:
    """A Redis in a new folder, killed at the end of the block."""
    with started(port, folder, *settings) as process:
        try:
            yield
        finally:
            process.kill()


def patient(port: int, tls: Authority | None = None) -> Redis:
    """A client that waits ten seconds for its server to be there."""
    known_by = str(tls.certificate) if tls else None
    retry = Retry(ConstantBackoff(0.05), 200)
    return Redis(host="127.0.0.1", port=port, retry=retry, ssl=tls is not None, ssl_ca_certs=known_by)
