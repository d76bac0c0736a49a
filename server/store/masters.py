"""Who serves which slot of a cluster: asked when needed, told by redirections, doubted when somebody is silent."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Final

from redis.asyncio import Redis
from redis.exceptions import AskError, ClusterDownError, RedisError
from redis.exceptions import ConnectionError as Disconnected

from server.store import keys
from server.store.slots import SLOTS, UNNAMED, nodes_in, served, slot_of_key
from server.store.url import Address, address_in, address_text, with_address

__all__ = ["NONE_ANSWERS", "Masters"]

LEARN_AGAIN_S: Final = 0.1
"""Between two times of asking."""
NONE_ANSWERS: Final = "none of the nodes of the cluster that are known has told who serves which slot"
"""How the error begins that is raised then."""


class Masters:
    """The masters of a cluster, each with its client, which `one` makes from a URL; `urls` are those of some nodes."""

    def __init__(self, urls: Sequence[str], one: Callable[[str], Redis]) -> None:
        self._url, self._one = urls[0], one
        self._clients: dict[Address, Redis] = {}
        self._named = frozenset(map(address_in, urls))
        self._known = self._named
        self.seeds = [self._at(address_in(url)) for url in urls]
        self._owners: list[Redis | None] = [None] * SLOTS
        self._serving: list[Redis] = []
        # How often there was reason to ask, and how many of those times the table answers.
        self._doubts, self._settled = 1, 0
        self._learned_at = -LEARN_AGAIN_S
        self._suspects: set[Redis] = set()
        self._asked_at: dict[Redis, float] = {}
        self._told_of: Redis | None = None
        self._learning = asyncio.Lock()

    async def aclose(self) -> None:
        """Close the connections to all nodes."""
        for client in self._clients.values():
            await client.aclose()

    async def of(self, slot: int | None) -> Redis:
        """Return a client of the master of a slot, or of what has no key. Raises RedisError, OSError."""
        if self._settled < self._doubts:
            await self._learn()
        found = self._owners[slot_of_key(keys.NODES) if slot is None else slot]
        if found is None:
            self._doubts += 1
            raise ClusterDownError(f"CLUSTERDOWN nobody serves slot {slot}")
        return found

    async def all(self) -> list[Redis]:
        """Return a client of each master that serves slots. Raises RedisError, OSError."""
        await self.of(None)
        return list(self._serving)

    def address(self, client: Redis) -> Address:
        """Return where a node is."""
        return next(address for address, one in self._clients.items() if one is client)

    def suspect(self, client: Redis) -> None:
        """Note that a node does not answer: another may serve its slots by now."""
        self._suspects.add(client)
        self._doubts += 1

    def owner(self, slot: int) -> Redis | None:
        """Return a client of the master of a slot as far as it is known now, asking nobody."""
        return self._owners[slot]

    def slots(self, client: Redis) -> list[int]:
        """Return the slots that a master serves as far as it is known now."""
        return [slot for slot, owner in enumerate(self._owners) if owner is client]

    def look_again(self) -> None:
        """Note that slots have moved."""
        self._doubts += 1

    def moved(self, fault: AskError, answered: Redis) -> Redis:
        """Take note where a slot is for good, as `answered` has told; returns the client of that master."""
        named = self.named(fault, answered)
        self._known |= {self.address(named)}
        # It knows best; and where one slot has moved, others may have.
        self._owners[fault.slot_id] = self._told_of = named
        if named not in self._serving:
            self._serving.append(named)
        self._doubts += 1
        return named

    def named(self, fault: AskError, answered: Redis) -> Redis:
        """Return the client of the node that a redirection names; without a host it is that of who answered."""
        host, port = fault.node_addr
        return self._at((self.address(answered)[0] if host in UNNAMED else host, int(port)))

    async def _learn(self) -> None:
        """Ask one node after another who serves which slot.

        Raises ConnectionError (redis) that has what each has answered, ClusterDownError where that may pass soon.
        """
        async with self._learning:
            now = asyncio.get_running_loop().time()
            doubts = self._doubts
            if self._settled == doubts or (self._settled and now < self._learned_at + LEARN_AGAIN_S):
                return
            self._learned_at = now
            faults: dict[Redis, Exception] = {}
            for client in self._informed():
                self._asked_at[client] = now
                try:
                    told = await client.execute_command("CLUSTER", "SLOTS")  # type: ignore[no-untyped-call]
                except (RedisError, OSError) as fault:
                    faults[client] = fault
                    self._suspects.add(client)
                    continue
                asked, _ = self.address(client)
                runs = list(served(told, asked))
                if not runs:
                    faults[client] = ClusterDownError("CLUSTERDOWN it knows of no master")
                    continue
                self._suspects.discard(client)
                self._owners, self._told_of, self._settled = [None] * SLOTS, None, doubts
                for run in runs:
                    self._owners[run.first : run.last + 1] = [self._at(run.master)] * (run.last + 1 - run.first)
                self._known = self._named | nodes_in(told, asked)
                self._serving = list(dict.fromkeys(self._at(run.master) for run in runs))
                return
            told_by = (
                f"{address_text(self.address(client))}: {str(fault) or type(fault).__name__}"
                for client, fault in faults.items()
            )
            soon = any(isinstance(fault, ClusterDownError) for fault in faults.values())
            raise (ClusterDownError if soon else Disconnected)(f"{NONE_ANSWERS}: {'; '.join(told_by)}")

    def _informed(self) -> list[Redis]:
        """Return the nodes that may know: who was named last, then those that answer, each in its turn.

        One that is cut off from the others answers, too, and knows nothing new. Who has left the cluster, as those do
        whose machines come back at other addresses, is not waited for.
        """

        def place(client: Redis) -> tuple[bool, bool, float]:
            return client is not self._told_of, client in self._suspects, self._asked_at.get(client, 0.0)

        here = (client for address, client in self._clients.items() if address in self._known)
        return sorted(here, key=place)

    def _at(self, address: Address) -> Redis:
        client = self._clients.get(address)
        if client is None:
            client = self._clients[address] = self._one(with_address(self._url, address))
        return client
