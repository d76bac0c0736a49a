#!/usr/bin/env python3
"""A bot of one's own in Python, without dependencies: plays the first legal move that is not a draw.

Try it:  fairdeal bot check -- python3 bots/examples/first_card.py
         fairdeal bench golf-easy-1000 --deals 50 --bot "cmd:python3 bots/examples/first_card.py" --bot random
"""

import json
import sys
from typing import Any


def say(**message: Any) -> None:
    """Send one message: a line of JSON, flushed at once."""
    print(json.dumps(message), flush=True)


def best_move(view: dict[str, Any]) -> str:
    """Return a word of view["legal"], or "done" to settle. This is the place for ideas of your own."""
    legal: list[str] = view["legal"]
    removals = [word for word in legal if word not in ("d", "r")]
    return (removals or legal or ["done"])[0]


def main() -> None:
    """Answer every line until the input ends."""
    for line in sys.stdin:
        message = json.loads(line)
        match message["t"]:
            case "hello":
                say(t="hello", v=1, name="First card", version="1.0", games=["GO", "DS"], mode="fair")
            case "new":
                say(t="ready", game=message["game"])
            case "go":
                say(t="best", game=message["game"], turn=message["turn"], m=best_move(message["view"]))
            case "error":
                print("my answer was refused:", message["message"], file=sys.stderr)
            case "quit":
                break
            # "end" needs no answer, and kinds of messages that are not known are passed over.


if __name__ == "__main__":
    main()
