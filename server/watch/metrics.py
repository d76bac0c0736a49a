"""The one metrics object of a node, in Prometheus's terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from server.watch.counts import Spread, Tally

__all__ = ["Metrics"]

_ANSWER_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_APPEND_S: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_LATE_S: Final = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 15.0, 60.0)
_FILED_S: Final = (1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3600.0)
_TRIP_S: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SKEW_S: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Metrics:
    """Everything that is counted on one node; each app has its own, so that tests and nodes do not share numbers."""

    CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self.sockets = self._gauge("sockets", "WebSockets open now")
        self.races_followed = self._gauge("races_followed", "Races that somebody here plays or watches")
        self.received = self._tally("messages_received", "Messages of clients", "t")
        self.bad_frames = self._counter("bad_frames", "Frames that hold no message")
        self.answers = self._tally("answers", "Answers to commands, by code (ok, or an error code)", "code")
        self.answer_s = self._spread("answer_seconds", "From a command's arrival to its answer", _ANSWER_S)
        self.moves = self._tally("moves", "Plays that went into a log through this node")
        self.append_s = self._spread("append_seconds", "From sending an append to its durable outcome", _APPEND_S)
        self.appends = self._tally("appends", "Appends, by outcome (behind: decide anew; forked: read anew)", "outcome")
        self.bell_lag_s = self._histogram("bell_lag_seconds", "From an entry's time to its reading elsewhere", _LATE_S)
        self.deadline_late_s = self._histogram("deadline_late_seconds", "From what was due to its being done", _LATE_S)
        self.archive_s = self._histogram("archive_seconds", "From a race's end to its file in the archive", _FILED_S)
        self.timers_missing = self._counter("timers_missing", "Logs found without a timer, and given one")
        self.archive_failed = self._counter("archive_failures", "Races whose file could not be written or verified")
        self.closed = self._counter("sockets_closed", "Sockets that the server closed, by close code", "code")
        self.resumes = self._counter("resumes", "Resumes, by what they got (missed, or the reason of a snap)", "got")
        self.slow_snaps = self._counter("slow_snaps", "Queues of slow readers that were replaced by a snap")
        self.lost = self._counter("history_lost", "Times that a fold or a receipt proved confirmed history gone")
        self.start_skew_s = self._histogram("start_skew_seconds", "From start_at to the sending of the boards", _SKEW_S)
        self.round_trip_s = self._spread("round_trip_seconds", "From a ping to a client to its answer", _TRIP_S)
        self.calls = self._counter("http_calls", "HTTP calls, by route and status", "route", "status")
        # Of all nodes together, read from Redis when they are asked for.
        self.redis_memory = self._gauge("redis_memory_bytes", "What Redis uses")
        self.redis_memory_max = self._gauge("redis_memory_max_bytes", "What Redis may use; 0: all there is")
        self.bots_wanted = self._gauge("bots_wanted", "Seats that no worker has taken yet")
        self.analyses_waiting = self._gauge(
            "analyses_waiting", "Questions to solvers that wait, on all nodes", "urgency"
        )
        self.analyses_answered = self._gauge("analyses_answered", "Questions answered so far, on all nodes", "urgency")
        self.analyses_s = self._gauge("analyses_seconds", "Time that answering has taken, on all nodes", "urgency")
        self.analyses_waited_s = self._gauge("analyses_waited_seconds", "Time that those had waited before", "urgency")

    def text(self) -> bytes:
        """Return all of it in the text format of Prometheus."""
        return generate_latest(self.registry)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"fairdeal_{name}", says, labels, registry=self.registry)

    def _tally(self, name: str, says: str, label: str | None = None) -> Tally:
        return Tally(f"fairdeal_{name}", says, label, self.registry)

    def _spread(self, name: str, says: str, bounds: Sequence[float]) -> Spread:
        return Spread(f"fairdeal_{name}", says, bounds, self.registry)

    def _histogram(self, name: str, says: str, buckets: Sequence[float]) -> Histogram:
        return Histogram(f"fairdeal_{name}", says, buckets=buckets, registry=self.registry)

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        return Gauge(f"fairdeal_{name}", says, labels, registry=self.registry)
