"""Instructions instead of time: `python -m tests.load.counted [--keep FOLDER]`, within a minute; needs valgrind.

What callgrind counts of a server's own code, the system's left out, is the same on a busy machine as on a quiet one,
but for 1.5 %: a change of one part in fifty shows, where the time of a move differs by a third from run to run. Each
figure stands beside its yardstick. `--keep` keeps what was counted, for `callgrind_annotate --tree=caller`, which tells
how often each function of C was called, and by which. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

from tests.load.field import Seat, closed, opened, read_events, seats, watching, written_bare
from tests.load.processes import Served, bare, product

RACES: Final = 8
MOVES: Final = 60
SPECTATORS: Final = 200
EVENTS: Final = 50


def under(folder: Path, name: str) -> tuple[str, ...]:
    return ("valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder / name}")


async def counted(served: Served, folder: Path, name: str, work: Callable[[], Awaitable[object]]) -> int:
    """Return how many instructions the server takes while something is done."""

    def control(*words: str) -> None:
        subprocess.run(["vgdb", f"--pid={served.pid}", *words], check=True, capture_output=True, timeout=30)

    control("instrumentation", "on")
    await work()
    control("instrumentation", "off")
    control("dump")
    lines = (folder / f"{name}.1").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith("totals:")))


async def played(served: Served, folder: Path, name: str, *, echo: bool = False) -> float:
    """Instructions for a move, or for a message that is echoed."""
    async with opened(served.url) as session:
        players = await seats(session, RACES, 2, echo=echo)

        async def play(moves: int) -> None:
            async def hand(player: Seat) -> None:
                for _ in range(moves):
                    await player.move()

            await asyncio.gather(*map(hand, players))

        await play(20)
        return await counted(served, folder, name, lambda: play(MOVES)) / (MOVES * len(players))


async def watched(served: Served, folder: Path, name: str) -> float:
    """Instructions for an event and spectator, that of the move itself with it."""
    async with opened(served.url) as session:
        (player,) = await seats(session, 1, 1)
        crowd = await watching(session, player.race, SPECTATORS)

        async def play(events: int) -> None:
            for _ in range(events):
                await player.move()
            await read_events(crowd, events)

        await play(1)
        return await counted(served, folder, name, lambda: play(EVENTS)) / (EVENTS * SPECTATORS)


async def written(served: Served, folder: Path, name: str) -> float:
    """Instructions for a frame written to one of many bare sockets."""
    crowd = [await asyncio.open_connection("127.0.0.1", served.port) for _ in range(SPECTATORS)]
    await written_bare(crowd, 1)
    found = await counted(served, folder, name, lambda: written_bare(crowd, EVENTS)) / (EVENTS * SPECTATORS)
    await closed(crowd)
    return found


async def measured(folder: Path) -> None:
    with bare("echo", under=under(folder, "echo")) as served:
        echo = await played(served, folder, "echo", echo=True)
    with product(under=under(folder, "move")) as served:
        move = await played(served, folder, "move")
    show("a move", move, "an echo", echo)
    with bare("crowd", under=under(folder, "crowd")) as served:
        bytes_alone = await written(served, folder, "crowd")
    with product(under=under(folder, "event")) as served:
        event = await watched(served, folder, "event")
    show("an event for a spectator", event, "the same bytes alone", bytes_alone)


def show(what: str, ours: float, yardstick: str, its: float) -> None:
    print(f"{what:<28}{ours:>9,.0f} instructions, {ours / its:4.1f} × {yardstick} ({its:,.0f})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", type=Path, help="folder for what was counted")
    keep = parser.parse_args().keep
    if shutil.which("valgrind") is None:
        sys.exit("expected valgrind, found none: apt-get install valgrind (Debian)")
    with tempfile.TemporaryDirectory(prefix="fairdeal-counted-") as folder:
        if keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
        asyncio.run(measured(keep or Path(folder)))


if __name__ == "__main__":
    main()
