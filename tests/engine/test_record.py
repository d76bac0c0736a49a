"""Records: lines read and written, and the games they replay."""

import pytest
from hypothesis import given

from engine.cards import texts
from engine.codes import Code, CodeError, deal, parse_code
from engine.game import GAMES
from engine.golf.moves import MOVES
from engine.record import Record, Refusal, canonical_word, parse_record, position_after, replay
from engine.refusals import Reason
from engine.solo import Solo, deal_out
from tests.engine.golf.printed import WON
from tests.engine.strategies import played_of_both


@given(played_of_both)
def test_replay_equals_live(case: tuple[Code, list[str], Solo]) -> None:
    """Playing a record again leads to the same game, refusals included."""
    code, words, solo = case
    assert solo == replay(Record(code, tuple(words)))[0]


@given(played_of_both)
def test_writing_and_reading_are_inverse(case: tuple[Code, list[str], Solo]) -> None:
    """A record's line is read back as the record, whose words are canonical."""
    code, words, _ = case
    record = Record(code, tuple(canonical_word(GAMES[code.game], word) for word in words if word))
    assert record == parse_record(str(record))


@given(played_of_both)
def test_a_record_may_be_cut_after_any_word(case: tuple[Code, list[str], Solo]) -> None:
    """Every beginning of a record replays to the position that the game had there."""
    code, words, _ = case
    solo = deal_out(code)
    for at, word in enumerate(words, 1):
        solo = getattr(solo.play(word), "solo", solo)
        if at % 7 == 0:
            assert solo == replay(Record(code, tuple(words[:at])))[0]


@pytest.mark.parametrize(
    ("line", "canonical"),
    [
        ("GO1-E-AAAAAAB d 5 2", "GO1-E-AAAAAAB d 5 2"),
        ("  go1-n-aaaaaab\td  5 2\n", "GO1-E-AAAAAAB d 5 2"),
        ("go1eaaaaaab", "GO1-E-AAAAAAB"),
        ("GO1-E-AAAAAAB c1r5 zz D u", "GO1-E-AAAAAAB c1r5 zz D u"),
        ("ds1-d1n-aaaaaab d t3-t2x1 fS1-t4 fC2-t1 t9-t1x99 W-f", "DS1-D1N-AAAAAAB d t3-t2 fS-t4 fC2-t1 t9-t1x99 W-f"),
    ],
)
def test_lines_are_read_forgivingly_and_written_canonically(line: str, canonical: str) -> None:
    """Code and words are canonical; a word that is no move stays as it is, and a word by row keeps its row."""
    assert canonical == str(parse_record(line))


def test_a_word_has_one_form_whatever_the_position() -> None:
    """Each word of Golf's notation is its own canonical form."""
    assert [*MOVES, "u", "8", "zz"] == [canonical_word(GAMES["GO"], word) for word in [*MOVES, "u", "8", "zz"]]


@pytest.mark.parametrize("line", ["", "   ", "d 5 2", "GO1 -E-AAAAAAB d", "GO1-Q-AAAAAAB d"])
def test_a_record_starts_with_a_code_without_spaces(line: str) -> None:
    """What starts with something else is an error of codes."""
    with pytest.raises(CodeError):
        parse_record(line)


def test_refusals_are_listed_and_the_rest_is_played() -> None:
    """Index from 0, the word, the reason; the words around them count."""
    solo, refusals = replay(parse_record("GO1-E-AAAAAAB 1 d c1r4 5 zz 2"))
    assert [
        Refusal(0, "1", Reason.NOT_ADJACENT),
        Refusal(2, "c1r4", Reason.BLOCKED),
        Refusal(4, "zz", Reason.BAD_MOVE),
    ] == refusals
    assert solo == replay(parse_record("GO1-E-AAAAAAB d 5 2"))[0]


def test_a_position_has_its_keys_in_their_order() -> None:
    """Code first, refusals last, the game's own keys between."""
    position = position_after(parse_record("GO1-E-AAAAAAB d"))
    assert ["code", *deal_out(parse_record("GO1-E-AAAAAAB").code).position(), "refusals"] == list(position)
    assert position["code"] == "GO1-E-AAAAAAB"


def test_a_position_after_a_record_shows_face_down_cards() -> None:
    """The code gives them; where taps lead is for a page, and is no part of it."""
    position = position_after(parse_record("DS1-D3V-AAAAAAB d"))
    keys = "code game status score score_text moves undoable columns down waste stock stock_known foundations legal"
    assert list(position) == [*keys.split(), "refusals"]
    assert position["columns"] == [texts(column) for column in deal(parse_code("DS1-D3V-AAAAAAB")).columns]
    assert (position["down"], position["score_text"], position["stock"]) == (list(range(9)), "-$104", 56)


@pytest.mark.parametrize(
    ("language", "message"),
    [("en", "The game is over."), ("hu", "A játszma véget ért."), ("vi", "Ván chơi đã kết thúc.")],
)
def test_refusals_speak_the_language_asked_for(language: str, message: str) -> None:
    """The message is in that language, reason and index are not words of any."""
    position = position_after(parse_record(f"{WON} d"), language)
    assert position["refusals"] == [{"index": 47, "move": "d", "reason": "game_over", "message": message}]
