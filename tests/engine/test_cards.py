"""Cards as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import (
    Card,
    CardError,
    card_text,
    is_red,
    pack,
    parse_card,
    parse_cards,
    rank_of,
    suit_of,
    texts,
)


@pytest.mark.parametrize(
    ("text", "suit", "rank"),
    [("AS", 0, 1), ("10H", 1, 10), ("TH", 1, 10), ("kc", 3, 13), ("qd", 2, 12), ("th", 1, 10)],
)
def test_cards_are_read_in_every_spelling(text: str, suit: int, rank: int) -> None:
    """Rank then suit letter, in any case, with T for 10."""
    card = parse_card(text)
    assert (suit, rank) == (suit_of(card), rank_of(card))


@pytest.mark.parametrize("text", ["", "1S", "11S", "A", "SA", "AX", "*3", "--", "R♣", "10", " AS"])
def test_what_is_no_card_is_named(text: str) -> None:
    """An unreadable card is an error that shows it and says what a card looks like."""
    with pytest.raises(CardError) as fault:
        parse_card(text)
    assert f"expected a card such as AS, 10H, KC or *1, found {text!r}" == str(fault.value)


@given(st.lists(st.integers(0, 53)))
def test_text_and_card_are_inverse(cards: list[int]) -> None:
    """Cards written as text are read back, with spaces or commas between them."""
    written = texts(map(Card, cards))
    assert tuple(cards) == parse_cards(" ".join(written)) == parse_cards(", ".join(written).lower())


def test_jokers_have_no_rank() -> None:
    """A joker's rank is 0."""
    assert [rank_of(parse_card(text)) for text in ("*1", "*2")] == [0, 0]


def test_colours() -> None:
    """Hearts and diamonds are red."""
    assert [is_red(parse_card("A" + suit)) for suit in "SHDC"] == [False, True, True, False]


def test_the_pack_runs_by_suit_then_rank() -> None:
    """♠♥♦♣ each A..K, once for each pack, the jokers last."""
    single = [rank + suit for suit in "SHDC" for rank in [*"A23456789", "10", *"JQK"]]
    assert [*single, "*1", "*2"] == [card_text(card) for card in pack(1, 2)]
    assert single * 2 == texts(pack(2))
