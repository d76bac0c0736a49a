"""The rules on the page: what they speak of can be played on, in every language, and stands where they say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from engine.record import parse_record
from engine.refusals import Reason
from engine.solo import Solo, deal_out
from tests.journeys.person import Person
from tests.needs import needs

WEB = Path(__file__).parents[2] / "server" / "web"
TEXTS = {tag: (WEB / "texts" / "rules" / f"{tag}.js").read_text(encoding="utf-8") for tag in ("en", "hu", "vi")}
EXAMPLE = re.compile(r"^  (\w+): \{ code: ([\w\"-]+), words: ([\w\" -]+) \},$", re.MULTILINE)
NAMED = re.compile(r'^const (\w+) = "([^"]*)";$', re.MULTILINE)


def examples() -> dict[str, Solo]:
    """Read the page's examples and play each to its position."""
    source = (WEB / "ui" / "rules" / "examples.js").read_text(encoding="utf-8")
    named = dict(NAMED.findall(source))
    found = {}
    for name, code, words in EXAMPLE.findall(source):
        record = parse_record(" ".join(named.get(part, part.strip('"')) for part in (code, words)))
        solo = deal_out(record.code)
        for word in record.words:
            outcome = solo.play(word)
            assert not isinstance(outcome, Reason), (name, word, outcome)
            solo = outcome.solo
        found[name] = solo
    return found


def test_the_examples_stand_where_the_rules_say() -> None:
    """The seeds' own positions of Golf; in Double Solitaire a column that takes only a king, and a second ace."""
    at = examples()
    opening, eights, move35 = (at[name].position() for name in ("opening", "eights", "move35"))
    assert (opening["waste"], opening["stock"], opening["legal"]) == (["AC"], 16, ["d"])
    assert (eights["waste"][-2:], eights["stock"], at["eights"].moves) == (["9C", "8C"], 15, 3)
    assert (move35["waste"][-1], move35["stock"], at["move35"].moves) == ("KC", 6, 34)
    assert move35["columns"] == [["6C", "5S"], ["2S"], ["10C", "AH"], ["3D"], ["JH"], ["10H", "4H"], ["3S", "7S"]]

    column, aces = at["column"], at["aces"]
    assert (column.position()["columns"][2], column.position()["waste"][-1]) == ([], "KH")
    assert [column.play(word) for word in ("t2-t3", "t7-t3x4", "t9-t3")] == [Reason.NOT_A_KING] * 3
    assert not isinstance(column.play("w-t3"), Reason)
    second = aces.play("t9-f")
    assert not isinstance(second, Reason)
    assert aces.position()["foundations"]["S"] == [1, 0]
    assert second.solo.position()["foundations"]["S"] == [1, 1]


@pytest.mark.parametrize("kind", ["id", "example", "heading"])
def test_the_rules_are_the_same_in_every_language(kind: str) -> None:
    """Each language has the same sections and examples in the same order; only their words differ."""
    said = {tag: re.findall(rf'\b{kind}: "([^"]+)"', text) for tag, text in TEXTS.items()}
    assert said["en"]
    if kind == "heading":
        assert len(said["en"]) == len(said["hu"]) == len(said["vi"])
        return
    assert said["en"] == said["hu"] == said["vi"]
    if kind == "example":
        assert set(said["en"]) == set(examples())


@pytest.mark.journey
@needs("chromium", "redis-server")
async def test_golf_is_played_on_from_move_35(browser: Browser, address: str) -> None:
    """A Hungarian on a phone plays move 35 and takes it back; what is refused is told under the board."""
    person = await Person.arrive(browser, address, "hu-HU", width=390)
    await person.open("/rules/golf")
    await person.reads("h1", "A Golf szabályai")
    assert await person.overflow() <= 0
    example = person.page.locator("[data-example=move35]")
    await example.locator("button", has_text="Játék innen tovább").click()
    await expect(person.page.locator("[data-example=move35][data-state=ready]")).to_be_visible()
    await example.locator("[data-card='6C']").click(position={"x": 8, "y": 8})
    await expect(example.locator(".words")).to_have_text("Ez a lap blokkolva van")
    await example.locator("[data-card='AH']").click()
    await expect(example.locator("[data-tally=moves]")).to_have_text("35")
    await example.locator("button", has_text="Visszavonás").click()
    await expect(example.locator("[data-tally=score]")).to_have_text("240")
    assert await person.overflow() <= 0
    assert person.complaints == []


@pytest.mark.journey
@needs("chromium", "redis-server")
async def test_an_empty_column_takes_a_king_and_a_second_ace_its_place(browser: Browser, address: str) -> None:
    """Keys reach the example that has the focus alone, a king gets what another card is refused, the ace its place."""
    person = await Person.arrive(browser, address, "vi-VN")
    await person.open("/rules/double")
    column, aces = (person.page.locator(f"[data-example={name}]") for name in ("column", "aces"))
    for example in (column, aces):
        await example.locator("p button").click()
        await expect(example.locator(".tally")).to_be_visible()
    await column.locator("[data-card='3S']").focus()
    await person.play("2 3")
    await expect(column.locator(".words")).to_have_text("Cột trống chỉ nhận vua.")
    await person.play("w 3")
    await expect(column.locator("[data-tally=moves]")).to_have_text("10")
    await aces.locator(".columns [data-card='AS']").click()
    await expect(aces.locator("[data-tally=moves]")).to_have_text("2")
    await expect(column.locator("[data-tally=moves]")).to_have_text("10")
    assert person.complaints == []
