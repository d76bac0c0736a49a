"""Old versions of bodies are lifted to the present one before anything folds them."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from engine.log.entry import Body, LogError

VERSIONS: Final[Mapping[str, int]] = MappingProxyType(
    {
        "race.created": 3,
        "race.joined": 1,
        "race.left": 2,
        "race.ready": 1,
        "race.unready": 1,
        "race.started": 1,
        "seat.played": 1,
        "seat.undone": 1,
        "seat.hinted": 1,
        "seat.done": 1,
        "seat.resigned": 1,
        "seat.absent": 1,
        "seat.back": 1,
        "race.finished": 1,
        "race.recovered": 1,
        "race.voided": 1,
    }
)
"""The kinds of events.md and the version of each that is written today."""

Upcaster = Callable[[Body], Body]
"""Turns a body of one version of a kind into the next version of that kind."""


def _created_1(body: Body) -> Body:
    """No seat was freed by time, none was kept, and no race followed another."""
    return Body(body.k, 2, body.s, {**body.d, "no_show_ms": None, "kept": [], "chain": None})


def _created_2(body: Body) -> Body:
    """No deal came from the stock, and none was the day's."""
    return Body(body.k, 3, body.s, {"stock": None, "daily": None, **body.d})


def _left_1(body: Body) -> Body:
    """Nobody said why."""
    return Body(body.k, 2, body.s, {"reason": None, **body.d})


UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = MappingProxyType(
    {("race.created", 1): _created_1, ("race.created", 2): _created_2, ("race.left", 1): _left_1}
)
"""(kind, old version) → upcaster. A kind's steps are kept for ever: so are the logs."""


def upcast(
    body: Body,
    seq: int,
    versions: Mapping[str, int] = VERSIONS,
    upcasters: Mapping[tuple[str, int], Upcaster] = UPCASTERS,
) -> Body:
    """Lift a body to the version written today; an unknown kind or version is a `LogError` naming `seq`."""
    newest = versions.get(body.k)
    if newest is None:
        raise LogError(seq, f"expected a kind of event, found {body.k!r}")
    lifted = body
    while lifted.v != newest:
        step = upcasters.get((body.k, lifted.v))
        if step is None:
            raise LogError(seq, f"expected {body.k} of version 1 to {newest}, found version {body.v}")
        lifted = step(lifted)
    return lifted
