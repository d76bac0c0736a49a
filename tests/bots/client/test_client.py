"""The client against a server that loses connections, answers late, twice or not at all."""

import asyncio
from pathlib import Path
from random import Random

import msgspec
import pytest
from aiohttp import web
from aiohttp.test_utils import TestServer

from bots.client import Client, Closed, Refused, ServerUnreachable
from engine.wire.codec import Subprotocol
from engine.wire.inbound import Hello, Join, Leave, Play, Queue, Ready, Receipt, Resume
from engine.wire.outbound import Error, Ev, Res, Resumed, Skip, Welcome
from tests.bots.client.scripted import BOARD, TOKEN, WELCOME, Peer, Script, scripted, snap


class Still(Random):
    """No jitter: the shortest waits."""

    def random(self) -> float:
        return 0.0


def client_of(server: str, subprotocol: Subprotocol = Subprotocol.MSGPACK, seen: Path | None = None) -> Client:
    return Client(server, name="Ann", subprotocol=subprotocol, seen=seen, chance=Still())


def played(seq: int, n: int, m: str) -> Ev:
    """Ann's operation `n`, with the board after it."""
    board = {"legal": [], "n": n}
    return Ev("r", seq, 0, f"h{seq}", "seat.played", 1, {"n": n, "m": m, "status": "playing", "board": board})


async def seated(peer: Peer, seq: int = 4) -> None:
    """Welcome Ann and give her the seat."""
    await peer.welcome()
    join = await peer.hear()
    assert isinstance(join, Join)
    assert join.id is not None
    await peer.say(Res(join.id, True, seq=seq, hash=f"h{seq}", sig=f"s{seq}"), snap(seq))


async def play(peer: Peer) -> tuple[str, int, str]:
    """The id, number and word of the next play heard."""
    asked = await peer.hear()
    assert isinstance(asked, Play)
    assert asked.id is not None
    return asked.id, asked.n, asked.m


async def leave_open(peer: Peer) -> None:
    """Hear until the client goes."""
    while True:
        await peer.hear()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"<html>", id="a page"),
        pytest.param(b"", id="nothing"),
        pytest.param(b"{}", id="another object"),
        pytest.param(b'{"player":"\xff"}', id="no text"),
        pytest.param(b'{"player":' + b"[" * 100_000, id="deep nesting"),
    ],
)
async def test_something_else_answers(answer: bytes) -> None:
    """Another program at the server's address is told as such, not as a fault of the client's."""

    async def something(_: web.Request) -> web.Response:
        return web.Response(body=answer)

    other = web.Application()
    other.router.add_route("*", "/{path:.*}", something)
    async with TestServer(other) as server:
        with pytest.raises(ServerUnreachable, match="found: something else that answers"):
            await client_of(str(server.make_url("/"))).__aenter__()


async def test_an_address_that_leads_in_a_circle() -> None:
    """A server that sends on and on is none."""

    async def onwards(request: web.Request) -> web.Response:
        raise web.HTTPTemporaryRedirect(request.path)

    other = web.Application()
    other.router.add_route("*", "/{path:.*}", onwards)
    async with TestServer(other) as server:
        with pytest.raises(ServerUnreachable):
            await client_of(str(server.make_url("/"))).__aenter__()


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
async def test_play_is_answered_in_either_subprotocol(subprotocol: Subprotocol) -> None:
    """A guest joins, plays, and knows the board after its operation when the answer comes."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        asked = await play(peer)
        assert asked[1:] == (1, "d")
        await peer.say(played(5, 1, "d"), Res(asked[0], True, seq=5, hash="h5", lane=1, sig="s5"))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server, subprotocol) as client:
        race = await client.join("r")
        assert (client.player, client.token, race.board) == ("ann", TOKEN, BOARD)
        res = await client.play("r", "d")
        assert (res.lane, race.lane, race.board) == (1, 1, {"legal": [], "n": 1})


async def test_play_is_sent_again_with_the_same_number_until_it_is_answered() -> None:
    """Lost before the answer, a play goes out again as it was, on the next connection, which resumes the race."""

    async def first(peer: Peer) -> None:
        await seated(peer)
        await play(peer)
        peer.cut()

    async def second(peer: Peer) -> None:
        hello = await peer.welcome()
        assert hello == Hello(1, TOKEN, "Ann", boards=True, resume=(Resume("r", "seat", 4, "h4", "s4"),))
        await peer.say(Resumed("r", 5, 5), played(5, 1, "d"))
        asked = await play(peer)
        assert asked[1:] == (1, "d")
        await peer.say(Res(asked[0], True, seq=5, hash="h5", lane=1, dup=True, sig="s5"))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        race = await client.join("r")
        res = await client.play("r", "d")
        assert (res.dup, race.lane, race.seq) == (True, 1, 5)


async def test_plays_on_their_way_are_numbered_one_after_the_other_and_sent_again_in_order() -> None:
    """Three plays need no answers in between, and survive a loss in their order."""

    async def first(peer: Peer) -> None:
        await seated(peer)
        assert [(await play(peer))[1:] for _ in range(3)] == [(1, "d"), (2, "3"), (3, "u")]
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        for n, m in ((1, "d"), (2, "3"), (3, "u")):
            asked = await play(peer)
            assert asked[1:] == (n, m)
            await peer.say(Res(asked[0], True, lane=n))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        await client.join("r")
        answers = await asyncio.gather(*(client.play("r", m) for m in ("d", "3", "u")))
        assert [answer.lane for answer in answers] == [1, 2, 3]


async def test_a_refused_play_voids_those_after_it() -> None:
    """What counted on a refused operation is refused with it, and its number is used anew."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        (first, *_), (second, *_) = await play(peer), await play(peer)
        await peer.say(
            Res(first, False, code="illegal", reason="not_adjacent", message="no", lane=0),
            Res(second, False, code="stale_lane", lane=0),
        )
        again = await play(peer)
        assert again[1:] == (1, "d")
        await peer.say(Res(again[0], True, lane=1))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        await client.join("r")
        first, second = await asyncio.gather(client.play("r", "1"), client.play("r", "2"), return_exceptions=True)
        assert isinstance(first, Refused)
        assert (first.code, first.reason, first.lane) == ("illegal", "not_adjacent", 0)
        assert isinstance(second, Refused)
        assert second.code == "stale_lane"
        assert (await client.play("r", "d")).lane == 1


@pytest.mark.parametrize("code", ["unavailable", "busy", "rate"])
async def test_what_cannot_be_answered_now_is_asked_again(code: str) -> None:
    """After `unavailable` and its like the same play goes out again, and so does what was sent after it."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        (first, *_), (second, *_) = await play(peer), await play(peer)
        await peer.say(
            Res(first, False, code=code, retry_ms=1),
            Res(second, False, code="stale_lane", lane=0),
        )
        assert [await play(peer), await play(peer)] == [(first, 1, "1"), (second, 2, "2")]
        await peer.say(Res(first, True, lane=1), Res(second, True, lane=2))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        await client.join("r")
        answers = await asyncio.gather(client.play("r", "1"), client.play("r", "2"))
        assert [answer.lane for answer in answers] == [1, 2]


async def test_what_is_refused_together_is_asked_again_once_in_each_round() -> None:
    """However many operations are refused, and however often, each goes out once a round: a flood is no patience."""
    words, rounds = "123456", 3

    async def script(peer: Peer) -> None:
        await seated(peer)
        for _ in range(rounds):
            heard = [await play(peer) for _ in words]
            assert [word for _, _, word in heard] == list(words)
            await peer.say(*(Res(one, False, code="unavailable", retry_ms=1) for one, _, _ in heard))
        for n, (one, _, _) in enumerate([await play(peer) for _ in words], 1):
            await peer.say(Res(one, True, lane=n))
        ready = await peer.hear()
        assert isinstance(ready, Ready)  # And nothing before it.
        await peer.say(Res(ready.id or "", True))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        await client.join("r")
        answers = await asyncio.gather(*(client.play("r", word) for word in words))
        assert [answer.lane for answer in answers] == list(range(1, len(words) + 1))
        await client.ready("r")


async def test_nothing_is_asked_again_for_whoever_has_gone() -> None:
    """Who waits for no quick race any more enters none, and who has left a race does not take a seat in it again."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        queue = await peer.hear()
        assert isinstance(queue, Queue)
        await peer.say(
            Error("unavailable", "later", 20, "r"), Res(queue.id or "", False, code="unavailable", retry_ms=20)
        )
        leave = await peer.hear()
        assert isinstance(leave, Leave)
        await peer.say(Res(leave.id or "", True, seq=5, hash="h5"))
        ready = await peer.hear()
        assert isinstance(ready, Ready)  # And nothing before it.
        await peer.say(Res(ready.id or "", True))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        await client.join("r")
        messages = client.messages()
        queued = asyncio.create_task(client.queue("GO1"))
        heard = [await anext(messages), await anext(messages)]
        assert [type(one) for one in heard] == [Error, Res]
        queued.cancel()
        await client.leave("r")
        # What was due is later than this only where the loop's clock stands still.
        due = asyncio.Event()
        asyncio.get_running_loop().call_later(0.04, due.set)
        await due.wait()
        await client.ready("r")


async def test_commands_wait_while_there_is_no_connection() -> None:
    """What is said between two connections goes out on the next one."""
    lost = asyncio.Event()

    async def first(peer: Peer) -> None:
        await seated(peer)
        await peer.close(1012)
        lost.set()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        ready = await peer.hear()
        assert isinstance(ready, Ready)
        assert ready.id is not None
        await peer.say(Res(ready.id, True))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        await client.join("r")
        await lost.wait()
        assert (await client.ready("r")).ok


async def test_a_join_whose_snapshot_was_lost_is_made_again() -> None:
    """The seat is had but not seen: after the loss the client asks for it once more."""

    async def first(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.hear()
        assert isinstance(join, Join)
        await peer.say(Res(join.id or "", True))
        peer.cut()

    async def second(peer: Peer) -> None:
        assert (await peer.welcome()).resume == ()
        join = await peer.hear()
        assert isinstance(join, Join)
        await peer.say(Res(join.id or "", True), snap(4))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        assert (await client.join("r")).seq == 4


async def test_a_receipt_is_shown_only_for_what_it_proves() -> None:
    """Once more has been seen than the last receipt proves, it is shown as what it is: of an entry before."""

    async def first(peer: Peer) -> None:
        await seated(peer)
        await peer.say(Skip("r", 5, 9, "h9"))
        await peer.close(1001)

    async def second(peer: Peer) -> None:
        assert (await peer.welcome()).resume == (Resume("r", "seat", 9, "h9", receipt=Receipt(4, "h4", "s4")),)
        await peer.say(snap(10))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        race = await client.join("r")
        await race.until(lambda race: race.seq == 10)


async def test_a_race_that_cannot_be_resumed_now_is_joined_again() -> None:
    """The node is back before its Redis: the client asks again after the time it was told, and goes on."""

    async def first(peer: Peer) -> None:
        await seated(peer)
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        await peer.say(Error("unavailable", "try again", 1, "r"))
        for again in (False, True):
            join = await peer.hear()
            assert isinstance(join, Join)
            refused = Res(join.id or "", False, code="unavailable", retry_ms=1)
            await peer.say(Res(join.id or "", True) if again else refused)
        await peer.say(snap(7))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        race = await client.join("r")
        await race.until(lambda race: race.seq == 7)


async def test_a_play_that_is_confirmed_before_it_is_shown_counts() -> None:
    """A play is answered before its race can be taken up again: the next has the next number and the new board."""

    async def first(peer: Peer) -> None:
        await seated(peer)
        assert (await play(peer))[1:] == (1, "d")
        peer.cut()

    async def second(peer: Peer) -> None:
        await peer.welcome()
        command_id, n, _ = await play(peer)
        await peer.say(Res(command_id, True, seq=5, hash="h5", lane=n, dup=True))
        assert (await play(peer))[1:] == (2, "3")
        await peer.say(Error("unavailable", "try again", 1, "r"))
        join = await peer.hear()
        assert isinstance(join, Join)
        await peer.say(Res(join.id or "", True), snap(5, lane=1))
        await leave_open(peer)

    async with scripted(first, second) as server, client_of(server) as client:
        race = await client.join("r")
        on_their_way = [asyncio.create_task(client.play("r", "d"))]
        await race.until(lambda race: race.confirmed == 1)
        assert race.lane == 0
        on_their_way.append(asyncio.create_task(client.play("r", "3")))
        await on_their_way[0]
        assert (race.lane, race.seq) == (1, 5)
        for task in on_their_way[1:]:
            task.cancel()


async def test_a_race_that_may_not_be_followed_any_more_is_given_up() -> None:
    """Put out of a race, whoever waits for it learns why; the client goes on."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        await peer.say(Error("forbidden", "you play there", race="r"))
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        race = await client.join("r")
        with pytest.raises(Refused, match="forbidden: you play there"):
            await race.until(lambda race: race.over)
        assert client.races == {}


@pytest.mark.parametrize("code", [1008, 4400, 4401, 4403, 4409, 4410, 4426])
async def test_a_final_close_code_ends_everything_that_waits(code: int) -> None:
    """Commands, races and readers alike learn that the connection is over for good."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        await play(peer)
        await peer.close(code)

    async with scripted(script) as server, client_of(server) as client:
        race = await client.join("r")
        messages = client.messages()
        for waiting in (client.play("r", "d"), race.until(lambda race: race.over), anext(messages), client.done("r")):
            with pytest.raises(Closed) as closed:
                await waiting
            assert closed.value.code == code


async def test_a_refused_token_ends_the_connecting() -> None:
    """Nobody can come in with a token that the server does not know."""

    async def script(peer: Peer) -> None:
        await peer.hear()
        await peer.close(4401)

    async with scripted(script) as server:
        with pytest.raises(Closed, match="4401"):
            async with Client(server, "another token"):
                pass


async def test_messages_come_typed_and_in_order_and_unknown_ones_are_passed_over() -> None:
    """A reader hears all that the server says and this client understands, until the client goes."""

    async def script(peer: Peer) -> None:
        await seated(peer)
        await peer.say_bytes(msgspec.msgpack.encode({"t": "weather", "sky": "blue"}))
        await peer.say(played(5, 1, "d"), Skip("r", 6, 6, "h6"))
        await leave_open(peer)

    async with scripted(script) as server:
        async with client_of(server) as client:
            messages = client.messages()
            await client.join("r")
            heard = [await anext(messages) for _ in range(4)]
        assert heard == [Res("1", True, seq=4, hash="h4", sig="s4"), snap(4), played(5, 1, "d"), Skip("r", 6, 6, "h6")]
        assert [message async for message in messages] == []


@pytest.mark.parametrize("subprotocol", list(Subprotocol))
async def test_frames_seen_are_kept_as_json_lines(subprotocol: Subprotocol, tmp_path: Path) -> None:
    """Whatever the subprotocol, the file holds one JSON text a frame, unknown keys and messages included."""
    coding = msgspec.json if subprotocol is Subprotocol.JSON else msgspec.msgpack

    async def script(peer: Peer) -> None:
        await peer.hear()
        await peer.say_bytes(coding.encode({"t": "weather", "sky": "blue"}))
        await peer.say(WELCOME)
        await leave_open(peer)

    async with scripted(script) as server, client_of(server, subprotocol, tmp_path / "seen"):
        pass
    lines = (tmp_path / "seen").read_bytes().splitlines()
    assert msgspec.json.decode(lines[0]) == {"t": "weather", "sky": "blue"}
    assert msgspec.json.decode(lines[1], type=Welcome) == WELCOME


async def test_play_needs_a_race_that_was_joined() -> None:
    """Operations are numbered by what is known of one's lane."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        await leave_open(peer)

    async with scripted(script) as server, client_of(server) as client:
        with pytest.raises(LookupError, match="join it first"):
            await client.play("r", "d")


async def test_a_refused_join_leaves_nothing_behind() -> None:
    """A race that could not be joined is not followed."""

    async def script(peer: Peer) -> None:
        await peer.welcome()
        join = await peer.hear()
        assert isinstance(join, Join)
        await peer.say(Res(join.id or "", False, code="full", message="no seat left"))
        await leave_open(peer)

    scripts: list[Script] = [script]
    async with scripted(*scripts) as server, client_of(server) as client:
        with pytest.raises(Refused, match="full: no seat left"):
            await client.join("r")
        assert client.races == {}
