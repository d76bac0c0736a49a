"""A person at a Double Solitaire board: every word of the notation by keys, taps, double taps or drags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from msgspec import convert
from playwright.async_api import Locator, expect
from playwright.async_api import Position as PlaywrightPosition

from tests.journeys.person import Person

CORNER = PlaywrightPosition(x=8, y=8)
STEPS = 4
READ_BOXES = """(all) => all.map(
  (one) => one.getBoundingClientRect()).map((box) => [box.left, box.top, box.right, box.bottom])"""

Box = tuple[float, float, float, float]
Position = Mapping[str, Any]
"""A board as the protocol sends it."""


class DoublePlayer(Person):
    """Somebody who plays Double Solitaire in a browser."""

    async def by_keys(self, word: str) -> None:
        """Press the keys of a word: from where, then where to."""
        for key in keys_of(word):
            await self.page.keyboard.press(key)

    async def by_taps(self, word: str, board: Position) -> None:
        """Tap where one or two taps do it, else tap the cards and then the pile they go to."""
        pile = _tapped(word)
        if board["taps"].get(pile) == word:
            await self._pile(pile).locator("button").last.click(position=CORNER)
        elif board["double_taps"].get(pile) == word:
            await self._pile(pile).locator("button").last.dblclick(position=CORNER)
        else:
            source, target, cards = parts_of(word)
            await self.card(source, cards).click(position=CORNER)
            await self.target(target).locator("button").last.click()

    async def by_drag(self, word: str) -> None:
        """Drag cards with the mouse from pile to pile; stock and undo are not dragged."""
        source, target, cards = parts_of(word)
        await self.drag(self.card(source, cards), self.target(target))

    async def by_finger(self, word: str) -> None:
        """Drag cards on a touch screen."""
        source, target, cards = parts_of(word)
        start = await self.card(source, cards).bounding_box()
        end = await self.target(target).bounding_box()
        assert start is not None
        assert end is not None
        x, y = start["x"] + CORNER["x"], start["y"] + CORNER["y"]
        right, down = end["x"] + CORNER["x"] + 4 - x, end["y"] + 20 - y
        screen = await self.page.context.new_cdp_session(self.page)
        points = [{"x": x + right * step / STEPS, "y": y + down * step / STEPS} for step in range(STEPS + 1)]
        for index, point in enumerate(points):
            kind = "touchMove" if index else "touchStart"
            await screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
        await screen.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})

    def card(self, pile: str, cards: int = 1) -> Locator:
        """The card of a pile with so many less one on it."""
        return self.page.locator(f"[data-pile='{pile}'] button").nth(-cards)

    def target(self, pile: str) -> Locator:
        """A column, or the foundations."""
        return self.page.locator(f"[data-target='{pile}']")

    async def heights(self) -> dict[str, list[int]]:
        """Read how high the foundations stand, as a position has it."""
        shown: dict[str, int] = await self.page.locator(".foundation").evaluate_all(
            "(all) => Object.fromEntries(all.map((place) => [place.dataset.pile, Number(place.dataset.height)]))"
        )
        return {suit: [shown[f"f{suit}"], shown[f"f{suit}2"]] for suit in "SHDC"}

    async def shows(self, board: Position) -> None:
        """Check that the page shows exactly that position."""
        await self.sees_moves(board["moves"])
        shown = await self.board()
        assert shown.columns == board["columns"]
        assert shown.waste == (board["waste"][-1] if board["waste"] else "")
        assert shown.stock == board["stock"]
        assert await self.heights() == board["foundations"]

    async def score(self, text: str) -> None:
        """Wait until the score under the board is that."""
        await expect(self.page.locator("[data-tally=score]")).to_have_text(text)

    async def edges(self, selector: str) -> Box:
        """Measure where all those parts lie together: left, top, right, bottom in px of the window."""
        boxes = convert(await self.page.locator(selector).evaluate_all(READ_BOXES), list[Box])
        lefts, tops, rights, bottoms = zip(*boxes, strict=True)
        return min(lefts), min(tops), max(rights), max(bottoms)

    async def smallest(self, selector: str) -> float:
        """Measure the shortest side (px) of those parts."""
        boxes = convert(await self.page.locator(selector).evaluate_all(READ_BOXES), list[Box])
        return min(min(right - left, bottom - top) for left, top, right, bottom in boxes)

    def _pile(self, name: str) -> Locator:
        return self.page.locator(f"[data-pile='{'w' if name == 'waste' else name}']")


def parts_of(word: str) -> tuple[str, str, int]:
    """Take a word of two piles apart: source, target, how many cards."""
    source, target, cards = re.fullmatch(r"(\w+)-(f|t\d)(?:x(\d+))?", word).groups()  # type: ignore[union-attr]
    return source, target, int(cards or 1)


def keys_of(word: str) -> list[str]:
    """Return the keys that play a word: `t3-t5x4` is 3 5, `fS2-t4` is f s s 4."""
    if "-" not in word:
        return [word]
    source, target, _ = parts_of(word)
    match source[0]:
        case "t":
            start = [source[1]]
        case "f":
            start = ["f", *[source[1].lower()] * (2 if source.endswith("2") else 1)]
        case _:
            start = ["w"]
    return [*start, target[-1]]


def _tapped(word: str) -> str:
    """Return the pile whose tap a word could be."""
    source = word.partition("-")[0]
    return {"d": "stock", "r": "stock", "w": "waste"}.get(source, source)
