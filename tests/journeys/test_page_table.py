"""One's own table on the page, in a browser: moves shown before the answer, a lost line, switches, sound, motion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypedDict

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.line import Line
from tests.journeys.person import Person
from tests.journeys.serving import serving
from tests.journeys.test_page import CODE, STUCK
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

OFFLINE_TRIES = 4
"""Tries in vain with growing waits: no fewer than 3 s."""
MOTION_MS = 200
COUNTED_MS = 2_500
"""A start so late is counted down also by a page that hears of it half a second late."""
SCREENS = ((390, 844), (844, 390), (1280, 720), (2560, 1440))
"""A phone, a phone on its side, a laptop, 4K: width and height in px."""
WATCH = """
window.watched = { animations: [], notes: 0, titles: [] };
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, timing) {
  watched.animations.push(timing.duration);
  return animate.call(this, frames, timing);
};
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (at) { watched.notes += 1; return start.call(this, at); };
const noted = new MutationObserver(() => watched.titles.push(document.title));
addEventListener("DOMContentLoaded", () => noted.observe(document.head, { subtree: true, childList: true }));
"""
COLOURS = "(all) => new Set(all.map((pip) => getComputedStyle(pip).fill)).size"
LOWEST = "(all) => Math.max(...all.map((one) => one.getBoundingClientRect().bottom))"


class Watched(TypedDict):
    """What the browser did: animations by their length in ms, notes played, titles of the tab."""

    animations: list[float]
    notes: int
    titles: list[str]


async def watched(person: Person) -> Watched:
    """Read what the browser did since the page was loaded."""
    seen: Watched = await person.page.evaluate("watched")
    return seen


async def sits_on_a_line(browser: Browser, address: str) -> tuple[Person, Line]:
    """A person whose race has begun, on a line that a test can hold or cut, with 8S drawn."""
    person = await Person.arrive(browser, address)
    line = await Line.under(person.page)
    await person.create(CODE)
    await person.ready()
    await person.play("d")
    await person.sees_moves(1)
    return person, line


async def test_own_moves_show_before_the_answer_and_go_back_when_refused(browser: Browser, address: str) -> None:
    """Cards move at once and count when they are answered; what is refused goes back with what counted on it."""
    person, line = await sits_on_a_line(browser, address)
    line.hold()
    await person.play("5 2 d")
    waste = person.page.locator(".waste")
    await expect(waste).to_have_attribute("data-top", "--")
    shown = await person.board()
    assert (shown.columns[4][-1], shown.columns[1][-1], shown.stock) == ("8H", "2C", 14)
    assert await person.tally() == {"score": 0, "moves": 1, "left": 35}
    line.release()
    await person.sees_moves(4)
    assert await person.tally() == {"score": 20, "moves": 4, "left": 33}
    answered = await person.board()
    assert (answered.columns, answered.stock, answered.waste) == (shown.columns, shown.stock, "4D")

    line.hold()
    await person.play("7 6 3")
    await expect(waste).to_have_attribute("data-top", "JS")
    line.release()
    await person.reads(".words", "It must be one rank higher or lower")
    await person.sees_moves(5)
    assert (await person.board()).waste == "5C"

    line.hold()
    await person.play("u")
    await expect(waste).to_have_attribute("data-top", "4D")
    line.release()
    await expect(person.page.locator("[data-tally=score]")).to_have_text("20")
    assert await person.board() == answered
    assert person.complaints == []


async def test_a_line_lost_for_seconds_loses_no_move(browser: Browser, address: str) -> None:
    """Offline one plays on: what was played is shown, said to be on its way, sent when the line is back, and counts."""
    person, line = await sits_on_a_line(browser, address)
    await line.break_down()
    await person.reads(".connection", "Connection lost")
    await person.play("5 2 d")
    await person.reads(".words", "On its way")
    assert (await person.board()).stock == 14
    assert (await person.tally())["moves"] == 1
    await line.mend(OFFLINE_TRIES)
    await person.sees_moves(4)
    await person.reads(".connection", "Connected")
    assert await person.tally() == {"score": 20, "moves": 4, "left": 33}
    assert person.complaints == []


async def test_switches_are_kept_and_change_the_table(browser: Browser, address: str) -> None:
    """Four colours, big letters, no marks, no explanations: at once, and after a reload."""
    person = await Person.arrive(browser, address)
    await person.create(CODE)
    await person.ready()
    await person.play("d")
    await expect(person.page.locator("[data-fits]")).to_have_count(1)
    await person.settings(four_colours=True, big_index=True, highlight=False, explain=False)
    for reloaded in (False, True):
        if reloaded:
            await person.page.reload()
            await person.cards_dealt()
        await expect(person.page.locator("html.four-colours.big-index")).to_have_count(1)
        await expect(person.page.locator("[data-fits]")).to_have_count(0)
        assert await person.page.locator(".column .pip").evaluate_all(COLOURS) == 4
    await person.play("1 5")
    await person.sees_moves(2)
    assert await person.page.locator(".words").text_content() == ""
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        assert await person.overflow() <= 0
        assert await person.page.locator(".under .actions, fd-golf .slot").evaluate_all(LOWEST) <= height
    assert person.complaints == []


@pytest.fixture
def later_start(kernels: None) -> Iterator[str]:
    with serving(COUNTED_MS) as address:
        yield address


async def test_a_race_is_heard_seen_and_played_by_arrows(browser: Browser, later_start: str) -> None:
    """The start is counted in the tab's title and by ear; cards move within 200 ms; arrows reach all; all is told."""
    person = await Person.arrive(browser, later_start, still=False)
    await person.page.add_init_script(WATCH)
    await person.create(CODE)
    await person.ready()
    seen = await watched(person)
    assert any(title.startswith("Starts in 1") for title in seen["titles"]), seen["titles"]
    assert not (await person.page.title()).startswith("Starts in")
    assert seen["notes"] >= 1

    keyboard = person.page.keyboard
    await person.page.locator("[data-pile=stock] button").focus()
    await keyboard.press("Enter")
    await person.sees_moves(1)
    await keyboard.press("ArrowUp")
    focused = person.page.locator("button:focus")
    while await focused.get_attribute("data-card") != "9C":
        await keyboard.press("ArrowRight")
    await keyboard.press("ArrowUp")
    await expect(focused).to_have_attribute("data-card", "8H")
    await keyboard.press("Enter")
    await person.reads(".words", "This card is blocked")
    await keyboard.press("ArrowDown")
    await keyboard.press("Enter")
    await person.sees_moves(2)
    await person.reads("[role=log]", "Taken: 9 of clubs.")
    await person.reads("[role=log]", "Drawn: 8 of spades.")
    moved = (await watched(person))["animations"]
    assert moved
    assert max(moved) <= MOTION_MS
    assert person.complaints == []


async def test_who_is_stuck_alone_goes_on_with_a_new_deal(browser: Browser, address: str) -> None:
    """One button settles, makes the next race, and is ready for it."""
    person = await Person.arrive(browser, address, width=390, height=844)
    race = await person.create(CODE)
    await person.ready()
    await person.play(STUCK)
    await person.reads(".words", "Undo, or go on with a new deal.")
    await person.page.locator("[data-action=new-deal]").click()
    await person.page.wait_for_url(lambda url: "/r/" in url and race not in url)
    await person.cards_dealt()
    await expect(person.page.locator(".race[data-status=live]")).to_have_count(1)
    assert (await person.tally())["moves"] == 0
    assert person.complaints == []


async def test_a_free_card_is_dragged_and_tapped_twice_as_once(browser: Browser, address: str) -> None:
    """A card goes to the waste by a drag, else home; a double tap takes one; nothing moves where motion is reduced."""
    person = await Person.arrive(browser, address)
    await person.page.add_init_script(WATCH)
    await person.create(CODE)
    await person.ready()
    await person.play("d")
    await person.sees_moves(1)
    card = person.page.locator("[data-card='9C']")
    for pile in (".stock", ".waste"):
        await person.drag(card, person.page.locator(pile))
    await person.sees_moves(2)
    assert (await person.board()).waste == "9C"
    await person.page.locator("[data-card='8C']").dblclick()
    await person.play("d")
    await person.sees_moves(4)
    assert (await person.board()).columns[1][-1] == "2C"
    assert (await watched(person))["animations"] == []
    assert await person.page.locator(".words").text_content() == ""
    assert person.complaints == []


async def test_who_plays_alone_asks_for_hints(browser: Browser, address: str) -> None:
    """By key or button a move is pointed out and said, until one plays; the result counts hints; a race has none."""
    person = await Person.arrive(browser, address)
    await person.create(CODE)
    await person.ready()
    hinted = person.page.locator("[data-hinted]")
    await person.play("d h")
    await person.reads(".words", "Hint: take the 9 of clubs from column 5.")
    await person.reads("[role=log]", "Hint: take the 9 of clubs from column 5.")
    await expect(hinted).to_have_attribute("data-card", "9C")
    await expect(hinted).to_have_attribute("aria-label", "9 of clubs, free card of column 5; the hint")
    await person.page.reload()
    await expect(hinted).to_have_attribute("data-card", "9C")
    await person.play("h 5")
    await person.sees_moves(2)
    await expect(hinted).to_have_count(0)
    assert await person.page.locator(".words").text_content() == ""
    await person.page.locator("[data-action=hint]").click()
    await expect(hinted).to_have_count(1)
    for _ in range(2):
        await person.page.locator("[data-command=done]").click()
    await person.reads(".standings", "settled · 2 hints")
    await person.reads("[role=log] li:nth-child(2)", "You settled with this position.")
    assert person.complaints == []

    person = await Person.arrive(browser, address, "hu-HU", width=390, height=844)
    await person.create("DS1-D1N-AAAAAAB")
    await person.ready()
    # After F, the key means hearts.
    await person.play("d f h")
    await person.page.locator("[data-action=hint]").click()
    await person.reads(".words", "Tipp: pikk 3. Innen: 6. oszlop, ide: 1. oszlop.")
    await expect(person.page.locator(".slot[data-hinted]")).to_have_attribute("data-card", "3S")
    await expect(person.page.locator(".column[data-hinted]")).to_have_attribute("data-pile", "t1")
    controls = await person.page.locator(".under .actions").bounding_box()
    assert controls is not None
    assert controls["height"] < 50
    await person.create(CODE, "random")
    await person.ready()
    assert await person.page.locator("[data-action=hint]").count() == 0
    assert person.complaints == []
