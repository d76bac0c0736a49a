"""Connections to Redis as this server makes them: lost where Redis closes them, and TLS set up once for many."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from redis.asyncio.connection import AbstractConnection, RedisSSLContext, SSLConnection
from redis.exceptions import ConnectionError as Disconnected

__all__ = ["CLOSED_AFTER_TLS", "TLS", "losable", "shared_tls"]

TLS: Final = "tls"
"""The option by which connections share what certificates are checked against."""

CLOSED_AFTER_TLS: Final = "closed once TLS was agreed on"
"""Said of a Redis that asks its clients for certificates, where the reset overtakes what it says of that (TLS 1.3)."""


class _Losable(AbstractConnection):
    """What is added to each kind of connection."""

    def __init__(self, *, tls: RedisSSLContext | None = None, **options: Any) -> None:
        super().__init__(**options)
        if tls is not None:
            self.ssl_context = tls

    async def send_packed_command(self, *args: Any, **options: Any) -> None:
        """Send a command. Raises what the library raises, and ConnectionError (redis) where Redis has closed.

        The transports of uvloop then say that our program is wrong, and the library passes it on: whoever handles
        lost connections would not know it for one.
        """
        try:
            await super().send_packed_command(*args, **options)
        except RuntimeError as closed:
            raise Disconnected(f"Redis has closed the connection: {closed}") from closed

    async def on_connect_check_health(self, check_health: bool = True) -> None:
        """Send what a new connection begins with. Raises what the library raises.

        With TLS 1.3 a client believes itself connected before the other side has looked at its certificate.
        """
        try:
            await super().on_connect_check_health(check_health)
        except Disconnected as lost:
            if isinstance(self, SSLConnection) and self.ssl_context.certfile is None:
                raise Disconnected(f"{lost} ({CLOSED_AFTER_TLS})") from lost
            raise


@cache
def losable(kind: type[AbstractConnection]) -> type[AbstractConnection]:
    """Return a kind of connection that is lost where Redis closes it, also while it is being made."""
    return type(kind.__name__, (_Losable, kind), {})


def shared_tls(connection: AbstractConnection) -> dict[str, Any]:
    """Return the option that lets others check certificates as this connection does; none without TLS.

    To read the authorities of a machine takes 23 ms of the loop's time: each connection would do it anew. Raises
    OSError where a file of certificates cannot be used.
    """
    if not isinstance(connection, SSLConnection):
        return {}
    connection.ssl_context.get()
    return {TLS: connection.ssl_context}
