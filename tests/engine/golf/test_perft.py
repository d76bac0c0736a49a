"""Golf against a second implementation: counts of sequences, and whole games word by word."""

import pytest
from hypothesis import given

from engine.cards import texts
from engine.codes import Code, deal, parse_code
from engine.game import first_board
from engine.golf.board import GolfBoard
from engine.golf.moves import MOVES
from engine.golf.rules import GolfRules
from engine.refusals import Reason
from engine.solo import deal_out
from tests.engine.golf.plain import PlainGolf
from tests.engine.strategies import played


def plain(code: Code) -> PlainGolf:
    dealt = deal(code)
    assert isinstance(code.rules, GolfRules)
    return PlainGolf(
        code.rules.letter, [texts(column) for column in dealt.columns], texts(dealt.waste), texts(dealt.stock)
    )


def perft(board: GolfBoard, depth: int) -> list[int]:
    if depth == 0:
        return []
    counts = [0] * depth
    for word in board.legal():
        counts[0] += 1
        for at, count in enumerate(perft(board.after(MOVES[word]), depth - 1), 1):
            counts[at] += count
    return counts


COUNTS = {
    "GO1-E-AAAAAAB": [1, 2, 6, 11, 24, 47, 96, 193],
    "GO1-C-AAAAAAB": [1, 2, 6, 11, 24, 47, 96, 192],
    "GO1-S-AAAAAAB": [1, 1, 3, 3, 7, 10, 16, 21],
    "GO1-EX-AAAAAAB": [8, 18, 31, 63, 140, 309, 661, 1416],
    "GO1-SX-AAAAAAB": [8, 12, 15, 24, 35, 63, 94, 159],
    "GO1-EJ1-AAAAAAA": [4, 6, 14, 27, 47, 92, 180, 379],
    "GO1-CJ2-AAAAAAC": [1, 1, 4, 8, 27, 75, 205, 555],
    "GO1-SJ2-AAAAAAD": [1, 1, 1, 2, 2, 2, 2, 2],
    "GO1-CJ1X-AAAAAAE": [8, 28, 101, 272, 610, 1382, 3242],
    "GO1-E-HAAAAAAAAAAAAAAAAAAAAAAAA7": [2, 6, 13, 34, 79, 164, 309, 555],
}


@pytest.mark.parametrize(("text", "counts"), COUNTS.items(), ids=list(COUNTS))
def test_counts_of_sequences(text: str, counts: list[int]) -> None:
    """How many sequences of 1, 2, … moves there are is known, and both implementations find it."""
    code = parse_code(text)
    board = first_board(code)
    assert counts == perft(board, len(counts))
    assert counts[:5] == plain(code).perft(5)


def drawn_out(text: str, draws: int) -> tuple[GolfBoard, PlainGolf]:
    """Draw most of the stock, so that endings come into reach."""
    code = parse_code(text)
    board, other = first_board(code), plain(code)
    for _ in range(draws):
        board = board.after(MOVES["d"])
        other.play("d")
    return board, other


@pytest.mark.parametrize("text", ["GO1-E-AAAAAAB", "GO1-C-AAAAAAC", "GO1-CJ2-AAAAAAD", "GO1-EX-AAAAAAE"])
def test_counts_of_sequences_near_the_end(text: str) -> None:
    """With two cards left in the stock sequences end stuck, and the counts still agree."""
    code = parse_code(text)
    board, other = drawn_out(text, len(deal(code).stock) - 2)
    assert other.perft(5) == perft(board, 5)


@given(played())
def test_games_agree_word_by_word(case: tuple[Code, list[str], object]) -> None:
    """Every word has the same answer, and every position is the same, in both implementations."""
    code, words, _ = case
    solo, other = deal_out(code), plain(code)
    for word in words:
        outcome = solo.play(word)
        reason = outcome.value if isinstance(outcome, Reason) else None
        assert other.play(word) == reason
        solo = getattr(outcome, "solo", solo)
        position = solo.position()
        assert other.columns == position["columns"]
        assert other.waste == position["waste"]
        assert len(other.stock) == position["stock"]
        assert (other.score, other.status, other.moves) == (position["score"], position["status"], position["moves"])
        assert len(other.past) == position["undoable"]
        assert (sorted(other.legal()) if other.status == "playing" else []) == position["legal"]


@given(played())
def test_every_refusal_agrees_at_the_end(case: tuple[Code, list[str], object]) -> None:
    """Wherever a game stands, both implementations refuse the same words for the same reasons."""
    code, words, _ = case
    solo, other = deal_out(code), plain(code)
    for word in words:
        solo = getattr(solo.play(word), "solo", solo)
        other.play(word)
    for word in [*MOVES, "u", "8", "zz", ""]:
        outcome = solo.play(word)
        assert other.refusal(word) == (outcome.value if isinstance(outcome, Reason) else None)
