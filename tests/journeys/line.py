"""A line between page and server that a test can cut at the worst moment."""

from __future__ import annotations

from typing import Self

import msgpack
from playwright.async_api import Page, WebSocketRoute

GOING_AWAY = 1012


class Line:
    """Carries a page's WebSocket frames both ways, until one named to `cut_at` comes: that one is lost with the line.

    `cuts` counts how often that happened, `said` the messages that reached the server, by name.
    """

    def __init__(self) -> None:
        self.doomed = ""
        self.cuts = 0
        self.said: list[str] = []

    @classmethod
    async def under(cls, page: Page) -> Self:
        """Put a line under all WebSockets that the page opens from now on."""
        line = cls()
        await page.route_web_socket("**/ws", line._carry)
        return line

    def cut_at(self, name: str) -> None:
        """Cut the line at the next frame whose `t` that is, in whichever direction it travels."""
        self.doomed = name

    def _carry(self, page: WebSocketRoute) -> None:
        server = page.connect_to_server()

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
            onward.send(frame)

        page.on_message(lambda frame: carry(frame, server))
        server.on_message(lambda frame: carry(frame, page))
