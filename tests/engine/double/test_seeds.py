"""The sums that the app's page prints about Double Solitaire, on whole games."""

from collections.abc import Sequence

import pytest

from engine.cards import Card, pack, rank_of
from engine.codes import Code, literal_code, parse_code
from engine.deal import Deal
from engine.double.rules import STOCK, TABLEAU, DoubleRules
from engine.record import Record, position_after
from engine.refusals import Reason, Status
from engine.solo import Solo, deal_out
from tests.engine.double.steady import steady_game


def easy_code(rules: str) -> Code:
    """A literal code that deals its cards in the order in which they go up, whatever the draw."""
    parsed = DoubleRules.parse(rules)
    assert parsed is not None
    rising = sorted(pack(2), key=rank_of)
    columns, at = [], 0
    for size in range(1, 10):
        columns.append(tuple(rising[at : at + size][::-1]))
        at += size
    assert at == TABLEAU
    drawn: list[Card] = []
    for start in range(at, at + STOCK, parsed.draw):
        drawn += rising[start : start + parsed.draw][::-1]
    return literal_code(parsed, Deal(tuple(columns), (), tuple(drawn)))


WINS = [
    *(f"DS1-D1N-AAAAA{last}" for last in ("AA", "AB", "AC", "AD", "AF", "AG", "XU")),
    *(f"DS1-D3N-AAAAA{last}" for last in ("AG", "AR", "AS", "AV", "AY", "BA", "BF")),
    "DS1-D1NO-AAAAAAC",
    "DS1-D3NO-AAAAAA2",
    "DS1-D1V-AAAAAEL",
    "DS1-D1VO-AAAAAEL",
    *(str(easy_code(rules)) for rules in ("D1N", "D3N", "D1V", "D3V", "D3VO")),
]


def games(code: Code, words: Sequence[str]) -> list[Solo]:
    """Every game position of a record, the deal first."""
    every = [deal_out(code)]
    for word in words:
        outcome = every[-1].play(word)
        assert not isinstance(outcome, Reason)
        every.append(outcome.solo)
    return every


def recycle_costs(text: str) -> list[int]:
    """What the recycles of the player's game really cost."""
    code = parse_code(text)
    words = steady_game(code)[1]
    every = zip(games(code, words), words, strict=False)
    return [min(100, game.board.score) for game, word in every if word == "r"]


@pytest.mark.parametrize("text", WINS, ids=lambda text: text[:16])
def test_what_a_win_holds(text: str) -> None:
    """Normal: 1220, +5 for each waste-to-column, minus what the recycles really cost. Vegas: +416 $."""
    won, words = steady_game(parse_code(text))
    assert won.board.status is Status.WON
    if "V" in text.split("-")[1]:
        assert (won.board.score, won.position()["score_text"]) == (416, "$416")
    else:
        to_columns = sum(word.startswith("w-t") for word in words)
        assert won.board.score == 1220 + 5 * to_columns - sum(recycle_costs(text))


def test_the_wins_say_something() -> None:
    """Among them are recycles that cost 100, some that cost less, and cards that went from the waste to columns."""
    costs = {cost for text in WINS for cost in recycle_costs(text)}
    assert 100 in costs
    assert any(cost < 100 for cost in costs)
    assert sum(word.startswith("w-t") for text in WINS for word in steady_game(parse_code(text))[1]) > 100


@pytest.mark.parametrize("text", [text for text in WINS if "V" in text.split("-")[1]], ids=lambda text: text[:16])
def test_vegas_is_positive_from_the_21st_card(text: str) -> None:
    """-$104 at first, +5 $ for each card put up: negative up to 20 cards, $1 with 21."""
    code = parse_code(text)
    every = games(code, steady_game(code)[1])
    assert every[0].position()["score_text"] == "-$104"
    for game in every:
        up = game.board.cleared
        assert game.board.score == -104 + 5 * up
        assert (game.board.score > 0) is (up >= 21)
    assert {game.board.cleared: game.position()["score_text"] for game in every}[20] == "-$4"
    assert {game.board.cleared: game.position()["score_text"] for game in every}[21] == "$1"


def test_a_win_taken_back_is_paid_again() -> None:
    """The page promises its sums for games without taking back: a card put up twice pays twice, but for option O."""
    for rules, more in (("D1N", 10), ("D1NO", 0), ("D3V", 5), ("D3VO", 0)):
        code = easy_code(rules)
        won, words = steady_game(code)
        at = next(at for at in range(len(words)) if "fS-t" in " ".join(legal_after(code, words[:at])))
        back = next(word for word in legal_after(code, words[:at]) if word.startswith("fS-t"))
        record = Record(code, (*words[:at], back, f"{back[-2:]}-f", *words[at:]))
        position = position_after(record)
        assert (position["refusals"], position["status"]) == ([], "won")
        assert position["score"] == won.board.score + more


def legal_after(code: Code, words: tuple[str, ...]) -> list[str]:
    legal: list[str] = position_after(Record(code, words))["legal"]
    return legal


def test_the_refusal_of_an_empty_column() -> None:
    """An empty column takes no card but a king, not even to uncover a face-down one."""
    code = parse_code("DS1-D1N-AAAAAAF")
    words = steady_game(code)[1]
    for at, game in enumerate(games(code, words)):
        empty = [number for number, column in enumerate(game.board.columns, 1) if not column]
        position = game.position()
        for number, (column, down) in enumerate(zip(position["columns"], position["down"], strict=True), 1):
            if empty and down and column[-1][:-1] != "K":
                refused = position_after(Record(code, (*words[:at], f"t{number}-t{empty[0]}")))
                assert refused["refusals"][0]["reason"] == "not_a_king"
                return
    pytest.fail("no empty column in the whole game")
