"""`fairdeal solve`, and the codes that are proved winnable."""

from pathlib import Path
from typing import Final

import pytest

from engine.record import parse_record, position_after
from engine.replay import read_replay, to_json
from tests.server.commands.terminal import Terminal

REPLAYS: Final = Path(__file__).parents[2] / "golden" / "replays"
SOLVED = {
    "GO1-E-AAAAAAB": ("winnable", 35, 350),
    "GO1-C-AAAAAAB": ("unwinnable", 34, 330),
    "GO1-SJ2X-AAAAAAD": ("winnable", 35, 350),
}


@pytest.mark.parametrize(("code", "found"), SOLVED.items(), ids=list(SOLVED))
def test_verdicts(code: str, found: tuple[str, int, int], fairdeal: Terminal) -> None:
    """The pages' deal is won under Easy and not under Classic; the line leads to the best that is told."""
    answer = fairdeal("solve", code, "--json")
    assert (answer.status, answer.err) == (0, "")
    solved = answer.json()
    assert list(solved) == ["code", "verdict", "line", "best", "nodes", "ms"]
    assert (solved["verdict"], *solved["best"].values()) == found
    assert list(solved["best"]) == ["removed", "score"]
    position = position_after(parse_record(f"{code} {' '.join(solved['line'])}"))
    assert (position["refusals"], position["removed"]) == ([], found[1])
    assert solved["nodes"] > 0
    assert solved["ms"] > 0


@pytest.mark.parametrize("rules", ["D1N", "D3N"])
def test_wins_double_solitaire(rules: str, fairdeal: Terminal) -> None:
    """A deal of Double Solitaire is won by a line that `apply` takes to the end."""
    solved = fairdeal("solve", f"DS1-{rules}-AAAAAAB", "--json").json()
    assert list(solved) == ["code", "verdict", "line", "best", "nodes", "ms"]
    assert solved["verdict"] == "winnable"
    position = position_after(parse_record(f"DS1-{rules}-AAAAAAB {' '.join(solved['line'])}"))
    assert (position["refusals"], position["status"]) == ([], "won")
    assert solved["best"] == {"placed": 104, "score": position["score"]}
    assert "best: 104 placed, score " in fairdeal("solve", f"DS1-{rules}-AAAAAAB").out


def test_a_verdict_as_text(fairdeal: Terminal) -> None:
    """Verdict, best, line and counters, a line each."""
    verdict, best, line, counters = fairdeal("solve go1eaaaaaab").out.splitlines()
    assert (verdict, best) == ("GO1-E-AAAAAAB: winnable", "best: 35 removed, score 350")
    assert line.startswith("line: d 5 ")
    assert " nodes, " in counters


def test_out_of_time(fairdeal: Terminal) -> None:
    """A search that is cut short by --time leaves the verdict open and tells the best so far."""
    solved = fairdeal("solve GO1-C-AAAAAAB --time 0.000001 --json").json()
    assert solved["verdict"] == "unknown"
    assert 0 <= solved["best"]["removed"] <= 34


@pytest.mark.parametrize("hurry", [[], ["--time", "0.000001"]], ids=["at leisure", "in haste"])
def test_a_fair_game(hurry: list[str], fairdeal: Terminal) -> None:
    """The fair player's game is legal to its end, the same each time, and a loss proves nothing."""
    answers = [fairdeal("solve", "GO1-C-AAAAAAB", "--fair", *hurry, "--json").json() for _ in range(2)]
    solved = answers[0]
    assert solved["verdict"] == "unknown"
    assert solved["line"] == answers[1]["line"]
    position = position_after(parse_record(f"GO1-C-AAAAAAB {' '.join(solved['line'])}"))
    assert (position["refusals"], position["legal"]) == ([], [])
    assert (position["removed"], position["score"]) == tuple(solved["best"].values())


def test_files_of_codes(fairdeal: Terminal) -> None:
    """One code a line in, one object a line out; what cannot be solved is named and the rest goes on."""
    answer = fairdeal("solve --file -", stdin="GO1-E-AAAAAAB\nGO9\nGO1-E-AAAAAAC\n")
    assert answer.status == 2
    assert [line.get("verdict") for line in answer.lines()] == ["winnable", None, "winnable"]
    assert answer.err == "fairdeal: line 2: unknown version: expected GO1 or GO0, found 'GO9'\n"


@pytest.mark.parametrize(
    "line",
    [
        "solve GO1-E-AAAAAAB --time 0",
        "solve GO1-E-AAAAAAB --time soon",
        "solve GO1-E-AAAAAAB --time nan",
        "solve GO1-E-AAAAAAB --time inf",
        "solve GO1-Q-AAAAAAB",
    ],
)
def test_wrong_use(line: str, fairdeal: Terminal) -> None:
    """Status 2 and one sentence."""
    answer = fairdeal(line)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


@pytest.mark.parametrize("game", ["GO", "GO1-C", "GO1-S", "DS", "DS1-D3N"])
def test_new_winnable_codes(game: str, fairdeal: Terminal) -> None:
    """A code made with --winnable is winnable."""
    code = fairdeal("code", "new", game, "--winnable").out.strip()
    assert fairdeal("solve", code, "--json").json()["verdict"] == "winnable"


def test_a_game_that_was_played(fairdeal: Terminal) -> None:
    """A code with moves is a game: its best, its result, what each costly move left and what would have been better."""
    answer = fairdeal("solve", "GO1-E-AAAAAAB", "d", "d", "d", "--json").json()
    assert (answer["operations"], answer["verdict"], answer["best"]["score"]) == (3, "winnable", 350)
    assert (answer["result"], answer["regret"]) == ({"removed": 0, "score": 0}, 350)
    text = fairdeal("solve GO1-C-AAAAAAC d d d d d d d d d d d d d d d d").out
    assert ", which lost it, leaves " in text
    assert " would have been better\n" in text
    assert "below the best\n" in text


def test_a_game_that_cannot_be(fairdeal: Terminal) -> None:
    """A word that the rules refuse is named; --fair has nothing to say of a game."""
    refused = fairdeal("solve GO1-E-AAAAAAB d x9")
    assert (refused.status, refused.out, "'x9' is refused: bad_move" in refused.err) == (2, "", True)
    assert fairdeal("solve GO1-E-AAAAAAB d --fair").status == 2


@pytest.mark.parametrize("name", ["golf-1-open.fairdeal", "golf-1-sealed.fairdeal"])
@pytest.mark.parametrize("form", ["file", "json"])
def test_a_replay(name: str, form: str, tmp_path: Path, fairdeal: Terminal) -> None:
    """Every seat of a replay, in either form, is a line: whose it is, and what it gave away."""
    data = (REPLAYS / name).read_bytes()
    file = tmp_path / "replay"
    file.write_bytes(data if form == "file" else to_json(read_replay(data)))
    answer = fairdeal("solve", "--file", str(file))
    assert (answer.status, answer.err) == (0, "")
    seats = answer.lines()
    assert [line["seat"] for line in seats] == list(range(1, len(seats) + 1))
    scores = {standing["seat"]: standing["score"] for standing in read_replay(data).header.standings}
    assert {line["seat"]: line["result"]["score"] for line in seats} == scores
    assert all(line["regret"] == line["best"]["score"] - line["result"]["score"] for line in seats)


@pytest.mark.parametrize("data", [b"\x28\xb5\x2f\xfd rest", b'{"header": 1}', b"{"], ids=["cut off", "odd", "brace"])
def test_a_replay_that_cannot_be_read(data: bytes, tmp_path: Path, fairdeal: Terminal) -> None:
    """Status 2 and one sentence."""
    file = tmp_path / "replay"
    file.write_bytes(data)
    answer = fairdeal("solve", "--file", str(file))
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)


def test_lines_of_codes_and_records(fairdeal: Terminal) -> None:
    """A file may mix codes and games; each has its own answer."""
    answer = fairdeal("solve --file -", stdin="\ufeffGO1-E-AAAAAAB d d\n\ngo1 e aaaaaab\n")
    assert [("result" in line, line["code"]) for line in answer.lines()] == [
        (True, "GO1-E-AAAAAAB"),
        (False, "GO1-E-AAAAAAB"),
    ]


def test_who_wins_it(fairdeal: Terminal) -> None:
    """With --roster the bots play the deal too."""
    answer = fairdeal("solve GO1-E-AAAAAAB --roster --json").json()
    assert answer["won_by"]["random"] == {"won": 0, "of": 3}
    assert answer["verdict"] == "winnable"
