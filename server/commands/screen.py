"""A race on the terminal: its seats in numbers, the boards that may be seen, its standings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from bots.client import Following

__all__ = ["board_panel", "race_screen", "standings_table"]

WASTE_SHOWN: Final = 6
"""Cards of the waste that are shown, from the playable one back."""
RED: Final = frozenset("HD")
SUITS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


def race_screen(race: Following) -> RenderableType:
    """Show a race as it is followed: before its start the seats, then the boards too, at the end the standings."""
    parts: list[RenderableType] = [_heading(race)]
    if race.standings is not None:
        parts.append(standings_table(race.standings))
    else:
        parts.append(_seats_table(race))
    boards = dict(race.boards)
    if race.seat is not None and race.board is not None:
        boards[race.seat] = race.board
    panels = [board_panel(race.seats[seat].name, boards[seat]) for seat in sorted(boards) if seat in race.seats]
    if panels:
        parts.append(Columns(panels))
    return Group(*parts)


def standings_table(standings: Sequence[Mapping[str, Any]]) -> Table:
    """Show standings, as protocol and log have them, from first to last."""
    table = Table(*("", "seat", "name", "kind", "status", "score", "moves", "cleared", "time"), box=None)
    for row in standings:
        table.add_row(
            f"{row['rank']}.",
            str(row["seat"]),
            Text(str(row["name"])),
            str(row["kind"]),
            str(row["status"]),
            str(row["score"]),
            str(row["moves"]),
            str(row["cleared"]),
            f"{row['time_ms'] / 1000:.1f} s",
        )
    return table


def board_panel(title: str, board: Mapping[str, Any]) -> Panel:
    """Show a board (notation.md): its columns side by side, waste and stock, the numbers."""
    columns: Sequence[Sequence[str]] = board["columns"]
    lines = [Text("  ".join(f"{number:>3}" for number in range(1, len(columns) + 1)), style="dim")]
    for row in range(max((len(column) for column in columns), default=0)):
        cells = [_card(column[row]) if row < len(column) else Text("   ") for column in columns]
        lines.append(Text("  ").join(cells))
    if "foundations" in board:
        heights = (
            f"{SUITS[suit]} {' '.join(str(height) for height in heights)}"
            for suit, heights in board["foundations"].items()
        )
        lines += [Text(), Text(f"foundations {'   '.join(heights)}")]
    waste = board["waste"][-WASTE_SHOWN:]
    lines += [Text(), Text.assemble("waste ", *(part for card in waste for part in (_card(card), " ")))]
    lines += [Text(f"stock {board['stock']}   score {board['score_text']}   moves {board['moves']}")]
    return Panel(Group(*lines), title=Text(title), subtitle=board["status"], expand=False)


def _heading(race: Following) -> Text:
    card = race.card or {}
    name = f"  {card['name']}" if "name" in card else ""
    return Text(
        f"{card.get('code') or card.get('game', '')}  {card.get('goal', '')}  {race.status}{name}", style="bold"
    )


def _seats_table(race: Following) -> Table:
    table = Table(*("seat", "name", "kind", "status", "score", "moves", "cleared"), box=None)
    for number in sorted(race.seats):
        seat = race.seats[number]
        waiting = seat.kind == "bot" and seat.status == "seated"
        table.add_row(
            str(number),
            Text(seat.name),
            seat.kind,
            "warming up" if waiting else seat.status if seat.present else f"{seat.status}, away",
            "" if seat.score is None else str(seat.score),
            "" if seat.moves is None else str(seat.moves),
            str(seat.cleared),
        )
    return table


def _card(card: str) -> Text:
    shown = card[:-1] + SUITS.get(card[-1], card[-1])
    return Text(f"{shown:>3}", style="red" if card[-1] in RED else "")
