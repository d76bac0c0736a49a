"""The laws of the layout: who may import whom, and what the engine may not touch."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = [sys.executable, "-c", "from importlinter.cli import lint_imports_command as lint; lint()", "--no-cache"]
PURE = "engine has no clock, no chance, no input or output"
LAYERS = "server and bots import engine, never each other"


def lint(folder: Path) -> "subprocess.CompletedProcess[str]":
    """Check the three packages in a folder against the project's contracts."""
    command = [*LINT, "--config", str(ROOT / "pyproject.toml")]
    environ = {"PYTHONPATH": str(folder), "PATH": ""}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)


def test_imports_keep_the_laws() -> None:
    """The packages as they are keep every contract."""
    checked = lint(ROOT)
    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize(
    ("module", "line", "law"),
    [
        pytest.param("engine/race/rules.py", "import time", PURE, id="a clock in the engine"),
        pytest.param("engine/race/rules.py", "from asyncio import sleep", PURE, id="a loop in the engine"),
        pytest.param("engine/race/rules.py", "import random", PURE, id="chance in the engine"),
        pytest.param("engine/race/rules.py", "import os.path", PURE, id="files in the engine"),
        pytest.param("engine/race/rules.py", "import socket", PURE, id="sockets in the engine"),
        pytest.param("engine/race/rules.py", "import aiohttp.web", PURE, id="the web in the engine"),
        pytest.param("engine/race/rules.py", "from redis.asyncio import Redis", PURE, id="Redis in the engine"),
        pytest.param("engine/race/rules.py", "import server.app", LAYERS, id="the server in the engine"),
        pytest.param("engine/race/rules.py", "from bots import player", LAYERS, id="bots in the engine"),
        pytest.param("server/app.py", "import bots.player", LAYERS, id="bots in the server"),
        pytest.param("bots/player.py", "from server import app", LAYERS, id="the server in bots"),
        pytest.param("server/commands/play.py", "import bots.player", None, id="bots in a command"),
        pytest.param("server/app.py", "import engine.race.rules, time", None, id="the engine in the server"),
    ],
)
def test_contracts_bite(tmp_path: Path, module: str, line: str, law: str | None) -> None:
    """Each contract fails when it is broken, by its name, and only then."""
    for name in ("engine/race/rules.py", "server/app.py", "bots/player.py", module):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("")
        for folder in file.relative_to(tmp_path).parents[:-1]:
            (tmp_path / folder / "__init__.py").touch()
    (tmp_path / module).write_text(line + "\n")
    checked = lint(tmp_path)
    broken = [said.removesuffix(" BROKEN") for said in checked.stdout.splitlines() if said.endswith(" BROKEN")]
    assert ([law] if law else []) == broken
    assert (1 if law else 0) == checked.returncode, checked.stdout + checked.stderr


@pytest.mark.parametrize("shell", [shell for shell in ("sh", "dash", "bash") if shutil.which(shell)])
@pytest.mark.parametrize("script", ["deploy/install", "deploy/lock"])
def test_scripts_parse(shell: str, script: str) -> None:
    """The shell scripts are read by every shell that a Debian has."""
    assert subprocess.run([shell, "-n", ROOT / script], check=False).returncode == 0
