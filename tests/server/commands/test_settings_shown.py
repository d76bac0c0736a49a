"""`fairdeal config` and `fairdeal doctor`: what they show and how they end."""

import socket
from pathlib import Path

import pytest

from tests.needs import needs
from tests.server.commands.terminal import Terminal


@pytest.fixture(autouse=True)
def settings_of_its_own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("FAIRDEAL_DATA", str(tmp_path / "data"))


def test_settings_with_their_sources(fairdeal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each setting with its value and where that came from; passwords are masked."""
    monkeypatch.setenv("FAIRDEAL_PORT", "9000")
    monkeypatch.setenv("FAIRDEAL_REDIS", "redis://user:hunter2@redis.example:6379/0")
    answer = fairdeal("config --json")
    assert (answer.status, answer.err) == (0, "")
    settings = answer.json()
    assert (settings["port"]["value"], settings["port"]["source"]) == (9000, "environment")
    assert settings["host"]["source"] == "default"
    text = fairdeal("config").out
    assert "port = 9000  (environment; " in text
    assert "hunter2" not in answer.out + text
    assert len(text.splitlines()) == len(settings)


@pytest.mark.parametrize("command", ["config", "doctor"])
def test_a_wrong_setting(command: str, fairdeal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence and status 2."""
    monkeypatch.setenv("FAIRDEAL_PORT", "many")
    answer = fairdeal(command)
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "FAIRDEAL_PORT" in answer.err


@needs("redis-server")
def test_all_is_well(fairdeal: Terminal) -> None:
    """Every check is a line, and the status is 0."""
    answer = fairdeal("doctor --port 0")
    assert (answer.status, answer.err) == (0, "")
    assert all(line.startswith("ok   ") for line in answer.out.splitlines())


@needs("redis-server")
def test_something_to_mend(fairdeal: Terminal) -> None:
    """A port that is taken is told with what to do, and the status is 1."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        text, json = fairdeal("doctor", "--port", port), fairdeal("doctor", "--port", port, "--json")
    assert (text.status, json.status) == (1, 1)
    assert any(line.startswith("MEND port") for line in text.out.splitlines())
    assert [finding["ok"] for finding in json.json() if finding["check"].startswith("port")] == [False]


def test_page_of_settings(fairdeal: Terminal) -> None:
    """The page of settings is what the code says."""
    page = Path(__file__).parents[3] / "deploy" / "SETTINGS.md"
    assert fairdeal("config --table").out == page.read_text(encoding="utf-8")
