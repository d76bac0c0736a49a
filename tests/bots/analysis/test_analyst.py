"""Questions on a real Redis: asked once, answered by one analyst or, when that one dies, by another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from redis.asyncio import Redis

from bots.analysis.analyst import MOST_TAKEN, answer_to
from bots.share import Share
from engine.question import (
    GROUP,
    INQUIRY_FIELD,
    Answer,
    CodeAnswer,
    CodeQuestion,
    Inquiry,
    NoAnswer,
    PositionAnswer,
    PositionQuestion,
    Question,
    RunAnswer,
    RunQuestion,
    Urgency,
    asked_key,
    pack_inquiry,
    question_id,
    stream_of,
    urgency_of,
)
from server.settings import Settings
from server.store.analyses import Analyses, Pending
from tests.bots.analysis.conftest import Analysing

CODE = "GO1-E-AAAAAAB"
QUESTIONS: Sequence[Question] = (
    PositionQuestion(CODE, ("d",)),
    RunQuestion(CODE, ("d", "u")),
    CodeQuestion(CODE),
)


def asker(redis: Redis, **chosen: int) -> Analyses:
    return Analyses(redis, Settings(**chosen))  # type: ignore[arg-type]


async def answered(analyses: Analyses, questions: Sequence[Question]) -> list[Answer]:
    """Ask until all is answered, as a client would."""
    while True:
        answers = await analyses.ask(questions)
        found = [answer for answer in answers if not isinstance(answer, Pending)]
        if len(found) == len(questions):
            return found
        await asyncio.sleep(0.02)


async def test_every_kind_of_question_is_answered(redis: Redis, analysing: Analysing) -> None:
    """What is asked on one side is answered on the other; then nothing waits, and what it took is counted."""
    analyses = asker(redis, analysis_ms=60_000)  # Time enough for each bot, though its kernels be compiled first.
    async with analysing("one"):
        position, run, code = await answered(analyses, QUESTIONS)
    assert isinstance(position, PositionAnswer)
    assert isinstance(run, RunAnswer)
    assert isinstance(code, CodeAnswer)
    assert (position.winnable, run.lost_at, code.start.winnable) == (True, None, True)
    assert set(code.won_by) >= {"random", "greedy", "solver"}
    tallies = await analyses.tallies()
    assert {urgency: (tally.waiting, tally.answered) for urgency, tally in tallies.items()} == dict.fromkeys(
        Urgency, (0, 1)
    )
    assert await redis.keys("*asked*") == []
    assert await analyses.known([*QUESTIONS, CodeQuestion("GO1-C-AAAAAAB")]) == [position, run, code, None]


async def test_a_question_waits_once(redis: Redis) -> None:
    """Who asks the same again, from any node, waits for the same answer."""
    one, other = asker(redis), asker(redis)
    for analyses in (one, other, one):
        assert await analyses.ask(QUESTIONS) == [Pending.ASKED] * 3
    for urgency in Urgency:
        assert await redis.xlen(stream_of(urgency)) == 1


async def test_too_many_questions_are_not_asked(redis: Redis) -> None:
    """A queue is bounded, each by itself: what finds it full is refused, and may be asked later."""
    analyses = asker(redis, analyses_waiting=2)
    runs = [RunQuestion(CODE, ("d",) * n) for n in range(4)]
    assert await analyses.ask(runs) == [Pending.ASKED, Pending.ASKED, Pending.FULL, Pending.FULL]
    assert await analyses.ask([CodeQuestion(CODE)]) == [Pending.ASKED]
    assert not await redis.exists(asked_key(question_id(runs[3])))


async def test_a_dead_analysts_question_is_taken_up(redis: Redis, analysing: Analysing) -> None:
    """What an analyst had taken when it died is answered by another, whatever came since."""
    analyses = asker(redis)
    (question, *_) = QUESTIONS
    await analyses.ask([question])
    stream = stream_of(urgency_of(question))
    (taken,) = await Share(redis, stream, GROUP, "dead").take(1, None)
    await redis.xclaim(stream, GROUP, "dead", 0, [taken.id], idle=60_000, justid=True)
    async with analysing("one"):
        (answer,) = await answered(analyses, [question])
    assert isinstance(answer, PositionAnswer)


async def test_a_question_that_ends_its_analysts_is_given_up(redis: Redis, analysing: Analysing) -> None:
    """What several have died of is not tried for ever: it is answered that there is no answer."""
    analyses = asker(redis)
    (question, *_) = QUESTIONS
    await analyses.ask([question])
    stream = stream_of(urgency_of(question))
    (taken,) = await Share(redis, stream, GROUP, "dead").take(1, None)
    await redis.xclaim(stream, GROUP, "dead", 0, [taken.id], idle=60_000, retrycount=MOST_TAKEN, justid=True)
    async with analysing("one"):
        (answer,) = await answered(analyses, [question])
    assert answer == NoAnswer("it could not be answered")


async def test_an_analyst_that_comes_back_to_its_end_gives_up(redis: Redis, analysing: Analysing) -> None:
    """Also under its own name a question is taken so often only."""
    analyses = asker(redis)
    (question, *_) = QUESTIONS
    await analyses.ask([question])
    share = Share(redis, stream_of(urgency_of(question)), GROUP, "one")
    await share.take(1, None)
    for _ in range(MOST_TAKEN - 1):
        assert len(await share.mine()) == 1
    async with analysing("one"):
        (answer,) = await answered(analyses, [question])
    assert answer == NoAnswer("it could not be answered")


async def test_what_is_no_question_holds_nobody_up(redis: Redis, analysing: Analysing) -> None:
    """Garbage is dropped, and so is a position that was watched long ago, which may be asked about again."""
    analyses = asker(redis)
    (question, *_) = QUESTIONS
    stream = stream_of(Urgency.LIVE)
    await redis.xadd(stream, {INQUIRY_FIELD: b"\xc1"}, id="1-1")
    await redis.xadd(stream, {INQUIRY_FIELD: pack_inquiry(Inquiry(question, 1_000, 60))}, id="1-2")
    await redis.set(asked_key(question_id(question)), "")
    async with analysing("one"):
        await answered(analyses, QUESTIONS)
    assert await redis.xlen(stream) == 0
    assert (await analyses.tallies())[Urgency.LIVE].answered == 1


@pytest.mark.parametrize(
    "question",
    [
        pytest.param(PositionQuestion("nonsense"), id="no code"),
        pytest.param(PositionQuestion(CODE, ("u",)), id="nothing to undo"),
        pytest.param(RunQuestion("GO1-C-AAAAAAB", ("x",)), id="no move"),
        pytest.param(RunQuestion("", ()), id="empty"),
    ],
)
def test_questions_without_an_answer(question: Question) -> None:
    """A question about nothing is answered so, with the reason."""
    answer = answer_to(question)
    assert isinstance(answer, NoAnswer)
    assert "expected" in answer.why
