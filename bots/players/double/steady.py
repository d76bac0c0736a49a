"""The steady player of Double Solitaire: it looks a few moves ahead, as far as it knows the cards."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import count
from typing import Any, Final, NamedTuple

from bots.player import DONE, Budget, Choice, Seat
from bots.players.double.position import Position, place_for, position_of, put_up
from bots.players.double.sight import UNSEEN, Sight, look
from bots.players.double.steps import Steps
from engine.double.rules import DoubleRules
from engine.double.score import POINTS, RECYCLED

IN_THIS_ROUND: Final = 200
"""Positions looked at for a plan without a recycle; then as many as NEXT_ROUND with one, then WIDELY."""
NEXT_ROUND: Final = 120
WIDELY: Final = 300
RECYCLE: Final = 10.0
"""What a recycle weighs as a step by itself; each point that it costs adds PER_POINT."""
PER_POINT: Final = 0.5


class _Node(NamedTuple):
    position: Position
    parent: _Node | None
    words: tuple[str, ...]


class SteadyDouble:
    """Plans up to the next card turned up or stock card played, the cheapest such plan it finds; never loops.

    Every plan leaves fewer cards face down or fewer in stock and waste, so a game ends after some eighty of them.
    Cards go up only where that serves a plan or nothing else is left. Under Normal scoring it first looks through the
    whole stock: nothing is lost, since a recycle at a score of 0 costs nothing.
    """

    def __init__(self, seat: Seat) -> None:
        assert isinstance(seat.rules, DoubleRules)
        self._rules, self._for_score = seat.rules, seat.goal == "score"
        self._plan: list[str] = []

    def choose(self, view: Mapping[str, Any], budget: Budget) -> Choice:
        """Follow the plan, or make one; put up what is left when there is none, then settle."""
        sight = look(view)
        nodes = None
        if not self._plan or self._plan[0] not in sight.legal:
            self._plan, nodes = self._decide(sight)
        return Choice(self._plan.pop(0), nodes=nodes)

    def _decide(self, sight: Sight) -> tuple[list[str], int | None]:
        if not sight.legal:
            return [DONE], None
        unseen = bool(sight.stock) and sight.stock[-1] == UNSEEN
        if self._rules.scoring == "N":
            if unseen:
                return ["d"], None
            if sight.score == 0 and "r" in sight.legal:
                return ["r"], None
        plan, nodes = self._plan_for(sight, unseen)
        if plan and "r" in plan and not self._recycle_pays(sight):
            plan = None
        if plan:
            return plan, nodes
        if unseen:
            return ["d"], nodes
        return [next((word for word in sight.legal if word.endswith("-f")), DONE)], nodes

    def _plan_for(self, sight: Sight, unseen: bool) -> tuple[list[str] | None, int]:
        down, draw = sight.down, self._rules.draw
        at = position_of(sight)
        plan, nodes = cheapest(at, Steps(down, draw, None, narrow=True), IN_THIS_ROUND)
        if plan or unseen:
            return plan, nodes
        recycle = RECYCLE + PER_POINT * min(RECYCLED, sight.score) if self._rules.scoring == "N" else None
        for narrow, limit in ((True, NEXT_ROUND), (False, WIDELY)):
            plan, more = cheapest(at, Steps(down, draw, recycle, narrow=narrow), limit)
            nodes += more
            if plan:
                break
        return plan, nodes

    def _recycle_pays(self, sight: Sight) -> bool:
        """Tell whether all that can still be won after a recycle is more than it costs, where the score counts."""
        if not self._for_score:
            return True
        points = POINTS[self._rules.scoring]
        talon = len(sight.waste) + len(sight.stock)
        later = 104 - sum(sight.foundations) - goes_up_now(position_of(sight))
        most = points.put_up * later + points.turned_up * sum(sight.down) + points.waste_to_column * talon
        return most > min(RECYCLED, sight.score)


def cheapest(start: Position, steps: Steps, limit: int) -> tuple[list[str] | None, int]:
    """Return the words of the cheapest plan found within so many positions, and how many were looked at."""
    order = count()
    open_: list[tuple[float, int, _Node]] = [(0.0, next(order), _Node(start, None, ()))]
    seen: set[Position] = set()
    best: _Node | None = None
    best_cost = float("inf")
    while open_ and len(seen) < limit:
        cost, _, node = heappop(open_)
        if node.position in seen:
            continue
        if cost >= best_cost:
            break
        seen.add(node.position)
        considered = steps.of(node.position)
        for step in considered.ends:
            if cost + step.cost < best_cost:
                best, best_cost = _Node(step.after, node, step.words), cost + step.cost
        for step in considered.on:
            if step.after not in seen:
                heappush(open_, (cost + step.cost, next(order), _Node(step.after, node, step.words)))
    return (_words(best) if best else None), len(seen)


def _words(node: _Node) -> list[str]:
    parts: list[tuple[str, ...]] = []
    at: _Node | None = node
    while at is not None:
        parts.append(at.words)
        at = at.parent
    return [word for words in reversed(parts) for word in words]


def goes_up_now(at: Position) -> int:
    """Count the cards of columns and waste that can go up one after the other, without a draw or another move."""
    piles = [list(run) for run in at.columns] + [list(at.talon[: at.drawn])]
    foundations, gone = at.foundations, 0
    while True:
        free = ((pile, place_for(pile[-1], foundations)) for pile in piles if pile)
        found = next(((pile, place) for pile, place in free if place is not None), None)
        if found is None:
            return gone
        pile, place = found
        pile.pop()
        foundations, gone = put_up(foundations, place), gone + 1
