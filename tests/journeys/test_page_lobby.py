"""The ways into a race besides the form, in a real browser: quick races, the deal of the day, rematches."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.person import Person
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

CODE = "GO1-E-AAAAAAB"
OWN_CODE = "GO1-E-AAAAAAC"
"""One that no other test here races on."""


async def test_two_who_wait_for_the_same_game_race_each_other(browser: Browser, address: str) -> None:
    """One stops waiting and waits again; both are brought to one race, and sit in it."""
    first, second = await Person.arrive(browser, address), await Person.arrive(browser, address, width=390)
    for person in (first, second):
        await person.open("/")
    await first.page.locator("fd-quick [type=submit]").click()
    await first.reads(
        "fd-quick [role=status]", "Waiting for somebody to race with … If nobody comes, a bot offers itself"
    )
    assert not re.search(r"\d", await first.page.locator("fd-quick [role=status]").inner_text())  # That is a setting.
    await first.page.locator("fd-quick .second").click()
    for person in (first, second):
        await person.page.locator("fd-quick [type=submit]").click()
    for person in (first, second):
        await person.page.wait_for_url("**/r/*")
        await expect(person.page.locator(".seat.own")).to_be_visible()
    assert first.page.url == second.page.url
    assert first.complaints == second.complaints == []


async def test_the_deal_of_the_day_is_raced_once(browser: Browser, address: str) -> None:
    """Whoever comes back to the deal of the day comes to the same race; it begins at a word, and waits for midnight."""
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
    await person.reads(".heading h1", "Deal of the day · Golf")
    await person.reads("aside", "You have one try.")
    assert await person.page.locator("[data-command=cancel]").count() == 0
    await person.ready()
    for _ in range(2):
        await person.page.locator("[data-command=resign]").click()
    await person.reads(".words", "Your try is over. Deal and table are opened at ")
    await person.open("/")
    await person.reads("[data-daily=GO]", "begun: 0 · gave up")
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
    await follows.reads("[role=log]", "Feladtad.")
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
    await person.page.locator("header nav a", has_text="Ladders").click()
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


async def test_one_field_takes_a_code_a_link_and_a_number(browser: Browser, address: str) -> None:
    """A press plays the code alone, at once; the race's number leads back; a code in any spelling leads to its deal."""
    person = await Person.arrive(browser, address, width=390)
    await person.open("/")
    field, look = person.page.locator("[name=enter]"), person.page.locator("fd-enter [type=submit]")
    await expect(field).to_have_value(CODE)
    await person.page.locator("[data-start=alone]").click()
    await person.page.wait_for_url("**/r/*")
    await person.cards_dealt()
    number = person.page.url.rsplit("/", 1)[1]

    await person.page.locator("header .brand").click()
    await field.fill("good morning")
    await look.click()
    await person.reads("fd-enter > [role=alert]", "neither a link to a race nor a race number")
    for typed in (number, f"{address}/r/{number}"):
        await person.open("/")
        await field.fill(typed)
        await expect(look).to_have_text("Join")
        await look.click()
        await person.page.wait_for_url(f"**/r/{number}")
    await person.open("/")
    await field.fill("go1 c aaaaaab")
    await look.click()
    await person.reads("fd-code h1", "GO1-C-AAAAAAB")
    await person.reads("fd-code", "Golf · Classic")
    assert person.complaints == []


async def test_a_run_on_a_code_is_raced_again_as_a_ghost(browser: Browser, address: str) -> None:
    """The page of a code lists who raced on it, how far they came, and seats the ghost of that very run."""
    person = await Person.arrive(browser, address)
    await person.create(OWN_CODE)
    await person.ready()
    await person.play("d d")
    await person.sees_moves(2)
    for _ in range(2):
        await person.page.locator("[data-command=resign]").click()
    await person.standings()
    await person.open(f"/c/{OWN_CODE}")
    await person.reads(".runs li", "gave up")
    await person.reads("fd-code .standings tbody", "gave up")
    await person.page.locator(".runs [data-ghost='1']").click()
    await person.page.wait_for_url("**/r/*")
    await expect(person.page.locator(".seat .tag", has_text="bot").first).to_be_visible()
    await person.open("/")
    own = person.page.locator("fd-own li")
    await expect(own).to_have_text(
        [re.compile("Waiting.*Back to it", re.DOTALL), re.compile("1 of 1 · 0 gave up.*Result", re.DOTALL)]
    )
    assert person.complaints == []


async def test_a_name_is_claimed_and_taken_to_another_device(browser: Browser, address: str) -> None:
    """A link with its QR code lets in one phone as oneself, by a press; signing out elsewhere ends that."""
    person, phone = await Person.arrive(browser, address), await Person.arrive(browser, address, "hu-HU", width=390)
    await person.open("/account")
    await person.page.locator("[name=player_name]").fill("Ada Lovelace")
    await person.page.locator("fd-account form [type=submit]").click()
    await person.reads("fd-account [role=status]", "Ada Lovelace is yours.")
    await person.reads("header nav", "Ada Lovelace")
    await person.page.locator("[data-link=make]").click()
    await expect(person.page.locator("svg.qr path")).to_be_visible()
    link = await person.page.locator("fd-link input").input_value()

    await phone.page.goto(link)
    await phone.page.locator("[data-link=use]").click()
    await phone.reads("fd-account h1", "Ada Lovelace")
    assert phone.page.url == f"{address}/account"
    assert await phone.overflow() <= 0
    await phone.page.goto(link)
    await phone.page.locator("[data-link=use]").click()
    await expect(phone.page.locator("fd-account .panel [role=alert]").first).not_to_be_empty()

    await person.page.locator("fd-account .second", has_text="everywhere else").click()
    await person.reads("fd-account [role=status]", "Only this browser")
    await phone.open("/account")
    await expect(phone.page.locator("[name=player_name]")).to_be_visible()
    await expect(phone.page.locator("[data-link=make]")).to_be_visible()
    assert await phone.page.locator("fd-account .quiet").first.inner_text() == "Vendég: ez a név még nincs lefoglalva."
    await phone.page.locator("[name=player_name]").fill("Ada Lovelace")
    await phone.page.locator("fd-account form [type=submit]").click()
    await phone.reads("fd-account [role=alert]", "Ez a név nem szabad")
    assert person.complaints == []


async def test_a_full_race_is_offered_to_those_in_it_alone(browser: Browser, address: str) -> None:
    """Where no seat is free there is no link to join; others are shown who races, in their own language."""
    host, other = await Person.arrive(browser, address), await Person.arrive(browser, address, "hu-HU", width=390)
    race = await host.create(OWN_CODE, "level-3")
    await expect(host.page.locator(".seat .who", has_text="Level 3")).to_be_visible()
    await expect(host.page.locator(".seat")).to_have_count(2)
    await expect(host.page.locator("fd-link")).to_have_count(1)
    await host.reads("fd-link", "Link to watch")
    await other.open("/")
    row = other.page.locator(f"fd-races [data-race='{race}']")
    await expect(row).to_contain_text(re.compile(r"2 helyből 2 foglalt: .*3\. szint"))
    await expect(row).to_contain_text(re.compile(r"Vendég \d{4}"))
    await expect(row.locator("a")).to_have_text(["Megnézem"])
    await host.open("/")
    await expect(host.page.locator(f"fd-races [data-race='{race}'] a")).to_have_text(["Back to it"])
    assert host.complaints == other.complaints == []


async def test_who_raced_alone_goes_on_by_one_press(browser: Browser, address: str) -> None:
    """The same cards again, or others: either begins at once."""
    person = await Person.arrive(browser, address)
    race = await person.create(OWN_CODE)
    for action in ("[data-action=again]", "[data-command=rematch]", None):
        await person.cards_dealt()
        dealt = await person.board()
        for _ in range(2):
            await person.page.locator("[data-command=resign]").click()
        assert await person.standings() == [(1, 1, 0)]
        if action is None:
            break
        await person.page.locator(action).click()
        await person.page.wait_for_url(lambda url, last=race: "/r/" in url and last not in url)  # type: ignore[misc]
        await expect(person.page.locator(".race.table[data-status=live]")).to_be_visible()
        race = person.page.url.rsplit("/", 1)[1]
        assert ((await person.board()) == dealt) is (action == "[data-action=again]")
    assert person.complaints == []


async def _with_a_name(browser: Browser, address: str, name: str, locale: str = "en-GB", width: int = 1280) -> Person:
    """Somebody whose name is claimed, so that others can find the page of it."""
    person = await Person.arrive(browser, address, locale, width=width)
    await person.open("/account")
    await person.page.locator("[name=player_name]").fill(name)
    await person.page.locator("fd-account form [type=submit]").click()
    await expect(person.page.locator("fd-account [role=status]")).not_to_be_empty()
    return person


async def test_one_player_challenges_another(browser: Browser, address: str) -> None:
    """From the other's page: told in the lobby, declined with a reason that the challenger reads, and then accepted."""
    anna = await _with_a_name(browser, address, "Anna Challenges")
    bela = await _with_a_name(browser, address, "Béla Wavers", "hu-HU", width=390)
    bela_id = await bela.page.evaluate("localStorage['fairdeal.player']")
    await bela.open("/")
    notice = bela.page.locator("fd-challenges .challenge")

    elsewhere = await bela.page.context.new_page()
    await elsewhere.goto(f"{address}/l/GO")
    other_notice = elsewhere.locator("fd-challenges .challenge")

    for accepts in (False, True):
        await anna.open(f"/p/{bela_id}")
        await anna.page.locator("[data-action=challenge]").click()
        await anna.page.locator("fd-create [type=submit]").click()
        await anna.page.wait_for_url("**/r/*")
        await anna.reads(".seat.empty", "Béla Wavers")
        await expect(notice).to_be_visible()
        await expect(other_notice).to_be_visible()
        await bela.reads("fd-challenges [role=status]", "Anna Challenges versenyre hív.")
        await bela.reads("fd-challenges .challenge", "Golf · Könnyű")
        assert await bela.overflow() <= 0
        if accepts:
            await notice.locator("a").click()
            await bela.page.wait_for_url("**/r/*")
            await expect(bela.page.locator(".seat.own")).to_be_visible()
            await expect(notice).to_have_count(0)
        else:
            await notice.locator("select").select_option("later")
            await notice.locator("[type=submit]").click()
            await expect(notice).to_have_count(0)
            await anna.reads("fd-result", "Béla Wavers has declined: “Later, please ask again”")
            # So does whoever looks later.
            await anna.page.reload()
            await anna.reads("fd-result", "Béla Wavers has declined: “Later, please ask again”")
        await expect(other_notice).to_have_count(0)
        await expect(elsewhere.locator("fd-challenges [role=status]")).to_have_text(
            "Anna Challenges kihívása már nem vár válaszra."
        )
    assert bela.page.url == anna.page.url
    await bela.page.locator("[data-command=leave]").click()
    await anna.reads("fd-result", "Béla Wavers has called the race off.")
    assert anna.complaints == bela.complaints == []
