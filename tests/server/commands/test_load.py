"""`fairdeal load` on the command line: what it refuses."""

from __future__ import annotations

import pytest

from tests.server.commands.terminal import Terminal


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("--server https://fairdeal.example", "expected a server on this machine, found https://fairdeal.example"),
        ("--server http://nowhere", "expected a server on this machine, found http://nowhere"),
        ("--server nowhere", "expected the address of a server, such as http://127.0.0.1:8080, found 'nowhere'"),
        ("--races 0", "expected races from 1 to 1000, found 0"),
        ("--races 1000 --seats 100", "expected at most 5000 sockets, found 101000"),
        ("--seconds nan", "expected seconds from 0.1 to 3600, found nan"),
        ("--seconds 1e9", "expected seconds from 0.1 to 3600, found 1000000000"),
        ("--rate -1", "expected rate from 0.01 to 1000, found -1"),
        ("--game GO1-E-AAAAAAB", "unknown rule: expected E, C or S"),
        ("--game chess", "unknown game: expected GO (Golf) or DS (Double Solitaire)"),
        ("--seats many", "'many' is not a valid integer"),
        ("--bot", "requires an argument"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(words: str, sentence: str, fairdeal: Terminal) -> None:
    """What cannot be, or would put load on a stranger's server, is refused at once, with 2."""
    answer = fairdeal(f"load {words}")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("fairdeal: ")
    assert sentence in answer.err
    assert answer.err.count("\n") == 1
