"""The slots of a cluster: which one a command is for, and who serves each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import count
from typing import Final, cast

from msgspec import Struct
from redis.crc import REDIS_CLUSTER_HASH_SLOTS, key_slot

from server.store.url import Address

__all__ = ["SLOTS", "UNNAMED", "Served", "key_in", "key_of", "nodes_in", "served", "slot_of", "slot_of_key"]

SLOTS: Final = REDIS_CLUSTER_HASH_SLOTS
UNNAMED: Final = ("", "?")
"""What stands for the host of a node that does not know its own: it is where it was reached."""
Runs = list[tuple[int, int, list[bytes | int]]]
KEYLESS: Final = frozenset({"CLIENT", "CONFIG GET", "INFO", "SCRIPT EXISTS", "SCRIPT LOAD"})
"""What Fairdeal asks of no key; the key of any other is its first word but where `key_of` says otherwise."""


class Served(Struct, frozen=True):
    """A run of slots, from first to last, and the master that serves it."""

    first: int
    last: int
    master: Address


def slot_of_key(key: str | bytes) -> int:
    """Return the slot of a key, which is that of its hash tag if it has one."""
    return int(key_slot(key.encode() if isinstance(key, str) else key))


def key_of(command: Sequence[object]) -> str | bytes | None:
    """Return a command's first key (all its keys are in one slot); None for one without keys."""
    name = command[0]
    match name:
        case "EVALSHA" | "EVAL":
            key = command[3]
        case "XREADGROUP":
            words = [word.decode() if isinstance(word, bytes) else word for word in command]
            key = command[words.index("STREAMS") + 1]
        case _ if name in KEYLESS or len(command) == 1:
            return None
        case _:
            key = command[1]
    return key if isinstance(key, str | bytes) else str(key)


def slot_of(command: Sequence[object]) -> int | None:
    """Return the slot of a command's keys; None for one without keys."""
    key = key_of(command)
    return None if key is None else slot_of_key(key)


def key_in(slots: Set[int], prefix: str) -> str:
    """Return a key that begins with some words and lies in one of some slots."""
    return next(key for number in count() if slot_of_key(key := f"{prefix}:{{{number}}}") in slots)


def served(told: object, asked: str) -> Iterator[Served]:
    """Read what `CLUSTER SLOTS` tells; a host that it does not name is the one that was `asked`."""
    for first, last, master, *_ in cast(Runs, told):
        yield Served(int(first), int(last), _address(master, asked))


def nodes_in(told: object, asked: str) -> frozenset[Address]:
    """Return where all nodes are that `CLUSTER SLOTS` tells of, replicas among them."""
    return frozenset(_address(node, asked) for _, _, *nodes in cast(Runs, told) for node in nodes)


def _address(node: Sequence[object], asked: str) -> Address:
    host, port = node[0], node[1]
    named = host.decode() if isinstance(host, bytes) else ""
    return asked if named in UNNAMED else named, int(cast(int, port))
