"""Differences between plain values are named by their path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.replay.difference import difference
from tests.engine.replay.doctor import changed, leaves

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc", max_size=2), inner, max_size=3),
)

TABLE = {
    "equal": ({"a": [1, {"b": None}]}, {"a": [1, {"b": None}]}, None),
    "whole and broken number": (1, 1.0, None),
    "number and truth value": ({"a": 1}, {"a": True}, (".a", "expected 1, found True")),
    "inside": ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, (".a[1].b", "expected 2, found 3")),
    "missing key": ({"a": 1, "b": 2}, {"b": 2}, (".a", "expected 1, found nothing")),
    "key too many": ({"b": 2}, {"b": 2, "a": 1}, (".a", "expected nothing, found 1")),
    "missing item": ([1, 2], [1], ("[1]", "expected 2 items, found 1")),
    "item too many": ([], [1], ("[0]", "expected 0 items, found 1")),
    "other kind": ({"a": {}}, {"a": []}, (".a", "expected {}, found []")),
    "long": ("x" * 200, "", ("", f"expected '{'x' * 76}..., found ''")),
}


@pytest.mark.parametrize(("expected", "found", "differs"), TABLE.values(), ids=TABLE.keys())
def test_first_difference_is_named(expected: object, found: object, differs: tuple[str, str] | None) -> None:
    """The first difference in the order of the expected value, with its path."""
    assert difference(expected, found) == differs


@given(values, st.data())
def test_values_differ_where_they_were_changed(value: object, draw: st.DataObject) -> None:
    """A value differs from itself nowhere, and from itself with one leaf changed in that leaf."""
    assert difference(value, value) is None
    path = draw.draw(st.sampled_from(list(leaves(value))))

    differs = difference(value, _with_change(value, path))

    assert differs is not None
    assert differs[0].startswith("".join(f".{key}" if isinstance(key, str) else f"[{key}]" for key in path))


def _with_change(value: object, path: tuple[str | int, ...]) -> object:
    if not path:
        return changed(value)
    key, *rest = path
    match value:
        case dict():
            return {**value, key: _with_change(value[key], tuple(rest))}
        case list():
            return [_with_change(item, tuple(rest)) if place == key else item for place, item in enumerate(value)]
        case _:
            raise AssertionError(path)
