"""The page: one document for every address of it, and its files."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import lru_cache
from typing import Final

from aiohttp import ETag, hdrs, web

from engine.refusals import ErrorCode
from server.http.errors import CallRefused
from server.http.files import TYPES, WEB, WebFile, edition, imported, packed, web_file, without_edition

__all__ = ["ADDRESSES", "nowhere", "page", "page_file", "protect"]

PARTS: Final = {
    "/": "lobby",
    "/r/{race}": "race",
    "/w/{race}": "race",
    "/x/{race}": "replay",
    "/c/{code}": "code",
    "/p/{player}": "player",
    "/l/{pool}": "ladder",
    "/rules/{about}": "rules/page",
    "/account": "account",
}
"""The page's addresses, and the module in `ui/` that shows what is there (`app.js` has the same)."""
ADDRESSES: Final = tuple(PARTS)
ENTRY: Final = '<script type="module" src="/web/app.js"></script>'
CONTENT_POLICY: Final = (
    "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
ASK_EACH_TIME: Final = "no-cache"
"""An unchanged file is answered 304 by its ETag; without this a new version would come piece by piece."""
FOR_EVER: Final = "public, max-age=31536000, immutable"
"""For what is asked for by the edition that it is of."""


async def page(request: web.Request) -> web.Response:
    """`GET /` and the page's other addresses: the one document, which reads its own address."""
    resource = request.match_info.route.resource
    document = _document(edition(), PARTS[resource.canonical if resource is not None else "/"])
    return _sent(request, document, ASK_EACH_TIME)


async def page_file(request: web.Request) -> web.Response:
    """`GET /web/…`: a file of the page; under `/web/~EDITION/` browsers keep it without asking again."""
    asked_for, name = without_edition(request.match_info["path"])
    file = web_file(name)
    if file is None:
        raise CallRefused(404, ErrorCode.BAD_FRAME, "the page has no such file", reason="path")
    keep = FOR_EVER if asked_for and asked_for == edition() else ASK_EACH_TIME
    return _sent(request, file, keep)


@web.middleware
async def nowhere(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Show people who have come to an address that is none the page, which says so; others are told as of any call."""
    answer = await handler(request)
    if answer.status != 404 or request.match_info.http_exception is None:
        return answer
    if request.method != "GET" or "text/html" not in request.headers.get(hdrs.ACCEPT, ""):
        return answer
    shown = _sent(request, _document(edition(), PARTS["/"]), "no-store")
    shown.set_status(404)
    return shown


async def protect(_: web.Request, response: web.StreamResponse) -> None:
    """Give every answer the headers that tell browsers what not to do with it."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)


@lru_cache(maxsize=32)
def _document(of_edition: str, part: str) -> WebFile:
    """Return the document with addresses of that edition; what a part will import is asked for at once."""
    text = (WEB / "index.html").read_text(encoding="utf-8")
    entry, *frame = imported("app.js", of_edition)
    modules = dict.fromkeys((*frame, *imported(f"ui/{part}.js", of_edition)))
    modules.pop(entry, None)
    preloads = "".join(f'<link rel="modulepreload" href="/web/{name}">\n    ' for name in modules)
    named = text.replace(ENTRY, preloads + ENTRY).replace('"/web/', f'"/web/~{of_edition}/')
    return packed(TYPES[".html"], named.encode())


def _sent(request: web.Request, file: WebFile, keep: str) -> web.Response:
    """Return a file, packed where the browser takes that; 304 where it has the same already."""
    pack = len(file.packed) < len(file.body) and "gzip" in request.headers.get(hdrs.ACCEPT_ENCODING, "")
    tag = ETag(f"{file.digest}-gz" if pack else file.digest)
    headers = {"Cache-Control": keep, "Vary": hdrs.ACCEPT_ENCODING, "Content-Type": file.kind}
    if any(known.value in (tag.value, "*") for known in request.if_none_match or ()):
        answer = web.Response(status=304, headers=headers)
    else:
        answer = web.Response(body=file.packed if pack else file.body, headers=headers)
        if pack:
            answer.headers[hdrs.CONTENT_ENCODING] = "gzip"
    answer.etag = tag
    return answer
