"""The commands that talk to a server, as far as they get without one."""

import pytest

from bots.ratings import POOLS
from bots.roster import ROSTER
from tests.server.commands.terminal import Terminal

CODE = "GO1-E-AAAAAAB"
RACE = "a" * 26
NOBODY = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("race GO1-E-AAAAAA --bot greedy", "expected"),
        (f"race {CODE} --bot nobody", "expected one of"),
        (f"race {CODE} --bot greedy --pace sometimes", "expected one of"),
        (f"race {CODE}", "Missing option '--bot'"),
        (f"race {CODE} --bot greedy --save /nowhere/r.fairdeal", "expected a folder that can be written"),
        ("watch nowhere", "expected a race's id"),
        (f"watch {RACE} --server nowhere", "expected the address of a server, such as http://127.0.0.1:8080"),
        (f"watch {RACE} --server ftp://host", "expected the address of a server"),
        (f"watch http://[::1/w/{RACE}", "expected the address of a server"),
        (f"replay {RACE} --server http://host:99999", "expected the address of a server"),
        (f"race {CODE} --bot greedy --server //host", "expected the address of a server"),
        ("load --server http://[::1", "expected the address of a server"),
        ("replay nothing.fairdeal", "expected a race's id"),
        ("verify nothing.fairdeal", "No such file"),
        (f"play {CODE} --bot nobody", "expected one of"),
        ("play GO1-E-AAAAAA", "expected"),
        ("play DS1-D1N-AAAAAAB --bot nobody", "expected one of"),
        ("play --redis nowhere", "--redis should be"),
        ("analyst --redis redis://host/?db=first", "expected usable values behind ?"),
        ("serve --port 70000", "--port should be a whole number from 0 to 65535"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(words: str, sentence: str, fairdeal: Terminal) -> None:
    """What cannot be run says why, at once, and ends with 2."""
    answer = fairdeal(words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("fairdeal: ")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        f"watch {RACE} --server {NOBODY}",
        f"watch {NOBODY}/w/{RACE}",
        f"replay {RACE} --server {NOBODY}",
        f"replay {NOBODY}/r/{RACE}",
        f"replay {NOBODY}/x/{RACE}#seat=1&n=31",
        f"replay {NOBODY}/x/{RACE}",
        f"race {CODE} --bot greedy --server {NOBODY}",
    ],
)
def test_a_server_that_is_not_there_is_told(words: str, fairdeal: Terminal) -> None:
    """Nobody listens: one sentence with the address, and 1."""
    answer = fairdeal(words)
    assert (answer.status, answer.out) == (1, "")
    assert f"expected a server at {NOBODY}" in answer.err


def test_bots_are_listed(fairdeal: Terminal) -> None:
    """Every bot of the roster has its line, with its ratings, and its object in JSON."""
    pools, *lines = fairdeal("bots").out.splitlines()
    assert pools.split() == list(POOLS)
    assert [line.split()[0] for line in lines] == list(ROSTER)
    listed = fairdeal("bots --json")
    assert listed.status == 0
    assert '"name":"solver"' in listed.out


def test_a_file_that_is_no_replay_does_not_verify(fairdeal: Terminal, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever the file holds, the first fault is named: in a sentence or as JSON."""
    file = tmp_path_factory.mktemp("replay") / "r.fairdeal"
    for content in (b"", b"{}", b"no replay", bytes(200)):
        file.write_bytes(content)
        told = fairdeal("verify", str(file))
        assert (told.status, told.out) == (1, "")
        assert "does not verify" in told.err
        asked = fairdeal("verify", str(file), "--json")
        assert asked.status == 1
        assert asked.json()["ok"] is False
        replayed = fairdeal("replay", str(file))
        assert replayed.status == 2
        assert "cannot be replayed" in replayed.err
