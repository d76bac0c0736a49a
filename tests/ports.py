"""Ports of this machine for servers that have to be found at a port known before they start."""

from __future__ import annotations

import random
import socket
from contextlib import suppress
from typing import Final

__all__ = ["free_port"]

PORTS: Final = range(10_240, 32_000)
"""Below those that systems give to outgoing connections, to port 0, and, while a server is away, to its own clients:
one that connects to itself finds an answer there, and the server none of its port any more."""

_untried = iter(random.sample(PORTS, len(PORTS)))


def free_port() -> int:
    """Return a port that nobody listens on, another one each time."""
    for port in _untried:
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError(f"expected a free port in {PORTS}, found none")
