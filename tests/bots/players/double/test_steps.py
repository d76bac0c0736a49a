"""What the steady player considers: every step is legal in the engine and leads where it says."""

import pytest

from bots.players.double.position import place_for, position_of, safe, stops
from bots.players.double.sight import look
from bots.players.double.steps import Steps
from engine.cards import parse_card
from engine.double.board import DoubleBoard
from engine.solo import Played, Solo
from tests.bots.players.double.test_players import dealt, play, player

CODES = ["DS1-D1NO-AAAAAAH", "DS1-D3NO-AAAAAAI", "DS1-D3VO-AAAAAAJ"]


def positions(code: str, every: int) -> list[Solo]:
    """Return some positions of the steady player's game."""
    solo, found = dealt(code), []
    _, words = play(player("steady", code), solo)
    for turn, word in enumerate(words):
        if turn % every == 0:
            found.append(solo)
        after = solo.play(word)
        assert isinstance(after, Played)
        solo = after.solo
    return found


@pytest.mark.parametrize("code", CODES)
def test_steps_agree_with_the_engine(code: str) -> None:
    """The words of each step are accepted, and leave the columns, foundations, waste and stock that it foretells."""
    for solo in positions(code, 12):
        sight = look(solo.position())
        recycle = 0.0 if solo.board.rules.scoring == "N" else None  # type: ignore[union-attr]
        steps = Steps(sight.down, solo.board.rules.draw, recycle, narrow=False)  # type: ignore[union-attr]
        at = position_of(sight)
        considered = steps.of(at)
        for step in [*considered.on, *considered.ends]:
            after = solo
            for word in step.words:
                played = after.play(word)
                assert isinstance(played, Played), (step.words, played)
                after = played.solo
            board = after.board
            assert isinstance(board, DoubleBoard)
            assert board.foundations == step.after.foundations
            known = look(after.position())
            assert (*known.waste, *known.stock) == step.after.talon
            assert len(board.waste) == step.after.drawn
            for column, down, run in zip(board.columns, sight.down, step.after.columns, strict=True):
                assert column[down:] == run


@pytest.mark.parametrize("code", CODES)
def test_steps_leave_out_no_stock_card(code: str) -> None:
    """Each known stock card that draws and a recycle bring to the top, and that fits somewhere, ends some plan."""
    for solo in positions(code, 30):
        board = solo.board
        assert isinstance(board, DoubleBoard)
        sight = look(solo.position())
        recycling = board.rules.scoring == "N"
        at = position_of(sight)
        considered = Steps(sight.down, board.rules.draw, 0.0 if recycling else None, narrow=True).of(at)
        if not considered.ends and [step.cost for step in considered.on] == [0.0]:
            continue  # First a card goes up that is never missed.
        played = {step.words[-1] for step in considered.ends}
        for stop in stops(at, board.rules.draw, recycling):
            reached = solo
            for word in stop.words:
                after = reached.play(word)
                assert isinstance(after, Played)
                reached = after.solo
            for word in reached.board.legal():
                # Of equal empty columns the first is enough.
                if word.startswith("w-") and (word == "w-f" or board.columns[int(word[-1]) - 1]):
                    assert word in played


@pytest.mark.parametrize(
    ("card", "foundations", "expected"),
    [
        ("AS", (0, 0, 0, 0, 0, 0, 0, 0), True),
        ("2S", (1, 0, 0, 0, 0, 0, 0, 0), False),
        ("2S", (1, 0, 1, 1, 1, 1, 0, 0), True),
        ("5H", (0, 0, 4, 3, 3, 3, 0, 0), False),
        ("5H", (4, 4, 4, 3, 3, 3, 4, 4), True),
        ("5H", (4, 4, 4, 2, 3, 3, 4, 4), False),
        ("5H", (4, 4, 4, 3, 3, 3, 4, 3), False),
    ],
    ids=[
        "an ace",
        "red aces in play",
        "red aces up",
        "blacks in play",
        "all lower up",
        "a red three in play",
        "one 4C",
    ],
)
def test_safe(card: str, foundations: tuple[int, ...], expected: bool) -> None:
    """A card is never missed once nothing that could ever lie on it is in play, in all its copies."""
    assert safe(parse_card(card), foundations) is expected


def test_place_for_is_the_engine_s() -> None:
    """Of two places that take a card the first gets it."""
    assert place_for(parse_card("AH"), (0,) * 8) == 2
    assert place_for(parse_card("AH"), (0, 0, 1, 0, 0, 0, 0, 0)) == 3
    assert place_for(parse_card("2H"), (0,) * 8) is None
