"""Race cards: what is filled in where nothing is said, and which card cannot be offered."""

from typing import Any

import pytest

from engine.codes import CodeError
from engine.race.card import BotWish, Goal, RaceCard, RaceCardError, StartRule, Watch, read_card
from engine.solo import UndoPolicy


def test_defaults() -> None:
    """Two seats, by score, ten minutes, free undo, all ready, boards to be watched, listed, and nothing else."""
    expected = RaceCard(
        game="GO1-E",
        seats=2,
        goal=Goal.SCORE,
        time_limit_s=600,
        undo=UndoPolicy.FREE,
        listed=True,
        start=StartRule.ALL_READY,
        watch=Watch.BOARDS,
    )
    assert read_card({"game": "GO1-E"}) == expected
    assert read_card({"game": "go1-n", "sealed": False, "unknown": 1}) == expected


def test_a_sealed_race_shows_numbers_unless_the_creator_wants_otherwise() -> None:
    """Boards of a sealed race are for trusted company, which its creator declares."""
    assert read_card({"game": "GO1-E", "sealed": True}).watch is Watch.NUMBERS
    assert read_card({"game": "GO1-E", "sealed": True, "watch": "boards"}).watch is Watch.BOARDS


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param(" Sunday\nrace ", "Sunday race", id="on one line"),
        pytest.param("\u202erace\x1b[31m", "race[31m", id="without what turns or colours the writing"),
        pytest.param(" \u200b", None, id="nothing to be seen"),
    ],
)
def test_names_are_tidied(asked: str, shown: str | None) -> None:
    """A race's name is shown to others, in terminals too."""
    assert read_card({"game": "GO1-E", "name": asked}).name == shown


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        pytest.param({}, "game", id="no game"),
        pytest.param({"game": "GO0-E"}, "game", id="the game of a literal code"),
        pytest.param({"game": "GO1-C", "code": "GO1-E-AAAAAAB"}, "game", id="another game than the code's"),
        pytest.param({"code": "GO1-E-AAAAAAB", "sealed": True}, "code", id="an open code sealed"),
        pytest.param({"code": f"GO1-E-{'A' * 26}"}, "code", id="the code of a sealed deal"),
        pytest.param({"seats": 0}, "seats", id="no seats"),
        pytest.param({"seats": 101}, "seats", id="too many seats"),
        pytest.param({"seats": 1.5}, "seats", id="half a seat"),
        pytest.param({"time_limit_s": 0}, "time_limit_s", id="no time"),
        pytest.param({"time_limit_s": 86_401}, "time_limit_s", id="more than a day"),
        pytest.param({"goal": "fame"}, "goal", id="no such goal"),
        pytest.param({"seats": 1, "bots": [{"bot": "greedy"}] * 2}, "bots", id="more bots than seats"),
        pytest.param({"bots": [{"bot": "greedy", "pace": 0}]}, "bots[0].pace", id="a bot that never moves"),
        pytest.param({"bots": [{"bot": "greedy", "pace": 1e-320}]}, "bots[0].pace", id="a bot that hardly moves"),
        pytest.param({"name": "x" * 81}, "name", id="a long name"),
        pytest.param({"rated": True}, "rated", id="rated"),
        pytest.param({"code": "GO1-E-AAAAAAB", "winnable": True}, "winnable", id="winnable, but named"),
        pytest.param({"delay_s": -1}, "delay_s", id="seen before it happens"),
        pytest.param({"delay_s": 3_601}, "delay_s", id="delayed for more than an hour"),
        pytest.param({"series": 10}, "series", id="ten races"),
        pytest.param({"bots": [{"bot": "ghost"}]}, "bots", id="a ghost of nobody"),
        pytest.param({"bots": [{"bot": "ghost", "race": "r" * 26, "seat": 0}]}, "bots", id="a ghost of no seat"),
        pytest.param({"bots": [{"bot": "ghost:x:1"}]}, "bots", id="a ghost of no race"),
        pytest.param(
            {"bots": [{"bot": "ghost", "race": "r" * 26, "seat": 1, "pace": 2}]}, "bots", id="a ghost with a pace"
        ),
        pytest.param(
            {"series": 3, "bots": [{"bot": "ghost", "race": "r" * 26, "seat": 1}]}, "bots", id="a ghost in a series"
        ),
    ],
)
def test_refused_cards(asked: dict[str, Any], field: str) -> None:
    """A card that cannot be offered is refused with the key at fault."""
    named = {"game", "code"} & asked.keys()
    with pytest.raises(RaceCardError) as refused:
        read_card(asked if named or not asked else {"game": "GO1-E", **asked})
    assert refused.value.field == field


def test_a_code_that_cannot_be_read_says_what_is_wrong_with_it() -> None:
    """It is the code's own fault that is told."""
    with pytest.raises(CodeError, match="unknown game"):
        read_card({"code": "XX1-E-AAAAAAB"})


def test_bots_keep_their_paces() -> None:
    """A bot is wished for by name, at a pace of moves per second or its own."""
    card = read_card({"game": "GO1-E", "bots": [{"bot": "solver"}, {"bot": "greedy", "pace": 2}]})
    assert card.bots == (BotWish("solver"), BotWish("greedy", 2.0))
