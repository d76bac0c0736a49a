"""Small games of Double Solitaire, drawn by hypothesis: fewer suits, ranks and columns, one pack or two."""

from random import Random

from hypothesis import strategies as st

from bots.solver.double.position import Position, Setting

SETTINGS = st.sampled_from(
    [
        Setting(draw, recycles, packs, suits, ranks)
        for draw in (1, 2, 3)
        for recycles in (True, False)
        for packs, suits, ranks in (
            (2, 2, 3),
            (2, 1, 4),
            (2, 2, 2),
            (2, 3, 2),
            (2, 2, 4),
            (1, 2, 6),
            (1, 4, 3),
            (1, 3, 4),
        )
    ]
)


@st.composite
def games(draw: st.DrawFn) -> tuple[Setting, Position]:
    """Deal a small pack: some columns, only their last cards face up, the rest in the reserve, some of it turned."""
    setting = draw(SETTINGS)
    one = [suit << 4 | rank for suit in range(setting.suits) for rank in range(1, setting.ranks + 1)]
    order = draw(st.permutations(one * setting.packs))
    columns = []
    for height in draw(st.lists(st.integers(0, 5), min_size=2, max_size=4)):
        columns.append(tuple(order[:height]))
        order = order[height:]
    # A long stock makes the slow search slower than it is worth.
    columns[-1] += tuple(order[5:])
    reserve = tuple(order[:5])
    turned = draw(st.integers(0, len(reserve)))
    return setting, Position(tuple(columns), tuple(max(0, len(column) - 1) for column in columns), reserve, turned)


def four_columns(seed: int, ranks: int) -> Position:
    """Shuffle two packs of so many ranks: columns of 1, 3, 5 and 7 cards, the last one of each face up, and a stock."""
    order = [suit << 4 | rank for suit in range(4) for rank in range(1, ranks + 1)] * 2
    Random(seed).shuffle(order)
    columns = tuple(tuple(order[c * c : c * c + 2 * c + 1]) for c in range(4))
    return Position(columns, (0, 2, 4, 6), tuple(order[16:]))
