"""Verdicts on Golf: against two independent programs, against a slow search, on the published deal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.solver.golf import lattice, waiting, workspace
from bots.solver.golf.costs import costs
from bots.solver.golf.position import EMPTY, LETTERS, Position, arrays
from bots.solver.golf.search import Want, search
from bots.solver.verdict import Limits, LineRefused, Verdict, replay, solve_golf
from engine.cards import Card, parse_cards, rank_of
from engine.codes import deal, parse_code
from engine.game import first_board
from engine.golf.board import GolfBoard
from engine.golf.rules import GolfRules
from tests.bots.solver.oracle import DEALS, RULES
from tests.bots.solver.slow import best_end

UNLIMITED = Limits()


def solved(text: str, limits: Limits = UNLIMITED) -> Verdict:
    code = parse_code(text)
    assert isinstance(code.rules, GolfRules)
    cards = deal(code)
    return solve_golf(code.rules, cards.columns, cards.waste, cards.stock, limits)


@pytest.mark.parametrize("name", RULES)
def test_agrees_with_independent_programs(name: str) -> None:
    """On 200 deals the win, the most removed and the fewest stock cards of a win are as two other programs say."""
    for facts, position in DEALS:
        found = search(position, RULES[name], Limits())
        assert found.limit is None
        assert found.left == 35 - facts["max_removed"][name], facts["id"]
        assert (found.left == 0) == bool(facts["solvable"][name])
        if found.left == 0:
            least = search(position, RULES[name], Limits(), want="win, least stock")
            assert (least.left, least.drawn) == (0, facts["min_stock_used_when_won"][name])
        else:
            assert search(position, RULES[name], Limits(), want="win").left > 0


@pytest.mark.parametrize(
    ("code", "verdict", "removed", "score"),
    [
        pytest.param("GO1-E-AAAAAAB", "winnable", 35, 350, id="published, easy"),
        pytest.param("GO1-C-AAAAAAB", "unwinnable", 34, 330, id="published, classic"),
        pytest.param("GO1-S-AAAAAAB", "unwinnable", 33, 310, id="published, strict"),
        pytest.param("GO1-SJ2X-AAAAAAC", "winnable", 35, 350, id="strict, two jokers, empty waste"),
    ],
)
def test_solves_codes(code: str, verdict: str, removed: int, score: int) -> None:
    """A code's verdict, best result and score are known, and its line leads there through the engine."""
    found = solved(code)
    assert (found.verdict, found.best.removed, found.best.score, found.limit) == (verdict, removed, score, None)
    end = replay(first_board(parse_code(code)), found.line)
    assert (end.cleared, end.settled_score) == (removed, score)


@pytest.mark.parametrize(
    ("limits", "limit"),
    [(Limits(nodes=100), "nodes"), (Limits(ms=0.0), "time")],
    ids=["nodes", "time"],
)
def test_names_the_limit_that_ended_it(limits: Limits, limit: str) -> None:
    """A search that was ended early says unknown and by what, and still gives a playable best line."""
    found = solved("GO1-C-AAAAAAB", limits)
    assert (found.verdict, found.limit) == ("unknown", limit)
    assert found.best.removed >= 0


def test_starts_from_a_finished_position() -> None:
    """A cleared board is winnable by no move at all, a stuck one is not winnable."""
    empty = ((),) * 7
    assert solve_golf(GolfRules("E"), empty, (Card(0),), (), Limits()).line == ()
    stuck = solve_golf(GolfRules("E"), (parse_cards("9S"), *empty[1:]), parse_cards("2S"), (), Limits())
    assert (stuck.verdict, stuck.line, stuck.best.removed) == ("unwinnable", (), 34)


def test_fewer_draws_may_be_worse_where_they_wait() -> None:
    """Strict may lose what it wins with the same cards and one draw more behind it; Classic cannot."""
    columns = (parse_cards("2S 4S"), parse_cards("3S"), *((),) * 5)
    for letter, verdict in (("S", "unwinnable"), ("C", "winnable")):
        rules = GolfRules(letter)  # type: ignore[arg-type]
        assert solve_golf(rules, columns, parse_cards("6S"), parse_cards("2H 5S")).verdict == verdict
        assert solve_golf(rules, columns, parse_cards("6S"), parse_cards("5S")).verdict == "winnable"


def test_refuses_to_believe_a_wrong_line() -> None:
    """A line that the engine refuses is named with its word and reason."""
    with pytest.raises(LineRefused, match="'7' at index 1 is refused: not_adjacent"):
        replay(first_board(parse_code("GO1-E-AAAAAAB")), ["d", "7"])


rules = st.builds(
    GolfRules,
    letter=st.sampled_from("ECS"),  # type: ignore[arg-type]
    jokers=st.integers(0, 2),
    empty_waste=st.booleans(),
)


@st.composite
def small_boards(draw: st.DrawFn) -> GolfBoard:
    """Positions of up to 16 cards in the columns and 6 in the stock, of few ranks so that much fits, with jokers."""
    chosen = draw(rules)
    low = draw(st.sampled_from((1, 9)))
    pool = [Card(13 * suit + rank - 1) for suit in range(4) for rank in (1, 13, *range(low + 1, low + 4))]
    pool += [Card(52), Card(53)][: chosen.jokers]
    order = draw(st.permutations(pool))
    heights = draw(st.lists(st.integers(0, 3), min_size=7, max_size=7).filter(lambda h: sum(h) <= 12))
    columns = []
    for height in heights:
        columns.append(tuple(order[:height]))
        order = order[height:]
    waste = () if chosen.empty_waste and draw(st.booleans()) else tuple(order[:1])
    stock = tuple(order[len(waste) :][: draw(st.integers(0, 6))])
    return GolfBoard(chosen, tuple(columns), waste, stock)


@settings(max_examples=200, deadline=None)
@given(small_boards())
def test_finds_what_a_slow_search_finds(board: GolfBoard) -> None:
    """Under every letter and option the most removed, the win and its fewest draws are what trying every move gives."""
    left, drawn = best_end(board)
    verdict = "unwinnable" if left else "winnable"

    def solved_for(want: Want) -> Verdict:
        return solve_golf(board.rules, board.columns, board.waste, board.stock, want=want)

    assert (solved_for("most").best.removed, solved_for("most").verdict) == (35 - left, verdict)
    assert solved_for("win").verdict == verdict
    least = solved_for("win, least stock")
    assert least.verdict == verdict
    if not left:
        assert least.line.count("d") == drawn


@settings(max_examples=100, deadline=None)
@given(small_boards())
def test_a_sweep_alone_finds_it_too(board: GolfBoard) -> None:
    """Without a beam before it the sweep finds the same, and a line to there with the fewest draws."""
    switches = LETTERS[board.rules.letter]
    waste = rank_of(board.waste[-1]) if board.waste else EMPTY
    columns = tuple(tuple(map(rank_of, column)) for column in board.columns)
    given_arrays = arrays(Position(columns, waste, tuple(map(rank_of, board.stock))), switches)
    ws = workspace.workspace()
    workspace.prepare(
        ws, given_arrays.columns, given_arrays.heights, waste, given_arrays.stock, given_arrays.fits, costs(switches)
    )
    if switches.draw_waits:
        waiting.begin(ws)
        waiting.sweep(ws, 10**9, waste == EMPTY)
    else:
        lattice.begin(ws)
        lattice.sweep(ws, 36, 10**9)
    left, drawn = best_end(board)
    line = workspace.line(ws)
    assert replay(board, line).left == ws.mark[workspace.BEST_LEFT] == left
    if left == 0:
        assert line.count("d") == drawn
