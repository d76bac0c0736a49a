"""A node whose clock is ahead of Redis's: the time of the entry decides, and nobody is told off for a few ms."""

from engine.race import commands as ask
from engine.race.card import read_card
from engine.refusals import ErrorCode
from server.races.tables import Tables
from server.races.turn import AHEAD_MS
from tests.server.races.conftest import CODE, join


async def test_a_play_a_little_early_waits_for_the_start(node: Tables) -> None:
    """Boards were dealt by a clock that is ahead: a play is carried out at the start, not refused."""
    table = await node.offers.create(read_card({"code": CODE, "seats": 1}), "host", "key")
    await join(table, "ann")
    await table.ask(ask.Ready("ann", "AAAAAAC", delay_ms=AHEAD_MS // 2))
    start_at = table.race.start_at
    assert start_at is not None

    answer = await table.ask(ask.Play("ann", 1, "d", start_at))

    assert (answer.ok, answer.lane) == (True, 1)
    assert table.race.at >= start_at


async def test_a_play_much_too_early_is_refused(node: Tables) -> None:
    """A clock that is far ahead is set right instead."""
    table = await node.offers.create(read_card({"code": CODE, "seats": 1}), "host", "key")
    await join(table, "ann")
    await table.ask(ask.Ready("ann", "AAAAAAC", delay_ms=60_000))
    start_at = table.race.start_at
    assert start_at is not None

    answer = await table.ask(ask.Play("ann", 1, "d", start_at))

    assert (answer.ok, answer.code) == (False, ErrorCode.NOT_STARTED)
