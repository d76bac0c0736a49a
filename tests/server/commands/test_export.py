"""`fairdeal export`: the archive as Parquet files that DuckDB answers from."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from engine.replay import write_replay
from server.cli import run
from server.store.archive import FolderArchive, open_folder
from tests.engine.replay.doctor import RACES, replayed


@pytest.fixture
def archive(tmp_path: Path) -> FolderArchive:
    """An archive of one race of each kind, under ids of their own."""
    archive = open_folder(tmp_path / "archive")
    for letter, make in zip("abcdefgh", RACES.values(), strict=False):
        replay = replayed(make())
        asyncio.run(archive.write(letter * 26, write_replay(replay)))
    return archive


def ask(out: Path, question: str) -> list[tuple[Any, ...]]:
    with duckdb.connect() as database:
        return database.execute(question.replace("FROM ", f"FROM '{out}/").replace(".parquet", ".parquet'")).fetchall()


def test_archive_as_parquet(archive: FolderArchive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each race is one row, each standing and each move too, and nothing else is left in the folder."""
    out = tmp_path / "out" / "parquet"
    assert run(["export", "--out", str(out), "--archive", str(archive.root), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["races"] == len(RACES)
    assert sorted(file.name for file in out.iterdir()) == ["moves.parquet", "races.parquet", "results.parquet"]
    assert ask(out, "SELECT count(*) FROM races.parquet") == [(told["races"],)]
    assert ask(out, "SELECT count(*) FROM moves.parquet") == [(told["moves"],)]
    ended = dict(ask(out, 'SELECT "end", count(*) FROM races.parquet GROUP BY ALL'))
    assert ended == {"finished": 5, "voided": 3}
    winner = "SELECT player, score, status FROM results.parquet WHERE rank = 1 AND status = 'won'"
    assert ask(out, winner) == [("ann", 350, "won")]
    undone = ask(out, "SELECT m FROM moves.parquet WHERE m = 'u'")
    assert undone == [("u",)]
    readme = (Path(__file__).parents[3] / "server" / "read" / "README.md").read_text()
    documented = re.findall(r'duckdb -c "(.*)"$', readme, re.MULTILINE)
    assert len(documented) == 2
    with duckdb.connect() as database:
        for question in documented:
            assert database.execute(question.replace("parquet/", f"{out}/")).fetchall()


def test_damaged_files_are_left_out(archive: FolderArchive, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file that cannot be read is named, all others are exported, the status is 1; an empty archive is no fault."""
    (archive.root / "aa" / f"{'a' * 26}.fairdeal").write_bytes(b"x")
    assert run(["export", "--out", str(tmp_path), "--archive", str(archive.root)]) == 1
    said = capsys.readouterr()
    assert f"race {'a' * 26} cannot be read" in said.err
    assert said.out.startswith(f"{len(RACES) - 1} races,")
    (tmp_path / "none").mkdir()
    assert run(["export", "--out", str(tmp_path / "empty"), "--archive", str(tmp_path / "none")]) == 0
    assert ask(tmp_path / "empty", "SELECT count(*) FROM moves.parquet") == [(0,)]


def test_a_folder_that_cannot_be_made(archive: FolderArchive, capsys: pytest.CaptureFixture[str]) -> None:
    """Where nothing can be written the command says so."""
    assert run(["export", "--out", "/proc/nowhere", "--archive", str(archive.root)]) == 2
    assert "expected a folder to write to" in capsys.readouterr().err


@pytest.mark.parametrize("flag", ["--data", "--archive"])
def test_no_archive(flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where there is no archive nothing is made, and a sentence says what to name."""
    assert run(["export", "--out", str(tmp_path / "out"), flag, str(tmp_path / "wrong")]) == 2
    assert "There is no archive" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
