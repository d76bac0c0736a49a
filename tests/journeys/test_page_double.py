"""Double Solitaire on the page, in a real browser against a real server: whole games, refusals, dollars, watching."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.async_api import Browser, expect

from engine.codes import Code, parse_code
from engine.double.rules import DoubleRules
from engine.double.score import score_text
from engine.solo import Played, Solo, deal_out
from tests.engine.double.steady import steady_game
from tests.journeys.double_player import DoublePlayer, Position, parts_of
from tests.needs import needs

pytestmark = [pytest.mark.journey, needs("chromium", "redis-server")]

WON = parse_code("DS1-D3NO-AAAAAAL")
WON_BY = 4
"""A deal that the simple player wins, with three cards a draw and recycling, and the seed it wins it with."""
VEGAS = parse_code("DS1-D1VO-AAAAAEL")
VEGAS_MOVES = 40
TARGET_PX = 24
LONG_COLUMNS = 31
"""After so many of its moves a column holds 16 cards, the most in this game."""
EVERY_WAY = 90
"""So many moves go by taps and drags in turn; the rest by keys, which are quicker."""


def after(solo: Solo, word: str) -> Solo:
    """Play a word that is not refused."""
    answer = solo.play(word)
    assert isinstance(answer, Played), (word, answer)
    return answer.solo


def played(code: Code, words: tuple[str, ...]) -> Iterator[tuple[str, Position, Solo]]:
    """Follow a game: each word, the position that it is played in, and the game after it."""
    solo = deal_out(code)
    for word in words:
        before = solo.position()
        solo = after(solo, word)
        yield word, before, solo


async def test_a_person_wins_a_whole_game_by_taps_drags_and_keys(browser: Browser, address: str) -> None:
    """All 104 cards go up: by taps, double taps, drags and keys, with a reload half-way, and each position is right."""
    person = await DoublePlayer.arrive(browser, address, height=720)
    await person.create(str(WON))
    await person.ready()
    won, words = steady_game(WON, WON_BY)
    for done, (word, before, then) in enumerate(played(WON, words)):
        if done > EVERY_WAY:
            await person.by_keys(word)
        elif "-" in word and done % 2:
            await person.by_drag(word)
        else:
            await person.by_taps(word, before)
        if done == len(words) // 2:
            await person.sees_moves(done + 1)
            await person.page.reload()
            await person.cards_dealt()
        if done < len(words) - 1:
            await person.sees_moves(done + 1)
        if done % 20 == 0:
            await person.shows(then.position())
    assert await person.standings() == [(1, 1, won.board.score)]
    assert person.complaints == []


TO_AN_EMPTY_COLUMN = "t6-t1 t3-t2 t3-t7 d w-t7 t3-t7"
"""Of DS1-D1N-AAAAAAB: column 3 is empty then, columns 4, 5, 8 and 9 end with JD, QH, 10D and QD, column 6 with 8S."""

REFUSED = (
    ("drag", "t5-t3", "Üres oszlopba csak király kerülhet."),
    ("drag", "t4-t9", "Csak ellenkező színű lapra tehető."),
    ("taps", "t5-t3", "Üres oszlopba csak király kerülhet."),
    ("drag", "t6-t8", "Csak pontosan eggyel magasabb rangú lapra tehető."),
    ("keys", "t5-t3", "Üres oszlopba csak király kerülhet."),
    ("drag", "t7-t6x3", "Csak ellenkező színű lapra tehető."),
    ("drag", "t9-f", "Ezt a lapot az alapkupaca még nem fogadja."),
    ("drag", "t7-fx3", "Az alapkupacra egyszerre csak egy lap kerülhet."),
    ("tap", "t9-t9x2", "Lefordított lapot nem lehet mozgatni."),
    ("keys", "r", "A húzópakliban még van lap."),
)
"""How, what, and the answer; no answer is that of the row before, which may still be on the screen."""


async def test_what_does_not_fit_is_explained_in_hungarian(browser: Browser, address: str) -> None:
    """A card let go where it does not fit, or a tap on one that cannot be moved, changes nothing and is explained."""
    person = await DoublePlayer.arrive(browser, address, "hu-HU")
    await person.create("DS1-D1N-AAAAAAB")
    await person.ready()
    for moves, word in enumerate(TO_AN_EMPTY_COLUMN.split(), 1):
        await person.by_keys(word)
        await person.sees_moves(moves)
    before = await person.board()
    for how, word, answer in REFUSED:
        match how:
            case "drag":
                await person.by_drag(word)
            case "keys":
                await person.by_keys(word)
            case "tap":
                source, _, cards = parts_of(word)
                await person.card(source, cards).click(position={"x": 8, "y": 3})
            case _:
                await person.by_taps(word, {"taps": {}, "double_taps": {}})
        await person.reads(".words", answer)
        assert await person.board() == before
    assert person.complaints == []


async def test_vegas_counts_dollars(browser: Browser, address: str) -> None:
    """From -$104 up, under the board and in the result; the forms that no quick game reaches are the engine's too.

    Why the code has an O that nobody typed is said in the form and under the code.
    """
    person = await DoublePlayer.arrive(browser, address)
    await person.open("/?code=DS1-D1V-AAAAAEL")
    await person.reads("fd-create [data-once]", "the letter O is added to the code")
    await person.page.locator("[name=bot]").first.select_option("")
    await person.page.locator("fd-create [type=submit]").click()
    await person.reads(".heading .terms", "O: a card pays only the first time it is put up.")
    await person.reads(".heading .code", str(VEGAS))
    await person.cards_dealt()
    await person.score("-$104")
    _, words = steady_game(VEGAS)
    for moves, (word, _, then) in enumerate(played(VEGAS, words[:VEGAS_MOVES]), 1):
        await person.by_keys(word)
        await person.sees_moves(moves)
        await person.score(then.board.score_text)
    for _ in range(2):
        await person.page.locator("[data-command=done]").click()
    await person.reads(".standings", then.board.score_text)
    shown = await person.page.evaluate(
        "import('/web/ui/score.js').then(({ scoreText }) => [-104, -4, 0, 1, 416].map((n) => scoreText('DS1-D3VO', n)))"
    )
    assert shown == [score_text(DoubleRules(scoring="V"), score) for score in (-104, -4, 0, 1, 416)]
    assert person.complaints == []


async def test_a_second_tap_counts_only_with_the_switch_on(browser: Browser, address: str) -> None:
    """Double tap is on at first, can be switched off, and stays off after a reload."""
    person = await DoublePlayer.arrive(browser, address)
    await person.create("DS1-D1N-AAAAAAB")
    await person.ready()
    await person.card("t6").dblclick()
    await person.sees_moves(1)
    await person.by_keys("u")
    await expect(person.card("t6")).to_have_attribute("data-card", "3S")

    await person.settings(double_tap=False)
    await person.page.reload()
    await person.cards_dealt()
    await person.card("t6").dblclick()
    await person.by_keys("d")
    await person.sees_moves(2)
    assert (await person.board()).columns[5][-1] == "3S"
    assert person.complaints == []


TAKEN_BACK = parse_code("DS1-D3NO-AAAAAAN")
TO_BOTH_ACES_UP = "t6-f t2-t7 d w-t5 t2-t5 t4-t2 t4-f t6-t4 d w-t2 w-f"


async def test_a_card_is_taken_back_from_either_place(browser: Browser, address: str) -> None:
    """The top card of each place of a suit's row goes back onto a column, however it is asked; an undo puts it up."""
    person = await DoublePlayer.arrive(browser, address)
    await person.create(str(TAKEN_BACK))
    await person.ready()
    solo = deal_out(TAKEN_BACK)
    for word in TO_BOTH_ACES_UP.split():
        await person.by_keys(word)
        solo = after(solo, word)
        await person.sees_moves(solo.moves)
    for word in ("fS2-t3", "fS-t5"):
        for how in ("keys", "taps", "drag"):
            match how:
                case "keys":
                    await person.by_keys(word)
                case "taps":
                    await person.by_taps(word, solo.position())
                case _:
                    await person.by_drag(word)
            solo = after(solo, word)
            await person.shows(solo.position())
            await person.by_keys("u")
            solo = after(solo, "u")
            await expect(person.page.locator("[data-pile=fS]")).to_have_attribute("data-height", "2")
            await expect(person.page.locator("[data-pile=fS2]")).to_have_attribute("data-height", "1")
            await person.shows(solo.position())
    assert person.complaints == []


async def test_fingers_tap_and_drag_on_a_phone(browser: Browser, address: str) -> None:
    """On a touch screen a tap draws, a finger drags a card and a run, and the page stays where it is."""
    person = await DoublePlayer.arrive(browser, address, width=390, height=844, touch=True)
    await person.create("DS1-D1N-AAAAAAB")
    await person.ready()
    solo = deal_out(parse_code("DS1-D1NO-AAAAAAB"))
    for word in ("d", "t6-t1", "t3-t2", "t3-t7", "t2-t8x2"):
        if word == "d":
            await person.page.locator("[data-pile=stock] button").tap()
        else:
            await person.by_finger(word)
        if not isinstance(solo.play(word), str):
            solo = after(solo, word)
        await person.shows(solo.position())
    await person.reads(".words", "It must go onto a card of the other colour.")
    assert await person.page.evaluate("[scrollX, scrollY, visualViewport.scale]") == [0, 0, 1]
    assert person.complaints == []


SCREENS = ((1280, 720), (844, 390), (390, 844), (2560, 1440))
"""A laptop, a phone on its side, a phone, 4K: width and height in px."""


async def test_the_whole_board_fits_every_screen(browser: Browser, address: str) -> None:
    """Nothing of the board or its controls lies outside the window, and each card that can be tapped is big enough."""
    person = await DoublePlayer.arrive(browser, address)
    await person.create(str(WON))
    await person.ready()
    _, words = steady_game(WON, WON_BY)
    for moves, word in enumerate(words[:LONG_COLUMNS], 1):
        await person.by_keys(word)
        await person.sees_moves(moves)
    for width, height in SCREENS:
        await person.page.set_viewport_size({"width": width, "height": height})
        assert await person.overflow() <= 0
        for part in ("fd-double", ".tally", ".under .actions"):
            left, top, right, bottom = await person.edges(part)
            assert left >= 0
            assert top >= 0
            assert right <= width
            assert bottom <= height
        _, _, _, felt = await person.edges("fd-double")
        _, _, _, lowest = await person.edges("fd-double .column .card")
        assert lowest <= felt
        assert await person.smallest("fd-double .column button:last-child") >= TARGET_PX
    assert person.complaints == []


async def test_who_joins_by_link_says_a_name_there(browser: Browser, address: str) -> None:
    """A guest who came by a link sets a name in the waiting room; the others see it, and the seat is kept."""
    host = await DoublePlayer.arrive(browser, address)
    race = await host.create("DS1-D1N-AAAAAAB", people=2)
    guest = await DoublePlayer.arrive(browser, address)
    await guest.open(f"/r/{race}")
    await guest.page.locator("[name=player_name]").fill("Zsófi")
    await guest.page.locator("[name=player_name]").press("Enter")
    await guest.reads(".seat.own .who", "Zsófi")
    await expect(host.page.locator(".seat:not(.own) .who")).to_contain_text("Zsófi")
    await guest.page.locator("[data-command=ready]").click()
    await host.ready()
    await guest.cards_dealt()
    assert host.complaints == guest.complaints == []


async def test_the_page_of_a_code_shows_the_deal_and_its_best_results(browser: Browser, address: str) -> None:
    """After a race on a code its page shows the opening, face-down cards as such, and who did best."""
    person = await DoublePlayer.arrive(browser, address)
    await person.create("DS1-D1V-AAAAAAC")
    await person.ready()
    opening = await person.board()
    for _ in range(2):
        await person.page.locator("[data-command=done]").click()
    assert await person.standings() == [(1, 1, -104)]
    await person.page.locator(".heading h1 a").click()
    await person.cards_dealt()
    assert await person.board() == opening
    await person.reads("fd-code .standings", "-$104")
    assert person.complaints == []


async def test_spectators_see_double_solitaire_side_by_side(browser: Browser, address: str) -> None:
    """Two race, a third watches both boards as they go; face-down cards stay so."""
    first = await DoublePlayer.arrive(browser, address)
    race = await first.create("DS1-D1N-AAAAAAB", people=2)
    second = await DoublePlayer.arrive(browser, address)
    await second.open(f"/r/{race}")
    await expect(second.page.locator(".seat.own")).to_be_visible()
    await second.page.locator("[data-command=ready]").click()
    await first.ready()
    await second.cards_dealt()
    spectator = await DoublePlayer.arrive(browser, address)
    await spectator.open(f"/w/{race}")
    await expect(spectator.page.locator("figure fd-double")).to_have_count(2)
    for moves, word in enumerate(TO_AN_EMPTY_COLUMN.split(), 1):
        await first.by_keys(word)
        await first.sees_moves(moves)
    await second.by_keys("d")
    await second.sees_moves(1)
    for person in (first, second):
        seat = await person.seat()
        own = await person.board()
        await expect(spectator.page.locator(f"figure[data-seat='{seat}'] .stock")).to_have_attribute(
            "data-count", str(own.stock)
        )
        assert await spectator.board(seat) == own
    assert await spectator.overflow() <= 0
    assert first.complaints == second.complaints == spectator.complaints == []
