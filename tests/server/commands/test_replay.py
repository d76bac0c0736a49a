"""Replay files on the command line: verified, told entry by entry. They are those kept from the first version on."""

from pathlib import Path

import pytest

from tests.server.commands.terminal import Terminal

REPLAYS = Path(__file__).parents[2] / "golden" / "replays"
KEPT = sorted(file.name for file in REPLAYS.glob("*.fairdeal"))


@pytest.mark.parametrize("name", KEPT)
def test_kept_files_verify_and_replay(name: str, fairdeal: Terminal) -> None:
    """A file verifies; its replay has a line an entry, and ends with the standings that the file has."""
    file = str(REPLAYS / name)
    told = fairdeal("verify", file)
    assert (told.status, told.err) == (0, "")
    assert told.out.startswith("verified: race ")
    verdict = fairdeal("verify", file, "--json").json()
    assert verdict["ok"] is True

    *events, last = fairdeal("replay", file, "--json").lines()
    assert [event["seq"] for event in events] == list(range(1, verdict["entries"] + 1))
    assert last == {"standings": verdict["standings"], "race": verdict["race"]}

    lines = fairdeal("replay", file).out.splitlines()
    assert [int(line.split()[0]) for line in lines[: len(events)]] == [event["seq"] for event in events]
    assert len(lines) == len(events) + 1 + len(verdict["standings"])


@pytest.mark.parametrize("name", KEPT)
def test_a_damaged_file_is_refused_with_the_place(name: str, fairdeal: Terminal, tmp_path: Path) -> None:
    """Whichever byte is changed, `verify` ends with 1 and names where."""
    whole = (REPLAYS / name).read_bytes()
    file = tmp_path / name
    for place in range(0, len(whole), max(1, len(whole) // 40)):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        told = fairdeal("verify", str(file))
        assert (told.status, told.out) == (1, ""), place
        assert f"{file} does not verify: " in told.err


def test_frames_of_another_race_were_not_seen_here(fairdeal: Terminal, tmp_path: Path) -> None:
    """With --seen a file that knows nothing of the race is a difference too, and what was shown otherwise is one."""
    file = str(REPLAYS / "golf-1-open.fairdeal")
    seen = tmp_path / "seen"
    seen.write_text('{"t":"skip","race":"another","from":1,"to":2,"hash":"00"}\n')
    assert "expected frames of race" in fairdeal("verify", file, "--seen", str(seen)).err

    race = fairdeal("verify", file, "--json").json()["race"]
    seen.write_text(f'{{"t":"skip","race":"{race}","from":1,"to":2,"hash":"00"}}\n')
    told = fairdeal("verify", file, "--seen", str(seen))
    assert told.status == 1
    assert "seen line 1" in told.err
