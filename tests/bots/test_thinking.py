"""Where players think: loaded once in a process, and once more if that failed."""

import asyncio

import msgspec
import pytest

from bots.roster import entry
from bots.thinking import Thinking


async def test_a_player_is_loaded_once() -> None:
    """Seats that wait for the same player wait for the same loading; one that goes disturbs no other."""
    loaded = []

    def warm_up(_: str) -> float:
        loaded.append(1)
        return 0.0

    bot = msgspec.structs.replace(entry("greedy"), warm_up=warm_up)
    with Thinking() as thinking:
        first, second = (asyncio.create_task(thinking.warm_up(bot, "GO")) for _ in range(2))
        first.cancel()
        await second
        await thinking.warm_up(bot, "GO")
    assert loaded == [1]


async def test_what_could_not_be_loaded_is_tried_again() -> None:
    """A loading that failed is not remembered."""
    tried = []

    def warm_up(_: str) -> float:
        tried.append(1)
        if len(tried) == 1:
            raise OSError("no room for the cache")
        return 0.0

    bot = msgspec.structs.replace(entry("greedy"), warm_up=warm_up)
    with Thinking() as thinking:
        with pytest.raises(OSError, match="no room"):
            await thinking.warm_up(bot, "GO")
        await thinking.warm_up(bot, "GO")
    assert len(tried) == 2
