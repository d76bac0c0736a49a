"""Thousands of games by chance: what holds after every move."""

from collections import Counter
from random import Random

import pytest

from engine.cards import Card, pack
from engine.codes import number_letters, parse_code
from engine.double.board import DoubleBoard
from engine.refusals import Reason
from engine.solo import Solo, deal_out

TWICE = Counter(pack(2))
VARIANTS = ["D1N", "D1NO", "D1V", "D1VO", "D3N", "D3NO", "D3V", "D3VO"]


def all_cards(board: DoubleBoard) -> Counter[Card]:
    cards = Counter(card for pile in (*board.columns, board.waste, board.stock) for card in pile)
    for at, height in enumerate(board.foundations):
        cards.update(Card(at // 2 * 13 + rank) for rank in range(height))
    return cards


def check(board: DoubleBoard) -> None:
    """Check that all is there and in order."""
    assert all_cards(board) == TWICE
    assert board.cleared + board.left == 104
    assert board.rules.scoring == "V" or board.score >= 0
    for column, down in zip(board.columns, board.down, strict=True):
        assert 0 <= down < max(1, len(column))
        for onto, card in zip(column[down:], column[down + 1 :], strict=False):
            assert onto % 13 == card % 13 + 1
            assert (onto // 13 in (1, 2)) is not (card // 13 in (1, 2))
    if board.rules.once:
        # Nothing comes back to the waste or face down again, so under this option every payment has an end.
        assert board.score <= (104 * 10 + 36 * 5 + 59 * 5 if board.rules.scoring == "N" else 416)


@pytest.mark.parametrize("rules", VARIANTS)
def test_games_by_chance(rules: str) -> None:
    """104 cards, each twice, columns in order, the floor kept; undone to its start each game is as it was dealt."""
    for seed in range(250):
        chance = Random(f"{rules} {seed}")
        start = deal_out(parse_code(f"DS1-{rules}-{number_letters(chance.randrange(2**35), 7)}"))
        solo = start
        for played in range(1, 121):
            word = chance.choice(solo.board.legal() or ["u"])
            outcome = solo.play(word)
            if isinstance(outcome, Reason):
                break
            solo = outcome.solo
            if played % 10 == 0:
                assert isinstance(solo.board, DoubleBoard)
                check(solo.board)
        assert undone(solo) == start.board


def undone(solo: Solo) -> object:
    """Take back all that can be."""
    while solo.undoable:
        outcome = solo.play("u")
        assert not isinstance(outcome, Reason)
        solo = outcome.solo
    return solo.board
