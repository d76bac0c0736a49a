"""`fairdeal bench --race`: real races whose moves give the same score as in the arena."""

import shlex
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bots.bench.arena import play_game
from bots.bench.deals import Deal
from bots.bench.rows import Row, read_rows
from bots.conditions import Conditions
from tests.bots.bench.test_arena import Ruled
from tests.bots.external.programs import command
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

EXAMPLE = Path(__file__).parents[2] / "bots" / "examples" / "first_card.py"


def arena_row(row: Row) -> Row:
    """Play a race's words again in the arena."""
    words = iter([*row.record.split()[1:], "done"])
    return play_game(Ruled(lambda view: next(words)), row.bot, Deal(row.code, row.seed), Conditions())


@pytest.mark.parametrize(
    ("game", "deals", "names"),
    [
        ("golf-strict-1000", 2, ("random", f"cmd:{sys.executable} {EXAMPLE}")),
        ("double-d3v-200", 1, (f"cmd:{shlex.join(command('settles'))}", f"cmd:{shlex.join(command('settles'))} too")),
    ],
    ids=["golf", "double"],
)
def test_races_score_as_the_arena_does(tmp_path: Path, game: str, deals: int, names: tuple[str, str]) -> None:
    """A bot of the roster and a program race some deals; each record played again in the arena has the same score."""
    bots = ["--bot", names[0], "--bot", names[1]]
    words = ["bench", game, "--deals", str(deals), *bots, "--race", "--pace", "200", "--out", str(tmp_path), "--json"]
    done = subprocess.run([sys.executable, "-m", "server", *words], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    summary = msgspec.json.decode(done.stdout)
    assert (summary["complete"], summary["plan"]["pace"]) == (True, "200")
    rows = read_rows(tmp_path / "rows.ndjson")
    assert len(rows) == 2 * deals
    for row in rows:
        again = arena_row(row)
        assert (again.score, again.moves, again.cleared) == (row.score, row.moves, row.cleared)
        assert (again.status, again.reason) == (row.status, None)
        assert row.wall_ms > 0
