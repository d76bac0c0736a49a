"""What threads read is known to msgspec before: it learns types when it first meets them, which no thread may see."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

GOLDEN = Path(__file__).parents[1] / "golden" / "replays" / "golf-3-open.fairdeal"
READS = """
import sys
from pathlib import Path

from engine.race.card import read_card
from engine.replay.document import from_json, to_json
from engine.replay.file import read_replay
from engine.replay.verify import verify

learnt = []

def heed(frame, event, _):
    if event == "call" and frame.f_code.co_name == "get_class_annotations":
        learnt.append(frame.f_locals["obj"].__name__)

golden = Path(sys.argv[1]).read_bytes()
sys.setprofile(heed)
assert verify(golden).ok
replay = read_replay(golden)
assert from_json(to_json(replay)) == replay
read_card({"code": "GO1-E-AAAAAAB"})
sys.setprofile(None)
print(*learnt)
"""


def test_nothing_is_learnt_while_a_replay_is_read() -> None:
    """In a fresh process files are read, verified and compared, and no type is met for the first time."""
    ran = subprocess.run([sys.executable, "-c", READS, GOLDEN], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout.split()) == (0, []), ran.stderr
