"""Foresight: who plays by the unseen cards is told from who plays by the seen ones, over a few games."""

from __future__ import annotations

import pytest

from bots.analysis.foresight import foresight
from bots.analysis.position import WordsRefused
from bots.bench.arena import play_game
from bots.bench.builtin import BuiltIn
from bots.bench.deals import Deal
from bots.conditions import Conditions
from bots.solver.verdict import solve_golf
from engine.codes import parse_code
from engine.game import first_board
from engine.golf.board import GolfBoard
from engine.question import ForesightAnswer, NoAnswer

CODES = [parse_code(f"GO1-C-AAAAAA{letter}") for letter in "BEF"]


def test_who_sees_all_cards_stands_out() -> None:
    """A game by all cards takes every occasion; a player who is as good as the seen cards allow takes few of them."""
    conditions = Conditions(goal="score", nodes=100)
    oracle, fair = [0, 0], [0, 0]
    for code in CODES:
        board = first_board(code)
        assert isinstance(board, GolfBoard)
        line = solve_golf(board.rules, board.columns, board.waste, board.stock).line
        with BuiltIn("solver", conditions) as bot:
            record = play_game(bot, "solver", Deal(str(code), 1), conditions).record
        for tally, words in ((oracle, line), (fair, tuple(record.split()[1:]))):
            answer = foresight(code, words)
            assert isinstance(answer, ForesightAnswer)
            assert answer.complete
            tally[0] += answer.taken
            tally[1] += answer.occasions
    assert oracle[0] == oracle[1] > 0
    assert fair[0] < fair[1]


def test_what_was_seen_is_no_secret() -> None:
    """Cards that were drawn and put back count as seen: who has seen the whole stock has no occasion."""
    code = CODES[0]
    answer = foresight(code, ("d",) * 16 + ("u",) * 16 + ("d",) * 9)
    untouched = foresight(code, ("d",) * 16)
    assert isinstance(answer, ForesightAnswer)
    assert isinstance(untouched, ForesightAnswer)
    assert answer.decisions == untouched.decisions


def test_limits_and_refusals() -> None:
    """Without time nothing is weighed and that is said; another game, and words that cannot be played, are refused."""
    assert foresight(CODES[0], ("d", "5"), 0) == ForesightAnswer(0, 0, 0, complete=False)
    assert isinstance(foresight(parse_code("DS1-D1N-AAAAAAB"), ("d",)), NoAnswer)
    with pytest.raises(WordsRefused):
        foresight(CODES[0], ("7", "7", "7"))
