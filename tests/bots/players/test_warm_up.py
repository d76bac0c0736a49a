"""Kernels are loaded before the first move: nobody waits for a compiler in mid-race."""

import json
import subprocess
import sys

from bots.players.warm_up import warm_up
from engine.game import GAMES

PLAYS: list[tuple[str, str, str]] = [
    ("solver", "GO1-C-AAAAAAB", "score"),
    ("steady", "GO1-E-AAAAAAC", "first"),
    ("oracle", "GO1-S-AAAAAAC", "score"),
    ("solver", "DS1-D1NO-AAAAAAC", "first"),
    ("solver", "DS1-D3VO-AAAAAAC", "score"),
    ("level-6", "DS1-D3NO-AAAAAAC", "moves"),
    ("oracle", "DS1-D3VO-AAAAAAC", "score"),
]


def test_games_compile_nothing_that_was_not_warm() -> None:
    """After the warm-up whole games by every player with kernels add no signature to any of them."""
    done = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True, timeout=300)
    assert json.loads(done.stdout) == {"before": True, "added": {}}


def _report() -> None:
    """Warm up, play, and print which kernels a game had to compile or load."""
    import gc

    from numba.core.registry import CPUDispatcher

    from bots.player import Budget, Seat
    from bots.roster import entry
    from engine.codes import parse_code
    from tests.bots.players.table import play

    def signatures() -> dict[str, int]:
        kernels = (one for one in gc.get_objects() if isinstance(one, CPUDispatcher))
        return {f"{one.__module__}.{one.__name__}": len(one.signatures) for one in kernels}

    for game in GAMES:
        warm_up(game)
    before = signatures()
    for name, text, goal in PLAYS:
        code, bot = parse_code(text), entry(name)
        seat = Seat(code.rules, goal=goal, code=code if bot.mode == "oracle" else None)  # type: ignore[arg-type]
        play(bot.player(seat), text, Budget(nodes=1))
    after = signatures()
    added = {name: count for name, count in after.items() if count != before.get(name)}
    print(json.dumps({"before": any(before.values()), "added": added}))


if __name__ == "__main__":
    _report()
