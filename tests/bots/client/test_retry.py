"""When a client comes back after a close, by its code."""

import pytest

from bots.client.retry import FIRST_MS, LONGEST_MS, RATE_MS, retry_ms


@pytest.mark.parametrize("code", [1008, 4400, 4401, 4403, 4409, 4410, 4426])
def test_final_codes_are_not_retried(code: int) -> None:
    """Trying again would only fail again, or throw out whoever is right."""
    assert retry_ms(code, 0, 0.5) is None


@pytest.mark.parametrize("code", [1000, 1001, 1006, 1012])
@pytest.mark.parametrize("attempt", [0, 1, 5, 60])
def test_waits_double_up_to_a_limit_and_spread_over_their_half(code: int, attempt: int) -> None:
    """The wait lies between half and all of its ceiling."""
    ceiling = min(LONGEST_MS, FIRST_MS * 2**attempt)
    assert retry_ms(code, attempt, 0.0) == ceiling // 2
    wait = retry_ms(code, attempt, 0.999999)
    assert wait is not None
    assert ceiling - 2 <= wait <= ceiling


def test_too_slow_resumes_at_once_then_waits() -> None:
    """A slow reader comes back at once, unless that failed."""
    assert retry_ms(4408, 0, 0.5) == 0
    assert retry_ms(4408, 1, 0.0) == FIRST_MS


def test_rate_waits_longer() -> None:
    """Whoever was too fast stays away for some seconds."""
    assert retry_ms(4429, 0, 0.0) == RATE_MS + FIRST_MS // 2
