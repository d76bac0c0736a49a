"""Games in the arena: what ends them, how they are settled, what is written down."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from bots.bench.arena import Job, play_game, play_job
from bots.bench.contestant import contestant
from bots.bench.deals import Deal, deal_of, raced
from bots.bench.rows import End, Row
from bots.conditions import LATE_MS, Conditions
from bots.contender import Failure, Offer, Settlement, Spent
from bots.player import DONE, Choice
from engine.record import parse_record, replay
from engine.solo import UndoPolicy

GOLF = Deal("GO1-E-AAAAAAB", 7)
DOUBLE = Deal("DS1-D1NO-AAAAAAB", 7)

Rule = Callable[[Mapping[str, Any]], str]


class Ruled:
    """A bot that follows a rule, and remembers what it was told."""

    def __init__(self, rule: Rule) -> None:
        self.rule = rule
        self.played: list[str] = []
        self.offered: list[Offer] = []
        self.settled: list[Settlement] = []

    def begin(self, offer: Offer) -> None:
        self.offered.append(offer)

    def choose(self, view: Mapping[str, Any], played: Sequence[str], clock_ms: float | None) -> Choice:
        self.played.extend(played)
        return Choice(self.rule(view))

    def settle(self, end: Settlement) -> Spent:
        self.settled.append(end)
        return Spent(0.0, 0.0)

    def __enter__(self) -> "Ruled":
        return self

    def __exit__(self, *_: object) -> None: ...


def draws_first(view: Mapping[str, Any]) -> str:
    return "d" if "d" in view["legal"] else view["legal"][0]


def played(rule: Rule, deal: Deal = GOLF, conditions: Conditions = Conditions()) -> tuple[Row, Ruled]:  # noqa: B008
    bot = Ruled(rule)
    return play_game(bot, "ruled", deal, conditions), bot


def test_a_game_is_played_to_its_end_and_its_record_replays_to_its_score() -> None:
    """Drawing first gets stuck; the row has the settled score, and each word was heard but the last."""
    row, bot = played(draws_first)
    solo, refusals = replay(parse_record(row.record))
    assert not refusals
    assert (row.status, row.reason, row.placed) == (End.STUCK, None, None)
    assert (row.score, row.moves, row.removed) == (solo.board.settled_score, solo.moves, solo.board.cleared)
    assert row.record.split()[1:-1] == bot.played
    assert [Settlement("stuck", row.score, row.moves)] == bot.settled


def test_who_settles_early_is_charged_for_the_cards_left() -> None:
    """As in a race: ten points for each card, never below 0."""
    words = iter(["d", "5", "2", "done"])
    row, _ = played(lambda view: next(words))
    assert (row.status, row.score, row.moves, row.removed) == (End.DONE, 0, 3, 2)


@pytest.mark.parametrize(
    ("rule", "conditions", "reason"),
    [
        pytest.param(lambda view: "8", Conditions(), Failure.ILLEGAL, id="no word"),
        pytest.param(lambda view: "c1r1", Conditions(), Failure.ILLEGAL, id="a covered card"),
        pytest.param(lambda view: "u", Conditions(), Failure.ILLEGAL, id="undo where there is none"),
        pytest.param(draws_first, Conditions(max_ops=3), Failure.MAX_OPS, id="operations"),
        pytest.param(draws_first, Conditions(game_ms=1e-6), Failure.CLOCK, id="the game's time"),
    ],
)
def test_limits_and_faults_end_a_game(rule: Rule, conditions: Conditions, reason: Failure) -> None:
    """The game is settled as it stands, not won, with the reason in its row."""
    row, bot = played(rule, conditions=conditions)
    failed = reason not in (Failure.MAX_OPS, Failure.CLOCK)
    assert (row.status, row.reason) == (End.FAILED if failed else End.LIMIT, reason)
    assert (row.detail is not None) == failed
    assert bot.settled[0].reason is reason
    assert (bot.settled[0].failed is not None) == failed


def test_a_built_in_bot_has_its_budget_too() -> None:
    """It goes by what the bot computes, so a busy machine makes nobody late."""
    conditions = Conditions(move_ms=-LATE_MS)
    (row,) = play_job(Job(contestant("random", conditions), conditions, (GOLF,))).rows
    assert (row.status, row.reason, row.moves) == (End.FAILED, Failure.TIMEOUT, 0)


def test_operations_count_undos() -> None:
    """Drawing and undoing for ever ends at the limit, and the record has it all."""
    rule: Rule = lambda view: "u" if view["undoable"] else "d"  # noqa: E731
    row, _ = played(rule, conditions=Conditions(undo=UndoPolicy.FREE))
    assert (row.reason, row.moves, len(row.record.split())) == (Failure.MAX_OPS, 100, 201)


def test_a_stuck_game_can_be_undone_where_undo_is_free() -> None:
    """The bot is asked once more with nothing legal, and may settle there."""
    row, _ = played(
        lambda view: draws_first(view) if view["legal"] else DONE, conditions=Conditions(undo=UndoPolicy.FREE)
    )
    assert row.status is End.STUCK


@pytest.mark.parametrize("deal", [GOLF, DOUBLE], ids=["golf", "double"])
def test_both_games_are_played_by_the_random_bot(deal: Deal) -> None:
    """The same seed plays the same game; no card that lies face down is in any view."""

    def rule(view: Mapping[str, Any]) -> str:
        cards = [card for pile in (*view["columns"], view["waste"]) for card in pile]
        assert cards.count("--") == sum(view.get("down", ()))
        return view["legal"][len(view["waste"]) % len(view["legal"])] if view["legal"] else DONE

    row, bot = played(rule, deal, Conditions(max_ops=150))
    again, _ = played(rule, deal, Conditions(max_ops=150))
    assert row.record == again.record
    assert {str(offer.code) for offer in bot.offered} == {row.code}
    assert (row.removed is None) == (deal is DOUBLE)


def test_a_job_plays_its_deals_in_order_with_their_seeds() -> None:
    """The random bot plays the same in one job as in three."""
    conditions = Conditions(seed=3)
    deals = tuple(deal_of(f"GO1-C-AAAAAA{letter}", conditions) for letter in "CDE")
    one = play_job(Job(contestant("random", conditions), conditions, deals)).rows
    three = [row for deal in deals for row in play_job(Job(contestant("random", conditions), conditions, (deal,))).rows]
    assert [deal.code for deal in deals] == [row.code for row in one]
    assert [row.record for row in one] == [row.record for row in three]
    assert len({row.seed for row in one}) == 3


@pytest.mark.parametrize(
    ("text", "goal", "code"),
    [
        ("ds1 d1n aaaaaab", "score", "DS1-D1NO-AAAAAAB"),
        ("DS1-D3VO-AAAAAAB", "score", "DS1-D3VO-AAAAAAB"),
        ("DS1-D1N-AAAAAAB", "first", "DS1-D1N-AAAAAAB"),
        ("GO1-N-AAAAAAB", "score", "GO1-E-AAAAAAB"),
    ],
)
def test_double_solitaire_by_score_pays_a_card_once(text: str, goal: Any, code: str) -> None:
    """Putting the same card up again and again must not pay, in the bench as in races."""
    assert str(raced(text, goal)) == code
