"""What the steady player considers doing: steps with what they cost in its eyes, and those that are worth a plan."""

from __future__ import annotations

from collections import Counter
from typing import Final, NamedTuple

from msgspec import Struct

from bots.players.double.position import Position, place_for, put_up, safe, stops
from bots.players.double.sight import KING, RANK, STRAND
from engine.cards import SUITS

__all__ = ["Considered", "Step", "Steps", "Weights"]

_SLOT: Final = tuple(2 * rank + strand for rank, strand in zip(RANK, STRAND, strict=True))
"""Card → rank and strand in one number: a card goes onto one whose slot is higher by two."""
_CHAIN: Final = 2
"""How many ranks above a card that is looked for a stock card may be, to be played on the way to it."""


class Weights(Struct, frozen=True):
    """What steps cost, to be compared with each other only; found by trials on the suites' first hundred deals."""

    run: float = 10.0
    """A whole run moved."""
    part: float = 12.0
    """A part of a run moved, to free a card that goes up."""
    put_up: float = 0.5
    """A card put up; one that is never missed costs nothing."""
    taken_back: float = 25.0
    to_column: float = 12.0
    """A stock card played onto a column, on top of the draws to it."""
    to_foundation: float = 14.0
    """More than onto a column, from where it can still go up and has paid 5 on the way."""
    draw: float = 10.0
    turned_none: float = 20.0
    """A plan that ends with a stock card played, not with a card turned up."""
    taken_place: float = 10.0
    """A stock card on the last column that a column with face-down cards could have moved to."""
    given_place: float = 5.0
    """Off, for a stock card that such a column could move to."""
    buried: float = 4.0
    """Off, for each card that lies face down where one is turned up."""


class Step(NamedTuple):
    """A step: its cost, its words, the position after it."""

    cost: float
    words: tuple[str, ...]
    after: Position


class Considered(NamedTuple):
    """The steps of a position that lead on, and those that end a plan."""

    on: list[Step]
    ends: list[Step]


class _Places(NamedTuple):
    """Where cards can go: columns by the slot of their end, the first empty one, slots looked for by runs."""

    ends: dict[int, list[int]]
    empty: tuple[int, ...]
    wanted: Counter[int]

    def taking(self, card: int) -> list[int] | tuple[int, ...]:
        return self.empty if RANK[card] == KING else self.ends.get(_SLOT[card] + 2, ())


class Steps:
    """Considers positions that have the same cards face down; `recycle` is what one costs, None where there is none.

    `narrow` leaves out stock cards and take-backs that help no column with face-down cards, as steps on the way.
    """

    def __init__(self, down: tuple[int, ...], draw: int, recycle: float | None, *, narrow: bool) -> None:
        self._down, self._draw, self._recycle, self._narrow = down, draw, recycle, narrow
        self._weights = Weights()

    def of(self, at: Position) -> Considered:
        """Return what can be done in a position."""
        found = Considered([], [])
        forced = self._safe(at)
        if forced is not None:
            found.on.append(forced)
            return found
        places = self._places(at)
        for number, run in enumerate(at.columns):
            if run:
                self._put_up(at, number, run, found)
                self._move(at, number, run, places, found)
        reached = self._play(at, places, found)
        self._take_back(at, places, reached, found)
        return found

    def _safe(self, at: Position) -> Step | None:
        """Return the putting up of a card that is never missed and turns none up: all else can be done after it."""
        for number, run in enumerate(at.columns):
            if run and (len(run) > 1 or not self._down[number]):
                place = place_for(run[-1], at.foundations)
                if place is not None and safe(run[-1], at.foundations):
                    return Step(0.0, (f"t{number + 1}-f",), _without_end(at, number, place))
        return None

    def _places(self, at: Position) -> _Places:
        ends: dict[int, list[int]] = {}
        empty: tuple[int, ...] = ()
        wanted: Counter[int] = Counter()
        for number, (run, down) in enumerate(zip(at.columns, self._down, strict=True)):
            if run:
                ends.setdefault(_SLOT[run[-1]], []).append(number)
                if down:
                    wanted[_SLOT[run[0]] + 2] += 1
            elif not empty:
                empty = (number,)
        return _Places(ends, empty, wanted)

    def _put_up(self, at: Position, number: int, run: tuple[int, ...], found: Considered) -> None:
        place = place_for(run[-1], at.foundations)
        if place is None:
            return
        step = Step(self._weights.put_up, (f"t{number + 1}-f",), _without_end(at, number, place))
        self._add(found, number, step, whole=len(run) == 1)

    def _move(self, at: Position, number: int, run: tuple[int, ...], places: _Places, found: Considered) -> None:
        # A king's run on an empty column's ground gains nothing elsewhere.
        if self._down[number] or RANK[run[0]] != KING:
            for target in places.taking(run[0]):
                self._add(found, number, self._moved(at, number, target, 0), whole=True)
        # Moved in part, a run leaves an end just like the one it goes to: that helps only the card it frees.
        for first in range(1, len(run)):
            if place_for(run[first - 1], at.foundations) is not None:
                for target in places.taking(run[first]):
                    self._add(found, number, self._moved(at, number, target, first), whole=False)

    def _moved(self, at: Position, number: int, target: int, first: int) -> Step:
        run = at.columns[number]
        columns = list(at.columns)
        columns[number], columns[target] = run[:first], columns[target] + run[first:]
        cards = len(run) - first
        word = f"t{number + 1}-t{target + 1}" + (f"x{cards}" if cards > 1 else "")
        cost = self._weights.part if first else self._weights.run
        return Step(cost, (word,), at._replace(columns=tuple(columns)))

    def _add(self, found: Considered, number: int, step: Step, *, whole: bool) -> None:
        """Add a step that takes cards off a column: a whole run off face-down cards turns one up."""
        down = self._down[number]
        if whole and down:
            found.ends.append(step._replace(cost=step.cost - self._weights.buried * down))
        else:
            found.on.append(step)

    def _play(self, at: Position, places: _Places, found: Considered) -> set[int]:
        """Add the plays of stock cards; returns the slots of the places that cards within reach would need."""
        weights = self._weights
        of_use = {slot + 2 * ranks for slot in places.wanted for ranks in range(_CHAIN + 1)}
        cards: set[int] = set()
        for stop in stops(at, self._draw, self._recycle is not None):
            card = at.talon[stop.drawn - 1]
            if card in cards:  # An equal card is nearer.
                continue
            cards.add(card)
            cost = weights.draw * stop.draws + (self._recycle or 0.0) * stop.recycled
            talon = at.talon[: stop.drawn - 1] + at.talon[stop.drawn :]
            place = place_for(card, at.foundations)
            if place is not None:
                after = Position(at.columns, put_up(at.foundations, place), talon, stop.drawn - 1)
                step = Step(cost + weights.to_foundation, (*stop.words, "w-f"), after)
                found.on.append(step)
                found.ends.append(step._replace(cost=step.cost + weights.turned_none))
            takers = places.taking(card)
            ending = weights.turned_none + self._place_changed(card, places, len(takers))
            for target in takers:
                after = Position(_put_on(at, target, card), at.foundations, talon, stop.drawn - 1)
                step = Step(cost + weights.to_column, (*stop.words, f"w-t{target + 1}"), after)
                if not self._narrow or _SLOT[card] in of_use:
                    found.on.append(step)
                found.ends.append(step._replace(cost=step.cost + ending))
        return {_SLOT[card] + 2 for card in cards}

    def _place_changed(self, card: int, places: _Places, takers: int) -> float:
        taken = places.wanted[_SLOT[card] + 2] >= takers
        given = _SLOT[card] in places.wanted
        return self._weights.taken_place * taken - self._weights.given_place * given

    def _take_back(self, at: Position, places: _Places, reached: set[int], found: Considered) -> None:
        for place, height in enumerate(at.foundations):
            # Aces have nothing to hold, and of two equal tops one is enough.
            if height < 2 or (place % 2 and at.foundations[place - 1] == height):
                continue
            card = place // 2 * 13 + height - 1
            if _SLOT[card] not in places.wanted and (self._narrow or _SLOT[card] not in reached):
                continue
            foundations = (*at.foundations[:place], height - 1, *at.foundations[place + 1 :])
            source = f"f{SUITS[place // 2]}{'2' if place % 2 else ''}"
            for target in places.taking(card):
                after = Position(_put_on(at, target, card), foundations, at.talon, at.drawn)
                found.on.append(Step(self._weights.taken_back, (f"{source}-t{target + 1}",), after))


def _without_end(at: Position, number: int, place: int) -> Position:
    columns = (*at.columns[:number], at.columns[number][:-1], *at.columns[number + 1 :])
    return Position(columns, put_up(at.foundations, place), at.talon, at.drawn)


def _put_on(at: Position, target: int, card: int) -> tuple[tuple[int, ...], ...]:
    return (*at.columns[:target], (*at.columns[target], card), *at.columns[target + 1 :])
