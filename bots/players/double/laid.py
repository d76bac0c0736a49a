"""What a seat sees, laid out for play-outs, and their plans as words: nothing goes in that the sight does not hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from msgspec import Struct

from bots.players.double.sight import UNSEEN, Sight
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.packed import card_at
from bots.solver.double.playouts.playtable import Ints, Table
from engine.cards import SUITS, Card, is_red, pack, rank_of, suit_of
from engine.double.board import DoubleBoard
from engine.double.rules import COLUMNS, DoubleRules
from engine.double.score import POINTS

__all__ = ["NUMBER", "Within", "board_of", "lay_out", "limit", "run_of", "way_to", "words_of"]

NUMBER: Final = tuple(rank_of(card) | is_red(card) << 4 | (suit_of(card) > 1) << 5 for card in pack())
"""Card → as play-outs write it."""
_SUIT: Final = (0, 1, 3, 2)
"""Suit as play-outs number it → ♠♥♦♣ = 0..3."""


class Within(Struct, frozen=True):
    """How many positions a plan is looked for in: without a recycle, with one, and more widely."""

    in_round: int
    next_round: int
    widely: int


def limit(table: Table, within: Within) -> None:
    """Let plans be looked for so wide from now on."""
    mark = table.mark
    mark[at.IN_ROUND], mark[at.NEXT_ROUND], mark[at.WIDELY] = within.in_round, within.next_round, within.widely


def run_of(cards: Sequence[int]) -> int:
    """Write the face-up cards of a column, the free one last, as one number; 0 when there are none."""
    if not cards:
        return 0
    suits = sum((NUMBER[card] >> 5) << under for under, card in enumerate(reversed(cards)))
    return len(cards) | (NUMBER[cards[-1]] & at.CLASS) << 4 | suits << 9


def lay_out(table: Table, sight: Sight, rules: DoubleRules) -> int:
    """Make what a seat sees the root; returns how many cards it has not seen: those in `unseen`."""
    mark, root, points = table.mark, table.root, POINTS[rules.scoring]
    talon = sight.waste + sight.stock
    known = [NUMBER[card] for card in talon if card != UNSEEN]
    unseen = Counter(dict.fromkeys(NUMBER, 2))
    unseen.subtract(known)
    root[:] = 0
    for c, cards in enumerate(sight.columns):
        root[c] = run_of(cards)
        unseen.subtract(NUMBER[card] for card in cards)
    for suit in range(4):
        heights = sorted(sight.foundations[2 * _SUIT[suit] : 2 * _SUIT[suit] + 2])
        root[at.UP] |= (heights[1] | heights[0] << 4) << 8 * suit
        for height in heights:
            unseen.subtract(suit << 4 | rank for rank in range(1, height + 1))
    hidden = list(unseen.elements())
    root[at.TALON], root[at.TURNED] = (1 << len(talon)) - 1, len(sight.waste)
    root[at.SCORE] = sight.score
    table.dealt[: len(known)] = known
    table.unseen[: len(hidden)] = hidden
    table.root_down[:] = sight.down
    mark[at.TURNS], mark[at.RECYCLES] = rules.draw, rules.scoring == "N"
    mark[at.WIDTH], mark[at.ONE_PACK], mark[at.GATHERS] = COLUMNS, 0, rules.scoring == "V"
    mark[at.AT_ONCE] = 0
    mark[at.PAYS_UP], mark[at.PAYS_DOWN], mark[at.PAYS_TURN] = points.put_up, points.waste_to_column, points.turned_up
    mark[at.DEALT], mark[at.KNOWN], mark[at.COVERED] = len(talon), len(known), sum(sight.down)
    return len(hidden)


def board_of(sight: Sight, rules: DoubleRules, hidden: Iterable[int] = ()) -> DoubleBoard:
    """Return the board that a seat sees, given the cards that lie face down, column by column; the stock is known."""
    covered = iter(hidden)
    return DoubleBoard(
        rules=rules,
        columns=tuple(
            tuple(map(Card, (*islice(covered, down), *run)))
            for run, down in zip(sight.columns, sight.down, strict=True)
        ),
        down=sight.down,
        waste=tuple(map(Card, sight.waste)),
        stock=tuple(map(Card, sight.stock)),
        foundations=sight.foundations,
        score=sight.score,
    )


def way_to(table: Table, start: int) -> list[tuple[Ints, int]]:
    """Read the plan that leads to a start: each of its steps with the position that it is made in.

    To be read before anything else is searched for.
    """
    end = 3 * int(table.starts[at.ROW * start + at.ENTRY])
    node, step = int(table.ends[end + 1]), int(table.ends[end + 2])
    way = []
    while True:
        row = table.nodes[at.ROW * node : at.ROW * (node + 1)].copy()
        way.append((row, step))
        entry = int(row[at.ENTRY])
        if entry < 0:
            return way[::-1]
        node, step = int(table.parents[entry]), int(table.steps[entry])


def words_of(way: Iterable[tuple[Ints, int]], sight: Sight, turns: int) -> list[str]:
    """Write a plan's steps in the words of the notation."""
    words: list[str] = []
    heights, talon = list(sight.foundations), sight.waste + sight.stock
    for row, step in way:
        kind, source, target, cards = step & 7, step >> 3 & 63, (step >> 9 & 15) + 1, step >> 13 & 15
        if kind in (at.TALON_UP, at.TALON_DOWN):
            words += _draws(row, step, turns)
        match kind:
            case at.COLUMN_UP:
                _put_up(heights, card_at(int(row[source]), 0))
                words.append(f"t{source + 1}-f")
            case at.RUN:
                words.append(f"t{source + 1}-t{target}" + (f"x{cards}" if cards > 1 else ""))
            case at.TALON_UP:
                _put_up(heights, NUMBER[talon[source]])
                words.append("w-f")
            case at.TALON_DOWN:
                words.append(f"w-t{target}")
            case at.TAKEN_BACK:
                row_of, rank = 2 * _SUIT[source >> 4], source & 15
                place = row_of if heights[row_of] == rank else row_of + 1
                heights[place] -= 1
                words.append(f"f{SUITS[row_of // 2]}{'' if place == row_of else '2'}-t{target}")
    return words


def _draws(row: Ints, step: int, turns: int) -> list[str]:
    """Return the draws, and the recycle among them, that bring a card of the talon to the top."""
    draws, recycled = step >> 17 & 127, step >> 24 & 1
    if not recycled:
        return ["d"] * draws
    stock = (int(row[at.TALON]) >> int(row[at.TURNED])).bit_count()
    before = -(-stock // turns)
    return ["d"] * before + ["r"] + ["d"] * (draws - before)


def _put_up(heights: list[int], number: int) -> None:
    """Put a card on the first place of its suit that takes it."""
    first, below = 2 * _SUIT[number >> 4], (number & 15) - 1
    heights[first if heights[first] == below else first + 1] += 1
