"""A program that speaks `fairdeal-bot` 1 and misbehaves in the way that its first argument names."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable

WAY = sys.argv[1]
SLEEPER = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"


def say(**message: object) -> None:
    print(json.dumps(message), flush=True)


def write(raw: bytes) -> None:
    sys.stdout.buffer.write(raw)
    sys.stdout.buffer.flush()


def best(message: dict, word: str | None = None, turn: int | None = None) -> None:
    legal = message["view"]["legal"]
    say(t="best", game=message["game"], turn=turn or message["turn"], m=word or (legal[0] if legal else "done"))


def endless(message: dict) -> None:
    while True:
        write(b"x" * 65536)


def dies(message: dict) -> None:
    print("I give up", file=sys.stderr)
    sys.exit(3)


def closes_its_output(message: dict) -> None:
    os.close(1)
    time.sleep(600)


def late(message: dict) -> None:
    time.sleep(0.5)
    best(message)


def eats(message: dict) -> None:
    hoard = []
    while True:
        hoard.append(bytearray(2**24))


def kills_its_runner(message: dict) -> None:
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(600)


AT_THE_THIRD_MOVE: dict[str, Callable[[dict], object]] = {
    "mute": lambda message: None,
    "endless": endless,
    "not json": lambda message: write(b'{"t": "best", "game": 1,\n'),
    "no object": lambda message: write(b"[]\n"),
    "no word": lambda message: say(t="best", game=message["game"], turn=message["turn"]),
    "not utf-8": lambda message: write(b'{"t":"best","game":1,"turn":3,"m":"\xff"}\n'),
    "dies": dies,
    "closes its output": closes_its_output,
    "illegal": lambda message: best(message, "zz"),
    "ahead": lambda message: best(message, turn=4),
    "late": late,
    "eats": eats,
    "kills its runner": kills_its_runner,
}


def forks() -> None:
    """Start a child, and a grandchild that leaves the session and loses its parent."""
    subprocess.Popen([sys.executable, "-c", SLEEPER])
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execv(sys.executable, [sys.executable, "-c", SLEEPER])
        os._exit(0)
    os.wait()


def flood_the_log() -> None:
    for _ in range(100):
        try:
            os.write(2, b"noise " * 1000)
        except BlockingIOError:
            return


def hello(message: dict) -> None:
    say(t="greeting?", whatever=1)
    games = ["GO", "chess"] if WAY == "plays chess" else ["GO", "DS"]
    say(t="hello", v=1, name=WAY, version="1", games=games, mode="oracle" if WAY == "oracle" else "fair", extra=[1])


def new(message: dict) -> None:
    if WAY == "oracle":
        print(message["code"], message["deal"]["stock"], file=sys.stderr, flush=True)
    elif "code" in message or "deal" in message:
        sys.exit("a fair bot was given the deal")
    say(t="ready", game=message["game"])
    if WAY == "never reads" and message["game"] == 1:
        time.sleep(600)


def go(message: dict) -> None:
    if message["turn"] == 3 and WAY in AT_THE_THIRD_MOVE:
        AT_THE_THIRD_MOVE[WAY](message)
        return
    if WAY == "settles" and message["turn"] > 40:
        best(message, "done")
        return
    if WAY == "slow":
        time.sleep(0.005)
    best(message)
    if WAY == "twice":
        best(message)


def error(message: dict) -> None:
    print("told:", message["code"], file=sys.stderr, flush=True)


def end(message: dict) -> None:
    if WAY == "dies between games":
        sys.exit(4)


ANSWERS = {"hello": hello, "new": new, "go": go, "error": error, "end": end}
BEFORE = {
    "silent": lambda: time.sleep(600),
    "forks": forks,
    "floods its log": lambda: os.set_blocking(2, False),
}

if __name__ == "__main__":
    BEFORE.get(WAY, lambda: None)()
    for line in sys.stdin:
        if WAY == "floods its log":
            flood_the_log()
        said = json.loads(line)
        ANSWERS.get(said["t"], lambda message: None)(said)
    if WAY == "stays":
        time.sleep(600)
