"""Journeys held by hand: as often as the command line says, with what they came to printed and kept."""

from __future__ import annotations

import asyncio
import tempfile
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import msgspec
import structlog
from msgspec import Struct

__all__ = ["hold", "options", "show"]

T = TypeVar("T", bound=Struct)


def options(says: str | None, times: int, counted: str = "rounds") -> ArgumentParser:
    """Return what such a command line takes: how often (`times`, by the name that is `counted`), seconds, seed, out."""
    parser = ArgumentParser(description=says)
    parser.add_argument(f"--{counted}", dest="times", type=int, default=times)
    parser.add_argument("--seconds", type=float, default=3600.0, help="none is begun after that")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="a file to add the outcome to, one JSON object a line")
    return parser


def hold(asked: Namespace, begun: Callable[[Path], Coroutine[Any, Any, T]]) -> T:
    """Hold a journey in a folder of its own; prints its outcome, and adds it to the file that was asked for."""
    # Lost connections are what all of this is about.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger("error"))
    with tempfile.TemporaryDirectory(prefix="fairdeal-") as folder:
        outcome = asyncio.run(begun(Path(folder)))
    line = msgspec.json.encode(outcome).decode()
    print(line)
    if asked.out is not None:
        with asked.out.open("a") as file:
            file.write(line + "\n")
    return outcome


def show(told: str) -> None:
    """Print what is told on the way at once, though nobody looks at a terminal."""
    print(told, flush=True)
