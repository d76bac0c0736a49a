"""Replay files are written in one way only and read back as they were; all else is refused with its place."""

import hashlib

import msgpack
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from engine.replay.document import ReplayError, from_json, packed_parts, replay_of, to_json
from engine.replay.file import CHECKSUM_BYTES, read_replay, write_replay
from engine.replay.verify import verify_replay
from tests.engine.race.course import Course
from tests.engine.replay.doctor import RACES, document, open_race, replayed, sealed_up, signed

REPLAYS = {name: replayed(made()) for name, made in RACES.items()}


@pytest.mark.parametrize("name", RACES)
def test_both_forms_read_back(name: str) -> None:
    """A replay comes back as it was, from its file and from its JSON form."""
    replay = REPLAYS[name]

    assert read_replay(write_replay(replay)) == replay
    assert from_json(to_json(replay)) == replay


@pytest.mark.parametrize("name", RACES)
def test_bytes_are_the_same_whoever_writes(name: str) -> None:
    """The same race gives the same bytes: from its own fold, from the file read back, and from the JSON form."""
    data = write_replay(REPLAYS[name])

    assert write_replay(replayed(RACES[name]())) == data
    assert write_replay(read_replay(data)) == data
    assert write_replay(from_json(to_json(REPLAYS[name]))) == data


@pytest.mark.parametrize("name", RACES)
def test_file_is_one_msgpack_document_in_zstd_and_a_checksum(name: str) -> None:
    """Any zstd and any msgpack read it: header and entries, as the JSON form has them, and SHA-256 at the end."""
    data = write_replay(REPLAYS[name])

    content = msgpack.unpackb(zstandard.decompress(data[:-CHECKSUM_BYTES]))
    expected = document(REPLAYS[name])
    assert data[-CHECKSUM_BYTES:] == hashlib.sha256(data[:-CHECKSUM_BYTES]).digest()
    assert content["header"] == expected["header"]
    assert [{**entry, "b": msgpack.unpackb(entry["b"])} for entry in content["entries"]] == expected["entries"]


def test_race_that_is_not_over_has_no_replay() -> None:
    """A replay is of a closed race and its whole log, nothing less."""
    course = Course(seats=2).begin("ann", "bob")
    with pytest.raises(ValueError, match="expected a closed race and its whole log"):
        replay_of(course.race, course.log)

    over = open_race()
    with pytest.raises(ValueError, match="expected a closed race and its whole log"):
        replay_of(over.race, over.log[:-1])


CONTENT = b"".join(packed_parts(REPLAYS["open"]))
FRAME = zstandard.compress(CONTENT)
EMPTY = msgpack.packb({"header": document(REPLAYS["open"])["header"], "entries": []})
MALFORMED = {
    "nothing": (b"", "file"),
    "a checksum alone": (hashlib.sha256(b"").digest(), "file"),
    "another checksum": (FRAME + bytes(32), "checksum"),
    "something after the checksum": (sealed_up(FRAME) + b"\x00", "checksum"),
    "something after the frame": (sealed_up(FRAME + b"\x00"), f"byte {len(FRAME)}"),
    "a second frame": (sealed_up(FRAME + zstandard.compress(b"more")), f"byte {len(FRAME)}"),
    "half a frame": (sealed_up(FRAME[:100]), "byte 100"),
    "no frame": (sealed_up(CONTENT), "file"),
    "no document": (sealed_up(zstandard.compress(b"\x01")), "header"),
    "an empty frame": (sealed_up(zstandard.compress(b"")), "header"),
    "something after the document": (sealed_up(zstandard.compress(CONTENT + b"\xc0")), "end"),
    "half a document": (sealed_up(zstandard.compress(CONTENT[:-1])), f"entry {len(REPLAYS['open'].entries)}"),
    "a header alone": (sealed_up(zstandard.compress(EMPTY[:-1])), "entries"),
    "a longer writing": (sealed_up(zstandard.compress(b"\xde\x00\x02" + CONTENT[1:])), "file"),
}


@pytest.mark.parametrize(("data", "place"), MALFORMED.values(), ids=MALFORMED.keys())
def test_malformed_files_are_refused_with_their_place(data: bytes, place: str) -> None:
    """What is no replay file is refused, and where it ceases to be one is named."""
    with pytest.raises(ReplayError) as caught:
        read_replay(data)

    assert caught.value.place == place


def test_keys_that_do_not_belong_are_refused() -> None:
    """Nothing can be hidden in a file beside what it holds."""
    for holder, place in (("header", "header"), ("entry", "entry 1")):
        doctored = document(REPLAYS["open"])
        (doctored["header"] if holder == "header" else doctored["entries"][0])["more"] = 1
        with pytest.raises(ReplayError, match="more") as caught:
            read_replay(signed(doctored))
        assert caught.value.place == place


def test_a_frame_that_swells_is_not_read() -> None:
    """A small file that claims gigabytes is given up early."""
    bomb = zstandard.ZstdCompressor().compressobj()
    swelling = b"".join(bomb.compress(bytes(1 << 20)) for _ in range(200)) + bomb.flush()

    with pytest.raises(ReplayError, match="byte "):
        read_replay(sealed_up(swelling))


def test_a_part_that_is_longer_than_any_is_not_unpacked() -> None:
    """A header or an entry that would become many times its size as objects is refused by its length."""
    deep = msgpack.packb([[]] * (300 << 10))
    incompressible = hashlib.shake_256(b"").digest(64 << 10)
    for place, doctored in (
        ("header", b"\x82\xa6header" + deep + incompressible),
        ("entry 1", EMPTY[:-1] + b"\x91" + deep + incompressible),
    ):
        with pytest.raises(ReplayError, match="expected at most") as caught:
            read_replay(sealed_up(zstandard.compress(doctored)))
        assert caught.value.place == place


@given(st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    """Reading is total: no bytes make it fail in another way, with or without a checksum that holds."""
    for file in (data, sealed_up(data), sealed_up(zstandard.compress(data))):
        with pytest.raises(ReplayError):
            read_replay(file)


@given(st.recursive(st.none() | st.integers() | st.text(max_size=5), lambda inner: st.lists(inner, max_size=5)))
def test_any_body_in_json_is_read_or_refused(body: object) -> None:
    """The JSON form with anything as a body is refused with its place, or found at fault by verifying it."""
    import json

    doctored = document(REPLAYS["called off"])
    doctored["entries"][1]["b"] = body
    try:
        verdict = verify_replay(from_json(json.dumps(doctored).encode()))
    except ReplayError as error:
        assert error.place in ("file", "entry 2.b")  # noqa: PT017 - both outcomes are right ones
    else:
        assert not verdict.ok
