"""The one metrics object of a node, in Prometheus's terms."""

from __future__ import annotations

from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

__all__ = ["Metrics"]

_ANSWER_S: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)
_SKEW_S: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)


class Metrics:
    """Everything that is counted on one node; each app has its own, so that tests and nodes do not share numbers."""

    CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4

    def __init__(self) -> None:
        self.registry = CollectorRegistry(auto_describe=True)
        self.sockets = self._gauge("sockets", "WebSockets open now")
        self.races_followed = self._gauge("races_followed", "Races that somebody here plays or watches")
        self.received = self._counter("messages_received", "Messages of clients", "t")
        # Finding a child by its labels takes longer than counting; these two are counted with every message.
        self._received: dict[str, Counter] = {}
        self._answers: dict[str, Counter] = {}
        self.bad_frames = self._counter("bad_frames", "Frames that hold no message")
        self.answers = self._counter("answers", "Answers to commands, by code (ok, or an error code)", "code")
        self.answer_s = Histogram(
            "fairdeal_answer_seconds",
            "From a command's arrival to its answer",
            buckets=_ANSWER_S,
            registry=self.registry,
        )
        self.closed = self._counter("sockets_closed", "Sockets that the server closed, by close code", "code")
        self.resumes = self._counter("resumes", "Resumes, by what they got (missed, or the reason of a snap)", "got")
        self.slow_snaps = self._counter("slow_snaps", "Queues of slow readers that were replaced by a snap")
        self.lost = self._counter("history_lost", "Resumes whose receipt proved that confirmed history is gone")
        self.start_skew_s = Histogram(
            "fairdeal_start_skew_seconds",
            "From start_at to the sending of the boards",
            buckets=_SKEW_S,
            registry=self.registry,
        )
        self.calls = self._counter("http_calls", "HTTP calls, by route and status", "route", "status")
        # Of all nodes together, read from Redis when they are asked for.
        self.analyses_waiting = self._gauge(
            "analyses_waiting", "Questions to solvers that wait, on all nodes", "urgency"
        )
        self.analyses_answered = self._gauge("analyses_answered", "Questions answered so far, on all nodes", "urgency")
        self.analyses_s = self._gauge("analyses_seconds", "Time that answering has taken, on all nodes", "urgency")
        self.analyses_waited_s = self._gauge("analyses_waited_seconds", "Time that those had waited before", "urgency")

    def count_received(self, t: str) -> None:
        """Count a message by its `t`."""
        child = self._received.get(t)
        if child is None:
            child = self._received[t] = self.received.labels(t)
        child.inc()

    def count_answer(self, code: str) -> None:
        """Count an answer by its code, `ok` where the command was accepted."""
        child = self._answers.get(code)
        if child is None:
            child = self._answers[code] = self.answers.labels(code)
        child.inc()

    def text(self) -> bytes:
        """Return all of it in the text format of Prometheus."""
        return generate_latest(self.registry)

    def _counter(self, name: str, says: str, *labels: str) -> Counter:
        return Counter(f"fairdeal_{name}", says, labels, registry=self.registry)

    def _gauge(self, name: str, says: str, *labels: str) -> Gauge:
        return Gauge(f"fairdeal_{name}", says, labels, registry=self.registry)
