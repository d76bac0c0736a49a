"""Old logs for ever: replay files of every version verify, and fold to what they folded to when they were written."""

import hashlib
import json
from pathlib import Path

import pytest

from engine.race.events import Created
from engine.race.evolve import fold
from engine.race.model import Opening, Race
from engine.replay import Replay, read_replay, verify, write_replay
from tests.engine.replay.doctor import RACES, replayed

CORPUS = Path(__file__).parents[2] / "golden" / "replays"
"""Files are added when the form, or the version of an event, changes; none is ever changed or taken away."""
DIGESTS: dict[str, str] = json.loads((CORPUS / "digests.json").read_text())


class Told:
    """The secrets of a race as its replay tells them."""

    def __init__(self, replay: Replay) -> None:
        code = replay.header.code
        self.told = Opening(replay.header.salt, None if code is None else code.rpartition("-")[2])

    def opening(self, created: Created) -> Opening:
        return self.told


def digest(race: Race) -> str:
    """What a race came to, seat by seat: operations, end and position, in the words of the notation."""
    seats = [
        {
            "seat": seat.seat,
            "player": seat.player,
            "words": seat.words,
            "status": seat.status.value,
            "score": seat.score,
            "scored_at": seat.scored_at,
            "position": None if seat.solo is None else seat.solo.position(),
        }
        for _, seat in sorted(race.seats.items())
    ]
    whole = {"h": race.h, "over": race.over, "voided": race.voided, "over_at": race.over_at, "seats": seats}
    return hashlib.sha256(json.dumps(whole, sort_keys=True).encode()).hexdigest()


def folded(replay: Replay) -> str:
    return digest(fold(Race(replay.header.race), replay.entries, Told(replay)))


def test_every_file_has_its_digest() -> None:
    """The corpus and the list of what it folds to belong together."""
    assert {path.name for path in CORPUS.glob("*.fairdeal")} == set(DIGESTS)


@pytest.mark.parametrize("name", DIGESTS)
def test_old_files_hold_and_fold_as_they_did(name: str) -> None:
    """A file that was written once verifies for ever, and its race comes to the same."""
    data = (CORPUS / name).read_bytes()

    assert verify(data).ok, verify(data)
    assert folded(read_replay(data)) == DIGESTS[name]


@pytest.mark.parametrize("name", RACES)
def test_the_present_form_is_in_the_corpus(name: str) -> None:
    """What is written today is in the corpus too: who changes it adds new files beside the old ones."""
    entries = {read_replay(path.read_bytes()).entries for path in CORPUS.glob("*.fairdeal")}

    assert replayed(RACES[name]()).entries in entries
    assert folded(read_replay(write_replay(replayed(RACES[name]())))) in DIGESTS.values()
