"""Play-outs: plans lead where their words do, nothing is peeked at, and the kernels are what was written."""

from collections import Counter
from types import ModuleType

import numpy as np
import pytest

from bots.players.double.laid import NUMBER, run_of, way_to, words_of
from bots.players.double.sight import look
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playout import deal_unseen
from tests.bots.solver.double.playouts.positions import CODES, KERNELS, after, games_of, laid, rules_of


@pytest.mark.parametrize("kernels", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("code", CODES)
def test_starts_are_where_their_words_lead(code: str, kernels: ModuleType) -> None:
    """The engine accepts the words of every plan, and they leave runs, heights, talon, score and moves as foretold.

    The score is foretold until a card is taken back: under option O it pays once only, and play-outs let it pay again.
    """
    for solo in games_of(code, 20, taking_back=False):
        board, normal = rules_of(solo)
        sight = look(solo.position())
        mine, _ = laid(solo, 60)
        starts = kernels.playout.set_out(mine, 8)
        for start, words in [
            (start, words_of(way_to(mine, start), sight, board.rules.draw)) for start in range(starts)
        ]:
            end = after(solo, words)
            seen = look(end.position())
            row = mine.starts[at.ROW * start : at.ROW * (start + 1)]
            turned = int(mine.turns[start])
            runs = [run_of(cards) for cards in seen.columns]
            if turned != at.NOTHING:
                assert runs[turned] & 15 == 1
                runs[turned] = 0
            assert row[: at.COLUMNS].tolist() == runs
            heights = [sorted(seen.foundations[i : i + 2], reverse=True) for i in (0, 2, 6, 4)]
            assert int(row[at.UP]) == sum((high | low << 4) << 8 * suit for suit, (high, low) in enumerate(heights))
            assert int(row[at.TALON]).bit_count() == len(seen.waste) + len(seen.stock)
            assert (int(row[at.TALON]) & (1 << int(row[at.TURNED])) - 1).bit_count() == len(seen.waste)
            back = sum(word.startswith("f") for word in words)
            score = int(row[at.SCORE]) + (5 if normal and turned != at.NOTHING else 0)
            assert back or score == seen.score
            assert int(row[at.MOVES]) == len(words)


@pytest.mark.parametrize("code", CODES)
def test_compiled_plays_out_like_plain(code: str) -> None:
    """The kernels are the functions that were written: the same games in the same shuffles, worth the same."""
    solo = games_of(code, 25)[1]
    results = []
    for kernels in KERNELS.values():
        mine, hidden = laid(solo, 12)
        mine.mark[at.SEED] = 7
        starts = np.arange(min(2, kernels.playout.set_out(mine, 2)))
        worths = np.zeros((2, 2))
        kernels.playout.value_starts(mine, starts, hidden, np.array([1.0, 0.001, 0.0001, 0.01]), worths, 0, 2)
        results.append((worths.tolist(), mine.base.tolist(), mine.laid[:hidden].tolist()))
    assert results[0] == results[1]


@pytest.mark.parametrize("code", CODES)
def test_shuffles_keep_the_cards(code: str) -> None:
    """A shuffle lays the very cards that are not seen, others under another number, and touches no card seen."""
    for solo in games_of(code, 50):
        board, _ = rules_of(solo)
        mine, hidden = laid(solo, 10)
        known = mine.dealt[: mine.mark[at.KNOWN]].tolist()
        mine.mark[at.SEED] = 3
        orders = []
        for shuffle in (0, 1, 0):
            deal_unseen(mine.memory, hidden, shuffle)
            orders.append(mine.laid[:hidden].tolist())
            assert Counter(orders[-1]) == Counter(mine.unseen[:hidden].tolist())
        assert orders[0] == orders[2]
        assert hidden < 5 or orders[0] != orders[1]
        assert mine.dealt[: mine.mark[at.KNOWN]].tolist() == known
        seen = [NUMBER[card] for column, down in zip(board.columns, board.down, strict=True) for card in column[down:]]
        assert hidden == 104 - len(seen) - len(known) - board.cleared
