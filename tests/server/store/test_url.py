"""URLs of Redis: what they reach, and what is said of those that reach nothing."""

import pytest

from server.store.url import Reach, RedisPlace, UrlWrong, place_of


@pytest.mark.parametrize("url", ["redis://localhost", "redis://u:p@[::1]:7000/2", "rediss://a.b", "unix:///run/r.sock"])
def test_one_server(url: str) -> None:
    """A URL of one server is its own."""
    assert place_of(url) == RedisPlace(Reach.ONE, (url,))


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        pytest.param("localhost:6379", "found no scheme", id="no scheme"),
        pytest.param("http://localhost", "found the scheme 'http'", id="another scheme"),
        pytest.param("redis://", "expected HOST or HOST:PORT, found ''", id="no host"),
        pytest.param("redis://u:hush@:7000", "expected HOST or HOST:PORT, found ':7000'", id="a port only"),
        pytest.param("redis://u:hu/sh@host", "found one that is none", id="a password that was not encoded"),
        pytest.param("redis://host:70000", "up to 65535", id="a port too high"),
        pytest.param("redis://[::1", "found one that is none", id="half an address"),
        pytest.param("unix://", "expected the path of a socket", id="no path"),
    ],
)
def test_wrong(url: str, sentence: str) -> None:
    """What is wrong is told, and no secret."""
    with pytest.raises(UrlWrong) as wrong:
        place_of(url)

    assert sentence in str(wrong.value)
    assert "hu" not in str(wrong.value)
