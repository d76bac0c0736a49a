"""Logs: what is written, and what is not a fault of the server's."""

from __future__ import annotations

import asyncio
import io
import json
import logging
from collections.abc import Iterator

import pytest
import structlog

from server.watch.logs import log_to
from tests.server.served import Server


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    before, level, configured = root.handlers[:], root.level, structlog.get_config()
    stream = io.StringIO()
    log_to(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    structlog.configure(**configured)


def test_both_kinds_of_records_are_lines_of_json(lines: io.StringIO) -> None:
    """What structlog and what the standard library logs comes out alike, faults with their tracebacks."""
    structlog.get_logger().info("told", race="r")
    try:
        raise ValueError("why")
    except ValueError:
        logging.getLogger("aiohttp.server").exception("failed")
    told, failed = map(json.loads, lines.getvalue().splitlines())
    assert (told["event"], told["race"], told["level"]) == ("told", "r", "info")
    assert (failed["event"], failed["level"]) == ("failed", "error")
    assert "ValueError: why" in failed["exception"]


async def test_bytes_that_are_no_http_are_nobodys_error(server: Server, lines: io.StringIO) -> None:
    """Whoever sends garbage is answered 400 and fills no log."""
    host, _, port = server.url.removeprefix("http://").rstrip("/").partition(":")
    for garbage in (b"\x00\r\n\r\n", b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"FOO / HTTP/1.1\r\n\r\n"):
        reader, writer = await asyncio.open_connection(host, int(port))
        writer.write(garbage)
        assert b" 400 " in await reader.readline()
        writer.close()
        await writer.wait_closed()
    assert lines.getvalue() == ""
