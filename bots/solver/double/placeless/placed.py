"""Give the moves of the game without places their places again: as `places/play.py` writes them, column by column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bots.solver.double.placeless import play as placeless
from bots.solver.double.places import play as places
from bots.solver.double.position import RANK_BITS, Position, Setting, colour_of

__all__ = ["placed"]

RANKS: Final = (1 << RANK_BITS) - 1


def placed(position: Position, setting: Setting, path: Iterable[int]) -> tuple[int, ...]:
    """Return the moves that a path without places stands for, with those between that make room for them."""
    ground = _Ground(position, setting)
    return tuple(move for step in path for move in ground.moves(step))


class _Ground:
    """Columns as they lie, each with how many of its cards are face down, and the reserve."""

    def __init__(self, position: Position, setting: Setting) -> None:
        self.king = setting.ranks
        self.columns = [list(column) for column in position.columns]
        self.down = list(position.down)
        self.reserve = list(position.reserve)

    def moves(self, step: int) -> Iterator[int]:
        """Make one step, and yield the moves that it takes."""
        kind, source = step & 15, step >> 4 & 255
        match kind:
            case placeless.BASE_UP:
                yield from self._bared(source, self.down[source])
                yield places.COLUMN_UP | source << 4
                self._lift(source, 1)
            case placeless.LOOSE_UP:
                c, at = self._loose(source)
                yield from self._bared(c, at)
                yield places.COLUMN_UP | c << 4
                self._lift(c, 1)
            case placeless.REVEAL:
                yield self._moved(source, self.down[source])
            case placeless.RESERVE_UP:
                yield places.RESERVE_UP | source << 4
                self.reserve.pop(source - 1)
            case placeless.RESERVE_DOWN:
                card = self.reserve.pop(source - 1)
                yield places.RESERVE_DOWN | source << 4 | self._laid(card) << 12
            case _:
                yield places.TAKEN_BACK | source << 4 | self._laid(source) << 12

    def _bared(self, c: int, at: int) -> Iterator[int]:
        """Move what lies on a card to another like it."""
        if at + 1 < len(self.columns[c]):
            yield self._moved(c, at + 1)

    def _moved(self, c: int, at: int) -> int:
        column = self.columns[c]
        target, cards = self._host(column[at]), len(column) - at
        self.columns[target] += self._lift(c, cards)
        return places.RUN | c << 4 | target << 12 | cards << 16

    def _laid(self, card: int) -> int:
        target = self._host(card)
        self.columns[target].append(card)
        return target

    def _lift(self, c: int, cards: int) -> list[int]:
        """Take a column's last cards away, and turn up the one below."""
        column = self.columns[c]
        lifted = column[-cards:]
        del column[-cards:]
        if column and len(column) == self.down[c]:
            self.down[c] -= 1
        return lifted

    def _host(self, card: int) -> int:
        """Find a column that takes a card."""
        for c, column in enumerate(self.columns):
            if not column and card & RANKS == self.king:
                return c
            if column and column[-1] & RANKS == (card & RANKS) + 1 and colour_of(column[-1]) != colour_of(card):
                return c
        raise AssertionError("the game without places has counted a place that is not there")

    def _loose(self, card: int) -> tuple[int, int]:
        """Find a card that is no base, best of all at a column's end: its column and place."""
        places = [
            (c, at)
            for c, column in enumerate(self.columns)
            for at in range(self.down[c], len(column))
            if column[at] == card and (at > self.down[c] or (at == 0 and card & RANKS == self.king))
        ]
        return min(places, key=lambda place: len(self.columns[place[0]]) - place[1])
