"""Players: how guests are named and what their tokens prove."""

from __future__ import annotations

import pytest

from server.players import NAME_LENGTH, Player, TokenRefused, Tokens, new_player, renamed
from server.store.keyring import KeyRing, new_key_ring, rotated


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        pytest.param("Anna", "Anna", id="plain"),
        pytest.param("  Anna \t\n Kiss ", "Anna Kiss", id="spaces and lines"),
        pytest.param("An\u202ena\u0000\u200b", "Anna", id="unseen letters and turned writing"),
        pytest.param("Nguye\u0302\u0303n", "Nguyễn", id="composed"),
        pytest.param("x" * 50, "x" * NAME_LENGTH, id="too long"),
        pytest.param("<b>", "<b>", id="markup is text"),
    ],
)
def test_names_are_tidied(asked: str, shown: str) -> None:
    """A name is shown on one line, without what nobody sees."""
    assert new_player(asked).name == shown
    assert renamed(Player("p", "old"), asked).name == shown


@pytest.mark.parametrize("asked", [None, "", " \u200b\n"])
def test_nameless_guests_get_a_name(asked: str | None) -> None:
    """Without a name that can be seen a guest gets one with four digits, and a known player keeps the old one."""
    assert new_player(asked).name[:6] == "Guest "
    assert new_player(asked).name[6:].isdigit()
    assert renamed(Player("p", "old"), asked).name == "old"


def test_token_is_the_inverse_of_reading() -> None:
    """A token says exactly who it was signed for."""
    tokens = Tokens(new_key_ring())
    for player in (new_player("Ádám"), new_player("Robi", "bot", "greedy 1")):
        assert tokens.read(tokens.sign(player)) == player
        assert len(tokens.sign(player)) < 512


def test_tokens_outlive_a_rotation() -> None:
    """A token of an older key of the ring is still read; the current key signs."""
    ring = new_key_ring()
    player, newer = new_player("Anna"), rotated(ring)
    token = Tokens(ring).sign(player)
    assert Tokens(newer).read(token) == player
    with pytest.raises(TokenRefused):
        Tokens(ring).read(Tokens(newer).sign(player))


@pytest.mark.parametrize("token", ["", "x", "x.y", "é.é", "." * 100, "eyJpZCI6ImEifQ.c2ln"])
def test_other_texts_are_refused(token: str) -> None:
    """What this ring did not sign is no token."""
    with pytest.raises(TokenRefused):
        Tokens(new_key_ring()).read(token)


def test_changed_tokens_are_refused() -> None:
    """A token with any one letter changed is refused."""
    ring: KeyRing = new_key_ring()
    tokens = Tokens(ring)
    token = tokens.sign(new_player("Anna"))
    for place in range(len(token)):
        changed = token[:place] + ("A" if token[place] != "A" else "B") + token[place + 1 :]
        try:
            read = tokens.read(changed)
        except TokenRefused:
            continue
        # The last letter of a base-64 text carries bits that mean nothing.
        assert read == tokens.read(token)
        assert place == len(token) - 1
