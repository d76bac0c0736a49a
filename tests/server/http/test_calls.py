"""The HTTP calls: what they give, and how they refuse."""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
import pytest

from engine.refusals import ErrorCode
from engine.texts import text_of
from engine.wire import inbound
from engine.wire.outbound import Snap
from tests.server.conftest import Serve
from tests.server.served import Guest, Server

CODE = "GO1-E-AAAAAAB"


async def _get(server: Server, path: str, guest: Guest | None = None, **headers: str) -> tuple[int, Any]:
    async with server.http.get(path, headers={**(guest.bearer if guest else {}), **headers}) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


async def _finished(server: Server, words: str = "d 5 2", **card: Any) -> tuple[str, Guest]:
    guest = await server.guest("Anna")
    anna = await server.talker(guest)
    race = await server.started(anna, **card)
    await anna.play(race, words)
    assert (await anna.ask(inbound.Done(race))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end")
    return race, guest


async def test_players_are_guests(server: Server) -> None:
    """Anybody becomes a guest, a bot says its engine; the body may be missing."""
    anna = await server.guest("Anna")
    bot = await server.guest("Robi", kind="bot", engine="greedy 1")
    assert (anna.name, bot.name) == ("Anna", "Robi")
    async with server.http.post("/api/players") as answer:
        assert answer.status == 201
        assert (await answer.json())["name"].startswith("Guest ")


async def test_race_is_offered_once_per_key(server: Server) -> None:
    """The same Idempotency-Key gives the same race; without one each call makes a new race."""
    guest, other = await server.guest(), await server.guest()
    made = []
    for player, headers in ((guest, {"Idempotency-Key": "k"}), (guest, {"Idempotency-Key": "k"}), (guest, {})):
        async with await server.offer(player, {"code": CODE}, **headers) as answer:
            assert answer.status == 201
            body = await answer.json()
        assert body["join_url"] == f"{server.url}/r/{body['race']}"
        assert body["watch_url"] == f"{server.url}/w/{body['race']}"
        made.append(body["race"])
    async with await server.offer(other, {"code": CODE}, **{"Idempotency-Key": "k"}) as answer:
        made.append((await answer.json())["race"])
    assert made[0] == made[1]
    assert len(set(made)) == 3


async def test_links_name_the_public_address(serve: Serve) -> None:
    """Links name the address that the settings give, where they do."""
    server = await serve(public_url="https://fairdeal.example/")
    async with await server.offer(await server.guest(), {"code": CODE}) as answer:
        assert (await answer.json())["join_url"].startswith("https://fairdeal.example/r/")


async def test_links_name_no_address_that_is_none(server: Server) -> None:
    """Where links would name what was called, that has to be an address, before anything is made."""
    guest = await server.guest()
    async with await server.offer(guest, {"code": CODE}, Host="a:99999") as answer:
        assert (answer.status, (await answer.json())["reason"]) == (400, "Host")
    async with server.http.get("/api/races") as answer:
        assert (await answer.json())["races"] == []


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br"])
async def test_bodies_are_read_as_they_come(server: Server, coding: str) -> None:
    """A body is not unpacked, whatever it says that it is."""
    async with server.http.post("/api/players", data=b"x" * 100, headers={"Content-Encoding": coding}) as answer:
        assert (answer.status, (await answer.json())["reason"]) == (400, "body")


@pytest.mark.parametrize(
    ("body", "status", "code", "reason"),
    [
        pytest.param(b"{", 400, "bad_frame", "body", id="no JSON"),
        pytest.param(b"[]", 400, "bad_frame", "body", id="no object"),
        pytest.param(b"{}", 400, "bad_frame", "game", id="no game"),
        pytest.param(b'{"game": 7}', 400, "bad_frame", "game", id="game that is no text"),
        pytest.param(b'{"game": "GO1-E", "seats": 101}', 400, "bad_frame", "seats", id="too many seats"),
        pytest.param(b'{"game": "GO1-E", "seats": "2"}', 400, "bad_frame", "seats", id="seats as text"),
        pytest.param(b'{"game": "GO1-E", "goal": "fun"}', 400, "bad_frame", "goal", id="unknown goal"),
        pytest.param(b'{"game": "GO1-E", "rated": true}', 400, "bad_frame", "rated", id="rated"),
        pytest.param(b'{"code": "GO1-E-AAAAAAB", "sealed": true}', 400, "bad_frame", "code", id="sealed open code"),
        pytest.param(b'{"code": "GO1-E-AAAAAA!"}', 400, "unknown_code", "letter", id="code with a bad letter"),
        pytest.param(b'{"game": "XX1-E"}', 400, "unknown_code", "game", id="unknown game"),
        pytest.param(b'{"name": "' + b"x" * 70_000 + b'"}', 413, "bad_frame", "body", id="body too long"),
        pytest.param(b"\xff\xfe", 400, "bad_frame", "body", id="no UTF-8"),
        pytest.param(b"[" * 5_000, 400, "bad_frame", "body", id="nested too deep"),
    ],
)
async def test_wrong_cards(server: Server, body: bytes, status: int, code: str, reason: str) -> None:
    """A race card that cannot be offered is refused with the field at fault."""
    guest = await server.guest()
    async with server.http.post("/api/races", data=body, headers=guest.bearer) as answer:
        told = await answer.json()
        assert (answer.status, told["code"], told["reason"]) == (status, code, reason)
        assert told["message"]


@pytest.mark.parametrize(
    ("method", "path", "headers", "status", "code"),
    [
        pytest.param("POST", "/api/races", {}, 401, "auth", id="no token"),
        pytest.param("POST", "/api/races", {"Authorization": "Bearer x"}, 401, "auth", id="wrong token"),
        pytest.param("POST", "/api/races", {"Authorization": "Basic x"}, 401, "auth", id="another scheme"),
        pytest.param("GET", "/api/races/nosuchrace", {}, 404, "unknown_race", id="unknown race"),
        pytest.param("GET", "/api/races/nosuchrace/events", {}, 404, "unknown_race", id="unknown race's events"),
        pytest.param("GET", "/api/races/nosuchrace/record", {}, 404, "unknown_race", id="unknown race's record"),
        pytest.param("GET", "/api/races?status=gone", {}, 400, "bad_frame", id="unknown status"),
        pytest.param("GET", "/api/races?cursor=x", {}, 400, "bad_frame", id="wrong cursor"),
        pytest.param("GET", "/api/races?code=x", {}, 400, "unknown_code", id="wrong code in a filter"),
        pytest.param("GET", "/api/races?limit=-1", {}, 400, "bad_frame", id="wrong limit"),
        pytest.param("GET", "/api/codes/GO1-E-A", {}, 404, "unknown_code", id="unknown code"),
        pytest.param("GET", "/api/nothing", {}, 404, "bad_frame", id="unknown call"),
        pytest.param("PUT", "/api/races", {}, 405, "bad_frame", id="another method"),
        pytest.param("GET", "/web/../app.py", {}, 404, "bad_frame", id="a file that is not the page's"),
        pytest.param("GET", "/web/app.js%00", {}, 404, "bad_frame", id="a file that no system can name"),
        pytest.param("GET", "/web/README.md", {}, 404, "bad_frame", id="a file that is not for browsers"),
        pytest.param("GET", "/ws", {}, 400, "bad_frame", id="no WebSocket"),
    ],
)
async def test_refused_calls(
    server: Server, method: str, path: str, headers: dict[str, str], status: int, code: str
) -> None:
    """A call that is refused says so with status and code, and a sentence in the caller's language."""
    headers = {**headers, "Accept-Language": "de, vi;q=0.5,  hu ; q = 0.9 , en ;"}
    async with server.http.request(method, path, headers=headers) as answer:
        assert answer.content_type == "application/json"
        told = await answer.json()
        assert (answer.status, told["code"]) == (status, code)
        assert told["message"].startswith(text_of(ErrorCode(code), "hu"))


@pytest.mark.parametrize(
    ("path", "language", "message"),
    [
        (
            "/api/codes/GO1-E-A",
            "en",
            "This is not a game code. (wrong length: expected 7 or 26 letters in the number part, found '1: A')",
        ),
        (
            "/api/codes/GO1-E-AAAA9AB",
            "hu",
            "Ez nem játszmakód. (a számban csak A–Z betű és 2–7 számjegy állhat, nem '9')",
        ),
        (
            "/api/ladders/zz",
            "en",
            "There is no such ladder. (expected a game and one of people, bots, all, as in GO1-C-people)",
        ),
        ("/api/ladders/zz", "vi", "Không có bảng xếp hạng này."),
        ("/api/daily/GO/2999-01-01", "en", "The race is not over yet. (expected a day that is over (UTC))"),
        ("/api/daily/GO/2999-01-01", "hu", "A verseny még nem ért véget."),
        ("/api/races?limit=-1", "hu", "Az üzenet nem olvasható. (limit: expected a whole number from 1 to 100)"),
    ],
)
async def test_a_refusal_is_worded_for_its_reader(server: Server, path: str, language: str, message: str) -> None:
    """What the page may ask for is refused in one language; what only a program gets wrong, in English too."""
    async with server.http.get(path, headers={"Accept-Language": language}) as answer:
        assert message == (await answer.json())["message"]


async def test_rates(serve: Serve) -> None:
    """Calls that come too often are refused with when to try again."""
    server = await serve()
    answers = await asyncio.gather(*(server.http.post("/api/verify", data=b"x") for _ in range(30)))
    refused = [answer for answer in answers if answer.status != 200]
    assert 0 < len(refused) <= 20
    for answer in refused:
        told = await answer.json()
        assert (answer.status, told["code"]) == (429, "rate")
        assert 0 < told["retry_ms"] <= 1000
        assert answer.headers["Retry-After"] == "1"


async def test_race_is_shown(server: Server) -> None:
    """A race shows card, seats and status; after the end standings, code and salt."""
    creator = await server.guest("Anna")
    race = await server.race(creator, game="GO1-E", sealed=True)
    status, shown = await _get(server, f"/api/races/{race}")
    assert (status, shown["race"], shown["status"], shown["creator"]) == (200, race, "open", creator.player)
    assert len(shown["commitment"]) == 64
    assert {"code", "salt", "standings", "my", "t"}.isdisjoint(shown)
    race, guest = await _finished(server, code=CODE)
    status, shown = await _get(server, f"/api/races/{race}")
    assert (status, shown["status"], shown["code"]) == (200, "finished", CODE)
    assert len(shown["salt"]) == 32
    assert [(one["rank"], one["player"]) for one in shown["standings"]] == [(1, guest.player)]
    assert shown["seats"][0]["board"]["removed"] == 2


async def test_record_and_verdict(server: Server) -> None:
    """The replay file of a race that is over is verified as `fairdeal verify` does it; a changed one is not."""
    race, _ = await _finished(server, code=CODE)
    async with server.http.get(f"/api/races/{race}/record") as answer:
        assert answer.content_type == "application/octet-stream"
        record = await answer.read()
    async with server.http.get(f"/api/races/{race}/record", headers={"Accept": "application/json"}) as answer:
        as_json = await answer.read()
    for body, kind in ((record, "application/octet-stream"), (as_json, "application/json")):
        async with server.http.post("/api/verify", data=body, headers={"Content-Type": kind}) as answer:
            verdict = await answer.json()
        assert (verdict["ok"], verdict["race"], verdict["code"]) == (True, race, CODE)
    for body in (record[:-1], b"", as_json):
        async with server.http.post("/api/verify", data=body) as answer:
            assert not (await answer.json())["ok"]
    open_race = await server.race(await server.guest(), code=CODE)
    status, told = await _get(server, f"/api/races/{open_race}/record")
    assert (status, told["reason"]) == (409, "not_over")


async def test_the_wire_describes_itself(server: Server) -> None:
    """The schema of all messages and of the race card comes as JSON."""
    async with server.http.get("/api/schema") as answer:
        assert {"client_message", "server_message", "race_card"} <= (await answer.json())["$defs"].keys()


async def test_code_shows_cards_and_results(server: Server) -> None:
    """An open code, however it is typed, shows its cards, the finished races and the best results on it."""
    race, guest = await _finished(server, code=CODE)
    while True:
        status, shown = await _get(server, "/api/codes/go1%20e%20aaaaaab")
        if shown["races"]:
            break
    assert (status, shown["code"], shown["published"]) == (200, CODE, True)
    assert [len(column) for column in shown["columns"]] == [5] * 7
    assert [one["race"] for one in shown["races"]] == [race]
    assert [(one["race"], one["seat"], one["player"]) for one in shown["best"]] == [(race, 1, guest.player)]


async def test_code_shows_races_under_option_o(server: Server) -> None:
    """A code of Double Solitaire shows the races by score on its deal, which are played with the option `O`."""
    race, _ = await _finished(server, "d d", code="DS1-D1N-AAAAAAB")
    for code in ("DS1-D1NO-AAAAAAB", "DS1-D1N-AAAAAAB"):
        while True:
            _, shown = await _get(server, f"/api/codes/{code}")
            if shown["races"]:
                break
        assert [one["race"] for one in shown["races"]] == [race]


async def test_player_shows_results(server: Server) -> None:
    """A player shows the name last raced under and the results, newest first."""
    race, guest = await _finished(server, code=CODE)
    while True:
        _, shown = await _get(server, f"/api/players/{guest.player}")
        if shown["results"]:
            break
    assert (shown["name"], shown["kind"]) == ("Anna", "person")
    assert [(one["race"], one["rank"], one["code"]) for one in shown["results"]] == [(race, 1, CODE)]
    status, unknown = await _get(server, "/api/players/nobody")
    assert (status, unknown["reason"]) == (404, "player")


async def test_lobby_is_paged(server: Server) -> None:
    """The lobby lists open races, newest first, a page at a time; unlisted ones are found by their id only."""
    guest = await server.guest()
    races = [await server.race(guest, code=CODE) for _ in range(5)]
    await server.race(guest, code=CODE, listed=False)
    while len((await _get(server, "/api/races?status=open"))[1]["races"]) < 5:
        pass
    found: list[str] = []
    path = "/api/races?status=open&limit=2"
    while True:
        _, page = await _get(server, path)
        found += [one["race"] for one in page["races"]]
        if "cursor" not in page:
            break
        path = f"/api/races?status=open&limit=2&cursor={page['cursor']}"
    assert sorted(found) == sorted(races)
    assert (await _get(server, "/api/races?status=finished"))[1] == {"races": []}


@pytest.mark.parametrize("path", ["/", "/r/abc", "/w/abc", "/c/GO1-E-AAAAAAB", "/p/abc"])
async def test_page(server: Server, path: str) -> None:
    """Every address of the page is the one document, under a strict content policy, asked for anew by its ETag."""
    async with server.http.get(path) as answer:
        assert (answer.status, answer.content_type) == (200, "text/html")
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'self'")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Cache-Control"] == "no-cache"
        etag = answer.headers["ETag"]
    async with server.http.get(path, headers={"If-None-Match": etag}) as answer:
        assert answer.status == 304


@pytest.mark.parametrize(
    ("path", "kind"),
    [("/web/app.js", "text/javascript"), ("/web/style/page.css", "text/css"), ("/web/icon.svg", "image/svg+xml")],
)
async def test_web_files(server: Server, path: str, kind: str) -> None:
    """The page's files bear the types that browsers insist on."""
    async with server.http.get(path) as answer:
        assert (answer.status, answer.content_type) == (200, kind)
