"""What is measured: the variants of the games, each with the solver that decides its deals or the player of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from msgspec import Struct

from bots.bench.arena import Job, play_job
from bots.bench.contestant import contestant
from bots.bench.deals import deal_of
from bots.conditions import Conditions
from bots.player import Goal
from bots.players.double.klondike import wins
from bots.solver.double.klondike import decided
from bots.solver.double.verdict import solve_double
from bots.solver.golf.search import Limits
from bots.solver.verdict import solve_golf
from engine.codes import OPEN_LETTERS, Code, deal, number_letters
from engine.double.board import DoubleBoard
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules

__all__ = ["PLAYS_OUT", "VARIANTS", "Decided", "Limits", "Variant"]


class Decided(Struct, frozen=True):
    """What came of a deal."""

    verdict: Literal["winnable", "unwinnable", "unknown", "won", "lost"]
    """The last two are of a game that was played, the others of a deal whose cards were all known."""
    score: int | None = None
    """Of a game played, its score; of a deal under Vegas scoring, how many cards were found to go up."""
    bound: int | None = None
    """With that: how many cards can go up at most."""


class Published(Struct, frozen=True):
    """A rate of deals won found by others: in percent, from `value - reach` to `value + reach`."""

    value: float
    reach: float
    source: str


class Variant(Struct, frozen=True):
    """A game under rules, with a solver or a player: whoever adds one adds it to `VARIANTS`."""

    game: str
    """The first parts of a code, `GO1-C`, where the engine knows the game."""
    says: str
    """What it is, in a few words."""
    decide: Callable[[int, Limits], Decided]
    """Decide the deal of that number within limits; the same number is the same deal for ever."""
    solver: str
    """Which solver it is: results of another are not added to."""
    limits: Limits = Limits()
    """What the solver may spend on a deal, a player on a decision, unless told otherwise."""
    published: Published | None = None
    player: str | None = None
    """Who plays, seeing what a seat sees; None where every card is known."""

    @property
    def name(self) -> str:
        """What it is measured as: the game's name, followed by the player's if there is one."""
        return self.game if self.player is None else f"{self.game}-{self.player}"

    def deal_code(self, number: int) -> str:
        """Name the deal of that number, for people who want to check it."""
        return f"{self.game}-{number_letters(number, OPEN_LETTERS)}"


def golf(rules: GolfRules, number: int, limits: Limits) -> Decided:
    """Decide a deal of Golf; a win counts when the engine has replayed it."""
    cards = deal(Code("GO", 1, rules, number_letters(number, OPEN_LETTERS)))
    return Decided(solve_golf(rules, cards.columns, cards.waste, cards.stock, limits, want="win").verdict)


def double(rules: DoubleRules, number: int, limits: Limits) -> Decided:
    """Decide a deal of Double Solitaire; a win counts when the engine has replayed it."""
    code = Code("DS", 1, rules, number_letters(number, OPEN_LETTERS))
    board = DoubleBoard.start(rules, deal(code))
    found = solve_double(board, limits)
    if rules.scoring == "N":
        return Decided(found.verdict)
    return Decided(found.verdict, found.best.placed, found.bound)


def klondike(name: str, number: int, limits: Limits) -> Decided:
    """Decide a deal of Klondike."""
    return Decided(decided(name, number, limits))


def played(game: str, player: str, goal: Goal, number: int, limits: Limits) -> Decided:
    """Let a player of the roster play a deal: it is given the views of a seat, and the same chance for a deal."""
    conditions = Conditions(goal=goal, nodes=limits.nodes)
    code = f"{game}-{number_letters(number, OPEN_LETTERS)}"
    (row,) = play_job(Job(contestant(player, conditions), conditions, (deal_of(code, conditions),))).rows
    return Decided("won" if row.won else "lost", row.score)


LETTERS: Final = {"E": "Easy", "C": "Classic", "S": "Strict"}
BLAKE_AND_GENT: Final = "Blake and Gent, The Winnability of Klondike Solitaire and Many Other Patience Games"
PUBLISHED: Final = {
    "GO1-E": Published(92.92, 0.25, "an earlier trial on 100,000 deals"),
    "GO1-C": Published(45.109, 0.17, BLAKE_AND_GENT),
}


def _golf_variant(rules: GolfRules) -> Variant:
    return Variant(
        game=f"GO1-{rules}",
        says=_golf_says(rules),
        decide=partial(golf, rules),
        solver="golf 2",
        published=PUBLISHED.get(f"GO1-{rules}"),
    )


def _golf_says(rules: GolfRules) -> str:
    jokers = ("", ", one joker", ", two jokers")[rules.jokers]
    return f"Golf, {LETTERS[rules.letter]}{jokers}{', empty waste' if rules.empty_waste else ''}"


_GOLF = [
    _golf_variant(GolfRules(letter, jokers, empty_waste))  # type: ignore[arg-type]
    for letter in LETTERS
    for empty_waste in (False, True)
    for jokers in range(3)
]


def _double_variant(rules: DoubleRules) -> Variant:
    return Variant(
        game=f"DS1-{rules}",
        says=_double_says(rules),
        decide=partial(double, rules),
        solver="double 2" if rules.scoring == "N" else "widely 1",
        limits=Limits(nodes=1_000_000),
    )


def _double_says(rules: DoubleRules) -> str:
    cards = "one card a draw" if rules.draw == 1 else "three cards a draw"
    return f"Double Solitaire, {cards}, {'any number of rounds' if rules.scoring == 'N' else 'one round'}"


_DOUBLE = [_double_variant(DoubleRules(draw, scoring)) for scoring in ("N", "V") for draw in (1, 3)]


def _klondike_variant(draw: int, rate: float) -> Variant:
    game = f"one-pack-d{draw}"
    return Variant(
        game=game,
        says=f"Klondike, one pack, {'one card' if draw == 1 else 'three cards'} a draw: to check the solver",
        decide=partial(klondike, game),
        solver="placeless 1 and double 2",
        limits=Limits(nodes=1_000_000),
        published=Published(rate, 0, BLAKE_AND_GENT),
    )


_KLONDIKE = [_klondike_variant(1, 90.480), _klondike_variant(3, 81.945)]

PLAYS_OUT: Final = "solver"
PLAYERS: Final = {PLAYS_OUT: 1, "steady": 1, "greedy": 1}
"""Players that are measured, the strongest first; their versions: results of another are not added to."""
DOUBLE_PLAYERS: Final = PLAYERS | {PLAYS_OUT: 2}
"""In Double Solitaire."""
WINS: Final[Goal] = "first"
DOLLARS: Final[Goal] = "score"
GOLF_NODES: Final = 200
DOUBLE_NODES: Final = 12
VEGAS_NODES: Final = {1: 1000, 3: 4000}
KLONDIKE_NODES: Final = 400
"""Games that the solver may play out for a decision, under Vegas scoring by cards a draw: from a tenth of a second to
two a game. Other players take no account of it."""


def _played_variant(rules: GolfRules | DoubleRules, player: str) -> Variant:
    if isinstance(rules, GolfRules):
        game, says, goal, nodes, versions = f"GO1-{rules}", _golf_says(rules), WINS, GOLF_NODES, PLAYERS
    else:
        # Dollars are all that counts under Vegas scoring; elsewhere it is wins that are compared.
        goal, nodes = (WINS, DOUBLE_NODES) if rules.scoring == "N" else (DOLLARS, VEGAS_NODES[rules.draw])
        game, says, versions = f"DS1-{rules}", _double_says(rules), DOUBLE_PLAYERS
    return Variant(
        game=game,
        says=says,
        decide=partial(played, game, player, goal),
        solver=f"{player} {versions[player]}",
        limits=Limits(nodes=nodes),
        player=player,
    )


def played_klondike(game: str, number: int, limits: Limits) -> Decided:
    """Play a deal of Klondike as the solver plays Double Solitaire."""
    return Decided("won" if wins(game, number, limits.nodes or KLONDIKE_NODES) else "lost")


_PLAYED_RULES: Final[tuple[GolfRules | DoubleRules, ...]] = (
    GolfRules("E"),
    GolfRules("C"),
    GolfRules("S"),
    *(DoubleRules(draw, scoring, once=scoring == "V") for scoring in ("N", "V") for draw in (1, 3)),
)
"""Dollars are counted once for a card, as in races: else taking back and putting up again would be a living."""
_PLAYED = [
    *(_played_variant(rules, player) for rules in _PLAYED_RULES for player in PLAYERS),
    Variant(
        game="one-pack-d3",
        says="Klondike, one pack, three cards a draw: to check the method",
        decide=partial(played_klondike, "one-pack-d3"),
        solver="klondike 2",
        limits=Limits(nodes=KLONDIKE_NODES),
        published=Published(44.52, 0.50, "lonelybot, 38,884 games; before it Ensemble-UCT, 36.97 % at 2,281 s a game"),
        player=PLAYS_OUT,
    ),
]

VARIANTS: Final[dict[str, Variant]] = {variant.name: variant for variant in [*_GOLF, *_DOUBLE, *_KLONDIKE, *_PLAYED]}
"""Every variant, in the order of the tables, by its name."""
