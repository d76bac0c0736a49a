"""What the page makes of a replayed game by itself: whether a position of it could still be won."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from tests.journeys.test_page_show import NODE

MOMENTS = Path(__file__).parents[2] / "server" / "web" / "store" / "moments.js"
ASK = f"""
import {{ winnableAt }} from "{MOMENTS.as_uri()}";
const [known, words] = JSON.parse(process.argv[1]);
const told = Array.from({{ length: words.length + 1 }}, (_, n) => winnableAt(known, words, n));
console.log(told.map((winnable) => ({{ true: "w", false: "l" }})[winnable] ?? "?").join(""));
"""


@pytest.mark.parametrize(
    ("until", "lost_from", "words", "told"),
    [
        (2, 3, "d d d d", "wwwll"),
        (1, 4, "d d d d d", "ww??ll"),
        (None, None, "d d", "???"),
        (0, None, "d d", "w??"),
        (None, 0, "d u d", "llll"),
        (4, 5, "d d u d d", "ww?wwl"),
        (0, 3, "d u d d u d", "w?wllll"),
        (1, 2, "d d d u d", "wwllll"),
    ],
    ids=[
        "lost at a move",
        "lost between two",
        "nothing is known",
        "the deal alone",
        "never to be won",
        "what was taken back may have been lost",
        "and is not what was proved",
        "what is lost stays so, taken back or not",
    ],
)
def test_a_position_of_double_solitaire_is_as_good_as_is_proved(
    until: int | None, lost_from: int | None, words: str, told: str
) -> None:
    """Each operation's position is winnable, lost or unknown by what is proved of the line that was kept."""
    asked = json.dumps([{"winnable_until": until, "lost_from": lost_from}, words.split()])
    node = subprocess.run(
        [NODE, "--input-type=module", "--eval", ASK, asked], capture_output=True, text=True, check=True
    )
    assert node.stdout.strip() == told
