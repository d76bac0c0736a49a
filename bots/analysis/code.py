"""How hard a deal is: what it has to give, and which bots of the roster win it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from bots.analysis.position import reach
from bots.bench.arena import play_game
from bots.bench.builtin import BuiltIn
from bots.bench.deals import Deal
from bots.conditions import Conditions
from bots.roster import ROSTER
from engine.codes import Code
from engine.game import first_board
from engine.question import CodeAnswer

__all__ = ["GAMES_EACH", "NODES", "code_answer", "won_by"]

GAMES_EACH: Final = 3
"""Games that each bot plays on a deal, each with chances of its own."""
NODES: Final = 200
"""What a bot may spend on a move, in nodes: it then plays the same on any machine."""


def code_answer(code: Code, ms: float | None = None) -> CodeAnswer:
    """Search a deal and let the roster play it, within so many CPU milliseconds, of which the search takes half."""
    begun = time.thread_time()
    start = reach(first_board(code), None if ms is None else ms / 2)
    left = None if ms is None else ms - (time.thread_time() - begun) * 1000
    return CodeAnswer(start, won_by(code, left))


def won_by(code: Code, ms: float | None = None, games_each: int = GAMES_EACH) -> dict[str, tuple[int, int]]:
    """Let every bot that sees what a person sees play a deal to clear it; returns games won and games played, by bot.

    All play once before any plays again. When the CPU time is up no game is begun: the last have then played fewer.
    """
    begun = time.thread_time()
    conditions = Conditions(goal="first", nodes=NODES)
    games: dict[str, tuple[int, int]] = {}
    for seed in range(games_each):
        for name in _players(code.game):
            if ms is not None and (time.thread_time() - begun) * 1000 >= ms:
                return games
            won, played = games.get(name, (0, 0))
            with BuiltIn(name, conditions) as bot:
                row = play_game(bot, name, Deal(str(code), seed), conditions)
            games[name] = (won + row.won, played + 1)
    return games


def _players(game: str) -> Sequence[str]:
    return [one.name for one in ROSTER.values() if game in one.games and one.mode == "fair"]
