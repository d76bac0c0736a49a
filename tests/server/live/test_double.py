"""Double Solitaire over real sockets: boards, taps, refusals and the end."""

from __future__ import annotations

from engine.codes import parse_code
from engine.refusals import Reason
from engine.texts import text_of
from engine.wire import inbound
from engine.wire.outbound import Ev, Snap
from tests.engine.double.steady import steady_game
from tests.server.conftest import Serve
from tests.server.served import Server

CODE = "DS1-D1N-AAAAAAF"


async def test_a_whole_game(serve: Serve) -> None:
    """A race by score is played with the option O; the winner's score is the player's, and all see it at the end."""
    server = await serve(play_burst=300)
    won, words = steady_game(parse_code(CODE))
    anna, bela = await server.talker(), await server.talker()
    race = await server.started(anna, bela, code=CODE)
    for first in range(0, len(words), 60):
        await anna.play(race, " ".join(words[first : first + 60]), first + 1)
    assert (await bela.ask(inbound.Done(race))).ok
    for player in (anna, bela):
        end = await player.had(Snap, lambda snap: snap.reason == "end")
        assert (end.card["code"], end.card["time_limit_s"]) == ("DS1-D1NO-AAAAAAF", 1800)
        assert end.standings is not None
        shown = [(one["seat"], one["status"], one["score"], one["cleared"]) for one in end.standings]
        assert shown == [(1, "won", won.board.score, 104), (2, "done", 0, 0)]


async def test_boards_with_taps(server: Server) -> None:
    """Who asks for boards gets them whole after each operation, face-down cards hidden, with where taps lead."""
    anna = await server.talker(boards=True)
    race = await server.started(anna, code="DS1-D3V-AAAAAAB", goal="first")
    start = await anna.had(Snap, lambda snap: snap.reason == "start")
    assert start.my is not None
    assert start.my.board is not None
    assert start.my.board["columns"][8] == ["--"] * 8 + ["QD"]
    assert start.my.board["taps"] == {"stock": "d"}
    assert start.my.board["double_taps"] == {"t3": "t3-t2", "t6": "t6-t1"}
    await anna.play(race, "t6-t1")
    told = await anna.had(Ev, lambda ev: ev.k == "seat.played")
    assert told.d["turned"] == [{"pile": "t6", "card": "8S"}]
    assert told.d["board"]["columns"][5] == ["--"] * 4 + ["8S"]
    assert (told.d["board"]["score_text"], told.d["score"]) == ("-$104", -104)


async def test_refusals_in_the_caller_s_language(server: Server) -> None:
    """A move that names face-down cards is answered as such; the words are those of our table."""
    anna = await server.talker(lang="hu")
    race = await server.started(anna, code="DS1-D3V-AAAAAAB")
    for word, reason in (("t9-t8x9", Reason.FACE_DOWN), ("t9-t1", Reason.WRONG_COLOR), ("r", Reason.NO_RECYCLING)):
        refused = await anna.ask(inbound.Play(race, 1, word))
        assert (refused.code, refused.reason, refused.message) == ("illegal", reason.value, text_of(reason, "hu"))
