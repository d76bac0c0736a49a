"""Everybody who is connected to this node, and the races that are told to them."""

from __future__ import annotations

import asyncio
import contextlib
from functools import partial
from typing import TYPE_CHECKING, Final

from engine.race.views import Role
from engine.wire.outbound import Drain
from server.live.closing import Closing
from server.live.delayed import Delayed, Present, Source, delay_ms
from server.live.doors import Doors
from server.live.fanout import Fanout
from server.live.followers import Follower
from server.live.history import Histories
from server.live.limits import rates
from server.live.outbox import Post
from server.players import Tokens
from server.races.table import Table
from server.races.tables import Tables
from server.settings import Settings
from server.store.analyses import Analyses
from server.store.connect import StoreUnavailable
from server.watch.commands import CommandLog
from server.watch.metrics import Metrics

if TYPE_CHECKING:
    from engine.race.views import Viewer
    from server.live.session import Session

__all__ = ["Rooms"]

DRAIN_RETRY_MS: Final = 1_000
"""How soon clients of a node that goes away may come back, at the earliest."""
CLOSED_S: Final = 10.0
"""How long sockets may take to close, and what is under way to be answered, before they are cut off."""
CROWD_S: Final = 0.5
"""How often the number of spectators of a race is told."""
PREPARED_S: Final = 10.0
"""How long a race that is to be told late is kept ready for its first spectator."""
DRAIN_S: Final = 0.2
"""From `drain` to the closing of the sockets: what is under way is answered meanwhile."""


class Rooms:
    """What all sessions of a node share."""

    def __init__(
        self, settings: Settings, tables: Tables, tokens: Tokens, metrics: Metrics, analyses: Analyses
    ) -> None:
        self.settings = settings
        self.tables = tables
        self.histories = Histories(tables)
        self.tokens = tokens
        self.metrics = metrics
        self._analyses = analyses
        self.doors = Doors(settings, tokens, tables.records.accounts)
        tables.records.rulings.on_ruling(self.doors.ruled)
        tables.challenges.on_challenge(self.doors.challenged)
        self.rates = rates(settings)
        self.commands = CommandLog(settings.log_level)
        self.post = Post()
        self.draining = False
        self._sessions: set[Session] = set()
        self._emptied = asyncio.Event()
        self._fanouts: dict[str, Fanout] = {}
        self._late: dict[str, Fanout] = {}
        self._crowds: dict[str, asyncio.TimerHandle] = {}
        tables.crowds.on_change(self._crowd_changed)

    def enter(self, session: Session) -> None:
        """Know a session that begins."""
        self._sessions.add(session)
        self.doors.opened(session)
        self.metrics.sockets.set(len(self._sessions))

    def leave(self, session: Session) -> None:
        """Forget a session that has ended."""
        self._sessions.discard(session)
        self.doors.shut(session)
        self.metrics.sockets.set(len(self._sessions))
        if not self._sessions:
            self._emptied.set()

    async def prepare(self, table: Table, viewer: Viewer) -> None:
        """Make ready to tell a race to a spectator who is to see it late. Raises StoreUnavailable, LogError."""
        if viewer.role is not Role.WATCH or not delay_ms(table.race) or table.rid in self._late:
            return
        late = Delayed(table, self.tables.clock, partial(self.histories.of, table.rid), self.tables.spawn)
        try:
            await late.begin()
        except BaseException:
            late.close()
            raise
        if table.rid in self._late:
            late.close()
            return
        fanout = self._late[table.rid] = self._fanout(late, late)
        asyncio.get_running_loop().call_later(PREPARED_S, self._abandoned, fanout)

    def follow(self, table: Table, follower: Follower, viewer: Viewer) -> Fanout:
        """Tell a race to somebody from here on, and return what tells it.

        Who sees it late has been prepared for. Raises StoreUnavailable where that was too long ago.
        """
        fanout = self._late.get(table.rid) if viewer.role is Role.WATCH else None
        if fanout is None and viewer.role is Role.WATCH and delay_ms(table.race):
            raise StoreUnavailable("a race that is told late could not be made ready")
        if fanout is None:
            fanout = self._fanouts.get(table.rid)
        if fanout is None:
            fanout = self._fanouts[table.rid] = self._fanout(table, self.tables.clock)
            self.metrics.races_followed.set(len(self._fanouts))
        self.unfollow(table.rid, follower)
        fanout.add(follower, viewer)
        return fanout

    def _fanout(self, source: Source, clock: Present) -> Fanout:
        return Fanout(
            source,
            clock,
            self.tables.secrets.receipt,
            self.settings,
            self.metrics,
            self._abandoned,
            self._analyses,
            self.tables.spawn,
            self._crowd_changed,
        )

    def unfollow(self, race: str, follower: Follower) -> None:
        """Tell a race to somebody no longer."""
        for fanout in self._telling(race):
            fanout.remove(follower)

    def fanout(self, race: str, follower: Follower) -> Fanout | None:
        """Return what tells a race to somebody here."""
        return next((fanout for fanout in self._telling(race) if fanout.viewer_of(follower) is not None), None)

    def _telling(self, race: str) -> list[Fanout]:
        return [fanout for fanout in (self._fanouts.get(race), self._late.get(race)) if fanout is not None]

    def _crowd_changed(self, race: str) -> None:
        if race not in self._crowds:
            loop = asyncio.get_running_loop()
            self._crowds[race] = loop.call_later(CROWD_S, self._tell_crowd, race)

    def _tell_crowd(self, race: str) -> None:
        del self._crowds[race]
        telling = self._telling(race)
        watching = self.tables.crowds.count(race, sum(fanout.watching for fanout in telling))
        for fanout in telling:
            fanout.tell_crowd(watching)

    async def drain(self) -> None:
        """Tell everybody that this node goes away, let what is under way be answered, close the sockets."""
        self.draining = True
        if not self._sessions:
            return
        for session in self._sessions:
            session.say(Drain(DRAIN_RETRY_MS))
        await asyncio.sleep(DRAIN_S)
        for session in tuple(self._sessions):
            session.close(Closing.RESTART)
        if self._sessions:
            self._emptied.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSED_S):
                    await self._emptied.wait()

    def _abandoned(self, fanout: Fanout) -> None:
        for fanouts in (self._fanouts, self._late):
            if fanout.empty and fanouts.get(fanout.race.id) is fanout:
                fanout.close()
                del fanouts[fanout.race.id]
        self.metrics.races_followed.set(len(self._fanouts))
