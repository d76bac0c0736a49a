"""Suites: those that come with the bench stay what they are; others are read or drawn."""

from pathlib import Path

import pytest

from bots.bench.draw import DRAWN, PROVED, best_score, drawn, proved
from bots.bench.faults import RunRefused
from bots.bench.suites import SUITES, suite

HASHES = {
    "double-d1n-200": ("1", "8872de1d754e"),
    "double-d3n-200": ("1", "10f18d36d188"),
    "double-d3v-200": ("1", "77545f838759"),
    "golf-classic-1000": ("1", "c5b7605b2324"),
    "golf-easy-1000": ("1", "2f89c1366d4b"),
    "golf-strict-1000": ("1", "13e83aff3333"),
    "double-d1n-winnable-500": ("1", "366d643b13cb"),
    "double-d3n-winnable-500": ("1", "b5dd6add54f0"),
    "golf-classic-unwinnable-500": ("1", "89b3cae1c5b4"),
    "golf-classic-winnable-500": ("1", "a8ef43ba91e1"),
    "golf-easy-unwinnable-500": ("1", "ca5cad1abdc3"),
    "golf-easy-winnable-500": ("1", "7aab2fd6ae27"),
    "golf-strict-unwinnable-500": ("1", "6652815db2dd"),
    "golf-strict-winnable-500": ("1", "74e09f5ec566"),
}


@pytest.mark.parametrize("name", DRAWN)
def test_a_suite_never_changes_under_its_version(name: str) -> None:
    """Its deals have the hash that this version has had since it was drawn, and the script draws them again."""
    found = suite(name)
    assert (found.version, found.hash) == HASHES[name]
    assert found.codes == drawn(name).codes
    assert len(found.codes) == DRAWN[name][1]


@pytest.mark.parametrize("name", PROVED)
def test_a_proved_suite_never_changes_and_holds_what_is_proved(name: str) -> None:
    """It has its hash too, begins as the script draws it, and the solvers prove of its deals what its name says."""
    found = suite(name)
    assert (found.version, found.hash) == HASHES[name]
    assert found.codes[:10] == drawn(name, 10).codes
    assert len(found.codes) == PROVED[name][1]
    assert {proved(code) for code in found.codes[::25]} == {PROVED[name][2]}


@pytest.mark.parametrize("name", [*DRAWN, *PROVED])
def test_best_scores_are_the_solvers(name: str) -> None:
    """Golf's are proved, as the exact solver finds them again; of Double Solitaire none is known."""
    found = suite(name)
    assert len(found.best) == len(found.codes)
    for code, best in list(zip(found.codes, found.best, strict=True))[::50]:
        assert best_score(code) == best


def test_every_suite_is_in_the_table() -> None:
    """No file stands beside the script that draws."""
    assert set(SUITES) == {*DRAWN, *PROVED}


def test_rules_of_a_game_share_their_numbers() -> None:
    """So the same cards can be compared under two rules."""
    easy, strict = suite("golf-easy-1000"), suite("golf-strict-1000")
    assert [code[-7:] for code in easy.codes] == [code[-7:] for code in strict.codes]


def test_ones_own_file_is_read_forgivingly(tmp_path: Path) -> None:
    """Comments, blank lines, any way to type a code, best scores where they are known."""
    file = tmp_path / "mine.txt"
    file.write_text("\ufeff# my deals\n# version 2.1\n\ngo1 e aaaaaab  350\nGO1-C-AAAAAAC\n")
    found = suite(str(file))
    assert (found.name, found.version) == ("mine.txt", "2.1")
    assert found.codes == ("GO1-E-AAAAAAB", "GO1-C-AAAAAAC")
    assert found.best == (350, None)
    assert suite(str(file), deals=1).codes == ("GO1-E-AAAAAAB",)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("GO1-E-AAAAAAB\nGO1-Q-AAAAAAB\n", "line 2: unknown rule"),
        ("GO1-E-AAAAAAB\ngo1eaaaaaab\n", "line 2: expected each deal once"),
        ("GO1-E-AAAAAAB\nDS1-D1N-AAAAAAB\n", "expected deals of one game in mine.txt, found DS and GO"),
        ("# nothing\n", "found none"),
    ],
)
def test_a_file_that_is_no_suite_is_refused(tmp_path: Path, text: str, says: str) -> None:
    """The message names the line."""
    file = tmp_path / "mine.txt"
    file.write_text(text)
    with pytest.raises(RunRefused, match=says):
        suite(str(file))


def test_deals_are_drawn_for_a_game_by_seed() -> None:
    """The same seed draws the same deals, more of them begin with the fewer."""
    few, many, others = suite("GO1-C", deals=3), suite("go1-c", deals=5), suite("GO1-C", deals=3, seed=1)
    assert few.codes == many.codes[:3]
    assert not set(few.codes) & set(others.codes)
    assert (few.name, few.version) == ("GO1-C", "drawn with seed 0")
    assert len(suite("GO1-C").codes) == 100
    assert suite("DS", deals=1).codes[0].startswith("DS1-D1NO-")


@pytest.mark.parametrize(
    ("text", "deals", "says"),
    [
        ("golf", None, "expected a suite .*, a file of codes or a game such as GO1-C, found 'golf'"),
        ("GO0-E", None, "version 1"),
        ("golf-easy-1000", 1001, "at most the 1000 deals"),
    ],
)
def test_what_is_no_suite_is_refused(text: str, deals: int | None, says: str) -> None:
    """The message says what could be named."""
    with pytest.raises(RunRefused, match=says):
        suite(text, deals=deals)
