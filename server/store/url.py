"""What the URL of a Redis says: how it is reached, and where."""

from __future__ import annotations

from enum import StrEnum
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

__all__ = ["FORMS", "Reach", "RedisPlace", "UrlWrong", "place_of"]

PORT: Final = 6379
FORMS: Final = "redis://HOST:PORT/0, rediss:// for TLS, or unix:///PATH"
"""What a URL of Redis may look like, in words."""


class Reach(StrEnum):
    """What stands at the addresses of a URL."""

    ONE = "one"
    """A server that is itself what is talked to."""


_SCHEMES: Final = {
    "redis": (Reach.ONE, "redis"),
    "rediss": (Reach.ONE, "rediss"),
    "unix": (Reach.ONE, "unix"),
}
"""Scheme → what it reaches, and the scheme of the URL of each server."""


class RedisPlace(Struct, frozen=True):
    """What a URL of Redis reaches, and the URL of each server that it names; user and options are those of all."""

    reach: Reach
    urls: tuple[str, ...]


class UrlWrong(ValueError):
    """What is wrong with a URL of Redis; no secret of it is told."""


def place_of(url: str) -> RedisPlace:
    """Read the URL of a Redis. Raises UrlWrong, which says what was expected and what was found."""
    scheme, found, _ = url.partition("://")
    if not found or scheme not in _SCHEMES:
        raise UrlWrong(f"expected {FORMS}; found {f'the scheme {scheme!r}' if found else 'no scheme'}")
    reach, of_one = _SCHEMES[scheme]
    _check(url, of_one)
    return RedisPlace(reach, (url,))


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
