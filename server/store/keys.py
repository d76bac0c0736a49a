"""The one place for the names of Redis keys and channels; braces are the cluster's hash tags, literally."""

import zlib
from typing import Final

from engine import wish

TIMER_SHARDS: Final = 16

WANTED: Final = wish.STREAM
"""The stream of seats that want a bot; workers, which know nothing of the server, have its name from the engine."""

REPLICATED: Final = "replicated"
"""Written before a WAIT, which counts replicas only up to its own connection's last write."""


def race_log(rid: str) -> str:
    """The stream that holds all that ever happened in a race."""
    return f"race:{{{rid}}}:log"


def race_bell(rid: str) -> str:
    """The channel on which a new entry of a race is told."""
    return f"race:{{{rid}}}:bell"


def race_rung(channel: bytes) -> str:
    """The race of a channel, as `race_bell` names it."""
    return channel.removeprefix(b"race:{").removesuffix(b"}:bell").decode()


def timers(shard: int) -> str:
    """The sorted set of races by due time, one of `TIMER_SHARDS`."""
    return f"timers:{{{shard}}}"


def timer_shard(rid: str) -> int:
    """The shard of a race's timer, the same on every node."""
    return zlib.crc32(rid.encode()) % TIMER_SHARDS


SWEPT: Final = "{timers}:swept"
"""There while all logs have been looked at lately for one without a timer."""


def bots_asked(rid: str) -> str:
    """There while the bots of a race have been asked for; beside the stream of wishes, for one script writes both."""
    return f"{{{WANTED}}}:asked:{rid}"


def bots_hired(rid: str) -> str:
    """The sets in which the bots of a race are counted; there from its offer to its end."""
    return f"{{{WANTED}}}:hired:{rid}"


def bots_of(who: str) -> str:
    """The races for which somebody has asked for bots, by when they are over at the latest."""
    return f"{{{WANTED}}}:of:{who}"


NODES: Final = "{nodes}:leases"
"""A sorted set: number of a node → when its lease runs out, in ms of Redis's clock."""


def node_races(node: int) -> str:
    """The races in which connections to a node hold seats."""
    return f"{{nodes}}:{node}:races"


LOBBY_RACES: Final = "{lobby}:races"
"""A hash: race → the seq that the lobby has seen, and what it shows of it. One script writes all of the lobby."""


def lobby(status: str) -> str:
    """The races of a status, by time."""
    return f"{{lobby}}:{status}"


def lobby_code(code: str) -> str:
    """The races on a code, by time of creation."""
    return f"{{lobby}}:code:{code}"


def lobby_player(player: str) -> str:
    """The races of a player, by time of creation."""
    return f"{{lobby}}:player:{player}"


def ratings(pool: str, part: str) -> str:
    """A part of a pool's ratings: `version`, `players`, `met`, `races`, `rows`, `ladder`; one script writes all."""
    return f"{{ratings:{pool}}}:{part}"


RATING_POOLS: Final = "ratings:pools"
"""The set of all pools that have a rated race."""

ACCOUNTS: Final = "{accounts}:players"
"""A hash: player → since when the account is claimed, its name's look, and the name. No projection, but the truth."""

ACCOUNT_NAMES: Final = "{accounts}:names"
"""A hash: what a claimed name looks like → whose it is."""


def account_link(digest: str) -> str:
    """The player whom a one-time link lets in; it names the digest of the link's secret, not the secret."""
    return f"{{accounts}}:link:{digest}"


FORESIGHT: Final = "foresight"
"""A hash: race → how often its seats played as if they knew the unseen cards, once an admin has asked."""

RULINGS: Final = "rulings"
"""The stream of what admins and accounts have ruled about races and tokens. No projection, but the truth."""


CHALLENGES: Final = "challenges"
"""The stream of challenges between players, the newest alone."""


def results_on(code: str) -> str:
    """The finished races on a code, by the time of their end."""
    return f"{{results}}:code:{code}"


def best_on(code: str) -> str:
    """The best results on a code, the best first."""
    return f"{{results}}:best:{code}"


def results_of_day(day: int, game: str) -> str:
    """The results of ranked tries on a game's deal of a day, the best first."""
    return f"{{results}}:day:{day}:{game}"


def results_of(player: str) -> str:
    """The finished races of a player, by the time of their end."""
    return f"{{results}}:player:{player}"


QUEUE: Final = "{queue}:tickets"
"""A hash: who waits for a quick race → since when, and the ticket."""

QUEUE_LIVES: Final = "{queue}:lives"
"""A sorted set of those who wait or have been paired, by when they are forgotten, in ms of Redis's clock."""

QUEUE_MATCHED: Final = "{queue}:matched"
"""A hash: who has been paired → with whom, and their race."""

CROWDS: Final = "{crowd}:nodes"
"""A hash: number of a node → how many watch each race there, and until when that holds."""
