"""Results and replays on the page, in a real browser: charts, moments, two in step, files, ghosts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from engine.record import parse_record, positions
from tests.journeys.person import Person
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

CODE = "GO1-E-AAAAAAB"
PLAYED = "d 5 2 u d d d d d d d d d d d d d d"


async def raced(browser: Browser, address: str, **screen: int) -> tuple[Person, str]:
    """Somebody who has played those words against nobody, given up, and sees the result; and the race."""
    person = await Person.arrive(browser, address, **screen)
    race = await person.create(CODE)
    await person.ready()
    await person.play(PLAYED)
    await person.reads(".seat.own .numbers", "1/35")
    await person.sees_moves(17)
    for _ in range(2):
        await person.page.locator("[data-command=resign]").click()
    await person.standings()
    return person, race


async def at(person: Person, seat: int, n: int) -> None:
    """Wait until the board of a seat is shown as it was after its operation `n`, the board itself included."""
    await expect(person.page.locator(f"figure[data-seat='{seat}'][data-n='{n}'][aria-busy=false]")).to_be_visible()


async def test_a_result_tells_how_it_came_and_what_could_have_been(browser: Browser, address: str) -> None:
    """Scores over time and over moves, as lines and as a table; the best alternative leads to its moment."""
    person, race = await raced(browser, address, width=390)
    page = person.page
    await person.reads("fd-result fd-chart figcaption", "Score over time")
    await page.locator("[data-along=moves]").click()
    await person.reads("fd-result fd-chart figcaption", "Score over moves")
    await page.locator("fd-result fd-chart summary").click()
    rows = page.locator("fd-result fd-chart tbody tr")
    assert await rows.nth(2).locator("th, td").all_inner_texts() == ["3", "20"]
    assert await person.overflow() <= 0
    better = page.locator(".analysis .moments a").first
    await expect(better).to_contain_text(re.compile(r"Operation \d+ \(d\) left at most .+ Better: \w+\."))
    n = int((await better.inner_text()).split()[1])
    await better.click()
    await at(person, 1, n - 1)
    assert page.url.endswith(f"/x/{race}#seat=1&n={n - 1}")
    assert person.complaints == []


async def test_a_run_is_raced_again_as_a_ghost(browser: Browser, address: str) -> None:
    """From the result one comes to a race on the same deal, against that run."""
    person, race = await raced(browser, address)
    await person.page.locator(".ghosts summary").click()
    await person.page.locator("[data-ghost='1']").click()
    await person.page.wait_for_url(lambda url: "/r/" in url and race not in url)
    await expect(person.page.locator(".seat.own")).to_be_visible()
    answer = await person.page.request.get(f"{address}/api/races/{person.page.url.rsplit('/', 1)[1]}")
    card = (await answer.json())["card"]
    assert (card["code"], card["bots"]) == (CODE, [{"bot": f"ghost:{race}:1", "pace": None}])
    assert person.complaints == []


async def test_a_replay_is_stepped_through_played_and_linked_to(browser: Browser, address: str) -> None:
    """Keys, scrubber and buttons show each board as it was; a link to a moment shows that moment."""
    person, race = await raced(browser, address)
    page = person.page
    await page.locator("[data-action=replay]").click()
    await at(person, 1, 0)
    boards = [one.board for one in positions(parse_record(f"{CODE} {PLAYED}"), 0, 99)]
    for key, n in (("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("End", 18), ("Home", 0)):
        await page.keyboard.press(key)
        await at(person, 1, n)
        assert (await person.board()).columns == boards[n]["columns"]
    await page.locator("[name=moment]").fill("3")
    await at(person, 1, 3)
    await person.reads(".stage [role=status]", "Operation 3 of 18: Taken: ")
    await page.locator("[name=speed]").select_option("8")
    await page.locator("[data-action=play]").click()
    await at(person, 1, 18)
    await person.reads("[data-action=play]", "Play")
    lost = page.locator("[data-lost='1']")
    await lost.click()
    n = int((await lost.inner_text()).split()[-1])
    await at(person, 1, n)
    await person.reads(".hope", "Cannot be won any more")
    await page.keyboard.press("ArrowLeft")
    await person.reads(".hope", "Can still be won")
    link = await page.locator(".replay fd-link input").input_value()
    assert link == f"{address}/x/{race}#seat=1&n={n - 1}"
    other = await Person.arrive(browser, address, "hu-HU", width=390)
    await other.open(f"/x/{race}#seat=1&n=7")
    await at(other, 1, 7)
    await other.page.evaluate("location.hash = '#seat=1&n=3'")
    await at(other, 1, 3)
    assert await other.overflow() <= 0
    assert person.complaints == other.complaints == []


async def test_two_are_replayed_in_step(browser: Browser, address: str) -> None:
    """A race against a bot: by moves both have come as far, by time each as far as it was; either can be left out."""
    person = await Person.arrive(browser, address)
    race = await person.create(CODE, "greedy")
    await person.ready()
    await person.play("d d d d")
    await person.sees_moves(4)
    own = await person.seat()
    bot = 3 - own
    for _ in range(2):
        await person.page.locator("[data-command=resign]").click()
    await person.standings()
    page = person.page
    await person.open(f"/x/{race}#seat={own}&seat={bot}&n=4")
    await at(person, own, 4)
    await page.locator("[data-step=moves]").click()
    await at(person, own, 4)
    await at(person, bot, 4)
    await page.keyboard.press("End")
    await at(person, own, 4)
    await page.locator(f".choices [data-seat='{own}']").click()
    await expect(page.locator("figure.watched")).to_have_count(1)
    assert person.complaints == []


async def test_a_file_is_taken_home_verified_and_replayed(browser: Browser, address: str, tmp_path: Path) -> None:
    """The file of a race shows the same game without the race; a damaged one is refused with the place of its fault."""
    person, race = await raced(browser, address)
    page = person.page
    await person.open(f"/x/{race}")
    async with page.expect_download() as line:
        await page.locator(f".downloads [download='{race}-1.txt']").click()
    assert (await (await line.value).path()).read_text() == f"{CODE} {PLAYED}\n"
    async with page.expect_download() as whole:
        await page.locator(f".downloads [download='{race}.fairdeal']").click()
    file = tmp_path / "mine.fairdeal"
    await (await whole.value).save_as(file)
    damaged = tmp_path / "damaged.fairdeal"
    damaged.write_bytes(file.read_bytes()[:-40])
    other = await Person.arrive(browser, address)
    await other.open("/x/file")
    await other.page.locator("[name=file]").set_input_files(damaged)
    await other.reads("fd-replay-file .refusal", "damaged.fairdeal does not hold.")
    await other.page.locator("[name=file]").set_input_files(file)
    await other.reads("fd-replay-file .good", "mine.fairdeal was verified")
    await at(other, 1, 0)
    as_json = tmp_path / "mine.json"
    told = await page.request.get(f"{address}/api/races/{race}/record", headers={"Accept": "application/json"})
    as_json.write_bytes(await told.body())
    await other.page.locator("[name=file]").set_input_files(as_json)
    await other.reads("fd-replay-file .good", "mine.json was verified")
    assert other.complaints == []
