"""What the page shows before the server has answered, held against what the engine then answers, over random games."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import playwright
import pytest

from engine.codes import parse_code
from engine.solo import UNDO, Played, deal_out

NODE = Path(playwright.__file__).parent / "driver" / "node"
"""What drives the browser in the other journeys: it runs a module of the page that needs no browser."""
SHOW = Path(__file__).parents[2] / "server" / "web" / "store" / "show.js"
ASK = f"""
import {{ show }} from "{SHOW.as_uri()}";
let text = "";
for await (const part of process.stdin) text += part;
const asked = JSON.parse(text);
console.log(JSON.stringify(asked.map(({{ board, words, past, draws }}) => show(board, words, past, draws))));
"""
UNKNOWN = "--"
LENGTH = 90
"""Operations of each game: fewer than an undo reaches back."""
AHEAD = 4
"""So many words are on their way at once."""
UNDO_EVERY = 7

Shown = dict[str, Any]
CODES = ("GO1-E-AAAAAAB", "GO1-SJ2X-AAAAAAC", "DS1-D1NO-AAAAAAL", "DS1-D3NO-AAAAAAL", "DS1-D3VO-AAAAAAD")


def random_game(code: str, seed: int) -> tuple[list[Shown], list[str]]:
    """Play legal words and undos at random: the position before each word and after the last, and the words."""
    chance, solo = Random(seed), deal_out(parse_code(code))
    positions, words = [dict(solo.position())], list[str]()
    while len(words) < LENGTH and positions[-1]["legal"]:
        undoes = solo.undoable > 0 and chance.randrange(UNDO_EVERY) == 0
        word = UNDO if undoes else chance.choice(positions[-1]["legal"])
        answer = solo.play(word)
        assert isinstance(answer, Played)
        solo = answer.solo
        words.append(word)
        positions.append(dict(solo.position()))
    return positions, words


def pasts(positions: list[Shown], words: list[str]) -> Iterator[list[Shown]]:
    """The boards that an undo could bring back, before each word."""
    past: list[Shown] = []
    for position, word in zip(positions, words, strict=False):
        yield past
        past = past[:-1] if word == UNDO else [*past, position]


def shown(asked: list[Shown]) -> list[Shown]:
    """Ask the page's own module what it shows."""
    node = subprocess.run(
        [NODE, "--input-type=module", "--eval", ASK],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    answered: list[Shown] = json.loads(node.stdout)
    return answered


def agrees(seen: Shown, real: Shown) -> bool:
    """Whether every card shown is where it really lies, and only what only the server knows is face down."""
    piles = [*zip(seen["columns"], real["columns"], strict=True), (seen["waste"], real["waste"])]
    return (
        all(len(shown) == len(there) for shown, there in piles)
        and all(card in (really, UNKNOWN) for shown, there in piles for card, really in zip(shown, there, strict=True))
        and all(seen.get(key) == real.get(key) for key in ("stock", "foundations", "undoable"))
    )


@pytest.mark.parametrize("code", CODES)
def test_what_is_shown_at_once_is_what_the_server_answers(code: str) -> None:
    """Each legal word, and several in a row, put the cards where the engine puts them."""
    draws = 3 if "D3" in code else 1
    asked, expected = list[Shown](), list[list[Shown]]()
    for seed in range(2):
        positions, words = random_game(code, seed)
        for at, past in enumerate(pasts(positions, words)):
            for ahead in (1, AHEAD):
                asked.append(
                    {"board": positions[at], "words": words[at : at + ahead], "past": past[-3:], "draws": draws}
                )
                expected.append(positions[at + 1 : at + 1 + ahead])
    for seen, (first, *later), what in zip(shown(asked), expected, asked, strict=True):
        complete = [real for real in (first, *later) if agrees(seen, real)]
        assert complete, (what["words"], seen, first)
        if not later:
            assert seen["moves"] == what["board"]["moves"], "numbers are the server's"


REFUSED = ("3", "c1r1", "8", "u", "zz", "", "t1-t2", "w-f")


@pytest.mark.parametrize("code", ["GO1-C-AAAAAAB", "DS1-D1NO-AAAAAAL"])
def test_what_the_server_will_refuse_changes_nothing(code: str) -> None:
    """A word that is not legal shows nothing, and what is played after it is shown as if it had not been said."""
    board = dict(deal_out(parse_code(code)).position())
    refused = [word for word in REFUSED if word not in board["legal"]]
    asked = [[word] for word in refused] + [[word, "d"] for word in refused] + [["d"]]
    *answers, drawn = shown([{"board": board, "words": words, "past": [], "draws": 1} for words in asked])
    assert answers == [board] * len(refused) + [drawn] * len(refused)
    assert drawn["stock"] == board["stock"] - 1
