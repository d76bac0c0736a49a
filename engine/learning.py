"""Types that threads read are learnt when their module is imported."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["learn"]


def learn(*kinds: Any) -> None:
    """Let msgspec learn what values of these types look like.

    It does so, else, when it first reads one, and remembers a type before it knows all of its fields: another thread
    that reads one meanwhile ends the process with a segmentation fault (0.22, with the GIL).
    """
    for kind in kinds:
        msgspec.json.Decoder(kind)
