"""A player's game: undo, counters, memory, and the laws that hold for every game."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import Card, texts
from engine.codes import DEFAULT_GAMES, Code, deal, parse_code, parse_game
from engine.double.board import DoubleBoard
from engine.double.moves import MOVES as DOUBLE_MOVES
from engine.game import GAMES
from engine.golf.moves import MOVES
from engine.refusals import Reason, Status
from engine.solo import Played, Solo, UndoPolicy, deal_out
from tests.engine.golf.boards import board, game_on
from tests.engine.golf.printed import WON
from tests.engine.strategies import double_words, golf_words, played, played_of_both

START = deal_out(parse_code("GO1-E-AAAAAAB"))


def after(solo: Solo, *words: str) -> Solo:
    for word in words:
        outcome = solo.play(word)
        assert isinstance(outcome, Played), (word, outcome)
        solo = outcome.solo
    return solo


@given(played_of_both, st.data())
def test_undo_is_the_exact_inverse(case: tuple[Code, list[str], Solo], data: st.DataObject) -> None:
    """After any legal move, also one that wins or gets stuck, undo brings back the very board and history."""
    solo = case[2]
    legal = solo.board.legal()
    if not legal:
        return
    back = after(solo, data.draw(st.sampled_from(legal)), "u")
    assert solo.board == back.board
    assert solo.history[1 - solo.game.undo_depth :] == back.history
    assert back.moves == solo.moves + 1


@given(played_of_both)
def test_undo_goes_back_to_the_deal(case: tuple[Code, list[str], Solo]) -> None:
    """A game of no more operations than can be undone is undone to its first position; then nothing is left."""
    code, _, solo = case
    forgets = solo.moves > solo.game.undo_depth
    solo = after(solo, *["u"] * solo.undoable)
    assert forgets or deal_out(code).board == solo.board
    assert solo.play("u") is Reason.NOTHING_TO_UNDO


@given(played_of_both, golf_words | double_words | st.just(""))
def test_a_refusal_changes_nothing(case: tuple[Code, list[str], Solo], word: str) -> None:
    """A refused word leaves position, counters and history as they were."""
    solo = case[2]
    before = (solo.position(), solo.history, solo.moves, solo.seen)
    outcome = solo.play(word)
    assert before == (solo.position(), solo.history, solo.moves, solo.seen)
    assert isinstance(outcome, Reason | Played)


@given(played_of_both)
def test_every_card_is_somewhere(case: tuple[Code, list[str], Solo]) -> None:
    """Tableau, waste, stock and foundations always hold the whole pack."""
    code, _, solo = case
    cards = [card for column in solo.board.columns for card in column] + [*solo.board.waste, *solo.board.stock]
    if isinstance(solo.board, DoubleBoard):
        cards += [
            Card(at // 2 * 13 + rank) for at, height in enumerate(solo.board.foundations) for rank in range(height)
        ]
    assert sorted(code.rules.pack) == sorted(cards)


@given(played())
def test_numbers_agree_with_the_board(case: tuple[Code, list[str], Solo]) -> None:
    """The score is 10 for each card removed, less the penalty, never below 0; the counts add up."""
    position = case[2].position()
    removed, left = position["removed"], position["left"]
    assert removed + left == 35
    assert left == sum(len(column) for column in position["columns"])
    expected = 10 * removed if position["status"] != "stuck" else max(0, 10 * removed - 10 * left)
    assert position["score"] == expected >= 0
    assert position["status"] != "won" or (left, position["score"]) == (0, 350)
    assert len(position["stock_known"]) == position["stock"]


@given(played_of_both)
def test_the_move_counter_counts_moves(case: tuple[Code, list[str], Solo]) -> None:
    """Every move counts; undos and refusals change nothing."""
    code, words, _ = case
    solo, moves = deal_out(code), 0
    for word in words:
        outcome = solo.play(word)
        if isinstance(outcome, Played):
            moves += word != "u"
            solo = outcome.solo
        assert moves == solo.moves


@given(played_of_both)
def test_legal_moves_are_those_that_are_played(case: tuple[Code, list[str], Solo]) -> None:
    """A canonical word is listed if, and only if, it is not refused; the list is sorted by code point."""
    solo = case[2]
    words = DOUBLE_MOVES if isinstance(solo.board, DoubleBoard) else [word for word in MOVES if len(word) == 1]
    assert solo.board.legal() == sorted(word for word in words if isinstance(solo.play(word), Played))


@given(played_of_both)
def test_known_stock_cards_are_the_ones_to_come(case: tuple[Code, list[str], Solo]) -> None:
    """What the player knows of the stock is what was turned up before, and is true; the rest is hidden."""
    code, words, solo = case
    seen, game = 0, deal_out(code)
    for word in words:
        game = getattr(game.play(word), "solo", game)
        seen = max(seen, len(deal(code).stock) - len(game.board.stock))
    to_come = texts(solo.board.stock)
    known = max(0, len(to_come) - (len(deal(code).stock) - seen))
    assert to_come[:known] + ["--"] * (len(to_come) - known) == solo.position()["stock_known"]


@given(played_of_both)
def test_a_revealed_position_shows_the_columns_whole(case: tuple[Code, list[str], Solo]) -> None:
    """Who has the code sees the face-down cards too; all else is what the player sees."""
    solo = case[2]
    revealed, seen = solo.position(revealed=True), solo.position()
    assert revealed.pop("columns") == [texts(column) for column in solo.board.columns]
    assert all(seen[key] == value for key, value in revealed.items())
    hidden = sum(column.count("--") for column in seen["columns"])
    assert hidden == sum(seen.get("down", []))


def test_undo_reaches_a_hundred_operations_back() -> None:
    """The last 100 operations can be undone, no more, however many were played."""
    solo = START
    for _ in range(30):
        solo = after(solo, "d", "5", "2", "d", "u", "u", "u", "u")
    assert solo.undoable == 0
    deep = solo
    for count in range(1, 131):
        # A position that allows a draw again and again stands in for a game of more than 100 moves.
        deep = Solo(deep.game, START.board, deep.undo, deep.moves, deep.seen, deep.history)
        deep = after(deep, "d")
        assert deep.undoable == min(count, 100)
    for _ in range(100):
        deep = after(deep, "u")
    assert deep.play("u") is Reason.NOTHING_TO_UNDO
    assert deep.moves == 120 + 130


def test_undo_after_getting_stuck_takes_back_the_penalty() -> None:
    """The score from before the last move and the status come back."""
    start = game_on(board("9H / 2C", "8S", "5C", score=330))
    stuck = after(start, "d")
    assert (stuck.board.status, stuck.board.score) == (Status.STUCK, 310)
    back = after(stuck, "u")
    assert (back.board.status, back.board.score, back.moves, back.undoable) == (Status.PLAYING, 330, 1, 0)


def test_undo_after_a_win() -> None:
    """Outside races a won game may be undone too: position, score and status as before."""
    won = after(START, *WON.split()[1:])
    back = after(won, "u")
    assert (won.board.status, won.board.score, won.moves) == (Status.WON, 350, 47)
    assert (back.board.status, back.board.score, back.moves) == (Status.PLAYING, 340, 47)
    assert won.board == after(back, "6").board


def test_an_undone_operation_is_forgotten() -> None:
    """There is no redo: another move after an undo goes its own way."""
    first = after(START, "d", "5", "u", "d")
    assert (first.position()["waste"], first.moves, first.undoable) == (["AC", "8S", "4D"], 3, 2)


def test_an_undone_draw_stays_known() -> None:
    """The stock card that was seen is shown among the cards to come, until it is drawn again."""
    solo = after(START, "d", "d", "u", "u")
    assert solo.position()["stock_known"] == ["8S", "4D"] + ["--"] * 14
    assert after(solo, "d").position()["stock_known"] == ["4D"] + ["--"] * 14


def test_cards_that_a_move_turns_up() -> None:
    """A draw turns the stock's top card; a removal and an undo turn none."""
    drawn = START.play("d")
    assert isinstance(drawn, Played)
    assert drawn.turned == [{"pile": "waste", "card": "8S"}]
    removed = drawn.solo.play("5")
    assert isinstance(removed, Played)
    assert not removed.turned
    undone = removed.solo.play("u")
    assert isinstance(undone, Played)
    assert not undone.turned


@pytest.mark.parametrize(
    ("policy", "words", "undoable"),
    [
        (UndoPolicy.FREE, "d 5 2", 3),
        (UndoPolicy.UNREVEALED, "d 5 2", 2),
        (UndoPolicy.UNREVEALED, "d 5 2 d", 0),
        (UndoPolicy.UNREVEALED, "d 5 2 u", 1),
        (UndoPolicy.NONE, "d 5 2", 0),
    ],
)
def test_undo_policies(policy: UndoPolicy, words: str, undoable: int) -> None:
    """Anything, nothing up to the last move that turned up a card, or nothing at all can be undone."""
    solo = after(deal_out(parse_code("GO1-E-AAAAAAB"), policy), *words.split())
    assert undoable == solo.undoable
    assert after(solo, *["u"] * undoable).play("u") is Reason.NOTHING_TO_UNDO


def test_a_position_has_its_keys_in_their_order() -> None:
    """The keys of a Golf position are those of the notation, in its order."""
    keys = "game status score score_text moves undoable columns waste stock stock_known removed left legal"
    assert keys.split() == list(START.position())


def test_every_game_that_has_codes_is_played() -> None:
    """Each is in the table under its own letters."""
    assert {parse_game(text)[0] for text in DEFAULT_GAMES.values()} == set(GAMES)
    assert all(letters == game.letters for letters, game in GAMES.items())
