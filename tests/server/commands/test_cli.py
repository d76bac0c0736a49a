"""The table of commands, and what every command has in common."""

import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from server.cli import COMMANDS, run
from tests.server.commands.terminal import Terminal


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_of_the_table_is_there(name: str, fairdeal: Terminal) -> None:
    """Each name leads to a click command of that name, whose help can be shown."""
    module, attribute = COMMANDS[name][0].split(":")
    command = getattr(import_module(module), attribute)
    assert isinstance(command, click.Command)
    assert command.name == name
    answer = fairdeal(f"{name} --help")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.startswith(f"Usage: fairdeal {name}")


def test_help_lists_every_command_and_fits_a_screen(fairdeal: Terminal) -> None:
    """One line a command, at most 24 lines of 80 columns; without arguments help is shown too."""
    answer = fairdeal("--help")
    assert answer.status == 0
    assert all(f"  {name} " in answer.out for name in COMMANDS)
    assert len(answer.out.splitlines()) <= 24
    assert max(map(len, answer.out.splitlines())) <= 80
    assert fairdeal("").out == answer.out


def test_help_imports_no_command() -> None:
    """A fresh interpreter shows the help without the engine, the web server or numba."""
    script = "import sys; from server.cli import run; run(['--help']); print(sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stderr
    for module in ("engine", "bots", "aiohttp", "numba", "redis", "msgspec", "server.commands"):
        assert f"'{module}'" not in loaded


def test_version(fairdeal: Terminal) -> None:
    """The version is that of the distribution."""
    answer = fairdeal("--version")
    assert answer.status == 0
    assert answer.out.startswith("fairdeal, version ")


WRONG_USE = {
    "shuffle": "No such command 'shuffle'",
    "code": "Missing command",
    "keyring": "Missing command",
    "code invent": "No such command 'invent'",
    "deal": "Give either CODE or --file",
    "deal GO1-E-AAAAAAB --file -": "Give either CODE or --file",
    "deal --loud GO1-E-AAAAAAB": "No such option",
    "serve --proxy-hops 1": "it is a setting, set FAIRDEAL_PROXY_HOPS",
    "deal --file nowhere.txt": "'nowhere.txt': No such file or directory",
    "apply": "Give either CODE and MOVES or --file",
    "apply GO1-E-AAAAAAB --lang de": "expected en, hu, vi, found 'de'",
    "apply GO1-E-AAAAAAB --lang human": "expected en, hu, vi, found 'human'",
    "code new": "Missing argument 'GAME'",
    "code from nowhere.txt": "'nowhere.txt': No such file or directory",
}


@pytest.mark.parametrize(("line", "part"), WRONG_USE.items(), ids=list(WRONG_USE))
def test_wrong_use_is_one_sentence_and_status_2(line: str, part: str, fairdeal: Terminal) -> None:
    """Nothing on stdout, one line on stderr, which says where help is."""
    answer = fairdeal(line)
    assert (answer.status, answer.out) == (2, "")
    assert part in answer.err
    assert answer.err.startswith("fairdeal: ")
    assert answer.err.endswith(" --help`).\n")
    assert answer.err.count("\n") == 1


def test_ctrl_c_ends_cleanly(fairdeal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted command says so in a word and has failed."""

    @click.command
    def deal() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("server.commands.deal.deal", deal)
    answer = fairdeal("deal")
    assert (answer.status, answer.out, answer.err.strip()) == (1, "", "fairdeal: interrupted")


def test_python_m_server_is_fairdeal(tmp_path: Path) -> None:
    """`python -m server` runs the same commands, with UTF-8 output in any locale."""
    words = [sys.executable, "-m", "server", "apply", "GO1-E-AAAAAAB", "1", "--json", "--lang", "vi"]
    done = subprocess.run(words, capture_output=True, env=os.environ | {"LC_ALL": "C", "PYTHONUTF8": "0"}, check=False)
    assert done.returncode == 2
    assert "Phải cao hơn hoặc thấp hơn một bậc" in done.stdout.decode()
    assert done.stderr == b""


def test_a_reader_that_goes_away_is_no_traceback(tmp_path: Path) -> None:
    """`fairdeal deal --file F | head -1` ends quietly."""
    many = tmp_path / "codes.txt"
    many.write_text("GO1-E-AAAAAAB\n" * 2000)
    process = subprocess.Popen(
        [sys.executable, "-m", "server", "deal", "--file", str(many)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b'{"code":"GO1-E-AAAAAAB"')
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_run_answers_with_the_status(capfd: pytest.CaptureFixture[str]) -> None:
    """0 for done, 2 for a refused input."""
    assert [run(["deal", "GO1-E-AAAAAAB"]), run(["deal", "GO9"])] == [0, 2]
    capfd.readouterr()
