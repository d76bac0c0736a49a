"""Who serves which slot: whom a client of a cluster asks, and whom no more."""

from __future__ import annotations

from typing import Any, cast

import pytest
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as Disconnected

from server.store.masters import NONE_ANSWERS, Masters
from server.store.slots import SLOTS
from server.store.url import address_in


class Field:
    """The nodes of a cluster as they answer: each what it is to tell, or nothing."""

    def __init__(self) -> None:
        self.tells: dict[str, list[str]] = {}
        self.asked: list[str] = []

    def one(self, url: str) -> Redis:
        return cast(Redis, Node(self, address_in(url)[0]))


class Node:
    """One of them."""

    def __init__(self, field: Field, host: str) -> None:
        self._field, self._host = field, host

    async def execute_command(self, *command: str) -> Any:
        self._field.asked.append(self._host)
        if self._host not in self._field.tells:
            raise Disconnected("gone")
        return [[0, SLOTS - 1, *([host.encode(), 6379] for host in self._field.tells[self._host])]]


async def test_who_has_left_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """A master that has come back elsewhere is asked there alone; a node that the URL names is always asked."""
    monkeypatch.setattr("server.store.masters.LEARN_AGAIN_S", 0)
    field = Field()
    masters = Masters(["redis://seed"], field.one)
    field.tells = {"seed": ["old", "replica"]}
    assert masters.address(await masters.of(0)) == ("old", 6379)
    field.tells = {"seed": ["new", "old"]}
    masters.look_again()
    await masters.of(0)
    field.tells = {"seed": ["new"]}
    masters.look_again()
    assert masters.address(await masters.of(0)) == ("new", 6379)

    field.tells, field.asked = {}, []
    masters.look_again()
    with pytest.raises(Disconnected, match=f"{NONE_ANSWERS}.*: gone.*: gone"):
        await masters.of(0)

    assert sorted(field.asked) == ["new", "seed"]
