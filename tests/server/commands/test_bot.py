"""`fairdeal bot check`: what a bot of one's own does wrong."""

import shutil
import sys
from pathlib import Path

import playwright
import pytest

from tests.bots.external.programs import command
from tests.server.commands.terminal import Terminal

EXAMPLES = Path(__file__).parents[3] / "bots" / "examples"
# Playwright brings the Node that its driver runs on, where the machine has none.
NODE = shutil.which("node") or str(Path(playwright.__file__).parent / "driver" / "node")


@pytest.mark.parametrize(
    "words",
    [[sys.executable, str(EXAMPLES / "first_card.py")], [NODE, str(EXAMPLES / "one_ahead.mjs")]],
    ids=["Python", "JavaScript"],
)
def test_nothing_is_wrong_with_the_examples(words: list[str], fairdeal: Terminal) -> None:
    """Both games under several rules, games that end early, messages of later versions, and leaving."""
    answer = fairdeal("bot", "check", "--", *words)
    assert answer.status == 0
    assert answer.out.endswith("Nothing is wrong with it.\n")
    lines = answer.out.splitlines()
    assert len(lines) == 16
    assert all(line.startswith("ok     ") for line in lines[:-1])


@pytest.mark.parametrize(
    ("way", "tried", "seen"),
    [
        ("plays chess", "hello", "expected one of GO, DS, found 'chess'"),
        ("illegal", "3 games of GO1-E", "illegal, expected one of "),
        ("dies between games", "a game that ends early", "found that it had to be started anew"),
        ("stays", "its input closes", "expected it to leave within 2 s, found it still there"),
    ],
)
def test_what_is_wrong_is_said(way: str, tried: str, seen: str, fairdeal: Terminal) -> None:
    """Each finding says what was tried, what was expected and what was found; the status is 1."""
    answer = fairdeal("bot", "check", "--json", "--", *command(way))
    assert answer.status == 1
    report = answer.json()
    assert not report["ok"]
    finding = next(one for one in report["findings"] if one["tried"] == tried)
    assert not finding["ok"]
    assert seen in finding["seen"]


def test_wrong_use(fairdeal: Terminal) -> None:
    """A race is named by its id, and a bot must be there."""
    assert fairdeal("bot", "run", "--race", "x", "--", "./bot").err.startswith("fairdeal: expected a race's id")
    missing = fairdeal("bot", "run", "--race", "a" * 26, "--", "./no-such-bot")
    assert (missing.status, missing.out) == (1, "")
    assert missing.err.startswith("fairdeal: expected a program, found ./no-such-bot: No such file")
    assert "Missing argument" in fairdeal("bot check").err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("", "expected one of --race RACE, --queue and --challenges"),
        (f"--race {'a' * 26} --queue", "expected one of --race RACE, --queue and --challenges"),
        ("--queue --challenges", "expected one of --race RACE, --queue and --challenges"),
        ("--queue --game XX1", "unknown game"),
        ("--queue --game GO1-E --goal fame", "'fame' is not one of"),
        ("--queue --races 0", "0 is not in the range"),
        ("--queue --pace sometimes", "expected one of slow"),
    ],
)
def test_wrong_use_of_the_queue(words: str, sentence: str, fairdeal: Terminal) -> None:
    """A bot plays one race or waits for quick ones, of a game and goal that there are."""
    answer = fairdeal("bot", "run", *words.split(), "--", "./bot")
    assert (answer.status, answer.out) == (2, "")
    assert sentence in answer.err
