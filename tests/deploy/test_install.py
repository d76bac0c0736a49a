"""`deploy/install`: what it refuses, in one sentence and before anything is changed, and the locks it reads."""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = {"run": ["build"], "dev": ["build", "dev"]}

TOO_OLD = '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.13\n[ "$1" = --version ]\n'
NO_PIP = f'#!/bin/sh\n[ "$1 $2" = "-m pip" ] && exit 1\nexec {sys.executable} "$@"\n'
NO_VENV = f'#!/bin/sh\n[ "$1 $2" = "-m venv" ] && exit 1\nexec {sys.executable} "$@"\n'


@pytest.mark.parametrize(
    ("python", "arguments", "status", "sentence"),
    [
        pytest.param(TOO_OLD, [], 1, "Python 3.11 to 3.14 is needed, found Python 3.10.13: install one", id="too old"),
        pytest.param(None, [], 1, "Python 3.11 to 3.14 is needed, found none: install one", id="no python"),
        pytest.param(NO_PIP, [], 1, "pip is needed and python3 has none: apt-get install python3-pip", id="no pip"),
        pytest.param(NO_VENV, [], 1, "cannot make a virtual environment: apt-get install python3-venv", id="no venv"),
        pytest.param(None, ["--group", "prod"], 2, "--group takes dev, and was given 'prod'.", id="unknown group"),
        pytest.param(None, ["--group"], 2, "--group takes dev, and was given ''.", id="no group"),
        pytest.param(None, ["--extra", "x"], 2, "takes cluster, export, gym or s3, and was given 'x'.", id="no extra"),
        pytest.param(None, ["dev"], 2, "usage: sh deploy/install [--group dev] [--extra ", id="unknown argument"),
    ],
)
def test_refusals(tmp_path: Path, python: str | None, arguments: list[str], status: int, sentence: str) -> None:
    """What is missing is said in one sentence, with the way to mend it."""
    (tmp_path / "deploy").mkdir()
    shutil.copy(ROOT / "deploy" / "install", tmp_path / "deploy")
    path = tmp_path / "bin"
    path.mkdir()
    for tool in ("dirname", "tail", "sed"):
        (path / tool).symlink_to(str(shutil.which(tool)))
    if python is not None:
        (path / "python3").write_text(python)
        (path / "python3").chmod(0o755)
    run = subprocess.run(
        [str(shutil.which("sh")), "deploy/install", *arguments],
        cwd=tmp_path,
        env={"PATH": str(path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert sentence in run.stderr
    assert len(run.stderr.splitlines()) == 1
    assert status == run.returncode


def named(requirement: str) -> str:
    """The normalised name of a requirement (PEP 503)."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=;! ]", requirement)[0]).lower()


@pytest.mark.parametrize("lock", LOCKS)
def test_locked(lock: str) -> None:
    """A lock holds every dependency that the project names, each with its exact version and hashes; dev extras' too."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = set(project["project"]["dependencies"])
    for group in LOCKS[lock]:
        wanted.update(project["dependency-groups"][group])
    if lock == "dev":
        for extra in project["project"]["optional-dependencies"].values():
            wanted.update(extra)
    entries = re.split(r"\n(?=\S)", (ROOT / "deploy" / f"{lock}.lock").read_text())
    pinned = {entry.partition("==")[0]: entry for entry in entries if not entry.startswith("#")}
    assert set() == {named(requirement) for requirement in wanted} - pinned.keys()
    assert [name for name, entry in pinned.items() if not re.search(r"==\S+.*--hash=sha256:", entry, re.DOTALL)] == []


@pytest.mark.parametrize("lock", [*LOCKS, "uv"])
def test_no_registry(lock: str) -> None:
    """A lock names no registry: whichever the machine uses has the files that the hashes name."""
    assert "://" not in (ROOT / "deploy" / f"{lock}.lock").read_text()
