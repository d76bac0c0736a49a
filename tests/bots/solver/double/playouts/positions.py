"""Positions of games of the steady player, laid out for play-outs."""

from bots.players.double.laid import Within, lay_out, limit
from bots.players.double.sight import look
from bots.solver.double import playouts
from bots.solver.double.playouts.playtable import Table, Weights, table
from engine.double.board import DoubleBoard
from engine.solo import Played, Solo
from tests.bots.players.double.test_players import dealt, play, player
from tests.bots.solver.plain import plain

CODES = ["DS1-D1NO-AAAAAAH", "DS1-D3NO-AAAAAAI", "DS1-D3VO-AAAAAAJ"]
STEADY = Weights(
    run=160,
    part=192,
    put_up=8,
    taken_back=400,
    to_column=192,
    to_foundation=224,
    draw=160,
    turned_none=320,
    taken_place=160,
    given_place=80,
    buried=64,
    recycle=160,
    per_point=8,
)
"""Those of the steady player (`bots/players/double/steps.py`), in sixteenths."""
KERNELS = {"compiled": playouts, "plain": plain(playouts.__name__)}
TABLE = table(STEADY)


def after(solo: Solo, words: list[str]) -> Solo:
    """Return the game after some words, all of them legal."""
    for word in words:
        played = solo.play(word)
        assert isinstance(played, Played), (word, played)
        solo = played.solo
    return solo


def rules_of(solo: Solo) -> tuple[DoubleBoard, bool]:
    board = solo.board
    assert isinstance(board, DoubleBoard)
    return board, board.rules.scoring == "N"


def laid(solo: Solo, within: int) -> tuple[Table, int]:
    """Return the table with a game's position as its root, and how many cards are not seen."""
    board, _ = rules_of(solo)
    limit(TABLE, Within(within, within, within))
    return TABLE, lay_out(TABLE, look(solo.position()), board.rules)


def games_of(code: str, every: int, *, taking_back: bool = True) -> list[Solo]:
    """Return some positions of the steady player's game: all of it, or up to the first card taken back."""
    solo, found = dealt(code), []
    for turn, word in enumerate(play(player("steady", code), solo)[1]):
        if word.startswith("f") and not taking_back:
            break
        if turn % every == 0:
            found.append(solo)
        solo = after(solo, [word])
    return found
