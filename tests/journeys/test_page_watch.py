"""Watching on the page, in a real browser: nine boards at a fast pace, who leads, how late it is, sealed races."""

from __future__ import annotations

import pytest
from playwright.async_api import Browser, expect

from engine.wire import inbound
from tests.journeys.person import Person
from tests.load.page import watch
from tests.needs import needs
from tests.server.served import Server

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

CODE = "GO1-E-AAAAAAB"


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
        await spectator.open(f"/w/{race}")
        await spectator.reads(".leader", "Anna dẫn đầu · điểm 20")
        await expect(spectator.page.locator("figure.watched .hope-bar")).to_have_count(2)
        await spectator.reads("figure[data-seat='1'] .hope", "Vẫn có thể thắng")
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


async def _nothing() -> None:
    """The server ends with its fixture."""
