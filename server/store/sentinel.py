"""Connections to the master that sentinels watch: they are asked at each, and what is a replica by now is left."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast
from urllib.parse import urlsplit

import structlog
from msgspec import Struct
from redis.asyncio import Redis
from redis.asyncio.connection import Connection, SSLConnection
from redis.exceptions import ConnectionError as Disconnected
from redis.exceptions import ReadOnlyError, RedisError, ResponseError

from server.store.url import RedisPlace

__all__ = ["ASK_MS", "Sentinels", "Told", "is_not_master", "of_master", "sentinels_of"]

ASK_MS: Final = 500
"""How long one sentinel may take to answer: the machine that died may have had one too."""
NOT_MASTER: Final = ("READONLY", "NOREPLICAS")
"""In errors of a server that is a replica by now, or a master that its replicas have left for another."""

log = structlog.get_logger("sentinel")


def is_not_master(fault: Exception) -> bool:
    """Tell whether a server has refused because it is not, or not to be, the master.

    The words stand at the beginning of an error, or further on where a script was refused (Redis 6.2).
    """
    if isinstance(fault, ReadOnlyError):
        return True
    return isinstance(fault, ResponseError) and any(word in str(fault) for word in NOT_MASTER)


class Told(Struct, frozen=True):
    """What one sentinel says: where the master is, how many other sentinels and replicas it knows; or why nothing."""

    url: str
    host: str = ""
    port: int = 0
    others: int = 0
    replicas: int = 0
    fault: str = ""


class Sentinels:
    """The sentinels that watch one master; `one` makes the client of a server from its URL."""

    def __init__(self, place: RedisPlace, one: Callable[[str], Redis]) -> None:
        self.name = place.master
        self._urls, self._one = list(place.urls), one
        self._known = ("", 0)

    async def master(self) -> tuple[str, int]:
        """Return the address of the master, as the first sentinel says that knows one that is up.

        Raises ConnectionError (redis): all are asked again by whoever connects again.
        """
        faults = []
        for url in tuple(self._urls):
            told = await self._ask(url)
            if told.fault:
                faults.append(told.fault)
                continue
            # Who answers is asked first the next time.
            self._urls.remove(url)
            self._urls.insert(0, url)
            if (told.host, told.port) != self._known:
                log.info("sentinels name a master", name=self.name, host=told.host, port=told.port)
                self._known = (told.host, told.port)
            return self._known
        raise Disconnected(f"no sentinel knows a master {self.name!r} that is up: {'; '.join(faults)}")

    async def all(self) -> list[Told]:
        """Return what each sentinel says."""
        return [await self._ask(url) for url in self._urls]

    async def _ask(self, url: str) -> Told:
        shown = urlsplit(url).netloc.rpartition("@")[2]
        try:
            async with self._one(url) as client:
                state = cast(dict[str, Any], await client.sentinel_master(self.name))
        except (RedisError, OSError) as fault:
            return Told(shown, fault=f"{shown}: {str(fault) or type(fault).__name__}")
        if state["is_sdown"] or state["is_odown"] or not state["is_master"]:
            return Told(shown, fault=f"{shown}: the master is down ({state['flags']})")
        others, replicas = int(state["num-other-sentinels"]), int(state["num-slaves"])
        return Told(shown, str(state["ip"]), int(state["port"]), others, replicas)


class _ToMaster(Connection):
    """A connection to wherever the master is when it connects."""

    def __init__(self, *, sentinels: Sentinels, **options: Any) -> None:
        super().__init__(**options)
        self.sentinels = sentinels

    async def connect(self) -> None:
        """Connect unless that is done. Raises ConnectionError, also where the server is no master."""
        if self.is_connected:
            return
        await super().connect()  # type: ignore[no-untyped-call]
        # Sentinels may be late: a replica would give out old entries, and take no new ones.
        await self.send_command("ROLE", check_health=False)
        match await super().read_response(disable_decoding=True):
            case [b"master", *_]:
                return
            case found:
                await self.disconnect(nowait=True)
                raise Disconnected(f"expected a master at {self.host}:{self.port}, found {found!r}"[:200])

    async def _connect(self) -> None:
        self.host, self.port = await self.sentinels.master()
        await super()._connect()  # type: ignore[no-untyped-call]

    async def read_response(self, *args: Any, **options: Any) -> Any:
        """Read a reply; one that says that this is no master any more ends the connection, too."""
        try:
            return await super().read_response(*args, **options)
        except ResponseError as refused:
            if is_not_master(refused):
                await self.disconnect(nowait=True)
            raise


class _ToMasterOverTls(_ToMaster, SSLConnection):
    """The same over TLS."""


def of_master(sentinels: Sentinels, *, over_tls: bool) -> dict[str, Any]:
    """Return the options of a pool that make its connections lead to the master that sentinels watch."""
    return {"connection_class": _ToMasterOverTls if over_tls else _ToMaster, "sentinels": sentinels}


def sentinels_of(client: Redis) -> Sentinels | None:
    """Return the sentinels that a client asks, if it does."""
    found = client.connection_pool.connection_kwargs.get("sentinels")
    return found if isinstance(found, Sentinels) else None
