"""The report and the figures in it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from bots.bench.bench import Bench
from bots.bench.contestant import Contestant
from bots.bench.folder import Plan
from bots.bench.report.axis import linear, logarithmic, snug
from bots.bench.report.figures import Labelled, dots, histograms, number, shares, spreads
from bots.bench.report.page import command_of
from bots.bench.stats.intervals import Interval
from bots.bench.suites import suite
from bots.conditions import Conditions
from engine.solo import UndoPolicy
from tests.bots.bench.here import Here

RANDOM = Contestant("random", "random", games=("GO",))
GREEDY = Contestant("greedy", "<b>greedy & co</b>", "2", games=("GO",))
ORACLE = Contestant("solver", "seer", mode="oracle", games=("GO",))
GONE = Contestant("cmd:./gone", "gone", games=("GO",), command=("./gone",))


class Tags(HTMLParser):
    """The tags of a document, which must be closed in order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: dict[str, int] = {}
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1
        self.links += [value or "" for name, value in attrs if name in ("src", "href", "xlink:href")]
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] = self.seen.get(tag, 0) + 1

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def report(folder: Path, *bots: Contestant, conditions: Conditions = Conditions(nodes=2, max_ops=40)) -> str:  # noqa: B008
    bench = Bench(suite("golf-easy-1000", deals=6), bots, conditions, out=folder)
    bench.run(Here, lambda rows: None)
    return (folder / "report.html").read_text("utf-8")


def test_a_report_is_one_file_that_asks_for_nothing(tmp_path: Path) -> None:
    """Well formed, with a figure for wins, scores, differences, shares and times, and no reference to elsewhere."""
    html = report(tmp_path, RANDOM, GREEDY)
    tags = Tags()
    tags.feed(html)
    assert (tags.open, tags.links, tags.seen["svg"]) == ([], [], 5)
    assert not re.search(r"url\(|@import|<script|http", html)
    assert "golf-easy-1000" in html
    assert suite("golf-easy-1000", deals=6).hash in html


def test_names_from_programs_are_text(tmp_path: Path) -> None:
    """A bot cannot write into the report but as text."""
    html = report(tmp_path, RANDOM, GREEDY)
    assert "<b>greedy" not in html
    assert "&lt;b&gt;greedy &amp; co&lt;/b&gt;" in html


def test_oracles_and_failures_have_their_own_places(tmp_path: Path) -> None:
    """An oracle's table says what it was given; why games ended is told with the first deal."""
    html = report(tmp_path, RANDOM, GONE, Contestant("greedy", "seer", mode="oracle", games=("GO",)))
    assert html.index("Fair bots") < html.index("Oracles") < html.index("Games that did not end by themselves")
    assert "expected a program, found ./gone: No such file or directory" in html
    assert "max_ops" in html


def test_the_command_makes_the_run_again() -> None:
    """Everything that is not as it is by default is in it, quoted for a shell."""
    conditions = Conditions(seed=3, move_ms=20.5, nodes=100, undo=UndoPolicy.FREE)
    plan = Plan.of(suite("GO1-C", deals=7, seed=3), conditions, [RANDOM, GONE], (0.0, 12.5))
    assert command_of(plan) == (
        "fairdeal bench GO1-C --deals 7 --bot random --bot cmd:./gone --sprt --elo 0 12.5 "
        "--seed 3 --undo free --move-ms 20.5 --nodes 100"
    )


@pytest.mark.parametrize(
    ("low", "high", "ticks"),
    [
        (0, 23, (0, 5, 10, 15, 20, 25)),
        (-12.5, 31, (-20, -10, 0, 10, 20, 30, 40)),
        (0, 0, (-1, -0.5, 0, 0.5, 1)),
        (0, 0.0004, (0, 0.0001, 0.0002, 0.0003, 0.0004)),
        (1220, 1225, (1220, 1221, 1222, 1223, 1224, 1225)),
    ],
)
def test_scales_have_round_ticks_and_hold_their_values(low: float, high: float, ticks: tuple[float, ...]) -> None:
    """The ends are ticks too."""
    axis = linear(low, high, 0, 100)
    assert axis.ticks == pytest.approx(ticks)
    assert (axis.at(axis.low), axis.at(axis.high)) == (0, 100)
    assert 0 <= axis.at(low) <= axis.at(high) <= 100
    assert (axis.at(low - 1e9), axis.at(high + 1e9)) == (0, 100)


def test_a_snug_scale_ends_where_it_is_told() -> None:
    """Its ticks are the round values inside."""
    axis = snug(-5, 355, 0, 360, ticks=8)
    assert axis.ticks == (0, 50, 100, 150, 200, 250, 300, 350)
    assert [axis.at(tick) for tick in (-5, 0, 350, 355)] == [0, 5, 355, 360]


def test_a_logarithmic_scale_goes_by_powers_of_ten() -> None:
    """Each has the same room."""
    axis = logarithmic(0.02, 30, 0, 400)
    assert axis.ticks == pytest.approx((0.01, 0.1, 1, 10, 100))
    assert [axis.at(tick) for tick in axis.ticks] == [0, 100, 200, 300, 400]
    assert logarithmic(1, 1, 0, 1).ticks == (1, 10)


def test_figures_draw_the_least_that_there_can_be() -> None:
    """One value, all equal, none of a kind: no division by zero, and every figure is well formed."""
    figures = [
        dots("t", [Labelled("a", Interval(0, 0, 0))], "u"),
        histograms("t", [("a", [0])], "u"),
        histograms("t", [("a", [-104, 416, -104]), ("b", [-99])], "u"),
        shares("t", [("a", (0, 0, 0)), ("b", (1, 0, 0))], ("x", "y", "z")),
        spreads("t", [("a", [0.0], 0.0), ("b", [1.0, 2.0], 90.0)], "u"),
    ]
    for figure in figures:
        tags = Tags()
        tags.feed(figure)
        assert not tags.open
        assert "nan" not in figure


@pytest.mark.parametrize(("value", "text"), [(0, "0"), (0.00225, "0.00225"), (12.345, "12.3"), (1234.5, "1234")])
def test_numbers_have_three_digits(value: float, text: str) -> None:
    """Or all before the point."""
    assert number(value) == text
