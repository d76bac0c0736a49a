"""Clients are made in one way: no retries, bytes, and timeouts, whatever the URL's kind."""

import pytest

from server.store.connect import StoreUnavailable, connect
from server.store.url import UrlWrong

URLS = ["redis://localhost:7000/2", "rediss://user:word@example.org", "unix:///run/redis.sock?db=1"]


@pytest.mark.parametrize("url", URLS)
async def test_no_client_retries_by_itself(url: str) -> None:
    """The library's retries are off and waiting is bounded, for each kind of URL."""
    client = connect(url, timeout_ms=1500)

    connection = client.connection_pool.make_connection()
    assert connection.retry.get_retries() == 0
    assert (connection.socket_timeout, connection.socket_connect_timeout) == (1.5, 1.5)
    assert connection.protocol in (2, "2")
    assert not connection.encoder.decode_responses
    await client.aclose()


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("redis://host/0?tiemout=1", "tiemout"),
        ("redis+sentinel://host/mymaster?tiemout=1", "tiemout"),
        ("redis://host/0?socket_timeout=long", "socket_timeout"),
        ("redis://host/?db=first", "db"),
        ("rediss://host/0?ssl_cert_reqs=perhaps", "perhaps"),
        ("rediss+cluster://host?ssl_ca_certs=none.pem", "No such file or directory, ssl_ca_certs=none.pem"),
        (f"rediss+sentinel://host/mymaster?ssl_ca_certs={__file__}", "expected certificates and keys .* in PEM"),
        ("redis+cluster://host?protocol=3", "found protocol"),
        ("redis://host/0?retry=3", "found retry"),
    ],
)
def test_an_option_that_cannot_be_used_is_refused_at_once(url: str, found: str) -> None:
    """A misspelt option, a wrong value, and what is not to be chosen are told before anything is connected."""
    with pytest.raises(UrlWrong, match=found):
        connect(url)


def test_unavailable_says_what_to_do() -> None:
    """The error says what was expected, what was found and what to do."""
    error = StoreUnavailable("connection refused", 250)

    assert str(error) == "expected an answer from Redis, found: connection refused; send the same again in 250 ms"
    assert (error.reason, error.retry_ms) == ("connection refused", 250)
