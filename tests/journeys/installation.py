"""The installation of compose.yaml without containers: the same commands, files, secrets and variables.

Each host name is replaced by a port of this machine, and each folder by one of the test's.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import yaml

from tests.journeys.processes import WAIT_S
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
IMAGE_COMMANDS = {"prom/prometheus": ["prometheus"]}
"""What an image runs where the service only gives arguments."""


class Service:
    """One service of the compose file, as a process that can be ended and started again."""

    def __init__(self, name: str, command: list[str], environ: Mapping[str, str], log: Path) -> None:
        self.name = name
        self._command = command
        self._environ = environ
        self._log = log
        self.process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        with self._log.open("ab") as log:
            self.process = await asyncio.create_subprocess_exec(
                *self._command, cwd=ROOT, env=self._environ, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    async def end(self, number: int = signal.SIGTERM) -> int:
        """Send a signal and return the exit status."""
        assert self.process is not None
        with suppress(ProcessLookupError):
            self.process.send_signal(number)
        async with asyncio.timeout(WAIT_S):
            return await self.process.wait()

    @property
    def said(self) -> str:
        """All that it logged so far."""
        return self._log.read_text(errors="replace")


class Installation:
    """The services of compose.yaml in a folder."""

    def __init__(self, folder: Path) -> None:
        deploy = folder / "deploy"
        shutil.copytree(ROOT / "deploy", deploy, ignore=shutil.ignore_patterns("secrets"))
        self.folder = folder
        self._ports = {
            host: free_port() for host in ("redis:6379", "node-1:8080", "node-2:8080", "nginx:8080", "prometheus:9090")
        }
        redis = f"127.0.0.1:{self._ports['redis:6379']}"
        subprocess.run(["sh", deploy / "new-secrets", "--redis", redis], check=True, capture_output=True)
        self._deploy = deploy
        compose = yaml.safe_load((deploy / "compose.yaml").read_text())
        self.services = {name: self._service(name, compose["services"][name], compose) for name in compose["services"]}

    def url(self, host: str) -> str:
        """Where a service answers here."""
        return f"http://127.0.0.1:{self._ports[host]}"

    def _service(self, name: str, described: dict[str, Any], compose: dict[str, Any]) -> Service:
        """What a container of this service would run, with the image's own variables below those of the service."""
        places = self._places(name, described, compose)
        image = described["image"].split(":")[0]
        command = [*IMAGE_COMMANDS.get(image, ()), *described.get("command", ())]
        if name == "prometheus":  # An image listens where it likes, and here all share one machine.
            command.append(f"--web.listen-address=127.0.0.1:{self._ports['prometheus:9090']}")
        variables = {
            key: re.sub(r"\$\{\w+:-(.*)\}", r"\1", str(value))
            for key, value in described.get("environment", {}).items()
        }
        if image == "fairdeal":
            variables = self._of_image() | variables
            port = self._ports.get(f"{name}:8080", 0)
            variables |= {"FAIRDEAL_HOST": "127.0.0.1", "FAIRDEAL_PORT": str(port)}
            variables["FAIRDEAL_DATA"] = str(self.folder / name)
            command = [sys.executable if word == "python" else word for word in command]
            if command[:1] == ["fairdeal"]:
                command[:1] = [sys.executable, "-m", "server"]
        environ = {key: value for key, value in os.environ.items() if not key.startswith("FAIRDEAL_")}
        here = {key: self._here(value, places) for key, value in variables.items()}
        if name == "worker":
            here = {key: value for key, value in here.items() if key in ("FAIRDEAL_REDIS_FILE", "FAIRDEAL_LOG_LEVEL")}
        return Service(
            name, [self._here(word, places) for word in command], environ | here, self.folder / f"{name}.log"
        )

    def _of_image(self) -> dict[str, str]:
        recipe = (ROOT / "deploy" / "Dockerfile").read_text()
        return dict(re.findall(r"\b(FAIRDEAL_\w+)=(\S+)", recipe.split("\nENV ")[1].split("\nVOLUME")[0]))

    def _places(self, name: str, described: dict[str, Any], compose: dict[str, Any]) -> dict[str, str]:
        """Folder or file in the container → what it is here; files are copied with the addresses of this machine."""
        places = {}
        for secret in described.get("secrets", ()):
            places[f"/run/secrets/{secret}"] = str(self._deploy / compose["secrets"][secret]["file"])
        for volume in described.get("volumes", ()):
            source, target = volume.split(":")[:2]
            if source.startswith("."):
                places[target] = str(self._copied(name, self._deploy / source))
            else:
                (self.folder / source).mkdir(exist_ok=True)
                places[target] = str(self.folder / source)
        # The longest first: one may be within another.
        return dict(sorted(places.items(), key=lambda place: -len(place[0])))

    def _copied(self, name: str, source: Path) -> Path:
        target = self.folder / f"{name}-files" / source.name
        target.parent.mkdir(exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copy(source, target)
        return target

    def _here(self, text: str, places: Mapping[str, str]) -> str:
        if places:
            there = "|".join(map(re.escape, places))
            text = re.sub(rf"(?<![\w.-])({there})(?=/|$|\s|;)", lambda found: places[found[1]], text)
        for host, port in self._ports.items():
            text = text.replace(host, f"127.0.0.1:{port}")
        return text

    def _settle_files(self) -> None:
        """Put this machine's addresses and folders into the copies of configuration files."""
        redis, nginx = self._ports["redis:6379"], self._ports["nginx:8080"]
        everywhere = {
            "/data": str(self.folder / "redis"),
            "/etc/fairdeal/users.acl": str(self.folder / "redis-files" / "users.acl"),
        }
        for path in self.folder.glob("*-files/**/*"):
            if path.is_file():
                text = self._here(path.read_text(), everywhere)
                text = re.sub(r"^port 6379$", f"port {redis}", text, flags=re.MULTILINE)
                text = text.replace("listen 8080;", f"listen 127.0.0.1:{nginx};")
                text = text.replace(" /tmp/nginx", f" {self.folder}/nginx")
                path.write_text(text)

    @asynccontextmanager
    async def running(self, *names: str) -> AsyncIterator[Installation]:
        """Run some of the services for the length of the block."""
        self._settle_files()
        try:
            for name in names:
                await self.services[name].start()
            yield self
        finally:
            for name in reversed(names):
                service = self.services[name]
                if service.process is not None and service.process.returncode is None:
                    await service.end()
