"""Where the time of one move goes: `python -m tests.load.budget` prints what each of its steps costs by itself.

Each is the product's own function on a Golf race of two seats, quickest of many short runs, so all caches are warm: in
a server they are not, and its steps cost up to twice that. What the floor costs (sockets, Redis's replies, the loop)
is measured by `python -m tests.load logged steps durable_move_cpu`. Nothing is asserted.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from timeit import repeat
from typing import Final

import hiredis
import msgpack

from engine.log.chain import entry_mac
from engine.race.commands import Play
from engine.race.decide import Happens, decide
from engine.race.events import packed
from engine.race.evolve import step
from engine.race.playing import forget
from engine.race.views import Role, Viewer, ev_for
from engine.secrets import receipt
from engine.wire.codec import Subprotocol, decode_inbound
from engine.wire.outbound import Ev, Res, Skip
from server.live.frames import frame_of
from server.live.limits import Bucket, Rate
from server.store.append import append_command, outcome_of
from tests.engine.race.course import SECRETS
from tests.load.decide import under_way

ROUNDS: Final = 200
SPOKEN: Final = Subprotocol.MSGPACK
KEY: Final = bytes(32)


def steps() -> dict[str, Callable[[], object]]:
    """The steps of a move, in their order, each to be run again and again."""
    race = under_way(2)
    assert race.start_at is not None
    assert race.opening is not None
    frame = msgpack.packb({"t": "play", "id": "17", "race": race.id, "n": 1, "m": "d"})
    bucket, play, salt = Bucket(Rate(10**9, 1.0), 0.0), Play("player 0", 1, "d", race.start_at), bytes(16)
    decision = decide(race, play)
    assert isinstance(decision, Happens)
    (event,) = decision.events
    body = packed(event)
    bodies = [(entry_mac(salt, body), body)]
    reply = [b"appended", race.seq, [], [b"0" * 32], race.at + 1]
    outcome = outcome_of(reply, race.cursor, "1", bodies)
    (entry,) = outcome.entries  # type: ignore[union-attr]
    _, after = step(race, entry, SECRETS, event)
    own, others = Viewer(Role.SEAT, 1), Viewer(Role.SEAT, 2)

    def decided() -> object:
        forget()
        return decide(race, play)

    def told() -> bytes:
        ev = ev_for(race, event, after, own)
        assert isinstance(ev, Ev)
        return frame_of(ev, SPOKEN)

    def skipped() -> bytes:
        assert ev_for(race, event, after, others) is None
        return frame_of(Skip(race.id, after.seq, after.seq, after.h), SPOKEN)

    def answered() -> bytes:
        sig = receipt(KEY, race.id, 0, after.seq, after.h)
        return frame_of(Res("17", True, after.seq, 1, sig=sig, hash=after.h), SPOKEN)

    return {
        "read the frame": lambda: decode_inbound(frame, SPOKEN),
        "two rate limits": lambda: (bucket.take(1.0), bucket.take(1.0)),
        "decide": decided,
        "the event's body and its MAC": lambda: entry_mac(salt, packed(event)),
        "the append's command": lambda: hiredis.pack_command(  # type: ignore[arg-type]
            append_command(race.id, race.cursor, "1", bodies, race.start_at, race.deadline)
        ),
        "read the append's reply": lambda: outcome_of(reply, race.cursor, "1", bodies),
        "fold": lambda: step(race, entry, SECRETS, event),
        "the event for its seat": told,
        "the skip for the other seat": skipped,
        "the receipt and the answer": answered,
    }


def main() -> None:
    """Print the table."""
    whole = 0.0
    for name, job in steps().items():
        cost = min(repeat(job, number=ROUNDS, repeat=60)) / ROUNDS * 1e6
        whole += cost
        sys.stdout.write(f"{name:<32}{cost:7.2f} µs\n")
    sys.stdout.write(f"{'together':<32}{whole:7.2f} µs\n")


if __name__ == "__main__":
    main()
