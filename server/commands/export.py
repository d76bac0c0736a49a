"""`fairdeal export`: the archive as Parquet, to be asked with DuckDB or any other tool."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click
import msgspec

from engine.log.entry import LogError, unpack_body
from engine.replay.document import Replay, ReplayError
from engine.replay.file import read_replay
from server.cli import FAILED
from server.commands.answers import InputRefused, json_option, print_json
from server.commands.given import given
from server.commands.online import run_online
from server.store.archive import Archive, open_archive
from server.store.datadir import StartRefused

__all__ = ["export"]

TABLES: Final = {
    "races": {
        "race": "VARCHAR", "code": "VARCHAR", "game": "VARCHAR", "goal": "VARCHAR", "seats": "INTEGER",
        "sealed": "BOOLEAN", "rated": "BOOLEAN", "undo": "VARCHAR", "time_limit_s": "INTEGER", "created_at": "BIGINT",
        "ended_at": "BIGINT", "end": "VARCHAR", "reason": "VARCHAR", "entries": "INTEGER",
    },
    "results": {
        "race": "VARCHAR", "seat": "INTEGER", "player": "VARCHAR", "name": "VARCHAR", "kind": "VARCHAR",
        "engine": "VARCHAR", "rank": "INTEGER", "status": "VARCHAR", "score": "INTEGER", "moves": "INTEGER",
        "cleared": "INTEGER", "strokes": "INTEGER", "time_ms": "BIGINT",
    },
    "moves": {
        "race": "VARCHAR", "seq": "INTEGER", "at": "BIGINT", "seat": "INTEGER", "n": "INTEGER", "m": "VARCHAR",
    },
}  # fmt: skip
"""Table → column → type; `moves` has undos as `u`, `created_at`, `ended_at` and `at` are ms since 1970."""
SHOWN_EVERY: Final = 1_000


@click.command
@click.option("--out", metavar="DIR", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder.")
@click.option("--data", metavar="DIR", type=click.Path(file_okay=False), help="Data directory.")
@click.option("--archive", metavar="DIR|URL", help="Folder of replay files, or s3://BUCKET/PREFIX.")
@json_option
def export(out: Path, as_json: bool, **flags: Any) -> int:
    """Write all races of the archive into DIR as races.parquet, results.parquet and moves.parquet.

    A server may go on meanwhile. Needs the package duckdb: `sh deploy/install --extra export`.
    """
    settings = given(flags).settings
    try:
        import duckdb  # noqa: F401 - only to say early that it is missing
    except ModuleNotFoundError as missing:
        raise InputRefused(
            "expected the package duckdb, found none: run `sh deploy/install --extra export`"
        ) from missing
    try:
        archive = open_archive(settings.archive, settings.data, make=False)
    except StartRefused as refused:
        raise InputRefused(str(refused)) from refused
    try:
        out.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise InputRefused(f"expected a folder to write to, found {out}: {fault.strerror}") from fault
    counts, damaged = run_online(_export(archive, out))
    if as_json:
        print_json({**counts, "damaged": damaged})
    else:
        click.echo(f"{counts['races']} races, {counts['results']} results and {counts['moves']} moves in {out}.")
    for rid in damaged:
        click.echo(f"fairdeal: race {rid} cannot be read, and is left out", err=True)
    return FAILED if damaged else 0


async def _export(archive: Archive, out: Path) -> tuple[dict[str, int], list[str]]:
    counts, damaged = dict.fromkeys(TABLES, 0), list[str]()
    with tempfile.TemporaryDirectory(dir=out, prefix=".export-") as folder, contextlib.ExitStack() as stack:
        rows = {name: stack.enter_context((Path(folder) / name).open("wb")) for name in TABLES}
        async for rid in archive.races():
            try:
                found = list(_rows(read_replay(await archive.read(rid) or b"")))
            except (ReplayError, LogError):
                damaged.append(rid)
                continue
            for name, row in found:
                counts[name] += 1
                rows[name].write(msgspec.json.encode(row) + b"\n")
            if counts["races"] % SHOWN_EVERY == 0:
                click.echo(f"{counts['races']} races read", err=True)
        for name, file in rows.items():
            file.close()
            _as_parquet(Path(file.name), TABLES[name], out / f"{name}.parquet")
    return counts, damaged


def _rows(replay: Replay) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the rows that a race adds, each with its table. Raises LogError."""
    header, card = replay.header, replay.header.card
    bodies = [unpack_body(entry.body, entry.seq) for entry in replay.entries]
    end = next(body for body in reversed(bodies) if body.k in ("race.finished", "race.voided"))
    yield (
        "races",
        {
            "race": header.race,
            "code": header.code,
            **{name: card.get(name) for name in ("game", "goal", "seats", "sealed", "rated", "undo", "time_limit_s")},
            "created_at": replay.entries[0].at,
            "ended_at": replay.entries[-1].at,
            "end": end.k.removeprefix("race."),
            "reason": end.d["reason"],
            "entries": len(replay.entries),
        },
    )
    for standing in header.standings:
        yield "results", {"race": header.race, **standing}
    for entry, body in zip(replay.entries, bodies, strict=True):
        if body.k in ("seat.played", "seat.undone"):
            yield (
                "moves",
                {
                    "race": header.race,
                    "seq": entry.seq,
                    "at": entry.at,
                    "seat": body.s,
                    "n": body.d["n"],
                    "m": body.d.get("m", "u"),
                },
            )


def _as_parquet(rows: Path, columns: dict[str, str], out: Path) -> None:
    """Turn JSON lines into a Parquet file, which is there only once it is whole."""
    import duckdb

    whole = rows.with_suffix(".parquet")
    with duckdb.connect() as database:
        found = database.read_json(str(rows), columns=columns, format="newline_delimited")
        found.write_parquet(str(whole), compression="zstd")
    whole.replace(out)
