"""Where taps lead: to the foundation, by two to the tableau, never from a foundation."""

import pytest

from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.double.taps import taps
from engine.refusals import Reason
from engine.solo import deal_out
from tests.engine.double.boards import board
from tests.engine.double.steady import steady_game

CASES = [
    ("a column's last card goes up", board("2S", up="S 1 0"), {"t1": "t1-f"}, {}),
    ("the waste's top goes up", board("", "2S", up="S 0 1"), {"waste": "w-f", "stock": "r"}, {}),
    ("one tap before two", board("2S / 3H", up="S 1 0"), {"t1": "t1-f"}, {}),
    ("two for a place on the tableau", board("7H / 8S"), {}, {"t1": "t1-t2"}),
    ("from the waste too", board("8S", "7H", "2C"), {"stock": "d"}, {"waste": "w-t1"}),
    ("the longest column first", board("7H / 8S / 9H 8S / 8C"), {}, {"t1": "t1-t3"}),
    ("face-down cards count", board("7H / 10S 9D 8S / [AC AC AC] 8S"), {}, {"t1": "t1-t3"}),
    ("the leftmost of equals", board("7H / [2C] 8S / [2C] 8C"), {}, {"t1": "t1-t2"}),
    ("a king to the leftmost empty column", board("[2C] KH / QC / /"), {}, {"t1": "t1-t3", "t2": "t2-t1"}),
    ("the waste's king likewise", board("2C / / 3C /", "KH", "2D"), {"stock": "d"}, {"waste": "w-t2"}),
    ("only the last card of a run", board("8S 7H / 9D"), {}, {}),
    ("nothing from a foundation", board("3H", up="S 2 0"), {}, {}),
    ("a tap draws", board("2C", "3C", "4C"), {"stock": "d"}, {}),
    ("a tap recycles once the stock is gone", board("2C", "3C"), {"stock": "r"}, {}),
    ("not in Vegas", board("2C", "3C", rules="D1V"), {}, {}),
    ("nor with nothing to recycle", board("2C"), {}, {}),
]  # fmt: skip


@pytest.mark.parametrize(("position", "once", "twice"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_where_taps_lead(position: DoubleBoard, once: dict[str, str], twice: dict[str, str]) -> None:
    """One tap: foundation, draw or recycle; two, where one does nothing: longest column, for a king an empty one."""
    assert taps(position, position.legal()) == {"taps": once, "double_taps": twice}


@pytest.mark.parametrize("text", ["DS1-D1N-AAAAAAF", "DS1-D3V-AAAAAAC"])
def test_taps_are_always_legal(text: str) -> None:
    """Wherever a game stands, what a tap leads to is a legal move of that very pile."""
    solo = deal_out(parse_code(text))
    for word in steady_game(parse_code(text))[1]:
        position = solo.position()
        for pile, led_to in (position["taps"] | position["double_taps"]).items():
            assert led_to in position["legal"]
            assert led_to.partition("-")[0] in (pile, {"stock": led_to, "waste": "w"}.get(pile))
        outcome = solo.play(word)
        assert not isinstance(outcome, Reason)
        solo = outcome.solo
