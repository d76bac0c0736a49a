"""Who follows a race on this node, in groups that are shown the same, and what they hear of their seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from engine.race.events import Absent, Back, Joined
from engine.race.model import Race
from engine.race.views import Role, Viewer
from engine.refusals import Barred, ErrorCode
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Outbound, Progress, SeatLag
from server.live.frames import frame_of
from server.live.outbox import Outbox
from server.players import Player

__all__ = ["Follower", "Followers", "Group"]


class Follower(Protocol):
    """A session, as far as a race that it follows needs to know it."""

    player: Player
    connection: int
    outbox: Outbox
    subprotocol: Subprotocol

    @property
    def round_trip_ms(self) -> int | None:
        """How long the way to the client and back takes, if that is known."""

    def taken_over(self) -> None:
        """Another connection holds the seat now: go."""

    def put_out(self, race: str, code: ErrorCode, reason: Barred | None = None) -> None:
        """The race is not told here any more, and why."""

    def race_gone(self, race: str) -> None:
        """There is no such race any more."""

    def called_absent(self, race: str) -> None:
        """The seat is said to be held by nobody, though it is held here."""

    def seat_freed(self, race: str) -> None:
        """The seat is held here no more."""

    def seat_forgotten(self, race: str) -> None:
        """The log has lost that the seat is held here."""

    def go_on(self, race: str, following: str) -> None:
        """Another race follows the one in which a seat was held."""


class Group:
    """Followers who see the same in the same coding."""

    __slots__ = ("followers", "shown", "subprotocol", "viewer")

    def __init__(self, viewer: Viewer, subprotocol: Subprotocol) -> None:
        self.viewer = viewer
        self.subprotocol = subprotocol
        self.followers: dict[Follower, None] = {}
        self.shown: Progress | None = None

    def frame(self, message: Outbound) -> bytes:
        """Return a message in this coding."""
        return frame_of(message, self.subprotocol)


class Followers:
    """All who are told one race by one fan-out; `changed` is called after each who comes or goes."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.views: dict[Viewer, dict[Subprotocol, Group]] = {}
        """By what they are shown, then by their coding; none of these is empty."""
        self.watched = False
        """True while somebody watches."""
        self._places: dict[Follower, Group] = {}
        self._changed = changed

    @property
    def groups(self) -> list[Group]:
        """All groups."""
        return [group for view in self.views.values() for group in view.values()]

    @property
    def empty(self) -> bool:
        """True when nobody follows."""
        return not self._places

    @property
    def watching(self) -> int:
        """How many watch."""
        return sum(group.viewer.role is Role.WATCH for group in self._places.values())

    @property
    def lag(self) -> tuple[SeatLag, ...]:
        """How far away those are who hold a seat here, by seat, where that is known."""
        found: dict[int, SeatLag] = {}
        for viewer, view in self.views.items():
            if viewer.seat is None:
                continue
            for group in view.values():
                for follower in group.followers:
                    if (trip_ms := follower.round_trip_ms) is not None:
                        found[viewer.seat] = SeatLag(viewer.seat, trip_ms)
        return tuple(found[seat] for seat in sorted(found))

    def group_of(self, follower: Follower) -> Group | None:
        """Return those who are shown the same as somebody; None for one who does not follow."""
        return self._places.get(follower)

    def viewer_of(self, follower: Follower) -> Viewer | None:
        """Return how somebody follows, or None."""
        group = self._places.get(follower)
        return group.viewer if group else None

    def add(self, follower: Follower, viewer: Viewer) -> None:
        """Let somebody follow; who does already goes on in the new capacity."""
        self.remove(follower)
        view = self.views.setdefault(viewer, {})
        group = view.get(follower.subprotocol)
        if group is None:
            group = view[follower.subprotocol] = Group(viewer, follower.subprotocol)
        group.followers[follower] = None
        self._places[follower] = group
        self.watched = self.watched or viewer.role is Role.WATCH
        self._changed()

    def remove(self, follower: Follower) -> None:
        """Let somebody follow no more."""
        group = self._places.pop(follower, None)
        if group is None:
            return
        del group.followers[follower]
        if not group.followers:
            view = self.views[group.viewer]
            del view[group.subprotocol]
            if not view:
                del self.views[group.viewer]
            self.watched = any(viewer.role is Role.WATCH for viewer in self.views)
        self._changed()

    def seat_taken(self, race: Race, event: Joined | Back) -> None:
        """Close the connection that held the seat before, and end watching for a player who has a seat now."""
        seat = race.seats.get(event.seat)
        for follower, group in tuple(self._places.items()):
            if follower.connection == event.connection:
                continue
            if group.viewer.seat == event.seat:
                self.remove(follower)
                follower.taken_over()
            elif seat is not None and follower.player.id == seat.player and seat.end is None:
                self.remove(follower)
                follower.put_out(race.id, ErrorCode.FORBIDDEN, Barred.SEAT_OPEN)

    def seat_called_absent(self, race: Race, event: Absent) -> None:
        """Let a connection that is still here say so: this node was cut off for so long that it was taken for dead."""
        for follower, group in tuple(self._places.items()):
            if group.viewer.seat == event.seat and follower.connection == event.connection:
                follower.called_absent(race.id)

    def seat_left(self, race: Race, number: int) -> None:
        """Tell whoever held the seat that it is free."""
        for follower, group in tuple(self._places.items()):
            if group.viewer.seat == number:
                self.remove(follower)
                follower.seat_freed(race.id)

    def history_replaced(self, race: Race) -> None:
        """Put out whoever may not follow the race as it is now, and let those whose seats it has forgotten say so."""
        for follower, group in tuple(self._places.items()):
            seat = race.seat_of(follower.player.id)
            if group.viewer.role is Role.WATCH:
                if seat is not None and seat.end is None:
                    self.remove(follower)
                    follower.put_out(race.id, ErrorCode.FORBIDDEN, Barred.SEAT_OPEN)
            elif seat is None or seat.seat != group.viewer.seat:
                # The seat may be another's by now, whose cards are not to be seen.
                self.remove(follower)
                follower.seat_freed(race.id)
            elif not race.ended and not (seat.present and seat.connection == follower.connection):
                follower.seat_forgotten(race.id)

    def race_gone(self, race: Race) -> None:
        """Let nobody follow any more: there is no such race."""
        for follower in tuple(self._places):
            self.remove(follower)
            follower.race_gone(race.id)

    def go_on(self, race: Race, following: str) -> None:
        """Tell the seats which race follows this one, those too that watch since they have ended."""
        for follower in tuple(self._places):
            if race.seat_of(follower.player.id) is not None:
                follower.go_on(race.id, following)
