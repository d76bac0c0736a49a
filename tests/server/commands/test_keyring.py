"""`fairdeal keyring`: a ring is made once, rotated in two steps, and never printed."""

import json
from pathlib import Path

import pytest

from server.cli import run
from server.players import Scope, Tokens
from server.store.keyring import open_key_ring


def test_rotation(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`new`, `add`, `use` and `show` agree about which keys there are and which is used, and show none of them."""
    file = tmp_path / "ring.json"

    assert run(["keyring", "new", str(file)]) == 0
    first = open_key_ring(file).current
    assert run(["keyring", "add", str(file)]) == 0
    second = capsys.readouterr().out.strip()
    assert open_key_ring(file).current == first
    assert run(["keyring", "use", str(file), second]) == 0
    assert run(["keyring", "show", str(file), "--json"]) == 0

    ring = open_key_ring(file)
    shown = capsys.readouterr().out
    assert json.loads(shown) == {"current": second, "kids": [first, second]}
    assert not any(key in shown for key in (*ring.keys.values(), ring.rid))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        pytest.param(["new", "RING"], "expected the name of a file to be made, found RING there already", id="twice"),
        pytest.param(["show", "RING.not"], "found no file RING.not: make one with `fairdeal keyring new", id="none"),
        pytest.param(["add", "TEXT"], "expected a key ring as JSON in TEXT, found another text", id="another text"),
        pytest.param(["use", "RING", "zz"], "expected key zz in the key ring, found", id="unknown key"),
        pytest.param(
            ["add", "OPEN"], "expected OPEN to be readable by its owner only, found mode 644", id="open to all"
        ),
        pytest.param(
            ["new", "no/such/folder"], "expected a file that can be written, found no/such/folder", id="folder"
        ),
    ],
)
def test_refusals(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    sentence: str,
) -> None:
    """What cannot be used is refused in one sentence, with status 2, and no file is changed."""
    monkeypatch.chdir(tmp_path)
    open_key_ring(Path("RING"))
    Path("TEXT").write_text("not a ring")
    Path("TEXT").chmod(0o600)
    Path("OPEN").write_text(Path("RING").read_text())
    before = {path: path.read_text() for path in tmp_path.iterdir()}

    assert run(["keyring", *arguments]) == 2

    assert sentence in capsys.readouterr().err
    assert {path: path.read_text() for path in tmp_path.iterdir()} == before


def test_tokens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`token` prints a token that nodes of this ring read: a player's, or an admin's where that is asked for."""
    file = tmp_path / "ring.json"
    assert run(["keyring", "new", str(file)]) == 0
    read = []
    for more in ([], ["--admin", "--name", "Ada"]):
        assert run(["keyring", "token", str(file), *more]) == 0
        read.append(Tokens(open_key_ring(file)).read(capsys.readouterr().out.strip()))
    assert [(player.name, Scope.ADMIN in player.scopes) for player in read] == [("Admin", False), ("Ada", True)]
    assert all(player.issued_at > 0 for player in read)
