"""A run on a cluster: Dask's scheduler and workers, which must have this software too (extra `cluster`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from bots.bench.faults import RunRefused

if TYPE_CHECKING:
    from distributed import Client

__all__ = ["Cluster", "cluster"]

CONNECT_S: Final = 10


class Cluster(Struct, frozen=True):
    """How many jobs a cluster plays at a time, and what hands them out."""

    jobs: int
    executor: Callable[[], Executor]


@contextmanager
def cluster(address: str, timeout_s: float = CONNECT_S) -> Iterator[Cluster]:
    """Connect to a scheduler, `tcp://host:8786`, for the length of the block. Raises RunRefused.

    What a worker had when it died is given to another: Dask does that, and gives up on a game only after it has ended
    several workers.
    """
    try:
        from distributed import Client
    except ImportError as fault:
        raise RunRefused("expected Dask for --dask, found none: run `sh deploy/install --extra cluster`") from fault
    try:
        client = Client(address, timeout=timeout_s, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as fault:
        raise RunRefused(f"expected a Dask scheduler, found none at {address}: {fault}") from fault
    try:
        workers: dict[str, int] = client.nthreads()  # type: ignore[no-untyped-call]
        if not workers:
            raise RunRefused(f"expected workers at {address}, found none: start `dask worker {address}`")
        yield Cluster(sum(workers.values()), lambda: _executor(client))
    finally:
        client.close()  # type: ignore[no-untyped-call]


def _executor(client: Client) -> Executor:
    # Not pure: every job is played, whatever Dask remembers of earlier ones.
    executor: Executor = client.get_executor(pure=False)  # type: ignore[no-untyped-call]
    return executor
