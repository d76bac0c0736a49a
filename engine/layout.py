"""Lay-outs as text and as JSON: what `fairdeal deal` prints and `fairdeal code from` reads, however it was typed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.cards import Card, CardError, card_text, parse_cards, texts
from engine.codes import DEFAULT_GAMES, Code, CodeError, Rules, literal_code, parse_code, parse_game, shortened
from engine.deal import Deal
from engine.double.rules import DoubleRules
from engine.golf.rules import GolfRules
from engine.learning import learn

__all__ = ["LaidOut", "LayOutError", "parse_lay_out"]


class LayOutError(ValueError):
    """A text that is no lay-out: where (a line, or a key of the JSON), what was expected there, what was found."""

    def __init__(self, where: str, expected: str, found: str) -> None:
        self.where, self.expected, self.found = where, expected, found
        super().__init__(f"{where}: expected {expected}, found {found}")


class LaidOut(Struct, frozen=True):
    """A code and the cards that it deals."""

    code: Code
    deal: Deal

    def __str__(self) -> str:
        """Print the code and the lay-out; `parse_lay_out` reads it back, the code becoming a literal one."""
        return f"{self.code}\n{self.deal}"

    def as_json(self) -> dict[str, Any]:
        """Return the object that `fairdeal deal --json` prints."""
        return {
            "code": str(self.code),
            "game": self.code.game,
            "rules": str(self.code.rules),
            "columns": [texts(column) for column in self.deal.columns],
            "waste": texts(self.deal.waste),
            "stock": texts(self.deal.stock),
        }


class _Pile(Struct):
    """Cards as they were written, and where."""

    where: str
    cards: tuple[Card, ...]


class _Piles(Struct):
    """What was written: a header if there was one, columns by number, waste and stock."""

    columns: dict[int, _Pile]
    rules: Rules | None = None
    waste: _Pile | None = None
    stock: _Pile | None = None


def parse_lay_out(text: str) -> LaidOut:
    """Read a lay-out, as lines or as JSON, into its literal code and its deal. Raises LayOutError.

    Lines: an optional header (a code, or `GO1-C`), a line for each column from the covered card down, the waste's, the
    stock's in the order drawn. Labels (`1:`, `waste:`, `stock:`) may be left out; without a header Golf is read as
    Easy and Double Solitaire as D1N. After `#` a line is a comment.
    """
    text = text.removeprefix("\ufeff")
    piles = _from_json(text) if text.lstrip().startswith("{") else _Reader().read(text)
    rules = piles.rules or _rules_of(piles)
    deal = _shaped(piles, rules)
    _check_pack(piles, rules)
    return LaidOut(literal_code(rules, deal), deal)


_SUITS: Final = str.maketrans("♠♥♦♣♤♡♢♧", "SHDCSHDC", "\ufe0e\ufe0f")
"""Suits as signs → letters, without the selectors that make them text or emoji."""
_HEADER: Final = re.compile(r"[a-z]{2}\d|go\b|ds\b", re.IGNORECASE)
_HEADERS: Final = ("code", "game")
_WASTES: Final = ("waste", "discard", "dobópakli", "chồng bài bỏ")
_STOCKS: Final = ("stock", "húzópakli", "chồng bài rút")


class _Reader:
    """Reads lines one after the other; knows which pile a line without a label belongs to."""

    def __init__(self) -> None:
        self.piles = _Piles({})

    def read(self, text: str) -> _Piles:
        started = False
        for number, line in enumerate(text.splitlines(), 1):
            content = line.partition("#")[0].strip()
            if not content:
                continue
            where = f"line {number}"
            label, colon, rest = content.rpartition(":")
            label = label.strip().lower()
            if not started and (label in _HEADERS if colon else _HEADER.match(content)):
                self.piles.rules = _header(where, rest.strip())
            else:
                self._pile(where, label if colon else None, rest)
            started = True
        return self.piles

    def _pile(self, where: str, label: str | None, text: str) -> None:
        pile = _Pile(where, _cards(where, text))
        if label is None:
            self._unlabelled(pile)
        elif label.startswith(_WASTES):
            self._once(where, "waste", self.piles.waste)
            self.piles.waste = pile
        elif label.startswith(_STOCKS):
            self._once(where, "stock", self.piles.stock)
            self.piles.stock = pile
        elif found := re.search(r"\d{1,3}", label):
            number = int(found[0])
            self._once(where, f"column {number}", self.piles.columns.get(number))
            self.piles.columns[number] = pile
        else:
            raise LayOutError(where, "a column's number, waste or stock before the colon", shortened(label))

    def _once(self, where: str, name: str, before: _Pile | None) -> None:
        if before is not None:
            raise LayOutError(where, f"{name} once", f"it again after {before.where}")

    def _unlabelled(self, pile: _Pile) -> None:
        """Give a bare line to the next column, then the waste (one card), then the stock, which may go on."""
        piles = self.piles
        rules = piles.rules or (_rules_of(piles) if piles.columns else None)
        if piles.stock is not None:
            piles.stock = _Pile(piles.stock.where, piles.stock.cards + pile.cards)
        elif rules is None or len(piles.columns) < len(_heights(rules)):
            piles.columns[max(piles.columns, default=0) + 1] = pile
        elif piles.waste is None and len(pile.cards) == 1 and isinstance(rules, GolfRules):
            piles.waste = pile
        else:
            piles.stock = pile


def _cards(where: str, text: str) -> tuple[Card, ...]:
    try:
        return parse_cards(text.translate(_SUITS))
    except CardError as fault:
        raise LayOutError(where, "cards such as AS, 10H, KC or *1", shortened(fault.text)) from None


def _header(where: str, text: str) -> Rules:
    text = DEFAULT_GAMES.get(text.upper(), text)
    try:
        return parse_game(text)[2]
    except CodeError:
        try:
            return parse_code(text).rules
        except CodeError as fault:
            raise LayOutError(
                f"{where}, {fault.part.value} of the code", fault.expected, shortened(fault.found)
            ) from None


class _Json(Struct):
    """The object of `fairdeal deal --json`; piles may also be strings of cards."""

    columns: list[list[str] | str]
    waste: list[str] | str = ""
    stock: list[str] | str = ""
    code: str | None = None
    game: str | None = None
    rules: str | None = None


learn(_Json)


def _from_json(text: str) -> _Piles:
    try:
        written = msgspec.json.decode(text, type=_Json)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as fault:
        raise LayOutError("JSON", 'an object with "columns", "waste" and "stock", lists of cards', str(fault)) from None

    def pile(where: str, cards: list[str] | str) -> _Pile:
        return _Pile(where, _cards(where, cards if isinstance(cards, str) else " ".join(cards)))

    rules = None
    if written.code is not None:
        rules = _header("code", written.code)
    elif written.game is not None:
        rules = _header("game", f"{written.game}1-{written.rules}" if written.rules else written.game)
    return _Piles(
        {number: pile(f"columns[{number - 1}]", column) for number, column in enumerate(written.columns, 1)},
        rules,
        pile("waste", written.waste),
        pile("stock", written.stock),
    )


def _rules_of(piles: _Piles) -> Rules:
    """Infer the rules where no header names them: a first column of one card is Double Solitaire's."""
    first = piles.columns.get(1)
    if first is not None and len(first.cards) == 1:
        return DoubleRules()
    every = [*piles.columns.values(), *filter(None, (piles.waste, piles.stock))]
    jokers = {card for pile in every for card in pile.cards if card >= 52}
    return GolfRules("E", max(jokers, default=51) - 51, not (piles.waste and piles.waste.cards))


def _heights(rules: Rules) -> list[int]:
    """Return how many cards each column takes."""
    return [len(column) for column in rules.lay_out(rules.pack).columns]


def _shaped(piles: _Piles, rules: Rules) -> Deal:
    """Check how many cards each pile has, columns first."""
    model = rules.lay_out(rules.pack)
    columns = []
    for number, column in enumerate(model.columns, 1):
        found = piles.columns.get(number) or _Pile(f"column {number}", ())
        columns.append(_counted(found, f"column {number}", column))
    if extra := sorted(set(piles.columns) - set(range(1, len(columns) + 1))):
        raise LayOutError(piles.columns[extra[0]].where, f"columns 1 to {len(columns)}", f"column {extra[0]}")
    waste = _counted(piles.waste or _Pile("waste", ()), "waste", model.waste)
    return Deal(tuple(columns), waste, _counted(piles.stock or _Pile("stock", ()), "stock", model.stock))


def _counted(pile: _Pile, name: str, model: Sequence[Card]) -> tuple[Card, ...]:
    if len(pile.cards) != len(model):
        where = pile.where if pile.where == name else f"{pile.where}, {name}"
        raise LayOutError(where, _many(len(model)), str(len(pile.cards)))
    return pile.cards


def _many(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"


def _check_pack(piles: _Piles, rules: Rules) -> None:
    """Check that the cards are the pack's, naming those missing and those found too often with their lines."""
    every = [*piles.columns.values(), *filter(None, (piles.waste, piles.stock))]
    found = Counter(card for pile in every for card in pile.cards)
    pack = Counter(rules.pack)
    if found == pack:
        return
    extra = [f"{card_text(card)} {_times(found[card])} ({_places(card, every)})" for card in sorted(found - pack)]
    missing = texts(sorted((pack - found).elements()))
    where = _places(min(found - pack), every)
    raise LayOutError(where, f"the pack of {rules}: {', '.join(missing)} missing", ", ".join(extra))


def _places(card: Card, piles: Iterable[_Pile]) -> str:
    return " and ".join(pile.where for pile in piles if card in pile.cards)


def _times(n: int) -> str:
    return {1: "once", 2: "twice"}.get(n, f"{n} times")
