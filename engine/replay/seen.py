"""What a client received live, checked against the log: the same history, and only what that viewer was to see."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from typing import Any, Final

import msgspec
from msgspec import Struct

from engine.misfit import UNREADABLE
from engine.race.events import Event
from engine.race.model import Race
from engine.race.views import Role, Viewer, ev_for, progress_for, snap_for
from engine.replay.difference import difference
from engine.replay.document import Header, ReplayError
from engine.wire.codec import BadFrame, Subprotocol, decode_outbound
from engine.wire.outbound import Ev, Outbound, Progress, Res, Resumed, Skip, Snap

__all__ = ["Step", "check_seen"]

BESIDE_THE_LOG: Final = frozenset({"sig", "lag"})
"""What a frame says that no log holds: a receipt, and how far away the players are."""
NOT_SAID_ONCE: Final = frozenset({"private", "voided"})
"""What frames that were kept before 2026-12-01 do not say; where one says it, it has to be right."""
WATCHERS: Final = (Viewer(Role.WATCH), Viewer(Role.WATCH, boards=True))


class Step(Struct, frozen=True):
    """One entry of the log: the race before it, its event, the race after it."""

    before: Race
    event: Event
    after: Race


def check_seen(header: Header, steps: Sequence[Step], lines: Iterable[bytes]) -> int:
    """Check the frames of this race among JSON lines; returns how many there are. Raises ReplayError, naming the line.

    Frames of other races and those that are about none are passed over; a line without `t` that has `standings`, as
    `fairdeal race --json` ends with, must have those of the header.
    """
    sight = _Sight(steps)
    checked = 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            checked += _check_line(line, header, sight)
        except ReplayError as error:
            raise ReplayError(f"seen line {number}{error.place}", error.fault) from None
    if not checked:
        raise ReplayError("seen", f"expected frames of race {header.race}, found none")
    return checked


def _check_line(line: bytes, header: Header, sight: _Sight) -> bool:
    """Check one line; True when it is about this race."""
    try:
        raw = msgspec.json.decode(line)
    except UNREADABLE as error:
        raise ReplayError("", f"expected a frame as JSON: {error}") from None
    if not isinstance(raw, dict):
        raise ReplayError("", f"expected a frame as a map, found {type(raw).__name__}")
    if "t" not in raw:
        if raw.get("race") != header.race or "standings" not in raw:
            return False
        _same(header.standings, raw["standings"], ".standings")
        return True
    try:
        frame = decode_outbound(line, Subprotocol.JSON)
    except BadFrame as error:
        raise ReplayError("", f"expected a frame of the protocol: {error}") from None
    if raw.get("race", header.race) != header.race:
        return False
    return sight.check(frame, raw)


class _Sight:
    """What one client has been shown so far, and as whom it can have been shown all that."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._steps = steps
        seats = {number for step in steps for number in step.after.seats}
        self._seats = [Viewer(Role.SEAT, seat, boards) for seat in sorted(seats) for boards in (False, True)]
        self._viewers: list[Viewer] = [*self._seats, *WATCHERS]
        self._last: int | None = None

    def check(self, frame: Outbound, raw: dict[str, Any]) -> bool:
        """Check one frame; False when it says nothing of the race's history."""
        match frame:
            case Snap():
                self._check_snap(frame, raw)
            case Ev():
                self._check_ev(frame, raw)
            case Skip():
                self._check_skip(frame)
            case Progress():
                self._check_progress(frame, raw)
            case Resumed():
                self._last = frame.from_ - 1
            case Res(ok=True, seq=int(seq), hash=str(h)):
                self._in_chain(seq, h)
            case _:
                return False
        return True

    def _after(self, seq: int) -> Race:
        if not 1 <= seq <= len(self._steps):
            raise ReplayError(".seq", f"expected an entry from 1 to {len(self._steps)}, found {seq}")
        return self._steps[seq - 1].after

    def _in_chain(self, seq: int, h: str) -> Race:
        race = self._after(seq)
        if race.h != h:
            raise ReplayError(".hash", f"expected {race.h} at {seq}, found {h}")
        return race

    def _goes_on(self, seq: int) -> None:
        if self._last is not None and seq != self._last + 1:
            raise ReplayError(".seq", f"expected entry {self._last + 1} next, found {seq}")

    def _check_snap(self, snap: Snap, raw: dict[str, Any]) -> None:
        race = self._in_chain(snap.seq, snap.hash)
        if snap.my is not None:
            self._viewers = [viewer for viewer in self._seats if viewer.seat == snap.my.seat]
        else:
            self._viewers = list(WATCHERS)
        # The clock is not in the frame; what it decides is whether the start has been reached.
        times = {race.at, max(race.at, race.start_at or 0)}
        shown = [snap_for(race, viewer, now, snap.reason) for viewer in self._viewers[:1] for now in sorted(times)]
        if not shown:
            raise ReplayError(".my.seat", f"expected a seat of the race, found {snap.my}")
        self._match([(None, frame) for frame in shown], raw)
        self._last = snap.seq

    def _check_ev(self, ev: Ev, raw: dict[str, Any]) -> None:
        self._in_chain(ev.seq, ev.hash)
        self._goes_on(ev.seq)
        step = self._steps[ev.seq - 1]
        shown = [(viewer, ev_for(step.before, step.event, step.after, viewer)) for viewer in self._viewers]
        seen = [(viewer, frame) for viewer, frame in shown if frame is not None]
        if not seen:
            raise ReplayError("", f"expected {step.event.KIND} to be hidden from this viewer, found it shown")
        self._match(seen, raw)
        self._last = ev.seq

    def _check_skip(self, skip: Skip) -> None:
        self._in_chain(skip.to, skip.hash)
        self._goes_on(skip.from_)
        if not 1 <= skip.from_ <= skip.to:
            raise ReplayError(".from", f"expected an entry from 1 to {skip.to}, found {skip.from_}")
        hidden = self._steps[skip.from_ - 1 : skip.to]
        blind = [
            viewer
            for viewer in self._viewers
            if all(ev_for(step.before, step.event, step.after, viewer) is None for step in hidden)
        ]
        if not blind:
            raise ReplayError("", f"expected events {skip.from_} to {skip.to} to be shown to this viewer, found a skip")
        self._viewers = blind
        self._last = skip.to

    def _check_progress(self, progress: Progress, raw: dict[str, Any]) -> None:
        # No frame shows an older state than one sent before; entries of one ms cannot be told apart otherwise.
        steps = self._steps[max(0, (self._last or 0) - 1) :]
        at = [step.after for step in steps if step.after.at == progress.at]
        if not at:
            raise ReplayError(".at", f"expected the time of an entry not shown before, found {progress.at}")
        self._match([(viewer, progress_for(race, viewer)) for viewer in self._viewers for race in at], raw)

    def _match(self, expected: Sequence[tuple[Viewer | None, Outbound]], raw: dict[str, Any]) -> None:
        """Keep those viewers to whom exactly this was to be shown, but for what only the server can know."""
        received = {key: value for key, value in raw.items() if key not in BESIDE_THE_LOG}
        unsaid = NOT_SAID_ONCE - received.keys()
        faults = [difference(_plain(frame, unsaid), received) for _, frame in expected]
        fitting = [viewer for (viewer, _), fault in zip(expected, faults, strict=True) if fault is None]
        if not fitting:
            path, sentence = faults[-1] or ("", "")
            raise ReplayError(path, sentence)
        viewers = {viewer for viewer in fitting if viewer is not None}
        if viewers:
            self._viewers = [viewer for viewer in self._viewers if viewer in viewers]


def _plain(frame: Outbound, unsaid: Set[str]) -> object:
    """Return a frame as it is received, without some of its keys."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(frame))
    return {key: value for key, value in plain.items() if key not in unsaid}


def _same(expected: object, found: object, place: str) -> None:
    differs = difference(expected, found)
    if differs is not None:
        raise ReplayError(place + differs[0], differs[1])
