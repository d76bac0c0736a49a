"""HMAC by the bytes of the standard library's."""

import hmac

from hypothesis import given
from hypothesis import strategies as st

from engine.keyed import mac


@given(key=st.binary(max_size=200), text=st.binary(max_size=300))
def test_it_is_the_standard_one(key: bytes, text: bytes) -> None:
    """For any key, short, long or empty, it is HMAC-SHA-256, the first time and the second."""
    expected = hmac.digest(key, text, "sha256")
    assert mac(key, text) == expected
    assert mac(key, text) == expected
