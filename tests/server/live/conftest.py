"""What the tests of sockets share: a line to Redis that is cut only after the nodes at its end have gone."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.journeys.proxy import Proxy, proxy_to


@pytest.fixture
async def line(redis_url: str) -> AsyncIterator[Proxy]:
    """A line to the tests' Redis; ask for it before `serve`."""
    async with proxy_to(redis_url) as line:
        yield line
