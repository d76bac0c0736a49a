"""Tables of what players win that see what a seat sees, and of how far they are apart on the same deals."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from bots.bench.stats.intervals import Interval, sample_mean, wilson
from bots.results.tally import Tally
from bots.results.variants import VARIANTS

__all__ = ["paired", "played_table"]

PAIRED: Final = (
    "How many dollars more that is on the same deals:",
    "",
    "| | deals | | a game | 95 % interval |",
    "|---|---|---|---|---|",
)


def played_table(tallies: list[Tally]) -> str:
    """Return a line for each variant and player."""
    lines = [
        "| | code | player | deals | won | 95 % interval | score | 95 % interval | CPU of a game |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for tally in tallies:
        variant = VARIANTS[tally.variant]
        if variant.player is not None:
            rate = wilson(tally.won, tally.deals)
            lines.append(
                f"| {variant.says} | `{variant.game}` | {variant.player} | {tally.deals:,} | {100 * rate.value:.1f} % "
                f"| {100 * rate.low:.1f} to {100 * rate.high:.1f} % | {_score(tally)} "
                f"| {1000 * tally.cpu_s / tally.deals:,.0f} ms |"
            )
    return "\n".join(lines)


def paired(tallies: list[Tally]) -> str:
    """Compare players with the weakest on the same deals of the variants that count dollars; nothing without such."""
    lines: list[str] = []
    by_dollars = [tally for tally in tallies if VARIANTS[tally.variant].player and _in_dollars(tally)]
    for game, group in groupby(by_dollars, key=lambda tally: VARIANTS[tally.variant].game):
        *better, greedy = group
        for one in better:
            differences = [mine - other for mine, other in zip(one.scores, greedy.scores, strict=False)]
            mean = sample_mean(differences)
            who, whom = VARIANTS[one.variant].player, VARIANTS[greedy.variant].player
            lines.append(
                f"| `{game}` | {len(differences):,} | {who} against {whom} | {_money(mean.value)} | {_from_to(mean)} |"
            )
    return "\n".join([*PAIRED, *lines]) + "\n\n" if lines else ""


def _in_dollars(tally: Tally) -> bool:
    game = VARIANTS[tally.variant].game
    return game.startswith("DS") and "V" in game.rsplit("-", 1)[1]


def _score(tally: Tally) -> str:
    """Return a mean and its interval as two cells, empty ones for a game without a score."""
    if not tally.scores:
        return " | "
    mean = sample_mean(tally.scores)
    if _in_dollars(tally):
        return f"{_money(mean.value)} | {_from_to(mean)}"
    return f"{mean.value:.1f} | {mean.low:.1f} to {mean.high:.1f}"


def _from_to(mean: Interval) -> str:
    return f"{_money(mean.low)} to {_money(mean.high)}"


def _money(amount: float) -> str:
    return f"{'-' if amount < 0 else ''}${abs(amount):.2f}"
