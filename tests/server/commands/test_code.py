"""`fairdeal code`."""

from pathlib import Path

import pytest

from engine.codes import deal, parse_code
from engine.layout import LaidOut
from tests.engine.vectors import PUBLISHED
from tests.server.commands.terminal import Terminal


@pytest.mark.parametrize(
    ("game", "start"),
    [
        ("GO", "GO1-E-"),
        ("go1", "GO1-E-"),
        ("GO1-C", "GO1-C-"),
        ("go1sxj2", "GO1-SJ2X-"),
        ("DS", "DS1-D1N-"),
        ("DS1-D3VO", "DS1-D3VO-"),
    ],
)
def test_new_codes(game: str, start: str, fairdeal: Terminal) -> None:
    """A new random code of that game, each time another one, of seven letters."""
    codes = [fairdeal("code", "new", game).out.strip() for _ in range(3)]
    assert len(set(codes)) == 3
    for code in codes:
        assert code.startswith(start)
        assert len(code) == len(start) + 7
        assert code == str(parse_code(code))


@pytest.mark.parametrize(
    ("game", "part"),
    [("XX", "unknown game"), ("GO2", "unknown version"), ("GO1-Q", "unknown rule"), ("GO0-E", "expected GO1-E, ")],
)
def test_games_that_have_no_new_codes(game: str, part: str, fairdeal: Terminal) -> None:
    """One sentence; status 2."""
    answer = fairdeal("code", "new", game)
    assert (answer.status, answer.out) == (2, "")
    assert part in answer.err
    assert answer.err.count("\n") == 1


CHECKED = {
    "go1-n-aaaaaab": ("GO1-E-AAAAAAB", 1, "E", True, "app and code deal the same cards"),
    "GO1-CJ2X-AAAAAAB": ("GO1-CJ2X-AAAAAAB", 1, "CJ2X", False, "the app deals other cards"),
    "go1 e aaaaaa0": ("GO1-E-AAAAAAO", 1, "E", False, "the app deals other cards"),
    "ds1d3voaaaaaab": ("DS1-D3VO-AAAAAAB", 1, "D3VO", False, "the app deals other cards"),
    f"GO0-E-{PUBLISHED[0].literal}": (f"GO0-E-{PUBLISHED[0].literal}", 0, "E", False, "The number is the deal itself"),
}


@pytest.mark.parametrize("typed", CHECKED, ids=lambda typed: typed[:20])
def test_codes_are_checked(typed: str, fairdeal: Terminal) -> None:
    """Canonical form, version, rules, and whether the app's pages print the deal; as JSON and as text."""
    canonical, version, rules, published, meaning = CHECKED[typed]
    answer = fairdeal("code", "check", typed, "--json")
    assert answer.status == 0
    found = answer.json()
    assert list(found) == ["code", "game", "version", "rules", "number", "published", "meaning"]
    assert (canonical, canonical[:2], version, rules) == tuple(
        found[key] for key in ("code", "game", "version", "rules")
    )
    assert (canonical.rpartition("-")[2], published) == (found["number"], found["published"])
    assert meaning in found["meaning"]
    assert fairdeal("code", "check", typed).out == f"{canonical}\n{found['meaning']}\n"


RULES = {
    "GO1-E": "Golf, Easy: king and ace are joined",
    "GO1-CJ1": "Golf, Classic: king and ace are separate; one joker",
    "GO1-SJ2X": "Golf, Strict: nothing goes on a king, and a draw waits until no card fits; two jokers; the waste",
    "DS1-D1N": "Double Solitaire: one card a draw, Normal scoring",
    "DS1-D3VO": "Double Solitaire: three cards a draw, Vegas scoring, one pass; a card pays only once",
}


@pytest.mark.parametrize(("game", "sentence"), RULES.items(), ids=list(RULES))
def test_rules_are_told_in_words(game: str, sentence: str, fairdeal: Terminal) -> None:
    """Letter and options in English."""
    assert fairdeal(f"code check {game}-AAAAAAC").out.splitlines()[1].startswith(sentence)


def test_what_is_wrong_with_a_code(fairdeal: Terminal) -> None:
    """One sentence on stderr, status 2; in a file the line is named and the rest is checked."""
    answer = fairdeal("code check GO1-E-AAAAAA!")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("fairdeal: bad letter: ")
    answer = fairdeal("code check --file -", stdin="GO1-E-AAAAAA!\ngo1caaaaaab\n")
    assert answer.status == 2
    assert answer.err.startswith("fairdeal: line 1: bad letter: ")
    assert answer.lines()[1]["code"] == "GO1-C-AAAAAAB"


@pytest.mark.parametrize("code", ["GO1-E-AAAAAAB", "GO1-SJ2X-AAAAAAC", "DS1-D3VO-AAAAAAB"])
def test_a_literal_code_for_a_lay_out(code: str, fairdeal: Terminal, tmp_path: Path) -> None:
    """What `deal` prints, as text or JSON, becomes a literal code that deals the same cards under the same rules."""
    printed = tmp_path / "lay-out.txt"
    printed.write_text(fairdeal("deal", code).out, encoding="utf-8")
    literal = fairdeal("code", "from", str(printed)).out.strip()
    assert deal(parse_code(code)) == deal(parse_code(literal))
    assert parse_code(code).rules == parse_code(literal).rules
    answer = fairdeal("code", "from", "-", "--json", stdin=fairdeal("deal", code, "--json").out)
    assert answer.json()["code"] == literal


def test_a_lay_out_that_is_none(fairdeal: Terminal) -> None:
    """The line and what was expected there; status 2."""
    laid_out = str(LaidOut(parse_code("GO1-E-AAAAAAB"), deal(parse_code("GO1-E-AAAAAAB"))))
    answer = fairdeal("code from -", stdin=laid_out.replace("AC", "6C"))
    assert answer == (
        2,
        "",
        "fairdeal: line 2 and line 9: expected the pack of E: AC missing, found 6C twice (line 2 and line 9)\n",
    )
