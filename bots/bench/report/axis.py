"""Scales of figures: from values to places on the drawing, and the round values at which they are marked."""

from __future__ import annotations

from math import ceil, floor, log10

from msgspec import Struct

__all__ = ["Axis", "linear", "logarithmic", "snug"]


class Axis(Struct, frozen=True):
    """A scale from `low` to `high`, drawn from `left` to `right`; with the ticks at which it is marked."""

    low: float
    high: float
    left: float
    right: float
    ticks: tuple[float, ...]
    logs: bool = False

    def at(self, value: float) -> float:
        """Return where a value is drawn; what lies outside is drawn at the end."""
        low, high = self._measure(self.low), self._measure(self.high)
        share = (self._measure(max(self.low, min(self.high, value))) - low) / (high - low)
        return round(self.left + share * (self.right - self.left), 2)

    def _measure(self, value: float) -> float:
        return log10(value) if self.logs else value


def linear(low: float, high: float, left: float, right: float, ticks: int = 6) -> Axis:
    """Return a scale that holds both ends and about so many ticks, at round values and at its own ends."""
    if high <= low:
        low, high = low - 1, high + 1
    step = _round_step((high - low) / ticks)
    first, last = floor(low / step + 1e-9), ceil(high / step - 1e-9)
    return Axis(first * step, last * step, left, right, tuple(n * step for n in range(first, last + 1)))


def snug(low: float, high: float, left: float, right: float, ticks: int = 6) -> Axis:
    """Return a scale with just these ends, and the round values between them as its ticks."""
    step = _round_step((high - low) / ticks)
    inside = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    return Axis(low, high, left, right, tuple(n * step for n in inside))


def logarithmic(low: float, high: float, left: float, right: float) -> Axis:
    """Return a scale of powers of ten that holds both ends; they must be above 0."""
    first = floor(log10(low) + 1e-9)
    last = max(first + 1, ceil(log10(high) - 1e-9))
    return Axis(10.0**first, 10.0**last, left, right, tuple(10.0**n for n in range(first, last + 1)), logs=True)


def _round_step(step: float) -> float:
    """Return the next of 1, 2, 5, 10, 20 … that is no smaller."""
    unit = 10.0 ** floor(log10(step))
    return next(unit * times for times in (1, 2, 5, 10) if unit * times >= step * (1 - 1e-9))
