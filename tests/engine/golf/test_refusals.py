"""Golf's refusals: every reason, and which answers first."""

import pytest

from engine.golf.moves import MOVES
from engine.refusals import Reason
from engine.solo import Played, Solo
from tests.engine.golf.boards import board, game_on

OPENING = board("5S 9H / 2C", "8S", "KD 3C")
WON = board("9H", "8S", "KD")
STUCK = board("9H / 2C", "8C", "", score=20)
"""Stuck only once a move has led there: see `stuck`."""


def after(game: Solo, *words: str) -> Solo:
    for word in words:
        outcome = game.play(word)
        assert isinstance(outcome, Played), (word, outcome)
        game = outcome.solo
    return game


def won() -> Solo:
    return after(game_on(WON), "1")


def stuck() -> Solo:
    return after(game_on(board("9H / 2C", "8S", "5C", score=20)), "d")


def spent() -> Solo:
    """A game whose stock is empty while a card still fits."""
    return game_on(board("5S 9H / 2C", "8S", ""))


def strict() -> Solo:
    return game_on(board("5S 9H / 2C", "8S", "KD 3C", rules="S"))


CASES = [
    ("no word of the notation", game_on(OPENING), "8", Reason.BAD_MOVE),
    ("a column past the last", game_on(OPENING), "c8r1", Reason.BAD_MOVE),
    ("a row past the last", game_on(OPENING), "c1r6", Reason.BAD_MOVE),
    ("a row before the first", game_on(OPENING), "c1r0", Reason.BAD_MOVE),
    ("case matters", game_on(OPENING), "D", Reason.BAD_MOVE),
    ("nothing at all", game_on(OPENING), "", Reason.BAD_MOVE),
    ("a move of the other game", game_on(OPENING), "t1-t2", Reason.BAD_MOVE),
    ("a digit of another script", game_on(OPENING), "١", Reason.BAD_MOVE),
    ("undo at the start", game_on(OPENING), "u", Reason.NOTHING_TO_UNDO),
    ("a draw from an empty stock", spent(), "d", Reason.STOCK_EMPTY),
    ("a draw while a card fits, Strict", strict(), "d", Reason.DRAW_NOT_ALLOWED),
    ("an empty column", game_on(OPENING), "3", Reason.COLUMN_EMPTY),
    ("a card of an empty column", game_on(OPENING), "c3r1", Reason.COLUMN_EMPTY),
    ("a row without a card", game_on(OPENING), "c1r3", Reason.COLUMN_EMPTY),
    ("a covered card", game_on(OPENING), "c1r1", Reason.BLOCKED),
    ("a covered card, though its rank fits", game_on(board("9S 2H", "8S", "KD")), "c1r1", Reason.BLOCKED),
    ("a card of another rank", game_on(OPENING), "2", Reason.NOT_ADJACENT),
    ("the same, by its row", game_on(OPENING), "c2r1", Reason.NOT_ADJACENT),
    ("nonsense after a win", won(), "zz", Reason.BAD_MOVE),
    ("a draw after a win", won(), "d", Reason.GAME_OVER),
    ("an empty column after a win", won(), "1", Reason.GAME_OVER),
    ("a row after a win", won(), "c1r1", Reason.GAME_OVER),
    ("nonsense when stuck", stuck(), "zz", Reason.BAD_MOVE),
    ("a draw when stuck", stuck(), "d", Reason.NO_MOVES),
    ("an empty column when stuck", stuck(), "3", Reason.NO_MOVES),
    ("a covered card when stuck", after(game_on(board("2H 9H / 2C", "8S", "5C")), "d"), "c1r1", Reason.NO_MOVES),
    ("a card that does not fit when stuck", stuck(), "1", Reason.NO_MOVES),
    ("a draw, Strict, from an empty stock while a card fits",
     game_on(board("5S 9H", "8S", "", rules="S")), "d", Reason.STOCK_EMPTY),
]  # fmt: skip


@pytest.mark.parametrize(("game", "word", "reason"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_the_first_reason_that_applies_answers(game: Solo, word: str, reason: Reason) -> None:
    """bad_move; undo; the game's end; the stock, Strict's draw; no card, covered, not adjacent: in this order."""
    assert game.play(word) is reason


def test_undo_answers_before_the_game_is_over() -> None:
    """After a win and when stuck undo is still played, and with nothing to undo says so."""
    assert isinstance(won().play("u"), Played)
    assert isinstance(stuck().play("u"), Played)
    forgotten = Solo(won().game, won().board)
    assert forgotten.play("u") is Reason.NOTHING_TO_UNDO


def test_every_word_of_the_notation_has_an_answer() -> None:
    """Draw, seven columns and thirty-five cards by row are words; each is played or refused for a reason of Golf."""
    assert len(MOVES) == 1 + 7 + 35
    for word in MOVES:
        outcome = game_on(OPENING).play(word)
        assert isinstance(outcome, Played) or outcome in {Reason.COLUMN_EMPTY, Reason.BLOCKED, Reason.NOT_ADJACENT}
