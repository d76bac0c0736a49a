"""One seat under load: plays legal words, several at a time, and keeps what the server has confirmed."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from random import Random
from time import perf_counter
from typing import Final

from msgspec import Struct

from bots.client import FINAL, Client, Refused
from bots.swarm.tally import Tally
from bots.swarm.terms import Terms
from engine.codes import parse_code
from engine.refusals import ErrorCode
from engine.solo import UNDO, Played, deal_out
from engine.wire.outbound import Res

__all__ = ["Confirmed", "Hand"]

UNDO_SHARE: Final = 0.2
"""Operations that take back the one before, though there were others to play."""


class Confirmed(Struct, frozen=True):
    """An operation that the server has said is in the log: its number, its word, and the answer."""

    n: int
    word: str
    res: Res


class Hand:
    """A seat of a race on an open code, played by chance.

    `sent` are the words of its operations, from the first.
    """

    def __init__(self, client: Client, race: str, code: str, terms: Terms, tally: Tally, seed: str) -> None:
        self.client = client
        self.race = race
        self.seat: int | None = None
        self.sent: list[str] = []
        self.confirmed: list[Confirmed] = []
        self._solo = deal_out(parse_code(code))
        self._terms = terms
        self._tally = tally
        self._chance = Random(seed)
        self._over = False

    async def sit(self) -> None:
        """Take a seat and be ready; returns when the race has begun."""
        following = await self.client.join(self.race)
        self.seat = following.seat
        await self.client.ready(self.race)
        self._tally.commands += 2
        await following.until(lambda race: race.playing or race.over)

    async def play(self, enough: Callable[[], bool]) -> None:
        """Play until it is enough, every operation answered in the end, and settle."""
        clock = asyncio.get_running_loop().time
        room = asyncio.Semaphore(self._terms.together)
        due = clock() + self._chance.random() / (self._terms.rate or 1e9)
        async with asyncio.TaskGroup() as plays:
            while not self._over and not enough() and len(self.sent) < self._terms.moves:
                await room.acquire()
                word = None if self._over else self._word()
                if word is None:
                    break
                if self._terms.rate is not None:
                    await asyncio.sleep(due - clock())
                    due += 1 / self._terms.rate
                self.sent.append(word)
                plays.create_task(self._play(len(self.sent), word, room))
        with contextlib.suppress(Refused):
            await self.client.done(self.race)
            self._tally.commands += 1

    async def ended(self) -> None:
        """Wait for the end of the race."""
        await self.client.races[self.race].until(lambda race: race.over)

    def _word(self) -> str | None:
        """Choose a word that the board as it will be takes; None when the seat has nothing more to play."""
        legal = self._solo.board.legal()
        if self._solo.undoable and (not legal or self._chance.random() < UNDO_SHARE):
            word = UNDO
        elif legal:
            word = self._chance.choice(legal)
        else:
            return None
        outcome = self._solo.play(word)
        assert isinstance(outcome, Played)
        self._solo = outcome.solo
        return word

    async def _play(self, n: int, word: str, room: asyncio.Semaphore) -> None:
        sent = perf_counter()
        self._tally.sent(sent)
        try:
            res = await self.client.play(self.race, word)
        except Refused as refused:
            # The board is simulated here: nothing but the race's end is a reason to refuse an operation of it.
            self._over = True
            self._tally.refused[refused.code] += 1
            if refused.code != ErrorCode.OVER and self.client.races[self.race].my_status not in FINAL:
                self._tally.faults.append(f"race {self.race} seat {self.seat}: operation {n} {word!r}: {refused}")
        else:
            self.confirmed.append(Confirmed(n, word, res))
            self._tally.confirm(sent, perf_counter(), dup=bool(res.dup))
        finally:
            room.release()
