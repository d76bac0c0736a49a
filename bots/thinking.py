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
        self._warm: dict[str, asyncio.Future[float]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def warm_up(self, bot: Entry) -> None:
        """Load or compile what a player needs, once in this process."""
        if bot.warm_up is None:
            return
        if bot.name not in self._warm:
            self._warm[bot.name] = asyncio.get_running_loop().run_in_executor(self._threads, bot.warm_up)
        try:
            # Whoever waits may be cancelled; the others wait for the same.
            await asyncio.shield(self._warm[bot.name])
        except Exception:
            self._warm.pop(bot.name, None)  # The next one may fare better.
            raise

    async def choose(self, player: Player, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Let a player answer a board."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, player.choose, view, budget)
