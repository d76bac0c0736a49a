"""Every deal of the published vectors."""

import pytest

from engine.codes import deal, literal_code, parse_code
from engine.golf.rules import GolfRules
from tests.engine.vectors import PUBLISHED, VECTORS, Vector

ALL = [*VECTORS, *PUBLISHED]


def code_text(vector: Vector, letter: str = "E", *, version: int = 1, option: str = "") -> str:
    rules = f"{letter}{f'J{vector.jokers}' if vector.jokers else ''}{option}" if vector.game == "GO" else "D1N"
    return f"{vector.game}{version}-{rules}-{vector.number if version else vector.literal}"


@pytest.mark.parametrize("vector", ALL, ids=str)
def test_numbers_deal_the_published_cards(vector: Vector) -> None:
    """A number deals the cards that the vectors list for it."""
    assert vector.deal == deal(parse_code(code_text(vector)))


@pytest.mark.parametrize("vector", ALL, ids=str)
def test_literal_numbers_are_the_deal_itself(vector: Vector) -> None:
    """A literal number and the lay-out it stands for are made from each other."""
    literal = parse_code(code_text(vector, version=0))
    assert vector.deal == deal(literal)
    assert literal == literal_code(literal.rules, vector.deal)


@pytest.mark.parametrize("letter", ["C", "S", "N"])
@pytest.mark.parametrize("vector", [vector for vector in ALL if vector.game == "GO"], ids=str)
def test_rule_letters_do_not_change_the_cards(vector: Vector, letter: str) -> None:
    """The same number deals the same cards under every rule letter, published or not."""
    assert vector.deal == deal(parse_code(code_text(vector, letter)))


@pytest.mark.parametrize("rules", ["D3N", "D1V", "D3V", "D1NO", "D3VO"])
@pytest.mark.parametrize("vector", [vector for vector in ALL if vector.game == "DS"], ids=str)
def test_draw_and_scoring_do_not_change_the_cards(vector: Vector, rules: str) -> None:
    """The same number deals the same cards whatever the draw and the scoring."""
    assert vector.deal == deal(parse_code(f"DS1-{rules}-{vector.number}"))


@pytest.mark.parametrize("vector", [vector for vector in ALL if vector.game == "GO"], ids=str)
def test_an_empty_waste_moves_one_card_to_the_stock(vector: Vector) -> None:
    """Under X the card that would start the waste leads the stock, and the literal number is the same."""
    code = parse_code(code_text(vector, option="X"))
    assert vector.deal.columns == deal(code).columns
    assert ((), vector.deal.waste + vector.deal.stock) == (deal(code).waste, deal(code).stock)
    assert vector.literal == literal_code(code.rules, deal(code)).number


def test_only_the_printed_deal_is_published() -> None:
    """AAAAAAB is published under every letter and X, but not with jokers, not for the other game, not as a literal."""
    printed = ["GO1-E-AAAAAAB", "GO1-C-AAAAAAB", "GO1-S-AAAAAAB", "GO1-EX-AAAAAAB"]
    others = ["GO1-EJ1-AAAAAAB", "DS1-D1N-AAAAAAB", "GO1-E-AAAAAAC", f"GO0-E-{PUBLISHED[0].literal}"]
    assert [parse_code(text).published for text in [*printed, *others]] == [True] * 4 + [False] * 4


def test_a_seed_and_a_number_of_the_same_value_are_different_deals() -> None:
    """Seven and twenty-six letters are different deals even where equal as numbers."""
    seven, seed = parse_code("GO1-E-AAAAAAC"), parse_code("GO1-E-" + "A" * 25 + "C")
    assert deal(seven) != deal(seed)


def test_jokers_are_the_last_cards_of_the_pack_shuffled_with_the_same_key() -> None:
    """A joker rule has its own pack: 53 or 54 cards, 17 or 18 of them in the stock."""
    for jokers in (1, 2):
        dealt = deal(parse_code(f"GO1-EJ{jokers}-AAAAAAA"))
        assert 16 + jokers == len(dealt.stock)
        assert sorted(GolfRules("E", jokers).pack) == sorted(dealt.order)
