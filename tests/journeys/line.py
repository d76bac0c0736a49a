"""A line between page and server that a test can cut at the worst moment."""

from __future__ import annotations

import asyncio
import re
from typing import Final, Self

import msgpack
from playwright.async_api import Page, WebSocketRoute

GOING_AWAY = 1012
WS: Final = re.compile(r"/ws(\?|$)")
"""Addresses of WebSockets, with the race that one is opened for or without."""


class Line:
    """Carries a page's WebSocket frames both ways, until one named to `cut_at` comes: that one is lost with the line.

    `cuts` counts how often that happened, `said` the messages that reached the server, by name. While the line is
    held, what the server says waits; while it is down, nobody gets through.
    """

    def __init__(self) -> None:
        self.doomed = ""
        self.cuts = 0
        self.said: list[str] = []
        self._held: list[tuple[WebSocketRoute, bytes]] | None = None
        self._down = False
        self._tries = asyncio.Semaphore(0)
        self._open: list[tuple[WebSocketRoute, WebSocketRoute]] = []

    @classmethod
    async def under(cls, page: Page) -> Self:
        """Put a line under all WebSockets that the page opens from now on."""
        line = cls()
        await page.route_web_socket(WS, line._carry)
        return line

    def cut_at(self, name: str) -> None:
        """Cut the line at the next frame whose `t` that is, in whichever direction it travels."""
        self.doomed = name

    def hold(self) -> None:
        """Let what the server says wait."""
        self._held = []

    def release(self) -> None:
        """Pass on what has waited, in order, and hold nothing any more."""
        held, self._held = self._held or [], None
        for page, frame in held:
            page.send(frame)

    async def break_down(self) -> None:
        """Cut the line, and let nobody through until it is mended."""
        self._down = True
        for ends in self._open:
            for end in ends:
                await end.close(code=GOING_AWAY)
        self._open.clear()

    async def mend(self, tries: int) -> None:
        """Wait until the page has tried so many times in vain, then let it through again."""
        for _ in range(tries):
            await self._tries.acquire()
        self._down = False

    async def _carry(self, page: WebSocketRoute) -> None:
        if self._down:
            self._tries.release()
            await page.close(code=GOING_AWAY)
            return
        server = page.connect_to_server()
        self._open.append((page, server))

        async def carry(frame: bytes | str, onward: WebSocketRoute) -> None:
            assert isinstance(frame, bytes)
            name = msgpack.unpackb(frame)["t"]
            if name == self.doomed:
                self.doomed = ""
                self.cuts += 1
                await page.close(code=GOING_AWAY)
                await server.close()
                return
            if onward is server:
                self.said.append(name)
            elif self._held is not None:
                self._held.append((page, frame))
                return
            onward.send(frame)

        page.on_message(lambda frame: carry(frame, server))
        server.on_message(lambda frame: carry(frame, page))
