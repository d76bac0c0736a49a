"""Play a player's game on a code, as a table would: it is shown views and its words are played."""

from bots.player import DONE, Budget, Player
from engine.codes import parse_code
from engine.refusals import Status
from engine.solo import Played, Solo, UndoPolicy, deal_out


def play(player: Player, code: str, budget: Budget, undo: UndoPolicy = UndoPolicy.NONE) -> tuple[Solo, list[str]]:
    """Return the game at its end and the words played."""
    solo = deal_out(parse_code(code), undo)
    words: list[str] = []
    while solo.board.status is Status.PLAYING:
        word = player.choose(solo.position(), budget).word
        if word == DONE:
            break
        after = solo.play(word)
        assert isinstance(after, Played), (word, after)
        solo = after.solo
        words.append(word)
    return solo, words
