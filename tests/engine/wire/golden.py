"""The kept bytes of both codings; run as a module it writes those of messages that have none yet."""

from __future__ import annotations

import json
from pathlib import Path

from msgspec import Struct

from engine.wire.codec import Subprotocol, encode
from tests.engine.wire.messages import INBOUND, OUTBOUND

FOLDER = Path(__file__).parents[2] / "golden" / "wire"


class Kept(Struct, frozen=True):
    """A message's frames as they must stay: the text of the one, the bytes of the other."""

    text: bytes
    packed: bytes


def kept(name: str) -> dict[str, Kept]:
    """The frames of `inbound` or `outbound` messages by name."""
    rows = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return {row["name"]: Kept(row["json"].encode(), bytes.fromhex(row["msgpack"])) for row in rows}


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, messages in (("inbound", INBOUND), ("outbound", OUTBOUND)):
        path = FOLDER / f"{name}.json"
        rows = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
        known = {row["name"] for row in rows}
        for title, message in messages.items():
            if title not in known:
                text = encode(message, Subprotocol.JSON).decode()
                rows.append({"name": title, "json": text, "msgpack": encode(message, Subprotocol.MSGPACK).hex()})
        path.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
