"""`fairdeal apply`."""

from pathlib import Path

import pytest

from engine.record import parse_record, position_after
from tests.engine.golf.printed import TO_MOVE_35, WON
from tests.server.commands.terminal import Terminal


def test_the_position_as_json(fairdeal: Terminal) -> None:
    """The printed game after three moves: one object, keys in the notation's order."""
    answer = fairdeal("apply GO1-E-AAAAAAB d 5 2 --json")
    assert (answer.status, answer.err) == (0, "")
    assert answer.json() == {
        "code": "GO1-E-AAAAAAB",
        "game": "GO",
        "status": "playing",
        "score": 20,
        "score_text": "20",
        "moves": 3,
        "undoable": 3,
        "columns": [
            ["6C", "5S", "QS", "10S", "6H"],
            ["2S", "KC", "4S", "2C"],
            ["10C", "AH", "2D", "5D", "JS"],
            ["3D", "QH", "AS", "KD", "4C"],
            ["JH", "3C", "7D", "8H"],
            ["10H", "4H", "7H", "7C", "8D"],
            ["3S", "7S", "3H", "9S", "5C"],
        ],
        "waste": ["AC", "8S", "9C", "8C"],
        "stock": 15,
        "stock_known": ["--"] * 15,
        "removed": 2,
        "left": 33,
        "legal": ["d"],
        "refusals": [],
    }


def test_the_position_as_text(fairdeal: Terminal) -> None:
    """Code, board, counters and legal moves."""
    answer = fairdeal(f"apply {TO_MOVE_35} 3")
    assert (answer.status, answer.err) == (0, "")
    assert answer.out.splitlines() == [
        "GO1-E-AAAAAAB",
        "1: 6C 5S",
        "2: 2S",
        "3: 10C",
        "4: 3D",
        "5: JH",
        "6: 10H 4H",
        "7: 3S 7S",
        "waste: AH  stock: 6  score: 250  playing",
        "moves: 35  undoable: 35  legal: 2 d",
    ]


def test_double_solitaire_as_json(fairdeal: Terminal) -> None:
    """Face-down cards too, since the code gives them; the score in dollars; refusals in the language asked for."""
    answer = fairdeal("apply ds1-d3v-aaaaaab d t3-t2x1 t9-t1x2 r --json --lang hu")
    assert (answer.status, answer.err) == (2, "")
    assert answer.json() == {
        "code": "DS1-D3V-AAAAAAB",
        "game": "DS",
        "status": "playing",
        "score": -104,
        "score_text": "-$104",
        "moves": 2,
        "undoable": 2,
        "columns": [
            ["4D"],
            ["KS", "8D", "7C"],
            ["2S", "4C"],
            ["6C", "7H", "5H", "JD"],
            ["7H", "9D", "10S", "10C", "QH"],
            ["8C", "3D", "AH", "4C", "8S", "3S"],
            ["10D", "8D", "KD", "AS", "2S", "3S", "5D"],
            ["AD", "AD", "8S", "5H", "2C", "QS", "2C", "10D"],
            ["9C", "AS", "KD", "AC", "2D", "6S", "7S", "5S", "QD"],
        ],
        "down": [0, 1, 1, 3, 4, 5, 6, 7, 8],
        "waste": ["3D", "QC", "7S"],
        "stock": 56,
        "stock_known": ["--"] * 56,
        "foundations": {"S": [0, 0], "H": [0, 0], "D": [0, 0], "C": [0, 0]},
        "legal": ["d", "t3-t7", "t6-t1"],
        "refusals": [
            {
                "index": 2,
                "move": "t9-t1x2",
                "reason": "face_down",
                "message": "Lefordított lapot nem lehet mozgatni.",
            },
            {
                "index": 3,
                "move": "r",
                "reason": "no_recycling",
                "message": "Vegas pontozásnál a húzópaklin csak egyszer megyünk végig.",
            },
        ],
    }


def test_double_solitaire_as_text(fairdeal: Terminal) -> None:
    """Face-down cards are in brackets."""
    answer = fairdeal("apply DS1-D1N-AAAAAAB d")
    assert (answer.status, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert lines[:3] == ["DS1-D1N-AAAAAAB", "1: 4D", "2: [KS] 8D"]
    assert lines[10:] == [
        "foundations: S 0 0  H 0 0  D 0 0  C 0 0",
        "waste: 3D",
        "stock: 58  score: 0  playing",
        "moves: 1  undoable: 1  legal: d t3-t2 t6-t1",
    ]


def test_a_won_game_as_text(fairdeal: Terminal) -> None:
    """Nothing is legal any more."""
    assert "legal: none" in fairdeal(f"apply {WON}").out


def test_refused_moves_are_listed_and_the_status_is_2(fairdeal: Terminal) -> None:
    """The rest is played; the message is in the language asked for."""
    answer = fairdeal("apply go1-n-aaaaaab 1 d c1r4 5 --json --lang hu-HU")
    assert (answer.status, answer.err) == (2, "")
    position = answer.json()
    assert (position["moves"], position["waste"]) == (2, ["AC", "8S", "9C"])
    assert position["refusals"] == [
        {
            "index": 0,
            "move": "1",
            "reason": "not_adjacent",
            "message": "Eggyel magasabb vagy alacsonyabb rangúnak kell lennie",
        },
        {"index": 2, "move": "c1r4", "reason": "blocked", "message": "Ez a lap blokkolva van"},
    ]


def test_refused_moves_as_text(fairdeal: Terminal) -> None:
    """Each is a line that counts moves from 1, as people do."""
    answer = fairdeal("apply GO1-E-AAAAAAB 1 d")
    assert (answer.status, answer.err) == (2, "")
    assert answer.out.splitlines()[-1] == "refused: move 1, 1: It must be one rank higher or lower (not_adjacent)"


REFUSED = {
    "apply GO1-Q-AAAAAAB d": "unknown rule: expected E, C or S with the options J1, J2 and X, as in GO1-E, found 'Q'",
    "apply d 5 2": "unknown game: expected GO (Golf) or DS (Double Solitaire), found 'D'",
}


@pytest.mark.parametrize(("line", "sentence"), REFUSED.items(), ids=list(REFUSED))
@pytest.mark.parametrize("json", ["", " --json"])
def test_a_code_that_cannot_be_read(line: str, sentence: str, json: str, fairdeal: Terminal) -> None:
    """One sentence on stderr, nothing on stdout, status 2."""
    assert fairdeal(line + json) == (2, "", f"fairdeal: {sentence}\n")


def test_files_of_records(tmp_path: Path, fairdeal: Terminal) -> None:
    """One record a line in, one object a line out, blank lines aside; a fault has its line in both streams."""
    records = tmp_path / "records.txt"
    records.write_text(f"GO1-E-AAAAAAB d 5 2\n\n{WON}\nnonsense\nGO1-C-AAAAAAC 9\n", encoding="utf-8")
    for answer in (fairdeal(f"apply --file {records}"), fairdeal("apply --file - --json", stdin=records.read_text())):
        assert answer.status == 2
        fault = "unknown game: expected GO (Golf) or DS (Double Solitaire), found 'NO'"
        assert answer.err == f"fairdeal: line 4: {fault}\n"
        first, won, error, last = answer.lines()
        assert first == position_after(parse_record("GO1-E-AAAAAAB d 5 2"))
        assert (won["status"], error) == ("won", {"line": 4, "error": fault})
        assert last["refusals"][0]["reason"] == "bad_move"


def test_a_clean_file_is_done(fairdeal: Terminal) -> None:
    """Without a fault or a refusal the status is 0; an empty file prints nothing."""
    assert fairdeal("apply --file -", stdin=f"{WON}\n").status == 0
    assert fairdeal("apply --file -", stdin="") == (0, "", "")


def test_files_from_windows(tmp_path: Path, fairdeal: Terminal) -> None:
    """A byte order mark and CRLF line ends are no part of a record, in a file and on stdin."""
    written = f"\ufeff{WON}\r\n{WON}\r\n"
    records = tmp_path / "records.txt"
    records.write_bytes(written.encode())
    for answer in (fairdeal(f"apply --file {records}"), fairdeal("apply --file -", stdin=written)):
        assert (answer.status, [line["status"] for line in answer.lines()]) == (0, ["won", "won"])


def test_bytes_that_are_no_text(tmp_path: Path, fairdeal: Terminal) -> None:
    """They are nonsense like any other."""
    records = tmp_path / "records.bin"
    records.write_bytes(b"\xff\xfe\x00\x80\n")
    answer = fairdeal(f"apply --file {records}")
    assert answer.status == 2
    assert "unknown game" in answer.err
