"""The roster, and its players of Golf: they finish their games, repeat them and see only what their seat sees."""

from itertools import islice

import pytest

from bots import roster
from bots.player import DONE, Budget, Goal, Seat
from engine.codes import parse_code
from engine.double.rules import DoubleRules
from engine.refusals import Status
from engine.solo import Played, Solo, deal_out
from tests.bots.players.table import play

BUDGET = Budget(nodes=20)
CODES = ["GO1-E-AAAAAAC", "GO1-C-AAAAAAD", "GO1-S-AAAAAAE", "GO1-EX-AAAAAAF", "GO1-SJ2X-AAAAAAG", "GO1-CJ1-AAAAAAH"]

GOLFERS = [name for name, one in roster.ROSTER.items() if "GO" in one.games]
FAIR = [name for name in GOLFERS if roster.entry(name).mode == "fair"]


def player(name: str, code: str, goal: Goal = "score", seed: int = 1) -> roster.Player:
    parsed = parse_code(code)
    return roster.new(name, rules=parsed.rules, goal=goal, seed=seed, code=parsed)


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("name", FAIR)
def test_plays_to_an_end(name: str, code: str) -> None:
    """Every player plays legal words until its game is won or stuck, under every letter and option."""
    end, words = play(player(name, code), code, BUDGET)
    assert end.board.status in (Status.WON, Status.STUCK)
    assert len(words) == end.moves <= 54


@pytest.mark.parametrize("name", GOLFERS)
def test_repeats_its_game_for_a_seed(name: str) -> None:
    """The same seed and nodes give the same words."""
    games = [play(player(name, CODES[0], seed=seed), CODES[0], BUDGET)[1] for seed in (5, 5)]
    assert games[0] == games[1]


def test_random_follows_its_seed() -> None:
    """Different seeds give different games of the random player."""
    games = {tuple(play(player("random", CODES[0], seed=seed), CODES[0], BUDGET)[1]) for seed in range(5)}
    assert len(games) > 1


@pytest.mark.parametrize("goal", ["first", "score", "moves", "strokes"])
@pytest.mark.parametrize("name", FAIR)
def test_does_not_see_hidden_cards(name: str, goal: Goal) -> None:
    """Two deals that differ only in cards not yet drawn get the same words until a different card turns up."""
    solo = deal_out(parse_code("GO1-E-AAAAAAC"))
    board = solo.board
    stock = board.stock
    twin = Solo(solo.game, type(board)(board.rules, board.columns, board.waste, (*stock[:4], *reversed(stock[4:]))))
    players = [player(name, "GO1-E-AAAAAAC", goal) for _ in range(2)]
    games = [solo, twin]
    while games[0].board.drawn <= 4 and games[0].board.status is Status.PLAYING:
        words = {who.choose(game.position(), BUDGET).word for who, game in zip(players, games, strict=True)}
        assert len(words) == 1
        word = words.pop()
        games = [game.play(word).solo for game in games]  # type: ignore[union-attr]
    assert games[0].board.drawn > 4


@pytest.mark.parametrize("name", GOLFERS)
def test_settles_when_nothing_is_legal(name: str) -> None:
    """Stuck, every player settles: no loop, no wait."""
    view = deal_out(parse_code("GO1-E-AAAAAAC")).position() | {"legal": [], "status": "stuck"}
    assert player(name, "GO1-E-AAAAAAC").choose(view, BUDGET).word == DONE


def test_better_players_leave_fewer_cards() -> None:
    """Over sixty easy deals each of these players leaves fewer cards than the one before it."""
    rising = ["random", "level-2", "level-4", "level-6", "solver", "oracle"]
    left = dict.fromkeys(rising, 0)
    for number in islice(("GO1-E-AAAAB" + a + b for a in "ABCDEFGH" for b in "ABCDEFGH"), 60):
        for name in left:
            left[name] += play(player(name, number, "score", seed=3), number, Budget(nodes=400))[0].board.left
    assert rising == sorted(left, key=lambda name: -left[name])


def test_names_what_is_wrong() -> None:
    """An unknown name lists the names, a game that is not played lists the games."""
    with pytest.raises(roster.UnknownPlayer, match=r"expected one of random, greedy, .*, found 'grandmaster'"):
        roster.entry("grandmaster")
    golfer = roster.Entry(name="golfer", description="Golf only.", makers={"GO": lambda _: player("random", CODES[0])})
    with pytest.raises(roster.UnknownPlayer, match=r"expected a game that golfer plays \(GO\), found DS"):
        golfer.player(Seat(DoubleRules()))


def test_entries_say_what_they_are() -> None:
    """Each entry is named like its key and described in a sentence; whoever is given the deal says so in its name."""
    for name, one in roster.ROSTER.items():
        assert one.name == name
        assert one.description.endswith(".")
        assert (one.mode == "oracle") == ("oracle" in name)


def test_solver_uses_a_stock_it_has_seen() -> None:
    """Once all of the stock has been turned up and taken back, the solver wins what can be won."""
    code = parse_code("GO1-E-AAAAAAB")
    solo = deal_out(code)
    for word in ["d"] * 16 + ["u"] * 16:
        after = solo.play(word)
        assert isinstance(after, Played)
        solo = after.solo
    assert "--" not in solo.position()["stock_known"]
    who = player("solver", str(code))
    while solo.board.status is Status.PLAYING:
        after = solo.play(who.choose(solo.position(), BUDGET).word)
        assert isinstance(after, Played)
        solo = after.solo
    assert solo.board.status is Status.WON


def test_solver_plans_anew_when_its_plan_does_not_follow() -> None:
    """A view that is not what its last word leads to, as after an undo, is looked at afresh."""
    code = parse_code("GO1-E-AAAAAAC")
    who = player("solver", str(code))
    start = deal_out(code)
    first = who.choose(start.position(), BUDGET).word
    after = start.play(first)
    assert isinstance(after, Played)
    who.choose(after.solo.position(), BUDGET)
    assert who.choose(start.position(), BUDGET).word in start.board.legal()
