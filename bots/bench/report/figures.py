"""The figures of a report, as SVG: dots with intervals, histograms, shares, spreads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import ceil, gcd
from typing import Final

import numpy as np
from markupsafe import Markup, escape
from msgspec import Struct

from bots.bench.report.axis import Axis, linear, logarithmic, snug
from bots.bench.stats.intervals import Interval

__all__ = ["Labelled", "dots", "histograms", "shares", "spreads"]

WIDTH: Final = 720
LEFT: Final = 190
"""Where the drawing begins; to the left of it stand names."""
RIGHT: Final = 700
ROW: Final = 30
_AXIS_ROOM: Final = 40
_NAME_LETTERS: Final = 28
_PLOT: Final = 64
"""Height of a histogram."""
_BINS: Final = 40


class Labelled(Struct, frozen=True):
    """An interval with a name, and what is printed beside it."""

    name: str
    interval: Interval
    text: str = ""


def dots(title: str, items: Sequence[Labelled], unit: str) -> Markup:
    """Draw each estimate as a dot on its interval, on a scale that has 0; a line marks it where it is inside."""
    low, high = min(item.interval.low for item in items), max(item.interval.high for item in items)
    axis = linear(min(0.0, low), max(0.0, high), LEFT, RIGHT - 110)
    parts = []
    for at, item in enumerate(items):
        y = ROW * at + ROW / 2
        shown = item.interval
        parts.append(_name(item.name, y))
        parts.append(f'<line class="interval" x1="{axis.at(shown.low)}" x2="{axis.at(shown.high)}" y1="{y}" y2="{y}"/>')
        parts += [_tick(axis.at(end), y, 5, "interval") for end in (shown.low, shown.high)]
        parts.append(f'<circle class="dot" cx="{axis.at(shown.value)}" cy="{y}" r="4.5"/>')
        parts.append(f'<text class="value" x="{RIGHT}" y="{y + 4}">{escape(item.text)}</text>')
    zero = [_rule(axis.at(0), ROW * len(items), "zero")] if axis.low < 0 < axis.high else []
    return _figure(title, [*_grid(axis, ROW * len(items), unit), *zero, *parts], ROW * len(items) + _AXIS_ROOM)


def histograms(title: str, items: Sequence[tuple[str, Sequence[int]]], unit: str) -> Markup:
    """Draw how often which value comes, a histogram for each name, all to one scale; a line marks the mean."""
    every = [value for _, values in items for value in values]
    width = _bin_width(every)
    axis = snug(min(every) - width / 2, max(every) + width / 2, LEFT, RIGHT, 8)
    parts = []
    for at, (name, values) in enumerate(items):
        floor = (_PLOT + 12) * (at + 1)
        mean = sum(values) / len(values)
        counts = Counter(round(value / width) * width for value in values)
        most = max(counts.values())
        parts.append(_name(name, floor - _PLOT / 2, f"mean {mean:.1f}, tallest {most}"))
        for value, count in sorted(counts.items()):
            height = max(1.0, _PLOT * count / most)
            x, to = axis.at(value - width / 2), axis.at(value + width / 2)
            parts.append(
                f'<rect class="bar" x="{x + 0.5:.2f}" y="{floor - height:.2f}" width="{max(1.0, to - x - 1):.2f}" '
                f'height="{height:.2f}"><title>{value}: {count}</title></rect>'
            )
        parts.append(f'<line class="base" x1="{LEFT}" x2="{RIGHT}" y1="{floor}" y2="{floor}"/>')
        middle = axis.at(mean)
        parts.append(f'<line class="mean" x1="{middle}" x2="{middle}" y1="{floor - _PLOT}" y2="{floor}"/>')
    height = (_PLOT + 12) * len(items) + 6
    return _figure(title, [*_grid(axis, height, unit), *parts], height + _AXIS_ROOM)


def _bin_width(values: Sequence[int]) -> int:
    """Return a width of bins of which each holds as many possible values: scores go in steps, often of 5 or 10."""
    step = gcd(*values) or 1
    return step * max(1, ceil((max(values) - min(values)) / step / _BINS))


def shares(title: str, items: Sequence[tuple[str, tuple[int, int, int]]], names: tuple[str, str, str]) -> Markup:
    """Draw how a whole is shared by three, a bar for each name."""
    parts = []
    for at, (name, counts) in enumerate(items):
        y = ROW * at + 5
        parts.append(_name(name, y + 10))
        x = float(LEFT)
        for kind, count in enumerate(counts):
            width = (RIGHT - LEFT) * count / max(1, sum(counts))
            parts.append(f'<rect class="share{kind}" x="{x:.2f}" y="{y}" width="{width:.2f}" height="20"/>')
            if width > 9 * len(str(count)):
                parts.append(f'<text class="count{kind}" x="{x + width / 2:.2f}" y="{y + 14}">{count}</text>')
            x += width
    y = ROW * len(items) + 18
    for kind, what in enumerate(names):
        x = LEFT + kind * 120
        parts.append(f'<rect class="share{kind}" x="{x}" y="{y - 10}" width="12" height="12"/>')
        parts.append(f'<text x="{x + 18}" y="{y}">{escape(what)}</text>')
    return _figure(title, parts, ROW * len(items) + 32)


def spreads(title: str, items: Sequence[tuple[str, Sequence[float], float]], unit: str) -> Markup:
    """Draw how far values spread, on a logarithmic scale: 5 to 95 %, the middle half, the median, the most."""
    quantiles = [(name, np.quantile(values, [0.05, 0.25, 0.5, 0.75, 0.95]), most) for name, values, most in items]
    low = max(1e-4, min(float(found[0]) for _, found, _ in quantiles))
    axis = logarithmic(low, max(low, *(most for _, _, most in quantiles)), LEFT, RIGHT - 110)
    parts = []
    for at, (name, found, most) in enumerate(quantiles):
        y = ROW * at + ROW / 2
        p5, p25, p50, p75, p95 = (axis.at(float(value)) for value in found)
        parts.append(_name(name, y))
        parts.append(f'<line class="interval" x1="{p5}" x2="{p95}" y1="{y}" y2="{y}"/>')
        parts.append(f'<rect class="box" x="{p25}" y="{y - 6}" width="{max(1.0, p75 - p25):.2f}" height="12"/>')
        parts.append(_tick(p50, y, 8, "median"))
        x = axis.at(most)
        parts.append(f'<path class="most" d="M{x - 4} {y - 4}l8 8m0 -8l-8 8"/>')
        parts.append(f'<text class="value" x="{RIGHT}" y="{y + 4}">{number(float(found[2]))} / {number(most)}</text>')
    return _figure(title, [*_grid(axis, ROW * len(items), unit), *parts], ROW * len(items) + _AXIS_ROOM)


def number(value: float) -> str:
    """Return a number with as many digits as a reader wants."""
    if value == 0 or abs(value) >= 100:
        return f"{value:.0f}"
    return f"{value:.3g}"


def _grid(axis: Axis, height: float, unit: str) -> Iterable[str]:
    for tick in axis.ticks:
        yield _rule(axis.at(tick), height, "grid")
        yield f'<text class="tick" x="{axis.at(tick)}" y="{height + 15}">{_tick_text(tick)}</text>'
    yield f'<text class="tick" x="{(axis.left + axis.right) / 2}" y="{height + 32}">{escape(unit)}</text>'


_tick_text: Callable[[float], str] = "{:.6g}".format


def _rule(x: float, height: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height}"/>'


def _tick(x: float, y: float, reach: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x}" x2="{x}" y1="{y - reach}" y2="{y + reach}"/>'


def _name(name: str, y: float, below: str = "") -> str:
    short = name if len(name) <= _NAME_LETTERS else f"{name[: _NAME_LETTERS - 1]}…"
    text = f'<text class="name" x="{LEFT - 12}" y="{y + 4}">{escape(short)}<title>{escape(name)}</title></text>'
    return text + (f'<text class="name note" x="{LEFT - 12}" y="{y + 20}">{escape(below)}</text>' if below else "")


def _figure(title: str, parts: Iterable[str], height: float) -> Markup:
    """Put a drawing together; everything in it that came from outside has been escaped."""
    inside = "\n".join(parts)
    return Markup(  # noqa: S704 (see above)
        f'<svg viewBox="0 0 {WIDTH} {height:.0f}" role="img" aria-label="{escape(title)}">\n{inside}\n</svg>'
    )
