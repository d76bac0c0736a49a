"""One or more of every message, by name: the values whose bytes are kept in tests/golden/wire."""

from __future__ import annotations

from typing import Final

from engine.race.events import DeclineReason
from engine.wire import inbound, outbound

__all__ = ["INBOUND", "OUTBOUND"]

RACE: Final = "bq2d4k7xw3n5m6a2c4e6g2i4k6"
HASH: Final = "0123456789abcdef0123456789abcdef"
SIG: Final = "ab" * 32
BOARD: Final = {
    "game": "GO", "status": "playing", "score": 0, "score_text": "0", "moves": 1, "undoable": 1,
    "columns": [["6C", "5S"], []], "waste": ["AC", "8S"], "stock": 15, "stock_known": ["--"], "removed": 0,
    "left": 35, "legal": ["5", "d"],
}  # fmt: skip

INBOUND: Final[dict[str, inbound.Inbound]] = {
    "hello": inbound.Hello(1),
    "hello, all of it": inbound.Hello(
        1,
        "eyJ.x",
        "Nguyễn 🂡",
        "vi-VN",
        True,
        (inbound.Resume(RACE, "seat", 12, HASH, SIG), inbound.Resume(RACE, "watch", 0, "0" * 32)),
    ),
    "join": inbound.Join(RACE, "1"),
    "watch": inbound.Watch(RACE, "2"),
    "leave": inbound.Leave(RACE, "3"),
    "ready": inbound.Ready(RACE, "4"),
    "unready": inbound.Unready(RACE, "5"),
    "start": inbound.Start(RACE, "6"),
    "cancel": inbound.Cancel(RACE, "7"),
    "play": inbound.Play(RACE, 1, "d", "8"),
    "play without an id": inbound.Play(RACE, 300, "t3-t5x4"),
    "done": inbound.Done(RACE, "9"),
    "resign": inbound.Resign(RACE, "10"),
    "rematch": inbound.Rematch(RACE, "11"),
    "queue": inbound.Queue("GO1-E", "score", True, "12"),
    "unqueue": inbound.Unqueue("GO1-E", "13"),
    "ping": inbound.Ping(1234.5),
    "ping without c": inbound.Ping(),
    "hint": inbound.Hint(RACE, "14"),
    "hello with a receipt": inbound.Hello(
        1, resume=(inbound.Resume(RACE, "seat", 12, HASH, receipt=inbound.Receipt(9, HASH, SIG)),)
    ),
    "leave with a reason": inbound.Leave(RACE, "15", DeclineReason.TIME_LIMIT),
}

OUTBOUND: Final[dict[str, outbound.Outbound]] = {
    "welcome": outbound.Welcome(
        "abcdefghijklmnop", "Anna", "eyJ.x", 1_700_000_000_000, 10_000, {"play": {"burst": 100, "per_s": 30}}, "fsync"
    ),
    "snap of a seat": outbound.Snap(
        RACE,
        7,
        HASH,
        {"game": "GO1-E", "code": "GO1-E-AAAAAAB", "seats": 2, "sealed": False},
        "live",
        (
            outbound.SeatView(1, "p1", "Anna", "person", "playing", True, True, 0, None, 0, 1),
            outbound.SeatView(2, "p2", "Robi", "bot", "won", True, False, 35, "greedy 1", 640, 41, 1, BOARD),
        ),
        "join",
        1_700_000_000_123,
        "p1",
        1_700_000_003_000,
        1_700_000_603_000,
        outbound.MySeat(1, 1, "playing", BOARD),
        "c" * 64,
        ({"rank": 1, "seat": 2},),
        "5" * 32,
        SIG,
    ),
    "snap before the start": outbound.Snap(RACE, 1, HASH, {"game": "GO1-E"}, "open", (), "watch", 1_700_000_000_000),
    "ev": outbound.Ev(
        RACE, 8, 1_700_000_000_200, HASH, "seat.played", 1,
        {"n": 1, "m": "d", "turned": [{"pile": "waste", "card": "8S"}], "score": 0, "moves": 1, "status": "playing",
         "legal": ["5", "d"]},
    ),
    "ev of the end": outbound.Ev(RACE, 9, 1_700_000_000_300, HASH, "race.finished", None, {"reason": "all"}, SIG),
    "skip": outbound.Skip(RACE, 10, 12, HASH),
    "progress": outbound.Progress(
        RACE, 1_700_000_000_400, (outbound.SeatNumbers(2, 5, "playing", True, 70, 9),)
    ),
    "progress of a sealed race": outbound.Progress(
        RACE, 1_700_000_000_400, (outbound.SeatNumbers(2, 5, "playing", False),)
    ),
    "res": outbound.Res("8", True, 8, 1, None, None, SIG, HASH),
    "res again": outbound.Res("8", True, 8, 1, True, None, SIG, HASH),
    "res of a refusal": outbound.Res(
        "9", False, lane=1, code="illegal", reason="blocked", message="Ezt a lapot másik takarja"
    ),
    "res of a limit": outbound.Res("9", False, code="rate", message="Too fast", retry_ms=120),
    "resumed": outbound.Resumed(RACE, 9, 12),
    "matched": outbound.Matched(RACE),
    "crowd": outbound.Crowd(RACE, 1000),
    "eval": outbound.Eval(RACE, 12, (outbound.SeatEval(1, 4, {"score": 350, "removed": 35}, True),)),
    "drain": outbound.Drain(1000),
    "error": outbound.Error("bad_frame", "The message cannot be read."),
    "error about a race": outbound.Error("unavailable", "Ismeretlen", 1000, RACE),
    "pong": outbound.Pong(1234.5, 1_700_000_000_000),
    "matched by a rematch": outbound.Matched(RACE, RACE),
    "matched as an offer": outbound.Matched(RACE, None, "steady"),
    "res of a hint": outbound.Res("14", True, 8, 1, None, None, SIG, HASH, m="5"),
    "snap of a series": outbound.Snap(
        RACE, 5, HASH, {"game": "GO1-C", "series": 9}, "open", (), "join", 1_700_000_000_000,
        my=outbound.MySeat(1, 0, "playing", BOARD, "5"),
        previous=RACE,
        series={"leg": 2, "of": 9, "finished": 1, "par": 5, "totals": [{"rank": 1, "seat": 1, "strokes": 4}]},
        kept=({"seat": 2, "player": "p2", "name": "Béla", "kind": "person"},),
    ),
    "snap with lag": outbound.Snap(
        RACE, 1, HASH, {"game": "GO1-E"}, "live", (), "start", 1_700_000_000_000, lag=(outbound.SeatLag(2, 31),)
    ),
    "challenged": outbound.Challenged(
        RACE, outbound.Challenger("p2", "Béla", "person"), {"game": "GO1-E", "seats": 2}, 1_700_000_300_000
    ),
    "answered": outbound.Answered(RACE),
    "snap of a challenge that was declined": outbound.Snap(
        RACE, 3, HASH, {"game": "GO1-E"}, "voided", (), "watch", 1_700_000_000_000,
        voided={
            "reason": "cancelled", "why": "later", "by": {"seat": 2, "player": "p2", "name": "Béla", "kind": "person"},
        },
    ),
}  # fmt: skip
