"""A cluster of real Redis servers on loopback: three masters, each with a replica, whole within three seconds."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Final

import redis

from tests.authority import Authority
from tests.ports import free_port
from tests.redis_on import started

MASTERS: Final = 3
SLOTS: Final = 16384
NODE_TIMEOUT_MS: Final = 1500
"""Silence after which the others take a node for dead, and its replica its place."""
WAIT_S: Final = 30.0


class PortTaken(Exception):
    """Somebody else has a port that was free just now."""


class ClusterNode:
    """One server; `number` < MASTERS is a master at first, and `number` + MASTERS its replica."""

    def __init__(
        self, folder: Path, number: int, port: int, bus: int, secrets: Path | None, tls: Authority | None
    ) -> None:
        self.folder, self.number, self.port, self.bus = folder / str(number), number, port, bus
        self.id = f"{number + 1:040x}"
        self.process: subprocess.Popen[bytes] | None = None
        self._secrets, self._tls = secrets, tls
        self.login = {}
        if secrets is not None:
            self.login = {"username": "operator", "password": (secrets / "operator_password").read_text().strip()}
        known_by = str(tls.certificate) if tls else None
        self.client = redis.Redis(
            host="127.0.0.1", port=port, socket_timeout=5, ssl=tls is not None, ssl_ca_certs=known_by, **self.login
        )

    def start(self) -> None:
        installed = []
        if self._secrets is not None:
            installed = ["--include", self._secrets / "cluster.conf", "--aclfile", self._secrets / "users.acl"]
        settings: dict[str, object] = {
            "appendonly": "yes",
            "appendfsync": "always",
            "cluster-enabled": "yes",
            "cluster-port": self.bus,
            "cluster-node-timeout": NODE_TIMEOUT_MS,
            "cluster-replica-validity-factor": 0,
        }
        if self._tls is not None:
            settings |= {**self._tls.settings(self.port), "tls-cluster": "yes"}
        words = (str(word) for name, value in settings.items() for word in (f"--{name}", value))
        self.process = started(self.port, self.folder, *map(str, installed), *words)

    def kill(self) -> None:
        """Kill it as the system does where memory ends."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    @property
    def is_master(self) -> bool:
        return bool(self.client.execute_command("ROLE")[0] == b"master")


@dataclass(frozen=True)
class Move:
    """A slot on its way from one master to another."""

    cluster: ClusterUp
    slot: int
    source: ClusterNode
    target: ClusterNode

    def carry(self, *keys: str) -> None:
        """Move keys that are there."""
        login = ("AUTH2", *self.source.login.values()) if self.source.login else ()
        where = ("127.0.0.1", self.target.port, "", 0, 5000)
        self.source.client.execute_command("MIGRATE", *where, *login, "KEYS", *keys)

    def end(self) -> None:
        """Move what is left, and let all know that the slot is there now."""
        while keys := self.source.client.execute_command("CLUSTER", "GETKEYSINSLOT", self.slot, 100):
            self.carry(*(key.decode() for key in keys))
        for node in (self.target, self.source, *self.cluster.nodes):
            if node.is_master:
                node.client.execute_command("CLUSTER", "SETSLOT", self.slot, "NODE", self.target.id)


class ClusterUp:
    """The servers of a cluster, what they may be made to do, and the URL by which all of it is found."""

    def __init__(self, folder: Path, secrets: Path | None, tls: Authority | None) -> None:
        self._tls = tls
        ports = [free_port() for _ in range(4 * MASTERS)]
        self.nodes = [
            ClusterNode(folder, number, port, bus, secrets, tls)
            for number, (port, bus) in enumerate(zip(ports[::2], ports[1::2], strict=True))
        ]

    @property
    def hosts(self) -> str:
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes[:MASTERS])

    @property
    def url(self) -> str:
        return f"rediss+cluster://{self.hosts}/0{self._tls.options}" if self._tls else f"redis+cluster://{self.hosts}"

    def start(self) -> None:
        """Start as a cluster that stood before does: each server has a file that tells it of the others."""
        for node in self.nodes:
            node.folder.mkdir()
            (node.folder / "nodes.conf").write_text(self._known_to(node))
            node.start()
        self.settle()

    def stop(self) -> None:
        for node in self.nodes:
            node.kill()
            node.client.close()

    def hand_over(self, node: ClusterNode) -> ClusterNode:
        """Let a master's replica take its place while both live; returns it."""
        replica = self.replica_of(node)
        replica.client.execute_command("CLUSTER", "FAILOVER")
        self._promoted(replica)
        self.settle()
        return replica

    def lose(self, node: ClusterNode) -> None:
        """Kill a master and wait until its replica serves its slots."""
        replica = self.replica_of(node)
        node.kill()
        self._promoted(replica)

    def _promoted(self, replica: ClusterNode) -> None:
        ends = time.monotonic() + WAIT_S
        while not replica.is_master:
            if time.monotonic() > ends:
                raise TimeoutError("no replica has taken the place of its master")
            time.sleep(0.02)

    def heal(self) -> None:
        """Start what was killed, as replicas of who has taken its place."""
        for node in self.nodes:
            if node.process is None:
                node.start()
        self.settle()

    def settle(self) -> None:
        """Wait until all say that all slots are served, and each master has its replica."""
        ends = time.monotonic() + WAIT_S
        while not all(_whole(node) for node in self.nodes):
            if any(node.process is not None and node.process.poll() is not None for node in self.nodes):
                raise PortTaken
            if time.monotonic() > ends:
                raise TimeoutError("the cluster is not whole")
            time.sleep(0.02)

    def master_of(self, key: str) -> ClusterNode:
        """The server that serves a key's slot."""
        slot = self.slot(key)
        return next(
            node
            for node in self._alive
            for first, last, (_, port, *_), *_ in node.client.execute_command("CLUSTER", "SLOTS")
            if port == node.port and first <= slot <= last
        )

    def replica_of(self, node: ClusterNode) -> ClusterNode:
        """The server that would take a master's place."""
        roles = ((one, one.client.execute_command("ROLE")) for one in self._alive)
        return next(one for one, role in roles if role[0] == b"slave" and role[2] == node.port)

    def other_master(self, node: ClusterNode) -> ClusterNode:
        """A master that is not that one."""
        return next(one for one in self._alive if one is not node and one.is_master)

    def begin_move(self, key: str) -> Move:
        """Begin to move a key's slot to another master: from now on each key is here or there."""
        source = self.master_of(key)
        move = Move(self, self.slot(key), source, self.other_master(source))
        move.target.client.execute_command("CLUSTER", "SETSLOT", move.slot, "IMPORTING", source.id)
        source.client.execute_command("CLUSTER", "SETSLOT", move.slot, "MIGRATING", move.target.id)
        return move

    def slot(self, key: str) -> int:
        return int(self.nodes[0].client.execute_command("CLUSTER", "KEYSLOT", key))

    @property
    def _alive(self) -> list[ClusterNode]:
        return [node for node in self.nodes if node.process is not None]

    def _known_to(self, knows: ClusterNode) -> str:
        lines = []
        for node in self.nodes:
            myself = "myself," if node is knows else ""
            where = f"{node.id} 127.0.0.1:{node.port}@{node.bus}"
            if node.number < MASTERS:
                first, last = (SLOTS * place // MASTERS for place in (node.number, node.number + 1))
                lines.append(f"{where} {myself}master - 0 0 {node.number + 1} connected {first}-{last - 1}")
            else:
                master = self.nodes[node.number - MASTERS]
                lines.append(f"{where} {myself}slave {master.id} 0 0 {master.number + 1} connected")
        return "\n".join([*lines, f"vars currentEpoch {MASTERS} lastVoteEpoch 0\n"])


@contextmanager
def cluster_up(folder: Path, secrets: Path | None = None, tls: Authority | None = None) -> Iterator[ClusterUp]:
    """A cluster for the length of a block.

    With passwords and rights as `new-secrets` makes them where it has, and over TLS where an authority is given.
    """
    for attempt in count():
        (folder / str(attempt)).mkdir()
        cluster = ClusterUp(folder / str(attempt), secrets, tls)
        try:
            try:
                cluster.start()
            except PortTaken:
                continue
            yield cluster
            return
        finally:
            cluster.stop()


def _whole(node: ClusterNode) -> bool:
    try:
        if b"cluster_state:ok" not in node.client.execute_command("CLUSTER", "INFO"):
            return False
        role = node.client.execute_command("ROLE")
        return bool(role[2]) if role[0] == b"master" else role[3] == b"connected"
    except redis.RedisError:
        return False
