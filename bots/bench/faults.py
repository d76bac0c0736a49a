"""What ends a bench before it has begun."""

from __future__ import annotations

__all__ = ["RunRefused"]


class RunRefused(ValueError):
    """Something asked of a bench that cannot be had; the message says what was expected and what was found."""
