"""Double Solitaire's refusals: every reason, and which answers first."""

import pytest

from engine.double.moves import MOVES, parse_move
from engine.refusals import Reason
from engine.solo import Played, Solo
from tests.engine.double.boards import board, game_on

OPENING = game_on(board("[KD] 9H 8S / [2C 3C] 7D / 7H / KS QD / 9S / / 10H", "8C", "2D 3D", up="S 1 0 H 2 2"))
EMPTIED = game_on(board("[KD] 9H", "", "", up="S 1 0"))
WASTED = game_on(board("9H", "8C"))
VEGAS = game_on(board("9H", "8C", rules="D1V"))


def won() -> Solo:
    """A game just won."""
    last = game_on(board("KC", up="S 13 13 H 13 13 D 13 13 C 13 12")).play("t1-f")
    assert isinstance(last, Played)
    return last.solo


CASES = [
    ("no word of the notation", OPENING, "8", Reason.BAD_MOVE),
    ("nothing at all", OPENING, "", Reason.BAD_MOVE),
    ("a move of the other game", OPENING, "c1r1", Reason.BAD_MOVE),
    ("case matters", OPENING, "D", Reason.BAD_MOVE),
    ("a suit in lower case", OPENING, "fs-t1", Reason.BAD_MOVE),
    ("a column past the last", OPENING, "t10-f", Reason.BAD_MOVE),
    ("a column before the first", OPENING, "t0-t1", Reason.BAD_MOVE),
    ("a third place of a suit", OPENING, "fS3-t1", Reason.BAD_MOVE),
    ("a suit that is none", OPENING, "fX-t1", Reason.BAD_MOVE),
    ("from foundation to foundation", OPENING, "fS-f", Reason.BAD_MOVE),
    ("a named foundation as target", OPENING, "t1-fS", Reason.BAD_MOVE),
    ("onto the waste", OPENING, "t1-w", Reason.BAD_MOVE),
    ("a run of no card", OPENING, "t1-t2x0", Reason.BAD_MOVE),
    ("a number that starts with nought", OPENING, "t1-t2x02", Reason.BAD_MOVE),
    ("a run of more cards than are written with three digits", OPENING, "t1-t2x1000", Reason.BAD_MOVE),
    ("a run onto a foundation", OPENING, "t1-fx2", Reason.BAD_MOVE),
    ("a digit of another script", OPENING, "t١-f", Reason.BAD_MOVE),
    ("undo at the start", OPENING, "u", Reason.NOTHING_TO_UNDO),
    ("a face-down card in the run", OPENING, "t1-t3x3", Reason.FACE_DOWN),
    ("a face-down card, though the run would fit nowhere", OPENING, "t2-t6x2", Reason.FACE_DOWN),
    ("a face-down card onto its own column", OPENING, "t2-t2x3", Reason.FACE_DOWN),
    ("face-down cards and more than there are", OPENING, "t2-t1x9", Reason.FACE_DOWN),
    ("face-down cards and more than a run can have", OPENING, "t2-t1x21", Reason.FACE_DOWN),
    ("an empty column", OPENING, "t6-t1", Reason.PILE_EMPTY),
    ("an empty column onto itself", OPENING, "t6-t6", Reason.PILE_EMPTY),
    ("an empty column onto a foundation", OPENING, "t6-f", Reason.PILE_EMPTY),
    ("more cards than the column has", OPENING, "t4-t6x3", Reason.PILE_EMPTY),
    ("many more cards than the column has", OPENING, "t4-t6x104", Reason.PILE_EMPTY),
    ("the waste when empty", EMPTIED, "w-t1", Reason.WASTE_EMPTY),
    ("the waste when empty onto a foundation", EMPTIED, "w-f", Reason.WASTE_EMPTY),
    ("an empty place of a suit", EMPTIED, "fS2-t1", Reason.PILE_EMPTY),
    ("an empty row", EMPTIED, "fC-t2", Reason.PILE_EMPTY),
    ("a card onto its own column", OPENING, "t1-t1", Reason.SAME_PILE),
    ("a run onto its own column", OPENING, "t4-t4x2", Reason.SAME_PILE),
    ("a card of the same colour", OPENING, "t2-t7", Reason.WRONG_COLOR),
    ("colour before rank", OPENING, "t5-t1", Reason.WRONG_COLOR),
    ("colour before rank, from the waste", OPENING, "w-t5", Reason.WRONG_COLOR),
    ("the waste's card onto the same rank", OPENING, "w-t2", Reason.WRONG_RANK),
    ("the waste's card two ranks apart", OPENING, "w-t7", Reason.WRONG_RANK),
    ("a card onto the rank below", OPENING, "t1-t2", Reason.WRONG_RANK),
    ("only the first card of a run must fit, and must", OPENING, "t1-t5x2", Reason.WRONG_RANK),
    ("a card taken back where it does not fit", OPENING, "fH-t5", Reason.WRONG_RANK),
    ("a card taken back onto its own colour", OPENING, "fH2-t3", Reason.WRONG_COLOR),
    ("a queen onto an empty column", OPENING, "t4-t6", Reason.NOT_A_KING),
    ("a card that would uncover another", OPENING, "t2-t6", Reason.NOT_A_KING),
    ("the waste's card onto an empty column", OPENING, "w-t6", Reason.NOT_A_KING),
    ("a card taken back onto an empty column", OPENING, "fS-t6", Reason.NOT_A_KING),
    ("a run whose first card is no king", OPENING, "t1-t6x2", Reason.NOT_A_KING),
    ("a card that its foundation does not take yet", OPENING, "t1-f", Reason.NOT_ON_FOUNDATION),
    ("the waste's card likewise", OPENING, "w-f", Reason.NOT_ON_FOUNDATION),
    ("a draw from an empty stock", EMPTIED, "d", Reason.STOCK_EMPTY),
    ("a draw where a recycle is possible", WASTED, "d", Reason.STOCK_EMPTY),
    ("a draw in Vegas once the stock is gone", VEGAS, "d", Reason.STOCK_EMPTY),
    ("a recycle while cards are in the stock", OPENING, "r", Reason.STOCK_NOT_EMPTY),
    ("a recycle of nothing", EMPTIED, "r", Reason.WASTE_EMPTY),
    ("a recycle in Vegas", VEGAS, "r", Reason.NO_RECYCLING),
    ("a recycle in Vegas with cards in the stock", game_on(board("9H", "8C", "2D", rules="D3V")), "r",
     Reason.NO_RECYCLING),
    ("a recycle of nothing in Vegas", game_on(board("9H", rules="D3VO")), "r", Reason.NO_RECYCLING),
    ("nonsense after a win", won(), "zz", Reason.BAD_MOVE),
    ("a draw after a win", won(), "d", Reason.GAME_OVER),
    ("a recycle after a win", won(), "r", Reason.GAME_OVER),
    ("an empty column after a win", won(), "t1-t2", Reason.GAME_OVER),
    ("taking back after a win, though it would fit", won(), "fC-t1", Reason.GAME_OVER),
]  # fmt: skip


@pytest.mark.parametrize(("game", "word", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_first_reason_that_applies_answers(game: Solo, word: str, reason: Reason) -> None:
    """bad_move; undo; face_down; game_over; scoring, stock, waste; too few cards, own pile; empty, colour, rank."""
    assert game.play(word) is reason


def test_undo_answers_before_the_game_is_over() -> None:
    """After a win undo is still played, and with nothing to undo says so."""
    assert isinstance(won().play("u"), Played)
    assert Solo(won().game, won().board).play("u") is Reason.NOTHING_TO_UNDO


def test_every_word_of_the_notation_has_an_answer() -> None:
    """Each canonical word is its move's text, and is played or refused for a reason of Double Solitaire."""
    assert len(MOVES) == 3 + 9 + 9 + 8 * 9 + 9 * 9 * 13
    reasons = set()
    for word, move in MOVES.items():
        assert word == str(move)
        outcome = OPENING.play(word)
        reasons.add("played" if isinstance(outcome, Played) else outcome.value)
    expected = "played face_down pile_empty same_pile wrong_color wrong_rank not_a_king not_on_foundation"
    assert reasons == {*expected.split(), "stock_not_empty"}


@pytest.mark.parametrize(
    ("word", "canonical"),
    [("t3-t5x1", "t3-t5"), ("fS1-t4", "fS-t4"), ("fC2-t9", "fC2-t9"), ("t1-t2x13", "t1-t2x13"), ("t1-t2x104", None)],
)
def test_spellings(word: str, canonical: str | None) -> None:
    """`x1` is read as no `x`, `fS1` as `fS`; longer runs than can be are words too."""
    assert (canonical or word) == str(parse_move(word))
