"""Nobody is told what they may not see: every frame and every HTTP answer of whole races is scanned."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgpack
import msgspec
import pytest
from msgspec import Struct

from engine.cards import card_text
from engine.codes import deal, parse_code
from engine.deal import Deal
from engine.race.card import Watch
from engine.replay.verify import verify
from engine.wire import inbound
from engine.wire.codec import Subprotocol
from engine.wire.outbound import Ev, Eval, Matched, Outbound, Progress, Snap
from tests.server.conftest import Serve
from tests.server.served import Guest, Server, Talker

CARD = re.compile(r"(?:[2-9AJQK]|10)[SHDC]|\*[12]")
WORDS = "d d d d d d d d d d"


class Watcher(Struct):
    """Somebody whose every frame and answer is kept, each with what it is."""

    name: str
    talker: Talker
    guest: Guest | None
    answers: list[bytes]

    def values(self, since: int = 0) -> Iterator[Any]:
        """All that was told, decoded to plain values."""
        for frame in self.talker.frames[since:]:
            yield (
                msgpack.unpackb(frame) if self.talker.subprotocol is Subprotocol.MSGPACK else msgspec.json.decode(frame)
            )
        for answer in self.answers:
            for line in answer.splitlines():
                if line.startswith((b"{", b"[")):
                    yield msgspec.json.decode(line)

    def bytes_told(self) -> bytes:
        return b"\n".join([*self.talker.frames, *self.answers])


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for key, inner in value.items():
                yield from _texts(key)
                yield from _texts(inner)
        case list():
            for inner in value:
                yield from _texts(inner)
        case _:
            pass


def _cards(values: Iterator[Any]) -> set[str]:
    return {text for value in values for text in _texts(value) if CARD.fullmatch(text)}


def _face_up(dealt: Deal, drawn: int) -> set[str]:
    """What whoever sees a board of this deal knows after so many draws."""
    golf = len(dealt.columns) == 7
    cards = [card for column in dealt.columns for card in (column if golf else column[-1:])]
    cards += [*dealt.waste, *dealt.stock[:drawn]]
    return {card_text(card) for card in cards}


async def _ask_all(server: Server, race: str, watchers: list[Watcher]) -> None:
    """Make every call about the race, as everybody."""
    for watcher in watchers:
        bearer = watcher.guest.bearer if watcher.guest else {}
        for path in (
            "/api/races", "/api/races?status=live", f"/api/races/{race}", f"/api/races/{race}/events",
            f"/api/races/{race}/progress", f"/api/races/{race}/record", f"/api/races/{race}/replay",
            f"/api/races/{race}/analysis", "/metrics", "/readyz", "/api/bots", *(
                f"/api/players/{other.guest.player}" for other in watchers if other.guest
            ),
        ):  # fmt: skip
            async with server.http.get(path, headers=bearer) as answer:
                watcher.answers.append(await answer.read())
        headers = {"Accept": "application/msgpack", **bearer}
        async with server.http.get(f"/api/races/{race}/events", headers=headers) as answer:
            packed = msgpack.Unpacker()
            packed.feed(await answer.read())
            watcher.answers.extend(msgspec.json.encode(message) for message in packed)


async def _everybody(server: Server) -> list[Watcher]:
    guests = [await server.guest(name) for name in ("Anna", "Béla", "Cili", "Dezső")]
    kinds = [Subprotocol.MSGPACK, Subprotocol.JSON, Subprotocol.MSGPACK, Subprotocol.JSON]
    talkers = [
        await server.talker(guest, kind, boards=kind is Subprotocol.MSGPACK)
        for guest, kind in zip(guests, kinds, strict=True)
    ]
    seats = [Watcher(guest.name, talker, guest, []) for guest, talker in zip(guests, talkers, strict=True)]
    return [*seats, Watcher("nobody", await server.talker(), None, [])]


async def _until_told(talker: Talker, seq: int) -> None:
    """Read until everything up to a seq was told."""
    while max((_place(message) for message in talker.heard), default=0) < seq:
        await talker.next()


def _place(message: Outbound) -> int:
    match message:
        case Ev() | Snap():
            return message.seq
        case _:
            return getattr(message, "to", 0)


@pytest.mark.parametrize("watch", [Watch.BOARDS, Watch.NUMBERS])
@pytest.mark.parametrize("sealed", [False, True], ids=["open", "sealed"])
@pytest.mark.parametrize("game", ["GO1-E", "DS1-D1N"])
@pytest.mark.usefixtures("analyst")
async def test_nobody_is_told_too_much(serve: Serve, game: str, watch: Watch, sealed: bool) -> None:
    """A whole race of two seats, a spectator, a stranger who is signed in and one who is not.

    Before the start no card and no code is told. While it runs a seat knows its own board; a spectator the boards if
    the card says so; others' draws, moves, and of a sealed race code, salt and fine numbers, are told to nobody.
    """
    server = await serve(eval_ms=20)
    everybody = await _everybody(server)
    anna, bela, cili, *_ = everybody
    race = await server.race(await server.guest(), game=game, watch=watch.value, sealed=sealed)
    for watcher in (anna, bela):
        await watcher.talker.join(race)
    await cili.talker.watch(race)
    await _ask_all(server, race, everybody)
    for watcher in everybody:
        assert _cards(watcher.values()) == set(), watcher.name
        assert re.search(rb"[A-Z]{2}1-[A-Z0-9]+-[A-Z2-7]{7}", watcher.bytes_told()) is None, watcher.name
    for watcher in (anna, bela):
        assert (await watcher.talker.ask(inbound.Ready(race))).ok
    await anna.talker.had(Snap, lambda snap: snap.reason == "start")
    await anna.talker.play(race, "d d d")
    await bela.talker.play(race, WORDS)
    await anna.talker.play(race, "u", first=4)
    tail = max(_place(message) for message in anna.talker.heard)
    for watcher in (anna, bela, cili):
        await _until_told(watcher.talker, tail)
    if watch is Watch.BOARDS and not sealed:
        await cili.talker.had(Eval, lambda told: {seat.n for seat in told.seats} == {4, 10})
    await _ask_all(server, race, everybody)
    told = {watcher.name: (_cards(watcher.values()), watcher.bytes_told()) for watcher in everybody}
    _check_numbers(everybody, sealed, watch)
    _check_moves(everybody, watch)
    _check_evals(everybody, sealed, watch)
    assert not any(b'"verdict"' in watcher.bytes_told() for watcher in everybody)

    for watcher in (anna, bela):
        assert (await watcher.talker.ask(inbound.Resign(race))).ok
    end = await cili.talker.until(Snap, lambda snap: snap.reason == "end")
    code = parse_code(end.card["code"])
    dealt = deal(code)
    boards = watch is Watch.BOARDS
    known = {
        "Anna": _face_up(dealt, 3),
        "Béla": _face_up(dealt, 10),
        "Cili": _face_up(dealt, 10) if boards else set(),
        # Whoever is signed in may read what a spectator is told: of an open Golf board that is the draws.
        "Dezső": {card_text(card) for card in dealt.stock[:10]} if boards else set(),
        "nobody": set(),
    }
    for name, (cards, raw) in told.items():
        assert cards == known[name], name
        for secret in [str(end.salt)] + ([code.number, str(code)] if sealed else []):
            assert secret.encode() not in raw, (name, secret)
    await _ask_all(server, race, everybody)
    for watcher in everybody:
        assert code.number.encode() in watcher.bytes_told(), watcher.name
    _check_evals(everybody, sealed, watch)
    for watcher in (anna, bela, cili):
        await watcher.talker.had(Snap, lambda snap: snap.reason == "end")
        async with server.http.get(f"/api/races/{race}/record") as answer:
            verdict = verify(await answer.read(), [msgspec.json.encode(message) for message in watcher.talker.heard])
        assert (verdict.ok, verdict.fault) == (True, None), watcher.name
        assert verdict.frames > 10


def _check_numbers(everybody: list[Watcher], sealed: bool, watch: Watch) -> None:
    """What others know of a seat in a sealed race: cleared and status, as they were eight operations ago."""
    for number, watcher in enumerate(everybody, 1):
        for message in watcher.talker.heard:
            if not isinstance(message, Snap | Progress):
                continue
            for seat in message.seats:
                if seat.seat == number:
                    assert isinstance(message, Snap)
                elif sealed and not (watch is Watch.BOARDS and watcher.name == "Cili"):
                    assert seat.score is None, watcher.name
                    assert seat.moves is None, watcher.name


def _check_moves(everybody: list[Watcher], watch: Watch) -> None:
    """Nobody is told another's moves but a spectator who sees boards."""
    for number, watcher in enumerate(everybody, 1):
        spectator = watch is Watch.BOARDS and watcher.name in ("Cili", "Dezső")
        for value in watcher.values():
            if isinstance(value, dict) and str(value.get("k", "")).startswith("seat.") and "d" in value and value["d"]:
                assert spectator or value["s"] == number, (watcher.name, value)


def _check_evals(everybody: list[Watcher], sealed: bool, watch: Watch) -> None:
    """What solvers make of the boards is told to the spectator alone who sees them, and of no sealed race."""
    for watcher in everybody:
        evals = [message for message in watcher.talker.heard if isinstance(message, Eval)]
        if evals:
            assert (watcher.name, watch, sealed) == ("Cili", Watch.BOARDS, False)


async def test_sealed_numbers_are_old(server: Server) -> None:
    """In a sealed race the others' numbers move only with every eighth operation of a seat, in snaps and HTTP alike."""
    anna, bela = await server.talker(), await server.talker()
    race = await server.started(anna, bela, game="GO1-E", sealed=True)
    for played in range(1, 17):
        await anna.play(race, "d" if played % 2 else "u", first=played)
        shown = (await bela.join(race)).seats[0]
        async with server.http.get(f"/api/races/{race}") as answer:
            over_http = (await answer.json())["seats"][0]
        assert (shown.cleared, shown.score, shown.moves) == (0, None, None)
        assert {key: over_http.get(key) for key in ("cleared", "score", "moves")} == {
            "cleared": 0, "score": None, "moves": None,
        }  # fmt: skip


async def test_a_series_tells_no_deal_before_its_time(serve: Serve) -> None:
    """The second race of a sealed series begins by itself: its totals are told, its deal and cards are not."""
    server = await serve(series_delay_ms=0)
    everybody = await _everybody(server)
    anna, bela, cili, *_ = everybody
    race = await server.started(anna.talker, bela.talker, game="GO1-C", sealed=True, series=2, goal="strokes")
    for watcher in (anna, bela):
        assert (await watcher.talker.ask(inbound.Resign(race))).ok
    for watcher in (anna, bela):
        await watcher.talker.had(Snap, lambda snap: snap.reason == "end")
        following = (await watcher.talker.had(Matched)).race
    since = {watcher.name: len(watcher.talker.frames) for watcher in everybody}
    for watcher in everybody:
        watcher.answers.clear()
    for watcher in (anna, bela):
        await watcher.talker.join(following)
    await cili.talker.watch(following)
    await anna.talker.had(Snap, lambda snap: snap.race == following and bool(snap.my and snap.my.board))
    await anna.talker.play(following, WORDS)
    snap = await bela.talker.join(following)
    assert snap.series is not None
    assert [one["strokes"] for one in snap.series["totals"]] == [35, 35]
    tail = snap.seq
    for watcher in (anna, cili):
        await _until_told(watcher.talker, tail)
    await _ask_all(server, following, everybody)
    seen = {watcher.name: _cards(watcher.values(since[watcher.name])) for watcher in everybody}
    raw = {
        watcher.name: b"\n".join([*watcher.talker.frames[since[watcher.name] :], *watcher.answers])
        for watcher in everybody
    }
    for watcher in (anna, bela):
        assert (await watcher.talker.ask(inbound.Resign(following))).ok
    end = await anna.talker.had(Snap, lambda snap: snap.race == following and snap.reason == "end")
    for name, told in raw.items():
        assert parse_code(end.card["code"]).number.encode() not in told, name
        assert str(end.salt).encode() not in told, name
    dealt = deal(parse_code(end.card["code"]))
    assert seen["Anna"] == _face_up(dealt, 10)
    assert seen["Béla"] == _face_up(dealt, 0)
    assert seen["Cili"] == seen["Dezső"] == seen["nobody"] == set()


async def test_a_quick_race_tells_the_two_alone(serve: Serve) -> None:
    """Those who are paired are told a race's id and each other's names; a stranger learns no more than of any race."""
    server = await serve()
    everybody = await _everybody(server)
    anna, bela, cili, *_ = everybody
    for watcher in (anna, bela):
        assert (await watcher.talker.ask(inbound.Queue("GO1-E"))).ok
    race = (await anna.talker.had(Matched)).race
    await bela.talker.had(Matched)
    await _ask_all(server, race, everybody)
    for watcher in (cili, *everybody[3:]):
        assert not [frame for frame in watcher.talker.frames if race.encode() in frame], watcher.name
    for watcher in everybody:
        assert _cards(watcher.values()) == set(), watcher.name
        assert re.search(rb"[A-Z]{2}1-[A-Z0-9]+-[A-Z2-7]{7}", watcher.bytes_told()) is None, watcher.name
        assert b"address" not in watcher.bytes_told(), watcher.name


@pytest.mark.parametrize("watch", [Watch.BOARDS, Watch.NUMBERS])
async def test_hints_are_for_those_who_see_the_board(server: Server, watch: Watch) -> None:
    """A hint is a move: it is told to its seat, and to spectators, who are signed in, where these see the board."""
    everybody = await _everybody(server)
    anna, _, cili, *_ = everybody
    race = await server.started(anna.talker, game="GO1-E", watch=watch.value)
    await cili.talker.watch(race)
    hint = await anna.talker.ask(inbound.Hint(race))
    assert hint.ok
    await _until_told(cili.talker, hint.seq or 0)
    await _ask_all(server, race, everybody)
    knows = {"Anna", "Béla", "Cili", "Dezső"} if watch is Watch.BOARDS else {"Anna"}
    told = {
        watcher.name
        for watcher in everybody
        for value in watcher.values()
        if isinstance(value, dict) and value.get("k") == "seat.hinted"
    }
    assert told == knows
