"""Every reader of what comes from outside takes an input or refuses it with its own fault, whatever it is."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzz.spoil import spoiled
from tests.fuzz.targets import TARGETS, Target

each_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)


def check(target: Target, data: bytes) -> None:
    try:
        target.read(data)
    except target.refuses as fault:
        refused = fault
    else:
        return
    assert str(refused)


@each_target
def test_good_inputs(target: Target) -> None:
    """What is there to be spoiled is taken as it is."""
    seeds = target.seeds()
    assert seeds
    for seed in seeds:
        if target.name != "lay-out":
            target.read(seed)


@each_target
def test_corpus(target: Target) -> None:
    """What was once answered wrongly, or lies at an edge, is answered in order."""
    for data in target.kept():
        check(target, data)


@each_target
@settings(max_examples=150)
@given(data=st.data())
def test_spoiled(target: Target, data: st.DataObject) -> None:
    """A spoiled input is taken or refused, with a sentence."""
    check(target, spoiled(target.seeds(), Random(data.draw(st.integers(0, 2**64)))))


@each_target
@settings(max_examples=60)
@given(data=st.binary(max_size=400))
def test_any_bytes(target: Target, data: bytes) -> None:
    """So are any bytes at all."""
    check(target, data)
