"""Fixtures and rules for all tests: the tools they need, and one private Redis."""

import asyncio
import fcntl
import logging
import signal
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Generator, Iterator
from contextlib import suppress
from pathlib import Path

import hypothesis
import pytest
import structlog
from redis.asyncio import Redis

from server.store.connect import connect
from server.store.datadir import owned
from server.store.local import LocalRedis
from tests import needs
from tests.cluster import ClusterUp, cluster_up

# Far more than a test takes that has no `ends_within`: it ends one that hangs, with the tasks it left waiting, so that
# the run goes on.
HANGS_S = 120
# Eighty seconds of CPU are usual where nothing is compiled yet.
COMPILED_S = 600

# The machine may be busy with other things: no example fails for being slow.
hypothesis.settings.register_profile(
    "fairdeal", deadline=None, print_blob=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("fairdeal")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--cluster", action="store_true", help="run what uses the tests' Redis on a cluster of six")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Tests that are marked so run on the tests' Redis, then on the cluster, if they use it at all."""
    if "redis_url" in metafunc.fixturenames and metafunc.definition.get_closest_marker("either_redis"):
        metafunc.parametrize("redis_url", ["one", "cluster"], indirect=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """A test that uses the Redis fixtures needs its server and is marked `redis`, without saying so."""
    for item in items:
        if {"redis_url", "private_redis_url", "cluster"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.needs("redis-server"))
            item.add_marker(pytest.mark.redis)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    needs.check(item)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    own = item.get_closest_marker("ends_within")
    limit_s: int = own.args[0] if own else HANGS_S

    def hangs(*_: object) -> None:
        with suppress(RuntimeError):  # Outside a loop there are no tasks to show.
            for task in asyncio.all_tasks():
                task.print_stack(file=sys.stderr)
        raise TimeoutError(f"{item.nodeid} took more than {limit_s} s")

    before = signal.signal(signal.SIGALRM, hangs)
    signal.alarm(limit_s)
    try:
        return (yield)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for of_kind in ("skipped", "error") for report in terminalreporter.getreports(of_kind)]
    if line := needs.missing(report for report in reports if isinstance(report, pytest.TestReport)):
        terminalreporter.write_line(line, yellow=True)


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """A command that runs in this process says where logs go; that ends with its test, whose streams are closed."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


@pytest.fixture(scope="session")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Compiled kernels on the disk, made once, whoever runs tests beside this one.

    In a fresh checkout each bot and each analyst would compile for itself, a minute and more, for which tests do not
    wait; and those of the page would have to share the machine with it.
    """
    left_s = signal.alarm(0)  # The test that happens to be first is not hanging.
    with (tmp_path_factory.getbasetemp().parent / "kernels.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run([sys.executable, "-m", "bots.players.warm_up"], check=True, timeout=COMPILED_S)
    signal.alarm(left_s)


@pytest.fixture(scope="session")
def private_redis_url() -> Iterator[str]:
    """The URL of one private Redis for the whole run, durable at every write, on a unix socket."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-data-") as folder, owned(Path(folder)) as data:
        server = LocalRedis(data)
        try:
            yield server.start()
        finally:
            server.stop()


@pytest.fixture(scope="session")
def cluster() -> Iterator[ClusterUp]:
    """One cluster for the whole run; a test that moves something in it leaves it whole."""
    with tempfile.TemporaryDirectory(prefix="fairdeal-cluster-") as folder, cluster_up(Path(folder)) as cluster:
        yield cluster


@pytest.fixture
def redis_url(request: pytest.FixtureRequest) -> str:
    """The URL of the Redis for a test: the private one, or the cluster where the test asks for it, or the whole run."""
    if getattr(request, "param", "") == "cluster" or request.config.getoption("--cluster"):
        return str(request.getfixturevalue("cluster").url)
    return str(request.getfixturevalue("private_redis_url"))


@pytest.fixture
async def redis(redis_url: str) -> AsyncIterator[Redis]:
    """A client of that Redis, its database emptied before the test; answers are bytes."""
    client = connect(redis_url)
    await client.flushall()
    yield client
    await client.aclose()
