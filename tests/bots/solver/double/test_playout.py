"""Play-outs: plans are those of the steady player, runs and foundations are packed right, nothing is peeked at."""

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bots.players.double.laid import NUMBER, Within, lay_out, limit, run_of, way_to, words_of
from bots.players.double.position import place_for, position_of
from bots.players.double.position import put_up as put_up_one
from bots.players.double.position import safe as never_missed
from bots.players.double.sight import ROW, look
from bots.players.double.steady import IN_THIS_ROUND, cheapest
from bots.players.double.steps import Steps
from bots.solver.double import playout
from bots.solver.double import playtable as at
from bots.solver.double.playtable import Table, Weights, table
from engine.double.board import DoubleBoard
from engine.solo import Played, Solo
from tests.bots.players.double.test_players import dealt, play, player
from tests.bots.solver.plain import plain

CODES = ["DS1-D1NO-AAAAAAH", "DS1-D3NO-AAAAAAI", "DS1-D3VO-AAAAAAJ"]
STEADY = Weights(
    run=160,
    part=192,
    put_up=8,
    taken_back=400,
    to_column=192,
    to_foundation=224,
    draw=160,
    turned_none=320,
    taken_place=160,
    given_place=80,
    buried=64,
    recycle=160,
    per_point=8,
)
"""The weights of `steps.py`, in sixteenths."""
KERNELS = {"compiled": playout, "plain": plain("bots.solver.double.playout")}
TABLE = table(STEADY)


def after(solo: Solo, words: list[str]) -> Solo:
    """Return the game after some words, all of them legal."""
    for word in words:
        played = solo.play(word)
        assert isinstance(played, Played), (word, played)
        solo = played.solo
    return solo


def rules_of(solo: Solo) -> tuple[DoubleBoard, bool]:
    board = solo.board
    assert isinstance(board, DoubleBoard)
    return board, board.rules.scoring == "N"


def laid(solo: Solo, within: int) -> tuple[Table, int]:
    """Return the table with a game's position as its root, and how many cards are not seen."""
    board, _ = rules_of(solo)
    limit(TABLE, Within(within, within, within))
    return TABLE, lay_out(TABLE, look(solo.position()), board.rules)


def games_of(code: str, every: int, *, taking_back: bool = True) -> list[Solo]:
    """Return some positions of the steady player's game: all of it, or up to the first card taken back."""
    solo, found = dealt(code), []
    for turn, word in enumerate(play(player("steady", code), solo)[1]):
        if word.startswith("f") and not taking_back:
            break
        if turn % every == 0:
            found.append(solo)
        solo = after(solo, [word])
    return found


@pytest.mark.parametrize("code", CODES)
def test_plans_as_the_steady_player(code: str) -> None:
    """With the same weights the cheapest plan has the words that the steady player finds, where one round has it."""
    found = 0
    for solo in games_of(code, 6):
        board, _ = rules_of(solo)
        sight = look(solo.position())
        expected, _ = cheapest(
            position_of(sight), Steps(sight.down, board.rules.draw, None, narrow=True), IN_THIS_ROUND
        )
        mine, _ = laid(solo, IN_THIS_ROUND)
        mine.mark[at.RECYCLES] = mine.mark[at.GATHERS] = 0
        if expected is None or not playout.set_out(mine, 1):
            continue
        assert words_of(way_to(mine, 0), sight, board.rules.draw) == expected
        found += 1
    assert found


@pytest.mark.parametrize("kernels", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("code", CODES)
def test_starts_are_where_their_words_lead(code: str, kernels: type[playout]) -> None:  # type: ignore[valid-type]
    """The engine accepts the words of every plan, and they leave runs, heights, talon, score and moves as foretold.

    The score is foretold until a card is taken back: under option O it pays once only, and play-outs let it pay again.
    """
    for solo in games_of(code, 20, taking_back=False):
        board, normal = rules_of(solo)
        sight = look(solo.position())
        mine, _ = laid(solo, 60)
        starts = kernels.set_out(mine, 8)
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
        starts = np.arange(min(2, kernels.set_out(mine, 2)))
        worths = np.zeros((2, 2))
        kernels.value_starts(mine, starts, hidden, np.array([1.0, 0.001, 0.0001, 0.01]), worths, 0, 2)
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
            playout.deal_unseen(mine.memory, hidden, shuffle)
            orders.append(mine.laid[:hidden].tolist())
            assert Counter(orders[-1]) == Counter(mine.unseen[:hidden].tolist())
        assert orders[0] == orders[2]
        assert hidden < 5 or orders[0] != orders[1]
        assert mine.dealt[: mine.mark[at.KNOWN]].tolist() == known
        seen = [NUMBER[card] for column, down in zip(board.columns, board.down, strict=True) for card in column[down:]]
        assert hidden == 104 - len(seen) - len(known) - board.cleared


@given(st.integers(0, 2**32 - 1))
def test_heights_go_up_and_back(seed: int) -> None:
    """Cards put up and taken back in any order leave the heights that two places a suit have, and the same is safe."""
    chance, heights, up = Random(seed), (0,) * 8, 0
    for _ in range(60):
        card = chance.randrange(52)
        place = place_for(card, heights)
        assert playout.goes_up(up, NUMBER[card]) == (place is not None)
        assert playout.safe(up, NUMBER[card]) == never_missed(card, heights)
        if place is not None:
            heights, up = put_up_one(heights, place), playout.put_up(up, NUMBER[card])
            pair = heights[ROW[card] : ROW[card] + 2]
            assert playout.cards_up(up) == sum(heights)
            assert (up >> 8 * (NUMBER[card] >> 4)) & 255 == max(pair) | min(pair) << 4
            if chance.random() < 0.3:
                assert playout.put_up(playout.taken_back(up, NUMBER[card]), NUMBER[card]) == up


@pytest.mark.parametrize("cards", [(12,), (12, 24, 10, 35), tuple(range(12, -1, -1))], ids=["one", "four", "thirteen"])
def test_runs_can_be_read_back(cards: tuple[int, ...]) -> None:
    """A run holds its cards, the free one first, and parts of it come off and go on."""
    if len(cards) == 13:
        cards = tuple(card if i % 2 else card + 13 for i, card in enumerate(cards))
    run = run_of(cards)
    numbers = [NUMBER[card] for card in cards]
    assert [playout.card_at(run, under) for under in range(len(cards))] == numbers[::-1]
    for off in range(1, len(cards) + 1):
        assert playout.without(run, off) == run_of(cards[: len(cards) - off])
        if off < len(cards):
            assert playout.joined(playout.without(run, off), run, off) == run
    assert playout.with_card(playout.without(run, 1), numbers[-1]) == run
