"""What the URL of a Redis says: how it is reached, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit, urlunsplit

from msgspec import Struct

__all__ = [
    "FORMS",
    "Address",
    "Reach",
    "RedisPlace",
    "UrlWrong",
    "address_in",
    "address_text",
    "place_of",
    "with_address",
]

PORT: Final = 6379
SENTINEL_PORT: Final = 26379
FORMS: Final = (
    "redis://HOST:PORT/0, rediss:// for TLS, unix:///PATH, redis+sentinel://HOST:PORT,HOST:PORT/MASTER/0, or "
    "redis+cluster://HOST:PORT,HOST:PORT"
)
"""What a URL of Redis may look like, in words."""

Address = tuple[str, int]
"""Host and port."""


class Reach(StrEnum):
    """What stands at the addresses of a URL."""

    ONE = "one"
    """A server that is itself what is talked to."""
    SENTINEL = "sentinel"
    """Sentinels, which are asked for the master that they watch."""
    CLUSTER = "cluster"
    """Some nodes of a cluster, any of which tells where all the others are."""


_SCHEMES: Final = {
    "redis": (Reach.ONE, "redis"),
    "rediss": (Reach.ONE, "rediss"),
    "unix": (Reach.ONE, "unix"),
    "redis+sentinel": (Reach.SENTINEL, "redis"),
    "rediss+sentinel": (Reach.SENTINEL, "rediss"),
    "redis+cluster": (Reach.CLUSTER, "redis"),
    "rediss+cluster": (Reach.CLUSTER, "rediss"),
}
"""Scheme → what it reaches, and the scheme of the URL of each server."""


_DATABASE: Final = re.compile(r"(/[0-9]{0,5})?")
_NAME: Final = re.compile(r"[A-Za-z0-9._-]+")
_PORTED: Final = re.compile(r":[0-9]*$")
_OF_SENTINELS: Final = ("sentinel_user", "sentinel_password")


class RedisPlace(Struct, frozen=True):
    """What a URL of Redis reaches, and the URL of each server that it names; user and options are those of all.

    With sentinels, `urls` are theirs, `master` is the name that they know the master by, and `server` a URL of it that
    has the name in the place of its address.
    """

    reach: Reach
    urls: tuple[str, ...]
    master: str = ""
    server: str = ""


class UrlWrong(ValueError):
    """What is wrong with a URL of Redis; no secret of it is told."""


def place_of(url: str) -> RedisPlace:
    """Read the URL of a Redis. Raises UrlWrong, which says what was expected and what was found."""
    scheme, found, rest = url.partition("://")
    if not found or scheme not in _SCHEMES:
        raise UrlWrong(f"expected {FORMS}; found {f'the scheme {scheme!r}' if found else 'no scheme'}")
    reach, of_one = _SCHEMES[scheme]
    if reach is Reach.SENTINEL:
        return _watched(rest, of_one)
    if reach is Reach.CLUSTER:
        return _of_cluster(rest, of_one)
    _check(url, of_one)
    return RedisPlace(reach, (url,))


def address_in(url: str) -> Address:
    """Return the address in the URL of one server."""
    parts = urlsplit(url)
    assert parts.hostname is not None
    return parts.hostname, parts.port or PORT


def with_address(url: str, address: Address) -> str:
    """Return the URL of another server that has the same users and options."""
    parts = urlsplit(url)
    user, at, _ = parts.netloc.rpartition("@")
    return urlunsplit(parts._replace(netloc=f"{user}{at}{address_text(address)}"))


def address_text(address: Address) -> str:
    """Return an address as it stands in a URL."""
    host, port = address
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _of_cluster(rest: str, scheme: str) -> RedisPlace:
    """Read what follows `redis+cluster://`: `[USER:PASSWORD@]HOST:PORT,HOST:PORT[/0][?OPTIONS]`."""
    ends = min((place for mark in "/?" if (place := rest.find(mark)) >= 0), default=len(rest))
    authority, options = rest[:ends], rest[ends:]
    login, at, hosts = authority.rpartition("@")
    if options.partition("?")[0] not in ("", "/", "/0"):
        raise UrlWrong("expected no database but 0 behind the addresses, for a cluster has no other")
    urls = tuple(f"{scheme}://{login}{at}{host}{options}" for host in hosts.split(","))
    for one in urls:
        _check(one, scheme)
    return RedisPlace(Reach.CLUSTER, urls)


def _watched(rest: str, scheme: str) -> RedisPlace:
    """Read what follows `redis+sentinel://`: `[USER:PASSWORD@]HOST:PORT,HOST:PORT/MASTER[/DATABASE][?OPTIONS]`.

    User and password are those of Redis; sentinels that want some get `sentinel_user` and `sentinel_password`.
    """
    authority, _, place = rest.partition("/")
    path, _, query = place.partition("?")
    login, at, hosts = authority.rpartition("@")
    name, _, database = path.partition("/")
    if not _NAME.fullmatch(name):
        raise UrlWrong("expected the master's name behind the sentinels' addresses, as in …:26379/mymaster/0")
    if not re.fullmatch(r"[0-9]{0,4}", database):
        raise UrlWrong("expected the number of a database behind the master's name, found something else")
    options = parse_qsl(query, keep_blank_values=True)
    own = dict(one for one in options if one[0] in _OF_SENTINELS)
    user, password = (quote(own.get(option, ""), safe="") for option in _OF_SENTINELS)
    login_there = f"{user}:{password}@" if own else ""
    tls = _query(one for one in options if one[0].startswith("ssl_"))
    urls = []
    for host in hosts.split(","):
        ported = host if _PORTED.search(host) else f"{host}:{SENTINEL_PORT}"
        _check(f"{scheme}://{ported}", scheme)
        urls.append(f"{scheme}://{login_there}{ported}/{tls}")
    left = _query(one for one in options if one[0] not in _OF_SENTINELS)
    server = f"{scheme}://{login}{at}{name}/{database or 0}{left}"
    return RedisPlace(Reach.SENTINEL, tuple(urls), name, server)


def _query(options: Iterable[tuple[str, str]]) -> str:
    encoded = urlencode(tuple(options))
    return f"?{encoded}" if encoded else ""


def _check(url: str, scheme: str) -> None:
    """See that the URL of one server names it."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        # What cannot be read may be a piece of a password that was not percent-encoded.
        raise UrlWrong("expected HOST or HOST:PORT with a port up to 65535, found one that is none") from None
    if scheme == "unix":
        if not parts.path.startswith("/") or parts.path == "/":
            raise UrlWrong(f"expected the path of a socket, unix:///run/redis.sock; found {parts.path!r}")
    elif any(letter.isspace() for letter in url):
        raise UrlWrong("expected HOST or HOST:PORT, found a space or a line break")
    elif not host or port == 0:
        raise UrlWrong(f"expected HOST or HOST:PORT, found {parts.netloc.rpartition('@')[2]!r}")
    elif _DATABASE.fullmatch(parts.path) is None:
        # It may be a piece of a password, too.
        raise UrlWrong("expected the number of a database after HOST:PORT/, or nothing; found something else")
