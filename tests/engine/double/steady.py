"""A simple player that takes nothing back, to have whole games of Double Solitaire to look at."""

from functools import lru_cache
from random import Random

from engine.codes import Code
from engine.double.board import DoubleBoard
from engine.refusals import Reason, Status
from engine.solo import Solo, deal_out

__all__ = ["steady_game"]


@lru_cache(maxsize=64)
def steady_game(code: Code, seed: int = 0, most: int = 2000) -> tuple[Solo, tuple[str, ...]]:
    """Play a code until it is won or leads nowhere; return the game and its words."""
    chance, solo = Random(seed), deal_out(code)
    words: list[str] = []
    idle = 0
    while solo.board.status is Status.PLAYING and len(words) < most:
        board = solo.board
        assert isinstance(board, DoubleBoard)
        legal = [(_worth(board, word), chance.random(), word) for word in board.legal()]
        worth, _, word = max(legal, default=(-1, 0.0, ""))
        if worth < 0:
            break
        idle = 0 if worth > 1 else idle + 1
        if idle > 2 * 59:
            break
        outcome = solo.play(word)
        assert not isinstance(outcome, Reason)
        solo = outcome.solo
        words.append(word)
    return solo, tuple(words)


def _worth(board: DoubleBoard, word: str) -> int:
    """Return how gladly a move is made; below 0 not at all: what could go to and fro for ever."""
    source, _, target = word.partition("-")
    if not target:
        return 1 if word == "d" else 0
    if target == "f":
        return 5
    if source[0] == "f":
        return -1
    if source == "w":
        return 3
    at = int(source[1]) - 1
    cards = int(target.partition("x")[2] or 1)
    if cards < len(board.columns[at]) - board.down[at]:
        return -1
    if board.down[at]:
        return 4
    # A column is emptied only for a king that waits.
    empties = not board.columns[int(target[1]) - 1]
    return -1 if empties else 2
