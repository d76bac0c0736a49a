"""Lay-outs typed as text: every tolerated form, and errors that say where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.json import encode

from engine.codes import Code, deal, literal_code, parse_code
from engine.layout import LaidOut, LayOutError, parse_lay_out
from tests.engine.strategies import codes

CODE = parse_code("GO1-E-AAAAAAB")
DEAL = deal(CODE)
LITERAL = literal_code(CODE.rules, DEAL)
TEXT = str(LaidOut(CODE, DEAL))
COLUMNS = [line.partition(": ")[2] for line in TEXT.splitlines()[1:8]]
STOCK = "8S 4D KS 5H QC 9H JC 6S 6D AD 2H JD QD KH 10D 9D"


def lay_out(header: str = "", columns: list[str] = COLUMNS, waste: str = "AC", stock: str = STOCK) -> str:
    labelled = [f"{number}: {column}" for number, column in enumerate(columns, 1)]
    return "\n".join([header, *labelled, f"waste: {waste}", f"stock: {stock}"])


def test_a_lay_out_prints_as_it_is_typed() -> None:
    """The code, a line for each column, the waste, the stock."""
    assert lay_out("GO1-E-AAAAAAB") == TEXT


@given(codes)
def test_text_is_read_back(code: Code) -> None:
    """What `fairdeal deal` prints leads to the literal code of the same cards and rules."""
    laid_out = LaidOut(code, deal(code))
    assert LaidOut(literal_code(code.rules, laid_out.deal), laid_out.deal) == parse_lay_out(str(laid_out))


@given(codes)
def test_json_is_read_back(code: Code) -> None:
    """So does the JSON of `fairdeal deal --json`, with and without its code."""
    laid_out = LaidOut(code, deal(code))
    literal = literal_code(code.rules, laid_out.deal)
    written = laid_out.as_json()
    assert literal == parse_lay_out(encode(written).decode()).code
    del written["code"]
    assert literal == parse_lay_out(encode(written).decode()).code


def relabelled(column: str, waste: str, stock: str) -> str:
    labels = [*(column.format(number) for number in range(1, 8)), waste, stock]
    piles = [line.partition(":")[2] for line in lay_out().splitlines() if line]
    return "\n".join(f"{label}:{pile}" for label, pile in zip(labels, piles, strict=True))


FORMS = {
    "as printed": TEXT,
    "no header": lay_out(),
    "a game as header": lay_out("GO1-E"),
    "a game's letters as header": lay_out("go"),
    "a code of another number as header": lay_out("GO1-E-AAAAAAC"),
    "an old letter as header": lay_out("go1-n-aaaaaab"),
    "a header with a label": lay_out("code: GO1-E-AAAAAAB"),
    "lower case": lay_out().lower(),
    "T for 10": lay_out().replace("10", "T"),
    "commas": lay_out().replace(" ", ", ").replace(":,", ":"),
    "signs for suits": lay_out().translate(str.maketrans("SHDC", "♠♥♦♣")),
    "emoji for suits": lay_out().replace("C", "♣\ufe0f"),
    "no labels": "\n".join([*COLUMNS, "AC", STOCK]),
    "no labels, a header": "\n".join(["GO1-E", *COLUMNS, "AC", STOCK]),
    "no labels, the stock over several lines": "\n".join([*COLUMNS, "AC", STOCK[:26], STOCK[26:]]),
    "a stock that goes on": lay_out(stock=STOCK[:26]) + "\n" + STOCK[26:],
    "English labels": relabelled("Column {} ", "Discard ", "Stock (first card first)"),
    "Hungarian labels": relabelled("{}. oszlop", "Dobópakli", "Húzópakli"),
    "Vietnamese labels": relabelled("Cột {}", "chồng bài bỏ", "Chồng bài rút"),
    "piles in another order": "\n".join(reversed(lay_out().splitlines())),
    "blank lines and comments": "# from the app\n\n" + lay_out().replace("\n", "   # seen\n\n") + "\n\n",
    "Windows line ends": "\ufeff" + lay_out("GO1-E").replace("\n", "\r\n"),
}  # fmt: skip


@pytest.mark.parametrize("text", FORMS.values(), ids=list(FORMS))
def test_tolerated_forms(text: str) -> None:
    """Labels, header, case, 10 or T, commas, suits as signs, comments: all lead to the same code."""
    assert LaidOut(LITERAL, DEAL) == parse_lay_out(text)


@pytest.mark.parametrize("header", ["GO1-C", "GO1-S", "GO1-CX", "GO1-SJ1", "GO1-EJ2X", "DS1-D3V", "DS1-D1NO"])
def test_the_header_names_the_rules(header: str) -> None:
    """A lay-out under any rules is read with the header's rules, and without labels too."""
    code = parse_code(f"{header}-AAAAAAA")
    dealt = deal(code)
    bare = "\n".join(line.partition(": ")[2] for line in str(dealt).splitlines() if not line.endswith(":"))
    for text in (f"{header}\n{dealt}", f"{header}\n{bare}"):
        assert LaidOut(literal_code(code.rules, dealt), dealt) == parse_lay_out(text)


@pytest.mark.parametrize(
    ("game", "inferred"),
    [("GO1-EX", "EX"), ("GO1-EJ1", "EJ1"), ("GO1-EJ2X", "EJ2X"), ("DS1-D3VO", "D1N"), ("GO1-C", "E")],
)
def test_rules_are_inferred_without_a_header(game: str, inferred: str) -> None:
    """Jokers, an empty waste and the game itself show in the cards; letter, draw and scoring are the default ones."""
    dealt = deal(parse_code(f"{game}-AAAAAAA"))
    found = parse_lay_out(str(dealt))
    assert (inferred, dealt) == (str(found.code.rules), found.deal)


def test_strings_of_cards_in_json() -> None:
    """Piles may be strings, as in the published vectors, and the rules may be missing."""
    columns = ", ".join(f'"{column}"' for column in COLUMNS)
    assert parse_lay_out(f'{{"columns": [{columns}], "waste": "AC", "stock": "{STOCK}"}}').code == LITERAL


THREE = "line 2 and line 9 and line 10"
FAULTS = {
    "no card": (lay_out(waste="1C"), "line 9: expected cards such as AS, 10H, KC or *1, found '1C'"),
    "a hidden card": (lay_out(waste="--"), "line 9: expected cards such as AS, 10H, KC or *1, found '--'"),
    "a label of many digits": ("9" * 5000 + ": AS", "column 1: expected 5 cards, found 0"),
    "no label": (
        lay_out() + "\nheap: AS",
        "line 11: expected a column's number, waste or stock before the colon, found 'heap'",
    ),
    "a short column": (lay_out(columns=[COLUMNS[0][3:], *COLUMNS[1:]]), "line 2, column 1: expected 5 cards, found 4"),
    "a missing column": (lay_out(columns=COLUMNS[:6]), "column 7: expected 5 cards, found 0"),
    "a column too many": (lay_out(columns=[*COLUMNS, "AS"]), "line 9: expected columns 1 to 7, found column 8"),
    "a long text": (
        "A" * 1_000_000,
        f"line 1: expected cards such as AS, 10H, KC or *1, found '{'A' * 37}...'",
    ),
    "a column twice": (lay_out() + "\n1: AS", "line 11: expected column 1 once, found it again after line 2"),
    "a waste twice": (lay_out() + "\nwaste: AS", "line 11: expected waste once, found it again after line 9"),
    "a stock twice": (lay_out() + "\nstock: AS", "line 11: expected stock once, found it again after line 10"),
    "two cards on the waste": (lay_out(waste="AC AC"), "line 9, waste: expected 1 card, found 2"),
    "an empty waste in a game that starts with a card": (
        lay_out("GO1-E", waste="", stock="AC " + STOCK),
        "line 9, waste: expected 1 card, found 0",
    ),
    "a short stock": (lay_out(stock=STOCK[3:]), "line 10, stock: expected 16 cards, found 15"),
    "a card twice": (
        lay_out(waste="6C"),
        "line 2 and line 9: expected the pack of E: AC missing, found 6C twice (line 2 and line 9)",
    ),
    "a card three times": (
        lay_out(waste="6C", stock="6C " + STOCK[3:]),
        f"{THREE}: expected the pack of E: 8S, AC missing, found 6C 3 times ({THREE})",
    ),
    "the second joker only": (lay_out(waste="*2"), "line 10, stock: expected 18 cards, found 16"),
    "a joker under a rule without": (
        lay_out("GO1-E", waste="*1"),
        "line 9: expected the pack of E: AC missing, found *1 once (line 9)",
    ),
    "an unknown header": (
        lay_out("GO3-E"),
        "line 1, version of the code: expected GO1 or GO0, found 'GO3'",
    ),
    "nothing": ("", "column 1: expected 5 cards, found 0"),
    "no object": ("{]", None),
    "an object without columns": ('{"waste": []}', None),
    "a column of JSON": (
        '{"columns": [["AS"], ["XX"]]}',
        "columns[1]: expected cards such as AS, 10H, KC or *1, found 'XX'",
    ),
    "nested too deep": ('{"x": ' + "[" * 100_000, None),
    "no text": ('{"columns": "\ud800"}', None),
    "a number for a card": ('{"columns": [[1]]}', None),
    "a code of JSON": ('{"columns": [], "code": "GO1"}', None),
}  # fmt: skip


@pytest.mark.parametrize(("text", "sentence"), FAULTS.values(), ids=list(FAULTS))
def test_faults_name_place_and_expectation(text: str, sentence: str | None) -> None:
    """The line or the key, what was expected there, what was found."""
    with pytest.raises(LayOutError) as fault:
        parse_lay_out(text)
    assert sentence is None or sentence == str(fault.value)


def test_a_card_of_two_packs_is_named_when_it_is_there_three_times() -> None:
    """Double Solitaire has every card twice."""
    text = str(deal(parse_code("DS1-D1N-AAAAAAB")))
    with pytest.raises(LayOutError, match=r"expected the pack of D1N: KD missing, found 4D 3 times"):
        parse_lay_out(text.replace("KD", "4D", 1))


@given(st.text(max_size=200) | st.text(st.sampled_from('123456789: waste stock\nASKDQH10C*{}[],"-#'), max_size=200))
def test_any_text_is_a_lay_out_or_an_error_of_lay_outs(text: str) -> None:
    """No text makes the reader fail in another way."""
    try:
        parse_lay_out(text)
    except LayOutError:
        return
