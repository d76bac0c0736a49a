"""What a move costs: `python -m tests.engine.speed` prints median microseconds and the ratio of the games.

Each position of a whole game is measured for itself, the best of several runs; nothing is asserted.
"""

import sys
from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter
from timeit import repeat

from engine.log.entry import GENESIS
from engine.race.commands import Play
from engine.race.decide import Happens, decide
from engine.race.evolve import evolve
from engine.record import Record, parse_record
from engine.solo import Played, Solo, deal_out
from tests.engine.double.steady import steady_game
from tests.engine.golf.printed import WON
from tests.engine.race.course import Course

DOUBLE = parse_record("DS1-D3N-AAAAAAR").code
GAMES = {"Golf": parse_record(WON), "Double": Record(DOUBLE, steady_game(DOUBLE)[1])}


def positions(record: Record) -> list[tuple[Solo, str]]:
    """Every game position of a record but the last, each with the word played there."""
    solo, every = deal_out(record.code), []
    for word in record.words:
        every.append((solo, word))
        outcome = solo.play(word)
        assert isinstance(outcome, Played)
        solo = outcome.solo
    return every


JOBS: Mapping[str, Callable[[Solo, str], object]] = {
    "play": lambda solo, word: solo.play(word),
    "refuse": lambda solo, _: solo.play("t9-t9x9"),
    "undo": lambda solo, _: solo.play("u"),
    "legal": lambda solo, _: solo.board.legal(),
    "position": lambda solo, _: solo.position(),
}


def cost_us(job: Callable[[Solo, str], object], record: Record, rounds: int = 20) -> float:
    """Return the median over a game's positions of the microseconds that a job takes there."""
    return median(
        min(repeat(lambda: job(solo, word), number=rounds, repeat=7)) / rounds * 1e6  # noqa: B023 - called here
        for solo, word in positions(record)
    )


def raced_us(record: Record) -> float:
    """Return the median over a game's moves of the microseconds that deciding and folding one takes in a race."""
    return median(min(move) * 1e6 for move in zip(*(raced(record) for _ in range(7)), strict=True))


def raced(record: Record) -> list[float]:
    """Play a whole game in a new race; return the seconds of each move."""
    course = Course(code=str(record.code)).begin("ann", "bob")
    race, seconds = course.race, []
    for n, word in enumerate(record.words, 1):
        begun = perf_counter()
        decision = decide(race, Play("ann", n, word, course.now))
        assert isinstance(decision, Happens)
        race = evolve(race, decision.events[0], course.now, GENESIS)
        seconds.append(perf_counter() - begun)
    return seconds


if __name__ == "__main__":
    sys.stdout.write(f"{'µs':<16}{''.join(f'{name:>8}' for name in GAMES)}   ratio\n")
    costs = {name: [cost_us(job, record) for record in GAMES.values()] for name, job in JOBS.items()}
    costs["decide + evolve"] = [raced_us(record) for record in GAMES.values()]
    for name, (golf, double) in costs.items():
        sys.stdout.write(f"{name:<16}{golf:8.2f}{double:8.2f}{double / golf:8.1f}\n")
