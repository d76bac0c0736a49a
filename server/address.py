"""Where a request comes from, as far as it can be believed."""

from __future__ import annotations

import hmac
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address
from typing import Final

__all__ = ["origin_of", "place_of"]

NETWORK_BITS: Final = 64
"""What a household or a machine is given of IPv6; who has one has all of its addresses."""


def origin_of(peer: str | None, forwarded: Sequence[str], hops: int) -> str:
    """Return the address by which limits count a caller; of IPv6 the network.

    `forwarded` are the values of X-Forwarded-For. Only what the `hops` last proxies have added is believed: the client
    writes what it likes before that. Without so many, it is the peer's.
    """
    named = [part.strip() for value in forwarded for part in value.split(",")]
    told = named[-hops] if 0 < hops <= len(named) else peer or ""
    try:
        address = ip_address(told)
    except ValueError:
        return peer or ""
    if isinstance(address, IPv6Address):
        if address.ipv4_mapped is not None:
            return str(address.ipv4_mapped)
        return f"{IPv6Address(int(address) >> NETWORK_BITS << NETWORK_BITS)}/{NETWORK_BITS}"
    return str(address)


def place_of(rid_key: bytes, address: str) -> str:
    """Return what an address is counted as where that is kept for a while: the address itself is not kept."""
    return hmac.digest(rid_key, b"address:" + address.encode(), "sha256")[:8].hex()
