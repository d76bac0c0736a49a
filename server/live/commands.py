"""What a client's message asks of a race: one case a message, so that a new command has its place here."""

from __future__ import annotations

from typing import assert_never

from engine.race import commands
from engine.refusals import Barred, ErrorCode, Reason
from engine.texts import text_of
from engine.wire import inbound
from engine.wire.outbound import Res
from server.races.answer import Answer
from server.races.offers import random_number

__all__ = ["DIRECT", "Direct", "asked", "refused", "res_of"]

Direct = (
    inbound.Play
    | inbound.Hint
    | inbound.Done
    | inbound.Resign
    | inbound.Ready
    | inbound.Unready
    | inbound.Start
    | inbound.Cancel
)
"""Messages that are one command to the race: they may be under way together, the race itself keeps their order."""
DIRECT = Direct.__args__


def asked(message: Direct, player: str, now: int, start_delay_ms: int) -> commands.Command:
    """Return what a message asks of its race, for a player at `now` (ms); a start comes after the delay."""
    match message:
        case inbound.Play():
            return commands.Play(player, message.n, message.m, now)
        case inbound.Hint():
            return commands.Hint(player, now)
        case inbound.Done():
            return commands.Done(player, now)
        case inbound.Resign():
            return commands.Resign(player, now)
        case inbound.Ready():
            return commands.Ready(player, random_number(), start_delay_ms)
        case inbound.Unready():
            return commands.Unready(player)
        case inbound.Start():
            return commands.Start(player, random_number(), start_delay_ms)
        case inbound.Cancel():
            return commands.Cancel(player)
        case _:
            assert_never(message)


def res_of(command_id: str, answer: Answer, sig: str | None, language: str) -> Res:
    """Return the `res` for what a race answered; a refusal is explained in a language of `engine.texts`."""
    if answer.code is not None:
        return refused(command_id, answer.code, language, answer.reason, answer.lane, answer.retry_ms)
    return Res(command_id, True, answer.seq, answer.lane, answer.dup or None, sig=sig, hash=answer.h)


def refused(
    command_id: str,
    code: ErrorCode,
    language: str,
    reason: Reason | Barred | None = None,
    lane: int | None = None,
    retry_ms: int | None = None,
    detail: str = "",
) -> Res:
    """Return the `res` of a refusal; a detail, in English, says what was expected and found."""
    message = text_of(reason or code, language)
    return Res(
        command_id,
        False,
        lane=lane,
        code=code.value,
        reason=None if reason is None else reason.value,
        message=f"{message} ({detail})" if detail else message,
        retry_ms=retry_ms,
    )
