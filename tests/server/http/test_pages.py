"""The page's document and files as they go out: packed, kept as long as they are the same, all asked for at once."""

from __future__ import annotations

import gzip
import re

import pytest

from server.http.files import WEB, edition, imported, web_file
from server.http.pages import ADDRESSES, PARTS
from tests.server.served import Server

FIRST_LOAD = 150_000
"""Bytes over the wire until the page can be used, the document included."""
APP = (WEB / "app.js").read_text(encoding="utf-8")
NAMED = re.compile(r'(?:href|src)="(/web/[^"]+)"')
PACKED = {"Accept-Encoding": "gzip"}


@pytest.mark.parametrize("path", ["/", "/r/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/x/aaaaaaaaaaaaaaaaaaaaaaaaaa", "/rules/golf"])
async def test_a_first_load_is_small(server: Server, path: str) -> None:
    """The document names every module that its part imports, each once; all of it together is 150 KB at most."""
    async with server.http.get(path, headers=PACKED, auto_decompress=False) as answer:
        document = await answer.read()
    names = NAMED.findall(gzip.decompress(document).decode())
    assert len(names) == len(set(names))
    part = next(part for address, part in PARTS.items() if address.split("/")[1] == path.split("/")[1])
    wanted = (*imported("app.js", edition()), *imported(f"ui/{part}.js", edition()))
    assert {f"/web/~{edition()}/{name}" for name in wanted} <= set(names)
    total = len(document)
    for name in names:
        async with server.http.get(name, headers=PACKED, auto_decompress=False) as answer:
            assert answer.status == 200, name
            body = await answer.read()
            total += len(body)
            if answer.headers.get("Content-Encoding") == "gzip":
                assert len(body) < len(gzip.decompress(body))
    assert total <= FIRST_LOAD


async def test_files_are_kept_by_their_edition(server: Server) -> None:
    """What is asked for by the present edition is kept for ever; plain and older addresses are asked for each time."""
    kept = {}
    for before in (f"~{edition()}/", "", "~0123456789abcdef/"):
        async with server.http.get(f"/web/{before}app.js") as answer:
            assert (answer.status, answer.headers["Vary"]) == (200, "Accept-Encoding")
            assert await answer.text() == APP
            kept[before] = answer.headers["Cache-Control"]
    assert list(kept.values()) == ["public, max-age=31536000, immutable", "no-cache", "no-cache"]


async def test_packed_and_plain_are_told_apart(server: Server) -> None:
    """Who takes gzip gets it, who does not gets the bytes; each has a tag of its own, by which it is 304 unchanged."""
    tags = {}
    for encoding in ("gzip", "identity"):
        headers = {"Accept-Encoding": encoding}
        async with server.http.get("/web/app.js", headers=headers) as answer:
            assert answer.headers.get("Content-Encoding", "identity") == encoding
            assert await answer.text() == APP
            tags[encoding] = answer.headers["ETag"]
        async with server.http.get("/web/app.js", headers={**headers, "If-None-Match": tags[encoding]}) as answer:
            assert (answer.status, await answer.read()) == (304, b"")
        async with server.http.head("/web/app.js", headers=headers) as answer:
            assert (answer.status, await answer.read()) == (200, b"")
    assert tags["gzip"] != tags["identity"]


@pytest.mark.parametrize(
    ("path", "accept", "kind"),
    [
        ("/nowhere", "text/html,*/*;q=0.8", "text/html"),
        ("/r/", "text/html", "text/html"),
        ("/nowhere", "*/*", "application/json"),
        ("/web/nothing.js", "text/html", "application/json"),
        ("/api/races/aaaaaaaaaaaaaaaaaaaaaaaaaa", "text/html", "application/json"),
    ],
)
async def test_an_address_that_is_none(server: Server, path: str, accept: str, kind: str) -> None:
    """A browser that comes to no address of the page gets the page, which says so; what is no page is told as ever."""
    async with server.http.get(path, headers={"Accept": accept}) as answer:
        assert (answer.status, answer.content_type) == (404, kind)


@pytest.mark.parametrize("address", ADDRESSES)
def test_every_address_has_a_part_that_the_page_loads(address: str) -> None:
    """The module that the server has the browser ask for early is one that `app.js` shows there."""
    assert f'import("./ui/{PARTS[address]}.js")' in APP
    assert web_file(f"ui/{PARTS[address]}.js") is not None


@pytest.mark.parametrize(
    "name", ["", "../app.py", "app.js\0", "README.md", "~0123456789abcdef/app.js", "ui", "a" * 300 + ".js"]
)
def test_what_is_no_file_of_the_page(name: str) -> None:
    """Names that lead out of the folder, to no file, or to one that is not for browsers are None."""
    assert web_file(name) is None
