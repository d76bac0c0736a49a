"""Double Solitaire against a second implementation: counts of sequences, and whole games word by word."""

import pytest
from hypothesis import given, settings

from engine.cards import texts
from engine.codes import Code, deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.moves import MOVES, parse_move
from engine.double.rules import DoubleRules
from engine.game import first_board
from engine.refusals import Reason
from engine.solo import deal_out
from tests.engine.double.plain import WORDS, PlainDouble
from tests.engine.double.steady import steady_game
from tests.engine.strategies import double_played

VARIANTS = ["D1N", "D1V", "D3N", "D3V"]


def plain(code: Code) -> PlainDouble:
    dealt, rules = deal(code), code.rules
    assert isinstance(rules, DoubleRules)
    return PlainDouble(
        rules.draw, rules.scoring, rules.once, [texts(column) for column in dealt.columns], texts(dealt.stock)
    )


def perft(board: DoubleBoard, depth: int) -> list[int]:
    counts = [0] * depth
    for word in board.legal() if depth else []:
        counts[0] += 1
        for at, count in enumerate(perft(board.after(MOVES[word]), depth - 1), 1):
            counts[at] += count
    return counts


def double_board(code: Code) -> DoubleBoard:
    board = first_board(code)
    assert isinstance(board, DoubleBoard)
    return board


COUNTS = {
    "AAAAAAA": ([5, 25, 127, 665], [5, 25, 128, 680]),
    "AAAAAAB": ([3, 8, 21, 55], [3, 9, 24, 55]),
    "AAAAAAC": ([2, 3, 4, 5], [2, 3, 4, 5]),
    "AAAAAAD": ([2, 3, 4, 5], [2, 3, 5, 12]),
    "AAAAAAE": ([5, 22, 88, 324], [5, 21, 76, 248]),
    "AAAAAAF": ([4, 13, 37, 106], [4, 15, 61, 266]),
    "AAAAAAG": ([5, 26, 134, 680], [5, 26, 133, 657]),
    "AAAAAAH": ([2, 3, 5, 11], [2, 3, 5, 7]),
    "AAAAAAI": ([5, 25, 133, 754], [5, 26, 147, 885]),
    "AAAAAAJ": ([6, 33, 163, 737], [6, 33, 164, 760]),
    "AAAAAAK": ([4, 15, 52, 177], [4, 14, 41, 107]),
    "AAAAAAL": ([4, 17, 77, 348], [4, 15, 57, 225]),
    "AAAAAAM": ([3, 8, 19, 39], [3, 8, 20, 50]),
    "AAAAAAN": ([4, 13, 36, 92], [4, 14, 47, 160]),
    "AAAAAAO": ([7, 45, 272, 1586], [7, 45, 273, 1609]),
    "AAAAAAP": ([5, 22, 88, 333], [5, 22, 87, 320]),
    "AAAAAAQ": ([4, 17, 75, 330], [4, 16, 64, 250]),
    "AAAAAAR": ([7, 42, 222, 1081], [7, 42, 223, 1107]),
    "AAAAAAS": ([2, 4, 8, 11], [2, 4, 10, 25]),
    "AAAAAAT": ([2, 4, 8, 18], [2, 6, 18, 53]),
}
"""Number → how many sequences of 1, 2, 3, 4 moves there are with D1, and with D3; the scoring changes none of them."""


@pytest.mark.parametrize(("number", "counts"), COUNTS.items(), ids=list(COUNTS))
def test_counts_of_sequences(number: str, counts: tuple[list[int], list[int]]) -> None:
    """How many sequences of 1 to 4 moves there are is known, and both implementations find it."""
    for rules in VARIANTS:
        code = parse_code(f"DS1-{rules}-{number}")
        expected = counts[rules.startswith("D3")]
        assert expected == perft(double_board(code), 4)
        if rules.endswith("N"):
            assert expected == plain(code).perft(4)


@pytest.mark.parametrize("rules", [*VARIANTS, "D1NO", "D3VO"])
@pytest.mark.parametrize(("moves", "depth"), [(50, 3), (100, 3), (150, 2), (200, 2)])
def test_counts_of_sequences_in_whole_games(rules: str, moves: int, depth: int) -> None:
    """Later there are foundations to take back from, runs, empty columns, recycles; the counts still agree."""
    code = parse_code(f"DS1-{rules}-AAAAAAF")
    board, other = double_board(code), plain(code)
    for word in steady_game(code)[1][:moves]:
        move = parse_move(word)
        assert move is not None
        board = board.after(move)
        assert other.play(word) is None
    assert other.perft(depth) == perft(board, depth)


@pytest.mark.parametrize("rules", VARIANTS)
def test_counts_of_sequences_round_the_end_of_the_stock(rules: str) -> None:
    """With the last cards drawn a recycle follows in Normal scoring and nothing in Vegas."""
    code = parse_code(f"DS1-{rules}-AAAAAAH")
    board, other = double_board(code), plain(code)
    while len(board.stock) > 3:
        board = board.after(MOVES["d"])
        other.play("d")
    assert other.perft(4) == perft(board, 4)


@settings(max_examples=25)
@given(double_played())
def test_games_agree_word_by_word(case: tuple[Code, list[str], object]) -> None:
    """Every word has the same answer, and every position is the same, in both implementations."""
    code, words, _ = case
    solo, other = deal_out(code), plain(code)
    for word in words:
        outcome = solo.play(word)
        assert other.play(word) == (outcome.value if isinstance(outcome, Reason) else None)
        solo = getattr(outcome, "solo", solo)
        position = solo.position()
        shown = [[card if face_up else "--" for card, face_up in column] for column in other.columns]
        assert shown == position["columns"]
        assert [column.count("--") for column in shown] == position["down"]
        assert [[card for card, _ in column] for column in other.columns] == solo.position(revealed=True)["columns"]
        assert other.waste == position["waste"]
        assert len(other.stock) == position["stock"]
        assert (other.score, other.status, other.moves) == (position["score"], position["status"], position["moves"])
        assert len(other.past) == position["undoable"]
        assert {suit: [*map(len, row)] for suit, row in other.foundations.items()} == position["foundations"]
        assert other.legal() == position["legal"]


@settings(max_examples=40)
@given(double_played())
def test_every_refusal_agrees_at_the_end(case: tuple[Code, list[str], object]) -> None:
    """Wherever a game stands, both implementations refuse the same words for the same reasons."""
    code, words, _ = case
    solo, other = deal_out(code), plain(code)
    for word in words:
        solo = getattr(solo.play(word), "solo", solo)
        other.play(word)
    for word in [*WORDS, "u", "8", "zz", "", "t9-t1x14", "t1-t9x104", "fS1-t1", "t1-t1x1"]:
        outcome = solo.play(word)
        assert other.refusal(word) == (outcome.value if isinstance(outcome, Reason) else None)
    assert other.legal() == [word for word in sorted(WORDS) if other.refusal(word) is None]
