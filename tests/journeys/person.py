"""A person at the page: does what a player can do, and reads what a player can see, in headless Chromium."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Self

from msgspec import Struct, convert
from playwright.async_api import Browser, Locator, Page, ViewportSize, async_playwright, expect

CHROMIUM = "/usr/bin/chromium"
QUIET = (
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
WAIT_MS = 20_000
expect.set_options(timeout=WAIT_MS)  # The five seconds that are usual are nothing on a machine with much to do.
BOARDS = "fd-golf, fd-double"

READ_BOARD = """(board) => ({
  columns: [...board.querySelectorAll(".column")].map(
    (column) => [...column.querySelectorAll("[data-card]")].map((card) => card.dataset.card)),
  waste: board.querySelector(".waste").dataset.top,
  stock: Number(board.querySelector(".stock").dataset.count),
})"""
READ_TALLY = """() => Object.fromEntries(
  [...document.querySelectorAll("[data-tally]")].map((number) => [number.dataset.tally, Number(number.textContent)]))"""
READ_STANDINGS = """(rows) => rows.map(
  (row) => [row.dataset.rank, row.dataset.seat, row.cells[2].innerText.replace(/[^-\\d]/g, "")].map(Number))"""


class ShownBoard(Struct, frozen=True):
    """The cards on the screen: columns from the covered card down, the waste's top card, the number of the stock."""

    columns: list[list[str]]
    waste: str
    stock: int


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """A headless browser with a profile of its own."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        try:
            yield browser
        finally:
            await browser.close()


class Person:
    """Somebody with a browser of their own. `complaints` collects what the browser found wrong with the page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.complaints: list[str] = []
        self.alone = False
        page.set_default_timeout(WAIT_MS)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda line: self.complaints.append(line.text) if line.type == "error" else None)

    @classmethod
    async def arrive(
        cls,
        browser: Browser,
        address: str,
        locale: str = "en-GB",
        width: int = 1280,
        height: int = 800,
        *,
        touch: bool = False,
        still: bool = True,
    ) -> Self:
        """Sit down at a screen of that size (px), with a browser in that language; `touch`: a phone in one's hand.

        `still`: the browser asks for reduced motion, so that nothing is clicked on its way.
        """
        context = await browser.new_context(
            locale=locale,
            viewport=ViewportSize(width=width, height=height),
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="reduce" if still else "no-preference",
        )
        return cls(await context.new_page(), address)

    async def open(self, path: str) -> None:
        """Go to an address of the page."""
        await self.page.goto(self.address + path)

    async def create(self, code: str, *bots: str, people: int = 1) -> str:
        """Fill in the form for a race on a code against those bots, quick ones; returns the race, in which one sits.

        One that is for oneself alone begins.
        """
        await self.open(f"/?code={code}")
        await self.page.locator("[name=people]").fill(str(people))
        choices = self.page.locator("[name=bot]")
        for index in range(await choices.count()):
            await choices.nth(index).select_option(bots[index] if index < len(bots) else "")
        await self.page.locator("[name=pace]").select_option("10")
        await self.page.locator("fd-create [type=submit]").click()
        self.alone = people == 1 and not bots
        await self.page.wait_for_url("**/r/*")
        await expect(self.page.locator(".seat.own")).to_be_visible()
        return self.page.url.rsplit("/", 1)[1]

    async def ready(self) -> None:
        """Say that one is ready, where somebody else waits to know it, and wait for the cards."""
        if not self.alone:
            await self.page.locator("[data-command=ready]").click()
        await self.cards_dealt()

    async def settings(self, **wanted: bool) -> None:
        """Open the settings, see that each switch named stands the other way, turn it, and close them again."""
        await self.page.locator("fd-settings button").first.click()
        for name, value in wanted.items():
            switch = self.page.locator(f"dialog [name={name}]")
            await expect(switch).to_be_checked(checked=not value)
            await switch.set_checked(value)
        await self.page.keyboard.press("Escape")
        await expect(self.page.locator("dialog.settings")).to_be_hidden()

    async def cards_dealt(self) -> None:
        """Wait until a board is there."""
        await expect(self.page.locator(BOARDS).first).to_be_visible()

    async def play(self, words: str) -> None:
        """Press the keys of those moves, one after the other, as fast as a keyboard can."""
        for word in words.split():
            await self.page.keyboard.press(word)

    async def touch(self, card: str) -> None:
        """Click the upper edge of a card, which shows of a covered one too."""
        await self.page.locator(f"[data-card='{card}']").click(position={"x": 8, "y": 8})

    async def drag(self, card: Locator, pile: Locator) -> None:
        """Drag a card with the mouse onto a pile."""
        start, end = await card.bounding_box(), await pile.bounding_box()
        assert start is not None
        assert end is not None
        mouse = self.page.mouse
        await mouse.move(start["x"] + 8, start["y"] + 8)
        await mouse.down()
        await mouse.move(end["x"] + 12, end["y"] + 20, steps=4)
        await mouse.up()

    async def sees_moves(self, moves: int) -> None:
        """Wait until the board counts so many moves."""
        await expect(self.page.locator("[data-tally=moves]")).to_have_text(str(moves))

    async def reads(self, selector: str, text: str) -> None:
        """Wait until that part of the page says so."""
        await expect(self.page.locator(selector)).to_contain_text(text)

    async def board(self, seat: int | None = None) -> ShownBoard:
        """Read the only board on the screen, or that of a seat where several are watched."""
        place = self.page if seat is None else self.page.locator(f"figure[data-seat='{seat}']")
        return convert(await place.locator(BOARDS).evaluate(READ_BOARD), ShownBoard)

    async def tally(self) -> dict[str, int]:
        """Read the numbers under one's own board: score, moves, left."""
        return convert(await self.page.evaluate(READ_TALLY), dict[str, int])

    async def standings(self) -> list[tuple[int, int, int]]:
        """Wait for the result and read it: rank, seat, score, from first to last."""
        rows = self.page.locator(".standings tbody tr")
        await expect(rows.first).to_be_visible(timeout=3 * WAIT_MS)
        return convert(await rows.evaluate_all(READ_STANDINGS), list[tuple[int, int, int]])

    async def seat(self) -> int:
        """Read the number of one's own seat."""
        return int(await self.page.locator(".seat.own").get_attribute("data-seat") or 0)

    async def overflow(self) -> int:
        """Return by how many px the page is wider than the screen."""
        return convert(await self.page.evaluate("document.documentElement.scrollWidth - innerWidth"), int)
