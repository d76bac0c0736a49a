"""One pool of ratings in Redis: races applied in the order in which they ended, however they come in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar, cast

import msgspec
from msgspec import Struct
from redis.asyncio import Redis

from engine.ratings import Changes, Met, RatedRace, Rating, changes
from server.store import keys

__all__ = ["Pool"]

CHUNK: Final = 500
"""Fields in one command of a script: Lua unpacks no more than some thousand arguments."""

# All or nothing, and only if nobody has written since the version was read. ARGV: the version, then command by command
# its length and its words, each of which names one of KEYS.
_COMMIT: Final = """
if (redis.call('GET', KEYS[1]) or '0') ~= ARGV[1] then
  return 0
end
local i = 2
while i <= #ARGV do
  local words = tonumber(ARGV[i])
  redis.call(unpack(ARGV, i + 1, i + words))
  i = i + words + 1
end
redis.call('INCR', KEYS[1])
return 1
"""
_PARTS: Final = ("version", "players", "met", "races", "rows", "ladder")

T = TypeVar("T")


class _Row(Struct, frozen=True):
    """A race that is applied, and what stood before it where it changed something (None: nothing)."""

    at: int
    ranks: dict[str, int]
    ratings: dict[str, Rating | None] = {}
    met: dict[str, Met | None] = {}


class _Draft:
    """A pool as it will be: what was read, and what is to be written."""

    def __init__(self) -> None:
        self.ratings: dict[str, Rating | None] = {}
        self.met: dict[str, Met | None] = {}
        self.rows: dict[str, _Row | None] = {}

    def undo(self, row: _Row) -> None:
        self.ratings |= row.ratings
        self.met |= row.met

    def apply(self, race: RatedRace) -> None:
        made = changes(race, _there(self.ratings), _there(self.met))
        self.rows[race.rid] = _Row(race.at, race.ranks, *_before(made, self.ratings, self.met))
        self.ratings |= made.ratings
        self.met |= made.met


class Pool:
    """The ratings of one pool. Races may be applied and taken out in any order, by any node, any number of times."""

    def __init__(self, client: Redis, name: str) -> None:
        self.name = name
        self._client = client
        self._commit = client.register_script(_COMMIT)

    async def apply(self, race: RatedRace) -> None:
        """See that a race counts here, in its place: those that ended later are applied anew. Raises RedisError."""
        await self._client.sadd(keys.RATING_POOLS, self.name)
        while True:
            version = await self._version()
            if await self._client.zscore(self._key("races"), race.rid) is not None:
                return
            later = await self._later(race.at, race.rid)
            draft = await self._draft([*later.values()], race)
            draft.apply(race)
            for rid, row in later.items():
                draft.apply(RatedRace(row.at, rid, row.ranks))
            if await self._write(version, draft):
                return

    async def take_out(self, rid: str) -> None:
        """See that a race counts here no more. Raises RedisError."""
        while True:
            version = await self._version()
            at = await self._client.zscore(self._key("races"), rid)
            if at is None:
                return
            later = await self._later(int(at), rid)
            row = (await self._rows([rid]))[rid]
            draft = await self._draft([row, *later.values()], RatedRace(row.at, rid, row.ranks))
            draft.rows[rid] = None
            for one, other in later.items():
                draft.apply(RatedRace(other.at, one, other.ranks))
            if await self._write(version, draft):
                return

    async def rating(self, player: str) -> Rating | None:
        """Return a player's rating here; None where no race of theirs counts. Raises RedisError."""
        return (await self._read("players", [player], Rating))[player]

    async def place(self, player: str) -> int | None:
        """Return a player's rank on the ladder, from 1, equal ratings sharing it; None where there is none."""
        score = await self._client.zscore(self._key("ladder"), player)
        if score is None:
            return None
        return 1 + int(await self._client.zcount(self._key("ladder"), f"({int(score)}", "+inf"))

    async def ladder(self, start: int, count: int) -> list[tuple[str, int]]:
        """Return (player, shown rating) of so many from a place (from 0) on, the best first. Raises RedisError."""
        found = await self._client.zrevrange(self._key("ladder"), start, start + count - 1, withscores=True)
        return [(player.decode(), int(score)) for player, score in cast(list[tuple[bytes, float]], found)]

    async def row_of(self, player: str) -> int | None:
        """Return where a player stands among the ladder's rows, from 0. Raises RedisError."""
        place = await self._client.zrevrank(self._key("ladder"), player)
        return None if place is None else int(cast(int, place))

    async def size(self) -> int:
        """Return how many are on the ladder."""
        return int(await self._client.zcard(self._key("ladder")))

    def _key(self, part: str) -> str:
        return keys.ratings(self.name, part)

    async def _version(self) -> int:
        return int(await self._client.get(self._key("version")) or 0)

    async def _later(self, at: int, rid: str) -> dict[str, _Row]:
        """Return the applied races that ended after one, in order (of the same millisecond, by id)."""
        found = await self._client.zrange(self._key("races"), at, "+inf", byscore=True, withscores=True)
        places = [(int(score), one.decode()) for one, score in cast(list[tuple[bytes, float]], found)]
        return await self._rows([one for score, one in places if (score, one) > (at, rid)])

    async def _rows(self, rids: list[str]) -> dict[str, _Row]:
        return {rid: row for rid, row in (await self._read("rows", rids, _Row)).items() if row is not None}

    async def _draft(self, undone: list[_Row], race: RatedRace) -> _Draft:
        """Return the pool as it was before some of its last races, as far as they and one more race need it."""
        draft = _Draft()
        players = {player for row in undone for player in row.ranks} | set(race.ranks)
        pairs = {name for row in undone for name in row.met} | set(race.pairs)
        draft.ratings = await self._read("players", sorted(players), Rating)
        draft.met = await self._read("met", sorted(pairs), Met)
        for row in reversed(undone):
            draft.undo(row)
        return draft

    async def _read(self, part: str, names: list[str], kind: type[T]) -> dict[str, T | None]:
        found: list[bytes | None] = []
        for start in range(0, len(names), CHUNK):
            found += cast(list[bytes | None], await self._client.hmget(self._key(part), names[start : start + CHUNK]))
        return {
            name: None if value is None else msgspec.json.decode(value, type=kind)
            for name, value in zip(names, found, strict=True)
        }

    async def _write(self, version: int, draft: _Draft) -> bool:
        """Write a draft, unless somebody has written since the version; then False."""
        words: list[bytes | str | int] = [version]
        for command in self._commands(draft):
            words += [len(command), *command]
        return bool(await self._commit(keys=[self._key(part) for part in _PARTS], args=words))

    def _commands(self, draft: _Draft) -> Iterable[list[bytes | str | int]]:
        for part, values in (("players", draft.ratings), ("met", draft.met), ("rows", draft.rows)):
            yield from _hash_commands(self._key(part), values)
        at = {rid: row.at for rid, row in draft.rows.items() if row is not None}
        yield from _set_commands(self._key("races"), at, set(draft.rows) - set(at))
        shown = {player: one.shown for player, one in draft.ratings.items() if one is not None and not one.provisional}
        yield from _set_commands(self._key("ladder"), shown, set(draft.ratings) - set(shown))


def _there(values: Mapping[str, T | None]) -> dict[str, T]:
    return {name: value for name, value in values.items() if value is not None}


def _before(
    made: Changes, ratings: Mapping[str, Rating | None], met: Mapping[str, Met | None]
) -> tuple[dict[str, Rating | None], dict[str, Met | None]]:
    return {name: ratings.get(name) for name in made.ratings}, {name: met.get(name) for name in made.met}


def _hash_commands(key: str, values: Mapping[str, Any]) -> Iterable[list[bytes | str | int]]:
    kept = [(name, msgspec.json.encode(value)) for name, value in values.items() if value is not None]
    gone = [name for name, value in values.items() if value is None]
    for start in range(0, len(kept), CHUNK):
        yield ["HSET", key, *(word for field in kept[start : start + CHUNK] for word in field)]
    for start in range(0, len(gone), CHUNK):
        yield ["HDEL", key, *gone[start : start + CHUNK]]


def _set_commands(key: str, scores: Mapping[str, int], gone: Iterable[str]) -> Iterable[list[bytes | str | int]]:
    kept = list(scores.items())
    left = sorted(gone)
    for start in range(0, len(kept), CHUNK):
        yield ["ZADD", key, *(word for name, score in kept[start : start + CHUNK] for word in (score, name))]
    for start in range(0, len(left), CHUNK):
        yield ["ZREM", key, *left[start : start + CHUNK]]
