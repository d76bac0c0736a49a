"""Programs of one's own in a real race: joined by the command, told of the end, their token kept."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.client import Client
from engine.codes import parse_code
from engine.record import Record, replay
from tests.bots.external.programs import command
from tests.journeys.serving import serving
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("redis-server")]

EXAMPLE = Path(__file__).parents[2] / "bots" / "examples" / "first_card.py"
CODE = "GO1-E-AAAAAAB"


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as url:
        yield url


def run(address: str, race: str, token_file: Path, *words: str) -> "subprocess.Popen[str]":
    return start(address, "--race", race, "--token-file", str(token_file), words=words)


def start(address: str, *options: str, words: tuple[str, ...]) -> "subprocess.Popen[str]":
    line = ["bot", "run", "--server", address, "--pace", "25", *options]
    return subprocess.Popen(
        [sys.executable, "-m", "server", *line, "--", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


async def test_a_program_plays_a_race_and_a_bad_one_settles(address: str, tmp_path: Path) -> None:
    """Both take their seats; the example plays to the end, the one that plays an illegal move settles as it stands."""
    tokens = [tmp_path / "one", tmp_path / "other"]
    async with Client(address, name="host") as host:
        rid = await host.create_race({"code": CODE, "seats": 2, "goal": "score"})
        good = run(address, rid, tokens[0], sys.executable, str(EXAMPLE))
        bad = run(address, rid, tokens[1], *command("illegal"))
        race = await host.watch(rid)
        await race.until(lambda race: race.over)
        told = [process.communicate(timeout=20) for process in (good, bad)]
        events = await host.http.events(rid)
    assert race.standings is not None
    by_name = {one["name"]: one for one in race.standings}
    example, illegal = by_name["First card"], by_name["illegal"]
    assert (illegal["status"], illegal["moves"], illegal["kind"]) == ("done", 2, "bot")
    assert [process.returncode for process in (good, bad)] == [0, 0]
    assert told[0][0] == f"rank 1, {example['status']}, score {example['score']}, {example['moves']} moves\n"
    assert "bot failed, its seat settles" in told[1][1]
    words = tuple(event.d["m"] for event in events if event.k == "seat.played" and event.s == example["seat"])
    solo, _ = replay(Record(parse_code(CODE), words))
    assert (solo.board.settled_score, solo.moves) == (example["score"], example["moves"])
    assert [file.stat().st_mode & 0o777 for file in tokens] == [0o600, 0o600]
    async with Client(address, tokens[0].read_text().strip()) as again:
        assert again.player == example["player"]


def test_programs_meet_in_the_queue(address: str) -> None:
    """Two programs that wait for a quick race are paired, play it to its end, and say how it went."""
    waiting = [start(address, "--queue", "--game", "GO1-E", words=(sys.executable, str(EXAMPLE))) for _ in range(2)]
    told = [process.communicate(timeout=60) for process in waiting]
    assert [process.returncode for process in waiting] == [0, 0], told
    assert sorted(out.split(",")[0] for out, _ in told) in (["rank 1", "rank 1"], ["rank 1", "rank 2"])
    assert all("Waiting for a race" in err for _, err in told)


async def test_a_program_takes_challenges(address: str, tmp_path: Path) -> None:
    """One that plays Golf declines Double Solitaire, says why, then accepts Golf and plays it to its end."""
    golfer = tmp_path / "golfer.py"
    golfer.write_text(EXAMPLE.read_text().replace('["GO", "DS"]', '["GO"]').replace("First card", "Golfer"))
    taker = start(address, "--challenges", words=(sys.executable, str(golfer)))
    assert taker.stderr is not None
    player = taker.stderr.readline().rpartition("/p/")[2].strip()
    async with Client(address, name="Anna") as anna:
        declined = await anna.join(await anna.challenge(player, {"game": "DS1-D1N"}))
        await declined.until(lambda race: race.over)
        left = [event for event in await anna.http.events(declined.race) if event.k == "race.left"]
        assert [(event.s, event.d) for event in left] == [(2, {"reason": "game"})]
        race = await anna.join(await anna.challenge(player, {"game": "GO1-E", "goal": "score"}))
        await anna.ready(race.race)
        await race.until(lambda race: race.playing)
        await anna.done(race.race)
        await race.until(lambda race: race.over)
        assert race.standings is not None
        assert {one["name"] for one in race.standings} == {"Anna", "Golfer"}
    out, err = taker.communicate(timeout=60)
    assert (taker.returncode, out[:5]) == (0, "rank "), err
