"""Plans are those of the steady player."""

import pytest

from bots.players.double.laid import way_to, words_of
from bots.players.double.position import position_of
from bots.players.double.sight import look
from bots.players.double.steady import IN_THIS_ROUND, cheapest
from bots.players.double.steps import Steps
from bots.solver.double.playouts import playtable as at
from bots.solver.double.playouts.playout import set_out
from tests.bots.solver.double.playouts.positions import CODES, games_of, laid, rules_of


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
        if expected is None or not set_out(mine, 1):
            continue
        assert words_of(way_to(mine, 0), sight, board.rules.draw) == expected
        found += 1
    assert found


def test_plans_of_two_rounds_at_once() -> None:
    """Looked for at once, plans with a recycle stand beside those of this round; else they wait until it has none."""
    both = 0
    for solo in games_of("DS1-D3NO-AAAAAAI", 6):
        mine, _ = laid(solo, IN_THIS_ROUND)
        kinds = []
        for at_once in (0, 1):
            mine.mark[at.AT_ONCE] = at_once
            starts = range(set_out(mine, at.MOST_ENDS))
            kinds.append({any(step >> 24 & 1 for _, step in way_to(mine, start)) for start in starts})
        if kinds[0] == {False}:
            both += kinds[1] == {False, True}
        assert not kinds[0] or kinds[1]
    assert both
