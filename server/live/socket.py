"""The handshake of `/ws`: where it may come from, what is spoken, and a session for it."""

from __future__ import annotations

import asyncio
import socket
from typing import Final
from urllib.parse import urlsplit

from aiohttp import web

from engine.refusals import ErrorCode
from engine.wire.codec import Subprotocol
from server.http.calls import address
from server.http.errors import CallRefused
from server.live.neighbours import Neighbours
from server.live.rooms import Rooms
from server.live.session import Session

__all__ = ["NEIGHBOURS", "ROOMS", "serve_socket"]

ROOMS: Final = web.AppKey("rooms", Rooms)
NEIGHBOURS: Final = web.AppKey("neighbours", Neighbours)
"""Of a process that shares its port."""
DEFAULT_SUBPROTOCOL: Final = Subprotocol.JSON
"""What is spoken with a client that offers none: JSON, so that any plain WebSocket tool will do."""
SEND_BUFFER_BYTES: Final = 64 << 10
"""What the system may hold of a socket that is not read: what lies there can be coalesced no more."""
CROWDED_RETRY_MS: Final = 5_000
CLOSE_S: Final = 2.0
"""How long a client may take to answer the server's close frame."""


async def serve_socket(request: web.Request) -> web.StreamResponse:
    """Serve one WebSocket from handshake to end.

    One that is opened for a race, `?race=…`, is served by the process where the others of that race are.
    """
    rooms = request.app[ROOMS]
    if not _own_page(request, rooms.settings.public_url):
        raise CallRefused(403, ErrorCode.FORBIDDEN, "expected the page of this server as origin, found another")
    if rooms.draining:
        raise CallRefused(503, ErrorCode.UNAVAILABLE, "this node is going away", retry_ms=1000)
    neighbours = request.app.get(NEIGHBOURS)
    if neighbours is not None and await neighbours.hand_over(request):
        return web.Response()  # Nobody is there any more to get it.
    origin = address(request)
    if rooms.doors.crowded(origin):
        raise CallRefused(429, ErrorCode.RATE, "too many connections from this address", retry_ms=CROWDED_RETRY_MS)
    offered = request.headers.get("Sec-WebSocket-Protocol")
    if offered is not None and not {one.strip() for one in offered.split(",")} & set(Subprotocol):
        spoken_here = ", ".join(Subprotocol)
        raise CallRefused(
            400, ErrorCode.BAD_FRAME, f"expected one of {spoken_here}, or none", reason="Sec-WebSocket-Protocol"
        )
    answer = web.WebSocketResponse(
        protocols=tuple(Subprotocol),
        autoping=False,
        compress=False,
        max_msg_size=rooms.settings.max_msg_bytes,
        timeout=CLOSE_S,
        decode_text=False,
    )
    await answer.prepare(request)
    transport = request.transport
    if transport is not None:
        known: socket.socket = transport.get_extra_info("socket")
        known.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
        spoken = Subprotocol(answer.ws_protocol) if answer.ws_protocol else DEFAULT_SUBPROTOCOL
        session = Session(rooms, answer, transport, spoken, origin)
        # Woken by each frame, a task of its own is not reached through all that handles the request.
        await asyncio.create_task(session.run(), name="session")
    return answer


def _own_page(request: web.Request, public_url: str | None) -> bool:
    """Tell whether a browser's page that opens the socket is this server's own; others than browsers name none."""
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    hosts = {request.host} if public_url is None else {request.host, urlsplit(public_url).netloc}
    # As browsers write it, scheme and host are all there is.
    return origin.partition("://")[2] in hosts
