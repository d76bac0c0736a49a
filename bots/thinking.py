"""Where players think: in threads beside the event loop, for their kernels run without Python's lock."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from bots.player import Budget, Choice, Player
from bots.roster import Entry

__all__ = ["Thinking"]


class Thinking:
    """The threads of one process, as many as it has cores; a context whose end drops what has not begun."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="player")
        self._warm: dict[tuple[str, str], asyncio.Future[float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def warm_up(self, bot: Entry, game: str) -> None:
        """Load or compile what a player needs for a game (its letters), once in this process."""
        if bot.warm_up is None:
            return
        needed = bot.name, game
        if needed not in self._warm:
            self._warm[needed] = asyncio.get_running_loop().run_in_executor(self._threads, bot.warm_up, game)
        try:
            # Whoever waits may be cancelled; the others wait for the same.
            await asyncio.shield(self._warm[needed])
        except Exception:
            self._warm.pop(needed, None)  # The next one may fare better.
            raise

    async def choose(self, player: Player, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Let a player answer a board."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, player.choose, view, budget)
