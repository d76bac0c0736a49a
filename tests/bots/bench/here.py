"""What tests of a bench share: an executor that plays in this process, and rows without what was measured."""

from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from typing import Any

from msgspec.structs import asdict

from bots.bench.rows import Row

__all__ = ["Here", "told"]

MEASURED = ("wall_ms", "cpu_ms", "memory_mb", "slowest_ms")


class Here(Executor):
    """Runs each job as it is submitted; `before` may raise, or look."""

    def __init__(self, before: Callable[[Any], object] = lambda job: None) -> None:
        self.before = before

    def submit(self, job: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            self.before(*args)
            future.set_result(job(*args, **kwargs))
        except Exception as fault:  # noqa: BLE001 (as executors do)
            future.set_exception(fault)
        return future


def told(rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Everything of rows but times and memory."""
    return [{key: value for key, value in asdict(row).items() if key not in MEASURED} for row in rows]
