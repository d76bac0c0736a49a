"""Laws that hold of every race, whoever asks for whatever in whatever order."""

from typing import Any

import msgspec
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from engine.log.chain import check_chain
from engine.race import commands
from engine.race.commands import Command
from engine.race.decide import Happens, Refused, Repeated, decide
from engine.race.events import Chain, Kept
from engine.race.evolve import fold
from engine.race.model import Race, SeatEnd
from engine.race.standings import standings
from engine.refusals import ErrorCode
from engine.solo import deal_out
from tests.engine.race.course import CREATOR, LAST_DRAW_STICKS, NUMBER, SECRETS, WINNING, WON_CODE, Course
from tests.engine.race.sight import check_sight

PLAYERS = ("ann", "bob", "eve", "hal", CREATOR)
players = st.sampled_from(PLAYERS)
moments = st.sampled_from([0, 1, 7, 500, 2_999, 3_000, 20_000])
words = st.sampled_from(["d", "u", "1", "2", "3", "4", "5", "6", "7", "c1r1", "c3r5", "8", "", "zz"])


SOME_KEPT = (Kept(1, "ann", "Ann", "person"), Kept(3, "hal", "Hal", "bot"))
TERMS: list[dict[str, Any]] = [
    {},
    {},
    {"no_show_ms": 20_000},
    {"no_show_ms": 20_000, "kept": SOME_KEPT},
    {"no_show_ms": 20_000, "kept": SOME_KEPT, "creator": ""},
    {"no_show_ms": 20_000, "kept": SOME_KEPT, "chain": Chain("q" * 26)},
]


@st.composite
def race_cards(draw: st.DrawFn) -> dict[str, Any]:
    """Terms of a small race: any goal, undo, watching and start, on a deal named, drawn or sealed."""
    deal: dict[str, Any] = draw(
        st.sampled_from(
            [
                {"code": WON_CODE},
                {"code": WON_CODE},
                {"code": LAST_DRAW_STICKS},
                {"game": "GO1-S"},
                {"game": "GO1-EJ1X"},
                {"game": "GO1-E", "sealed": True},
                {"game": "GO1-C", "sealed": True},
            ]
        )
    )
    seats = draw(st.integers(1, 4))
    return deal | {
        "seats": seats,
        "goal": draw(st.sampled_from(["first", "score", "moves", "strokes"])),
        "undo": draw(st.sampled_from(["free", "unrevealed", "none"])),
        "start": draw(st.sampled_from(["all_ready", "host"])),
        "time_limit_s": draw(st.sampled_from([30, 600, 600])),
        "bots": [{"bot": "solver"}] * draw(st.integers(0, min(1, seats))),
        **draw(st.sampled_from([{}, {"watch": "boards"}, {"watch": "numbers"}, {"watch": "off"}])),
    }


class AnyRace(RuleBasedStateMachine):
    """Players and strangers ask for anything at any time; the laws are checked after each step and at the end."""

    course: Course

    @initialize(card=race_cards(), begun=st.sampled_from([True, True, True, False]), terms=st.sampled_from(TERMS))
    def created(self, card: dict[str, Any], begun: bool, terms: dict[str, Any]) -> None:
        """A race, most often with all seats taken and under way; some keep seats, and free them in time."""
        terms = {**terms, "kept": tuple(kept for kept in terms.get("kept", ()) if kept.seat <= card["seats"])}
        self.course = Course(**card, terms=terms)
        if begun:
            seated = PLAYERS[: card["seats"]]
            for at, player in enumerate(seated, 1):
                self.join(player, at > card["seats"] - len(card["bots"]))
            for player in seated:
                self.ask(commands.Ready(player, NUMBER))
            self.ask(commands.Start(CREATOR, NUMBER))
            self.course.now += 3_000

    def ask(self, command: Command) -> None:
        before = self.course.race
        assert decide(before, command) == decide(before, command)
        answer = self.course.ask(command)
        if isinstance(answer, Happens):
            assert answer.events
            assert self.course.race.seq == before.seq + len(answer.events)
        else:
            assert isinstance(answer, Refused | Repeated)
            assert self.course.race is before
            # What is a repeat, or refused for good, is so the next time too.
            again = self.course.ask(command)
            assert again == answer

    @rule(player=players, bot=st.booleans())
    def join(self, player: str, bot: bool) -> None:
        self.ask(commands.Join(player, player.title(), "bot" if bot else "person", ord(player[0])))

    @rule(player=players, kind=st.sampled_from([commands.Leave, commands.Unready, commands.Cancel]))
    def before_start(self, player: str, kind: Any) -> None:
        self.ask(kind(player))

    @rule(player=players, kind=st.sampled_from([commands.Ready, commands.Start]))
    def start(self, player: str, kind: Any) -> None:
        self.ask(kind(player, NUMBER))

    @rule(player=players, word=words, off=st.sampled_from([0, 0, 0, 0, -1, 1, -7]))
    def play(self, player: str, word: str, off: int) -> None:
        seat = self.course.race.seat_of(player)
        self.ask(commands.Play(player, (seat.lane if seat else 0) + 1 + off, word, self.course.now))

    @rule(player=players)
    def hint(self, player: str) -> None:
        self.ask(commands.Hint(player, self.course.now))

    @rule(player=players, count=st.sampled_from([1, 8, 9, 20, 40]))
    def play_on(self, player: str, count: int) -> None:
        """Several moves that are legal."""
        for _ in range(count):
            seat = self.course.race.seat_of(player)
            legal = seat.solo.board.legal() if seat is not None and seat.solo is not None else []
            if seat is None or not legal:
                return
            self.ask(commands.Play(player, seat.lane + 1, legal[seat.lane % len(legal)], self.course.now))

    @rule(player=players, short_by=st.sampled_from([0, 0, 1, 15]))
    def win(self, player: str, short_by: int) -> None:
        """The published win, or most of it; on another deal these are words like any."""
        seat = self.course.race.seat_of(player)
        for word in WINNING[seat.lane if seat is not None else 0 : len(WINNING) - short_by]:
            lane = self.course.seat(player).lane if seat is not None else 0
            self.ask(commands.Play(player, lane + 1, word, self.course.now))

    @rule(player=players, kind=st.sampled_from([commands.Done, commands.Resign]), waited=st.integers(0, 2))
    def settle(self, player: str, kind: Any, waited: int) -> None:
        if not waited:
            self.ask(kind(player, self.course.now))

    @rule(player=players, connection=st.integers(1, 3))
    def back(self, player: str, connection: int) -> None:
        self.ask(commands.MarkBack(player, connection))

    @rule(seat=st.integers(1, 4), connection=st.sampled_from([0, 1, 2, 3, *map(ord, "abeh")]))
    def gone(self, seat: int, connection: int) -> None:
        self.ask(commands.MarkAbsent(seat, connection))

    @rule()
    def all_go(self) -> None:
        """Nobody is there any more."""
        for seat in self.course.race.seats.values():
            self.ask(commands.MarkAbsent(seat.seat, seat.connection))

    @rule(later=moments)
    def time_passes(self, later: int) -> None:
        self.course.now += later
        self.ask(commands.Tick(self.course.now))

    @rule(waited=st.integers(0, 7))
    def time_comes(self, waited: int) -> None:
        """At its due time, and not a moment before, time changes the race."""
        due = self.course.race.due()
        if due is None or due < self.course.now:
            return
        assert isinstance(decide(self.course.race, commands.Tick(due - 1)), Repeated)
        comes = decide(self.course.race, commands.Tick(due))
        assert isinstance(comes, Happens)
        assert comes.from_ms == due
        if not waited:
            self.course.now = due
            self.ask(commands.Tick(due))

    @invariant()
    def seats_are_their_words(self) -> None:
        """Each seat's board is what its words make of the deal."""
        race = self.course.race
        for seat in race.seats.values():
            assert (seat.solo is None) == (not race.started)
            if race.code is not None and seat.solo is not None and race.card is not None:
                solo = deal_out(race.code, race.card.undo)
                for word in seat.words:
                    solo = solo.play(word).solo  # type: ignore[union-attr]
                assert solo == seat.solo
            if race.ended and race.started:
                assert seat.end is not None or race.voided is not None

    @invariant()
    def status_fits(self) -> None:
        race = self.course.race
        ended = race.over is not None or race.voided is not None
        assert ended == race.ended == (race.over_at is not None) == (race.over_seq is not None)
        assert (race.due() is None) == race.closed
        assert (race.deadline is None) == (race.start_at is None)
        if race.started and not race.ended:
            assert any(seat.end is None for seat in race.seats.values())
        if race.over == "first":
            assert [seat.end for seat in race.seats.values()].count(SeatEnd.WON) >= 1

    @invariant()
    def standings_are_in_order(self) -> None:
        """Everybody stands somewhere once; ranks begin at 1, never fall, and leave out as many as share one."""
        found = standings(self.course.race)
        if not self.course.race.started:
            assert found == ()
            return
        assert sorted(one.seat for one in found) == sorted(self.course.race.seats)
        for place, one in enumerate(found, 1):
            sharing = [other for other in found if other.rank == one.rank]
            assert found.index(sharing[0]) + 1 == one.rank <= place < one.rank + len(sharing)

    def teardown(self) -> None:
        """The log alone gives the same race, its chain holds, and nobody has seen what they may not see."""
        course = self.course
        assert fold(Race(course.race.id), course.log, SECRETS) == course.race
        salt = bytes.fromhex(SECRETS.opening_of_all.salt)
        assert check_chain(course.log, salt) == course.race.cursor
        assert msgspec.structs.replace(course.race) == course.race
        check_sight(course)


AnyRace.TestCase.settings = settings(max_examples=100, stateful_step_count=40, deadline=None)
TestAnyRace = AnyRace.TestCase
"""Every race keeps the laws."""


def test_late_refusals_are_over() -> None:
    """Once all is over, whoever asks for something new is told so, or that it is not theirs to ask."""
    course = Course(goal="first").begin("ann", "bob")
    course.win("ann")
    course.tick()
    for command in (
        commands.Join("dan", "Dan", "person", 1),
        commands.Unready("ann"),
        commands.Leave("ann"),
        commands.Cancel(CREATOR),
    ):
        assert course.ask(command) == Refused(ErrorCode.OVER)
