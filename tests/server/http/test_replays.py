"""What is needed to replay a game: runs, records in one line, positions, files that somebody brings."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from engine.record import parse_record, positions
from engine.wire import inbound
from engine.wire.outbound import Ev, Snap
from tests.server.served import Server

CODE = "GO1-E-AAAAAAB"


async def _told(server: Server, method: str, path: str, **body: Any) -> tuple[int, Any]:
    async with server.http.request(method, path, **body) as answer:
        return answer.status, msgspec.json.decode(await answer.read())


async def _raced(server: Server) -> tuple[str, list[Ev]]:
    """A race of two, and the operations of both as a spectator was told them; the first undoes once, then settles."""
    anna, bela, watcher = await server.talker(), await server.talker(), await server.talker(boards=True)
    race = await server.started(anna, bela, code=CODE)
    await watcher.watch(race)
    await anna.play(race, "d 5 u d")
    await bela.play(race, "d")
    assert (await _told(server, "GET", f"/api/races/{race}/replay"))[0] == 409
    assert (await anna.ask(inbound.Done(race))).ok
    assert (await bela.ask(inbound.Resign(race))).ok
    await watcher.until(Snap, lambda snap: snap.reason == "end")
    return race, [one for one in watcher.heard if isinstance(one, Ev) and one.k in ("seat.played", "seat.undone")]


async def test_a_replay_is_what_spectators_were_shown(server: Server) -> None:
    """Every operation has the word, time and numbers of its event, and the positions of its record are those boards."""
    race, told = await _raced(server)
    status, replay = await _told(server, "GET", f"/api/races/{race}/replay")
    assert (status, replay["status"], replay["code"], len(replay["standings"])) == (200, "finished", CODE, 2)
    for run in replay["seats"]:
        events = [event for event in told if event.s == run["seat"]]
        assert [(one["m"], one["at"], one["score"], one["moves"]) for one in run["operations"]] == [
            (event.d.get("m", "u"), event.at, event.d["score"], event.d["moves"]) for event in events
        ]
        _, shown = await _told(server, "POST", "/api/positions", json={"record": run["record"]})
        assert (shown["code"], shown["of"], shown["positions"][0]["n"]) == (CODE, len(events), 0)
        assert [(one["n"], one["turned"], one["board"]) for one in shown["positions"][1:]] == [
            (event.d["n"], event.d["turned"], event.d["board"]) for event in events
        ]
        async with server.http.get(f"/api/races/{race}/record?seat={run['seat']}") as answer:
            assert (await answer.text()).rstrip("\n") == run["record"]
    anna, bela = replay["seats"]
    assert anna["record"] == f"{CODE} d 5 u d"
    assert (anna["status"], bela["status"], anna["operations"][1]["cleared"]) == ("done", "resigned", 1)
    for seat in ("0", "3", "x"):
        status, refused = await _told(server, "GET", f"/api/races/{race}/record?seat={seat}")
        assert (status in (400, 404), refused["reason"]) == (True, "seat")


async def test_a_file_is_verified_and_replayed(server: Server) -> None:
    """A replay file in either form comes back as the replay of its race; a changed one with its fault alone."""
    race, _ = await _raced(server)
    _, replay = await _told(server, "GET", f"/api/races/{race}/replay")
    for kind in ("application/octet-stream", "application/json"):
        async with server.http.get(f"/api/races/{race}/record", headers={"Accept": kind}) as answer:
            file = await answer.read()
        headers = {"Content-Type": kind}
        _, verdict = await _told(server, "POST", "/api/verify?replay", data=file, headers=headers)
        assert (verdict["ok"], verdict["replay"]) == (True, replay)
        _, verdict = await _told(server, "POST", "/api/verify?replay", data=file[:-9], headers=headers)
        assert (verdict["ok"], "replay" in verdict) == (False, False)


async def test_positions_come_a_page_at_a_time(server: Server) -> None:
    """At most a hundred at once; what is refused changes nothing and says why, in the caller's language."""
    record = f"{CODE} d 1 {'u d ' * 150}"
    _, page = await _told(server, "POST", "/api/positions", json={"record": record, "from": 2, "to": 999})
    assert [one["n"] for one in page["positions"]] == list(range(2, 102))
    assert page["of"] == 302
    refused = page["positions"][0]
    assert (refused["refused"], refused["board"]["moves"], refused["turned"]) == ("not_adjacent", 1, [])
    headers = {"Accept-Language": "hu"}
    _, page = await _told(server, "POST", "/api/positions", json={"record": record, "to": 2}, headers=headers)
    assert page["positions"][2]["message"] == "Eggyel magasabb vagy alacsonyabb rangúnak kell lennie"
    _, page = await _told(server, "POST", "/api/positions", json={"record": record, "from": 9_999})
    assert page["positions"] == []
    policy = {"record": f"{CODE} d u", "undo": "none"}
    _, page = await _told(server, "POST", "/api/positions", json=policy)
    assert [one.get("refused") for one in page["positions"]] == [None, None, "nothing_to_undo"]


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        pytest.param({}, "body", id="nothing"),
        pytest.param({"record": 7}, "record", id="no text"),
        pytest.param({"record": ""}, "game", id="no code"),
        pytest.param({"record": "GO1-E-AAAAAAA1"}, "length", id="a misspelt code"),
        pytest.param({"record": f"{CODE} {'d ' * 10_001}"}, "record", id="too many words"),
        pytest.param({"record": CODE, "from": -1}, "from", id="before the deal"),
        pytest.param({"record": CODE, "undo": "ever"}, "undo", id="no such policy"),
    ],
)
async def test_no_record_no_positions(server: Server, body: dict[str, Any], reason: str) -> None:
    """What is no record is refused by the field or the part of the code at fault."""
    status, told = await _told(server, "POST", "/api/positions", json=body)
    assert (status, told["reason"]) == (400, reason), told


def test_positions_of_a_record_begin_with_the_deal() -> None:
    """The pages of a record follow each other without a gap, and end with it."""
    record = parse_record(f"{CODE} d 5 2 zz u")
    whole = positions(record, 0, 99)
    assert [one.n for one in whole] == [0, 1, 2, 3, 4, 5]
    assert positions(record, 0, 2) + positions(record, 3, 5) == whole
    assert positions(record, 4, 3) == positions(record, 6, 9) == []
    assert (whole[0].m, whole[1].m, whole[4].refused) == (None, "d", "bad_move")
