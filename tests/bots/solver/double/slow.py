"""A slow and obvious search of small games of Double Solitaire, to check the kernels against."""

from collections.abc import Iterator
from typing import NamedTuple

from bots.solver.double.position import Position, Setting, colour_of


class State(NamedTuple):
    """Columns as (face-down cards, face-up cards), waste and stock in the order drawn, foundations of two places."""

    columns: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    waste: tuple[int, ...]
    stock: tuple[int, ...]
    foundations: tuple[int, ...]


def most_up(position: Position, setting: Setting) -> int:
    """Try every move from every position that can be reached; the most cards that are ever up."""
    columns = tuple(
        (column[:down], column[down:]) for column, down in zip(position.columns, position.down, strict=True)
    )
    reserve, turned = position.reserve, position.turned
    start = State(columns, reserve[:turned], reserve[turned:], (0,) * setting.packs * setting.suits)
    seen = {start}
    todo = [start]
    most = 0
    while todo:
        state = todo.pop()
        most = max(most, sum(state.foundations))
        for after in moves(state, setting):
            after = alike(after, setting)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    return most


def alike(state: State, setting: Setting) -> State:
    """Put columns and a suit's places in order: it makes no difference."""
    places: list[int] = []
    for at in range(0, len(state.foundations), setting.packs):
        places += sorted(state.foundations[at : at + setting.packs])
    return state._replace(columns=tuple(sorted(state.columns)), foundations=tuple(places))


def moves(state: State, setting: Setting) -> Iterator[State]:
    """Yield what each legal move leads to."""
    columns, waste, stock, foundations = state
    if stock:
        yield state._replace(waste=waste + stock[: setting.draw], stock=stock[setting.draw :])
    elif waste and setting.recycles:
        yield state._replace(waste=(), stock=waste)
    if waste:
        rest = state._replace(waste=waste[:-1])
        yield from put_up(rest, waste[-1], setting)
        yield from laid(rest, waste[-1:], setting)
    for at, (_, up) in enumerate(columns):
        for cards in range(1, len(up) + 1):
            rest = state._replace(columns=(*columns[:at], lifted(columns[at], cards), *columns[at + 1 :]))
            if cards == 1:
                yield from put_up(rest, up[-1], setting)
            yield from laid(rest, up[-cards:], setting, but=at)
    for place, height in enumerate(foundations):
        if height:
            rest = state._replace(foundations=(*foundations[:place], height - 1, *foundations[place + 1 :]))
            yield from laid(rest, (place // setting.packs << 4 | height,), setting)


def lifted(column: tuple[tuple[int, ...], tuple[int, ...]], cards: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    down, up = column
    up = up[:-cards]
    return (down, up) if up or not down else (down[:-1], down[-1:])


def put_up(state: State, card: int, setting: Setting) -> Iterator[State]:
    suit, rank = card >> 4, card & 15
    for place in range(suit * setting.packs, (suit + 1) * setting.packs):
        if state.foundations[place] == rank - 1:
            yield state._replace(foundations=(*state.foundations[:place], rank, *state.foundations[place + 1 :]))


def laid(state: State, cards: tuple[int, ...], setting: Setting, but: int | None = None) -> Iterator[State]:
    """Yield the states in which cards lie on another column that takes them."""
    for at, (down, up) in enumerate(state.columns):
        if at == but:
            continue
        if up:
            fits = up[-1] & 15 == (cards[0] & 15) + 1 and colour_of(up[-1]) != colour_of(cards[0])
        else:
            fits = cards[0] & 15 == setting.ranks
        if fits:
            yield state._replace(columns=(*state.columns[:at], (down, up + cards), *state.columns[at + 1 :]))
