"""Races of Double Solitaire: the option O, undo, ties, and that nobody learns of a hidden card."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.codes import Code, CodeError, deal, literal_code, parse_code
from engine.deal import Deal
from engine.double.board import DoubleBoard
from engine.double.rules import STOCK
from engine.game import first_board
from engine.log.entry import GENESIS
from engine.race.card import RaceCardError, read_card
from engine.race.commands import Play
from engine.race.decide import Happens, Refused, decide
from engine.race.evolve import evolve
from engine.race.model import Race
from engine.race.views import PUBLIC, Role, Viewer, ev_for, progress_for, snap_for
from engine.refusals import ErrorCode, Reason
from engine.solo import Solo, UndoPolicy, deal_out
from engine.wire.codec import Subprotocol, encode
from tests.engine.double.steady import steady_game
from tests.engine.race.course import Course

CARDS: list[tuple[str, dict[str, Any], str, str | None]] = [
    ("by score a game gets it", {"game": "DS1-D1N"}, "DS1-D1NO", None),
    ("in Vegas too", {"game": "DS1-D3V", "goal": "score"}, "DS1-D3VO", None),
    ("one that has it keeps it", {"game": "ds1-d3vo"}, "DS1-D3VO", None),
    ("a code is read with it", {"code": "DS1-D1N-AAAAAAB"}, "DS1-D1NO", "DS1-D1NO-AAAAAAB"),
    ("a game named beside a code", {"code": "DS1-D1N-AAAAAAB", "game": "DS1-D1N"}, "DS1-D1NO", "DS1-D1NO-AAAAAAB"),
    ("with it in one of the two", {"code": "DS1-D1NO-AAAAAAB", "game": "DS1-D1N"}, "DS1-D1NO", "DS1-D1NO-AAAAAAB"),
    ("other goals leave it to the creator", {"game": "DS1-D1N", "goal": "first"}, "DS1-D1N", None),
    ("who may want it", {"code": "DS1-D1NO-AAAAAAB", "goal": "moves"}, "DS1-D1NO", "DS1-D1NO-AAAAAAB"),
    ("Golf knows no such option", {"game": "GO1-C"}, "GO1-C", None),
]


@pytest.mark.parametrize(("asked", "game", "code"), [case[1:] for case in CARDS], ids=[case[0] for case in CARDS])
def test_a_race_by_score_is_played_with_option_o(asked: dict[str, Any], game: str, code: str | None) -> None:
    """Else a card pays each time it is put up, and no score is high enough; the cards are the same."""
    card = read_card(asked)
    assert (card.game, card.code) == (game, code)
    assert card.time_limit_s == (1800 if game.startswith("DS") else 600)


def test_a_literal_code_is_read_with_option_o() -> None:
    """It stands for the same lay-out."""
    lay_out = deal(parse_code("DS1-D1N-AAAAAAB"))
    plain, once = (literal_code(parse_code(f"DS1-{rules}-AAAAAAB").rules, lay_out) for rules in ("D1N", "D1NO"))
    assert read_card({"code": str(plain)}).code == str(once)


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"game": "DS1-D1N", "code": "DS1-D3N-AAAAAAB"}, RaceCardError),
        ({"game": "DS1-D1NO", "code": "DS1-D1N-AAAAAAB", "goal": "first"}, RaceCardError),
        ({"game": "DS1-D1"}, CodeError),
        ({"game": "DS0-D1N"}, RaceCardError),
    ],
)
def test_cards_that_are_refused(asked: dict[str, Any], error: type[ValueError]) -> None:
    """A game and a code must name the same rules, option O aside where the race adds it."""
    with pytest.raises(error):
        read_card(asked)


def test_a_whole_race() -> None:
    """The winner holds what the page promises; who settles keeps the score, nothing is charged for cards left."""
    course = Course(code="DS1-D1N-AAAAAAF").begin("ann", "bob")
    won, words = steady_game(parse_code("DS1-D1NO-AAAAAAF"))
    course.play("bob", *words[:120])
    course.play("ann", *words)
    course.done("bob")
    ann, bob = course.seat("ann"), course.seat("bob")
    assert (ann.end, ann.score, ann.numbers.cleared) == ("won", won.board.score, 104)
    assert bob.solo is not None
    assert (bob.end, bob.score, bob.numbers.cleared) == ("done", bob.solo.board.score, bob.solo.board.cleared)
    assert bob.score > 0
    assert course.race.over == "all"


def test_ties_go_by_the_last_move_that_changed_the_score() -> None:
    """Cards moved about later, draws and undos of such moves do not count; a point more or less does."""
    course = Course(code="DS1-D1N-AAAAAAG", seats=1).begin("ann")
    begun = course.now
    moved = [("d", 0), ("u", 0), ("t2-t3", 5), ("t2-t9", 0), ("u", 0), ("t7-t6", 5), ("u", -5), ("fS-t1", 0)]
    changed = begun
    score = 0
    for word, points in moved:
        course.now += 1000
        decision = course.play("ann", word)
        score += points
        if isinstance(decision, Happens) and points:
            changed = course.now
        assert (course.seat("ann").score, course.seat("ann").scored_at) == (score, changed), word


def test_a_move_that_names_face_down_cards() -> None:
    """The answer tells nothing of them: `face_down`, whatever they are and wherever they are to go."""
    course = Course(code="DS1-D1N-AAAAAAB").begin("ann", "bob")
    for target in range(1, 10):
        for cards in range(2, 10):
            decision = course.play("ann", f"t9-t{target}x{cards}")
            assert decision == Refused(ErrorCode.ILLEGAL, Reason.FACE_DOWN, 0)


def test_two_spellings_are_one_operation() -> None:
    """The log has the canonical word; the same again in another spelling is a repeat."""
    course = Course(code="DS1-D1N-AAAAAAB").begin("ann", "bob")
    course.play("ann", "t6-t1x1")
    assert course.seat("ann").words == ("t6-t1",)
    assert course.play("ann", "t6-t1", n=1) == course.play("ann", "t6-t1x1", n=1)
    assert course.seat("ann").lane == 1


def test_a_turned_card_is_a_barrier() -> None:
    """Under `unrevealed` neither a draw nor what uncovered a card can be taken back."""
    course = Course(code="DS1-D1N-AAAAAAB", undo="unrevealed").begin("ann", "bob")
    for word in ("d", "t6-t1"):
        course.play("ann", word)
        assert course.undo("ann") == Refused(ErrorCode.ILLEGAL, Reason.NOTHING_TO_UNDO, course.seat("ann").lane)


def test_what_an_operation_turns_is_told() -> None:
    """Up to three cards of a draw, and a column's card with its pile; nothing for a recycle or an undo."""
    course = Course(code="DS1-D3N-AAAAAAB").begin("ann", "bob")
    course.play("ann", "d", "t6-t1", "u", *["d"] * 19, "r")
    events = [ev_for(*told, Viewer(Role.SEAT, 1)) for told in course.told]
    turned = [event.d["turned"] for event in events if event is not None and event.k.startswith("seat.played")]
    assert turned[0] == [{"pile": "waste", "card": card} for card in ("3D", "QC", "7S")]
    assert turned[1] == [{"pile": "t6", "card": "8S"}]
    assert [len(cards) for cards in turned] == [3, 1, *[3] * 18, 2, 0]


@st.composite
def twins(draw: st.DrawFn) -> tuple[Code, list[str], Deal]:
    """A code, words for it, and another deal that differs only in cards that these words never turn up."""
    rules = draw(st.sampled_from(["D1N", "D1VO", "D3NO", "D3V"]))
    code = parse_code(f"DS1-{rules}-{draw(st.sampled_from(['AAAAAAB', 'AAAAAAF', 'AAAAAAG', 'AAAAAEL']))}")
    chance = Random(draw(st.integers(0, 2**32)))
    words = list(steady_game(code)[1][: draw(st.integers(0, 120))])
    solo = deal_out(code)
    for word in words:
        solo = getattr(solo.play(word), "solo", solo)
    for _ in range(draw(st.integers(0, 30))):
        words.append(chance.choice([*solo.board.legal(), "u", "t9-t1x2", "t8-t9x3", "w-f", "r"]))
        solo = getattr(solo.play(words[-1]), "solo", solo)
    lay_out = deal(code)
    *down, unseen = never_turned(code, words)
    hidden = [card for column, count in zip(lay_out.columns, down, strict=True) for card in column[:count]]
    hidden += lay_out.stock[STOCK - unseen :]
    chance.shuffle(hidden)
    cards = iter(hidden)
    columns = tuple(
        (*(next(cards) for _ in range(count)), *column[count:])
        for column, count in zip(lay_out.columns, down, strict=True)
    )
    return code, words, Deal(columns, (), (*lay_out.stock[: STOCK - unseen], *cards))


def never_turned(code: Code, words: list[str]) -> list[int]:
    """How many cards of each column, and of the stock's end, were never turned up by these words."""
    solo, least = deal_out(code), [*range(9), STOCK]
    for word in words:
        solo = getattr(solo.play(word), "solo", solo)
        assert isinstance(solo.board, DoubleBoard)
        least = [*map(min, least, [*solo.board.down, STOCK - solo.seen])]
    return least


def sealed_race(code: Code, lay_out: Deal) -> Race:
    """A sealed race that shows boards, its seats' boards dealt so."""
    course = Course(game=f"DS1-{code.rules}", sealed=True, watch="boards", goal="first").begin("ann", "bob")
    board = first_board(code)
    assert isinstance(board, DoubleBoard)
    solo = Solo(deal_out(code).game, replace(board, columns=lay_out.columns, stock=lay_out.stock), UndoPolicy.FREE)
    return replace(course.race, seats={number: replace(seat, solo=solo) for number, seat in course.race.seats.items()})


@settings(max_examples=40)
@given(twins())
def test_frames_tell_nothing_of_hidden_cards(case: tuple[Code, list[str], Deal]) -> None:
    """Two deals that differ only in cards never turned up give every viewer the same bytes, refusals included."""
    code, words, other = case
    races = [sealed_race(code, deal(code)), sealed_race(code, other)]
    now = races[0].start_at or 0
    viewers = [Viewer(Role.SEAT, 1, boards=True), Viewer(Role.SEAT, 2), Viewer(Role.WATCH, boards=True), PUBLIC]
    for word in words:
        sent: list[list[bytes]] = []
        for at, race in enumerate(races):
            seat = race.seats[1]
            decision = decide(race, Play("ann", seat.lane + 1, word, now))
            told = [repr(decision).encode()]
            if isinstance(decision, Happens):
                event = decision.events[0]
                after = evolve(race, event, now, GENESIS)
                races[at] = after
                for viewer in viewers:
                    frames = [ev_for(race, event, after, viewer), progress_for(after, viewer)]
                    frames.append(snap_for(after, viewer, now, "join"))
                    told += [encode(frame, Subprotocol.JSON) for frame in frames if frame is not None]
            sent.append(told)
        assert sent[0] == sent[1], word
