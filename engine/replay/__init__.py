"""The replay file `*.fairdeal`: one race, whole, in a form that anybody can verify without a server."""

from engine.replay.document import Header, Replay, ReplayError, from_json, replay_of, to_json
from engine.replay.file import read_replay, write_replay
from engine.replay.verify import Verdict, verify, verify_replay

__all__ = [
    "Header",
    "Replay",
    "ReplayError",
    "Verdict",
    "from_json",
    "read_replay",
    "replay_of",
    "to_json",
    "verify",
    "verify_replay",
    "write_replay",
]
