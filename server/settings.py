"""The settings of a server: one table of names, defaults, ranges and meanings, and where each value came from."""

import os
import re
from collections.abc import Mapping
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, get_args, get_type_hints

import msgspec
from msgspec import Meta

from server.store.datadir import default_data_dir
from server.store.url import FORMS, UrlWrong, place_of

__all__ = [
    "Durability",
    "LogLevel",
    "Resolved",
    "Row",
    "SettingWrong",
    "Settings",
    "Source",
    "environment",
    "masked",
    "resolve",
    "variable",
]

PREFIX = "FAIRDEAL_"
FROM_FILE = "_FILE"
"""`FAIRDEAL_REDIS_FILE` names a file that holds the value of `redis`: so secrets are mounted."""
FILE_BYTES = 65_536
MASK = "***"


class Durability(StrEnum):
    """What an entry must have survived before it is told to anybody."""

    FSYNC = "fsync"
    AOF = "aof"
    REPLICA = "replica"


class LogLevel(StrEnum):
    """The least serious thing that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def _says(meaning: str, **bounds: Any) -> Meta:
    return Meta(description=meaning, **bounds)


WebUrl = Annotated[str, Meta(pattern="^https?://[^/]", title="a URL such as https://fairdeal.example")]
RedisUrl = Annotated[str, Meta(title=f"a URL: {FORMS}")]


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """All settings; times in milliseconds, sizes in bytes. Every line: name, type, meaning, range, default."""

    host: Annotated[str, _says("address to listen on")] = "127.0.0.1"
    port: Annotated[int, _says("port to listen on; 0: any free one", ge=0, le=65535)] = 8080
    public_url: Annotated[WebUrl | None, _says("address that links name, unless that of host and port")] = None
    redis: Annotated[RedisUrl | None, _says("a running Redis; unset: a private one, started and stopped here")] = None
    data: Annotated[Path, _says("data directory: private Redis, key ring, archive")] = msgspec.field(
        default_factory=default_data_dir
    )
    keyring: Annotated[Path | None, _says("key ring file shared by several nodes; unset: in the data directory")] = None
    archive: Annotated[str | None, _says("folder or s3://BUCKET/PREFIX of replay files; unset: in data")] = None
    durability: Annotated[Durability, _says("what an entry must have survived before it is told")] = Durability.FSYNC
    workers: Annotated[int, _says("processes that serve", ge=1, le=64)] = 1
    bots: Annotated[int, _says("processes that play the seats given to bots", ge=0, le=64)] = 1
    analysts: Annotated[int, _says("processes that analyse games and prove deals", ge=0, le=64)] = 1
    bots_per_player: Annotated[
        int, _says("seats for bots that one player may have in races not over", ge=0, le=100_000)
    ] = 100
    bots_per_address: Annotated[
        int, _says("seats for bots that one address may have in races not over", ge=0, le=1_000_000)
    ] = 400
    races_cached: Annotated[int, _says("folds of races kept in memory by one process", ge=1, le=1_000_000)] = 2_000

    proxy_hops: Annotated[
        int, _says("proxies before this server that add to X-Forwarded-For; 0: the peer's address counts", ge=0, le=16)
    ] = 0
    sockets_per_address: Annotated[int, _says("sockets that one address may have", ge=1, le=1_000_000)] = 4_096
    sockets_per_player: Annotated[int, _says("sockets that one player may have", ge=1, le=100_000)] = 64
    hello_timeout_ms: Annotated[int, _says("time for a socket's first message", ge=10, le=600_000)] = 10_000
    heartbeat_ms: Annotated[int, _says("time between two pings to a socket", ge=10, le=600_000)] = 10_000
    dead_after_ms: Annotated[int, _says("silence after which a socket is dead", ge=20, le=3_600_000)] = 25_000
    idle_ms: Annotated[int, _says("time that a connection may take to a whole request", ge=100, le=3_600_000)] = 30_000
    body_ms: Annotated[int, _says("time that the body of a call may take", ge=10, le=3_600_000)] = 10_000
    max_msg_bytes: Annotated[int, _says("longest message taken from a socket", ge=1_024, le=1 << 20)] = 16 << 10
    play_burst: Annotated[int, _says("plays that a seat may send at once", ge=1, le=1_000_000)] = 100
    play_rate: Annotated[int, _says("plays per second that a seat may send for long", ge=1, le=1_000_000)] = 30
    outbox_bytes: Annotated[int, _says("bytes that may wait for one socket", ge=4_096, le=1 << 30)] = 1 << 20
    outbox_count: Annotated[int, _says("frames that may wait for one socket", ge=8, le=1_000_000)] = 1_024
    slow_ms: Annotated[int, _says("time for which a socket may leave what waits unread", ge=10, le=3_600_000)] = 10_000
    lease_ms: Annotated[int, _says("silence after which a node is taken for dead", ge=50, le=3_600_000)] = 15_000
    redis_ms: Annotated[int, _says("time for Redis to answer; then an outcome is unknown", ge=20, le=600_000)] = 6_000

    start_delay_ms: Annotated[int, _says("countdown from the last ready to the start", ge=0, le=60_000)] = 3_000
    series_delay_ms: Annotated[int, _says("countdown between two races of a series", ge=0, le=600_000)] = 10_000
    no_show_ms: Annotated[int, _says("time for a seat that others wait for", ge=10, le=3_600_000)] = 60_000
    challenge_ms: Annotated[int, _says("time for a challenge to be answered", ge=10, le=3_600_000)] = 300_000
    challenges_by_player: Annotated[int, _says("challenges that one player may make in that time", ge=0, le=10_000)] = (
        10
    )
    challenges_by_address: Annotated[
        int, _says("challenges that may come from one address in that time", ge=0, le=10_000)
    ] = 200
    challenges_to_player: Annotated[
        int, _says("challenges that one player may be sent in that time", ge=0, le=10_000)
    ] = 20
    match_window: Annotated[int, _says("difference of ratings in a quick race at first", ge=0, le=10_000)] = 200
    match_widen_per_s: Annotated[int, _says("how much more with each second of waiting", ge=0, le=10_000)] = 20
    match_bot_after_ms: Annotated[int, _says("waiting after which a bot is offered", ge=0, le=3_600_000)] = 20_000
    queue_most: Annotated[int, _says("players who may wait for quick races", ge=2, le=1_000_000)] = 10_000
    absence_end_ms: Annotated[int, _says("absence of all seats that ends a race", ge=10, le=86_400_000)] = 120_000
    progress_ms: Annotated[int, _says("least time between two progress messages in a race", ge=0, le=60_000)] = 250
    sealed_progress_ms: Annotated[int, _says("the same while a race is sealed", ge=0, le=60_000)] = 2_000

    analysis_ms: Annotated[int, _says("CPU time for one analysis", ge=10, le=600_000)] = 5_000
    analyses_waiting: Annotated[int, _says("analyses of one kind that may wait", ge=1, le=100_000)] = 256
    analysis_kept_s: Annotated[int, _says("seconds for which an analysis is kept", ge=1, le=31_536_000)] = 86_400
    eval_ms: Annotated[int, _says("least time between two evals in a race; 0: none", ge=0, le=600_000)] = 1_000
    stock: Annotated[int, _says("proved deals kept ready for each game", ge=0, le=1_000)] = 8

    log_level: Annotated[LogLevel, _says("the least serious thing that is logged")] = LogLevel.INFO


class Source(StrEnum):
    """Where a value came from; a later one wins over an earlier one."""

    DEFAULT = "default"
    FILE = "file"
    ENVIRONMENT = "environment"
    FLAG = "flag"


class SettingWrong(ValueError):
    """A setting is misspelt or out of its range; the message says what was expected, what was found and what to do."""


class Row(msgspec.Struct, frozen=True):
    """One setting as `fairdeal config` shows it: secrets masked, None for what is unset."""

    name: str
    value: int | str | None
    source: Source
    default: int | str | None
    range: str
    meaning: str
    variable: str


class Resolved(msgspec.Struct, frozen=True):
    """The settings in force and the source of each."""

    settings: Settings
    sources: Mapping[str, Source]

    def rows(self) -> tuple[Row, ...]:
        """Every setting in the table's order, fit to be shown."""
        defaults = Settings()
        return tuple(
            Row(
                name,
                _shown(getattr(self.settings, name)),
                self.sources[name],
                _shown(getattr(defaults, name)),
                _range(kind),
                _meta(kind).description or "",
                variable(name),
            )
            for name, kind in _table().items()
        )


def variable(name: str) -> str:
    """The environment variable of a setting: `FAIRDEAL_PORT` for `port`."""
    return PREFIX + name.upper()


def resolve(flags: Mapping[str, object] | None = None, environ: Mapping[str, str] = os.environ) -> Resolved:
    """The settings from flags (None: not given), else the environment (empty: not set), else files that it names, else
    the defaults.

    Raises SettingWrong for a value out of its range, for an unknown flag or FAIRDEAL_* variable and an unreadable file.
    """
    table = _table()
    found: dict[str, tuple[Source, str, object]] = {}
    variables = {variable(name): name for name in table}
    for key, text in environ.items():
        named = key.removesuffix(FROM_FILE)
        if key.startswith(PREFIX) and text and named in variables and key not in variables:
            found[variables[named]] = (Source.FILE, key, _content(key, Path(text)))
    for key, text in environ.items():
        named = key.removesuffix(FROM_FILE)
        if key.startswith(PREFIX) and (key in variables or named not in variables):
            name = _known(key, variables)
            if text:
                found[name] = (Source.ENVIRONMENT, key, text)
    for key, given in (flags or {}).items():
        name = _known(f"--{key.replace('_', '-')}", {_flag(name): name for name in table})
        if given is not None:
            found[name] = (Source.FLAG, _flag(name), given)
    values = {name: _value(table[name], where, given) for name, (_, where, given) in found.items()}
    if "redis" in values:
        _check_redis(found["redis"][1], values["redis"])
    settings = Settings(**values)
    if settings.dead_after_ms <= settings.heartbeat_ms:
        raise SettingWrong(
            f"dead_after_ms should be more than heartbeat_ms, or every quiet socket is taken for dead: found "
            f"{settings.dead_after_ms} and {settings.heartbeat_ms}; raise the first or lower the second."
        )
    sources = {name: found[name][0] if name in found else Source.DEFAULT for name in table}
    return Resolved(settings, sources)


def environment(settings: Settings) -> dict[str, str]:
    """The environment in which `resolve` gives these settings: every variable, empty for what is unset."""
    values = {name: getattr(settings, name) for name in _table()}
    return {variable(name): "" if value is None else str(value) for name, value in values.items()}


def masked(text: str) -> str:
    """A URL with its secrets, in its authority or its query, masked; any other text as it is."""
    text = re.sub(r"(?<=//)([^/@:]*):[^/]*@", rf"\1:{MASK}@", text)
    return re.sub(r"(?i)([?&][^=&]*(?:password|secret|token|key)[^=&]*=)[^&]*", rf"\1{MASK}", text)


def _table() -> dict[str, Any]:
    """The annotated type of each setting, in the order of the class."""
    return get_type_hints(Settings, include_extras=True)


def _flag(name: str) -> str:
    return "--" + name.replace("_", "-")


def _meta(kind: Any) -> Meta:
    meta = get_args(kind)[1]
    assert isinstance(meta, Meta)
    return meta


def _content(key: str, path: Path) -> str:
    """The text that a file holds for a setting, without the line's end."""
    try:
        with path.open(encoding="utf-8") as file:
            text = file.read(FILE_BYTES).strip()
    except (OSError, ValueError) as fault:
        why = fault.strerror if isinstance(fault, OSError) else "it is not text"
        raise SettingWrong(f"{key} should name a file that can be read, and {path} cannot: {why}.") from fault
    if not text:
        raise SettingWrong(
            f"{key} should name a file that holds a value, and {path} is empty: fill it or leave it out."
        )
    return text


def _known(spelt: str, names: Mapping[str, str]) -> str:
    """The setting that a variable or flag is for; SettingWrong, with the nearest, when there is none."""
    if spelt in names:
        return names[spelt]
    near = get_close_matches(spelt, names, n=1, cutoff=0.0)[0]
    raise SettingWrong(f"There is no setting {spelt}; the nearest is {near}. `fairdeal config` shows them all.")


def _value(kind: Any, where: str, given: object) -> Any:
    """Read a text, or check a value, as the setting's type and range."""
    if isinstance(given, Path):
        given = str(given)
    try:
        return msgspec.convert(given, kind, strict=not isinstance(given, str), dec_hook=_path)
    except msgspec.ValidationError as error:
        found = masked(given) if isinstance(given, str) else repr(given)
        raise SettingWrong(f"{where} should be {_range(kind)}, and is {found}: change it or leave it out.") from error


def _check_redis(where: str, url: str) -> None:
    try:
        place_of(url)
    except UrlWrong as wrong:
        # What is wrong may be that a password cannot be told from the rest: nothing of it is shown.
        raise SettingWrong(f"{where} should be the URL of a Redis: {wrong}. Change it or leave it out.") from wrong


def _path(kind: type, text: Any) -> Path:
    assert kind is Path
    if not isinstance(text, str):
        raise msgspec.ValidationError("a path is a text")
    return Path(text)


def _range(kind: Any) -> str:
    """What a setting may be, in words: `a whole number from 0 to 65535`, `fsync, aof or replica`."""
    plain, meta = get_args(kind)[0], _meta(kind)
    titles = [meta.title for choice in get_args(plain) for meta in get_args(choice)[1:]]
    if titles:
        return str(titles[0])
    if plain is int:
        return f"a whole number from {meta.ge} to {meta.le}"
    if isinstance(plain, type) and issubclass(plain, StrEnum):
        *most, last = (str(choice) for choice in plain)
        return f"{', '.join(most)} or {last}"
    if Path in (plain, *get_args(plain)):
        return "a path"
    return "a text"


def _shown(value: Any) -> int | str | None:
    return value if value is None or isinstance(value, int) else masked(str(value))
