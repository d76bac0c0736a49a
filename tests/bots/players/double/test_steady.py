"""The steady player: it wins more than the greedy one, and knows what a recycle costs."""

from typing import Any

import pytest

from bots.player import DONE, Budget, Goal
from bots.players.double.position import Position
from bots.players.double.steady import goes_up_now
from engine.cards import Card, card_text
from engine.refusals import Status
from tests.bots.players.double.test_players import dealt, play, player

DEALS = [f"DS1-D3NO-AAAAAB{letter}" for letter in "ABCD"]


def test_beats_the_greedy_player() -> None:
    """Over four deals, three cards a draw, it wins more games and more points."""
    ends = {name: [play(player(name, code), dealt(code))[0] for code in DEALS] for name in ("greedy", "steady")}
    won = {name: sum(end.board.status is Status.WON for end in games) for name, games in ends.items()}
    points = {name: sum(end.board.score for end in games) for name, games in ends.items()}
    assert won["steady"] > won["greedy"]
    assert points["steady"] > points["greedy"]


def test_looks_through_the_stock_first() -> None:
    """Under Normal scoring it sees every stock card before its first play, and the recycle costs nothing."""
    _, words = play(player("steady", DEALS[0]), dealt(DEALS[0]))
    assert words[:21] == ["d"] * 20 + ["r"]


def last_spades(score: int, under: int) -> dict[str, Any]:
    """Return a view with ♠K in a column and so many spades below it on the waste, of which the lowest lies deepest."""
    full = {suit: [13, 13] for suit in "SHDC"}
    return dealt("DS1-D1NO-AAAAAAB").position() | {
        "columns": [["KS"], *[[]] * 8],
        "down": [0] * 9,
        "waste": [card_text(Card(rank - 1)) for rank in range(13 - under, 13)],
        "stock": 0,
        "stock_known": [],
        "foundations": full | {"S": [12 - under, 13]},
        "score": score,
        "legal": ["r"],
    }


@pytest.mark.parametrize(
    ("goal", "score", "under", "expected"),
    [("score", 900, 6, DONE), ("score", 900, 7, "r"), ("score", 40, 6, "r"), ("first", 900, 6, "r")],
    ids=["100 for 100", "115 for 100", "100 for 40", "to win"],
)
def test_recycles_only_where_it_pays(goal: Goal, score: int, under: int, expected: str) -> None:
    """With the score as the goal it leaves the last cards where a recycle costs more than they can still bring."""
    assert player("steady", "DS1-D1NO-AAAAAAB", goal).choose(last_spades(score, under), Budget()).word == expected


def test_counts_what_goes_up_now() -> None:
    """Cards of columns and waste go up one after the other, as far as each frees the next."""
    two, three, four = (Card(rank - 1) for rank in (2, 3, 4))
    columns = ((three,), (four,), *((),) * 7)
    assert goes_up_now(Position(columns, (1, 0, 0, 0, 0, 0, 0, 0), (two,), 1)) == 3
    assert goes_up_now(Position(columns, (1, 0, 0, 0, 0, 0, 0, 0), (two,), 0)) == 0
