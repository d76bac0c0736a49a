"""Double Solitaire's rules, one table or one sentence each."""

import pytest

from engine.codes import deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.score import score_text
from engine.game import first_board
from engine.refusals import Reason, Status
from engine.solo import Played, Solo, UndoPolicy, deal_out
from tests.engine.double.boards import board, game_on


def after(game: Solo, *words: str) -> Solo:
    for word in words:
        outcome = game.play(word)
        assert isinstance(outcome, Played), (word, outcome)
        game = outcome.solo
    return game


def turned(game: Solo, word: str) -> list[tuple[str, str]]:
    outcome = game.play(word)
    assert isinstance(outcome, Played)
    return [(one["pile"], one["card"]) for one in outcome.turned]


def test_the_lay_out() -> None:
    """Nine columns of 1 to 9 cards, the last of each face up; 59 in the stock; waste and foundations empty."""
    solo = deal_out(parse_code("DS1-D1N-AAAAAAB"))
    position = solo.position()
    assert [len(column) for column in position["columns"]] == list(range(1, 10))
    assert position["down"] == [column.count("--") for column in position["columns"]] == list(range(9))
    assert all(column[-1] != "--" for column in position["columns"])
    assert (position["waste"], position["stock"], position["stock_known"]) == ([], 59, ["--"] * 59)
    assert position["foundations"] == {suit: [0, 0] for suit in "SHDC"}
    assert (position["score"], position["status"]) == (0, "playing")


def test_a_position_has_its_keys_in_their_order() -> None:
    """The keys are those of the notation, in its order, then where taps lead."""
    keys = (
        "game status score score_text moves undoable columns down waste stock stock_known foundations legal "
        "taps double_taps"
    )
    assert keys.split() == list(deal_out(parse_code("DS1-D1N-AAAAAAB")).position())
    assert keys.split()[:-2] == list(deal_out(parse_code("DS1-D1N-AAAAAAB")).position(revealed=True))


PLACES = [
    ("a red card onto a black one, one rank higher", "7H / 8S", "t1-t2", None),
    ("onto the other black suit", "7H / 8C", "t1-t2", None),
    ("a black card onto a red one", "8C / 9D", "t1-t2", None),
    ("a black card onto the other red suit", "8C / 9H", "t1-t2", None),
    ("red onto red", "7H / 8D", "t1-t2", Reason.WRONG_COLOR),
    ("black onto black", "7S / 8C", "t1-t2", Reason.WRONG_COLOR),
    ("onto its own suit", "7S / 8S", "t1-t2", Reason.WRONG_COLOR),
    ("two ranks higher", "7H / 9S", "t1-t2", Reason.WRONG_RANK),
    ("one rank lower", "7H / 6S", "t1-t2", Reason.WRONG_RANK),
    ("an ace onto a two", "AH / 2S", "t1-t2", None),
    ("a king onto an ace: ranks end there", "KH / AS", "t1-t2", Reason.WRONG_RANK),
    ("a queen onto a king", "QH / KS", "t1-t2", None),
    ("a king onto a king", "KH / KS", "t1-t2", Reason.WRONG_RANK),
    ("a run by its first card", "9H 8S 7D / 10C", "t1-t2x3", None),
    ("a part of a run", "9H 8S 7D / 9D", "t1-t2x2", None),
    ("a run by its last card", "9H 8S 7D / 8C", "t1-t2x2", Reason.WRONG_COLOR),
    ("a king onto an empty column", "[2S] KH /", "t1-t2", None),
    ("a king with the cards on it", "[2S] KH QS JD /", "t1-t2x3", None),
    ("a lone king from one empty place to another", "KH /", "t1-t2", None),
    ("a queen onto an empty column", "[2S] QH /", "t1-t2", Reason.NOT_A_KING),
    ("a run without its king", "[2S] KH QS JD /", "t1-t2x2", Reason.NOT_A_KING),
]


@pytest.mark.parametrize(("columns", "word", "reason"), [case[1:] for case in PLACES], ids=[case[0] for case in PLACES])
def test_where_cards_of_columns_go(columns: str, word: str, reason: Reason | None) -> None:
    """Other colour, one rank higher, the run's first card alone must fit; an empty column takes kings only."""
    game = game_on(board(columns))
    outcome = game.play(word)
    assert reason == (outcome if isinstance(outcome, Reason) else None)
    assert (word in game.board.legal()) is (reason is None)


def test_a_black_six_has_four_places() -> None:
    """Every card is there twice: both red sevens of both suits take it."""
    assert board("6S / 7H / 7H / 7D / 7D").legal() == ["t1-t2", "t1-t3", "t1-t4", "t1-t5"]


FOUNDATIONS = [
    ("an ace starts the first place", "", "AS", [1, 0]),
    ("the second ace goes to the second place", "S 1 0", "AS", [1, 1]),
    ("a two goes onto the first of two aces", "S 1 1", "2S", [2, 1]),
    ("a two goes onto the second ace alone", "S 5 1", "2S", [5, 2]),
    ("an ace goes to an empty first place", "S 0 5", "AS", [1, 5]),
    ("a king ends a place", "S 12 12", "KS", [13, 12]),
    ("a two without an ace", "H 1 1", "2S", None),
    ("an ace where both places have one", "S 1 2", "AS", None),
    ("a rank is not left out", "S 5 4", "7S", None),
]


@pytest.mark.parametrize("pile", ["w", "t1"])
@pytest.mark.parametrize(
    ("up", "card", "row"), [case[1:] for case in FOUNDATIONS], ids=[case[0] for case in FOUNDATIONS]
)
def test_foundations(pile: str, up: str, card: str, row: list[int] | None) -> None:
    """From the ace up in suit, each suit in its own row of two; the first of the row takes what both do."""
    game = game_on(board(card, up=up) if pile == "t1" else board("", card, up=up))
    assert (f"{pile}-f" in game.board.legal()) is (row is not None)
    if row is None:
        assert game.play(f"{pile}-f") is Reason.NOT_ON_FOUNDATION
    else:
        assert after(game, f"{pile}-f").position()["foundations"]["S"] == row


def test_taking_back() -> None:
    """Each place of a suit gives its top card back, to where it fits; equal places are two moves."""
    game = game_on(board("4H / 4D / KC / 5S / 5C / 6H / 6D / 7S / 7C", up="S 3 3 H 2 0"))
    taken_back = [word for word in game.board.legal() if word[0] == "f"]
    assert taken_back == ["fS-t1", "fS-t2", "fS2-t1", "fS2-t2"]
    back = after(game, "fS2-t1").position()
    assert (back["columns"][0], back["foundations"]["S"], back["score"]) == (["4H", "3S"], [3, 2], 0)
    assert after(game, "fS1-t1").position()["foundations"]["S"] == [2, 3]


def test_a_king_is_taken_back_to_any_empty_column() -> None:
    """A full place opens again."""
    legal = board("KS / KS / KS / KS / KS / KS / KS / /", up="H 13 0").legal()
    assert [word for word in legal if word.startswith("f")] == ["fH-t8", "fH-t9"]


DRAWS = [
    ("D1N", "2S 3S 4S 5S", ["2S"], 3),
    ("D3N", "2S 3S 4S 5S", ["2S", "3S", "4S"], 1),
    ("D3V", "2S 3S", ["2S", "3S"], 0),
    ("D3N", "2S", ["2S"], 0),
]


@pytest.mark.parametrize(("rules", "stock", "waste", "left"), DRAWS)
def test_draws(rules: str, stock: str, waste: list[str], left: int) -> None:
    """One card or three to the waste, the last of them playable; the last draw turns what is left."""
    start = game_on(board("3H / AC", stock=stock, rules=rules))
    drawn = after(start, "d").position()
    assert (drawn["waste"], drawn["stock"]) == (waste, left)
    assert [pile for pile, _ in turned(start, "d")] == ["waste"] * len(waste)


def test_the_next_card_of_three_frees_when_the_last_is_played() -> None:
    """3♠ under 4♠ is played only after it."""
    game = after(game_on(board("5H / 4D", stock="2S 3S 4S", rules="D3N")), "d")
    assert game.play("w-t2") is Reason.WRONG_RANK
    assert after(game, "w-t1", "w-t2").position()["waste"] == ["2S"]


@pytest.mark.parametrize(("rules", "draws"), [("D1N", 59), ("D3N", 20), ("D1V", 59), ("D3V", 20)])
def test_a_round_through_the_stock(rules: str, draws: int) -> None:
    """59 = 19 × 3 + 2; a recycle puts all back in the order drawn, in Vegas there is none."""
    start = deal_out(parse_code(f"DS1-{rules}-AAAAAAB"))
    through = after(start, *["d"] * draws)
    assert through.board.stock == ()
    assert through.board.waste == deal(parse_code("DS1-D1N-AAAAAAB")).stock
    assert through.play("d") is Reason.STOCK_EMPTY
    if rules.endswith("V"):
        assert through.play("r") is Reason.NO_RECYCLING
        return
    again = after(through, "r")
    assert (again.board.stock, again.board.waste) == (start.board.stock, ())
    assert turned(through, "r") == []
    assert after(again, *["d"] * draws, "r").board.stock == start.board.stock


def test_played_cards_are_not_recycled() -> None:
    """What was played from the waste is gone from the next round; the rest keep their order."""
    game = after(game_on(board("4D", stock="2S 3S 4S", rules="D1N")), "d", "d", "w-t1", "d", "r")
    assert game.position()["stock_known"] == ["2S", "4S"]


def test_a_card_that_is_uncovered_turns_up() -> None:
    """It turns as part of the move that uncovers it, and only one does."""
    start = game_on(board("[4C 9S] 7H / 8S"))
    outcome = start.play("t1-t2")
    assert isinstance(outcome, Played)
    position = outcome.solo.position()
    assert (position["columns"][0], position["down"][0]) == (["--", "9S"], 1)
    assert outcome.turned == [{"pile": "t1", "card": "9S"}]
    assert turned(game_on(board("[AC] 9S / ", up="S 8 0")), "t1-f") == [("t1", "AC")]
    assert turned(game_on(board("[4C] 8S 7H / 8C")), "t1-t2") == []
    assert turned(game_on(board("8S / 9H")), "t1-t2") == []


SCORES = [
    ("column to foundation", "AS", "", "", "t1-f", 10, 5),
    ("waste to foundation", "", "AS", "", "w-f", 10, 5),
    ("waste to column", "2H", "AS", "", "w-t1", 5, 0),
    ("column to column", "2H / AS", "", "", "t2-t1", 0, 0),
    ("a card turned up by a column's move", "2H / [9S] AS", "", "", "t2-t1", 5, 0),
    ("a card turned up by a run's move", "3S / [9S] 2H AS", "", "", "t2-t1x2", 5, 0),
    ("a card turned up by putting one up", "[9S] AS", "", "", "t1-f", 15, 5),
    ("taken back", "2H", "", "S 1 0", "fS-t1", 0, 0),
    ("draw", "2H", "", "", "d", 0, 0),
]


@pytest.mark.parametrize("once", ["", "O"])
@pytest.mark.parametrize(
    ("columns", "waste", "up", "word", "normal", "vegas"),
    [case[1:] for case in SCORES],
    ids=[case[0] for case in SCORES],
)
def test_what_moves_score(columns: str, waste: str, up: str, word: str, normal: int, vegas: int, once: str) -> None:
    """The two tables; a card put up for the first time pays under the option O too."""
    for scoring, paid in (("N", normal), ("V", vegas)):
        start = game_on(board(columns, waste, "KD", up=up, rules=f"D1{scoring}{once}", score=300))
        assert after(start, word).board.score == 300 + paid
        assert after(start, word, "u").board.score == 300


@pytest.mark.parametrize(("score", "left"), [(0, 0), (40, 0), (99, 0), (100, 0), (101, 1), (515, 415)])
def test_a_recycle_costs_100_or_what_there_is(score: int, left: int) -> None:
    """Never below 0; undo gives back what it really cost."""
    game = after(game_on(board("2H", "AS", score=score)), "r")
    assert (game.board.score, after(game, "u").board.score) == (left, score)


@pytest.mark.parametrize(("score", "text"), [(416, "$416"), (5, "$5"), (0, "$0"), (-4, "-$4"), (-104, "-$104")])
def test_dollars(score: int, text: str) -> None:
    """Vegas is shown in dollars, Normal as the number."""
    game = game_on(board("2H", rules="D1V", score=score))
    assert (game.position()["score_text"], game.position()["score"]) == (text, score)
    assert score_text(board(rules="D3N").rules, score) == str(score)


PUT_UP_AGAIN = [
    ("N", "", [10, 10, 20, 20, 30]),
    ("N", "O", [10, 10, 10, 10, 10]),
    ("V", "", [5, 5, 10, 10, 15]),
    ("V", "O", [5, 5, 5, 5, 5]),
]


@pytest.mark.parametrize(("scoring", "once", "scores"), PUT_UP_AGAIN)
def test_a_card_put_up_again(scoring: str, once: str, scores: list[int]) -> None:
    """It pays each time; under the option O only once."""
    game = game_on(board("2H AS", rules=f"D1{scoring}{once}", score=0))
    found = []
    for word in ("t1-f", "fS-t1", "t1-f", "fS-t1", "t1-f"):
        game = after(game, word)
        found.append(game.board.score)
    assert found == scores


ONCE = [
    ("the second of two equal cards pays as well", "2H AS / 2D AS", "", "t1-f t2-f", 20),
    ("either of two equal cards may be the one that comes back", "2H AS / 2D AS", "", "t1-f t2-f fS-t1 t1-f", 20),
    ("a place is as good as the other", "2H AS / 2D AS", "", "t1-f t2-f fS2-t1 fS-t2 t1-f t2-f", 20),
    ("what one place lost another regains", "3H 2S / 3D", "S 2 1", "fS-t2 t1-f", 0),
    ("and then more pays", "3H 2S / 3D", "S 2 1", "fS-t2 t1-f t2-f", 10),
    ("a rank never reached pays", "3S", "S 2 1", "t1-f", 10),
]


@pytest.mark.parametrize(
    ("columns", "up", "words", "score"), [case[1:] for case in ONCE], ids=[case[0] for case in ONCE]
)
def test_once_counts_cards_of_a_suit_and_rank(columns: str, up: str, words: str, score: int) -> None:
    """A card pays when more of its suit and rank lie up there than ever before in this game."""
    assert after(game_on(board(columns, up=up, rules="D1NO")), *words.split()).board.score == score


def test_undo_restores_what_has_been_paid_for() -> None:
    """A card that was put up and undone pays again, once."""
    game = game_on(board("2H AS", rules="D1NO"))
    assert after(game, "t1-f", "u", "t1-f").board.score == 10
    assert after(game, "t1-f", "u", "t1-f", "fS-t1", "t1-f").board.score == 10


@pytest.mark.parametrize(("rules", "score"), [("D1N", 1210), ("D3V", 411)])
def test_the_last_card_wins(rules: str, score: int) -> None:
    """Won with 104 cards on the foundations, at once; an undo opens the game again."""
    start = game_on(board("KC", up="S 13 13 H 13 13 D 13 13 C 13 12", rules=rules, score=score))
    won = after(start, "t1-f")
    assert (won.board.status, won.board.cleared, won.board.left, won.board.legal()) == (Status.WON, 104, 0, [])
    assert won.position()["taps"] == won.position()["double_taps"] == {}
    back = after(won, "u")
    assert (back.board.status, back.board.score, back.moves) == (Status.PLAYING, score, 1)


def test_a_game_without_moves_is_never_declared_lost() -> None:
    """The app knows no loss: such a game is still played, and costs nothing."""
    dead = board("2H", rules="D1V")
    assert (dead.status, dead.legal(), dead.settled_score) == (Status.PLAYING, [], -104)


def test_undo_is_exact() -> None:
    """The turned card is turned back, the points go, the counter stays."""
    start = game_on(board("[4C 9S] 7H / 8S"))
    back = after(start, "t1-t2", "u")
    assert (back.board, back.moves, back.undoable) == (start.board, 1, 0)
    assert back.position()["columns"][0] == ["--", "--", "7H"]


def test_undo_reaches_two_hundred_operations_back() -> None:
    """The last 200 operations can be undone, no more."""
    solo = deal_out(parse_code("DS1-D1N-AAAAAAB"))
    for _ in range(4):
        solo = after(solo, *["d"] * 59, "r")
    assert (solo.undoable, solo.moves) == (200, 240)
    solo = after(solo, *["u"] * 200)
    assert (solo.undoable, solo.moves, solo.board.drawn) == (0, 240, 40)
    assert solo.play("u") is Reason.NOTHING_TO_UNDO


KNOWN = [
    ("nothing at first", "", 0),
    ("nothing more by drawing", "d d d", 0),
    ("undone draws", "d d d u u", 2),
    ("drawn again", "d d d u u d", 1),
    ("all after a recycle", "d " * 59 + "r", 59),
    ("all but the drawn in the next round", "d " * 59 + "r d d", 57),
    ("also after the recycle was undone with a draw", "d " * 59 + "r u u", 1),
]


@pytest.mark.parametrize(("words", "known"), [case[1:] for case in KNOWN], ids=[case[0] for case in KNOWN])
def test_what_is_known_of_the_stock(words: str, known: int) -> None:
    """Cards that have been turned up once are shown in the order in which they will be drawn again."""
    solo = after(deal_out(parse_code("DS1-D1N-AAAAAAB")), *words.split())
    shown = solo.position()["stock_known"]
    assert [card != "--" for card in shown] == [True] * known + [False] * (len(shown) - known)


@pytest.mark.parametrize(
    ("policy", "words", "undoable"),
    [
        (UndoPolicy.FREE, "t1-t2 t2-t3x2 d r", 4),
        (UndoPolicy.UNREVEALED, "t2-t3", 1),
        (UndoPolicy.UNREVEALED, "t2-t3 t1-t3", 0),
        (UndoPolicy.UNREVEALED, "t2-t3 d", 0),
        (UndoPolicy.UNREVEALED, "d r", 1),
        (UndoPolicy.UNREVEALED, "d r t2-t3", 2),
        (UndoPolicy.UNREVEALED, "d r u", 0),
        (UndoPolicy.NONE, "t2-t3 d r", 0),
    ],
)
def test_undo_policies(policy: UndoPolicy, words: str, undoable: int) -> None:
    """Under `unrevealed` a card turned up, in a column or on the waste, is a barrier; a recycle turns none."""
    solo = after(game_on(board("[4C] 7H / 8S / 9D", stock="KD"), policy), *words.split())
    assert undoable == solo.undoable
    assert after(solo, *["u"] * undoable).play("u") is Reason.NOTHING_TO_UNDO


CODES = [
    ("DS1-D1N-AAAAAAB", 1, 0),
    ("DS1-D1V-AAAAAAB", 1, -104),
    ("DS1-D3N-AAAAAAB", 3, 0),
    ("DS1-D3V-AAAAAAB", 3, -104),
    ("DS1-D3VO-AAAAAAB", 3, -104),
    ("ds1 d1no aaaaaab", 1, 0),
]


@pytest.mark.parametrize(("text", "cards", "score"), CODES)
def test_a_code_brings_back_draw_and_scoring(text: str, cards: int, score: int) -> None:
    """The same cards, with the draw and the scoring that the code names."""
    board = first_board(parse_code(text))
    assert isinstance(board, DoubleBoard)
    drawn = after(deal_out(parse_code(text)), "d")
    assert (board.score, len(drawn.board.waste)) == (score, cards)
    assert board.columns == first_board(parse_code("DS1-D1N-AAAAAAB")).columns


def test_the_board_prints_itself() -> None:
    """Columns with face-down cards in brackets, the foundations by row, the waste, stock, score and status."""
    printed = board("[2S 3C] 7D / / [9H] KS QD", "8C 10H", "2D", up="S 1 0 H 2 2", rules="D1V")
    assert str(printed).splitlines() == [
        "1: [2S 3C] 7D",
        "2:",
        "3: [9H] KS QD",
        "4:",
        "5:",
        "6:",
        "7:",
        "8:",
        "9:",
        "foundations: S 1 0  H 2 2  D 0 0  C 0 0",
        "waste: 8C 10H",
        "stock: 1  score: -$104  playing",
    ]
    assert "waste: empty" in str(board("7D"))
