"""The ways into a race besides the form, in a real browser: quick races, the deal of the day, rematches."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.person import Person
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]


async def test_two_who_wait_for_the_same_game_race_each_other(browser: Browser, address: str) -> None:
    """One stops waiting and waits again; both are brought to one race, and sit in it."""
    first, second = await Person.arrive(browser, address), await Person.arrive(browser, address, width=390)
    for person in (first, second):
        await person.open("/")
    await first.page.locator("fd-quick [type=submit]").click()
    await first.reads("fd-quick [role=status]", "Waiting for somebody")
    await first.page.locator("fd-quick .second").click()
    for person in (first, second):
        await person.page.locator("fd-quick [type=submit]").click()
    for person in (first, second):
        await person.page.wait_for_url("**/r/*")
        await expect(person.page.locator(".seat.own")).to_be_visible()
    assert first.page.url == second.page.url
    assert first.complaints == second.complaints == []


async def test_the_deal_of_the_day_is_raced_once(browser: Browser, address: str) -> None:
    """Whoever comes back to the deal of the day comes to the same race, on a phone's screen too."""
    person = await Person.arrive(browser, address, width=390)
    await person.open("/")
    button = person.page.locator("[data-daily=GO] button")
    await expect(button).to_have_text("Race today’s deal")
    assert await person.overflow() <= 0
    await button.click()
    await person.page.wait_for_url("**/r/*")
    tried = person.page.url
    await expect(person.page.locator(".seat.own")).to_be_visible()
    await person.open("/")
    await expect(button).to_have_text("Go to your try")
    await button.click()
    await person.page.wait_for_url(tried)
    assert person.complaints == []


async def test_a_rematch_brings_both_to_the_next_race(browser: Browser, address: str) -> None:
    """Whoever asks for the rematch is brought to it, and the other is shown the way to the seat that is kept."""
    asks, follows = await Person.arrive(browser, address), await Person.arrive(browser, address, "hu-HU", width=390)
    race = await asks.create("GO1-E-AAAAAAB", people=2)
    await follows.open(f"/r/{race}")
    await expect(follows.page.locator(".seat.own")).to_be_visible()
    for person in (asks, follows):
        await person.page.locator("[data-command=ready]").click()
    for person in (asks, follows):
        await person.cards_dealt()
        await person.page.locator("[data-command=resign]").click()
        await person.page.locator("[data-command=resign]").click()
    await asks.page.locator("[data-command=rematch]").click()
    await asks.page.wait_for_url(lambda url: "/r/" in url and race not in url)
    await follows.reads(".result .next", "Megvan a következő verseny")
    assert await follows.overflow() <= 0
    await follows.page.locator(".result .actions .main").click()
    await expect(follows.page.locator(".race[data-status=open] .seat.own")).to_be_visible()
    assert asks.page.url == follows.page.url
    assert asks.complaints == follows.complaints == []


async def test_the_ladders_are_a_click_from_anywhere(browser: Browser, address: str) -> None:
    """The link in the head leads to a ladder, which says that nobody is rated yet, and can be loaded anew."""
    person = await Person.arrive(browser, address, width=390)
    await person.open("/")
    await person.page.locator(".burger").click()
    await person.page.locator("header nav a").nth(1).click()
    await person.reads("fd-ladder", "Nobody is rated here yet.")
    assert await person.overflow() <= 0
    await person.page.reload()
    await person.reads("fd-ladder h1", "Golf · Easy · people")
    assert person.complaints == []


async def test_the_form_makes_a_series_that_spectators_see_later(browser: Browser, address: str) -> None:
    """What is chosen under more options is in the card of the race."""
    person = await Person.arrive(browser, address, width=390)
    await person.open("/")
    await person.page.locator("fd-create summary").click()
    await person.page.locator("[name=series]").select_option("3")
    await person.page.locator("[name=delay]").select_option("30")
    assert await person.overflow() <= 0
    await person.page.locator("fd-create [type=submit]").click()
    await person.page.wait_for_url("**/r/*")
    race = person.page.url.rsplit("/", 1)[1]
    card = (await (await person.page.request.get(f"{address}/api/races/{race}")).json())["card"]
    assert (card["series"], card["delay_s"]) == (3, 30)
    assert person.complaints == []
