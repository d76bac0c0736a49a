"""Clients of Redis, made in one way, and what is raised when Redis cannot answer."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final, cast

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.connection import AbstractConnection, Connection, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from server.store.cluster import Cluster
from server.store.connection import CLOSED_AFTER_TLS, TLS, losable, shared_tls
from server.store.masters import NONE_ANSWERS
from server.store.sentinel import ASK_MS, Sentinels, of_master
from server.store.url import Reach, UrlWrong, place_of

RETRY_MS: Final = 1000
FILES: Final = ("ssl_ca_certs", "ssl_ca_path", "ssl_certfile", "ssl_keyfile")
"""Options that name files."""


class StoreUnavailable(Exception):
    """Redis gave no usable answer in time: whether a write went in is unknown, so send the same again."""

    def __init__(self, reason: str, retry_ms: int = RETRY_MS) -> None:
        super().__init__(f"expected an answer from Redis, found: {reason}; send the same again in {retry_ms} ms")
        self.reason = reason
        self.retry_ms = retry_ms


def connect(url: str, *, timeout_ms: int = 3000, max_connections: int = 64) -> Redis:
    """Make a client for what a URL reaches (`server.store.url`); replies are bytes, and it never retries by itself.

    Raises UrlWrong. Files of certificates are read now; nothing is connected before the first command.
    """
    place = place_of(url)
    first = _one(place.server or place.urls[0], timeout_ms, max_connections)
    options = first.connection_pool.connection_kwargs
    tls = {TLS: options[TLS]} if TLS in options else {}
    match place.reach:
        case Reach.ONE:
            return first
        case Reach.SENTINEL:
            sentinels = Sentinels(place, lambda url: _one(url, min(timeout_ms, ASK_MS), 1, **tls))
            return _one(place.server, timeout_ms, max_connections, **of_master(sentinels, over_tls=bool(tls)), **tls)
        case Reach.CLUSTER:
            return Cluster(place.urls, lambda url: _one(url, timeout_ms, max_connections, **tls), timeout_ms)


def what_to_do(fault: str) -> str:
    """Return what somebody may do about a Redis that gives no usable answer, from what is known of it."""
    if "certificate verify failed" in fault:
        return (
            "name the file of the authority that its certificate is from behind its URL, ?ssl_ca_certs=FILE, and reach"
            " it by a name or an address that the certificate has"
        )
    if "certificate required" in fault:
        return "name your own certificate and its key behind its URL, ?ssl_certfile=FILE&ssl_keyfile=FILE"
    if CLOSED_AFTER_TLS in fault:
        return (
            "name your own certificate and its key behind its URL, ?ssl_certfile=FILE&ssl_keyfile=FILE, if it asks its"
            " clients for one; else start it"
        )
    if NONE_ANSWERS in fault:
        return (
            "start them, or name others in --redis redis+cluster://HOST:PORT,HOST:PORT: one that answers tells of all"
        )
    return "start it, or correct --redis URL"


def _one(url: str, timeout_ms: int, max_connections: int, **more: Any) -> Redis:
    """Make a client for one server.

    The library retries ten times unless told otherwise, connection losses included: a write whose reply was lost
    would be written twice in silence. RESP2 because that is all that is needed and what Redis 6.2 and 8 agree on.
    Who finds all connections in use waits for one, as long as for an answer.
    """
    ours: dict[str, Any] = {"protocol": 2, "decode_responses": False, "retry": Retry(NoBackoff(), 0)}
    unless_given: dict[str, Any] = {
        "socket_timeout": timeout_ms / 1000,
        "socket_connect_timeout": timeout_ms / 1000,
        "max_connections": max_connections,
        "timeout": timeout_ms / 1000,
    }
    given: dict[str, Any] = {}
    try:
        given = cast(dict[str, Any], parse_url(url))
        options = unless_given | given | ours | more
        options["connection_class"] = losable(options.get("connection_class", Connection))
        pool = BlockingConnectionPool(**options)
        first = pool.make_connection()  # type: ignore[no-untyped-call]
        pool.connection_kwargs |= shared_tls(first)
    except TypeError as unknown:
        # It names the option, as in: got an unexpected keyword argument 'timeout_s'.
        raise UrlWrong(f"expected options behind ? that the client library knows, found: {unknown}") from unknown
    except OSError as unread:
        files = ", ".join(f"{name}={given[name]}" for name in FILES if name in given)
        raise UrlWrong(f"expected certificates and keys behind ? in PEM, found: {unread}, {files}") from unread
    except (ValueError, RedisError) as wrong:
        raise UrlWrong(f"expected usable values behind ?, found: {str(wrong).rstrip('.')}") from wrong
    if not_theirs := given.keys() & ours.keys():
        raise UrlWrong(f"expected none of the options {', '.join(ours)}, found {', '.join(sorted(not_theirs))}")
    return Redis.from_pool(pool)


@asynccontextmanager
async def own_connection(client: Redis, timeout_ms: int) -> AsyncIterator[AbstractConnection]:
    """A connection for the length of the block, closed at its end, for one who sends and reads in its own way.

    Connecting takes at most `timeout_ms`; then it has no timeouts of its own: whoever uses it bounds what it waits for.
    """
    async with asyncio.timeout(timeout_ms / 1000):
        connection = await client.connection_pool.get_connection()  # type: ignore[no-untyped-call]
    # With a timeout set, the library sends by `asyncio.wait_for`, which before Python 3.12 can swallow a cancellation.
    connection.socket_timeout = None
    try:
        yield connection
    finally:
        await connection.disconnect(nowait=True)
        await client.connection_pool.release(connection)
