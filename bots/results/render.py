"""Write the tallies up: `bots/RESULTS.md`, and the table in `bots/README.md`."""

from __future__ import annotations

import statistics
from typing import Final

from bots.bench.stats.intervals import Interval, wilson
from bots.results.played import paired, played_table
from bots.results.tally import FIRST, Tally
from bots.results.variants import PLAYS_OUT, VARIANTS, Published

__all__ = ["BEGINS", "ENDS", "page", "range_of", "table", "with_table"]

BEGINS: Final = "<!-- results: written by `python -m bots.results render` -->"
ENDS: Final = "<!-- results end -->"

PAGE: Final = """\
# Which deals can be won

Every card known, played as well as can be. Measured by `python -m bots.results measure`, written up by
`python -m bots.results render`; the figures are in `results/data/`.

{table}

Intervals are Wilson's. Deals that were not decided within the limits count as lost at the lower end and as won at the
upper one.

{most}## What is won with the cards unseen

Players of the roster that are given what a seat sees and nothing else, on deals numbered as above.

{played}

A game's CPU is all that it takes, the engine as the referee included.

{paired}
## Beside what is published

{compared}

## How it was measured

{measured}

One core, beside other work. A deal's time includes shuffling it and replaying its win. What the
solver may play out as a player is for a decision, not for a deal.

## How to check it

Deals are numbered: the first is `{first}`, and each next one has the next number in base 32. A single one:

    fairdeal solve {first}        the verdict, and a line that wins
    fairdeal apply {first} d 5 …  replays a line through the engine, move by move

Every win counted here was replayed through the engine before it was counted. The engine does not know Klondike: its
wins are the kernels' own, and `tests/bots/solver/double` checks some of them move by move. Each of its lay-outs is
looked at by two searches that were written apart from each other (`bots/solver/double/README.md`); where they decided
one differently, the measurement would end. All of them again, anywhere:

    python -m bots.results measure {variant} --deals 1000 --data FOLDER

The same deals within the same limits of states give the same digest, a SHA-256 over all verdicts and scores in order:

{digests}
"""

MOST: Final = """\
Where one round is all there is, a deal that is not won is hardly ever decided; how many of the 104 cards can go up, on
average:
"""


def range_of(tally: Tally, confidence: float) -> Interval:
    """Return the rate of deals that can be won: of those not decided, none at one end and all at the other."""
    least = wilson(tally.won, tally.deals, confidence)
    most = wilson(tally.won + tally.unknown, tally.deals, confidence)
    return Interval(least.value, least.low, most.high)


def table(tallies: list[Tally]) -> str:
    """Return the table of what can be won, every card known, a line a variant."""
    head = (
        "| | code | deals | winnable | 95 % interval | 99.9 % interval | not decided |\n|---|---|---|---|---|---|---|"
    )
    rows = [
        f"| {VARIANTS[tally.variant].says} | `{tally.variant}` | {tally.deals:,} | {_percent(tally.won, tally.deals)} "
        f"| {_range(range_of(tally, 0.95))} | {_range(range_of(tally, 0.999))} "
        f"| {_percent(tally.unknown, tally.deals)} |"
        for tally in tallies
        if VARIANTS[tally.variant].player is None
    ]
    return "\n".join([head, *rows])


def page(tallies: list[Tally]) -> str:
    """Return the whole page: the tables, what others published, how it was measured, how to check it."""
    return PAGE.format(
        table=table(tallies),
        most=_most([tally for tally in tallies if tally.bounds]),
        played=played_table(tallies),
        paired=paired(tallies),
        compared=_compared([tally for tally in tallies if VARIANTS[tally.variant].published]),
        measured=_measured(tallies),
        first=VARIANTS[tallies[0].variant].deal_code(FIRST),
        variant=tallies[0].variant,
        digests=_digests(tallies),
    )


def _most(tallies: list[Tally]) -> str:
    """Tell how many cards were found to go up in one round, and how many can at most."""
    if not tallies:
        return ""
    lines = [MOST, "| | deals | cards found to go up | can go up at most | apart |", "|---|---|---|---|---|"]
    for tally in tallies:
        found, bound = statistics.mean(tally.scores), statistics.mean(tally.bounds)
        lines.append(f"| `{tally.variant}` | {tally.deals:,} | {found:.1f} | {bound:.1f} | {bound - found:.1f} |")
    return "\n".join([*lines, "\n"])


def with_table(readme: str, tallies: list[Tally]) -> str:
    """Put the table between a text's two marks. Raises ValueError for a text without them."""
    before, begins, rest = readme.partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    if not (begins and ends):
        raise ValueError(
            f"expected the lines {BEGINS!r} and {ENDS!r}, found no such pair: put them where the table goes"
        )
    return f"{before}{BEGINS}\n{table(tallies)}\n{ENDS}{after}"


def _compared(tallies: list[Tally]) -> str:
    lines = ["| | here, 99.9 % | published | | source |", "|---|---|---|---|---|"]
    for tally in tallies:
        variant, here = VARIANTS[tally.variant], range_of(tally, 0.999)
        known = variant.published
        assert known is not None
        beside = _agreement(here, known, played=variant.player is not None)
        lines.append(f"| `{variant.name}` | {_range(here)} | {_known(known)} | {beside} | {known.source} |")
    return "\n".join(lines)


def _agreement(here: Interval, known: Published, *, played: bool) -> str:
    if played and here.low > (known.value + known.reach) / 100:
        return "better"
    meet = here.low <= (known.value + known.reach) / 100 and here.high >= (known.value - known.reach) / 100
    return "agrees" if meet else "differs"


def _known(known: Published) -> str:
    return f"{known.value} ± {known.reach} %" if known.reach else f"{known.value} %"


def _measured(tallies: list[Tally]) -> str:
    lines = ["| | solver | a deal may take | CPU | a deal | day | machine |", "|---|---|---|---|---|---|---|"]
    for tally in tallies:
        machine = tally.machine
        lines.append(
            f"| `{tally.variant}` | {tally.solver} | {_budget(tally)} | {_time(tally.cpu_s)} "
            f"| {1000 * tally.cpu_s / tally.deals:.2f} ms | {tally.measured} "
            f"| {machine.processor}, {machine.system}, {machine.python} |"
        )
    return "\n".join(lines)


def _digests(tallies: list[Tally]) -> str:
    rows = [f"| `{tally.variant}` | {tally.deals:,} | `{tally.digest[:16]}` |" for tally in tallies]
    return "\n".join(["| | deals | digest begins |\n|---|---|---|", *rows])


def _budget(tally: Tally) -> str:
    limits, player = tally.limits, VARIANTS[tally.variant].player
    if player is not None:
        return f"{limits.nodes} games played out" if player == PLAYS_OUT else "whatever it needs"
    parts = []
    if limits.nodes is not None:
        parts.append(f"{limits.nodes:,} states")
    if limits.ms is not None:
        parts.append(f"{limits.ms / 1000:g} s of CPU")
    return " and ".join(parts) or "whatever it needs"


def _percent(some: int, of: int) -> str:
    return f"{100 * some / of:.3f} %" if some else "none"


def _range(interval: Interval) -> str:
    return f"{100 * interval.low:.3f} to {100 * interval.high:.3f} %"


def _time(seconds: float) -> str:
    return f"{seconds / 60:.1f} min" if seconds >= 60 else f"{seconds:.1f} s"
