"""Records: a code and its moves in one line, `GO1-E-AAAAAAB d 5 2`, and the game that they lead to (notation.md)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from msgspec import Struct

from engine.cards import Turned
from engine.codes import Code, parse_code
from engine.game import GAMES, Game
from engine.refusals import Reason
from engine.solo import Solo, UndoPolicy, deal_out
from engine.texts import DEFAULT_LANGUAGE, text_of

__all__ = ["Position", "Record", "Refusal", "canonical_word", "parse_record", "position_after", "positions", "replay"]


class Record(Struct, frozen=True):
    """A code and the words played on it, all canonical."""

    code: Code
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the line; the inverse of `parse_record`."""
        return " ".join([str(self.code), *self.words])


class Refusal(Struct, frozen=True):
    """A word of a record that was refused: its index from 0 among the words, and why."""

    index: int
    move: str
    reason: Reason

    def told(self, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
        """Return the refusal as `fairdeal apply` lists it, its message in a language of `engine.texts`."""
        return {
            "index": self.index,
            "move": self.move,
            "reason": self.reason.value,
            "message": text_of(self.reason, language),
        }


class Position(Struct, frozen=True, omit_defaults=True):
    """Where a record stands after its `n`-th word, as a player sees it; 0 is the deal.

    `board` is that of the protocol, `m` the word, `turned` what it turned face up; `refused`: why it did nothing.
    """

    n: int
    board: dict[str, Any]
    turned: list[Turned]
    m: str | None = None
    refused: Reason | None = None


def canonical_word(game: Game, word: str) -> str:
    """Return the one way to write a word, whatever the position; a word that is no move stays as it is."""
    if word in game.canonical:
        return word
    move = game.parse(word)
    return word if move is None else str(move)


def parse_record(line: str) -> Record:
    """Read a code without spaces, then words. Raises CodeError."""
    first, *words = line.split() or [""]
    code = parse_code(first)
    game = GAMES[code.game]
    return Record(code, tuple(canonical_word(game, word) for word in words))


def replay(record: Record) -> tuple[Solo, list[Refusal]]:
    """Play a record from its deal on; a refused word changes nothing, the rest is played."""
    solo = deal_out(record.code)
    refusals: list[Refusal] = []
    for index, word in enumerate(record.words):
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            refusals.append(Refusal(index, word, outcome))
        else:
            solo = outcome.solo
    return solo, refusals


def positions(record: Record, first: int, last: int, undo: UndoPolicy = UndoPolicy.FREE) -> list[Position]:
    """Return the positions after the words from `first` to `last`, as far as the record goes."""
    return list(islice(_positions(record, first, undo), max(0, last + 1 - first)))


def _positions(record: Record, first: int, undo: UndoPolicy) -> Iterator[Position]:
    solo = deal_out(record.code, undo)
    if first <= 0:
        yield Position(0, solo.position(), [])
    for n, word in enumerate(record.words, 1):
        outcome = solo.play(word)
        if isinstance(outcome, Reason):
            if n >= first:
                yield Position(n, solo.position(), [], word, outcome)
            continue
        solo = outcome.solo
        if n >= first:
            yield Position(n, solo.position(), outcome.turned, word)


def position_after(record: Record, language: str = DEFAULT_LANGUAGE) -> dict[str, Any]:
    """Return the position that a record leads to, with its code and its refusals, as `fairdeal apply` prints it."""
    solo, refusals = replay(record)
    return {
        "code": str(record.code),
        **solo.position(revealed=True),
        "refusals": [refusal.told(language) for refusal in refusals],
    }
