"""The lobby as HTTP asks for it: a Redis that cannot be reached is the store's fault, told as such."""

from __future__ import annotations

from redis.exceptions import RedisError

from server.races.lobby import Listed, Lobby
from server.store.connect import StoreUnavailable

__all__ = ["page"]


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
