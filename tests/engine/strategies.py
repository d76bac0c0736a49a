"""What hypothesis makes: cards, rules, codes, and games played by chance."""

from hypothesis import strategies as st

from engine.codes import ALPHABET, Code, number_letters, parse_code
from engine.double.moves import MOVES as DOUBLE_MOVES
from engine.double.rules import DoubleRules
from engine.golf.moves import MOVES
from engine.golf.rules import GolfRules
from engine.record import Record, replay
from engine.solo import UNDO, Solo
from tests.engine.double.steady import steady_game
from tests.engine.golf.printed import WON

__all__ = [
    "codes",
    "double_codes",
    "double_played",
    "double_words",
    "golf_codes",
    "golf_rules",
    "golf_words",
    "orders_of",
    "played",
    "played_of_both",
]

golf_rules = st.builds(GolfRules, st.sampled_from("ECS"), st.integers(0, 2), st.booleans())
double_rules = st.builds(DoubleRules, st.sampled_from([1, 3]), st.sampled_from("NV"), st.booleans())

open_numbers = st.text(ALPHABET, min_size=7, max_size=7)
sealed_numbers = st.integers(0, 2**128 - 1).map(lambda value: number_letters(value, 26))

golf_codes = st.builds(Code, st.just("GO"), st.just(1), golf_rules, open_numbers | sealed_numbers)
double_codes = st.builds(Code, st.just("DS"), st.just(1), double_rules, open_numbers | sealed_numbers)
codes = golf_codes | double_codes

golf_words = st.sampled_from([*MOVES, UNDO, "8", "0", "D", "c8r1", "c1r6", "zz", "t1-t2"])
"""Words of Golf's notation, and some of none."""
double_words = st.sampled_from([*DOUBLE_MOVES, "t9-t1x20", "fS1-t1", UNDO, "8", "D", "t10-f", "zz", "c1r1"])
"""Words of Double Solitaire's notation, and some of none."""
STEADY = ("DS1-D1N-AAAAAAF", "DS1-D3NO-AAAAAAR", "DS1-D1V-AAAAAEL", "DS1-D3V-AAAAAAC", "DS1-D1NO-AAAAAAC")
"""Codes on which a simple player gets far."""


def orders_of(rules: GolfRules | DoubleRules) -> st.SearchStrategy:
    """Orders of the rules' pack."""
    return st.permutations(rules.pack).map(tuple)


@st.composite
def played(draw: st.DrawFn, most: int = 70) -> tuple[Code, list[str], Solo]:
    """A code of Golf, words tried on it, and the game they led to; some games start as the published win."""
    won, *moves = WON.split()
    code = draw(golf_codes | st.just(parse_code(won)))
    words = moves[: draw(st.integers(0, len(moves)))] if str(code) == won else []
    return _tried(draw, code, words, most, golf_words)


@st.composite
def double_played(draw: st.DrawFn, most: int = 70) -> tuple[Code, list[str], Solo]:
    """A code of Double Solitaire, words tried on it, and the game they led to; some games start as a player's."""
    code = draw(double_codes | st.sampled_from(STEADY).map(parse_code))
    moves = steady_game(code)[1] if str(code) in STEADY else ()
    return _tried(draw, code, list(moves[: draw(st.integers(0, len(moves)))]), most, double_words)


played_of_both = played() | double_played()


def _tried(
    draw: st.DrawFn, code: Code, words: list[str], most: int, any_words: st.SearchStrategy[str]
) -> tuple[Code, list[str], Solo]:
    """Go on from some words by chance: mostly legal moves, some undos, some nonsense."""
    solo = replay(Record(code, tuple(words)))[0]
    # Lists are short when left to themselves; a length drawn first makes games that end as likely as openings.
    length = draw(st.integers(0, most))
    for choice in draw(st.lists(st.integers(0, 71), min_size=length, max_size=length)):
        legal = solo.board.legal()
        if choice % 9 == 7:
            word = UNDO
        elif choice % 9 == 8 or not legal:
            word = draw(any_words)
        else:
            word = legal[choice % len(legal)]
        words.append(word)
        outcome = solo.play(word)
        solo = getattr(outcome, "solo", solo)
    return code, words, solo
