"""The page: one document for every address of it, and its files."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from aiohttp import web

from engine.refusals import ErrorCode
from server.http.errors import CallRefused

__all__ = ["page", "protect", "web_file"]

WEB: Final = Path(__file__).parent.parent / "web"
CONTENT_POLICY: Final = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Not the system's table, which on some has other ideas of JavaScript. What is not here is not served."""
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


async def page(_: web.Request) -> web.FileResponse:
    """`GET /` and the page's other addresses: the one document, which reads its own address."""
    return _file(WEB / "index.html")


async def web_file(request: web.Request) -> web.FileResponse:
    """`GET /web/…`: a file of the page."""
    named = request.match_info["path"]
    path = WEB if "\0" in named else WEB.joinpath(named).resolve()
    if not path.is_relative_to(WEB.resolve()) or path.suffix not in TYPES or not path.is_file():
        raise CallRefused(404, ErrorCode.BAD_FRAME, "the page has no such file", reason="path")
    return _file(path)


async def protect(_: web.Request, response: web.StreamResponse) -> None:
    """Give every answer the headers that tell browsers what not to do with it."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


def _file(path: Path) -> web.FileResponse:
    # An unchanged file is answered 304 by its ETag; without no-cache a new version would come piece by piece.
    return web.FileResponse(path, headers={"Content-Type": TYPES[path.suffix], "Cache-Control": "no-cache"})
