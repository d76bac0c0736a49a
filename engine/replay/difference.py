"""The first difference between two plain values, named by its path."""

from __future__ import annotations

__all__ = ["difference"]


def difference(expected: object, found: object) -> tuple[str, str] | None:
    """Return the path (`.standings[0].score`) and a sentence for the first difference; None where there is none.

    The values are maps with text as keys, lists, text, numbers, truth values and None; 1 and 1.0 are equal, 1 and
    True are not.
    """
    match expected, found:
        case dict(), dict():
            for key in [*expected, *(key for key in found if key not in expected)]:
                if key not in found:
                    return f".{key}", f"expected {_short(expected[key])}, found nothing"
                if key not in expected:
                    return f".{key}", f"expected nothing, found {_short(found[key])}"
                if (inner := difference(expected[key], found[key])) is not None:
                    return f".{key}{inner[0]}", inner[1]
            return None
        case list(), list():
            for place, (one, other) in enumerate(zip(expected, found, strict=False)):
                if (inner := difference(one, other)) is not None:
                    return f"[{place}]{inner[0]}", inner[1]
            if len(expected) != len(found):
                place = min(len(expected), len(found))
                return f"[{place}]", f"expected {len(expected)} items, found {len(found)}"
            return None
        case _:
            if expected == found and isinstance(expected, bool) == isinstance(found, bool):
                return None
            return "", f"expected {_short(expected)}, found {_short(found)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
