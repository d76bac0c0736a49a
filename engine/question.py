"""What solvers are asked about deals and games, and what they answer, as both stand in Redis."""

from __future__ import annotations

import hashlib
from enum import StrEnum
from typing import Final

import msgspec
from msgspec import Struct

__all__ = [
    "ANSWERS_VERSION",
    "GROUP",
    "INQUIRY_FIELD",
    "SPENT",
    "Answer",
    "Best",
    "Change",
    "CodeAnswer",
    "CodeQuestion",
    "ForesightAnswer",
    "ForesightQuestion",
    "Inquiry",
    "NoAnswer",
    "PositionAnswer",
    "PositionQuestion",
    "Question",
    "RunAnswer",
    "RunQuestion",
    "Urgency",
    "answer_key",
    "asked_key",
    "pack_answer",
    "pack_inquiry",
    "question_id",
    "stream_of",
    "unpack_answer",
    "unpack_inquiry",
    "urgency_of",
]

ANSWERS_VERSION: Final = 2
"""Raised when solvers answer otherwise than before: no old answer is then taken for a new one."""
GROUP: Final = "analysts"
"""The consumer group of each stream of inquiries; `INQUIRY_FIELD` of an entry holds the packed inquiry."""
INQUIRY_FIELD: Final = b"q"
SPENT: Final = "{analyses}:spent"
"""A hash of what answering has taken: `{urgency}:answered`, `{urgency}:ms` of CPU, `{urgency}:waited_ms`."""


class Urgency(StrEnum):
    """What is answered first: what is watched live, then what a page about a code waits for, then finished games.

    Each is a stream of its own. Deals proved for races come right after the live ones; they are not asked for here.
    """

    LIVE = "live"
    CODES = "codes"
    RUNS = "runs"


class PositionQuestion(Struct, frozen=True, tag="position"):
    """What can still be had from where a game stands: a canonical code, and the words that led there, none undone."""

    code: str
    words: tuple[str, ...] = ()


class RunQuestion(Struct, frozen=True, tag="run"):
    """What a whole game gave away: a canonical code and all that was played on it, `u` too."""

    code: str
    words: tuple[str, ...] = ()


class CodeQuestion(Struct, frozen=True, tag="code"):
    """Whether a deal can be won, and by whom."""

    code: str


class ForesightQuestion(Struct, frozen=True, tag="foresight"):
    """How often a whole game was played as if its unseen cards were known: a canonical code and all words, `u` too."""

    code: str
    words: tuple[str, ...] = ()


Question = PositionQuestion | RunQuestion | CodeQuestion | ForesightQuestion


class Inquiry(Struct, frozen=True):
    """A question, the CPU time (ms) that may go into it, and for how long (s) its answer is kept."""

    question: Question
    ms: int
    kept_s: int


class Best(Struct, frozen=True, omit_defaults=True):
    """An end within reach: cards removed (Golf) or on the foundations (Double Solitaire), the score as settled."""

    score: int
    removed: int | None = None
    placed: int | None = None

    def shown(self) -> dict[str, int]:
        """Return what can be had, to be shown: of Double Solitaire the cards alone, for another line may score more."""
        if self.placed is not None:
            return {"placed": self.placed}
        return {"removed": self.removed or 0, "score": self.score}


class PositionAnswer(Struct, frozen=True, tag="position", omit_defaults=True):
    """What can be had by playing on: whether it can be won (None: not known), and the best that was found.

    `exact`: there is nothing better (Double Solitaire: no more cards can be put up, whatever the score). `line`: the
    words that lead there.
    """

    best: Best
    winnable: bool | None = None
    exact: bool = False
    line: tuple[str, ...] = ()


class Change(Struct, frozen=True, omit_defaults=True):
    """Operation `n`, the word `m`, after which other ends are within reach than before; `better` would not have cost.

    A move makes it less, an undo may give it back.
    """

    n: int
    m: str
    best: Best
    winnable: bool | None = None
    better: str | None = None


class RunAnswer(Struct, frozen=True, tag="run", omit_defaults=True):
    """A game against what its deal had to give.

    `lost_at` is the operation after which it could not be won any more, where that is proved; else it lies after
    `winnable_until` (0: the deal) and not after `lost_from`, each None where nothing is proved. `regret` is what the
    result misses of the best score at the start, `dropped` the sum of what single moves gave away; both are None where
    the best is not known exactly. `complete`: no limit ended the analysis.
    """

    start: PositionAnswer
    result: Best
    changes: tuple[Change, ...] = ()
    lost_at: int | None = None
    winnable_until: int | None = None
    lost_from: int | None = None
    regret: int | None = None
    dropped: int | None = None
    complete: bool = True


class CodeAnswer(Struct, frozen=True, tag="code", omit_defaults=True):
    """A deal's worth: what its first position has to give, and how many of its games each bot of the roster won."""

    start: PositionAnswer
    won_by: dict[str, tuple[int, int]] = {}
    """Name of a bot → games won, games played."""


class ForesightAnswer(Struct, frozen=True, tag="foresight", omit_defaults=True):
    """Of `decisions` that were weighed, the `occasions` where the best by the cards seen is not the best by all cards.

    `taken`: how often the move played was best by all cards there, which nobody can know who sees what a seat sees.
    `complete`: no limit kept decisions from being weighed.
    """

    decisions: int
    occasions: int
    taken: int
    complete: bool = True


class NoAnswer(Struct, frozen=True, tag="none"):
    """A question that has no answer, and why."""

    why: str


Answer = PositionAnswer | RunAnswer | CodeAnswer | ForesightAnswer | NoAnswer


def urgency_of(question: Question) -> Urgency:
    """Return in which stream a question waits."""
    match question:
        case PositionQuestion():
            return Urgency.LIVE
        case CodeQuestion():
            return Urgency.CODES
        case RunQuestion() | ForesightQuestion():
            return Urgency.RUNS


def question_id(question: Question) -> str:
    """Return the name under which a question is asked once and its answer is kept: 32 hex digits."""
    packed = msgspec.msgpack.encode((ANSWERS_VERSION, question))
    return hashlib.sha256(packed).hexdigest()[:32]


# One hash tag for all: one script looks for the answer and asks, one transaction answers.


def stream_of(urgency: Urgency) -> str:
    """The stream of inquiries of that urgency."""
    return f"{{analyses}}:wanted:{urgency}"


def answer_key(name: str) -> str:
    """Where the answer to a question (by its id) is kept."""
    return f"{{analyses}}:answer:{name}"


def asked_key(name: str) -> str:
    """There while a question (by its id) waits or is worked on."""
    return f"{{analyses}}:asked:{name}"


def pack_inquiry(inquiry: Inquiry) -> bytes:
    """Pack an inquiry; the inverse of `unpack_inquiry`."""
    return msgspec.msgpack.encode(inquiry)


def unpack_inquiry(packed: bytes) -> Inquiry:
    """Read an inquiry. Raises ValueError where it is none."""
    return msgspec.msgpack.decode(packed, type=Inquiry)


def pack_answer(answer: Answer) -> bytes:
    """Pack an answer; the inverse of `unpack_answer`."""
    return msgspec.msgpack.encode(answer)


def unpack_answer(packed: bytes) -> Answer:
    """Read an answer. Raises ValueError where it is none."""
    answer: Answer = msgspec.msgpack.decode(packed, type=Answer)
    return answer
