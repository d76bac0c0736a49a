"""The lock by which one process owns a data directory."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from server.store.datadir import DataDirTaken, StartRefused, default_data_dir, owned

OWNER = """
import sys
from pathlib import Path
from server.store.datadir import owned
with owned(Path(sys.argv[1])):
    print("owned", flush=True)
    sys.stdin.read()
"""


def test_second_owner(tmp_path: Path) -> None:
    """A second owner is refused with the first one's process and command."""
    with owned(tmp_path), pytest.raises(DataDirTaken) as caught, owned(tmp_path):
        pass
    assert caught.value.owner is not None
    assert os.getpid() == caught.value.owner.pid
    assert str(caught.value).startswith(
        f"The data directory {tmp_path} is for one process at a time, and process {os.getpid()} ({' '.join(sys.argv)}"
    )


def test_given_back(tmp_path: Path) -> None:
    """The directory is free again after its owner, whose name alone stays in the file."""
    with owned(tmp_path):
        pass
    with owned(tmp_path) as data:
        assert tmp_path == data


def test_owner_killed(tmp_path: Path) -> None:
    """A killed owner leaves nothing to clear away."""
    command = [sys.executable, "-c", OWNER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"owned\n"
        with pytest.raises(DataDirTaken, match=f"process {other.pid} "), owned(tmp_path):
            pass
        other.send_signal(signal.SIGKILL)
        other.wait()
    with owned(tmp_path) as data:
        assert tmp_path == data


def test_foreign_text(tmp_path: Path) -> None:
    """An owner that has not written its name yet is still refused, without one."""
    with owned(tmp_path):
        (tmp_path / "lock").write_bytes(b"\xff")
        with pytest.raises(DataDirTaken, match="another process has it"), owned(tmp_path):
            pass


def test_made_private(tmp_path: Path) -> None:
    """A missing directory is made with its parents, for its owner's eyes only."""
    with owned(tmp_path / "a" / "b") as data:
        assert data.stat().st_mode & 0o777 == 0o700


def test_cannot_be_made(tmp_path: Path) -> None:
    """A file in the way is refused with what to do."""
    (tmp_path / "file").touch()
    with (
        pytest.raises(StartRefused, match=r"cannot be made .*: choose another with --data DIR"),
        owned(tmp_path / "file"),
    ):
        pass


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        pytest.param({"XDG_DATA_HOME": "/srv/data", "HOME": "/home/me"}, "/srv/data/fairdeal", id="set"),
        pytest.param({"XDG_DATA_HOME": "data", "HOME": "/home/me"}, "/home/me/.local/share/fairdeal", id="relative"),
        pytest.param({"HOME": "/home/me"}, "/home/me/.local/share/fairdeal", id="unset"),
    ],
)
def test_default(environ: dict[str, str], expected: str) -> None:
    """The default directory follows the XDG specification, which ignores relative paths."""
    assert Path(expected) == default_data_dir(environ)
