"""What a game gave away, against what every one of its positions has to give."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.analysis.position import WordsRefused, position_answer, reach, result_of
from bots.analysis.run import run_answer
from engine.codes import Code, parse_code
from engine.question import RunAnswer
from engine.record import parse_record
from engine.solo import Played, deal_out

LOST = """DS1-D3N-AAAAAAB
t6-t1 t3-t2 t3-t7 d d w-t1 w-t2 d w-t7 d w-t6 d d d d w-t4 d w-f t1-f t7-f d d w-t5 t8-t5 d d w-t4 t6-t4x2 d d d w-f
t8-f t4-t8x5 t6-t4 t6-f t6-t4 d w-t1 d d d w-f r d d w-t7 w-t5 t2-t5x3 t9-t2 t9-t5 t3-t7 w-t3 t8-t3x6 t8-t4 t8-f d
w-t2 d t1-t5x3 w-t1 t5-t1x11 d w-t3 t7-t3x4 w-t9 w-t6 t1-t9x4 t1-f d w-t5 t8-t5 t8-f t8-f t9-f d d d w-t1 w-f w-t1 d
w-f d d d d d d r d d d w-t1 t7-t1 w-t8 d d w-t8 d w-t2 d d d d d d r d d w-t8 d d d"""
RULES = ("GO1-E", "GO1-C", "GO1-S", "GO1-CJ1X")


@st.composite
def golf_games(draw: st.DrawFn) -> tuple[Code, tuple[str, ...]]:
    """A game of Golf played at random, now and then with something taken back."""
    number = draw(st.text("ABCDEFG234567", min_size=7, max_size=7))
    code = parse_code(f"{draw(st.sampled_from(RULES))}-{number}")
    solo, words = deal_out(code), list[str]()
    for chance in draw(st.lists(st.integers(0, 99), max_size=45)):
        legal = solo.board.legal()
        word = "u" if solo.undoable and (chance > 90 or not legal) else legal[chance % len(legal)] if legal else ""
        outcome = solo.play(word)
        if isinstance(outcome, Played):
            solo = outcome.solo
            words.append(word)
    return code, tuple(words)


@given(golf_games())
@settings(max_examples=15)
def test_golf_is_known_at_every_move(game: tuple[Code, tuple[str, ...]]) -> None:
    """Searching few positions says what searching all says: where something changed, what was lost, how much."""
    code, words = game
    solo = deal_out(code)
    boards = [solo.board]
    for word in words:
        outcome = solo.play(word)
        assert isinstance(outcome, Played)
        solo = outcome.solo
        boards.append(solo.board)
    every = [reach(board) for board in boards]

    found = run_answer(code, words)

    assert found.complete
    assert found.start == every[0]
    assert found.result == result_of(boards[-1])
    changed = [n for n in range(1, len(every)) if every[n].best.removed != every[n - 1].best.removed]
    assert [change.n for change in found.changes] == changed
    assert [change.best for change in found.changes] == [every[n].best for n in changed]
    assert found.regret == every[0].best.score - boards[-1].settled_score
    drops = [max(0, before.best.score - after.best.score) for before, after in pairwise(every)]
    assert found.dropped == sum(drops)
    lost = [n for n in range(1, len(every)) if every[n - 1].winnable and not any(one.winnable for one in every[n:])]
    assert [found.lost_at] == (lost or [None])


@given(golf_games())
@settings(max_examples=10)
def test_what_was_better_would_have_kept_it(game: tuple[Code, tuple[str, ...]]) -> None:
    """The better move is not the one played, and after it as many cards could be removed as before."""
    code, words = game
    for change in run_answer(code, words).changes:
        if change.better is None:
            continue
        line = _undone(words[: change.n - 1])
        before = position_answer(code, line)
        assert change.better != words[change.n - 1]
        assert position_answer(code, (*line, change.better)).best == before.best


def _undone(words: tuple[str, ...]) -> tuple[str, ...]:
    line: list[str] = []
    for word in words:
        if word == "u":
            line.pop()
        else:
            line.append(word)
    return tuple(line)


def analysed(record: str, ms: float = 20_000) -> RunAnswer:
    parsed = parse_record(record)
    return run_answer(parsed.code, parsed.words, ms)


def test_undo_gives_back() -> None:
    """What an undo restores is a change too; a game that was lost and taken back is not lost."""
    lost = analysed("GO1-C-AAAAAAC d d d d d d d d d d d d d d d d")
    assert lost.lost_at is not None
    words = " ".join(["d"] * lost.lost_at)
    back = analysed(f"GO1-C-AAAAAAC {words} u")
    assert [(change.winnable, change.better is not None) for change in back.changes] == [(False, True), (True, False)]
    assert (back.lost_at, back.winnable_until, back.lost_from) == (None, lost.lost_at + 1, None)
    assert back.dropped == lost.start.best.score - back.changes[0].best.score


def test_unplayed_deal() -> None:
    """Nothing played is all given away at the end, and lost at no move."""
    found = analysed("GO1-E-AAAAAAB")
    assert (found.regret, found.lost_at, found.changes) == (350, None, ())
    assert found.start.winnable


def test_time_ends_an_analysis() -> None:
    """When the time is up, what was found by then is told, and that it is not all."""
    found = analysed("DS1-D3N-AAAAAAB" + " d" * 20 + " r" + " d" * 20, ms=0.001)
    assert not found.complete
    assert (found.lost_at, found.regret) == (None, None)


def test_double_solitaire_is_lost_where_that_is_proved() -> None:
    """A game whose last card in the way was left lying: the move, and that drawing on would have won."""
    found = analysed(LOST)
    assert (found.start.winnable, found.complete) == (True, True)
    assert (found.winnable_until, found.lost_at, found.lost_from) == (110, 111, 111)
    (lost,) = found.changes
    assert (lost.n, lost.m, lost.winnable) == (111, "w-t8", False)
    parsed = parse_record(LOST)
    assert lost.better is not None
    assert position_answer(parsed.code, (*parsed.words[:110], lost.better)).winnable


@pytest.mark.parametrize("record", ["GO1-E-AAAAAAB 1 1 1 1 1 1 1", "GO1-E-AAAAAAB u", "DS1-D1N-AAAAAAB c1c1"])
def test_words_that_cannot_be_played(record: str) -> None:
    """A game that the rules refuse has no analysis; the word and the reason are named."""
    with pytest.raises(WordsRefused, match="is refused"):
        analysed(record)
