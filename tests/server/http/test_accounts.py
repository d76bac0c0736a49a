"""Accounts over HTTP: names to oneself, other devices, signing out, scopes; and what admins rule."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest
from redis.asyncio import Redis

from engine.roster import ROSTER, OfferedBot, pack_roster
from engine.wire import inbound
from engine.wire.outbound import Snap
from server.players import Scope, Tokens, new_player
from server.settings import Durability
from server.store import keys
from server.store.keyring import KeyRing, rotated
from tests.redis_on import free_port, patient, redis_on
from tests.server.conftest import Serve
from tests.server.served import Guest, Server

CODE = "GO1-E-AAAAAAB"


async def call(server: Server, method: str, path: str, token: str | None = None, body: Any = None) -> tuple[int, Any]:
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    async with server.http.request(method, path, json=body, headers=headers) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


@pytest.fixture
def admin(ring: KeyRing) -> str:
    """A token such as `fairdeal keyring token --admin` prints."""
    return Tokens(ring).sign(msgspec.structs.replace(new_player("Ada"), scopes=(Scope.ADMIN,)))


async def test_what_may_be_lost_is_not_told(serve: Serve, admin: str, tmp_path: Path) -> None:
    """Where a replica is to have it and is gone, nobody is told of an account, a sign-out or a ban."""
    port, replica_port = free_port(), free_port()
    with redis_on(port, tmp_path / "master"):
        with redis_on(replica_port, tmp_path / "replica", "--replicaof", "127.0.0.1", str(port)):
            async with patient(port) as master:
                while not (await master.info("replication"))["connected_slaves"]:
                    pass
            server = await serve(f"redis://127.0.0.1:{port}", give_up_ms=2000, durability=Durability.REPLICA)
            anna = await server.guest("Anna")
            assert (await call(server, "POST", "/api/account", anna.token))[0] == 200
        for path, token, body in (
            ("/api/account", anna.token, {"name": "Bea"}),
            ("/api/account/sign_out", anna.token, None),
            (f"/api/admin/players/{anna.player}", admin, {"act": "ban", "why": "cheats"}),
        ):
            status, told = await call(server, "POST", path, token, body)
            assert (status, told["code"]) == (503, "unavailable")
        await server.stop()


async def test_a_name_to_oneself(server: Server) -> None:
    """Who claims a name has it alone: others are refused it and its look-alikes, as guests and as accounts."""
    anna, bela = await server.guest("Anna"), await server.guest("Béla")
    status, claimed = await call(server, "POST", "/api/account", anna.token)
    assert (status, claimed["name"], claimed["account"]) == (200, "Anna", True)
    status, shown = await call(server, "GET", "/api/account", claimed["token"])
    assert (status, shown) == (200, {key: value for key, value in claimed.items() if key != "token"})
    for path, token in (("/api/account", bela.token), ("/api/players", None)):
        status, told = await call(server, "POST", path, token, {"name": "Аnnа"})
        assert (status, told["code"], told["reason"]) == (409, "forbidden", "name")
    status, told = await call(server, "POST", "/api/account", bela.token, {"name": " Béla\n Kiss "})
    assert (status, told["name"]) == (200, "Béla Kiss")


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param({"name": "\u200b"}, "name", id="nothing to be seen"),
        pytest.param({"name": "Guest 1234"}, "name", id="a guest's"),
        pytest.param({"name": "gue5t".replace("5", "s") + "99"}, "name", id="looks like a guest's"),
        pytest.param({"name": "Ghost of Anna"}, "name", id="a ghost's"),
        pytest.param({"name": "LeveI-2"}, "name", id="looks like a bot's"),
        pytest.param({"name": "x" * 161}, "name", id="too long"),
        pytest.param({"name": 7}, "name", id="no text"),
        pytest.param([], "body", id="no object"),
    ],
)
async def test_names_that_nobody_claims(server: Server, redis: Redis, body: Any, reason: str) -> None:
    """A name that cannot be one's own is refused with what is wrong."""
    await redis.set(ROSTER, pack_roster([OfferedBot("level-2", "A beginner.", ("GO",))]))
    guest = await server.guest()
    status, told = await call(server, "POST", "/api/account", guest.token, body)
    assert (status, told["code"], told["reason"]) == (400, "bad_frame", reason)


async def test_a_link_moves_an_account(server: Server) -> None:
    """A link lets in on another device as the same player, once; whoever has no link is refused."""
    anna = await server.guest("Anna")
    status, link = await call(server, "POST", "/api/account/link", anna.token)
    assert (status, link["url"]) == (201, f"{server.url}/#link={link['link']}")
    status, there = await call(server, "POST", "/api/account/token", None, {"link": link["link"]})
    assert (status, there["player"], there["name"]) == (200, anna.player, "Anna")
    assert (await call(server, "GET", "/api/account", there["token"]))[1]["player"] == anna.player
    for wrong in (link["link"], "", "x"):
        status, told = await call(server, "POST", "/api/account/token", None, {"link": wrong})
        assert (status, told["reason"]) == (403, "link")


async def test_a_link_moves_the_name_that_was_claimed(server: Server) -> None:
    """The other device gets the account's name, whatever name the token that made the link has."""
    guest = await server.guest("Béla")
    assert (await call(server, "POST", "/api/account", guest.token, {"name": "Anna"}))[0] == 200
    _, link = await call(server, "POST", "/api/account/link", guest.token)
    status, there = await call(server, "POST", "/api/account/token", None, {"link": link["link"]})
    assert (status, there["player"], there["name"]) == (200, guest.player, "Anna")


async def test_signing_out_everywhere(serve: Serve) -> None:
    """After signing out no older token counts, on any node, nor does a link made before; the new one does."""
    server, other = await serve(), await serve()
    anna = await server.guest("Anna")
    _, link = await call(server, "POST", "/api/account/link", anna.token)
    status, fresh = await call(server, "POST", "/api/account/sign_out", anna.token)
    assert status == 200
    for node in (server, other):
        while (await call(node, "GET", "/api/account", anna.token))[0] != 401:
            pass
        assert (await call(node, "GET", "/api/account", fresh["token"]))[0] == 200
    assert (await call(server, "POST", "/api/account/token", None, {"link": link["link"]}))[0] == 403


@pytest.mark.parametrize("ahead_ms", [-900, 900])
async def test_signing_out_where_clocks_differ(server: Server, ring: KeyRing, ahead_ms: int) -> None:
    """A token of a node whose clock is off by most of a second ends all the same, and the new one goes on."""
    elsewhere = Tokens(ring, lambda: time.time_ns() // 1_000_000 + ahead_ms)
    anna = new_player("Anna")
    old, older = elsewhere.sign(anna), elsewhere.sign(anna)
    _, fresh = await call(server, "POST", "/api/account/sign_out", old)
    for token in (old, older):
        assert (await call(server, "GET", "/api/account", token))[0] == 401
    talker = await server.talker(Guest(anna.id, "Anna", fresh["token"]))
    assert talker.welcome is not None
    assert (await call(server, "GET", "/api/account", talker.welcome.token))[0] == 200


async def test_tokens_outlive_restart_and_rotation(serve: Serve, ring: KeyRing) -> None:
    """A guest's token is read after a restart, and by nodes whose ring has a newer key."""
    anna = await (await serve()).guest("Anna")
    again = await serve()
    assert (await call(again, "GET", "/api/account", anna.token))[1]["player"] == anna.player
    assert Tokens(rotated(ring)).read(anna.token).id == anna.player


async def test_scopes(server: Server) -> None:
    """A token is good for what it says: a bot's may be for playing only, and nobody asks for an admin's."""
    status, bot = await call(server, "POST", "/api/players", None, {"name": "Robi", "kind": "bot", "scopes": ["play"]})
    assert (status, (await call(server, "GET", "/api/account", bot["token"]))[1]["scopes"]) == (201, ["play"])
    status, told = await call(server, "POST", "/api/races", bot["token"], {"code": CODE})
    assert (status, told["code"], told["reason"]) == (403, "forbidden", "scope")
    status, told = await call(server, "POST", "/api/players", None, {"scopes": ["admin"]})
    assert (status, told["reason"]) == (403, "scopes")
    for method, path in (
        ("POST", "/api/admin/races/x"),
        ("POST", "/api/admin/players/x"),
        ("GET", "/api/admin/rulings"),
    ):
        assert (await call(server, method, path, bot["token"], {"act": "ban", "why": "x"}))[0] == 403
        assert (await call(server, method, path, None, {"act": "ban", "why": "x"}))[0] == 401


async def test_a_ban(serve: Serve, admin: str, redis: Redis) -> None:
    """A banned player may do nothing on any node until that is taken back; it stands in the rulings with its reason."""
    server, other = await serve(), await serve()
    eve = await server.guest("Eve")
    path = f"/api/admin/players/{eve.player}"
    race = await server.race(eve, code=CODE, listed=False)
    await (await server.talker(eve)).join(race)
    status, told = await call(server, "POST", path, admin, {"act": "ban", "why": "who?"})
    assert (status, told["reason"]) == (404, "player")
    first = {"act": "ban", "why": "three\u202e \x07accounts", "race": race}
    status, ruled = await call(server, "POST", path, admin, first)
    assert (status, ruled["act"], ruled["player"], ruled["why"]) == (200, "ban", eve.player, "three accounts")
    for node in (server, other):
        while (answer := await call(node, "POST", "/api/races", eve.token, {"code": CODE}))[0] != 403:
            pass
        assert answer[1]["reason"] == "banned"
    assert (await call(server, "POST", path, admin, {"act": "unban", "why": "they were sisters"}))[0] == 200
    assert (await call(server, "GET", "/api/account", eve.token))[0] == 200
    _, all_of_them = await call(server, "GET", "/api/admin/rulings?limit=10", admin)
    assert [(one["act"], one["why"]) for one in all_of_them["rulings"]] == [
        ("unban", "they were sisters"),
        ("ban", "three accounts"),
    ]
    assert all(one["by"] and one["at"] for one in all_of_them["rulings"])


async def test_rulings_on_races(server: Server, admin: str, redis: Redis) -> None:
    """A race that goes on is closed, void; one that is over is voided and restored, and its results with it."""
    guest = await server.guest("Anna")
    anna = await server.talker(guest)
    running = await server.started(anna, code=CODE)
    path = f"/api/admin/races/{running}"
    assert (await call(server, "POST", path, admin, {"act": "void", "why": "x"}))[0] == 409
    assert (await call(server, "POST", path, admin, {"act": "close", "why": "a test"}))[0] == 200
    end = await anna.until(Snap, lambda snap: snap.reason == "end")
    assert end.status == "voided"
    assert (await call(server, "POST", path, admin, {"act": "close", "why": "x"}))[0] == 409
    over = await server.started(anna, code=CODE)
    assert (await anna.ask(inbound.Done(over))).ok
    await anna.until(Snap, lambda snap: snap.reason == "end" and snap.race == over)
    for act, listed in (("void", False), ("restore", True), ("void", False)):
        status, _ = await call(server, "POST", f"/api/admin/races/{over}", admin, {"act": act, "why": "x"})
        assert status == 200
        assert (await redis.zscore(keys.results_on(CODE), over) is not None) is listed
    assert (await call(server, "POST", "/api/admin/races/x", admin, {"act": "void", "why": "x"}))[0] == 404


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"act": "ban"},
        {"act": "ban", "why": ""},
        {"act": "ban", "why": "\u200b\t"},
        {"act": "void", "why": "x"},
        {"act": "hang", "why": "x"},
        {"act": "void", "why": "x" * 501},
    ],
)
async def test_decisions_need_an_act_and_a_reason(server: Server, admin: str, body: Any) -> None:
    """A ruling without what it does or why is none."""
    status, told = await call(server, "POST", "/api/admin/players/eve", admin, body)
    assert (status, told["code"]) == (400, "bad_frame")


async def test_a_bad_token_has_no_side_effect(server: Server, redis: Redis, ring: KeyRing) -> None:
    """Whatever is asked with a token that is not ours is refused before anything is done."""
    forged = Tokens(rotated(ring)).sign(new_player("Eve"))
    before = await _names(redis)
    for method, path, body in (
        ("POST", "/api/races", {"code": CODE}),
        ("POST", "/api/account", {"name": "Eve"}),
        ("POST", "/api/account/link", None),
        ("POST", "/api/account/sign_out", None),
        ("POST", "/api/daily/GO", None),
        ("POST", "/api/admin/players/x", {"act": "ban", "why": "x"}),
    ):
        assert (await call(server, method, path, forged, body))[0] == 401
    assert await _names(redis) == before


async def _names(redis: Redis) -> set[bytes]:
    """What there is in Redis, but for the leases of the nodes."""
    return {name for name in await redis.keys("*") if not name.startswith(b"{nodes}")}


async def test_a_school_behind_one_address(server: Server) -> None:
    """Sixty players from one address come in at once, claim names, race and look around; nobody is told to wait."""

    async def pupil(number: int) -> list[int]:
        guest: Guest = await server.guest(f"Pupil {number}")
        talker = await server.talker(guest)
        paths = ("/api/races", "/api/ladders", f"/api/codes/{CODE}", "/api/daily", f"/api/players/{guest.player}")
        statuses = [(await call(server, "GET", path, guest.token))[0] for path in paths]
        statuses.append((await call(server, "POST", "/api/account", guest.token))[0])
        race = await server.race(guest, code=CODE, seats=1)
        await talker.join(race)
        assert (await talker.ask(inbound.Ready(race))).ok
        await talker.until(Snap, lambda snap: snap.reason == "start")
        await talker.play(race, "d d d")
        await talker.close()
        return statuses

    for statuses in await asyncio.gather(*(pupil(number) for number in range(60))):
        assert statuses == [200] * 6
