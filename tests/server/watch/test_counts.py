"""What is counted with every move is read as Prometheus's own counters are."""

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest

from server.watch.counts import Spread, Tally

BOUNDS = (0.001, 0.5, 2.0)


def test_it_is_read_as_the_librarys() -> None:
    """Tallies and spreads give the lines that the library's counter and histogram give, but those of their making."""
    ours, theirs = CollectorRegistry(), CollectorRegistry(auto_describe=True)
    tally, counter = Tally("plays", "Plays", "code", ours), Counter("plays", "Plays", ["code"], registry=theirs)
    spread, histogram = Spread("took", "Took", BOUNDS, ours), Histogram("took", "Took", buckets=BOUNDS, registry=theirs)
    for code in ("ok", "late", "ok"):
        tally.counts[code] += 1
        counter.labels(code).inc()
    for number in (0.0005, 0.001, 0.3, 7.5):
        spread.observe(number)
        histogram.observe(number)

    expected = [line for line in generate_latest(theirs).decode().splitlines() if "_created" not in line]

    assert generate_latest(ours).decode().splitlines() == expected
