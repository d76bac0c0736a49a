"""What can go wrong for a client: a refusal, a connection that is over for good, a server that cannot be reached."""

from __future__ import annotations

from engine.wire.outbound import Res

__all__ = ["Closed", "Refused", "ServerUnreachable"]


class Refused(Exception):
    """The server did not carry out a command or a call; `code` and `reason` are words of protocol.md."""

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        reason: str | None = None,
        lane: int | None = None,
        retry_ms: int | None = None,
    ) -> None:
        super().__init__(f"{code}{f' ({reason})' if reason else ''}: {message or 'refused by the server'}")
        self.code = code
        self.reason = reason
        self.lane = lane
        self.retry_ms = retry_ms

    @classmethod
    def by(cls, res: Res) -> Refused:
        """Return what a `res` that is not ok says."""
        return cls(res.code or "", res.message, reason=res.reason, lane=res.lane, retry_ms=res.retry_ms)


class Closed(Exception):
    """The connection is over and trying again would not help; `code` is the WebSocket's close code."""

    def __init__(self, code: int, why: str = "") -> None:
        super().__init__(f"the server closed the connection for good with {code}{f': {why}' if why else ''}")
        self.code = code


class ServerUnreachable(Exception):
    """Nobody answers at the server's address."""

    def __init__(self, server: str, why: str) -> None:
        super().__init__(f"expected a server at {server}, found: {why}; is it running?")
        self.server = server
