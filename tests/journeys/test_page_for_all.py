"""The page is for all: axe-core finds nothing serious on any page in any language and scheme, and keys find the way."""

from __future__ import annotations

from importlib.resources import files
from typing import Any, Literal

import pytest
from playwright.async_api import Browser, Page, expect

from tests.journeys.person import Person
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

AXE = (files("axe_playwright_python") / "axe.min.js").read_text(encoding="utf-8")
CHECK = """async () => {
  const { violations } = await axe.run(document, {
    resultTypes: ["violations"],
    rules: { "target-size": { enabled: true } },
  });
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary: why }) => `${id}: ${target.join(" ")}: ${why}`));
}"""
FOLLOW = "(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')); }"
CODE = "GO1-E-AAAAAAB"
PAGES = {
    "/": "fd-daily li",
    f"/c/{CODE}": "fd-golf",
    "/c/DS1-D1N-AAAAAAB": "fd-double",
    "/l/GO1-E-people": ".pools",
    "/account": "fd-account form",
    "/rules/golf": "fd-golf",
    "/rules/double": "fd-double",
    "/rules/questions": "article",
}
"""Each page, and what is there once it has come."""


async def findings(page: Page) -> Any:
    """What axe-core finds serious or critical on the page as it stands."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    return await page.evaluate(CHECK)


@pytest.mark.parametrize(
    ("locale", "scheme", "width"),
    [("en-GB", "light", 1280), ("hu-HU", "dark", 390), ("vi-VN", "light", 390)],
    ids=["en", "hu", "vi"],
)
async def test_nothing_serious_is_found(
    browser: Browser, address: str, locale: str, scheme: Literal["light", "dark"], width: int
) -> None:
    """Every page, then a race while it waits and while it is played, in both schemes, on a screen and a phone."""
    person = await Person.arrive(browser, address, locale, width=width)
    await person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    found = {}
    await person.open("/")
    for path, sign in PAGES.items():
        await person.page.evaluate(FOLLOW, path)
        await expect(person.page.locator(sign).first).to_be_visible()
        found[path] = await findings(person.page)
    await person.create(CODE, people=2)
    found["a race that waits"] = await findings(person.page)
    await person.create(CODE)
    await person.ready()
    await person.play("d")
    await person.sees_moves(1)
    found["a race that is played"] = await findings(person.page)
    await person.page.locator("[data-command=resign]").click()
    await person.page.locator("[data-command=resign]").click()
    await person.standings()
    await expect(person.page.locator("fd-result fd-chart svg").first).to_be_visible()
    found["a result"] = await findings(person.page)
    await person.page.locator("[data-action=replay]").click()
    await expect(person.page.locator(".replay .watched")).to_be_visible()
    found["a replay"] = await findings(person.page)
    player = await person.page.evaluate("localStorage.getItem('fairdeal.player')")
    await person.page.evaluate(FOLLOW, f"/p/{player}")
    await expect(person.page.locator(".standings")).to_be_visible()
    found["a player"] = await findings(person.page)
    assert {path: serious for path, serious in found.items() if serious} == {}
    assert person.complaints == []


async def test_keys_find_the_way(browser: Browser, address: str) -> None:
    """The first key skips the frame, a followed link moves the focus to what came, a phone's menu closes by Escape."""
    person = await Person.arrive(browser, address)
    focused = person.page.locator(":focus")
    await person.open("/")
    await person.page.keyboard.press("Tab")
    await expect(focused).to_have_text("Skip to the content")
    await expect(focused).to_be_in_viewport()
    await person.page.keyboard.press("Enter")
    await expect(focused).to_have_id("main")
    await person.page.locator("header nav a", has_text="Rules").focus()
    await person.page.keyboard.press("Enter")
    await expect(person.page).to_have_title("The rules of Golf · Fairdeal")
    await expect(focused).to_have_id("main")
    await expect(person.page.locator("nav [aria-current=page]").first).to_have_text("Rules")
    assert await person.page.locator("h1").count() == 1

    await person.page.locator(".language select").select_option("vi")
    await expect(person.page).to_have_title("Luật chơi Golf · Fairdeal")
    await person.page.reload()
    await expect(person.page.locator("html")).to_have_attribute("lang", "vi")

    await person.page.set_viewport_size({"width": 390, "height": 844})
    menu, burger = person.page.locator("#menu"), person.page.locator(".burger")
    await burger.press("Enter")
    await expect(menu).to_be_visible()
    await person.page.keyboard.press("Escape")
    await expect(menu).not_to_be_visible()
    await expect(burger).to_be_focused()
    await person.page.go_back()
    await expect(person.page).to_have_title("Fairdeal")
    assert person.complaints == []


@pytest.mark.parametrize(
    ("locale", "scheme", "width", "height"),
    [("en-GB", "dark", 1280, 720), ("hu-HU", "light", 390, 844), ("vi-VN", "dark", 390, 844)],
    ids=["en", "hu", "vi"],
)
async def test_a_challenge_is_for_all(
    browser: Browser, address: str, locale: str, scheme: Literal["light", "dark"], width: int, height: int
) -> None:
    """It is made, read and declined by keys alone, and nothing serious is found on the way, on either side."""
    found = {}
    by, rival = [await Person.arrive(browser, address, locale, width=width, height=height) for _ in range(2)]
    for person, name in ((by, f"Challenger of {locale}"), (rival, f"Rival of {locale}")):
        await person.page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        await person.open("/account")
        await person.page.locator("[name=player_name]").fill(name)
        await person.page.keyboard.press("Enter")
        await expect(person.page.locator("fd-account [role=status]")).not_to_be_empty()
    player = await rival.page.evaluate("localStorage['fairdeal.player']")
    await by.open(f"/p/{player}")
    await by.page.locator("[data-action=challenge]").press("Enter")
    form = by.page.locator("fd-create form")
    await expect(form.locator(":focus")).to_be_visible()
    found["the form"] = await findings(by.page)
    await form.locator("[type=submit]").press("Enter")
    await expect(by.page.locator(".seat.own")).to_be_visible()
    found["waiting"] = await findings(by.page)
    notice = rival.page.locator("fd-challenges .challenge")
    await expect(notice).to_be_visible()
    found["the notice"] = await findings(rival.page)
    assert await rival.overflow() <= 0
    await notice.locator("a").focus()
    for key in ("Tab", "ArrowDown", "Tab", "Enter"):
        await rival.page.keyboard.press(key)
    await expect(notice).to_have_count(0)
    await expect(rival.page.locator(":focus")).to_have_id("main")
    await expect(by.page.locator("fd-result [role=status]")).to_contain_text(f"Rival of {locale}")
    found["declined"] = await findings(by.page)
    assert {place: serious for place, serious in found.items() if serious} == {}
    assert by.complaints == rival.complaints == []
