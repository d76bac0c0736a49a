"""Upcasting: old versions are lifted step by step, unknown ones are errors by seq."""

import pytest

from engine.log.entry import Body, LogError
from engine.log.upcast import UPCASTERS, VERSIONS, upcast


def test_present_versions_stay_as_they_are() -> None:
    """A body of the version written today is not touched."""
    for kind, version in VERSIONS.items():
        body = Body(kind, version, None, {})
        assert upcast(body, 1) is body


def test_every_old_version_has_a_way_to_the_present_one() -> None:
    """For each kind there is an upcaster for every version before the present one, and for no other."""
    assert set(UPCASTERS) == {(kind, old) for kind, newest in VERSIONS.items() for old in range(1, newest)}


def test_steps_follow_one_another() -> None:
    """A body two versions old is lifted through both steps."""
    steps = {
        ("race.ready", 1): lambda body: Body(body.k, 2, body.s, {**body.d, "b": 2}),
        ("race.ready", 2): lambda body: Body(body.k, 3, body.s, {**body.d, "c": 3}),
    }

    lifted = upcast(Body("race.ready", 1, 4, {"a": 1}), 1, {"race.ready": 3}, steps)

    assert lifted == Body("race.ready", 3, 4, {"a": 1, "b": 2, "c": 3})


UNKNOWN = {
    "kind": (Body("race.paused", 1, None, {}), "expected a kind of event, found 'race.paused'"),
    "newer version": (Body("race.ready", 99, None, {}), "found version 99"),
    "version before the first": (Body("race.ready", 0, None, {}), "found version 0"),
}


@pytest.mark.parametrize(("body", "fault"), UNKNOWN.values(), ids=UNKNOWN.keys())
def test_unknown_is_an_error_with_its_seq(body: Body, fault: str) -> None:
    """An unknown kind or version is never skipped."""
    with pytest.raises(LogError, match=f"entry 31: .*{fault}") as caught:
        upcast(body, 31)

    assert caught.value.seq == 31
