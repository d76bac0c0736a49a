"""Load or compile every kernel before a first move needs one; `python -m bots.players.warm_up` does it by hand."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Final

from bots.player import Budget, Player, Seat
from bots.players.double.oracle import OracleDouble
from bots.players.double.solver import SolverDouble
from bots.players.solver import SolverGolf
from bots.solver.double import verdict as double
from bots.solver.verdict import solve_golf
from engine.cards import Card, pack, rank_of
from engine.codes import deal, parse_code
from engine.double.board import DoubleBoard
from engine.double.rules import COLUMNS, DoubleRules
from engine.game import GAMES
from engine.golf.rules import GolfRules
from engine.solo import Played, Solo, deal_out

CODES: Final = ("GO1-E-AAAAAAB", "GO1-S-AAAAAAB")
"""One deal for each kind of search."""
FIRST: Final = 40
"""Moves of a game after which every kernel of play-outs has been used."""
LEAST: Final = Budget(nodes=1)


def warm_up(game: str) -> float:
    """Solve and play a little of a game (its letters); returns the seconds it took.

    Meant for the process that will play: half a minute where nothing is compiled yet, a second or so afterwards.
    """
    begun = time.perf_counter()
    if game == "GO":
        for text in CODES:
            code = parse_code(text)
            assert isinstance(code.rules, GolfRules)
            cards = deal(code)
            solve_golf(code.rules, cards.columns, cards.waste, cards.stock)
    else:
        double.warm_up()
    for player, solo in _golf() if game == "GO" else _double():
        _play(player, solo)
    return time.perf_counter() - begun


def _golf() -> Iterator[tuple[Player, Solo]]:
    code = parse_code(CODES[0])
    yield SolverGolf(Seat(code.rules)), deal_out(code)


def _double() -> Iterator[tuple[Player, Solo]]:
    code = parse_code("DS1-D3N-AAAAAAB")
    assert isinstance(code.rules, DoubleRules)
    yield SolverDouble(Seat(code.rules, goal="moves")), deal_out(code)
    # No card is hidden, and only kings are left to be put up.
    kings = [(Card(card),) for card in pack() if rank_of(card) == 13] * 2
    board = DoubleBoard(code.rules, (*kings, *[()] * (COLUMNS - len(kings))), (0,) * COLUMNS, (), (), (12,) * 8)
    yield SolverDouble(Seat(code.rules, goal="score")), Solo(GAMES["DS"], board)
    # With one round games are played out by habit, and the oracle asks the exact solver where a play-out does not win.
    code = parse_code("DS1-D3V-AAAAAAB")
    yield SolverDouble(Seat(code.rules)), deal_out(code)
    yield OracleDouble(Seat(code.rules, code=code)), deal_out(code)


def _play(player: Player, solo: Solo) -> None:
    for _ in range(FIRST):
        after = solo.play(player.choose(solo.position(), LEAST).word)
        if not isinstance(after, Played):
            return
        solo = after.solo


if __name__ == "__main__":
    for letters in sys.argv[1:] or GAMES:
        print(f"{letters} ready after {warm_up(letters):.2f} s")
