"""Appending and reading on a real Redis: who may write, what is refused, and what each is told."""

import asyncio
from collections import Counter

import pytest
import redis as sync_redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from redis.asyncio import Redis

from engine.log.chain import BrokenChain, check_chain, entry_mac, next_hash
from engine.log.entry import GENESIS, START, Cursor, Hash, LogError
from server.store import keys
from server.store.append import SCRIPT, Appended, Behind, Forked, Outcome, TooEarly, TooLate
from server.store.log import Log
from tests.server.store.conftest import RID, SALT, sealed

pytestmark = pytest.mark.either_redis


async def appended(log: Log, seen: Cursor, lane: str, *words: str, rid: str = RID) -> Appended:
    outcome = await log.append(rid, seen, lane, sealed(*words))
    assert isinstance(outcome, Appended)
    return outcome


def end(outcome: Appended) -> Cursor:
    return outcome.entries[-1].cursor


async def test_append_to_an_empty_log_starts_at_1(log: Log) -> None:
    """The first entries are 1, 2, … with one time, and the chain holds over what was answered and what is read."""
    outcome = await appended(log, START, "*", "a", "b", "c")

    assert outcome.seq_before == 0
    assert outcome.missed == ()
    assert [entry.seq for entry in outcome.entries] == [1, 2, 3]
    assert len({entry.at for entry in outcome.entries}) == 1
    assert check_chain(outcome.entries, SALT) == end(outcome)
    assert await log.read(RID) == outcome.entries


async def test_entry_is_stored_as_the_spec_says(log: Log, redis: Redis) -> None:
    """One stream with literal braces, dense ids, and the fields h, a, l, b in this order."""
    outcome = await appended(log, START, "7", "a")
    (entry,) = outcome.entries

    fields = {b"h": entry.h.encode(), b"a": str(entry.at).encode(), b"l": b"7", b"b": entry.body}
    ((stored_id, stored),) = await redis.xrange("race:{" + RID + "}:log")
    assert stored_id == b"1-0"
    assert list(stored.items()) == list(fields.items())


async def test_two_writers_on_one_lane(log: Log, other: Log) -> None:
    """Of two nodes that write on one lane from one state, one is in and the other is behind by it."""
    seen = end(await appended(log, START, "*", "start"))

    outcomes = await asyncio.gather(
        log.append(RID, seen, "1", sealed("mine")), other.append(RID, seen, "1", sealed("theirs"))
    )

    (winner,) = [outcome for outcome in outcomes if isinstance(outcome, Appended)]
    (loser,) = [outcome for outcome in outcomes if isinstance(outcome, Behind)]
    assert loser.missed == winner.entries


async def test_many_writers_on_one_lane_decide_again_until_in(log: Log, other: Log) -> None:
    """Two nodes that fold and decide again lose nothing and double nothing, however they race."""

    async def writes(node: Log, name: str) -> None:
        cursor = START
        for number in range(20):
            while isinstance(outcome := await node.append(RID, cursor, "1", sealed(f"{name}{number}")), Behind):
                cursor = outcome.missed[-1].cursor
            assert isinstance(outcome, Appended)
            cursor = end(outcome)

    await asyncio.gather(writes(log, "a"), writes(other, "b"))

    entries = await log.read(RID)
    assert not isinstance(entries, Forked)
    check_chain(entries, SALT)
    expected = [body for name in "ab" for number in range(20) for _, body in sealed(f"{name}{number}")]
    assert Counter(entry.body for entry in entries) == Counter(expected)


async def test_two_writers_on_different_lanes_are_both_in(log: Log, other: Log) -> None:
    """Seats never conflict: both are in, and the later one is told what it missed."""
    seen = end(await appended(log, START, "*", "start"))

    outcomes = await asyncio.gather(
        log.append(RID, seen, "1", sealed("mine")), other.append(RID, seen, "2", sealed("theirs"))
    )

    first, second = sorted(outcomes, key=lambda outcome: outcome.seq_before if isinstance(outcome, Appended) else -1)
    assert isinstance(first, Appended)
    assert isinstance(second, Appended)
    assert (first.missed, second.missed) == ((), first.entries)
    assert (first.seq_before, second.seq_before) == (1, 2)


async def test_shared_lane_and_a_seat_conflict(log: Log, other: Log) -> None:
    """Of `*` and a seat, written from one state, only one is in, whichever comes first."""
    seen = end(await appended(log, START, "*", "start"))

    outcomes = await asyncio.gather(
        log.append(RID, seen, "*", sealed("end")), other.append(RID, seen, "2", sealed("move"))
    )

    assert Counter(type(outcome) for outcome in outcomes) == {Appended: 1, Behind: 1}


REFUSED_BY = {
    "own lane": ("1", ["1"], True),
    "own lane behind others": ("1", ["2", "3", "1"], True),
    "shared lane": ("1", ["2", "*"], True),
    "other seats": ("1", ["2", "3", "10"], False),
    "shared after any seat": ("*", ["2"], True),
}


@pytest.mark.parametrize(("lane", "others", "behind"), REFUSED_BY.values(), ids=REFUSED_BY.keys())
async def test_what_an_append_is_behind_of(log: Log, lane: str, others: list[str], behind: bool) -> None:
    """Later entries of the lane or of `*` refuse it, for `*` any; the missed ones are told either way."""
    seen = end(await appended(log, START, "*", "start"))
    cursor = seen
    for other_lane in others:
        cursor = end(await appended(log, cursor, other_lane, "other"))

    outcome = await log.append(RID, seen, lane, sealed("mine"))

    assert isinstance(outcome, Behind if behind else Appended)
    assert [entry.lane for entry in outcome.missed] == others
    entries = await log.read(RID, cursor)
    assert entries == (() if isinstance(outcome, Behind) else outcome.entries)


@pytest.mark.parametrize(("others", "behind"), [(255, False), (256, True), (400, True)])
async def test_256_later_entries_are_too_many(log: Log, others: int, behind: bool) -> None:
    """One who is 256 or more entries behind folds first, though none of them is of its lane."""
    seen = end(await appended(log, START, "*", "start"))
    written = await appended(log, seen, "2", *(str(number) for number in range(others)))

    outcome = await log.append(RID, seen, "1", sealed("mine"))

    assert isinstance(outcome, Behind if behind else Appended)
    assert outcome.missed == written.entries[: len(outcome.missed)]
    assert len(outcome.missed) >= min(others, 256)


async def test_behind_without_any_cursor_tells_from_the_start(log: Log) -> None:
    """A race that is created twice is created once: the second is behind by the first."""
    first = await appended(log, START, "*", "created")

    assert await log.append(RID, START, "*", sealed("created again")) == Behind(first.entries)


FORKS = {
    "another hash": lambda cursor: Cursor(cursor.seq, Hash("f" * 32)),
    "beyond the end": lambda cursor: Cursor(cursor.seq + 1, cursor.h),
    "another start": lambda _: Cursor(0, Hash("f" * 32)),
}


@pytest.mark.parametrize("turn", FORKS.values(), ids=FORKS.keys())
async def test_other_history_is_a_fork(log: Log, turn: object) -> None:
    """An entry that was seen and is gone or bears another hash: neither appended to nor read from."""
    assert callable(turn)
    seen = turn(end(await appended(log, START, "*", "a", "b")))

    assert await log.append(RID, seen, "1", sealed("mine")) == Forked()
    assert await log.read(RID, seen) == Forked()
    entries = await log.read(RID)
    assert not isinstance(entries, Forked)
    assert len(entries) == 2


async def test_a_log_that_is_gone_is_a_fork_for_who_saw_it(log: Log, redis: Redis) -> None:
    """After a stream has vanished nobody who knew it writes it anew from the middle."""
    seen = end(await appended(log, START, "*", "a"))
    await redis.delete(keys.race_log(RID))

    assert await log.append(RID, seen, "*", sealed("b")) == Forked()
    assert await log.read(RID, seen) == Forked()
    assert await log.read(RID) == ()


async def future_entry(redis: Redis, at: int) -> Cursor:
    h = next_hash(GENESIS, at, entry_mac(SALT, b"far"))
    await redis.xadd(keys.race_log(RID), {"h": h, "a": at, "l": "*", "b": b"far"}, id="1-0")
    return Cursor(1, h)


WINDOWS = {
    "no window": (None, None, Appended),
    "opens now": (0, None, Appended),
    "opens later": (1, None, TooEarly),
    "closes later": (None, 1, Appended),
    "closes now": (None, 0, TooLate),
    "closed before": (None, -1, TooLate),
    "inside": (-5, 5, Appended),
}


@pytest.mark.parametrize(("start", "until", "expected"), WINDOWS.values(), ids=WINDOWS.keys())
async def test_window_is_checked_against_the_new_time(
    log: Log, redis: Redis, start: int | None, until: int | None, expected: type
) -> None:
    """from ≤ time < until, to the millisecond; time is what the entry would bear, and never goes back."""
    at = await log.now() + 3_600_000
    seen = await future_entry(redis, at)

    outcome = await log.append(
        RID,
        seen,
        "1",
        sealed("mine"),
        start_ms=None if start is None else at + start,
        until_ms=None if until is None else at + until,
    )

    assert type(outcome) is expected
    match outcome:
        case Appended():
            assert outcome.entries[0].at == at
        case TooEarly() | TooLate():
            assert outcome.now == at
            assert await log.read(RID, seen) == ()


async def test_conflict_comes_before_the_window(log: Log) -> None:
    """One who is behind and late is told that it is behind: what it missed may be its own."""
    seen = end(await appended(log, START, "*", "a"))
    await appended(log, seen, "*", "b")

    assert isinstance(await log.append(RID, seen, "1", sealed("mine"), until_ms=1), Behind)


async def test_time_is_that_of_redis(log: Log) -> None:
    """An entry's time lies between Redis's time before and after, in ms."""
    before = await log.now()
    outcome = await appended(log, START, "*", "a")

    assert before <= outcome.entries[0].at <= await log.now()


async def test_reading_goes_on_from_a_cursor(log: Log) -> None:
    """A reader gets what follows its cursor, all of it, also when that is more than a page."""
    outcome = await appended(log, START, "*", *(str(number) for number in range(9000)))

    assert await log.read(RID) == outcome.entries
    assert await log.read(RID, outcome.entries[0].cursor) == outcome.entries[1:]
    assert await log.read(RID, end(outcome)) == ()
    check_chain(outcome.entries, SALT)


@pytest.mark.parametrize(
    ("stream_id", "fields"),
    [
        ("3-0", {"h": "0" * 32, "a": 1, "l": "*", "b": b"x"}),
        ("2-1", {"h": "0" * 32, "a": 1, "l": "*", "b": b"x"}),
        ("2-0", {"h": "0" * 32, "a": 1, "l": "*"}),
        ("2-0", {"a": 1, "h": "0" * 32, "l": "*", "b": b"x"}),
    ],
    ids=["gap", "second id of one seq", "no body", "other order"],
)
async def test_entries_of_another_hand_are_an_error(
    log: Log, redis: Redis, stream_id: str, fields: dict[str | bytes, int | str | bytes]
) -> None:
    """What append.lua would not write is an error, never skipped."""
    await appended(log, START, "*", "a")
    await redis.xadd(keys.race_log(RID), fields, id=stream_id)  # type: ignore[arg-type]

    with pytest.raises(LogError):
        await log.read(RID)


async def test_scripts_that_were_flushed_are_loaded_again(log: Log, redis: Redis) -> None:
    """After SCRIPT FLUSH, appends that wait together are all in, each once."""
    rids = [f"r{number}" for number in range(50)]
    await appended(log, START, "*", "a")
    await redis.script_flush()

    outcomes = await asyncio.gather(*(log.append(rid, START, "*", sealed("a")) for rid in rids))

    assert all(isinstance(outcome, Appended) for outcome in outcomes)
    assert [len(await log.read(rid)) for rid in rids] == [1] * 50  # type: ignore[arg-type]


async def test_seats_may_share_a_pipeline_with_one_cursor(log: Log) -> None:
    """A hundred seats that move at once from one state are all in, in the order in which they asked."""
    seen = end(await appended(log, START, "*", "start"))

    outcomes = await asyncio.gather(
        *(log.append(RID, seen, str(seat), sealed(f"move of {seat}")) for seat in range(1, 101))
    )

    assert [outcome.seq_before for outcome in outcomes if isinstance(outcome, Appended)] == list(range(1, 101))


async def test_nothing_to_append_is_refused(log: Log) -> None:
    """An append of no entries is a mistake of the caller."""
    with pytest.raises(ValueError, match="at least one"):
        await log.append(RID, START, "*", [])


async def test_a_log_can_expire(log: Log, redis: Redis) -> None:
    """A finished race's log goes after its time; where there is none, that is said."""
    await appended(log, START, "*", "a")

    assert await log.expire(RID, 60_000)
    assert 0 < await redis.pttl(keys.race_log(RID)) <= 60_000
    assert not await log.expire("no such race", 60_000)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=50)
@given(
    st.lists(st.binary(max_size=200), min_size=1, max_size=5),
    st.sampled_from([0, 999_999_999_999, 9_999_999_999_999, 2**53 - 1]) | st.integers(0, 2**53 - 1),
)
def test_lua_and_python_hash_alike(private_redis_url: str, bodies: list[bytes], at: int) -> None:
    """The script's hashes are those of `next_hash`, for any bytes and any time that a double holds."""
    with sync_redis.Redis.from_url(private_redis_url) as client:
        client.delete("parity")
        h = next_hash(GENESIS, at, entry_mac(SALT, b""))
        client.xadd("parity", {"h": h, "a": at, "l": "*", "b": b""}, id="1-0")
        pairs = [word for body in bodies for word in (entry_mac(SALT, body), body)]
        status, _, _, hashes, time = client.eval(SCRIPT, 1, "parity", 1, h, "*", "", "", *pairs)

    assert status == b"appended"
    for body, found in zip(bodies, hashes, strict=True):
        h = next_hash(h, time, entry_mac(SALT, body))
        assert found.decode() == h


async def test_chain_check_finds_any_byte_changed_in_redis(log: Log, redis: Redis) -> None:
    """Whichever byte of whichever body is changed in the store, reading and checking names that entry."""
    outcome = await appended(log, START, "*", "first", "second", "third")
    _, second, third = outcome.entries
    for place in range(len(second.body)):
        changed = bytearray(second.body)
        changed[place] ^= 1
        await redis.delete(keys.race_log(RID))
        for entry, body in zip(outcome.entries, (outcome.entries[0].body, bytes(changed), third.body), strict=True):
            fields = {"h": entry.h, "a": entry.at, "l": "*", "b": body}
            await redis.xadd(keys.race_log(RID), fields, id=f"{entry.seq}-0")  # type: ignore[arg-type]
        entries = await log.read(RID)
        assert not isinstance(entries, Forked)

        with pytest.raises(BrokenChain) as caught:
            check_chain(entries, SALT)
        assert caught.value.seq == 2


async def test_where_a_log_ends(log: Log) -> None:
    """A log ends at its last entry, and at no other place; not where the hash is another, or all is gone."""
    first = end(await appended(log, START, "*", "start"))
    last = end(await appended(log, first, "1", "a"))
    await log.read(RID)  # In a cluster the way there is known from then on.
    answers = []
    for rid, cursor in ((RID, last), (RID, first), (RID, Cursor(last.seq, first.h)), ("gone", last)):
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        log.ends_at(rid, cursor, answer.set_result)
        answers.append(await answer)

    assert answers == [True, False, False, False]


async def test_begun_without_a_task(log: Log) -> None:
    """An append that is begun tells its outcome; what is forked is told as nothing: it is to be found out."""
    seen = end(await appended(log, START, "*", "start"))
    outcomes: asyncio.Queue[Outcome | None] = asyncio.Queue()

    log.begin(RID, seen, "1", sealed("mine"), outcomes.put_nowait)
    assert isinstance(await outcomes.get(), Appended)
    log.begin(RID, seen, "1", sealed("mine"), outcomes.put_nowait)
    assert isinstance(await outcomes.get(), Behind)
    log.begin(RID, Cursor(1, GENESIS), "1", sealed("mine"), outcomes.put_nowait)
    assert await outcomes.get() is None

    found = await log.append(RID, seen, "1", sealed("mine"), begun=True)
    assert isinstance(found, Appended)
    assert len(await log.read(RID)) == 2  # type: ignore[arg-type]
