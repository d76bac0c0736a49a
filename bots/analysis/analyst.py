"""An analyst: answers what is asked about deals and games, and keeps deals proved for races. It takes no seats."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Final, Protocol, TypeVar

import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from bots.analysis.position import WordsRefused, position_answer
from bots.process import stop
from bots.share import DEAD_AFTER_MS, Share, Taken
from engine.codes import CodeError, parse_code
from engine.question import (
    GROUP,
    INQUIRY_FIELD,
    SPENT,
    Answer,
    CodeQuestion,
    ForesightQuestion,
    Inquiry,
    NoAnswer,
    PositionQuestion,
    Question,
    RunQuestion,
    Urgency,
    answer_key,
    asked_key,
    pack_answer,
    question_id,
    stream_of,
    unpack_inquiry,
)

__all__ = ["Analyst", "Compute", "Prover", "answer_to"]

WAIT_MS: Final = 500
"""How long a new question may wait while nothing else is to be done."""
AGAIN_S: Final = 1.0
LIVE_MS: Final = 1_000
"""What a watched position may take: another is watched soon."""
LIVE_STALE_MS: Final = 10_000
"""A position that was watched this long ago is of no interest any more."""
MOST_TAKEN: Final = 3
"""A question that has ended this many workers, or outlasted them, is given up."""
NO_ANSWER_KEPT_S: Final = 60

log = structlog.get_logger("analysis")

T = TypeVar("T")


class Compute(Protocol):
    """Runs work in the thread of a lane."""

    async def __call__(self, work: Callable[[], T]) -> T:
        """Run it, and return what it returns."""
        ...


class Prover(Protocol):
    """Keeps proved deals in stock, a little at a time."""

    async def restock(self, compute: Compute) -> bool:
        """Prove a deal or try for a moment; False where there is nothing to do."""
        ...


class Analyst:
    """Takes inquiries and answers them, one of the live kind and one of the others at a time.

    `worker` is a name that no other living worker has.
    """

    def __init__(
        self, client: Redis, worker: str, prover: Prover | None = None, dead_after_ms: int = DEAD_AFTER_MS
    ) -> None:
        self._client, self._prover = client, prover
        self._heartbeat_s = dead_after_ms / 3000
        self._shares = {urgency: Share(client, stream_of(urgency), GROUP, worker, dead_after_ms) for urgency in Urgency}

    async def work(self) -> None:
        """Answer for ever; when cancelled, leave what was not answered to the next worker."""
        lanes = [
            asyncio.create_task(self._lane((Urgency.LIVE,), None), name="live questions"),
            asyncio.create_task(self._lane((Urgency.CODES, Urgency.RUNS), self._prover), name="other questions"),
        ]
        try:
            await asyncio.wait(lanes, return_when=asyncio.FIRST_COMPLETED)
            for lane in lanes:
                if lane.done():
                    lane.result()
        finally:
            await stop(lanes)

    async def _lane(self, urgencies: tuple[Urgency, ...], prover: Prover | None) -> None:
        """Do one thing at a time, in a thread of its own: a deal's proof, then the most urgent question."""
        thread = ThreadPoolExecutor(1, thread_name_prefix=urgencies[0])

        async def compute(work: Callable[[], T]) -> T:
            return await asyncio.get_running_loop().run_in_executor(thread, work)

        try:
            while True:
                with suppress(RedisError, OSError):
                    await self._answer_all(urgencies, prover, compute)
                log.warning("redis does not answer", again_s=AGAIN_S)
                await asyncio.sleep(AGAIN_S)
        finally:
            thread.shutdown(wait=False, cancel_futures=True)

    async def _answer_all(self, urgencies: tuple[Urgency, ...], prover: Prover | None, compute: Compute) -> None:
        """Answer for ever: first what a worker of this name had taken before. Raises RedisError, OSError."""
        for urgency in urgencies:
            for taken in await self._shares[urgency].mine():
                await self._see_to(urgency, taken, compute)
        while True:
            proved = prover is not None and await prover.restock(compute)
            await self._next(urgencies, not proved, compute)

    async def _next(self, urgencies: tuple[Urgency, ...], wait: bool, compute: Compute) -> None:
        """Answer the most urgent question there is; where there is none, wait for one of the first kind."""
        for urgency in urgencies:
            for taken in await self._shares[urgency].take(1, None):
                return await self._see_to(urgency, taken, compute)
        if wait:
            for taken in await self._shares[urgencies[0]].take(1, WAIT_MS):
                await self._see_to(urgencies[0], taken, compute)
        return None

    async def _see_to(self, urgency: Urgency, taken: Taken, compute: Compute) -> None:
        share = self._shares[urgency]
        seconds, microseconds = await self._client.time()  # An entry's id is a time of Redis's clock.
        waited_ms = seconds * 1000 + microseconds / 1000 - int(taken.id.partition("-")[0])
        try:
            inquiry = unpack_inquiry(taken.fields[INQUIRY_FIELD])
        except (KeyError, ValueError):
            log.error("question not understood", entry=taken.id)
            return await self._drop(share, taken, None)
        if urgency is Urgency.LIVE and waited_ms > LIVE_STALE_MS:
            return await self._drop(share, taken, inquiry)
        begun = time.monotonic()
        if await share.times_taken(taken.id) > MOST_TAKEN:
            answer: Answer = NoAnswer("it could not be answered")
            log.error("question given up", entry=taken.id)
        else:
            async with self._working(share, taken):
                answer = await compute(lambda: answer_to(inquiry.question, inquiry.ms))
        await self._answer(urgency, taken, inquiry, answer, waited_ms, (time.monotonic() - begun) * 1000)
        return None

    @asynccontextmanager
    async def _working(self, share: Share, taken: Taken) -> AsyncIterator[None]:
        """Say of a question, for the length of the block, that it is worked on."""

        async def say() -> None:
            while True:
                await asyncio.sleep(self._heartbeat_s)
                with suppress(RedisError, OSError):
                    await share.working(taken.id)

        saying = asyncio.create_task(say(), name=f"question {taken.id}")
        try:
            yield
        finally:
            saying.cancel()
            await asyncio.wait([saying])

    async def _answer(
        self, urgency: Urgency, taken: Taken, inquiry: Inquiry, answer: Answer, waited_ms: float, took_ms: float
    ) -> None:
        """Keep an answer and drop its question, both or neither."""
        name = question_id(inquiry.question)
        kept_s = min(NO_ANSWER_KEPT_S, inquiry.kept_s) if isinstance(answer, NoAnswer) else inquiry.kept_s
        async with self._client.pipeline(transaction=True) as together:
            together.set(answer_key(name), pack_answer(answer), ex=kept_s)
            together.delete(asked_key(name))
            self._shares[urgency].drop(together, taken.id)
            for counted, by in (("answered", 1), ("ms", round(took_ms)), ("waited_ms", max(0, round(waited_ms)))):
                together.hincrby(SPENT, f"{urgency}:{counted}", by)
            await together.execute()

    async def _drop(self, share: Share, taken: Taken, inquiry: Inquiry | None) -> None:
        async with self._client.pipeline(transaction=True) as together:
            share.drop(together, taken.id)
            if inquiry is not None:
                together.delete(asked_key(question_id(inquiry.question)))
            await together.execute()


def answer_to(question: Question, ms: float = 5_000) -> Answer:
    """Answer a question within so many CPU milliseconds of this thread."""
    from bots.analysis.code import code_answer
    from bots.analysis.foresight import foresight
    from bots.analysis.run import run_answer

    try:
        code = parse_code(question.code)
        _warm_up(code.game)
        match question:
            case PositionQuestion():
                return position_answer(code, question.words, min(ms, LIVE_MS))
            case RunQuestion():
                return run_answer(code, question.words, ms)
            case CodeQuestion():
                return code_answer(code, ms)
            case ForesightQuestion():
                return foresight(code, question.words, ms)
    except (CodeError, WordsRefused) as refused:
        return NoAnswer(str(refused))
    except Exception as fault:  # A solver's fault is told to whoever asked; the next question may fare better.
        log.error("no answer", question=question, exc_info=fault)
        return NoAnswer(f"the solver failed: {type(fault).__name__}")


@cache
def _warm_up(game: str) -> None:
    from bots.analysis.position import warm_up

    warm_up(game)
