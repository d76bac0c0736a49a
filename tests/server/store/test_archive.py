"""The archive in a folder: whole files only, each in its place, whatever happens on the way."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from server.store.archive import INCOMING, FolderArchive, open_archive, open_folder
from server.store.connect import StoreUnavailable
from server.store.datadir import StartRefused

RID = "abcdefghijklmnopqrstuvwxyz"
OTHER = "ab" + "2" * 24


@pytest.fixture
def archive(tmp_path: Path) -> FolderArchive:
    return open_folder(tmp_path / "archive")


async def test_files_read_back(archive: FolderArchive) -> None:
    """What is written is read back byte by byte, for its owner's eyes only, and what is not there is None."""
    assert await archive.read(RID) is None
    await archive.write(RID, b"first")
    await archive.write(RID, b"second")
    await archive.write(OTHER, b"")
    assert (await archive.read(RID), await archive.read(OTHER)) == (b"second", b"")
    assert [rid async for rid in archive.races()] == [OTHER, RID]
    assert (archive.root / "ab" / f"{RID}.fairdeal").stat().st_mode & 0o777 == 0o600
    assert list((archive.root / INCOMING).iterdir()) == []


@pytest.mark.parametrize("rid", ["", "../../etc/passwd", "a" * 25, "A" * 26, "a" * 25 + "/", "a\0" * 13, "á" * 26])
async def test_only_races_have_files(archive: FolderArchive, rid: str) -> None:
    """What is no race's id names no file, wherever it would lie."""
    assert await archive.read(rid) is None
    with pytest.raises(ValueError, match="expected the id of a race"):
        await archive.write(rid, b"x")


async def test_what_died_processes_left_goes(tmp_path: Path, archive: FolderArchive) -> None:
    """A half-written file is no race's; one that is an hour old is dropped when the archive is opened."""
    old, new = (archive.root / INCOMING / f"{RID}.{name}" for name in ("old", "new"))
    for file in (old, new):
        file.write_bytes(b"half")
    os.utime(old, (time.time() - 4000, time.time() - 4000))
    reopened = open_folder(tmp_path / "archive")
    assert [rid async for rid in reopened.races()] == []
    assert [old.exists(), new.exists()] == [False, True]


async def test_what_is_none_of_ours_is_passed_over(archive: FolderArchive) -> None:
    """A folder that is a disk of its own has more in it; and what is incoming goes into its place at any moment."""
    await archive.write(RID, b"x")
    (archive.root / "lost+found").touch()
    (archive.root / "README.txt").touch()
    (archive.root / INCOMING / f"{OTHER}.gone").symlink_to(archive.root / "none")
    archive.open()
    assert [rid async for rid in archive.races()] == [RID]


def test_a_copy_is_only_read(tmp_path: Path) -> None:
    """Who opens an archive that is to be there changes nothing in it, as on a disk that is read-only."""
    open_archive(str(tmp_path), tmp_path, make=False)
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StartRefused, match="There is no archive"):
        open_archive(str(tmp_path / "none"), tmp_path, make=False)


async def test_a_disk_that_cannot_be_written(archive: FolderArchive) -> None:
    """A fault of the disk is the store's: it is told as such, and nothing is left behind."""
    (archive.root / "ab").write_text("a file where a folder should be")
    with pytest.raises(StoreUnavailable, match="archive"):
        await archive.write(RID, b"x")
    with pytest.raises(StoreUnavailable, match="archive"):
        await archive.read(RID)
    assert list((archive.root / INCOMING).iterdir()) == []


@pytest.mark.parametrize("place", ["gs://bucket/races", "s3://", "s3://bucket?key=secret", "file", "/proc/archive"])
def test_places_that_cannot_be_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """A place that cannot be an archive keeps the server from starting, and the sentence says what to do."""
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    with pytest.raises(StartRefused, match="--archive"):
        open_archive(place, tmp_path)
