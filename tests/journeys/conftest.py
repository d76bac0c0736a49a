"""What the journeys of the page share: a browser for each test, and a server for each file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
from playwright.async_api import Browser

from tests.journeys.person import chromium
from tests.journeys.serving import serving


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def address(kernels: None) -> Iterator[str]:
    with serving() as address:
        yield address
