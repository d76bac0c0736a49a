"""Counts that every move adds to: plain numbers until Prometheus asks for them.

The client library locks and checks on each `inc` and searches a histogram's buckets in Python: 0.9 and 2 µs, where
these take 0.1 and 0.3, and a move adds to six of them.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import accumulate

from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector, CollectorRegistry
from prometheus_client.utils import floatToGoString

__all__ = ["Spread", "Tally"]


class Tally(Collector):
    """How often something happened, by the value of one label, or without one by ""; used by one thread.

    One is added to `counts` itself: a call would cost more than that.
    """

    def __init__(self, name: str, says: str, label: str | None, registry: CollectorRegistry) -> None:
        self._name, self._says = name, says
        self._labels = [] if label is None else [label]
        self.counts: defaultdict[str, int] = defaultdict(int)
        registry.register(self)

    def describe(self) -> Iterator[Metric]:
        """Yield the family, empty."""
        yield self._family()

    def collect(self) -> Iterator[Metric]:
        """Yield what Prometheus reads."""
        family = self._family()
        for value, count in self.counts.items():
            family.add_metric([value] * len(self._labels), count)
        yield family

    def _family(self) -> CounterMetricFamily:
        return CounterMetricFamily(self._name, self._says, labels=self._labels)


class Spread(Collector):
    """How numbers are spread over buckets with these upper bounds; used by one thread."""

    def __init__(self, name: str, says: str, bounds: Sequence[float], registry: CollectorRegistry) -> None:
        self._name, self._says, self._bounds = name, says, tuple(bounds)
        self._buckets = [0] * (len(bounds) + 1)
        self._sum = 0.0
        registry.register(self)

    def observe(self, number: float) -> None:
        """Take note of a number."""
        self._buckets[bisect_left(self._bounds, number)] += 1
        self._sum += number

    def describe(self) -> Iterator[Metric]:
        """Yield the family, empty."""
        yield HistogramMetricFamily(self._name, self._says)

    def collect(self) -> Iterator[Metric]:
        """Yield what Prometheus reads."""
        bounds = [*map(floatToGoString, self._bounds), "+Inf"]
        buckets = list(zip(bounds, map(float, accumulate(self._buckets)), strict=True))
        yield HistogramMetricFamily(self._name, self._says, buckets=buckets, sum_value=self._sum)
