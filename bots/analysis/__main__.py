"""`python -m bots.analysis`: answer what is asked about deals and games, until told to stop. It holds no key."""

from __future__ import annotations

import os
import socket
from typing import Final, NoReturn

import click

from bots.analysis.analyst import Analyst
from bots.analysis.prover import StockProver
from bots.process import log_to_stderr, work_until_told
from bots.share import connect

__all__ = ["answer_until_told"]

NICENESS: Final = 15
"""Analysts give way to the server and to the bots that play."""


def answer_until_told(
    redis_url: str, name: str, while_stdin: bool, key: tuple[str, bytes] | None = None, stock: int = 0
) -> NoReturn:
    """Answer until SIGINT or SIGTERM, or until standard input ends; does not return.

    With a key, named by its `kid`, so many proved deals are kept ready for each game.
    """
    os.nice(NICENESS)
    work_until_told(_answer(redis_url, name, key, stock), while_stdin)


async def _answer(redis_url: str, name: str, key: tuple[str, bytes] | None, stock: int) -> None:
    client = connect(redis_url)
    prover = StockProver(client, *key, stock) if key is not None and stock else None
    try:
        await Analyst(client, name, prover).work()
    finally:
        await client.aclose()


@click.command
@click.option("--redis", "redis_url", envvar="FAIRDEAL_REDIS", required=True, help="Where the questions are.")
@click.option("--name", default=lambda: f"{socket.gethostname()}:{os.getpid()}", help="A name of this worker's own.")
@click.option("--log-level", envvar="FAIRDEAL_LOG_LEVEL", default="info", help="The least serious thing logged.")
@click.option("--while-stdin", is_flag=True, help="Stop when standard input ends.")
def main(redis_url: str, name: str, log_level: str, while_stdin: bool) -> None:
    """Answer what is asked about deals and games."""
    log_to_stderr(log_level)
    answer_until_told(redis_url, name, while_stdin)


if __name__ == "__main__":
    main()
