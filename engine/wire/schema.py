"""The wire as a JSON Schema: for whoever checks frames against it, or makes the types of another language from it."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

import msgspec

from engine.race.card import AskedCard
from engine.wire.inbound import Inbound
from engine.wire.outbound import Outbound

__all__ = ["schema"]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


@cache
def schema() -> dict[str, Any]:
    """Return definitions by name: `client_message`, `server_message`, `race_card`, and what these are made of.

    They are made from the types by which frames are read and written, and hold for both codings. Keys that they do not
    name are allowed, as everywhere on the wire.
    """
    wholes, parts = msgspec.json.schema_components((Inbound, Outbound, AskedCard), ref_template="#/$defs/{name}")
    named = zip(("client_message", "server_message", "race_card"), wholes, strict=True)
    return {"$schema": DIALECT, "title": "Fairdeal's wire, version 1", "$defs": {**dict(named), **parts}}
