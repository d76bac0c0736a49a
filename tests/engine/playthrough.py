"""A whole game as text, position by position, to be kept and compared.

`python -m tests.engine.playthrough GO1-E-AAAAAAB d 5 2` prints one; the files are in `tests/golden/playthroughs`.
"""

import sys

from engine.record import Record, parse_record
from engine.refusals import Reason
from engine.solo import Solo, deal_out

__all__ = ["playthrough"]


def playthrough(record: Record) -> str:
    """Return the record, then each word with the position after it, or with the reason why it was refused."""
    solo = deal_out(record.code)
    told = [str(record), "", _position(solo)]
    for number, word in enumerate(record.words, 1):
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            told += [f"{number}. {word}: {outcome}", ""]
        else:
            solo = outcome.solo
            told += [f"{number}. {word}", _position(solo)]
    return "\n".join(told)


def _position(solo: Solo) -> str:
    position = solo.position()
    known = " ".join(position["stock_known"]).replace(" --", "").replace("--", "")
    counters = f"moves: {solo.moves}  undoable: {solo.undoable}  known: {known or 'none'}"
    return f"{solo.board}\n{counters}\nlegal: {' '.join(position['legal']) or 'none'}\n"


if __name__ == "__main__":
    sys.stdout.write(playthrough(parse_record(" ".join(sys.argv[1:]))))
