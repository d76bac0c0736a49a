"""Foresight: who plays by the unseen cards is told from who plays by the seen ones, over some games."""

from __future__ import annotations

import pytest

from bots.analysis.foresight import foresight
from bots.analysis.position import WordsRefused
from bots.bench.arena import play_game
from bots.bench.builtin import BuiltIn
from bots.bench.deals import Deal
from bots.conditions import Conditions
from bots.player import DONE, Budget, Player, Seat
from bots.players.double.games import Care, Games
from bots.players.double.laid import NUMBER
from bots.players.double.sight import UNSEEN, Sight
from bots.players.double.solver import Decision, SolverDouble
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playtable import Table
from bots.solver.verdict import solve_golf
from engine.codes import Code, deal, parse_code
from engine.deal import Deal as Dealt
from engine.double.rules import STOCK
from engine.game import first_board
from engine.golf.board import GolfBoard
from engine.question import ForesightAnswer
from engine.solo import Played, deal_out

DOUBLE = [f"DS1-D3V-AAAAAA{letter}" for letter in "BCDEFGHJ"]
"""With one round what lies face down is worth knowing."""
CODES = [parse_code(f"GO1-C-AAAAAA{letter}") for letter in "BEF"]


def test_who_sees_all_cards_stands_out() -> None:
    """A game by all cards takes every occasion; a player who is as good as the seen cards allow takes few of them."""
    conditions = Conditions(goal="score", nodes=100)
    oracle, fair = [0, 0], [0, 0]
    for code in CODES:
        board = first_board(code)
        assert isinstance(board, GolfBoard)
        line = solve_golf(board.rules, board.columns, board.waste, board.stock).line
        with BuiltIn("solver", conditions) as bot:
            record = play_game(bot, "solver", Deal(str(code), 1), conditions).record
        for tally, words in ((oracle, line), (fair, tuple(record.split()[1:]))):
            answer = foresight(code, words)
            assert isinstance(answer, ForesightAnswer)
            assert answer.complete
            tally[0] += answer.taken
            tally[1] += answer.occasions
    assert oracle[0] == oracle[1] > 0
    assert fair[0] < fair[1]


class PlayingOut(SolverDouble):
    """A solver-backed player that weighs plans by the play-outs that foresight weighs them by, whatever the rules."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(seat, Care())
        self._games = Games


class Peeking(PlayingOut):
    """The same, told which cards are where: it plays its plans out with these."""

    def __init__(self, seat: Seat, dealt: Dealt) -> None:
        super().__init__(seat)
        self._dealt = dealt

    def _choose_plan(self, mine: Table, hidden: int, sight: Sight, budget: Budget) -> Decision:
        covered = [card for column, down in zip(self._dealt.columns, sight.down, strict=True) for card in column[:down]]
        stock = self._dealt.stock[STOCK - sight.stock.count(UNSEEN) :]
        mine.unseen[:hidden] = [NUMBER[card] for card in (*covered, *reversed(stock))]
        mine.mark[at.SEED] = -1
        return super()._choose_plan(mine, hidden, sight, budget)


def played(code: Code, player: Player) -> tuple[str, ...]:
    """Play a deal to its end; returns the words."""
    solo, words = deal_out(code), list[str]()
    while (word := player.choose(solo.position(), Budget(nodes=16)).word) != DONE:
        words.append(word)
        outcome = solo.play(word)
        assert isinstance(outcome, Played)
        solo = outcome.solo
    return tuple(words)


def test_who_sees_what_lies_face_down_stands_out() -> None:
    """Told the cards, a player of Double Solitaire takes nearly all occasions; fair, the same one takes about half."""
    peeking, fair = [0, 0], [0, 0]
    for text in DOUBLE:
        code = parse_code(text)
        seat = Seat(code.rules, seed=1)
        for tally, player in ((peeking, Peeking(seat, deal(code))), (fair, PlayingOut(seat))):
            answer = foresight(code, played(code, player))
            assert answer.complete
            tally[0] += answer.taken
            tally[1] += answer.occasions
    assert peeking[0] > 0.7 * peeking[1] > 5
    assert fair[0] < 0.6 * fair[1]


def test_what_was_seen_is_no_secret() -> None:
    """Cards that were drawn and put back count as seen: who has seen the whole stock has no occasion."""
    code = CODES[0]
    answer = foresight(code, ("d",) * 16 + ("u",) * 16 + ("d",) * 9)
    untouched = foresight(code, ("d",) * 16)
    assert isinstance(answer, ForesightAnswer)
    assert isinstance(untouched, ForesightAnswer)
    assert answer.decisions == untouched.decisions


def test_limits_and_refusals() -> None:
    """Without time nothing is weighed and that is said; words that cannot be played are refused."""
    assert foresight(CODES[0], ("d", "5"), 0) == ForesightAnswer(0, 0, 0, complete=False)
    double = parse_code(DOUBLE[0])
    words = played(double, SolverDouble(Seat(double.rules)))
    assert foresight(double, words, 0) == ForesightAnswer(0, 0, 0, complete=False)
    for code in (CODES[0], double):
        with pytest.raises(WordsRefused):
            foresight(code, ("7", "7", "7"))
