"""The 200 deals whose answers two independent programs agree on."""

import json
from pathlib import Path
from typing import Any

from bots.solver.golf.position import Position, Switches
from engine.cards import parse_cards, rank_of

DATA = json.loads((Path(__file__).parent / "golf_oracle_200.json").read_text())

RULES = {
    "easy": Switches(wrap=True, on_king=True, draw_waits=False),
    "classic": Switches(wrap=False, on_king=True, draw_waits=False),
    "strict": Switches(wrap=False, on_king=False, draw_waits=False),
}


def ranks(text: str) -> tuple[int, ...]:
    return tuple(rank_of(card) for card in parse_cards(text))


def position(deal: dict[str, Any]) -> Position:
    return Position(
        columns=tuple(ranks(column) for column in deal["columns"]),
        waste=ranks(deal["waste"])[0],
        stock=ranks(deal["stock"]),
    )


DEALS = [(deal, position(deal)) for deal in DATA["deals"]]
