"""What is measured: the variants of the games, each with the solver that decides its deals."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from msgspec import Struct

from bots.solver.double.klondike import decided
from bots.solver.double.verdict import solve_double
from bots.solver.golf.search import Limits
from bots.solver.verdict import solve_golf
from engine.codes import OPEN_LETTERS, Code, deal, number_letters
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules

__all__ = ["VARIANTS", "Limits", "Variant", "VerdictWord"]

VerdictWord = Literal["winnable", "unwinnable", "unknown"]


class Published(Struct, frozen=True):
    """A rate of winnable deals found by others: in percent, from `value - reach` to `value + reach`."""

    value: float
    reach: float
    source: str


class Variant(Struct, frozen=True):
    """A game under rules, with a solver: whoever adds one adds it to `VARIANTS`."""

    name: str
    """The first parts of a code, `GO1-C`, where the engine knows the game."""
    says: str
    """What it is, in a few words."""
    decide: Callable[[int, Limits], VerdictWord]
    """Decide the deal of that number within limits; the same number is the same deal for ever."""
    solver: str
    """Which solver it is: results of another are not added to."""
    limits: Limits = Limits()
    """What the solver may spend on a deal, unless told otherwise."""
    published: Published | None = None

    def deal_code(self, number: int) -> str:
        """Name the deal of that number, for people who want to check it."""
        return f"{self.name}-{number_letters(number, OPEN_LETTERS)}"


def golf(rules: GolfRules, number: int, limits: Limits) -> VerdictWord:
    """Decide a deal of Golf; a win counts when the engine has replayed it."""
    cards = deal(Code("GO", 1, rules, number_letters(number, OPEN_LETTERS)))
    return solve_golf(rules, cards.columns, cards.waste, cards.stock, limits, want="win").verdict


def double(rules: DoubleRules, number: int, limits: Limits) -> VerdictWord:
    """Decide a deal of Double Solitaire; a win counts when the engine has replayed it."""
    code = Code("DS", 1, rules, number_letters(number, OPEN_LETTERS))
    return solve_double(DoubleBoard.start(rules, deal(code)), limits).verdict


LETTERS: Final = {"E": "Easy", "C": "Classic", "S": "Strict"}
BLAKE_AND_GENT: Final = "Blake and Gent, The Winnability of Klondike Solitaire and Many Other Patience Games"
PUBLISHED: Final = {
    "GO1-E": Published(92.92, 0.25, "an earlier trial on 100,000 deals"),
    "GO1-C": Published(45.109, 0.17, BLAKE_AND_GENT),
}


def _golf_variant(rules: GolfRules) -> Variant:
    jokers = ("", ", one joker", ", two jokers")[rules.jokers]
    return Variant(
        name=f"GO1-{rules}",
        says=f"Golf, {LETTERS[rules.letter]}{jokers}{', empty waste' if rules.empty_waste else ''}",
        decide=partial(golf, rules),
        solver="golf 2",
        published=PUBLISHED.get(f"GO1-{rules}"),
    )


_GOLF = [
    _golf_variant(GolfRules(letter, jokers, empty_waste))  # type: ignore[arg-type]
    for letter in LETTERS
    for empty_waste in (False, True)
    for jokers in range(3)
]


def _double_variant(rules: DoubleRules) -> Variant:
    cards = "one card a draw" if rules.draw == 1 else "three cards a draw"
    return Variant(
        name=f"DS1-{rules}",
        says=f"Double Solitaire, {cards}, {'any number of rounds' if rules.scoring == 'N' else 'one round'}",
        decide=partial(double, rules),
        solver="double 2",
        limits=Limits(nodes=1_000_000 if rules.scoring == "N" else 100_000),
    )


_DOUBLE = [_double_variant(DoubleRules(draw, scoring)) for scoring in ("N", "V") for draw in (1, 3)]


def _klondike_variant(draw: int, rate: float, reach: float) -> Variant:
    name = f"one-pack-d{draw}"
    return Variant(
        name=name,
        says=f"Klondike, one pack, {'one card' if draw == 1 else 'three cards'} a draw: to check the solver",
        decide=partial(decided, name),
        solver="double 2",
        limits=Limits(nodes=30_000),
        published=Published(rate, reach, BLAKE_AND_GENT),
    )


_KLONDIKE = [_klondike_variant(1, 90.480, 0), _klondike_variant(3, 81.945, 0)]

VARIANTS: Final[dict[str, Variant]] = {variant.name: variant for variant in [*_GOLF, *_DOUBLE, *_KLONDIKE]}
"""Every variant, in the order of the tables, by its name."""
