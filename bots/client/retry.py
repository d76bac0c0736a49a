"""What a client does when its connection closes, by close code (protocol.md, "Close codes")."""

from __future__ import annotations

from typing import Final

from aiohttp import WSCloseCode

__all__ = ["FINAL_CODES", "RATE_MS", "retry_ms"]

FIRST_MS: Final = 250
LONGEST_MS: Final = 15_000
RATE_MS: Final = 5_000

FINAL_CODES: Final = frozenset({WSCloseCode.POLICY_VIOLATION.value, 4400, 4401, 4403, 4409, 4410, 4426})
"""After these, trying again would only fail again or throw out whoever is right."""


def retry_ms(code: int, attempt: int, chance: float) -> int | None:
    """Return the ms to wait before attempt number `attempt` (from 0) to connect again; None when not to.

    The wait doubles with each failure in a row; `chance` in [0, 1) spreads the clients of a lost node over its half.
    """
    if code in FINAL_CODES:
        return None
    if code == 4408 and attempt == 0:
        return 0
    ceiling = min(LONGEST_MS, FIRST_MS << min(attempt, 10))
    wait = int(ceiling * (0.5 + chance / 2))
    return RATE_MS + wait if code == 4429 else wait
