"""Game codes: forgiving reading, canonical writing, errors that name the part."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.codes import (
    ALPHABET,
    DEFAULT_GAMES,
    Code,
    CodeError,
    CodePart,
    deal,
    literal_code,
    literal_letters,
    number_letters,
    parse_code,
    parse_game,
)
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules
from tests.engine.strategies import codes, golf_rules, orders_of

SEED = "HABCDEFGHIJKLMNOPQRSTUVWXY"

FORGIVEN = {
    "GO1-E-AAAAAAB": "GO1-E-AAAAAAB",
    "go1-e-aaaaaab": "GO1-E-AAAAAAB",
    "  GO1 - E - AAAA AAB\n": "GO1-E-AAAAAAB",
    "GO1EAAAAAAB": "GO1-E-AAAAAAB",
    "GO1E-AAAAAAB": "GO1-E-AAAAAAB",
    "GO1-EAAAAAAB": "GO1-E-AAAAAAB",
    "go1 e aaaaaab": "GO1-E-AAAAAAB",
    "GO1–E–AAAAAAB": "GO1-E-AAAAAAB",
    "GO1—E−AAAAAAB": "GO1-E-AAAAAAB",
    "GO1-N-AAAAAAB": "GO1-E-AAAAAAB",
    "GO1-NJ1X-AAAAAAB": "GO1-EJ1X-AAAAAAB",
    "GO1-CXJ2-AAAAAAB": "GO1-CJ2X-AAAAAAB",
    "GO1-E-0180180": "GO1-E-OIBOIBO",
    "go1e0180180": "GO1-E-OIBOIBO",
    "GO1SXAAAAAAB": "GO1-SX-AAAAAAB",
    f"GO1-C-{SEED}": f"GO1-C-{SEED}",
    f"go1cj1{SEED.lower()}": f"GO1-CJ1-{SEED}",
    "ds1-d3v-aaaaaab": "DS1-D3V-AAAAAAB",
    "DS1D1NAAAAAAB": "DS1-D1N-AAAAAAB",
    "DS1D1NOAAAAAAB": "DS1-D1NO-AAAAAAB",
    "DS1D1NOOOOOOO": "DS1-D1N-OOOOOOO",
    "DS1-D3VO-0000000": "DS1-D3VO-OOOOOOO",
    "DS1-D3-V-AAAAAAB": "DS1-D3V-AAAAAAB",
    "GO0-E-" + "A" * 46: "GO0-E-" + "A" * 46,
    "go0ex" + "a" * 46: "GO0-EX-" + "A" * 46,
    "go0ej1x" + "a" * 47: "GO0-EJ1X-" + "A" * 47,
    "go0ej2" + "a" * 48: "GO0-EJ2-" + "A" * 48,
    "ds0d1no" + "a" * 100: "DS0-D1NO-" + "A" * 100,
}


@pytest.mark.parametrize(("typed", "canonical"), FORGIVEN.items(), ids=list(FORGIVEN.values()))
def test_reading_is_forgiving_and_writing_canonical(typed: str, canonical: str) -> None:
    """Lower case, spaces, missing hyphens, other dashes, 0 1 8 in the number part and options in any order are read."""
    assert canonical == str(parse_code(typed))
    assert parse_code(canonical) == parse_code(typed)


@pytest.mark.parametrize(
    ("text", "part", "sentence"),
    [
        ("", CodePart.GAME, "unknown game: expected GO (Golf) or DS (Double Solitaire), found ''"),
        ("XY1-E-AAAAAAB", CodePart.GAME, "unknown game: expected GO (Golf) or DS (Double Solitaire), found 'XY'"),
        ("G01-E-AAAAAAB", CodePart.GAME, "unknown game: expected GO (Golf) or DS (Double Solitaire), found 'G0'"),
        ("GO2-E-AAAAAAB", CodePart.VERSION, "unknown version: expected GO1 or GO0, found 'GO2'"),
        ("GO-E-AAAAAAB", CodePart.VERSION, "unknown version: expected GO1 or GO0, found 'GO'"),
        ("GO١-E-AAAAAAB", CodePart.VERSION, "unknown version: expected GO1 or GO0, found 'GO١'"),
        (
            "GO10-E-AAAAAAB",
            CodePart.VERSION,
            "unknown version: expected one digit after the game, as in GO1, found 'GO10'",
        ),
        (
            "GO1-Q-AAAAAAB",
            CodePart.RULES,
            "unknown rule: expected E, C or S with the options J1, J2 and X, as in GO1-E, found 'Q'",
        ),
        ("GO1-EJ3-AAAAAAB", CodePart.RULES, None),
        ("GO1-EJ1J2-AAAAAAB", CodePart.RULES, None),
        ("GO1-EXX-AAAAAAB", CodePart.RULES, None),
        ("GO1-E0-AAAAAAB", CodePart.RULES, None),
        ("GO1-D1N-AAAAAAB", CodePart.RULES, None),
        ("GO1-AAAAAAB", CodePart.RULES, None),
        ("GO1--AAAAAAB", CodePart.RULES, None),
        (
            "DS1-D2N-AAAAAAB",
            CodePart.RULES,
            "unknown rule: expected D1 or D3, then N or V, then the option O or nothing, as in DS1-D1N, found 'D2N'",
        ),
        ("DS1-N-AAAAAAB", CodePart.RULES, None),
        ("DS1-D1NOO-AAAAAAB", CodePart.RULES, None),
        (
            "GO1-E-AAAAAA",
            CodePart.LENGTH,
            "wrong length: expected 7 or 26 letters in the number part, found '6: AAAAAA'",
        ),
        ("GO1-E-AAAAAAAB", CodePart.LENGTH, None),
        ("GO1E", CodePart.LENGTH, None),
        ("GO1-E-", CodePart.LENGTH, None),
        (
            "GO0-E-AAAAAAB",
            CodePart.LENGTH,
            "wrong length: expected 46 letters in the number part, found '7: AAAAAAB'",
        ),
        ("GO0-EJ1-" + "A" * 46, CodePart.LENGTH, None),
        ("DS0-D1N-" + "A" * 99, CodePart.LENGTH, None),
        (
            "GO1-E-AAAA9AB",
            CodePart.LETTER,
            "bad letter: expected letters A to Z and digits 2 to 7 in the number part, found '9'",
        ),
        ("GO1-E-AAAAÁAB", CodePart.LETTER, None),
        ("GO1-E-AAAAAA!", CodePart.LETTER, None),
        (
            "GO1-E-I" + "A" * 25,
            CodePart.NUMBER,
            "number out of range: expected a first letter A to H (128 bits in all), found 'I'",
        ),
        ("GO1-E-7" + "A" * 25, CodePart.NUMBER, None),
        ("GO0-E-" + "7" * 46, CodePart.NUMBER, None),
        ("DS0-D1N-" + "7" * 100, CodePart.NUMBER, None),
    ],
)
def test_errors_name_the_part(text: str, part: CodePart, sentence: str | None) -> None:
    """What cannot be read is an error with the part, what was expected there and what was found."""
    with pytest.raises(CodeError) as fault:
        parse_code(text)
    assert part is fault.value.part
    assert sentence is None or sentence == str(fault.value)


def test_long_inputs_are_shown_shortened() -> None:
    """A page of nonsense does not fill the message."""
    with pytest.raises(CodeError) as fault:
        parse_code("GO1-" + "Q" * 10_000 + "-AAAAAAB")
    assert len(str(fault.value)) < 200


@given(codes)
def test_writing_and_reading_are_inverse(code: Code) -> None:
    """A canonical code is read back as itself, with and without hyphens and in lower case."""
    assert code == parse_code(str(code))
    assert code == parse_code(str(code).replace("-", "").lower())


@given(golf_rules.flatmap(lambda rules: st.tuples(st.just(rules), orders_of(rules))))
def test_any_golf_lay_out_has_a_literal_code(case: tuple[GolfRules, tuple]) -> None:
    """A lay-out's literal code is read back, with and without hyphens, and deals it."""
    rules, order = case
    code = literal_code(rules, rules.lay_out(order))
    assert code == parse_code(str(code)) == parse_code(str(code).replace("-", ""))
    assert rules.lay_out(order) == deal(code)


@given(orders_of(DoubleRules(3, "V", True)))
def test_any_double_solitaire_lay_out_has_a_literal_code(order: tuple) -> None:
    """As for Golf."""
    rules = DoubleRules(3, "V", True)
    code = literal_code(rules, rules.lay_out(order))
    assert code == parse_code(str(code).replace("-", ""))
    assert rules.lay_out(order) == deal(code)


@given(st.text(max_size=60) | st.text(st.sampled_from("GODS01-ECNJX AB27 –"), max_size=60))
def test_reading_any_text_is_a_code_or_an_error_of_codes(text: str) -> None:
    """No text makes the reader fail in another way."""
    try:
        code = parse_code(text)
    except CodeError:
        return
    assert code == parse_code(str(code))


@given(codes)
def test_the_same_code_always_deals_the_same_cards(code: Code) -> None:
    """A deal is its pack, each card in one place, and repeats."""
    assert sorted(code.rules.pack) == sorted(deal(code).order)
    assert deal.__wrapped__(code) == deal(code)


@pytest.mark.parametrize(
    ("rules", "letters"),
    [(GolfRules(), 46), (GolfRules("C", 1), 47), (GolfRules("S", 2, True), 48), (DoubleRules(), 100)],
    ids=str,
)
def test_literal_numbers_have_their_width(rules: GolfRules | DoubleRules, letters: int) -> None:
    """46 letters, 47 or 48 with jokers, 100 for two packs: the last order still fits, and is read."""
    assert letters == literal_letters(rules)
    last = literal_code(rules, rules.lay_out(sorted(rules.pack, reverse=True)))
    assert letters == len(last.number)
    assert last == parse_code(str(last))
    follower = int("".join(f"{ALPHABET.index(letter):05b}" for letter in last.number), 2) + 1
    with pytest.raises(CodeError, match="number out of range"):
        parse_code(str(last).replace(last.number, number_letters(follower, letters)))


def test_a_literal_code_needs_the_whole_pack_in_its_places() -> None:
    """A lay-out of other cards, or in other piles, has no code."""
    rules = GolfRules()
    with pytest.raises(ValueError, match="each in its place"):
        literal_code(rules, GolfRules(empty_waste=True).lay_out(rules.pack))
    with pytest.raises(ValueError, match="expected the 52 cards of the pack of E"):
        literal_code(rules, rules.lay_out(GolfRules("E", 1).pack))


@pytest.mark.parametrize(
    ("value", "letters"), [(0, "AAAAAAA"), (1, "AAAAAAB"), (32, "AAAAABA"), (2**35 - 1, "7777777")]
)
def test_numbers_are_written_big_endian_at_full_width(value: int, letters: str) -> None:
    """A = 0, the last letter counts ones."""
    assert letters == number_letters(value, 7)


@pytest.mark.parametrize("value", [-1, 2**35])
def test_numbers_that_do_not_fit_are_refused(value: int) -> None:
    """Seven letters hold 35 bits."""
    with pytest.raises(ValueError, match="expected a number below"):
        number_letters(value, 7)


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("GO1-C", ("GO", 1, GolfRules("C"))),
        ("go1 n", ("GO", 1, GolfRules("E"))),
        ("GO1SXJ1", ("GO", 1, GolfRules("S", 1, True))),
        ("DS1-D3VO", ("DS", 1, DoubleRules(3, "V", True))),
        ("GO0-E", ("GO", 0, GolfRules())),
    ],
)
def test_games_without_a_number(text: str, game: tuple) -> None:
    """The first two parts of a code name a game and its rules."""
    assert game == parse_game(text)


@pytest.mark.parametrize("text", ["GO1", "GO1-E-AAAAAAB", "", "GO3-E"])
def test_a_game_is_two_parts(text: str) -> None:
    """A game without rules, or with a number, is an error."""
    with pytest.raises(CodeError):
        parse_game(text)


def test_default_games_are_games() -> None:
    """A game named alone has rules of its own."""
    assert {"GO", "DS"} == {parse_game(text)[0] for text in DEFAULT_GAMES.values()}


@pytest.mark.parametrize("text", ["E", "C", "S", "EJ1", "EJ2", "EX", "EJ1X", "SJ2X"])
def test_golf_rules_are_written_as_read(text: str) -> None:
    """Rules and their letters are inverse."""
    assert text == str(GolfRules.parse(text))


@pytest.mark.parametrize("text", ["D1N", "D3N", "D1V", "D3V", "D1NO", "D3VO"])
def test_double_rules_are_written_as_read(text: str) -> None:
    """Rules and their letters are inverse."""
    assert text == str(DoubleRules.parse(text))


def test_double_solitaire_lays_out_column_by_column() -> None:
    """1 to 9 cards in nine columns, an empty waste, 59 in the stock."""
    rules = DoubleRules()
    dealt = rules.lay_out(rules.pack)
    assert (list(range(1, 10)), 0, 59) == (
        [len(column) for column in dealt.columns],
        len(dealt.waste),
        len(dealt.stock),
    )
    assert rules.pack == dealt.order
