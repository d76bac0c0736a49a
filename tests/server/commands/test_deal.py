"""`fairdeal deal`."""

import pytest

from engine.cards import texts
from tests.engine.vectors import PUBLISHED, VECTORS, Vector
from tests.server.commands.terminal import Terminal


@pytest.mark.parametrize("vector", [*VECTORS[:2], *VECTORS[-2:], *PUBLISHED], ids=str)
def test_the_lay_out_as_json(vector: Vector, fairdeal: Terminal) -> None:
    """Code, game, rules, then the cards of columns, waste and stock, for both games."""
    rules = "E" if vector.game == "GO" else "D1N"
    answer = fairdeal(f"deal {vector.game}1-{rules}-{vector.number} --json")
    assert (answer.status, answer.err) == (0, "")
    assert list(answer.json().items()) == [
        ("code", f"{vector.game}1-{rules}-{vector.number}"),
        ("game", vector.game),
        ("rules", rules),
        ("columns", [texts(column) for column in vector.deal.columns]),
        ("waste", texts(vector.deal.waste)),
        ("stock", texts(vector.deal.stock)),
    ]


def test_the_lay_out_as_text(fairdeal: Terminal) -> None:
    """The canonical code, then a line for each pile; a code may be typed with spaces."""
    answer = fairdeal("deal go1 n aaaaaab")
    assert answer.out.splitlines() == [
        "GO1-E-AAAAAAB",
        "1: 6C 5S QS 10S 6H",
        "2: 2S KC 4S 2C 8C",
        "3: 10C AH 2D 5D JS",
        "4: 3D QH AS KD 4C",
        "5: JH 3C 7D 8H 9C",
        "6: 10H 4H 7H 7C 8D",
        "7: 3S 7S 3H 9S 5C",
        "waste: AC",
        "stock: 8S 4D KS 5H QC 9H JC 6S 6D AD 2H JD QD KH 10D 9D",
    ]


def test_files_of_codes(fairdeal: Terminal) -> None:
    """One code a line in, one object a line out."""
    answer = fairdeal("deal --file -", stdin="GO1-E-AAAAAAB\nDS1-D3V-AAAAAAB\nGO1-E-AAAAAA\n")
    assert answer.status == 2
    assert [line.get("code") for line in answer.lines()] == ["GO1-E-AAAAAAB", "DS1-D3V-AAAAAAB", None]
    assert answer.err.startswith("fairdeal: line 3: wrong length: ")


def test_a_code_that_cannot_be_read(fairdeal: Terminal) -> None:
    """The part that is wrong is named; status 2."""
    answer = fairdeal("deal GO1-E-AAAAAA9")
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("fairdeal: bad letter: ")
