"""One race told to everybody here who follows it: made and encoded once for all who may see the same."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from typing import Any

from msgspec.structs import replace

from engine.race.events import OPERATIONS, Absent, Back, Event, Finished, Joined, Left, Started, Voided
from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for, eval_for, progress_for, sees_board, sees_evals, snap_for
from engine.wire.outbound import Crowd, SeatEval, SeatLag, Skip, Snap, SnapReason
from server.live.delayed import Present, Source
from server.live.evals import Evals
from server.live.followers import Follower, Followers, Group
from server.live.frames import frame_of
from server.live.slack import call_with_slack
from server.live.start import NOTHING_MADE, Start
from server.settings import Settings
from server.store.analyses import Analyses
from server.watch.metrics import Metrics

__all__ = ["Fanout"]


class Fanout:
    """Tells one race to its followers on this node. It listens to the race's table while it has any."""

    def __init__(
        self,
        table: Source,
        clock: Present,
        receipt: Callable[[Race], str],
        settings: Settings,
        metrics: Metrics,
        abandoned: Callable[[Fanout], None],
        analyses: Analyses,
        spawn: Callable[[Coroutine[Any, Any, None], str], None],
        crowd: Callable[[str], None],
    ) -> None:
        self.table = table
        self.race = table.race
        self._clock = clock
        self._receipt = receipt
        self._settings = settings
        self._metrics = metrics
        self._abandoned = abandoned
        self._crowd_counted = crowd
        self._loop = asyncio.get_running_loop()
        self._followers = Followers(self._followers_changed)
        self._views = self._followers.views
        self._start = Start(clock, self._made_ahead, self._deal, self.race)
        self._progress: asyncio.TimerHandle | None = None
        self._progress_at = 0.0
        self._progress_for_all = False
        self._crowd = 0
        self._watched = False
        self._evals = Evals(
            analyses, spawn, settings.eval_ms / 1000, lambda: self.race, self._evals_seen, self._send_evals
        )
        table.follow(self)

    @property
    def empty(self) -> bool:
        """True when nobody follows."""
        return self._followers.empty

    def now(self) -> int:
        """Return the time up to which the race is told here, in ms."""
        return self._clock.now()

    @property
    def watching(self) -> int:
        """How many watch."""
        return self._followers.watching

    def viewer_of(self, follower: Follower) -> Viewer | None:
        """Return how somebody follows, or None."""
        return self._followers.viewer_of(follower)

    def add(self, follower: Follower, viewer: Viewer) -> None:
        """Tell somebody the race from here on; who follows already goes on in the new capacity."""
        self._followers.add(follower, viewer)
        self._evals.joined()

    def remove(self, follower: Follower) -> None:
        """Tell somebody nothing more."""
        self._followers.remove(follower)

    def close(self) -> None:
        """Listen no longer."""
        self.table.unfollow(self)
        self._evals.close()
        self._start.stop()
        if self._progress is not None:
            self._progress.cancel()

    def snap_frame(self, follower: Follower, reason: SnapReason) -> bytes:
        """Return the race as a follower may see it now; nothing for one who follows no more."""
        group = self._followers.group_of(follower)
        return b"" if group is None else group.frame(self._snap(group, reason, self._followers.lag))

    def on_entry(self, before: Race, event: Event, after: Race) -> None:
        """Tell one entry, and what it brings with it."""
        operation = type(event) in OPERATIONS
        if operation and not self._start.dealt:
            # The clock here lags behind Redis's: the boards come first all the same.
            self._deal()
        self.race = after
        self._tell(before, event, after)
        if not operation:
            self._heed(event)
        if event.seat is not None and after.start_at is not None and not after.closed:
            # Whoever sees the boards learns what operations do from the events themselves.
            self._progress_for_all |= not operation
            if self._progress is None:
                self._progress_due()
            if self._watched:
                self._evals.changed()

    def _heed(self, event: Event) -> None:
        """Do what is to be done here when something else than a move has been told."""
        match event:
            case Joined() | Back():
                self._followers.seat_taken(self.race, event)
            case Absent():
                self._followers.seat_called_absent(self.race, event)
            case Left():
                self._followers.seat_left(self.race, event.seat)
            case Started():
                self._start.expect(self.race)
            case Finished() | Voided():
                self._end()
            case _:
                pass

    def on_reset(self, race: Race) -> None:
        """Show everybody the history that has taken the place of what they know."""
        self.race = race
        self._start.look(race)
        if race.card is None:
            self._followers.race_gone(race)
            return
        self._followers.history_replaced(race)
        self._snap_all("recovered")

    def on_next(self, following: str) -> None:
        """Tell the seats which race follows this one."""
        self._followers.go_on(self.race, following)

    def _followers_changed(self) -> None:
        self._watched = self._followers.watched
        self._crowd_counted(self.race.id)
        if self._followers.empty:
            self._loop.call_soon(self._abandoned, self)

    def _tell(self, before: Race, event: Event, after: Race) -> None:
        race, skip = after.id, None
        for viewer, view in self._views.items():
            ev = ev_for(before, event, after, viewer)
            if ev is None:
                skip = skip or Skip(race, after.seq, after.seq, after.h)
                for group in view.values():
                    for follower in group.followers:
                        follower.outbox.skip(skip)
                continue
            if type(event) is Finished:
                ev = replace(ev, sig=self._receipt(after))
            for subprotocol, group in view.items():
                frame = frame_of(ev, subprotocol)
                if viewer.seat is not None:
                    for follower in group.followers:
                        follower.outbox.tell(race, frame)
                else:
                    for follower in group.followers:
                        follower.outbox.show(race, frame)

    def _made_ahead(self) -> tuple[Race, dict[Group, bytes]]:
        """Return the race, and the snap of its start for each group, which shows it as it is at `start_at`."""
        race, lag = self.race, self._followers.lag
        snaps = ((group, snap_for(race, group.viewer, race.start_at or 0, "start")) for group in self._followers.groups)
        return race, {group: group.frame(replace(snap, lag=lag)) for group, snap in snaps}

    def _deal(self) -> None:
        """Send everybody the boards, at `start_at`."""
        self._start.come()
        self._snap_all("start", self._start.made_for(self.race))
        self._evals.changed()
        self._metrics.start_skew_s.observe(max(0, self._clock.now() - (self.race.start_at or 0)) / 1000)

    def _end(self) -> None:
        if self._progress is not None:
            self._progress.cancel()
            self._progress = None
        self._start.stop()
        self._snap_all("end")

    def _snap_all(self, reason: SnapReason, made: Mapping[Group, bytes] = NOTHING_MADE) -> None:
        lag = self._followers.lag
        for group in self._followers.groups:
            frame = made.get(group) or group.frame(self._snap(group, reason, lag))
            group.shown = None
            for follower in group.followers:
                follower.outbox.tell(self.race.id, frame)

    def _snap(self, group: Group, reason: SnapReason, lag: tuple[SeatLag, ...]) -> Snap:
        now = self._clock.now()
        if self._start.dealt and self.race.start_at is not None:
            now = max(now, self.race.start_at)
        return replace(snap_for(self.race, group.viewer, now, reason), lag=lag)

    def _evals_seen(self) -> bool:
        """Tell whether anybody here may be told what solvers make of the boards."""
        return self._start.dealt and any(sees_evals(self.race, group.viewer) for group in self._followers.groups)

    def _send_evals(self, seq: int, seats: tuple[SeatEval, ...]) -> None:
        for group in self._followers.groups:
            message = eval_for(self.race, group.viewer, seq, seats)
            if message is not None:
                frame = group.frame(message)
                for follower in group.followers:
                    follower.outbox.evaluated(self.race.id, frame)

    def _progress_due(self) -> None:
        """Tell the others' numbers soon, and not too often: how often others act is not theirs to know exactly."""
        sealed = self.race.card is not None and self.race.card.sealed
        least_s = (self._settings.sealed_progress_ms if sealed else self._settings.progress_ms) / 1000
        wait_s = max(0.0, self._progress_at + least_s - self._loop.time())
        self._progress = call_with_slack(self._loop, wait_s, self._send_progress)

    def _send_progress(self) -> None:
        self._progress = None
        self._progress_at = self._loop.time()
        for_all, self._progress_for_all = self._progress_for_all, False
        for group in self._followers.groups:
            if not for_all and group.viewer.role is Role.WATCH and sees_board(self.race, 0, group.viewer):
                continue
            progress = progress_for(self.race, group.viewer)
            if not progress.seats or (group.shown is not None and group.shown.seats == progress.seats):
                continue
            group.shown = progress
            frame = group.frame(progress)
            for follower in group.followers:
                follower.outbox.progress(self.race.id, frame)

    def tell_crowd(self, watching: int) -> None:
        """Tell how many watch the race, if that is news."""
        if watching == self._crowd:
            return
        self._crowd = watching
        crowd = Crowd(self.race.id, watching)
        for group in self._followers.groups:
            frame = group.frame(crowd)
            for follower in group.followers:
                follower.outbox.crowd(self.race.id, frame)
