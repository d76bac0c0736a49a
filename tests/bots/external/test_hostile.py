"""Programs that misbehave: their game ends with a reason, the next one is played, and nothing of them is left."""

import sys
from pathlib import Path

import pytest

from bots.bench.arena import play_game
from bots.bench.deals import Deal
from bots.bench.rows import End, Row
from bots.conditions import Conditions
from bots.contender import Failed, Failure
from bots.external.bot import ExternalBot, greeting_of
from tests.bots.external.programs import command, left_over

DEALS = [Deal(f"GO1-E-AAAAAA{letter}", 1) for letter in "BC"]
PATIENT = Conditions(move_ms=5000)
HURRIED = Conditions(move_ms=150)

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="processes are looked at in /proc")


def played(way: str, conditions: Conditions, log: Path | None = None, start_s: float = 30) -> list[Row]:
    with ExternalBot(command(way), conditions, log, start_s=start_s) as bot:
        rows = [play_game(bot, way, deal, conditions) for deal in DEALS]
    assert not left_over()
    return rows


@pytest.mark.parametrize(
    ("way", "conditions", "reason", "says"),
    [
        ("mute", HURRIED, Failure.TIMEOUT, "expected an answer within 150 ms in time, found nothing"),
        ("endless", PATIENT, Failure.BAD_JSON, "expected lines of at most 65536 bytes"),
        ("not json", PATIENT, Failure.BAD_JSON, "expected a message, found"),
        ("no object", PATIENT, Failure.BAD_JSON, "expected a message, found '[]'"),
        ("no word", PATIENT, Failure.BAD_JSON, "missing required field `m`"),
        ("not utf-8", PATIENT, Failure.BAD_JSON, "expected a message"),
        ("dies", PATIENT, Failure.EXIT, "its end with status 3: I give up"),
        ("closes its output", PATIENT, Failure.EXIT, "its output closed"),
        ("illegal", PATIENT, Failure.ILLEGAL, "found 'zz'"),
        ("ahead", PATIENT, Failure.WRONG_TURN, "expected game 1, turn 3, found 1, 4"),
        ("late", HURRIED, Failure.TIMEOUT, "150 ms"),
        ("eats", Conditions(move_ms=5000, memory_mb=150), Failure.MEMORY, "expected at most 150 MB"),
    ],
)
def test_a_fault_ends_its_game_and_the_next_begins_anew(
    way: str, conditions: Conditions, reason: Failure, says: str
) -> None:
    """Both games fail at the third move, for the same reason, settled as they stood, and nothing is left."""
    rows = played(way, conditions)
    assert [(End.FAILED, reason, 2)] * 2 == [(row.status, row.reason, row.moves) for row in rows]
    assert says in (rows[0].detail or "")
    assert [row.score for row in rows] == [0, 0]


@pytest.mark.parametrize(
    "way", ["twice", "forks", "stays", "dies between games", "floods its log", "never mind", "never reads"]
)
def test_what_disturbs_no_game_is_borne(way: str) -> None:
    """Games are played to their end, whatever else the program does; the second by a new process where need be."""
    rows = played(way, HURRIED, start_s=0.5) if way == "never reads" else played(way, PATIENT)
    assert rows[1].status is End.WON
    assert (rows[0].reason is Failure.TIMEOUT) == (way == "never reads")


def test_a_program_that_never_speaks_fails_each_game() -> None:
    """The wait for `hello` is bounded, and no process is left behind."""
    rows = played("silent", PATIENT, start_s=0.3)
    assert [(row.reason, row.detail) for row in rows] == [
        (Failure.TIMEOUT, "expected hello within 0.3 s in time, found nothing")
    ] * 2


def test_a_program_that_is_not_there_fails_each_game() -> None:
    """The row says so; it is no fault of the bench."""
    conditions = Conditions()
    with ExternalBot(("./no-such-bot",), conditions) as bot:
        row = play_game(bot, "nobody", DEALS[0], conditions)
    assert (row.reason, row.detail) == (
        Failure.EXIT,
        "expected a program, found ./no-such-bot: No such file or directory",
    )


def test_only_an_oracle_is_given_the_deal_and_stderr_is_kept(tmp_path: Path) -> None:
    """It gets the code and all the stock; a fair bot exits if it does."""
    log = tmp_path / "oracle.log"
    played("oracle", PATIENT, log)
    assert log.read_text().startswith("GO1-E-AAAAAAB ['8S', '4D', 'KS', ")
    assert greeting_of(command("oracle"), PATIENT).mode == "oracle"


def test_a_program_is_told_of_its_fault(tmp_path: Path) -> None:
    """`error` comes before `end`."""
    log = tmp_path / "illegal.log"
    played("illegal", PATIENT, log)
    assert log.read_text() == "told: illegal\n" * 2


def test_a_greeting_that_promises_an_unknown_game_is_no_greeting() -> None:
    """The message says what is wrong with it."""
    with pytest.raises(Failed, match="expected one of GO, DS, found 'chess'"):
        greeting_of(command("plays chess"), PATIENT)


def test_the_cost_of_a_game_is_that_of_its_processes() -> None:
    """CPU and memory are those of the program, not of the bench."""
    rows = played("never mind", PATIENT)
    assert all(row.cpu_ms > 0 for row in rows)
    assert all(2 < row.memory_mb < 100 for row in rows)
    assert all(row.wall_ms >= row.slowest_ms > 0 for row in rows)
