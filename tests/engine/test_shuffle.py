"""The published shuffle, written out a second time."""

from hashlib import sha256

from hypothesis import given
from hypothesis import strategies as st

from engine.cards import pack
from engine.shuffle import below, shuffled


def plain_shuffle(key: bytes, cards: list[int]) -> list[int]:
    """Shuffle as codes.md tells it, step by step."""
    digests = [sha256(key + counter.to_bytes(4, "big")).digest() for counter in range(64)]
    stream = b"".join(digests)
    words = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    for i in reversed(range(1, len(cards))):
        n = i + 1
        word = words.pop(0)
        while word >= 2**32 - 2**32 % n:
            word = words.pop(0)
        cards[i], cards[word % n] = cards[word % n], cards[i]
    return cards


@given(st.binary(max_size=64), st.sampled_from([(1, 0), (1, 2), (2, 0)]))
def test_shuffle_is_fisher_yates_over_sha256(key: bytes, size: tuple[int, int]) -> None:
    """Any key shuffles any pack as the specification says, and loses no card."""
    cards = pack(*size)
    assert plain_shuffle(key, list(cards)) == list(shuffled(key, cards))
    assert sorted(cards) == sorted(shuffled(key, cards))


def test_an_empty_pack_stays_empty() -> None:
    """Nothing to shuffle asks for no words."""
    assert shuffled(b"key", ()) == ()


def test_words_of_the_incomplete_last_span_are_rejected() -> None:
    """2³² is 1 more than a multiple of 3, so below 3 the last word is passed over; below a power of two none is."""
    assert below(3, iter([2**32 - 1, 5])) == 5 % 3
    assert below(4, iter([2**32 - 1])) == 3
