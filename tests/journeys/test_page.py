"""The page in a real browser against a real server: a person races a bot, reloads, loses the line, and others watch."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import Browser, expect

from tests.journeys.line import Line
from tests.journeys.person import Person, ShownBoard
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

CODE = "GO1-E-AAAAAAB"
TO_MOVE_35 = "d 5 2 d 7 1 d d 4 d 4 4 2 d 1 7 5 5 6 6 d 1 3 4 d 3 2 7 3 5 d 6 d 2"
TO_THE_WIN = "3 2 4 6 1 1 7 d 7 d 3 5 6"

STUCK = "d d d d d d d d d d d d d d d d 2 5 5 5 1 7 4 5 2"

AT_MOVE_35 = ShownBoard(
    columns=[["6C", "5S"], ["2S"], ["10C", "AH"], ["3D"], ["JH"], ["10H", "4H"], ["3S", "7S"]],
    waste="KC",
    stock=6,
)
"""What the game's own rule pages print of this position."""


async def test_a_person_races_a_bot_to_the_end_and_reloads_half_way(browser: Browser, address: str) -> None:
    """A guest wins the published deal against a bot, reloads in the middle without loss, and a spectator sees it."""
    person = await Person.arrive(browser, address)
    race = await person.create(CODE, "greedy")
    await person.ready()

    await person.play("1")
    await person.reads(".words", "It must be one rank higher or lower")
    await person.touch("10S")
    await person.reads(".words", "This card is blocked")
    assert await person.tally() == {"score": 0, "moves": 0, "left": 35}

    await person.play(TO_MOVE_35)
    await person.sees_moves(34)
    assert await person.board() == AT_MOVE_35
    before = await person.tally()

    await person.page.reload()
    await person.cards_dealt()
    assert await person.board() == AT_MOVE_35
    assert await person.tally() == before == {"score": 240, "moves": 34, "left": 11}

    spectator = await Person.arrive(browser, address)
    await spectator.open(f"/w/{race}")
    await spectator.cards_dealt()
    assert await spectator.board(await person.seat()) == AT_MOVE_35

    await person.play("u 2")
    await person.sees_moves(35)
    await person.play(TO_THE_WIN)
    standings = await person.standings()
    assert standings[0] == (1, await person.seat(), 350)
    assert standings == await spectator.standings()
    assert person.complaints == spectator.complaints == []


async def test_who_races_sees_how_far_away_each_is(browser: Browser, address: str) -> None:
    """Lag of both seats, of one's own line, and how late one's cards came, as the server's clock has it, to the end."""
    person = await Person.arrive(browser, address, "hu-HU")
    await person.create(CODE, "greedy")
    await person.ready()
    await expect(person.page.locator(".seats .seat .lag")).to_have_count(2)
    for lag in await person.page.locator(".seats .seat .lag").all():
        await expect(lag).to_have_text(re.compile(r"^Idő a játékosig és vissza, ahogy a szerver méri: [\d\s]+ ms$"))
    await expect(person.page.locator(".connection .lag")).to_have_text(re.compile(r"^\d+ ms$"))
    late = person.page.locator("[data-started-late]")
    await expect(late).to_have_text(re.compile(r"^A lapjaid a rajt után [\d\s]+ ms késéssel érkeztek\.$"))
    assert 0 <= int(await late.get_attribute("data-started-late") or -1) < 5_000
    await person.page.reload()
    await person.cards_dealt()
    await expect(late).to_have_count(0)  # Who comes back later does not know.
    await expect(person.page.locator(".seats .seat .lag")).to_have_count(2)
    assert person.complaints == []


@pytest.mark.parametrize("lost", ["play", "ev", "res"])
async def test_a_move_lost_with_the_line_is_played_once(browser: Browser, address: str, lost: str) -> None:
    """Whatever is lost with the line, the move, its event or its answer, the page comes back and it counts once."""
    person = await Person.arrive(browser, address)
    line = await Line.under(person.page)
    await person.create(CODE)
    await person.ready()
    await person.play("d")
    await person.sees_moves(1)
    hellos = line.said.count("hello")

    line.cut_at(lost)
    await person.play("5 2")
    await person.sees_moves(3)
    await person.play("d")
    await person.sees_moves(4)
    assert line.cuts == 1
    assert line.said.count("hello") == hellos + 1
    assert await person.tally() == {"score": 20, "moves": 4, "left": 33}
    assert person.complaints == []


async def test_a_second_window_takes_the_seat_and_the_first_may_take_it_back(browser: Browser, address: str) -> None:
    """The window that was left says where the seat is played now, and stays quiet until it is asked back."""
    first = await Person.arrive(browser, address)
    await first.create(CODE)
    await first.ready()
    second = Person(await first.page.context.new_page(), address)
    await second.page.goto(first.page.url)
    await second.cards_dealt()
    await first.reads(".connection", "another window")

    await second.play("d")
    await second.sees_moves(1)
    await first.page.locator(".connection button").click()
    await first.sees_moves(1)
    await second.reads(".connection", "another window")
    assert first.complaints == second.complaints == []


@pytest.mark.parametrize(
    ("locale", "refused", "blocked", "free_card"),
    [
        ("hu-HU", "Eggyel magasabb vagy alacsonyabb rangúnak kell lennie", "Ez a lap blokkolva van", "kőr 6"),
        ("vi-VN", "Phải cao hơn hoặc thấp hơn một bậc", "Lá bài này đang bị chặn", "6 cơ"),
    ],
    ids=["hu", "vi"],
)
async def test_the_page_speaks_the_readers_language_on_a_phone(
    browser: Browser, address: str, locale: str, refused: str, blocked: str, free_card: str
) -> None:
    """Refusals and cards are worded as on the game's own pages, and nothing is wider than a phone's screen."""
    person = await Person.arrive(browser, address, locale, width=390)
    await person.create(CODE)
    assert await person.overflow() <= 0
    await person.ready()
    assert await person.overflow() <= 0
    assert free_card in (await person.page.locator("[data-card='6H']").get_attribute("aria-label") or "")

    await person.touch("6H")
    await person.reads(".words", refused)
    await person.touch("10S")
    await person.reads(".words", blocked)
    await person.page.locator(".language select").select_option("en")
    await person.play("1")
    await person.reads(".words", "It must be one rank higher or lower")
    assert person.complaints == []


async def test_a_stuck_player_undoes_or_settles(browser: Browser, address: str) -> None:
    """When no move is left the page says so and offers undo and settling; settling alone ends the race."""
    person = await Person.arrive(browser, address)
    await person.create(CODE)
    await person.ready()
    await person.play(STUCK)
    await person.reads(".words", "No more possible moves")
    stuck = await person.tally()
    await person.play("u")
    await person.sees_moves(stuck["moves"])
    await person.reads(".seat.own .status", "playing")
    assert await person.tally() == {"score": 80, "moves": stuck["moves"], "left": 27}

    await person.play(STUCK.split()[-1])
    # Until the answer has come, the button would ask once more.
    await person.reads(".words", "No more possible moves")
    await person.page.locator("[data-command=done]").click()
    assert await person.standings() == [(1, 1, 0)]
    assert person.complaints == []


async def test_what_solvers_say_is_shown(browser: Browser, address: str) -> None:
    """A spectator sees what can still be had, who has finished what could have been; the deal's page has a verdict."""
    person, spectator = await Person.arrive(browser, address), await Person.arrive(browser, address)
    race = await person.create(CODE)
    await person.ready()
    await spectator.open(f"/w/{race}")
    await spectator.reads(".hope", "Can still be won")
    assert await person.page.locator(".hope").count() == 0
    await person.play("d d d d d d d d d d d d d d d d")
    await spectator.reads(".hope", "Cannot be won any more. Still to be had:")
    await person.sees_moves(16)
    await person.page.locator("[data-command=done]").click()
    await person.page.locator("[data-command=done]").click()
    await person.reads(".analysis summary", "This deal can be won")
    await person.reads(
        ".analysis li[data-seat]",
        "The best there is: 35 cards removed, score 350. Missed: 350 points. Lost by operation",
    )
    await person.open(f"/c/{CODE}")
    await person.reads(".verdict", "This deal can be won. The best there is: 35 cards removed, score 350.")
    assert person.complaints == spectator.complaints == []
