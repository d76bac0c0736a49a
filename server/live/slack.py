"""Timers that may come a little late, so that those of many races come together and the loop seldom wakes for one."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from math import ceil
from typing import Final

__all__ = ["SLACK_S", "call_with_slack"]

SLACK_S: Final = 0.01
"""How late: nobody sees it, and five hundred races wake the loop a hundred times a second instead of two thousand."""


def call_with_slack(
    loop: asyncio.AbstractEventLoop, wait_s: float, callback: Callable[[], None]
) -> asyncio.TimerHandle:
    """Call after `wait_s` (s) or up to `SLACK_S` later, when others are called too."""
    return loop.call_at(ceil((loop.time() + wait_s) / SLACK_S) * SLACK_S, callback)
