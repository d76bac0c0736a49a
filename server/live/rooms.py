"""Everybody who is connected to this node, and the races that are told to them."""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from engine.wire.outbound import Drain
from server.live.closing import Closing
from server.live.doors import Doors
from server.live.fanout import Fanout, Follower
from server.live.limits import rates
from server.players import Tokens
from server.races.table import Table
from server.races.tables import Tables
from server.settings import Settings
from server.store.analyses import Analyses
from server.watch.metrics import Metrics

if TYPE_CHECKING:
    from engine.race.views import Viewer
    from server.live.session import Session

__all__ = ["Rooms"]

DRAIN_RETRY_MS: Final = 1_000
"""How soon clients of a node that goes away may come back, at the earliest."""
CLOSED_S: Final = 10.0
"""How long sockets may take to close, and what is under way to be answered, before they are cut off."""
DRAIN_S: Final = 0.2
"""From `drain` to the closing of the sockets: what is under way is answered meanwhile."""


class Rooms:
    """What all sessions of a node share."""

    def __init__(
        self, settings: Settings, tables: Tables, tokens: Tokens, metrics: Metrics, analyses: Analyses
    ) -> None:
        self.settings = settings
        self.tables = tables
        self.tokens = tokens
        self.metrics = metrics
        self._analyses = analyses
        self.doors = Doors(settings, tokens, tables.records.accounts)
        tables.records.rulings.on_ruling(self.doors.ruled)
        self.rates = rates(settings)
        self.draining = False
        self._sessions: set[Session] = set()
        self._emptied = asyncio.Event()
        self._fanouts: dict[str, Fanout] = {}

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

    def follow(self, table: Table, follower: Follower, viewer: Viewer) -> Fanout:
        """Tell a race to somebody from here on, and return what tells it."""
        fanout = self._fanouts.get(table.rid)
        if fanout is None:
            fanout = self._fanouts[table.rid] = Fanout(
                table,
                self.tables.clock,
                self.tables.receipt,
                self.settings,
                self.metrics,
                self._abandoned,
                self._analyses,
                self.tables.spawn,
            )
            self.metrics.races_followed.set(len(self._fanouts))
        fanout.add(follower, viewer)
        return fanout

    def unfollow(self, race: str, follower: Follower) -> None:
        """Tell a race to somebody no longer."""
        fanout = self._fanouts.get(race)
        if fanout is not None:
            fanout.remove(follower)

    def fanout(self, race: str) -> Fanout | None:
        """Return what tells a race here, if anybody follows it."""
        return self._fanouts.get(race)

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
        if fanout.empty and self._fanouts.get(fanout.race.id) is fanout:
            fanout.close()
            del self._fanouts[fanout.race.id]
            self.metrics.races_followed.set(len(self._fanouts))
