"""What cards could be laid somewhere for."""

import numpy as np

from bots.solver.double import placeless
from bots.solver.double.placeless import hall as stands
from bots.solver.double.placeless.exhaust import prepare
from bots.solver.double.placeless.hall import hall
from bots.solver.double.placeless.survey import LONGEST_WAY, survey
from bots.solver.double.position import Setting
from tests.bots.solver.double.games import four_columns
from tests.bots.solver.plain import plain

HALL = hall(16)


def test_survey_finds_held_cards_wherever_their_numbers_stand() -> None:
    """What could be laid somewhere is the same wherever the numbers of the cards that are held begin."""
    moved = plain(placeless.__name__).survey
    moved.HELD = len(HALL.now) + 5 | 1
    ways = set()
    for seed in range(20):
        prepare(HALL, four_columns(seed, 7), Setting(3, True, ranks=7))
        survey(HALL)
        near = HALL.now[stands.NEAR : stands.NEAR + 32].tolist()
        now = np.zeros(moved.HELD + 80, np.int64)
        now[: stands.HELD] = HALL.now[: stands.HELD]
        now[stands.HELD + 80 : len(HALL.now)] = HALL.now[stands.HELD + 80 :]
        now[moved.HELD :] = HALL.now[stands.HELD : stands.HELD + 80]
        moved.survey(HALL._replace(now=now))
        assert now[stands.NEAR : stands.NEAR + 32].tolist() == near
        ways |= set(near)
    assert ways > {0, LONGEST_WAY}
