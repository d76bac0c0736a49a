"""Who races whom: pairing as a value, its laws, and the terms of the races that come of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.codes import CodeError
from engine.race.card import Goal, Watch
from engine.race.matching import Pool, Terms, Ticket, card_of, kept_of, may_meet, pairs, pool_asked_for, window
from engine.solo import UndoPolicy

NOW = 1_700_000_000_000
TERMS = Terms(window=100, widen_per_s=10, bot_after_ms=20_000)
OPEN, RATED = Pool("GO1-E", Goal.SCORE, False), Pool("GO1-E", Goal.SCORE, True)


def ticket(player: str, waited_s: float = 0, rating: int = 1500, pool: Pool = OPEN, **more: Any) -> Ticket:
    fields: dict[str, Any] = {"kind": "person", "engine": None, "address": player} | more
    return Ticket(player, player.title(), pool=pool, rating=rating, since=NOW - round(waited_s * 1000), **fields)


tickets = st.builds(
    ticket,
    player=st.sampled_from([f"p{n}" for n in range(12)]),
    waited_s=st.integers(0, 60),
    rating=st.integers(1000, 2000),
    pool=st.sampled_from([OPEN, RATED, Pool("GO1-C", Goal.FIRST, False)]),
    address=st.sampled_from(["here", "there", "elsewhere"]),
    kind=st.sampled_from(["person", "person", "bot"]),
)
queues = st.lists(tickets, max_size=12, unique_by=lambda one: one.id)


@given(queues, st.randoms(use_true_random=False))
def test_laws(waiting: list[Ticket], chance: Any) -> None:
    """Each waits for one race at most, only those meet who may, none are left who could, the order is nothing."""
    found = pairs(waiting, NOW, TERMS)
    paired = [one.id for pair in found for one in pair]
    assert len(paired) == len(set(paired))
    assert set(paired) <= {one.id for one in waiting}
    assert all(may_meet(one, other, NOW, TERMS) for one, other in found)
    left = [one for one in waiting if one.id not in paired]
    assert not [1 for one in left for other in left if one is not other and may_meet(one, other, NOW, TERMS)]
    shuffled = waiting[:]
    chance.shuffle(shuffled)
    assert pairs(shuffled, NOW, TERMS) == found


@pytest.mark.parametrize(
    ("one", "other", "meet"),
    [
        pytest.param(ticket("ann"), ticket("bob", rating=1600), True, id="near enough"),
        pytest.param(ticket("ann"), ticket("bob", rating=1601), False, id="too far at first"),
        pytest.param(ticket("ann", 10), ticket("bob", 10, 1700), True, id="near enough after a while"),
        pytest.param(ticket("ann", 60), ticket("bob", rating=1700), False, id="too far for who has just come"),
        pytest.param(ticket("ann"), ticket("ann"), False, id="oneself"),
        pytest.param(ticket("ann"), ticket("bob", pool=RATED), False, id="rated and not"),
        pytest.param(ticket("ann", address="x"), ticket("bob", address="x"), True, id="a school, not rated"),
        pytest.param(
            ticket("ann", pool=RATED, address="x"), ticket("bob", pool=RATED, address="x"), False, id="a school, rated"
        ),
        pytest.param(ticket("ann", 19), ticket("bot", 60, kind="bot"), False, id="somebody's bot, too soon"),
        pytest.param(ticket("ann", 20), ticket("bot", kind="bot"), True, id="somebody's bot after a wait"),
        pytest.param(ticket("one", kind="bot"), ticket("two", kind="bot"), True, id="two bots"),
    ],
)
def test_who_may_meet(one: Ticket, other: Ticket, meet: bool) -> None:
    """Two may meet whose ratings are near enough for both, who want the same, and rated only from two places."""
    assert may_meet(one, other, NOW, TERMS) is meet
    assert may_meet(other, one, NOW, TERMS) is meet


def test_widening() -> None:
    """The window grows with each second."""
    assert [window(ticket("ann", waited), NOW, TERMS) for waited in (0, 0.5, 1, 60)] == [100, 105, 110, 700]


def test_longest_first() -> None:
    """Whoever waits longest gets the nearest; who is left waits on."""
    old, near, far = ticket("ann", 30), ticket("bob", 5, 1510), ticket("eve", 20, 1600)
    assert pairs([far, near, old], NOW, TERMS) == [(old, near)]


@pytest.mark.parametrize(
    ("game", "goal", "pool"),
    [
        ("GO", None, "GO1-E:score:open"),
        ("go1-n", "first", "GO1-E:first:open"),
        ("GO1CJ2", None, "GO1-CJ2:score:open"),
        ("DS", None, "DS1-D1NO:score:open"),
        ("DS1-D3V", "moves", "DS1-D3V:moves:open"),
    ],
)
def test_pools(game: str, goal: str | None, pool: str) -> None:
    """A game is read as forgivingly as a code is, and has the rules that it is raced under."""
    assert str(pool_asked_for(game, goal, False)) == pool


@pytest.mark.parametrize(
    ("game", "goal"), [("", None), ("XX", None), ("GO0-E", None), ("GO1-E-AAAAAAB", None), ("GO", "fame")]
)
def test_no_such_pool(game: str, goal: str | None) -> None:
    """What is no game or no goal is refused, with what there is."""
    with pytest.raises((CodeError, ValueError), match="expected "):
        pool_asked_for(game, goal, False)


def test_rated_races() -> None:
    """A rated race is sealed, shows numbers only, and takes back nothing that turned up a card; the other is plain."""
    rated, plain = card_of(RATED), card_of(OPEN)
    assert (rated.rated, rated.sealed, rated.watch, rated.undo) == (True, True, Watch.NUMBERS, UndoPolicy.UNREVEALED)
    assert (plain.rated, plain.sealed, plain.seats, plain.time_limit_s) == (False, False, 2, 600)
    assert card_of(Pool("DS1-D1NO", Goal.SCORE, True)).time_limit_s == 1800


def test_seats_of_a_pair() -> None:
    """The seats are kept for the two, shown as what they are."""
    one, other = kept_of(ticket("ann"), replace(ticket("hal", kind="bot"), engine="Hal 9"))
    assert (one.seat, one.player, one.kind, one.engine) == (1, "ann", "person", None)
    assert (other.seat, other.player, other.kind, other.engine) == (2, "hal", "bot", "Hal 9")


MANY: Callable[[], list[Ticket]] = lambda: [ticket(f"p{n}", n % 50, 1000 + n % 997) for n in range(2_000)]  # noqa: E731


def test_many() -> None:
    """Of a crowd those are looked at who wait longest, and nearly all of them find somebody."""
    found = pairs(MANY(), NOW, TERMS)
    assert 190 <= len(found) <= 200
