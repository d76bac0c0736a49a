"""The page's files as they go out: packed, under addresses that name their content, with all that they import."""

from __future__ import annotations

import errno
import gzip
import re
import time
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

__all__ = ["TYPES", "WEB", "WebFile", "edition", "imported", "packed", "web_file", "without_edition"]

WEB: Final = Path(__file__).parent.parent / "web"
TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}
"""Not the system's table, which on some has other ideas of JavaScript. What is not here is not served."""
DIGITS: Final = 16
LOOK_AGAIN_S: Final = 1
"""How long an edition holds unlooked at: to look at all files takes a millisecond, and each file that is kept asks."""
EDITION: Final = re.compile(rf"~([0-9a-f]{{{DIGITS}}})/(.+)")
IMPORT: Final = re.compile(r"""^(?:import|export)\b[^"';]*["'](\.[^"']+)["']""", re.MULTILINE)
"""A static import at a line's beginning; `import(…)` is none."""


class WebFile(Struct, frozen=True):
    """A file of the page: its bytes, the same packed by gzip, and hex digits that name them."""

    kind: str
    body: bytes
    packed: bytes
    digest: str


def packed(kind: str, body: bytes) -> WebFile:
    """Return bytes of a kind as a file of the page."""
    return WebFile(kind, body, gzip.compress(body, mtime=0), sha256(body).hexdigest()[:DIGITS])


def web_file(name: str) -> WebFile | None:
    """Return a file by its path below `server/web`, as it is now; None where the page has none of that name."""
    path = WEB if "\0" in name else WEB.joinpath(name).resolve()
    if not path.is_relative_to(WEB.resolve()) or path.suffix not in TYPES or not _there(path):
        return None
    return _read(path, *_stamp(path))


def edition() -> str:
    """Return hex digits that name the whole page, which change within a second when any file of it does."""
    return _edition_in(int(time.monotonic() / LOOK_AGAIN_S))


def without_edition(name: str) -> tuple[str, str]:
    """Split `~EDITION/NAME` into the edition and the file's name; a plain name is of no edition, `""`."""
    found = EDITION.fullmatch(name)
    return (found[1], found[2]) if found else ("", name)


@lru_cache(maxsize=64)
def imported(name: str, of_edition: str) -> tuple[str, ...]:
    """Return a module and all that it imports, directly or not, as names below `server/web`, in the order met.

    `of_edition` is what `edition` said: the answer is kept as long as that holds.
    """
    found: dict[str, None] = {}
    waiting = [name]
    while waiting:
        module = waiting.pop(0)
        if module in found:
            continue
        found[module] = None
        path = WEB / module
        targets = IMPORT.findall(path.read_text(encoding="utf-8"))
        waiting += [str((path.parent / target).resolve().relative_to(WEB.resolve())) for target in targets]
    return tuple(found)


def _there(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError as fault:
        if fault.errno == errno.ENAMETOOLONG:
            return False  # No file can be called so.
        raise


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_mtime_ns, status.st_size


@lru_cache(maxsize=512)
def _read(path: Path, _changed_ns: int, _size: int) -> WebFile:
    return packed(TYPES[path.suffix], path.read_bytes())


@lru_cache(maxsize=1)
def _edition_in(_second: int) -> str:
    names = sorted(path for path in WEB.rglob("*") if path.suffix in TYPES)
    return _edition(tuple((path, *_stamp(path)) for path in names))


@lru_cache(maxsize=4)
def _edition(stamped: tuple[tuple[Path, int, int], ...]) -> str:
    whole = sha256()
    for path, _, _ in stamped:
        whole.update(f"{path.relative_to(WEB)}\0".encode() + sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:DIGITS]
