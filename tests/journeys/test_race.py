"""A race of bots on a real server by one command, and what is left of it: standings, a file that verifies, a replay."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.journeys.processes import fairdeal
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

CODE = "GO1-E-AAAAAAB"


async def run(*arguments: str | Path) -> tuple[int, str, str]:
    """Run a command to its end: status, stdout, stderr."""
    async with fairdeal(*arguments) as command:
        out, err = await command.process.communicate()
    assert command.process.returncode is not None
    return command.process.returncode, out.decode(), err.decode()


@pytest.mark.usefixtures("kernels")
async def test_bots_race_and_the_file_verifies(tmp_path: Path) -> None:
    """Events stream as JSON, the last line has standings; the file holds, tells what was seen, and can be replayed."""
    file, seen = tmp_path / "r.fairdeal", tmp_path / "seen"

    status, out, _ = await run(
        "race", CODE, "--bot", "solver", "--bot", "greedy", "--pace", "60", "--json", "--save", file
    )
    assert status == 0
    last = json.loads(out.splitlines()[-1])
    assert sorted(row["name"] for row in last["standings"]) == ["greedy", "solver"]
    assert {"rank", "seat", "name", "kind", "score", "status", "moves"} <= last["standings"][0].keys()
    kinds = [event["k"] for event in map(json.loads, out.splitlines()) if event.get("t") == "ev"]
    assert kinds.count("race.joined") + kinds.count("race.ready") <= 4
    assert kinds[-1] == "race.finished"
    assert "seat.played" in kinds

    seen.write_text(out)
    status, out, _ = await run("verify", file, "--seen", seen)
    assert (status, out.split(",")[0]) == (0, f"verified: race {last['race']} on {CODE}")

    status, out, _ = await run("replay", file, "--json")
    assert (status, json.loads(out.splitlines()[-1])) == (0, last)

    damaged = bytearray(file.read_bytes())
    damaged[len(damaged) // 2] ^= 1
    file.write_bytes(damaged)
    status, out, err = await run("verify", file)
    assert (status, out) == (1, "")
    assert "does not verify: entry" in err


async def test_an_interrupted_race_leaves_nothing_behind() -> None:
    """Ctrl-C ends the command, its server and its worker; the status says that it was not done."""
    async with fairdeal("race", CODE, "--bot", "greedy", "--pace", "1", "--json") as command:
        assert json.loads(await command.line())["t"] == "snap"
        assert await command.end(signal.SIGINT) == 1
