"""Today's logs as yesterday would have written them: what old versions could say comes back the same, step by step."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from engine.log.chain import check_chain, entry_mac, next_hash
from engine.log.entry import GENESIS, Body, Entry, pack_body, unpack_body
from engine.log.upcast import UPCASTERS, VERSIONS, upcast
from engine.race.evolve import fold
from engine.race.model import Race
from engine.replay import Replay, read_replay
from tests.engine.replay.test_golden import CORPUS, DIGESTS, Told


class NotSaid(ValueError):
    """An old version had no words for this."""


def _without(body: Body, **absent: object) -> Body:
    """The version before, which knew nothing of these fields: they have to be as if they were not there."""
    said = {name for name, value in absent.items() if body.d[name] != value}
    if said:
        raise NotSaid(f"version {body.v - 1} of {body.k} cannot say {', '.join(sorted(said))}")
    return Body(body.k, body.v - 1, body.s, {name: value for name, value in body.d.items() if name not in absent})


DOWNCASTERS: dict[tuple[str, int], Callable[[Body], Body]] = {
    ("race.created", 3): lambda body: _without(body, stock=None, daily=None),
    ("race.created", 2): lambda body: _without(body, no_show_ms=None, kept=[], chain=None),
    ("race.left", 2): lambda body: _without(body, reason=None),
}
"""(kind, version) → the way to the version before. Whoever adds an upcaster adds its inverse here."""


def _forms(body: Body) -> list[Body]:
    """A body in every version that can say it, today's first."""
    forms = [body]
    while (down := DOWNCASTERS.get((forms[-1].k, forms[-1].v))) is not None:
        try:
            forms.append(down(forms[-1]))
        except NotSaid:
            break
    return forms


def _today(name: str) -> tuple[Replay, list[Body]]:
    """A log of the corpus, its bodies lifted to today's versions."""
    replay = read_replay((CORPUS / name).read_bytes())
    return replay, [upcast(unpack_body(entry.body, entry.seq), entry.seq) for entry in replay.entries]


def _rewritten(replay: Replay, bodies: list[Body]) -> tuple[Entry, ...]:
    """The same log with other bodies, chained anew."""
    salt, h, entries = bytes.fromhex(replay.header.salt), GENESIS, []
    for entry, body in zip(replay.entries, bodies, strict=True):
        packed = pack_body(body)
        h = next_hash(h, entry.at, entry_mac(salt, packed))
        entries.append(replace(entry, h=h, body=packed))
    check_chain(entries, salt)
    return tuple(entries)


def test_every_step_up_has_its_step_down() -> None:
    """For each upcaster there is the inverse, and for nothing else."""
    assert set(DOWNCASTERS) == {(kind, old + 1) for kind, old in UPCASTERS}


@pytest.mark.parametrize("name", DIGESTS)
def test_down_and_up_again_is_the_same(name: str) -> None:
    """Each body, in each version that can say it, is lifted to what it is today."""
    _, bodies = _today(name)
    for seq, body in enumerate(bodies, 1):
        for form in _forms(body):
            assert upcast(unpack_body(pack_body(form), seq), seq) == body


@pytest.mark.parametrize("name", DIGESTS)
def test_a_log_of_yesterday_folds_as_todays(name: str) -> None:
    """A log written in the oldest words there are for it comes to the same race, hashes of bodies apart."""
    replay, bodies = _today(name)
    today, yesterday = [
        fold(Race(replay.header.race), _rewritten(replay, chosen), Told(replay))
        for chosen in (bodies, [_forms(body)[-1] for body in bodies])
    ]
    assert replace(yesterday, h=today.h) == today


def test_the_corpus_goes_back_to_the_first_version() -> None:
    """Some log of the corpus can be said in the oldest version of each kind: else nothing above would prove much."""
    reached = {(form.k, form.v) for name in DIGESTS for body in _today(name)[1] for form in _forms(body)}
    assert reached >= {
        (kind, version) for kind, newest in VERSIONS.items() for version in range(1, newest + 1) if newest > 1
    }
