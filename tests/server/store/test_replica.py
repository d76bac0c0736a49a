"""Level `replica` on a real pair of Redis servers."""

from pathlib import Path

import pytest

from engine.log.entry import START
from engine.wish import SeatWish
from server.store import keys
from server.store.accounts import Accounts
from server.store.append import Appended
from server.store.connect import StoreUnavailable, connect
from server.store.log import Durability, Log
from server.store.rulings import Act, Ruling, Rulings
from server.store.wanted import WantedBots
from tests.needs import needs
from tests.redis_on import free_port, patient, redis_on
from tests.server.store.conftest import RID, sealed


@pytest.mark.redis
@needs("redis-server")
async def test_what_a_replica_holds_is_told(tmp_path: Path) -> None:
    """With a replica appends, reads, accounts and rulings are told once it holds them; without it they are not."""
    port, replica_port = free_port(), free_port()
    with redis_on(port, tmp_path / "master"):
        master = patient(port)
        await master.ping()
        client = connect(f"redis://127.0.0.1:{port}")
        async with Log(client, durability=Durability.REPLICA, timeout_ms=4000, give_up_ms=20_000) as log:
            with redis_on(replica_port, tmp_path / "replica", "--replicaof", "127.0.0.1", str(port)):
                outcome = await log.append(RID, START, "*", sealed("a"))
                assert isinstance(outcome, Appended)
                await Accounts(client, log.keep).claim("ann", "Anna")
                await Rulings(client, log.keep).rule(Ruling(Act.SIGN_OUT, "ann", player="ann"))
                await WantedBots(client, log.keep).ask_once(RID, [SeatWish(RID, "GO", "greedy", owner="ann")])
                async with patient(replica_port) as replica:
                    assert await replica.xlen(keys.WANTED) == 1
                    assert await replica.xlen("race:{" + RID + "}:log") == 1
                    assert (await replica.hlen(keys.ACCOUNTS), await replica.xlen(keys.RULINGS)) == (1, 1)
                assert await log.read(RID) == outcome.entries
            await master.client_kill_filter(_type="replica")
        async with Log(client, durability=Durability.REPLICA, timeout_ms=600, give_up_ms=50) as log:
            with pytest.raises(StoreUnavailable, match="expected 1 replicas to hold it, found 0"):
                await log.append(RID, outcome.entries[0].cursor, "*", sealed("b"))
            with pytest.raises(StoreUnavailable, match="expected 1 replicas to hold it, found 0"):
                await Accounts(client, log.keep).claim("bob", "Bob")
        await client.aclose()
        await master.aclose()
