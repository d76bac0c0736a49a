"""A race as one client has seen it so far: kept up to date by its messages, and what a reconnection resumes from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final, Literal

from msgspec.structs import replace

from bots.client.faults import Closed, Refused
from engine.wire.inbound import Receipt, Resume
from engine.wire.outbound import Ev, Progress, Res, Resumed, SeatView, Skip, Snap

__all__ = ["FINAL", "Following"]

FINAL: Final = frozenset({"won", "done", "resigned", "time", "gone"})
"""What a seat's status is once it has ended."""


class Following:
    """A race that this client has a seat in or watches. Read it; the client writes it.

    Before the first snapshot `seq` is 0, `status` empty and `card` None; `at` is the latest time (ms) that the server
    has told. `seat`, `lane`, `my_status` and `board` are one's own; `board` is None until `start_at`, and for a client
    that asked for no boards after its first operation. `boards` are those of other seats, where they may be seen. Ranks
    and `standings` come with the end, `next` (the race that follows) after it; `series` is how a series stands.
    `renewed` counts the snapshots and resumptions, after each of which what is shown was current when it was sent.
    `confirmed` is the last operation that an answer has confirmed; what it did may still have to be told.
    """

    def __init__(self, race: str, role: Literal["seat", "watch"]) -> None:
        self.race = race
        self.role: Literal["seat", "watch"] = role
        self.seq = 0
        self.at = 0
        self.hash = ""
        self.receipt: Receipt | None = None
        self.status = ""
        self.card: dict[str, Any] | None = None
        self.start_at: int | None = None
        self.deadline: int | None = None
        self.seats: dict[int, SeatView] = {}
        self.boards: dict[int, dict[str, Any]] = {}
        self.seat: int | None = None
        self.lane = 0
        self.confirmed = 0
        self.my_status = ""
        self.board: dict[str, Any] | None = None
        self.standings: list[dict[str, Any]] | None = None
        self.series: dict[str, Any] | None = None
        self.next: str | None = None
        self.renewed = 0
        self._fault: BaseException | None = None
        self._change = asyncio.Event()

    @property
    def over(self) -> bool:
        """True when the race is finished or voided."""
        return self.status in ("finished", "voided")

    @property
    def playing(self) -> bool:
        """True while one's own seat can still play."""
        return not self.over and self.board is not None and self.my_status not in FINAL

    async def until(self, holds: Callable[[Following], bool]) -> None:
        """Wait until something holds of the race.

        Raises Closed when the connection ends for good before it does, and Refused when the race may not be followed.
        """
        while not holds(self):
            if self._fault is not None:
                raise self._fault
            await self._change.wait()

    async def shows(self, res: Res) -> None:
        """Wait until what an answer has confirmed is shown, where a lost connection has turned the two round."""
        renewed = self.renewed
        with suppress(Closed, Refused):
            await self.until(lambda race: res.seq is None or race.seq >= res.seq or race.renewed > renewed)

    async def change(self) -> None:
        """Wait until the next message about the race has been taken in."""
        if self._fault is not None:
            raise self._fault
        await self._change.wait()

    def resume(self) -> Resume | None:
        """Return what to resume from; None before the first snapshot."""
        if not self.seq:
            return None
        last = self.receipt
        if last is not None and (last.seq, last.hash) == (self.seq, self.hash):
            return Resume(self.race, self.role, self.seq, self.hash, last.sig)
        return Resume(self.race, self.role, self.seq, self.hash, receipt=last)

    def take(self, message: Snap | Ev | Skip | Progress | Resumed) -> None:
        """Take in a message about this race."""
        if isinstance(message, Snap | Ev | Progress):
            self.at = max(self.at, message.at)
        match message:
            case Snap():
                self._take_snap(message)
                self.renewed += 1
            case Resumed():
                self.renewed += 1
            case Ev():
                self._take_ev(message)
            case Skip():
                self.seq, self.hash = message.to, message.hash
            case Progress():
                self._take_progress(message)
        self._wake()

    def go_on(self, following: str) -> None:
        """Take note of the race that follows."""
        self.next = following
        self._wake()

    def sign(self, res: Res) -> None:
        """Keep the receipt that comes with an answer, and the number of the operation that it confirms."""
        if res.ok and res.lane is not None:
            self.confirmed = max(self.confirmed, res.lane)
        if res.sig and res.seq is not None and res.hash:
            self.receipt = Receipt(res.seq, res.hash, res.sig)
        self._wake()

    def end(self, fault: BaseException) -> None:
        """Let everybody who waits for a change know that none will come."""
        self._fault = fault
        self._wake()

    def _wake(self) -> None:
        change, self._change = self._change, asyncio.Event()
        change.set()

    def _take_snap(self, snap: Snap) -> None:
        self.seq, self.hash = snap.seq, snap.hash
        if snap.sig:
            self.receipt = Receipt(snap.seq, snap.hash, snap.sig)
        self.status, self.card, self.series = snap.status, snap.card, snap.series
        self.start_at, self.deadline = snap.start_at, snap.deadline
        self.seats = {seat.seat: seat for seat in snap.seats}
        self.boards = {seat.seat: seat.board for seat in snap.seats if seat.board is not None}
        self.standings = None if snap.standings is None else list(snap.standings)
        if snap.my is not None:
            self.seat, self.lane, self.my_status, self.board = (
                snap.my.seat, snap.my.lane, snap.my.status, snap.my.board
            )  # fmt: skip
            self.confirmed = self.lane

    def _take_ev(self, ev: Ev) -> None:
        self.seq, self.hash = ev.seq, ev.hash
        if ev.sig:
            self.receipt = Receipt(ev.seq, ev.hash, ev.sig)
        match ev.k:
            case "race.started":
                self.status = "starting"
                self.start_at, self.deadline = ev.d.get("start_at"), ev.d.get("deadline")
            case "race.finished":
                self.status = "finished"
                self.standings = ev.d.get("standings")
            case "race.voided":
                self.status = "voided"
            case "race.left":
                self.seats.pop(ev.s or 0, None)
            case "race.joined" if ev.s is not None:
                self.seats[ev.s] = SeatView(
                    ev.s, ev.d["player"], ev.d["name"], ev.d["kind"], "seated", False, True, 0, ev.d.get("engine")
                )
            case _ if ev.s in self.seats:
                self._take_seat_ev(ev, ev.s)

    def _take_seat_ev(self, ev: Ev, number: int) -> None:
        seat = self.seats[number]
        match ev.k:
            case "race.ready":
                seat = replace(seat, ready=True, status="ready")
            case "race.unready":
                seat = replace(seat, ready=False, status="seated")
            case "seat.absent" | "seat.back":
                seat = replace(seat, present=ev.k == "seat.back")
            case "seat.done" | "seat.resigned":
                seat = replace(seat, status=ev.k.removeprefix("seat."))
            case "seat.played" | "seat.undone":
                seat = replace(
                    seat, status=ev.d.get("status", seat.status), score=ev.d.get("score"), moves=ev.d.get("moves")
                )
                self._take_board(number, ev.d)
        self.seats[number] = seat
        if number == self.seat:
            self.my_status = seat.status

    def _take_board(self, number: int, data: dict[str, Any]) -> None:
        board = data.get("board")
        if number == self.seat:
            self.lane, self.board = data["n"], board
        elif board is not None:
            self.boards[number] = board
        else:
            self.boards.pop(number, None)

    def _take_progress(self, progress: Progress) -> None:
        for numbers in progress.seats:
            seat = self.seats.get(numbers.seat)
            if seat is not None:
                self.seats[numbers.seat] = replace(
                    seat,
                    cleared=numbers.cleared,
                    status=numbers.status,
                    present=numbers.present,
                    score=numbers.score,
                    moves=numbers.moves,
                )
