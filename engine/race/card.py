"""The race card: what a race is played for and under which terms (protocol.md, "Race card")."""

from __future__ import annotations

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from engine.codes import SEALED_LETTERS, Rules, parse_code, parse_game
from engine.double.rules import DoubleRules
from engine.game import GAMES
from engine.learning import learn
from engine.misfit import misfit
from engine.names import shown_name
from engine.solo import UndoPolicy

__all__ = [
    "GHOST",
    "MAX_SEATS",
    "MAX_TIME_LIMIT_S",
    "AskedCard",
    "BotWish",
    "Ghost",
    "Goal",
    "RaceCard",
    "RaceCardError",
    "StartRule",
    "Watch",
    "ghost_of",
    "raced_under",
    "read_card",
]

MAX_SEATS: Final = 100
MAX_TIME_LIMIT_S: Final = 24 * 3600
NAME_LENGTH: Final = 80
MIN_PACE: Final = 0.01
"""A move in a hundred seconds: slower ones would only wait for the time limit."""
GHOST: Final = "ghost:"
"""What the name of a bot begins with that plays a stored run: `ghost:RACE:SEAT`."""
_GHOST: Final = re.compile(rf"{GHOST}([a-z2-7]{{26}}):([1-9][0-9]{{0,2}})")


class Goal(StrEnum):
    """What wins: the first clear, the score, the fewest moves of those that cleared, the fewest cards left."""

    FIRST = "first"
    SCORE = "score"
    MOVES = "moves"
    STROKES = "strokes"


class StartRule(StrEnum):
    """Whether the last ready or the creator starts the race."""

    ALL_READY = "all_ready"
    HOST = "host"


class Watch(StrEnum):
    """What spectators see while the race runs."""

    BOARDS = "boards"
    NUMBERS = "numbers"
    OFF = "off"


class BotWish(Struct, frozen=True):
    """A seat to be taken by a bot of the roster, or by a ghost; `pace` in moves per second."""

    bot: Annotated[str, Meta(min_length=1, max_length=64)]
    pace: Annotated[float, Meta(ge=MIN_PACE, le=1000)] | None = None


class Ghost(Struct, frozen=True):
    """A run to race against: what a seat of a race that is over played, at the times at which it did."""

    race: str
    seat: int

    def __str__(self) -> str:
        """Return the name under which a bot is asked for to play it; the inverse of `ghost_of`."""
        return f"{GHOST}{self.race}:{self.seat}"


def ghost_of(bot: str) -> Ghost | None:
    """Return the run that a bot of this name plays; None when it is no ghost."""
    named = _GHOST.fullmatch(bot)
    return None if named is None else Ghost(named[1], int(named[2]))


class RaceCard(Struct, frozen=True, omit_defaults=False):
    """The terms of a race. `game` (`GO1-C`) is always there; `code` only when the deal is named in the open."""

    game: str
    code: str | None = None
    seats: int = 2
    goal: Goal = Goal.SCORE
    time_limit_s: int = 600
    undo: UndoPolicy = UndoPolicy.FREE
    sealed: bool = False
    rated: bool = False
    winnable: bool = False
    listed: bool = True
    bots: tuple[BotWish, ...] = ()
    start: StartRule = StartRule.ALL_READY
    watch: Watch = Watch.BOARDS
    delay_s: int = 0
    series: int = 1
    name: str | None = None

    @property
    def rules(self) -> Rules:
        """The rules that the card's game names."""
        return parse_game(self.game)[2]


class RaceCardError(ValueError):
    """A race card that cannot be offered; `field` is the key at fault."""

    def __init__(self, field: str, message: str) -> None:
        self.field = field
        super().__init__(f"{field}: {message}")


class AskedBot(BotWish, frozen=True):
    """A bot as it is asked for: a ghost names its run by race and seat."""

    race: Annotated[str, Meta(max_length=64)] | None = None
    seat: int | None = None


class AskedCard(Struct, frozen=True):
    """A race card as it is asked for: defaults are filled in by the game and by what else is asked."""

    game: Annotated[str, Meta(max_length=64)] | None = None
    code: Annotated[str, Meta(max_length=200)] | None = None
    seats: Annotated[int, Meta(ge=1, le=MAX_SEATS)] = 2
    goal: Goal = Goal.SCORE
    time_limit_s: Annotated[int, Meta(ge=1, le=MAX_TIME_LIMIT_S)] | None = None
    undo: UndoPolicy = UndoPolicy.FREE
    sealed: bool = False
    rated: bool = False
    winnable: bool = False
    listed: bool = True
    bots: Annotated[tuple[AskedBot, ...], Meta(max_length=MAX_SEATS)] = ()
    start: StartRule = StartRule.ALL_READY
    watch: Watch | None = None
    delay_s: Annotated[int, Meta(ge=0, le=3600)] = 0
    series: Annotated[int, Meta(ge=1, le=9)] = 1
    name: Annotated[str, Meta(max_length=NAME_LENGTH)] | None = None


learn(AskedCard)


def read_card(asked: Mapping[str, Any]) -> RaceCard:
    """Read the race card that a caller asks for and fill in its defaults; unknown keys are ignored.

    Raises RaceCardError, and CodeError where game or code cannot be read.
    """
    try:
        card = msgspec.convert(asked, AskedCard)
    except msgspec.ValidationError as error:
        field, detail = misfit(error, AskedCard)
        raise RaceCardError(field or "card", detail) from error
    game, code = _game_and_code(card)
    if len(card.bots) > card.seats:
        raise RaceCardError("bots", f"expected at most as many bots as seats ({card.seats}), found {len(card.bots)}")
    if card.rated:
        raise RaceCardError("rated", "rated races are paired by the server, they cannot be created")
    if card.winnable and code is not None:
        raise RaceCardError("winnable", "a deal that is named is as it is: give `game` alone")
    return RaceCard(
        game=game,
        code=code,
        seats=card.seats,
        goal=card.goal,
        time_limit_s=card.time_limit_s or GAMES[game[:2]].time_limit_s,
        undo=card.undo,
        sealed=card.sealed,
        winnable=card.winnable,
        listed=card.listed,
        bots=_bots(card),
        start=card.start,
        watch=card.watch or (Watch.NUMBERS if card.sealed else Watch.BOARDS),
        delay_s=card.delay_s,
        series=card.series,
        name=shown_name(card.name or "", NAME_LENGTH) or None,
    )


def _bots(card: AskedCard) -> tuple[BotWish, ...]:
    """Return the bots asked for, ghosts among them by their name. Raises RaceCardError."""
    wishes = []
    for asked in card.bots:
        name = asked.bot
        if name == GHOST.rstrip(":"):
            name = str(Ghost(asked.race or "", asked.seat or 0))
        if name.startswith(GHOST):
            if ghost_of(name) is None:
                raise RaceCardError("bots", "expected a ghost's run: the `race` that is over and the `seat` in it")
            if asked.pace is not None or card.series > 1:
                raise RaceCardError("bots", "a ghost has its own pace and its one deal: leave out `pace` and `series`")
        wishes.append(BotWish(name, asked.pace))
    return tuple(wishes)


def _game_and_code(card: AskedCard) -> tuple[str, str | None]:
    if card.code is None:
        if card.game is None:
            raise RaceCardError("game", "expected a game such as GO1-E, or a code such as GO1-E-AAAAAAB")
        game, version, rules = parse_game(card.game)
        if version != 1:
            raise RaceCardError("game", f"expected {game}1 with its rules, found {card.game}")
        return f"{game}{version}-{raced_under(rules, card.goal)}", None
    if card.sealed or card.rated:
        raise RaceCardError("code", "a deal named in the open can be neither sealed nor rated: give `game` alone")
    code = parse_code(card.code)
    if len(code.number) == SEALED_LETTERS:
        raise RaceCardError("code", "expected 7 letters or a literal code: 26 letters are for sealed deals")
    code = replace(code, rules=raced_under(code.rules, card.goal))
    if card.game is not None:
        game, version, rules = parse_game(card.game)
        if (game, version, raced_under(rules, card.goal)) != (code.game, code.version, code.rules):
            raise RaceCardError("game", f"expected the game of the code, {code.game}{code.version}-{code.rules}")
    return f"{code.game}{code.version}-{code.rules}", str(code)


def raced_under(rules: Rules, goal: Goal) -> Rules:
    """Return the rules that a race is played with: Double Solitaire by score always with the option `O`.

    Without it a card pays each time it is put up, so that a score could be raised without end. The cards of a code
    are the same with it, so a code without it is read as the one that has it.
    """
    return replace(rules, once=True) if isinstance(rules, DoubleRules) and goal is Goal.SCORE else rules
