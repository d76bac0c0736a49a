"""The users of an installed Redis: what is written with their rights is there after a restart."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from pathlib import Path

import pytest
from redis.asyncio import Redis
from redis.exceptions import AuthenticationError

from engine.log.entry import START
from server.store.append import Appended
from server.store.archive import INCOMING, open_folder
from server.store.connect import connect
from server.store.log import Log
from tests.deploy.test_files import DEPLOY
from tests.needs import needs
from tests.redis_on import free_port, redis_on
from tests.server.store.conftest import RID, sealed

pytestmark = [pytest.mark.redis, needs("redis-server")]


@pytest.fixture
def users(tmp_path: Path) -> tuple[Path, str]:
    """A file of users as `new-secrets` makes it, and the password of Fairdeal's."""
    shutil.copytree(DEPLOY, tmp_path / "deploy", ignore=shutil.ignore_patterns("secrets"))
    made = tmp_path / "secrets"
    subprocess.run(["sh", tmp_path / "deploy" / "new-secrets", made], check=True, capture_output=True)
    return made / "users.acl", (made / "redis_url").read_text().split(":")[2].split("@")[0]


async def test_all_is_there_after_a_restart(users: tuple[Path, str], tmp_path: Path) -> None:
    """What one append has written together is read back together: the file's reader is the user `default`.

    Nothing that Fairdeal's own user asked for was refused, for a back-up either, which has just what is whole.
    """
    acl, password = users
    port = free_port()
    settings = ("--aclfile", str(acl), "--appendonly", "yes", "--appendfsync", "always")
    client = connect(f"redis://fairdeal:{password}@127.0.0.1:{port}")
    async with Log(client, give_up_ms=20_000) as log:
        with redis_on(port, tmp_path / "redis", *settings):
            outcome = await log.append(RID, START, "*", sealed("a", "b", "c"))
            keyring, archive = acl.with_name("keyring.json"), open_folder(tmp_path / "archive")
            await archive.write(RID, b"x")
            (archive.root / INCOMING / "half").touch()
            copied = tmp_path / "copies" / "1"
            back_up = ["sh", DEPLOY / "backup", tmp_path / "redis", archive.root, keyring, f"{copied}/"]
            login = ["-p", str(port), "--user", "fairdeal", "--pass", password]
            await asyncio.to_thread(subprocess.run, [*back_up, *login], check=True, capture_output=True)
            held = sorted(str(path.relative_to(copied)) for path in (copied / "archive").rglob("*"))
            assert held == ["archive/ab", f"archive/ab/{RID}.fairdeal"]
            assert [path.name for path in copied.parent.iterdir()] == ["1"]
            assert "errorstat_NOPERM" not in await client.info("errorstats")
        assert isinstance(outcome, Appended)
        with redis_on(port, tmp_path / "redis", *settings):
            assert await log.read(RID) == outcome.entries
            async with Redis(port=port) as nobody:
                with pytest.raises(AuthenticationError):
                    await nobody.ping()
    await client.aclose()
