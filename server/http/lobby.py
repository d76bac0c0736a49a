"""Lists of races as HTTP asks for them: a Redis that cannot be reached is the store's fault, told as such."""

from __future__ import annotations

from collections.abc import Sequence

from redis.exceptions import RedisError

from server.races.lobby import Listed, Lobby, listed_of
from server.races.tables import Tables
from server.store.connect import StoreUnavailable

__all__ = ["finished", "page"]


async def page(
    lobby: Lobby,
    *,
    status: str | None = None,
    code: str | None = None,
    player: str | None = None,
    cursor: str | None = None,
    limit: int = 50,
) -> tuple[list[Listed], str | None]:
    """Return a page of the lobby and the cursor of the next one. Raises LobbyCursorError, StoreUnavailable."""
    try:
        return await lobby.page(status=status, code=code, player=player, cursor=cursor, limit=limit)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault


async def finished(tables: Tables, rids: Sequence[str]) -> list[Listed]:
    """Return races that are over as lists show them; those that the lobby has no more are read from the archive.

    Raises UnknownRace, StoreUnavailable, LogError.
    """
    try:
        shown = await tables.lobby.shown(rids)
    except (RedisError, OSError) as fault:
        raise StoreUnavailable(str(fault)) from fault
    # The lobby may not have heard of an end yet.
    known = {rid: listed for rid, listed in shown.items() if listed.standings is not None}
    return [known.get(rid) or listed_of((await tables.table(rid)).race, tables.clock.now()) for rid in rids]
