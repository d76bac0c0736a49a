"""Questions to the solvers, as the server asks them: `bots.analysis` has the side of those who answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Final, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis
from redis.exceptions import RedisError

from engine.question import (
    INQUIRY_FIELD,
    SPENT,
    Answer,
    Inquiry,
    Question,
    Urgency,
    answer_key,
    asked_key,
    pack_inquiry,
    question_id,
    stream_of,
    unpack_answer,
    urgency_of,
)
from server.settings import Settings
from server.store.connect import StoreUnavailable

__all__ = ["ASKED_FOR_S", "Analyses", "Pending", "Tally"]

ASKED_FOR_S: Final = 600
"""How long a question that nobody answers is not asked again."""

# Returns the answer, 1 where the question waits to be answered, 0 where too many wait before it.
_ASK: Final = """
local answer = redis.call('GET', KEYS[1])
if answer then
  return answer
end
if redis.call('EXISTS', KEYS[2]) == 1 then
  return 1
end
if redis.call('XLEN', KEYS[3]) >= tonumber(ARGV[1]) then
  return 0
end
redis.call('XADD', KEYS[3], '*', ARGV[2], ARGV[3])
redis.call('SET', KEYS[2], '', 'EX', ARGV[4])
return 1
"""


class Pending(StrEnum):
    """Why there is no answer yet: the question waits or is worked on; too many wait, and it was not asked."""

    ASKED = "asked"
    FULL = "full"


class Tally(Struct, frozen=True):
    """What questions of one urgency have taken, on all nodes together: how many wait, what answering took."""

    waiting: int = 0
    answered: int = 0
    ms: int = 0
    waited_ms: int = 0


class Analyses:
    """Asks each question once, whoever asks, and gives its answer as long as that is kept."""

    def __init__(self, client: Redis, settings: Settings) -> None:
        self._client = client
        self._ms, self._kept_s, self._most = settings.analysis_ms, settings.analysis_kept_s, settings.analyses_waiting
        self._ask = client.register_script(_ASK)

    async def ask(self, questions: Sequence[Question]) -> list[Answer | Pending]:
        """Return the answer to each question, or ask it. Raises StoreUnavailable."""
        try:
            async with self._client.pipeline(transaction=False) as pipe:
                for question in questions:
                    name = question_id(question)
                    inquiry = pack_inquiry(Inquiry(question, self._ms, self._kept_s))
                    await self._ask(
                        keys=[answer_key(name), asked_key(name), stream_of(urgency_of(question))],
                        args=[self._most, INQUIRY_FIELD, inquiry, ASKED_FOR_S],
                        client=pipe,
                    )
                replies = await pipe.execute()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return [_answer(reply) for reply in replies]

    async def known(self, questions: Sequence[Question]) -> list[Answer | None]:
        """Return the answers that there are, asking nothing. Raises StoreUnavailable."""
        if not questions:
            return []
        try:
            names = [answer_key(question_id(question)) for question in questions]
            kept = cast(list[bytes | None], await self._client.mget(names))
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        return [None if packed is None else unpack_answer(packed) for packed in kept]

    async def tallies(self) -> Mapping[Urgency, Tally]:
        """Return what questions have taken, by urgency. Raises StoreUnavailable."""
        try:
            async with self._client.pipeline(transaction=False) as pipe:
                pipe.hgetall(SPENT)
                for urgency in Urgency:
                    pipe.xlen(stream_of(urgency))
                spent, *waiting = await pipe.execute()
        except (RedisError, OSError) as fault:
            raise StoreUnavailable(str(fault)) from fault
        counted = {name.decode(): int(number) for name, number in spent.items()}
        return {
            urgency: Tally(length, *(counted.get(f"{urgency}:{name}", 0) for name in ("answered", "ms", "waited_ms")))
            for urgency, length in zip(Urgency, waiting, strict=True)
        }


def _answer(reply: bytes | int) -> Answer | Pending:
    if isinstance(reply, bytes):
        try:
            return unpack_answer(reply)
        except msgspec.MsgspecError:
            return Pending.ASKED  # Another version's: what it stands for is asked anew once it has expired.
    return Pending.ASKED if reply else Pending.FULL
