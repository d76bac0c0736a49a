"""Measuring what can be won: it goes on where it stopped, refuses to mix, and is written up as it is."""

import itertools
from pathlib import Path

import pytest
from click.testing import CliRunner

from bots.bench.machine import this_machine
from bots.results import measure as measuring
from bots.results.__main__ import BOTS, main
from bots.results.measure import MeasureRefused, measure
from bots.results.played import paired, played_table
from bots.results.render import BEGINS, ENDS, page, range_of, table, with_table
from bots.results.tally import FIRST, Tally, keep, kept
from bots.results.variants import VARIANTS, Limits
from bots.solver.verdict import solve_golf
from engine.codes import deal, parse_code
from engine.golf.rules import GolfRules

STRICT = VARIANTS["GO1-S"]


def tally(**changed: object) -> Tally:
    facts = {"won": 450, "lost": 540, "unknown": 10, "cpu_s": 2.0, "digest": "0123456789abcdef01"} | changed
    return Tally(
        variant="GO1-C", solver="golf 2", limits=Limits(), machine=this_machine(), measured="2026-01-01", **facts
    )  # type: ignore[arg-type]


def test_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """Deals decided in three goes, one of them broken off, or by two processes, give the tally of one go."""
    whole = measure(STRICT, 90, Limits(), tmp_path, 1, lambda _: None)
    parts, pool = tmp_path / "parts", tmp_path / "pool"
    parts.mkdir()
    pool.mkdir()
    measure(STRICT, 13, Limits(), parts, 1, lambda _: None)
    heard = itertools.count()

    def broken_off(_: Tally) -> None:
        if next(heard) == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(STRICT, 90, Limits(), parts, 1, broken_off)
    stopped = kept(parts, "GO1-S")
    assert stopped is not None
    assert stopped.deals == 13 + 2 * measuring.CHUNK
    for folder, jobs in ((parts, 1), (pool, 2)):
        again = measure(STRICT, 90, Limits(), folder, jobs, lambda _: None)
        assert (again.won, again.lost, again.unknown, again.digest) == (whole.won, whole.lost, 0, whole.digest)
        assert kept(folder, "GO1-S") == again


def test_decides_as_the_solver_does(tmp_path: Path) -> None:
    """The deals are those of consecutive codes, and what is counted is what solving them gives."""
    found = measure(STRICT, 40, Limits(), tmp_path, 1, lambda _: None)
    verdicts = []
    for number in range(FIRST, FIRST + 40):
        code = parse_code(STRICT.deal_code(number))
        assert isinstance(code.rules, GolfRules)
        cards = deal(code)
        verdicts.append(solve_golf(code.rules, cards.columns, cards.waste, cards.stock).verdict)
    assert (found.won, found.lost) == (verdicts.count("winnable"), verdicts.count("unwinnable"))


@pytest.mark.parametrize(
    ("name", "deals", "won"), [("DS1-D1N", 8, 8), ("DS1-D3N", 8, 8), ("DS1-D3V", 1, 0), ("one-pack-d3", 8, 5)]
)
def test_decides_double_solitaire_and_klondike(tmp_path: Path, name: str, deals: int, won: int) -> None:
    """The deals of every variant are decided by its solver, the same ones every time."""
    found = measure(VARIANTS[name], deals, Limits(nodes=3_000), tmp_path, 1, lambda _: None)
    assert (found.won, found.deals) == (won, deals)
    for up, most in zip(found.scores, found.bounds, strict=True):
        assert 0 < up <= most <= 104


@pytest.mark.parametrize(("game", "better"), [("GO1-E", "steady"), ("DS1-D3VO", "steady")])
def test_lets_players_play(tmp_path: Path, game: str, better: str) -> None:
    """Games of the players go on where they stopped, score for score, and are written up against each other."""
    tallies = []
    for player in (better, "greedy"):
        variant = VARIANTS[f"{game}-{player}"]
        measure(variant, 5, variant.limits, tmp_path, 1, lambda _: None)
        tallies.append(measure(variant, 12, variant.limits, tmp_path, 1, lambda _: None))
        again = tmp_path / player
        again.mkdir()
        whole = measure(variant, 12, variant.limits, again, 1, lambda _: None)
        assert (whole.scores, whole.digest) == (tallies[-1].scores, tallies[-1].digest)
        assert len(whole.scores) == whole.deals == 12
        assert kept(again, variant.name) == whole
    assert f"| `{game}` | {better} | 12 |" in played_table(tallies)
    assert (f"{better} against greedy" in paired(tallies)) == (game == "DS1-D3VO")


@pytest.mark.parametrize(
    ("name", "version", "scores"),
    [
        ("DS1-D1N-solver", "solver 2", [1350, 1255, 1365]),
        ("DS1-D3N-solver", "solver 2", [640, 820, 1105]),
    ],
)
def test_double_is_played_as_it_was_measured(name: str, version: str, scores: list[int]) -> None:
    """The first games are those that are kept: whoever changes the play raises the version and measures anew."""
    variant = VARIANTS[name]
    games = [variant.decide(number, variant.limits) for number in range(FIRST, FIRST + len(scores))]
    assert variant.solver == version
    assert [game.score for game in games] == scores


def test_klondike_is_played_as_it_was_measured() -> None:
    """So are its first games."""
    variant = VARIANTS["one-pack-d3-solver"]
    won = [variant.decide(FIRST + i, variant.limits).verdict == "won" for i in range(8)]
    assert variant.solver == "klondike 2"
    assert won == [False, True, True, False, True, True, True, False]


def test_counts_what_limits_leave_open(tmp_path: Path) -> None:
    """Deals that are not decided within the limits are counted apart."""
    found = measure(VARIANTS["GO1-C"], 20, Limits(nodes=10), tmp_path, 1, lambda _: None)
    assert (found.unknown > 0, found.deals) == (True, 20)


def test_mixes_no_limits(tmp_path: Path) -> None:
    """Deals decided within other limits are not added, and the message says which there are."""
    measure(STRICT, 5, Limits(nodes=100_000), tmp_path, 1, lambda _: None)
    with pytest.raises(MeasureRefused, match="nodes=100000"):
        measure(STRICT, 10, Limits(), tmp_path, 1, lambda _: None)


def test_spans_what_is_not_known() -> None:
    """Undecided deals widen the interval at its upper end only."""
    decided, open_ = tally(unknown=0, lost=550), tally()
    assert range_of(open_, 0.95).low == range_of(decided, 0.95).low
    assert range_of(open_, 0.95).high > range_of(decided, 0.95).high


def test_writes_the_table_between_the_marks() -> None:
    """What stands around the marks stays, what stood between them goes, and a text without them is refused."""
    text = f"before\n{BEGINS}\nold\n{ENDS}\nafter\n"
    written = with_table(text, [tally()])
    assert written == f"before\n{BEGINS}\n{table([tally()])}\n{ENDS}\nafter\n"
    assert with_table(written, [tally()]) == written
    with pytest.raises(ValueError, match="found no such pair"):
        with_table("no marks", [tally()])


def test_says_whether_published_rates_agree() -> None:
    """A rate is set beside the published one, and the page tells when they are apart."""
    assert "| agrees |" in page([tally(won=450_000, lost=550_000, unknown=0)])
    assert "| differs |" in page([tally(won=470_000, lost=530_000, unknown=0)])


@pytest.mark.parametrize(
    ("words", "says"),
    [
        pytest.param(["measure", "GO9", "--deals", "1"], "'GO9' is not one of", id="no variant"),
        pytest.param(["measure", "GO1-E", "--deals", "0"], "0 is not in the range", id="no deals"),
        pytest.param(["measure", "GO1-S", "--deals", "9", "--seconds", "nan"], "a number of seconds", id="no time"),
        pytest.param(
            ["measure", "GO1-E-greedy", "--deals", "9", "--seconds", "1"], "expected --nodes", id="no seconds"
        ),
        pytest.param(["measure", "GO1-S", "--deals", "9", "--seconds", "1"], "give the same limits", id="other limits"),
        pytest.param(["measure", "GO1-C", "--deals", "9"], "remove that file", id="no tally"),
        pytest.param(["measure", "GO1-C", "--deals", "9", "--data", "nowhere"], "does not exist", id="no folder"),
    ],
)
def test_refuses_with_a_sentence(tmp_path: Path, words: list[str], says: str) -> None:
    """Wrong use ends with status 2 and says what to do."""
    (tmp_path / "GO1-C.json").write_text("[]")
    keep(tmp_path, Tally(variant="GO1-S", solver="golf 2", limits=Limits(), machine=this_machine(), measured="", won=1))
    answer = CliRunner().invoke(main, [*words, *([] if "--data" in words else ["--data", str(tmp_path)])])
    assert answer.exit_code == 2
    assert says in " ".join(answer.output.split())


def test_is_written_up() -> None:
    """RESULTS.md and the table in the README are those of the figures that are kept."""
    answer = CliRunner().invoke(main, ["render", "--check"])
    assert answer.exit_code == 0, answer.output
    assert (BOTS / "RESULTS.md").exists()
