"""Double Solitaire's players between random and solver: short plans, overlooked moves, a poor memory, like people."""

from __future__ import annotations

from typing import Final
from zlib import crc32

from bots.levels import DoubleLevel
from bots.player import DONE, Seat
from bots.players.attention import chance, overlooked, slip
from bots.players.double.position import Position, position_of
from bots.players.double.sight import Sight
from bots.players.double.steady import RECYCLE, SteadyDouble, cheapest
from bots.players.double.steps import Considered, Step, Steps

__all__ = ["LevelDouble"]


NOTHING: Final = -105
"""Less than any score, or any way that a game has come (`Sight.advance`)."""


class Noticed(Steps):
    """Steps as a player sees them that overlooks some and misjudges others, alike each time it looks."""

    def __init__(
        self, sight: Sight, draw: int, recycle: float | None, level: DoubleLevel, seed: int, *, narrow: bool
    ) -> None:
        super().__init__(sight.down, draw, recycle, narrow=narrow)
        self._level, self._seed, self._advance = level, seed, sight.advance

    def of(self, at: Position) -> Considered:
        """Return what it notices in a position."""
        found = super().of(at)
        return Considered(
            [step for step in found.on if self._notices(step)],
            [self._judged(step) for step in found.ends if self._notices(step)],
        )

    def _notices(self, step: Step) -> bool:
        word = step.words[-1]
        return not overlooked(self._level.overlooks, distance(word), self._roll(word, 0))

    def _judged(self, step: Step) -> Step:
        return step._replace(cost=step.cost + self._level.misjudges * slip(self._roll(step.words[-1], 1)))

    def _roll(self, word: str, about: int) -> float:
        return chance(self._seed, self._advance, crc32(word.encode()), about)


def distance(word: str) -> int:
    """Return how many columns lie between the two that a word names; the waste and the foundations are seen at once."""
    columns = [int(pile[1]) for pile in word.partition("x")[0].split("-") if pile[0] == "t"]
    return abs(columns[0] - columns[-1]) if len(columns) == 2 else 0


class LevelDouble(SteadyDouble):
    """Plans as the steady player does, with what it notices; without a plan it goes through the stock."""

    def __init__(self, seat: Seat, level: DoubleLevel) -> None:
        super().__init__(seat)
        self._level, self._seed = level, seat.seed
        self._rounds, self._before = 0, NOTHING

    def _decide(self, sight: Sight) -> tuple[list[str], int | None]:
        if not sight.legal:
            return [DONE], None
        at = position_of(sight) if self._level.remembers else _in_sight(sight)
        plan, nodes = self._best(sight, at, None)
        if plan is None and "d" in sight.legal:
            return ["d"], nodes
        if plan is None and "r" in sight.legal and self._goes_round(sight):
            for narrow in (True, False) if self._level.remembers else ():
                plan, more = self._best(sight, at, RECYCLE, narrow=narrow)
                nodes += more
                if plan:
                    break
            return plan or ["r"], nodes
        return plan or [next((word for word in sight.legal if word.endswith("-f")), DONE)], nodes

    def _best(
        self, sight: Sight, at: Position, recycle: float | None, *, narrow: bool = True
    ) -> tuple[list[str] | None, int]:
        steps = Noticed(sight, self._rules.draw, recycle, self._level, self._seed, narrow=narrow)
        return cheapest(at, steps, self._level.positions)

    def _goes_round(self, sight: Sight) -> bool:
        """Tell whether another round may bring something: as long as one of the last has, what it cost included."""
        came_to = sight.score if self._for_score else sight.advance
        self._rounds = 0 if came_to > self._before else self._rounds + 1
        self._before = came_to
        return self._rounds < self._level.patience and (not self._level.remembers or self._recycle_pays(sight))


def _in_sight(sight: Sight) -> Position:
    return Position(sight.columns, sight.foundations, sight.waste, len(sight.waste))
