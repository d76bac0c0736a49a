"""Try a program out: everything that `fairdeal-bot` 1 asks of it, and what it does wrong."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

from msgspec import Struct

from bots.bench.arena import play_game
from bots.bench.deals import Deal, deal_of
from bots.bench.rows import Row
from bots.bench.suites import drawn_suite
from bots.conditions import Conditions
from bots.contender import Failed, Failure
from bots.external.bot import ExternalBot
from bots.external.messages import Greeting
from bots.external.program import LEAVES_S

__all__ = ["Finding", "checked"]

PATIENT: Final = Conditions(move_ms=1000, seed=1)
"""Slow is not wrong: how long moves took is told."""
SHORT: Final = Conditions(move_ms=1000, seed=1, max_ops=3)
GAMES: Final = {"GO": ("GO1-E", "GO1-C", "GO1-S", "GO1-EJ2X"), "DS": ("DS1-D1NO", "DS1-D3VO")}
"""Game → the rules under which it is tried."""
DEALS: Final = 3


class Unheard(Struct, frozen=True, tag="a message of a later version", tag_field="t"):
    """A kind of message that no program knows yet."""

    with_a: str = "key"


class Finding(Struct, frozen=True):
    """What was tried, whether it was as it should be, and what was seen."""

    tried: str
    ok: bool
    seen: str


def checked(command: Sequence[str]) -> Iterator[Finding]:
    """Try a program, step by step; where it cannot go on the findings end."""
    with ExternalBot(command, PATIENT) as bot:
        try:
            greeting = bot.start()
        except Failed as failed:
            yield Finding("hello", False, failed.detail)
            return
        yield Finding("hello", True, _introduced(greeting))
        for game in greeting.games:
            for rules in GAMES[game]:
                yield _games(bot, rules)
            yield from _seldom(bot, GAMES[game][0])
        yield _leaving("quit", bot, told=True)
        try:
            bot.start()
        except Failed as failed:
            yield Finding("another start", False, failed.detail)
            return
        yield _leaving("its input closes", bot, told=False)


def _introduced(greeting: Greeting) -> str:
    return f"{greeting.name} {greeting.version}, plays {' and '.join(greeting.games)}, {greeting.mode}"


def _games(bot: ExternalBot, rules: str) -> Finding:
    """Play some deals to their end."""
    tried = f"{DEALS} games of {rules}"
    rows = [play_game(bot, "", deal, PATIENT) for deal in _deals(rules)]
    fault = next((row for row in rows if _at_fault(row)), None)
    if fault is not None:
        return Finding(tried, False, f"after {fault.record}: {fault.reason}, {fault.detail}")
    won = sum(row.won for row in rows)
    slowest = max(row.slowest_ms for row in rows)
    memory = max(row.memory_mb for row in rows)
    return Finding(tried, True, f"{won} won, slowest move {slowest:.1f} ms, {memory:.0f} MB")


def _seldom(bot: ExternalBot, rules: str) -> Iterator[Finding]:
    """Try what happens seldom: a game that ends early, messages that are not known, the same game again."""
    first, *_ = _deals(rules)
    bot.conditions = SHORT
    play_game(bot, "", first, SHORT)
    bot.conditions = PATIENT
    starts = bot.starts
    after = play_game(bot, "", first, PATIENT)
    yield _borne("a game that ends early", after, bot.starts - starts)
    with suppress(Failed):
        bot.mention(Unheard())
    again = play_game(bot, "", first, PATIENT)
    yield _borne("a message of an unknown kind", again, bot.starts - starts)
    same = "the same moves" if again.record == after.record else "other moves, so its games cannot be played again"
    yield Finding("the same deal and seed twice", True, same)


def _borne(tried: str, row: Row, starts: int) -> Finding:
    """Say whether the next game was played, and by the same process."""
    if _at_fault(row):
        return Finding(tried, False, f"the next game, after {row.record}: {row.reason}, {row.detail}")
    if starts:
        return Finding(tried, False, "expected it to go on with the next game, found that it had to be started anew")
    return Finding(tried, True, "it went on with the next game")


def _leaving(tried: str, bot: ExternalBot, *, told: bool) -> Finding:
    if bot.leave(told=told):
        return Finding(tried, True, "it left by itself")
    return Finding(tried, False, f"expected it to leave within {LEAVES_S:g} s, found it still there")


def _deals(rules: str) -> list[Deal]:
    return [deal_of(code, PATIENT) for code in drawn_suite(rules, DEALS, 1).codes]


def _at_fault(row: Row) -> bool:
    return row.reason is not None and row.reason not in (Failure.MAX_OPS, Failure.CLOCK)
