"""What viewers may see of a race, worked out again by plain rules, and a search of all that they would be sent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from engine.cards import card_text
from engine.race.events import Hinted, Played, Undone
from engine.race.model import Race
from engine.race.views import PUBLIC, Role, Viewer, ev_for, progress_for, snap_for
from engine.solo import deal_out
from engine.wire.codec import Subprotocol, encode
from engine.wire.outbound import Outbound
from tests.engine.race.course import NUMBER, SEALED, SECRETS, Course

__all__ = ["check_sight", "frames"]

CARDS: Final = {card_text(card) for card in range(54)}  # type: ignore[arg-type]


def viewers(race: Race) -> list[Viewer]:
    """Everybody who could look: each seat, two kinds of spectators, a stranger."""
    seats = [Viewer(Role.SEAT, seat, boards=seat % 2 == 0) for seat in race.seats]
    return [*seats, Viewer(Role.WATCH), Viewer(Role.WATCH, boards=True), PUBLIC]


def frames(course: Course, viewer: Viewer) -> Iterator[tuple[Race, int, Outbound]]:
    """All that a viewer could be sent, from the first entry on, each with the race and the time of its sending."""
    for before, event, after in course.told:
        ev = ev_for(before, event, after, viewer)
        if ev is not None:
            yield after, after.at, ev
        yield after, after.at, progress_for(after, viewer)
        moments = {after.at}
        if after.start_at is not None and after.at < after.start_at:
            moments |= {after.start_at - 1, after.start_at}
        for now in sorted(moments):
            yield after, now, snap_for(after, viewer, now, "join")


def check_sight(course: Course) -> None:
    """Assert that nobody would be sent a card, a number, a word or a secret that is not theirs to know."""
    for viewer in viewers(course.race):
        for race, now, message in frames(course, viewer):
            packed = encode(message, Subprotocol.JSON)
            content = msgspec.json.decode(packed)
            shown = {text for text in strings(content) if text in CARDS}
            assert shown <= may_see(race, viewer, now), (viewer, message)
            if race.closed:
                continue
            assert SECRETS.opening_of_all.salt.encode() not in packed
            assert SEALED.encode() not in packed
            assert b"nonce" not in packed
            assert b"connection" not in packed
            if race.start_at is None or now < race.start_at:
                assert NUMBER.encode() not in packed
            check_words(race, viewer, content)
            check_numbers(race, viewer, content)


def strings(content: Any) -> Iterator[str]:
    """Every text in a message."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield key
            yield from strings(value)
    elif isinstance(content, list):
        for value in content:
            yield from strings(value)


def boards_seen(race: Race, viewer: Viewer) -> list[int]:
    """The seats whose boards a viewer may see while the race runs."""
    if viewer.role is Role.SEAT:
        return [seat for seat in race.seats if seat == viewer.seat]
    watched = viewer.role is Role.WATCH and race.card is not None and race.card.watch == "boards"
    return list(race.seats) if watched else []


def may_see(race: Race, viewer: Viewer, now: int) -> set[str]:
    """The cards that a viewer may know: what lies open on the boards seen, and what was drawn there."""
    if race.code is None or race.start_at is None or now < race.start_at:
        return set()
    if race.closed:
        return CARDS
    start = deal_out(race.code).board
    open_cards = [card for column in start.columns for card in column] + list(start.waste)
    seen: set[str] = set()
    for seat in boards_seen(race, viewer):
        solo = race.seats[seat].solo
        drawn = most_drawn(race.seats[seat].words) if solo is not None else 0
        seen |= {card_text(card) for card in [*open_cards, *start.stock[:drawn]]}
    return seen


def most_drawn(words: tuple[str, ...]) -> int:
    """The most stock cards that lay open at one time, by the words alone."""
    past: list[str] = []
    most = 0
    for word in words:
        if word == "u":
            past.pop()
        else:
            past.append(word)
        most = max(most, past.count("d"))
    return most


def check_words(race: Race, viewer: Viewer, content: Any) -> None:
    """A move, or a hint to play it, is told only to those who see its board."""
    if content["t"] == "ev" and content["k"] in (Played.KIND, Undone.KIND, Hinted.KIND):
        assert content["s"] in boards_seen(race, viewer)


def check_numbers(race: Race, viewer: Viewer, content: Any) -> None:
    """Of a sealed race others' numbers are cleared cards and status alone, renewed at every eighth operation."""
    if race.card is None or not race.card.sealed or content["t"] not in ("snap", "progress") or not race.started:
        return
    for told in content["seats"]:
        if told["seat"] in boards_seen(race, viewer):
            continue
        assert not {"score", "moves", "board"} & set(told)
        seat = race.seats[told["seat"]]
        assert race.code is not None
        upto = seat.lane if seat.end is not None else seat.lane // 8 * 8
        solo = deal_out(race.code, race.card.undo)
        for word in seat.words[:upto]:
            solo = solo.play(word).solo  # type: ignore[union-attr]
        assert told["cleared"] == solo.board.cleared
        assert told["status"] == (seat.end or solo.board.status)
