"""What the terminal shows of a race: seats in numbers before the end, boards where they may be seen, then standings."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from bots.client import Following
from engine.codes import parse_code
from engine.solo import deal_out
from engine.wire.outbound import MySeat, SeatView, Snap
from server.commands.screen import board_panel, race_screen, standings_table

STANDING = {
    "rank": 1, "seat": 2, "name": "[solver]", "kind": "bot", "status": "won", "score": 350, "moves": 47,
    "cleared": 35, "time_ms": 61_500,
}  # fmt: skip


def shown(part: Any) -> str:
    console = Console(file=io.StringIO(), width=100)
    console.print(part)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def board(code: str) -> dict[str, Any]:
    return deal_out(parse_code(code)).position()


async def followed(**chosen: Any) -> Following:
    race = Following("r", "watch")
    seats = (
        SeatView(1, "ann", "Ann [Lee]", "person", "playing", True, False, 3, score=30, moves=4),
        SeatView(2, "bot", "solver", "bot", "seated", False, True, 0),
    )
    race.take(Snap("r", 5, "h", {"game": "GO1-E", "goal": "score"}, "live", seats, "watch", 0, **chosen))
    return race


async def test_seats_are_shown_in_numbers() -> None:
    """Who is there, who has gone, which bot warms up, how far each is; names are text, not mark-up."""
    text = shown(race_screen(await followed()))
    assert "Ann [Lee]" in text
    assert "playing, away" in text
    assert "warming up" in text
    assert " 30 " in text


async def test_ones_own_board_is_shown() -> None:
    """A seat's own board stands beside the numbers."""
    text = shown(race_screen(await followed(my=MySeat(1, 0, "playing", board("GO1-E-AAAAAAB")))))
    assert "10♠" in text
    assert "stock 16   score 0   moves 0" in text


async def test_standings_take_the_place_of_numbers() -> None:
    """At the end the screen has who came where."""
    text = shown(race_screen(await followed(standings=(STANDING,))))
    assert "warming up" not in text
    assert "1." in text
    assert "61.5 s" in text


def test_names_in_standings_are_text() -> None:
    """A name in brackets is a name."""
    assert "[solver]" in shown(standings_table([STANDING]))


@pytest.mark.parametrize(
    ("code", "cards"),
    [("GO1-E-AAAAAAB", ["6♣", "10♠", "A♣"]), ("DS1-D3N-AAAAAAB", ["4♦", "--", "foundations ♠ 0 0"])],
)
def test_boards_of_both_games_are_shown(code: str, cards: list[str]) -> None:
    """Columns, waste and stock, face-down cards and foundations where there are any."""
    text = shown(board_panel("Ann", board(code)))
    for card in cards:
        assert card in text
