"""URLs of Redis: what they reach, and what is said of those that reach nothing."""

import pytest

from server.store.url import Reach, RedisPlace, UrlWrong, address_in, place_of, with_address


@pytest.mark.parametrize("url", ["redis://localhost", "redis://u:p@[::1]:7000/2", "rediss://a.b", "unix:///run/r.sock"])
def test_one_server(url: str) -> None:
    """A URL of one server is its own."""
    assert place_of(url) == RedisPlace(Reach.ONE, (url,))


def test_sentinels() -> None:
    """User, password and database are the master's; the sentinels have their own, and TLS is for both."""
    assert place_of("redis+sentinel://u:p%2F@a:1,b,[::1]:3/mymaster") == RedisPlace(
        Reach.SENTINEL,
        ("redis://a:1/", "redis://b:26379/", "redis://[::1]:3/"),
        "mymaster",
        "redis://u:p%2F@mymaster/0",
    )
    options = "sentinel_user=x&sentinel_password=w%2Fd&ssl_ca_certs=/ca.pem&socket_timeout=1"
    assert place_of(f"rediss+sentinel://a/m/2?{options}") == RedisPlace(
        Reach.SENTINEL,
        ("rediss://x:w%2Fd@a:26379/?ssl_ca_certs=%2Fca.pem",),
        "m",
        "rediss://m/2?ssl_ca_certs=%2Fca.pem&socket_timeout=1",
    )


@pytest.mark.parametrize(
    ("url", "urls"),
    [
        ("redis+cluster://a:7000", ("redis://a:7000",)),
        ("rediss+cluster://u:p@a:7000,b,[::1]:7002/0?x=1",
         ("rediss://u:p@a:7000/0?x=1", "rediss://u:p@b/0?x=1", "rediss://u:p@[::1]:7002/0?x=1")),
    ],
)  # fmt: skip
def test_cluster(url: str, urls: tuple[str, ...]) -> None:
    """Nodes of a cluster are named together; user and options are those of all."""
    assert place_of(url) == RedisPlace(Reach.CLUSTER, urls)


def test_another_address() -> None:
    """The URL of another node has the same user and options; a port may be left out."""
    assert with_address("rediss://u:p%40@a/0?x=1", ("::1", 7001)) == "rediss://u:p%40@[::1]:7001/0?x=1"
    assert [address_in(url) for url in ("redis://a", "redis://u:p@[::1]:1/0")] == [("a", 6379), ("::1", 1)]


@pytest.mark.parametrize(
    ("url", "sentence"),
    [
        pytest.param("localhost:6379", "found no scheme", id="no scheme"),
        pytest.param("http://localhost", "found the scheme 'http'", id="another scheme"),
        pytest.param("redis://", "expected HOST or HOST:PORT, found ''", id="no host"),
        pytest.param("redis://u:hush@:7000", "expected HOST or HOST:PORT, found ':7000'", id="a port only"),
        pytest.param("redis://u:hu/sh@host", "found one that is none", id="a password that was not encoded"),
        pytest.param("redis://host:70000", "up to 65535", id="a port too high"),
        pytest.param("redis://host/abc", "the number of a database", id="a database that is none"),
        pytest.param("redis://host/0/1", "the number of a database", id="two databases"),
        pytest.param("redis://u:12/hush@host", "the number of a database", id="a password that looks like a port"),
        pytest.param("redis://host:7391\n", "a space or a line break", id="a line break"),
        pytest.param("redis://[::1", "found one that is none", id="half an address"),
        pytest.param("redis+cluster://a:1,,b:2", "expected HOST or HOST:PORT, found ''", id="a comma too many"),
        pytest.param("redis+cluster://a:1/2", "expected no database but 0", id="another database"),
        pytest.param("unix://", "expected the path of a socket", id="no path"),
        pytest.param("redis+sentinel://u:hush@a:1,b:2", "the master's name", id="no master"),
        pytest.param("redis+sentinel://a/my master", "the master's name", id="a master of two words"),
        pytest.param("redis+sentinel://u:hu/sh@a/m", "the master's name", id="a password cut in two"),
        pytest.param("redis+sentinel://u:12/hu@a/m", "the master's name", id="a password that looks like a port"),
        pytest.param("redis+sentinel://a,,b/m", "found ':26379'", id="a sentinel without an address"),
        pytest.param("redis+sentinel:///m", "found ':26379'", id="no sentinel"),
        pytest.param("redis+sentinel://a:99999/m", "up to 65535", id="a sentinel's port too high"),
        pytest.param("redis+sentinel://a/m/x", "number of a database", id="a database without a number"),
    ],
)
def test_wrong(url: str, sentence: str) -> None:
    """What is wrong is told, and no secret."""
    with pytest.raises(UrlWrong) as wrong:
        place_of(url)

    assert sentence in str(wrong.value)
    assert "hu" not in str(wrong.value)
