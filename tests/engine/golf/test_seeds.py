"""All that the app's pages print about Golf."""

import pytest
from msgspec.structs import replace

from engine.golf.board import GolfBoard
from engine.golf.moves import DRAW, REMOVALS
from engine.golf.rules import GolfRules
from engine.record import parse_record, position_after
from engine.record import replay as replayed
from engine.refusals import Reason
from tests.engine.golf import printed
from tests.engine.golf.printed import LANGUAGES, TO_MOVE_35, WON, read_position


def shown(record: str) -> tuple[list[list[str]], str, int, list[str]]:
    position = position_after(parse_record(record))
    columns = position["columns"]
    return columns, position["waste"][-1], position["stock"], [column[-1] for column in columns]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_opening(language: str) -> None:
    """GO1-E-AAAAAAB starts with the printed columns, A♣ on the waste and 16 cards in the stock."""
    assert read_position(printed.OPENING[language]) == shown("GO1-E-AAAAAAB")


def test_no_card_fits_at_the_start() -> None:
    """On the first A♣ no free card can be placed: only a draw is left."""
    assert position_after(parse_record("GO1-E-AAAAAAB"))["legal"] == ["d"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_draw_then_two_cards(language: str) -> None:
    """A draw turns 8♠; 9♣ of column 5 and 8♣ of column 2 follow; then the second printed position stands."""
    assert shown("GO1-E-AAAAAAB d")[1] == "8S"
    assert shown("GO1-E-AAAAAAB d 5")[1] == "9C"
    assert read_position(printed.AFTER_THREE[language]) == shown("GO1-E-AAAAAAB d 5 2")


@pytest.mark.parametrize(("word", "reason"), [("1", "not_adjacent"), ("c1r5", "not_adjacent"), ("c1r4", "blocked")])
@pytest.mark.parametrize("language", LANGUAGES)
def test_refusals_in_the_pages_words(language: str, word: str, reason: str) -> None:
    """6♥ of column 1 does not go onto A♣; 10♠ in row 4 of column 1 is blocked."""
    position = position_after(parse_record(f"GO1-E-AAAAAAB {word}"), language)
    message = printed.REFUSALS[reason][language]
    assert [{"index": 0, "move": word, "reason": reason, "message": message}] == position["refusals"]


@pytest.mark.parametrize(
    ("word", "message"), [("1", "It must be one rank higher or lower"), ("c1r4", "This card is blocked")]
)
def test_refusals_in_english(word: str, message: str) -> None:
    """The same two refusals in our English."""
    assert message == position_after(parse_record(f"GO1-E-AAAAAAB {word}"))["refusals"][0]["message"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_position_at_move_35(language: str) -> None:
    """After 34 moves of the won game the printed position stands."""
    solo, refusals = replayed(parse_record(TO_MOVE_35))
    assert (solo.moves, refusals) == (34, [])
    assert read_position(printed.MOVE_35[language]) == shown(TO_MOVE_35)


def test_easy_allows_an_ace_on_a_king() -> None:
    """Move 35 puts A♥ of column 3 onto K♣."""
    solo, refusals = replayed(parse_record(f"{TO_MOVE_35} 3"))
    assert refusals == []
    assert solo.position()["waste"][-2:] == ["KC", "AH"]


def test_classic_refuses_an_ace_on_a_king() -> None:
    """The same move in the same position is refused under Classic."""
    board = replayed(parse_record(TO_MOVE_35))[0].board
    assert Reason.NOT_ADJACENT is replace(board, rules=GolfRules("C")).refusal(REMOVALS[2])


def test_the_won_game() -> None:
    """The game is won at 350 points while cards are left in the stock."""
    position = position_after(parse_record(WON))
    assert tuple(position[key] for key in ("status", "score", "removed", "left", "stock")) == ("won", 350, 35, 0, 4)
    assert position["legal"] == []


@pytest.mark.parametrize(("removed", "score"), [(31, 270), (30, 250), (25, 150), (17, 0)])
def test_the_score_table(removed: int, score: int) -> None:
    """Stuck after r removals: 10 r − 10 (35 − r), never below 0."""
    board = stuck_after(removed)
    assert ("stuck", score) == (board.status, board.score)


GAMES = {
    31: "d 5 2 d 7 1 d d 4 d 3 1 7 5 5 6 6 d d 1 d 1 1 3 d 6 d 3 3 2 5 6 7 2 d d 3 d 4 4 2 4 5 6 d d d",
    30: "d 5 6 6 2 6 1 d 7 6 d d 4 d 4 4 2 d 6 3 4 d 1 7 5 5 d 3 2 5 3 d d 2 1 5 d 3 2 7 d d d d d 3",
    25: "d 5 5 5 2 d 5 d d 4 7 1 d d 1 5 1 3 d d 3 d 1 1 d 4 4 3 3 2 d d 3 7 d d 4 d d 6 6",
    17: "d d 7 4 d d 1 d 4 4 d 2 5 6 7 1 3 1 d 4 d d 6 5 6 d d 4 d d d d d",
}


@pytest.mark.parametrize(("removed", "score"), [(31, 270), (30, 250), (25, 150), (17, 0)])
def test_the_score_table_in_whole_games(removed: int, score: int) -> None:
    """Games on the printed deal that end as the table says; the last move is undone with its penalty."""
    position = position_after(parse_record(f"GO1-E-AAAAAAB {GAMES[removed]}"))
    assert ("stuck", score, removed) == (position["status"], position["score"], position["removed"])
    assert position["refusals"] == []
    undone = position_after(parse_record(f"GO1-E-AAAAAAB {GAMES[removed]} u"))
    last_was_a_removal = not GAMES[removed].endswith("d")
    assert ("playing", 10 * (removed - last_was_a_removal)) == (undone["status"], undone["score"])


def stuck_after(removed: int) -> GolfBoard:
    """Draw the last card, a 7, onto columns that hold tens only, as a game of `removed` removals could."""
    tens = (9, 22, 35, 48)
    left = [tens[card % 4] for card in range(35 - removed)]
    columns = tuple(tuple(left[at::7]) for at in range(7))
    board = GolfBoard(GolfRules(), columns, (0,), (6,), 10 * removed)
    return board.after(DRAW)
