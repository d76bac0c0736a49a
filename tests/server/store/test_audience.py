"""Rings that nobody else would hear are kept, and whoever comes misses none, whatever is on its way meanwhile."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from server.store.audience import CALL, HOLDS_S, Audience
from server.store.notice import Notice

RACE = "race"


class Clock:
    """Stands still but where it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def counted(audience: Audience, hear: object) -> None:
    """A ring is sent, and Redis answers how many have heard it."""
    assert (audience.keeps(RACE, 1), audience.counts(RACE)) == (False, True)
    audience.counted(hear)


@pytest.mark.parametrize(
    ("hear", "keeps", "counts"),
    [(1, True, False), (2, False, False), (0, True, False), (OSError("MOVED"), False, True)],
    ids=["this node", "another one too", "nobody", "no answer"],
)
def test_what_becomes_of_the_next_ring(hear: object, keeps: bool, counts: bool) -> None:
    """It is sent unless this node alone hears the race; a count is believed for its time."""
    clock = Clock()
    audience = Audience(clock)
    assert (audience.keeps(RACE, 1), audience.counts(RACE)) == (False, False)
    audience.joined(RACE)
    counted(audience, hear)
    assert (audience.keeps(RACE, 2), audience.counts(RACE)) == (keeps, counts)
    clock.now = HOLDS_S
    assert (audience.keeps(RACE, 3), audience.counts(RACE)) == (False, not counts)


@pytest.mark.parametrize("change", ["called", "joined", "left"])
def test_what_was_kept_is_rung_for_once(change: str) -> None:
    """Where somebody comes, or this node goes, what was kept is to be rung for, and nothing is believed any more."""
    audience = Audience(Clock())
    audience.joined(RACE)
    counted(audience, 1)
    for seq in (4, 5):
        assert audience.keeps(RACE, seq)
    assert getattr(audience, change)(RACE) == Notice(5)
    assert getattr(audience, change)(RACE) is None
    assert (audience.keeps(RACE, 6), audience.counts(RACE)) == (False, change != "left")


@pytest.mark.parametrize("change", ["called", "deaf", "left", "unanswered"])
def test_a_count_under_way_is_not_believed_after(change: str) -> None:
    """Who came, or what was lost, after a ring was sent that is being counted may not be in the count."""
    audience = Audience(Clock())
    audience.joined(RACE)
    assert [audience.counts(RACE), audience.counts(RACE)] == [True, False]
    getattr(audience, change)(*(() if change in ("deaf", "unanswered") else (RACE,)))
    audience.counted(1)
    audience.joined(RACE)
    assert (audience.keeps(RACE, 1), audience.counts(RACE)) == (False, True)


class Node:
    """One that rings and hears, with what is on its way to and from Redis, each in its order."""

    def __init__(self, clock: Clock) -> None:
        self.audience = Audience(clock)
        self.known = 0
        self.hears = False
        self.out: deque[tuple[bytes | int, bool]] = deque()
        self.ear: deque[bytes | int | None] = deque()
        self.answers: deque[int] = deque()

    def ring(self, seq: int) -> None:
        if not self.audience.keeps(RACE, seq):
            self.out.append((seq, self.audience.counts(RACE)))

    def make_good(self, kept: Notice | None) -> None:
        if kept is not None:
            self.ring(kept.seq)


class Field:
    """Two nodes and a Redis that carries out what reaches it one after the other; some have heard for a while."""

    def __init__(self, hearing: int) -> None:
        self.clock, self.seq = Clock(), 0
        self.nodes = [Node(self.clock) for _ in range(2)]
        for node in self.nodes[:hearing]:
            self.begin_to_hear(node)
        self.settle()
        for node in self.nodes[:hearing]:
            self.append(node)
            self.settle()

    def append(self, node: Node) -> None:
        self.seq += 1
        node.known = self.seq
        node.ring(self.seq)

    def reach_redis(self, node: Node) -> None:
        if node.out:
            told, count = node.out.popleft()
            hearers = [one for one in self.nodes if one.hears]
            for one in hearers:
                one.ear.append(told)
            if count:
                node.answers.append(len(hearers))

    def begin_to_hear(self, node: Node) -> None:
        if not node.hears and not node.ear:
            node.hears = True
            node.ear.append(None)

    def hear(self, node: Node) -> None:
        match node.ear.popleft() if node.ear else 0:
            case None:  # The subscription has begun: the log is read.
                node.known = self.seq
                node.make_good(node.audience.joined(RACE))
                node.out.append((CALL, False))
            case bytes():
                node.make_good(node.audience.called(RACE))
            case int(seq):
                node.known = max(node.known, seq)

    def hear_an_answer(self, node: Node) -> None:
        if node.answers:
            node.audience.counted(node.answers.popleft())

    def lose_the_ear(self, node: Node) -> None:
        node.hears = False

    def notice_that_the_ear_is_lost(self, node: Node) -> None:
        if not node.hears:
            node.ear.clear()
            node.audience.deaf()

    def leave(self, node: Node) -> None:
        if node.hears:
            node.hears = False
            node.ear.clear()
            node.make_good(node.audience.left(RACE))

    def wait(self, _: Node) -> None:
        self.clock.now += HOLDS_S / 2

    def settle(self, _: Node | None = None) -> None:
        """Let all come that is on its way."""
        while any(node.out or node.ear or node.answers for node in self.nodes):
            for node in self.nodes:
                self.reach_redis(node)
                self.hear(node)
                self.hear_an_answer(node)


STEPS = (
    *4 * (Field.append,),
    *2 * (Field.reach_redis, Field.hear, Field.begin_to_hear),
    Field.hear_an_answer,
    Field.settle,
    Field.wait,
    Field.lose_the_ear,
    Field.notice_that_the_ear_is_lost,
    Field.leave,
)


Step = tuple[Callable[[Field, Node], None], int]

LONGER = 2 * ((Field.wait, 0),)
COUNTED = ((Field.append, 0), (Field.reach_redis, 0))
COMES = ((Field.begin_to_hear, 1), (Field.hear, 1))


@example(1, [*COMES, (Field.append, 0)])
@example(
    1,
    [
        *LONGER,
        *COUNTED,
        *COMES,
        (Field.reach_redis, 1),
        *2 * ((Field.hear, 0),),
        (Field.hear_an_answer, 0),
        (Field.append, 0),
    ],
)
@example(2, [*LONGER, (Field.lose_the_ear, 0), *COUNTED, (Field.hear_an_answer, 0), (Field.append, 0)])
@settings(max_examples=200)
@given(st.integers(0, 2), st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 1)), max_size=14))
def test_whoever_hears_misses_nothing(hearing: int, steps: list[Step]) -> None:
    """Whatever two nodes do, once all that is on its way has come each of those that hear knows the last entry."""
    field = Field(hearing)
    for step, n in steps:
        step(field, field.nodes[n])
    for node in field.nodes:
        if not node.hears:
            field.notice_that_the_ear_is_lost(node)
            field.begin_to_hear(node)
    field.settle()
    assert [node.known for node in field.nodes] == [field.seq] * 2
