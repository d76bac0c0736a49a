"""Golf's rule letters and options, one table each."""

import pytest

from engine.codes import parse_code
from engine.golf.board import GolfBoard
from engine.golf.moves import DRAW, REMOVALS
from engine.refusals import Reason, Status
from engine.solo import Played, deal_out
from tests.engine.golf.boards import board, game_on

RANKS = [*"A23456789", "10", *"JQK"]
NEIGHBOURS = {rank: {*RANKS[max(0, at - 1) : at], *RANKS[at + 1 : at + 2]} for at, rank in enumerate(RANKS)}
FITS = {
    "E": NEIGHBOURS | {"A": {"2", "K"}, "K": {"Q", "A"}},
    "C": NEIGHBOURS,
    "S": NEIGHBOURS | {"K": set()},
}


@pytest.mark.parametrize("onto", RANKS)
@pytest.mark.parametrize("letter", FITS)
def test_what_fits(letter: str, onto: str) -> None:
    """One rank away; E joins king and ace, C parts them, S lets nothing onto a king; suits do not matter."""
    for suit in "SHDC":
        fitting = {rank for rank in RANKS if board(f"{rank}{suit}", f"{onto}S", "2H", rules=letter).any_fits()}
        assert fitting == FITS[letter][onto]


JOKER_CASES = [
    ("a joker goes onto any card", "*1", "7S", True),
    ("any card goes onto a joker", "7S", "*2", True),
    ("a joker goes onto a joker", "*1", "*2", True),
    ("a joker goes onto a king", "*1", "KD", True),
    ("a joker goes onto an ace", "*2", "AD", True),
    ("a king goes onto a joker", "KD", "*1", True),
    ("two naturals stay as they are", "KD", "KS", False),
]


@pytest.mark.parametrize("letter", "ECS")
@pytest.mark.parametrize(
    ("card", "onto", "fits"), [case[1:] for case in JOKER_CASES], ids=[case[0] for case in JOKER_CASES]
)
def test_jokers_stand_for_any_card(letter: str, card: str, onto: str, fits: bool) -> None:
    """Under every letter, also onto a king under Strict."""
    assert fits == board(card, onto, "2H", rules=f"{letter}J2").any_fits()


def test_a_joker_scores_and_costs_like_any_card() -> None:
    """+10 when removed, −10 when left."""
    assert board("*1 / 2C", "7S", "KD", rules="EJ1").after(REMOVALS[0]).score == 10
    left = board("2C *1 / 2S", "7S", "9H", rules="EJ1", score=50)
    assert left.settled_score == 20


@pytest.mark.parametrize(
    ("free", "waste", "allowed"),
    [
        ("9H", "8S", False),
        ("9H", "5S", True),
        ("QD", "KS", True),
        ("*1", "KS", False),
        ("9H", "*1", False),
        ("", "8S", True),
    ],
    ids=["a card fits", "none fits", "a queen and a king", "a joker fits", "a joker waits", "no card in reach"],
)
def test_strict_draws_only_when_nothing_fits(free: str, waste: str, allowed: bool) -> None:
    """While a free card fits, a joker too, the draw is refused; E and C draw at any time."""
    columns = f"{free} / 3C 2D" if free else "3C 2D"
    for letter in "ECS":
        position = board(columns, waste, "4D", rules=f"{letter}J1")
        refused = letter == "S" and not allowed
        assert (Reason.DRAW_NOT_ALLOWED if refused else None) is position.refusal(DRAW)
        assert ("d" in position.legal()) is not refused


@pytest.mark.parametrize("letter", "ECS")
def test_an_empty_waste_takes_any_card_or_a_draw(letter: str) -> None:
    """Under X every free card fits at first and a draw is allowed, Strict too; the chosen card scores +10."""
    start = deal_out(parse_code(f"GO1-{letter}X-AAAAAAB"))
    assert start.board.legal() == ["1", "2", "3", "4", "5", "6", "7", "d"]
    assert start.position()["stock"] == 17
    chosen = start.play("3")
    assert isinstance(chosen, Played)
    assert chosen.solo.position()["waste"] == ["JS"]
    assert chosen.solo.board.score == 10
    drawn = start.play("d")
    assert isinstance(drawn, Played)
    assert drawn.solo.position()["waste"] == ["AC"]


def test_a_joker_that_starts_the_waste_accepts_any_card() -> None:
    """Every free card is legal; under Strict that forbids the draw."""
    columns = "2C / 5D / 9H / KS / *2 / JC / AD"
    assert board(columns, "*1", "3S", rules="EJ2").legal() == ["1", "2", "3", "4", "5", "6", "7", "d"]
    assert board(columns, "*1", "3S", rules="SJ2").legal() == ["1", "2", "3", "4", "5", "6", "7"]


ENDINGS = [
    ("the last card is a win, whatever is in the stock", board("9H", "8S", "KD 3C", score=340), "1", "won", 350),
    ("with an empty stock too", board("9H", "8S", "", score=340), "1", "won", 350),
    ("the last draw finds nothing", board("9H / 2C", "8S", "5C", score=330), "d", "stuck", 310),
    ("the last draw finds a card", board("9H / 2C", "8S", "10C", score=330), "d", "playing", 330),
    ("the last draw finds a joker", board("9H / *1", "8S", "5C", rules="EJ1", score=330), "d", "playing", 330),
    ("an earlier draw finds nothing", board("9H / 2C", "8S", "5C 6C", score=330), "d", "playing", 330),
    ("a removal with nothing after it", board("2C 9H / 2D", "8S", "", score=300), "1", "stuck", 290),
    ("a removal with a card after it", board("10C 9H / 2D", "8S", "", score=300), "1", "playing", 310),
    ("Strict: a king ends it", board("QC KH / 2D", "QS", "", rules="S", score=300), "1", "stuck", 290),
    ("Classic: a queen goes on", board("QC KH / 2D", "QS", "", rules="C", score=300), "1", "playing", 310),
    ("Easy: an ace goes on", board("AC KH / 2D", "QS", "", score=300), "1", "playing", 310),
    ("never below 0", board("9H 9S 9C / 2C", "8S", "5C", score=30), "d", "stuck", 0),
]


@pytest.mark.parametrize(
    ("before", "word", "status", "score"), [case[1:] for case in ENDINGS], ids=[case[0] for case in ENDINGS]
)
def test_endings(before: GolfBoard, word: str, status: str, score: int) -> None:
    """Won as soon as the tableau is empty, stuck when stock and fits are gone, checked after each move, win first."""
    outcome = game_on(before).play(word)
    assert isinstance(outcome, Played)
    after = outcome.solo.board
    assert (status, score) == (after.status, after.score)
    assert after.settled_score == (score if status != "playing" else max(0, score - 10 * after.left))


def test_a_deal_is_never_stuck() -> None:
    """Endings come from moves only: a position without moves that was dealt is still played."""
    dealt = board("9H / 2C", "8C", "")
    assert (dealt.status, dealt.legal()) == (Status.PLAYING, [("1")])
    hopeless = board("2H / 2C", "8C", "")
    assert (hopeless.status, hopeless.legal()) == (Status.PLAYING, [])


def test_the_board_prints_itself() -> None:
    """Columns, then the waste's top card, the stock's size, score and status; empty piles are empty."""
    printed = "1: 5S 9H\n2: 2C\n3:\n4:\n5:\n6:\n7:\nwaste: empty  stock: 2  score: 0  playing"
    assert printed == str(board("5S 9H / 2C", "", "KD 3C"))
