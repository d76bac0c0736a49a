"""What the bench itself costs: `python -m tests.load.bench` prints moves a second and what a program's move takes.

Each figure stands beside a bare loop of the same run: the engine playing random legal words, and lines of JSON to and
from a child that answers at once. Nothing is asserted.
"""

import sys
import time
from pathlib import Path
from random import Random
from statistics import median
from subprocess import PIPE, Popen
from typing import Any

import msgspec

from bots.bench.arena import Job, play_game, play_job
from bots.bench.contestant import contestant
from bots.bench.deals import deal_of
from bots.bench.suites import suite
from bots.conditions import Conditions
from bots.external.bot import ExternalBot
from engine.codes import parse_code
from engine.solo import Played, deal_out

ROUNDS = 5
DEALS = 300
OPERATIONS = 200
EXAMPLE = Path(__file__).parents[2] / "bots" / "examples" / "first_card.py"
ECHO = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    legal = asked["view"]["legal"]
    word = ([word for word in legal if word != "d"] or legal or ["done"])[0]
    print(json.dumps({"t": "best", "game": asked["game"], "turn": asked["turn"], "m": word}), flush=True)
"""


def bare_moves_per_s(codes: tuple[str, ...]) -> float:
    """The engine alone: legal words, one of them by chance, played; no view is made."""
    chance, moves, begun = Random(1), 0, time.process_time()
    for code in codes:
        solo = deal_out(parse_code(code))
        while (legal := solo.board.legal()) and solo.moves < OPERATIONS:
            outcome = solo.play(chance.choice(legal))
            assert isinstance(outcome, Played)
            solo = outcome.solo
        moves += solo.moves
    return moves / (time.process_time() - begun)


def arena_moves_per_s(codes: tuple[str, ...]) -> float:
    """The random bot in the arena, on the same deals."""
    conditions = Conditions(max_ops=OPERATIONS)
    job = Job(contestant("random", conditions), conditions, tuple(deal_of(code, conditions) for code in codes))
    begun = time.process_time()
    rows = play_job(job).rows
    return sum(row.moves for row in rows) / (time.process_time() - begun)


def bare_round_trip_ms(views: list[dict[str, Any]]) -> float:
    """The median of a line with a view to a child and its answer."""
    took = []
    with Popen([sys.executable, "-S", "-c", ECHO], stdin=PIPE, stdout=PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        for turn, view in enumerate(views):
            begun = time.perf_counter()
            go = {"t": "go", "game": 1, "turn": turn, "played": [], "view": view, "budget_ms": 50}
            child.stdin.write(msgspec.json.encode(go) + b"\n")
            child.stdin.flush()
            msgspec.json.decode(child.stdout.readline())
            took.append((time.perf_counter() - begun) * 1000)
        child.stdin.close()
    return median(took)


def program_move_ms(codes: tuple[str, ...]) -> float:
    """The median game's mean time for a move of the Python example, as its row has it."""
    conditions = Conditions(move_ms=1000, max_ops=OPERATIONS)
    with ExternalBot((sys.executable, "-S", str(EXAMPLE)), conditions) as bot:
        rows = [play_game(bot, "first card", deal_of(code, conditions), conditions) for code in codes]
    return median(row.wall_ms / row.moves for row in rows)


def views_of(codes: tuple[str, ...]) -> list[dict[str, Any]]:
    """The first views of many games."""
    return [deal_out(parse_code(code)).position() for code in codes]


if __name__ == "__main__":
    for name in ("golf-easy-1000", "double-d1n-200"):
        codes = suite(name).codes[:DEALS]
        bare = arena = 0.0
        for _ in range(ROUNDS):
            bare, arena = max(bare, bare_moves_per_s(codes)), max(arena, arena_moves_per_s(codes))
        sys.stdout.write(f"{name}: random {arena:,.0f} moves/s, engine alone {bare:,.0f}, ratio {arena / bare:.2f}\n")
        trip = move = float("inf")
        for _ in range(ROUNDS):
            trip, move = min(trip, bare_round_trip_ms(views_of(codes))), min(move, program_move_ms(codes[:60]))
        sys.stdout.write(
            f"{name}: a program's move {move:.3f} ms, bare round trip {trip:.3f}, more {move - trip:.3f}\n"
        )
