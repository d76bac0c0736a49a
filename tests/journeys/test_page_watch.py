"""Watching, results and replays on the page, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from engine.record import parse_record, positions
from engine.wire import inbound
from tests.journeys.person import Person
from tests.load.page import watch
from tests.needs import needs
from tests.server.served import Server

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

CODE = "GO1-E-AAAAAAB"
PLAYED = "d 5 2 u d d d d d d d d d d d d d d"
"""Eighteen operations, one of which gives the deal away."""

CLEARED = """(expected) => {
  const [anna] = document.querySelector("fd-race-chart")?.drawn ?? [];
  return anna && [...new Set(anna.points.map(([, cleared]) => cleared))].join() === expected.join();
}"""
"""Whether the chart's line of the first seat has come to those numbers of cards, one after the other."""


async def test_nine_boards_at_fifty_events_a_second_keep_the_page_free(browser: Browser, address: str) -> None:
    """All nine are shown, every event comes, and no task of the page takes 50 ms of its thread."""
    found = await watch(browser, address, CODE, seconds=2, width=1280, height=800)
    assert (found.boards, found.events, found.over_50_cpu) == (9, 99, 0), found


async def test_who_comes_late_sees_who_leads_and_what_can_still_be_had(browser: Browser, address: str) -> None:
    """Boards, leader, bars and chart as they stand when one comes, and as they change; at the end the way to replay."""
    spectator = await Person.arrive(browser, address, "vi-VN", width=390)
    async with Server(address, _nothing) as server:
        anna, bela = [await server.talker(await server.guest(name)) for name in ("Anna", "Béla")]
        race = await server.started(anna, bela, code=CODE)
        await anna.play(race, "d 5 2")
        await spectator.open(f"/x/{race}")
        await spectator.reads(".replay .heading .refusal", "Cuộc đua này chưa kết thúc")
        spectator.complaints.clear()
        await spectator.page.locator(f".replay a[href='/w/{race}']").click()
        await spectator.reads(".leader", "Anna dẫn đầu · điểm 20")
        await expect(spectator.page.locator("figure.watched .hope-bar")).to_have_count(2)
        await spectator.reads("figure[data-seat='1'] .hope", "Vẫn có thể thắng")
        await spectator.page.wait_for_function(CLEARED, arg=[0, 1, 2])
        await bela.play(race, "d 5 2")
        await spectator.reads(".leader", "Tất cả ngang nhau · điểm 20")
        assert (await spectator.board(1)) == (await spectator.board(2))
        await expect(spectator.page.locator("fd-race-chart .legend li")).to_have_count(2)
        assert await spectator.overflow() <= 0
        for player in (anna, bela):
            assert (await player.ask(inbound.Resign(race))).ok
        await expect(spectator.page.locator("[data-action=replay]")).to_have_attribute("href", f"/x/{race}")
    assert spectator.complaints == []


async def test_what_is_hidden_or_late_is_said(browser: Browser, address: str) -> None:
    """No board, bar or score, but who has cleared how many cards; and a delay is said where there is one."""
    spectator = await Person.arrive(browser, address)
    async with Server(address, _nothing) as server:
        anna, bela = [await server.talker(await server.guest(name)) for name in ("Anna", "Béla")]
        race = await server.started(anna, bela, game="GO1-E", sealed=True)
        await spectator.open(f"/w/{race}")
        await spectator.reads(".felt.notice", "The cards of this race are shown when it is over.")
        await spectator.reads(".leader", "All are level · 0 cards cleared")
        assert await spectator.page.locator(".delay").count() == 0
        assert await spectator.page.locator("figure.watched, .hope-bar").count() == 0
        late = await server.started(anna, code=CODE, delay_s=30)
        await spectator.open(f"/w/{late}")
        await spectator.reads(".delay", "You see this race 30 seconds late.")
    assert spectator.complaints == []


async def test_who_watches_is_not_taken_to_be_ready(browser: Browser, address: str) -> None:
    """Whoever watches one's own new race for oneself alone in the same tab is ready for it only once one sits down."""
    person = await Person.arrive(browser, address)
    async with Server(address, _nothing) as server:
        offered = await server.offer(await server.guest("Anna"), {"code": CODE, "seats": 1})
        race = (await offered.json())["race"]
    await person.open("/")
    await person.page.evaluate("race => sessionStorage.setItem('fairdeal.ready', race)", race)
    await person.open(f"/w/{race}")
    await expect(person.page.locator(".race[data-status=open]")).to_be_visible()
    await person.open(f"/r/{race}")
    await person.cards_dealt()
    assert person.complaints == []


async def test_a_deal_that_was_sealed_is_raced_again_from_the_page_of_its_code(browser: Browser, address: str) -> None:
    """The result leads to the code, and there one press begins a race on the same cards."""
    person = await Person.arrive(browser, address)
    async with Server(address, _nothing) as server:
        offered = await server.offer(await server.guest("Anna"), {"game": "GO1-E", "seats": 1, "sealed": True})
        race = (await offered.json())["race"]
    await person.open("/")
    await person.page.evaluate("race => sessionStorage.setItem('fairdeal.ready', race)", race)
    await person.open(f"/r/{race}")
    await person.cards_dealt()
    dealt = await person.board()
    for _ in range(2):
        await person.page.locator("[data-command=resign]").click()
    await person.standings()
    await person.page.locator("fd-result a.button[href^='/c/']").click()
    await person.page.locator("[data-start=alone]").click()
    await person.page.wait_for_url("**/r/*")
    await expect(person.page.locator(".race.table[data-status=live]")).to_be_visible()
    assert await person.board() == dealt
    assert person.complaints == []


async def test_a_result_tells_how_it_came_and_what_could_have_been(browser: Browser, address: str) -> None:
    """Scores over time and over moves, as lines and as a table; each best alternative is a link; ghosts race anew."""
    person = await Person.arrive(browser, address, width=390)
    page = person.page
    race = await person.create(CODE)
    await person.ready()
    await person.play(PLAYED)
    await person.sees_moves(17)
    for _ in range(2):
        await page.locator("[data-command=resign]").click()
    await person.standings()
    await person.reads("fd-result fd-chart figcaption", "Score over time")
    await page.locator("[data-along=moves]").click()
    await person.reads("fd-result fd-chart figcaption", "Score over moves")
    await page.locator("fd-result fd-chart summary").click()
    assert await page.locator("fd-result fd-chart tbody tr").nth(2).locator("th, td").all_inner_texts() == ["3", "20"]
    assert await person.overflow() <= 0
    better = page.locator(".analysis .moments a").first
    await expect(better).to_contain_text(re.compile(r"Operation \d+ \(draw\) left at most .+ Better: column \d\."))
    n = int((await better.inner_text()).split()[1])
    await better.click()
    await at(page, 1, n - 1)
    assert page.url.endswith(f"/x/{race}#seat=1&n={n - 1}")

    await person.open(f"/r/{race}")
    await page.locator(".ghosts summary").click()
    await page.locator("[data-ghost='1']").click()
    await page.wait_for_url(lambda url: "/r/" in url and race not in url)
    await expect(page.locator(".seat.own")).to_be_visible()
    card = (await (await page.request.get(f"{address}/api/races/{page.url.rsplit('/', 1)[1]}")).json())["card"]
    assert (card["code"], card["bots"]) == (CODE, [{"bot": f"ghost:{race}:1", "pace": None}])
    assert person.complaints == []


async def test_a_replay_is_stepped_through_linked_to_and_taken_home(
    browser: Browser, address: str, tmp_path: Path
) -> None:
    """Each board as it was, by keys, scrubber and speed, two in step, and again from the file of the race."""
    person, other = await Person.arrive(browser, address), await Person.arrive(browser, address, "hu-HU", width=390)
    async with Server(address, _nothing) as server:
        players = [await server.talker(await server.guest(name)) for name in ("Anna", "Béla")]
        race = await server.started(*players, code=CODE)
        for player, words in zip(players, (PLAYED, "d d d d"), strict=True):
            await player.play(race, words)
        for player in players:
            assert (await player.ask(inbound.Resign(race))).ok
    page = person.page
    await person.open(f"/x/{race}#seat=1")
    await at(page, 1, 0)
    await steps(person)

    await page.locator(".choices [data-seat='2']").click()
    await page.locator("[data-step=moves]").click()
    await page.keyboard.press("Home")
    for _ in range(3):
        await page.keyboard.press("ArrowRight")
    await at(page, 1, 3)
    await at(page, 2, 3)
    await page.locator("[data-step=time]").click()
    await at(page, 1, 3)
    await at(page, 2, 0)
    link = await page.locator(".replay fd-link input").input_value()
    assert link == f"{address}/x/{race}#seat=1&seat=2&n=3"

    await other.open(f"/x/{race}#seat=2&n=3")
    await at(other.page, 2, 3)
    await other.page.evaluate("location.hash = '#seat=1&n=99'")
    await at(other.page, 1, 18)
    assert await other.overflow() <= 0
    await to_disk_and_back(person, other.page, race, tmp_path)
    assert person.complaints == other.complaints == []


async def steps(person: Person) -> None:
    """Go through the first game: keys, scrubber, speed, and to where it was lost."""
    page = person.page
    boards = [one.board for one in positions(parse_record(f"{CODE} {PLAYED}"), 0, 99)]
    for key, n in (("ArrowRight", 1), ("PageDown", 11), ("ArrowLeft", 10), ("End", 18), ("Home", 0)):
        await page.keyboard.press(key)
        await at(page, 1, n)
        assert (await person.board()).columns == boards[n]["columns"]
    await page.locator("[name=moment]").fill("3")
    await at(page, 1, 3)
    await person.reads(".stage [role=status]", "Operation 3 of 18: Taken: ")
    await page.locator("[name=moment]").fill("14")
    await page.locator("[name=speed]").select_option("8")
    await page.locator("[data-action=play]").click()
    await at(page, 1, 18)
    await person.reads("[data-action=play]", "Play")
    lost = page.locator("[data-lost='1']")
    await lost.click()
    await at(page, 1, int((await lost.inner_text()).split()[-1]))
    await person.reads(".hope", "Cannot be won any more")
    await page.keyboard.press("ArrowLeft")
    await person.reads(".hope", "Can still be won")


async def to_disk_and_back(person: Person, other: Page, race: str, folder: Path) -> None:
    """Save the game in one line, and the race's file; bring that, and a damaged one, to where no race is shown."""
    page = person.page
    async with page.expect_download() as line:
        await page.locator(f".downloads [download='{race}-1.txt']").click()
    assert (await (await line.value).path()).read_text() == f"{CODE} {PLAYED}\n"
    async with page.expect_download() as whole:
        await page.locator(f".downloads [download='{race}.fairdeal']").click()
    await (await whole.value).save_as(folder / "mine.fairdeal")
    (folder / "damaged.fairdeal").write_bytes((folder / "mine.fairdeal").read_bytes()[:-40])
    await other.goto(person.address)
    await other.locator("a[href='/x/file']").click()
    chosen = other.locator("[name=file]")
    await chosen.set_input_files(folder / "damaged.fairdeal")
    await expect(other.locator("fd-replay-file .refusal")).to_contain_text("✗ damaged.fairdeal")
    await expect(other.locator("fd-replay-file .refusal")).to_contain_text("Naplójának 1. bejegyzésénél sérült")
    await other.locator("fd-replay-file summary").click()
    await expect(other.locator("fd-replay-file .fault p")).to_contain_text("entry 1: cannot be read")
    (folder / "screen.png").write_bytes(b"\x89PNG" + bytes(99))
    await chosen.set_input_files(folder / "screen.png")
    await expect(other.locator("fd-replay-file .refusal")).to_contain_text("Ez nem visszajátszás fájlja.")
    await chosen.set_input_files(folder / "mine.fairdeal")
    await expect(other.locator("fd-replay-file .good")).to_contain_text("✓ mine.fairdeal")
    await at(other, 1, 0)


async def at(page: Page, seat: int, n: int) -> None:
    """Wait until the board of a seat is shown as it was after its operation `n`, the board itself included."""
    shown = page.locator(f"figure[data-seat='{seat}'][data-n='{n}'][aria-busy=false]")
    await expect(shown).to_be_visible()


async def _nothing() -> None:
    """The server ends with its fixture."""
