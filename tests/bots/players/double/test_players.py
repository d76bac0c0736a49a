"""Double Solitaire's players: they come to an end, repeat their games and see only what their seat sees."""

from itertools import islice
from random import Random

import pytest
from msgspec.structs import replace

from bots import roster
from bots.levels import LEVELS
from bots.player import DONE, Budget, Goal
from engine.codes import parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.refusals import Status
from engine.solo import Played, Solo, UndoPolicy, deal_out

CODES = ["DS1-D1NO-AAAAAAB", "DS1-D1N-AAAAAAC", "DS1-D1VO-AAAAAAD", "DS1-D3NO-AAAAAAE", "DS1-D3VO-AAAAAAF"]
MOST = 2000
PLAYERS = [name for name, one in roster.ROSTER.items() if "DS" in one.games]
FAIR = [name for name in PLAYERS if roster.entry(name).mode == "fair"]
GOALS: list[Goal] = ["first", "score", "moves"]
SLOW = ("solver", "oracle")
"""Their moves take a hundred times as long as others': they play on the two codes that differ most."""
PLAYED = [(name, code) for name in PLAYERS for code in (CODES[2:4] if name in SLOW else CODES)]
SEEING = [
    (name, code, goal)
    for name, code in PLAYED
    if name in FAIR
    for goal in (["score"] if name in LEVELS or (name in SLOW and code == CODES[2]) else GOALS)
]
"""Every fair player with the goals that it tells apart; Vegas has one for the solver."""


def player(name: str, code: str, goal: Goal = "score", seed: int = 1) -> roster.Player:
    parsed = parse_code(code)
    return roster.new(name, rules=parsed.rules, goal=goal, seed=seed, code=parsed)


def dealt(code: str) -> Solo:
    return deal_out(parse_code(code), UndoPolicy.NONE)


def play(who: roster.Player, solo: Solo, nodes: int = 20) -> tuple[Solo, list[str]]:
    """Return the game at its end, won or settled, and the words played."""
    words: list[str] = []
    while solo.board.status is Status.PLAYING and len(words) < MOST:
        word = who.choose(solo.position(), Budget(nodes=nodes)).word
        if word == DONE:
            break
        after = solo.play(word)
        assert isinstance(after, Played), (word, after)
        solo = after.solo
        words.append(word)
    return solo, words


def twin(solo: Solo, seed: int) -> Solo:
    """Return a game with the same cards in sight and all that its player has never seen shuffled."""
    board = solo.board
    assert isinstance(board, DoubleBoard)
    known = len(board.stock) - min(59 - solo.seen, len(board.stock))
    hidden = [card for column, down in zip(board.columns, board.down, strict=True) for card in column[:down]]
    cards = [*hidden, *board.stock[known:]]
    Random(seed).shuffle(cards)
    shuffled = iter(cards)
    columns = tuple(
        (*islice(shuffled, down), *column[down:]) for column, down in zip(board.columns, board.down, strict=True)
    )
    return replace(solo, board=replace(board, columns=columns, stock=(*board.stock[:known], *shuffled)))


@pytest.mark.parametrize(("name", "code"), PLAYED)
def test_comes_to_an_end(name: str, code: str) -> None:
    """Every player plays legal words until it wins or settles, well before a bench would stop it."""
    _, words = play(player(name, code), dealt(code))
    assert len(words) < MOST


@pytest.mark.parametrize("name", PLAYERS)
def test_repeats_its_game_for_a_seed(name: str) -> None:
    """The same seed gives the same words."""
    games = [play(player(name, CODES[3], seed=5), dealt(CODES[3]))[1] for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(("name", "code", "goal"), SEEING)
def test_does_not_see_hidden_cards(name: str, code: str, goal: Goal) -> None:
    """At every position two boards that differ only in cards nobody has seen get the same word."""
    solo = dealt(code)
    players = [player(name, code, goal) for _ in range(2)]
    for turn in range(200):
        views = [solo.position(), twin(solo, turn).position()]
        assert views[0] == views[1]
        words = {who.choose(view, Budget(nodes=20)).word for who, view in zip(players, views, strict=True)}
        assert len(words) == 1
        after = solo.play(words.pop())
        if not isinstance(after, Played):
            return
        solo = after.solo


@pytest.mark.parametrize("name", PLAYERS)
def test_settles_when_nothing_is_legal(name: str) -> None:
    """With no legal move every player settles: no loop, no wait."""
    view = dealt(CODES[0]).position() | {"legal": []}
    assert player(name, CODES[0]).choose(view, Budget()).word == DONE


@pytest.mark.parametrize("code", CODES[3:])
def test_the_oracle_does_better_than_who_does_not_see(code: str) -> None:
    """Given the deal it comes to more points than the steady player, and wins what can be won."""
    ends = {name: play(player(name, code), dealt(code))[0].board for name in ("oracle", "steady")}
    assert ends["oracle"].settled_score > ends["steady"].settled_score
    if parse_code(code).rules == DoubleRules(3, "N", once=True):
        assert ends["oracle"].status is Status.WON
