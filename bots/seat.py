"""One seat of one race, played over the network from joining to the race's end."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

import structlog
from msgspec.structs import replace

from bots.client import FINAL, Client, Following, Refused
from bots.pace import Pace, hesitation, hurried, pace_of
from bots.player import DONE, Budget, Choice, Player, Seat
from bots.roster import Entry
from bots.thinking import Thinking
from engine.codes import Code, parse_code, parse_game
from engine.game import GAMES
from engine.refusals import ErrorCode

__all__ = ["NotOpen", "be_ready", "play_seat", "play_series", "seed_of"]

NEXT_TRIES: Final = 12
NEXT_AGAIN_S: Final = 5.0
"""How often, and after how long, the next race of a series is asked for that one was not told of."""
MAX_STALE: Final = 3
"""Operations in a row that do not follow the seat's last one before the bot gives up: somebody else plays there."""
THINKING_SHARE: Final = 0.8
"""Of the time between two moves, how much may be spent on thinking."""
HASTE: Final = 1.5
"""How many times its own pace a bot moves where the first clear wins."""
SPARED: Final = 0.1
"""Of the time left, what is kept for late answers."""

log = structlog.get_logger()


class NotOpen(LookupError):
    """A race whose deal an oracle may not be given."""

    def __init__(self, rid: str) -> None:
        super().__init__(f"expected an open, unrated race for a bot that is given the deal, found {rid}")


async def play_seat(client: Client, rid: str, bot: Entry, pace: float | None, thinking: Thinking) -> None:
    """Join, warm up, be ready, play at the pace (moves per second; None: the bot's own), stay until the race ends.

    A seat that was played before is played on from where it stands. Raises Refused where the seat cannot be had,
    NotOpen where an oracle may not sit, and Closed where the connection has gone to somebody else.
    """
    if bot.mode == "oracle":
        await _check_open(client, rid)
    race = await client.join(rid)
    await thinking.warm_up(bot, parse_game((race.card or {})["game"])[0])
    await be_ready(client, race)
    await race.until(lambda race: race.playing or race.over or race.my_status in FINAL)
    if race.playing:
        await _play(client, race, bot, _pace(race, bot, pace), thinking)
    await race.until(lambda race: race.over)


async def _check_open(client: Client, rid: str) -> None:
    card = (await client.http.race(rid))["card"]
    if card.get("sealed") or card.get("rated"):
        raise NotOpen(rid)


def _pace(race: Following, bot: Entry, pace: float | None) -> Pace:
    """Return the pace that the race asks for, else the bot's own, which the goal may quicken."""
    if pace is not None:
        return pace_of(pace, seed_of(race))
    own = pace_of(bot.pace, seed_of(race))
    return replace(own, moves_per_s=own.moves_per_s * HASTE) if (race.card or {}).get("goal") == "first" else own


async def be_ready(client: Client, race: Following) -> None:
    """Say that one is ready, where that is still to be said."""
    if race.my_status == "seated" and not race.over:
        with suppress(Refused):  # The race may have been called off meanwhile.
            await client.ready(race.race)


async def play_series(client: Client, rid: str, bot: Entry, pace: float | None, thinking: Thinking) -> str:
    """Play a race as `play_seat` does, then the others of its series; returns the last one."""
    while True:
        await play_seat(client, rid, bot, pace, thinking)
        following = await _next(client, client.races[rid])
        if following is None:
            return rid
        rid = following


async def _next(client: Client, race: Following) -> str | None:
    """Return the next race of a series, which begins by itself; None after the last."""
    series = race.series
    if race.status != "finished" or series is None or series["leg"] >= series["of"]:
        return None
    for _ in range(NEXT_TRIES):
        with suppress(TimeoutError):
            async with asyncio.timeout(NEXT_AGAIN_S):
                await race.until(lambda race: race.next is not None)
        following = race.next or (await client.http.race(race.race)).get("next")
        if following is not None:
            return str(following)
    log.warning("series does not go on", race=race.race)
    return None


async def _play(client: Client, race: Following, bot: Entry, pace: Pace, thinking: Thinking) -> None:
    player = _player(race, bot, await _code(client, race) if bot.mode == "oracle" else None)
    wall_ms = min(Budget().wall_ms, 1000 / pace.moves_per_s * THINKING_SHARE)
    clock = asyncio.get_running_loop().time
    ends = clock() + _left_s(race) * (1 - SPARED)
    most = GAMES[race.board["game"]].max_operations if race.board else 0
    stale = 0
    due = clock()
    for delay in pace.delays():
        if not race.playing or race.board is None:
            return
        now = clock()
        budget = Budget(wall_ms, clock_ms=max(0.0, ends - now) * 1000)
        left = _moves_left(race.board)
        # Some games end for nobody, and some players would go round in them for ever.
        choice = await thinking.choose(player, race.board, budget) if race.lane < most else Choice(DONE)
        # From move to move, thinking and answering included; what is late is not made up for.
        due = max(due + hurried(delay * hesitation(choice.difficulty), ends - now, left), now)
        await _wait(race, due)
        try:
            if choice.word == DONE:
                await client.done(race.race)
                return
            await client.play(race.race, choice.word)
            stale = 0
        except Refused as refused:
            if refused.code == ErrorCode.STALE_LANE and stale < MAX_STALE:
                stale += 1
                await client.join(race.race)  # See how the seat stands now.
                continue
            if refused.code != ErrorCode.OVER:
                log.error("bot refused", race=race.race, bot=bot.name, word=choice.word, why=str(refused))
                await _settle(client, race.race)
            return


async def _wait(race: Following, until: float) -> None:
    """Wait for a moment of the loop's clock, or until the seat cannot play any more."""
    with suppress(TimeoutError):
        async with asyncio.timeout_at(until):
            await race.until(lambda race: not race.playing)


async def _settle(client: Client, rid: str) -> None:
    with suppress(Refused):
        await client.done(rid)


async def _code(client: Client, race: Following) -> Code:
    """Return the deal of an open race, which a drawn one shows from its start on."""
    text = (race.card or {}).get("code") or (await client.http.race(race.race))["card"].get("code")
    if text is None:
        raise NotOpen(race.race)
    return parse_code(text)


def _left_s(race: Following) -> float:
    """Return the seconds until the time limit, by the server's clock as far as this client has heard of it."""
    assert race.deadline is not None
    assert race.start_at is not None
    return (race.deadline - max(race.at, race.start_at)) / 1000


def _moves_left(board: Mapping[str, Any]) -> int:
    """Return how many moves a game still takes, about: a removal or draw each in Golf, else two for a card not up."""
    if board["game"] == "GO":
        return int(board["left"]) + int(board["stock"])
    return 2 * (104 - sum(map(sum, board["foundations"].values())))


def _player(race: Following, bot: Entry, code: Code | None) -> Player:
    card = race.card or {}
    return bot.player(
        Seat(
            rules=parse_game(card["game"])[2],
            goal=card.get("goal", "score"),
            undo=card.get("undo", "free"),
            seed=seed_of(race),
            code=code,
        )
    )


def seed_of(race: Following) -> int:
    """Return the seed of one's seat, of its pace too: another one in each race."""
    return zlib.crc32(f"{race.race}:{race.seat}".encode())
