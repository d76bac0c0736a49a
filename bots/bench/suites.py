"""Suites: named lists of codes, versioned, each with a hash that says whether two runs had the same deals."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from importlib.resources import files
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from bots.bench.deals import raced
from bots.bench.faults import RunRefused
from bots.player import Goal
from engine.codes import DEFAULT_GAMES, OPEN_LETTERS, CodeError, number_letters, parse_game

__all__ = ["RANDOM_DEALS", "SUITES", "Suite", "drawn_codes", "drawn_suite", "read_suite", "suite"]

RANDOM_DEALS: Final = 100
"""Deals that are drawn where a game is named in place of a suite, and no number."""
_FOLDER: Final = files("bots.bench") / "suites"
SUITES: Final = tuple(
    sorted(file.name.removesuffix(".txt") for file in _FOLDER.iterdir() if file.name.endswith(".txt"))
)
"""The names of the suites that come with the bench."""


class Suite(Struct, frozen=True):
    """A list of deals, all of one game; `best` has, where it is known, the best settled score of each."""

    name: str
    version: str
    codes: tuple[str, ...]
    best: tuple[int | None, ...] = ()

    @property
    def game(self) -> str:
        """The letters of its game."""
        return self.codes[0][:2]

    @property
    def hash(self) -> str:
        """The first 12 hex digits of the SHA-256 of its codes, one a line."""
        return hashlib.sha256("".join(f"{code}\n" for code in self.codes).encode()).hexdigest()[:12]

    def first(self, deals: int | None) -> Suite:
        """Return the suite of the first deals only; None: all. Raises RunRefused where it has fewer."""
        if deals is None:
            return self
        if deals > len(self.codes):
            raise RunRefused(f"expected at most the {len(self.codes)} deals of {self.name}, found {deals}")
        return Suite(self.name, self.version, self.codes[:deals], self.best[:deals])


def suite(text: str, *, deals: int | None = None, seed: int = 0, goal: Goal = "score") -> Suite:
    """Return a suite by name, from a file of codes, or drawn for a game such as `GO1-C`. Raises RunRefused."""
    if text in SUITES:
        return read_suite(text, (_FOLDER / f"{text}.txt").read_text("utf-8"), goal).first(deals)
    file = Path(text)
    if file.is_file():
        return read_suite(file.name, file.read_text("utf-8-sig", errors="replace"), goal).first(deals)
    try:
        game = parse_game(DEFAULT_GAMES.get(text.strip().upper(), text))
    except CodeError:
        raise RunRefused(
            f"expected a suite ({', '.join(SUITES)}), a file of codes or a game such as GO1-C, found {text!r}"
        ) from None
    if game[1] == 0:
        raise RunRefused(f"expected a game of version 1, since a number of version 0 is one deal only, found {text}")
    return drawn_suite(f"{game[0]}1-{game[2]}", RANDOM_DEALS if deals is None else deals, seed, goal)


def drawn_suite(game: str, deals: int, seed: int, goal: Goal = "score") -> Suite:
    """Draw some codes of a game (`GO1-C`), the same ones for a seed."""
    return Suite(game, f"drawn with seed {seed}", tuple(islice(drawn_codes(game, seed, goal), deals)), (None,) * deals)


def drawn_codes(game: str, seed: int, goal: Goal = "score") -> Iterator[str]:
    """Draw codes of a game without end."""
    chance = Random(f"fairdeal:{seed}")
    while True:
        yield str(raced(f"{game}-{number_letters(chance.getrandbits(5 * OPEN_LETTERS), OPEN_LETTERS)}", goal))


def read_suite(name: str, text: str, goal: Goal = "score") -> Suite:
    """Read codes, one a line, each followed by its best score where that is known. Raises RunRefused.

    A line that begins with `#` is a comment; `# version N` names the suite's version.
    """
    version = ""
    deals: dict[str, int | None] = {}
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if words[:2] == ["#", "version"]:
            version = " ".join(words[2:])
        if not words or words[0].startswith("#"):
            continue
        code, best = _deal(words, f"{name}, line {number}", goal)
        if code in deals:
            raise RunRefused(f"{name}, line {number}: expected each deal once, found {code} again")
        deals[code] = best
    _check_game(name, deals)
    return Suite(name, version, tuple(deals), tuple(deals.values()))


def _deal(words: list[str], where: str, goal: Goal) -> tuple[str, int | None]:
    *letters, last = words
    best = int(last) if letters and last.lstrip("-").isdecimal() and len(last.lstrip("-")) <= 4 else None
    try:
        return str(raced(" ".join(words if best is None else letters), goal)), best
    except CodeError as fault:
        raise RunRefused(f"{where}: {fault}") from fault


def _check_game(name: str, codes: Iterable[str]) -> None:
    games = sorted({code.split("-")[0][:2] for code in codes})
    if len(games) != 1:
        raise RunRefused(f"expected deals of one game in {name}, found {' and '.join(games) or 'none'}")
