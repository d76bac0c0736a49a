"""What the guide shows about bots of one's own, run as it stands there."""

import re
import sys
from pathlib import Path

import pytest

from bots.bench.check import checked
from bots.bench.rows import End, Row
from bots.bench.suites import SUITES
from bots.contender import Failure
from engine.record import parse_record, replay

GUIDE = (Path(__file__).parents[3] / "bots" / "README.md").read_text("utf-8")


def block(begins: str) -> str:
    """The Python example that begins so."""
    found = re.search(rf"```python\n({re.escape(begins)}.*?)```", GUIDE, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_guides_bot_is_complete(tmp_path: Path) -> None:
    """Nothing is wrong with it."""
    program = tmp_path / "mybot.py"
    program.write_text(block("import json, sys"))
    assert [finding for finding in checked([sys.executable, "-S", str(program)]) if not finding.ok] == []


def test_the_guides_environment_plays_a_game(capsys: pytest.CaptureFixture[str]) -> None:
    """It prints a record that replays."""
    exec(block("import gymnasium"), {})
    record = capsys.readouterr().out.rsplit(" ", 1)[0]
    assert replay(parse_record(record))[1] == []


def test_the_guide_names_what_there_is() -> None:
    """Every suite, every key of a row, every end and every reason."""
    named = [*SUITES, *Row.__struct_fields__, *End, *Failure]
    assert [name for name in named if name not in GUIDE] == []
