"""Words that share a list are, whatever becomes of each other, what tuples would be."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.race.words import Words


@given(st.lists(st.tuples(st.integers(0, 30), st.sampled_from("abc")), max_size=60))
def test_each_is_as_a_tuple_would_be(steps: list[tuple[int, str]]) -> None:
    """Any of those that are there may go on, in whatever way: none of the others changes."""
    made, meant = [Words()], [()]
    for from_, word in steps:
        made.append(made[from_ % len(made)].then(word))
        meant.append((*meant[from_ % len(meant)], word))  # type: ignore[arg-type]
    assert [tuple(words) for words in made] == meant
    assert [len(words) for words in made] == list(map(len, meant))
    for words, tuples in zip(made, meant, strict=True):
        assert [words[at] for at in range(len(words))] == list(tuples)
        assert [words == other for other in made] == [tuples == other for other in meant]
        assert {words, *made} == set(made)
        for outside in (-1, len(words)):
            with pytest.raises(IndexError, match=f"expected one of {len(words)} words, found number {outside}"):
                words[outside]


def test_going_on_copies_nothing() -> None:
    """However long it is, one more word adds one to a list; the same word, said again from before it, adds none."""
    words = Words()
    for number in range(10_000):
        before, words = words, words.then(str(number))
    assert before.then("9999")._shared is words._shared is before._shared
    assert before.then("another")._shared is not words._shared
