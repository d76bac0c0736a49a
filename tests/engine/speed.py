"""What a move costs: `python -m tests.engine.speed` prints microseconds, best of several runs. Nothing is asserted."""

import sys
from collections.abc import Callable
from timeit import repeat

from engine.record import parse_record
from engine.solo import Played, Solo, deal_out
from tests.engine.golf.printed import WON

RECORD = parse_record(WON)
START = deal_out(RECORD.code)


def positions() -> list[Solo]:
    """Every game position of the won record but the last."""
    solo, every = START, []
    for word in RECORD.words:
        every.append(solo)
        outcome = solo.play(word)
        assert isinstance(outcome, Played)
        solo = outcome.solo
    return every


POSITIONS = positions()


def play() -> None:
    for solo, word in zip(POSITIONS, RECORD.words, strict=True):
        solo.play(word)


def refuse() -> None:
    for solo in POSITIONS:
        solo.play("c1r1")


def undo() -> None:
    for solo in POSITIONS:
        solo.play("u")


def legal() -> None:
    for solo in POSITIONS:
        solo.board.legal()


def position() -> None:
    for solo in POSITIONS:
        solo.position()


def cost_us(job: Callable[[], None], rounds: int = 200) -> float:
    """Return the microseconds of one call inside the job, from the quickest of seven runs."""
    return min(repeat(job, number=rounds, repeat=7)) / rounds / len(POSITIONS) * 1e6


if __name__ == "__main__":
    for job in (play, refuse, undo, legal, position):
        sys.stdout.write(f"{job.__name__:<10}{cost_us(job):6.2f} µs\n")
