"""What a race on this node needs of the node around it, and whom it tells."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, Protocol

from engine.race.events import Event
from engine.race.evolve import Secrets
from engine.race.model import Race
from server.races.clock import Clock
from server.store.bell import Bell
from server.store.log import Log
from server.watch.metrics import Metrics

if TYPE_CHECKING:
    from server.races.table import Table

__all__ = ["Host", "Listener"]


class Host(Protocol):
    """What a table needs of the node around it."""

    @property
    def log(self) -> Log:
        """Where logs are appended to and read from."""

    @property
    def clock(self) -> Clock:
        """Redis's time, as this node knows it."""

    @property
    def secrets(self) -> Secrets:
        """Where a race's salt and sealed number are learnt."""

    @property
    def metrics(self) -> Metrics:
        """What this node counts."""

    @property
    def bell(self) -> Bell:
        """Where other nodes are told of durable entries, appended here."""

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        """Own a task."""

    async def prepare(self, before: Race, after: Race) -> None:
        """Set the timer that a race will need once it is as it is planned to be. Raises StoreUnavailable."""

    def told(self, table: Table, before: Race, *, moves: bool = False) -> None:
        """Take note that the fold has changed, or (if it is the same) that it is later than was thought.

        `moves`: by nothing but moves of seats that go on playing.
        """

    def lost(self, table: Table, before: Race) -> None:
        """Take note that what was folded `before` is not in the log any more, and the fold is another."""

    def followed(self, table: Table) -> None:
        """Take note that somebody began or ceased to follow."""


class Listener(Protocol):
    """Who is told what happens in a race: durable entries only, in order, each once. It must not raise."""

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        """Take note of one entry."""

    def on_next(self, following: str) -> None:
        """Take note that another race follows this one."""

    def on_reset(self, race: Race) -> None:
        """Take note that history was replaced: the fold is another; without a card when the race is gone."""
