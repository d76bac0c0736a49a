"""What the URL of a Redis says: how it is reached, and where."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Final
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from msgspec import Struct

__all__ = ["FORMS", "Reach", "RedisPlace", "UrlWrong", "place_of"]

PORT: Final = 6379
SENTINEL_PORT: Final = 26379
FORMS: Final = "redis://HOST:PORT/0, rediss:// for TLS, unix:///PATH, or redis+sentinel://HOST:PORT,HOST:PORT/MASTER/0"
"""What a URL of Redis may look like, in words."""


class Reach(StrEnum):
    """What stands at the addresses of a URL."""

    ONE = "one"
    """A server that is itself what is talked to."""
    SENTINEL = "sentinel"
    """Sentinels, which are asked for the master that they watch."""


_SCHEMES: Final = {
    "redis": (Reach.ONE, "redis"),
    "rediss": (Reach.ONE, "rediss"),
    "unix": (Reach.ONE, "unix"),
    "redis+sentinel": (Reach.SENTINEL, "redis"),
    "rediss+sentinel": (Reach.SENTINEL, "rediss"),
}
"""Scheme → what it reaches, and the scheme of the URL of each server."""


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
    scheme, found, _ = url.partition("://")
    if not found or scheme not in _SCHEMES:
        raise UrlWrong(f"expected {FORMS}; found {f'the scheme {scheme!r}' if found else 'no scheme'}")
    reach, of_one = _SCHEMES[scheme]
    if reach is Reach.SENTINEL:
        return _watched(url.partition("://")[2], of_one)
    _check(url, of_one)
    return RedisPlace(reach, (url,))


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
    elif not host or port == 0:
        raise UrlWrong(f"expected HOST or HOST:PORT, found {parts.netloc.rpartition('@')[2]!r}")
