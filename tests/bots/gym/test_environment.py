"""The Gymnasium environments."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from bots.gym import DOUBLE, GOLF, Solitaire
from bots.gym.tables import TABLES, UNKNOWN
from engine.codes import CodeError
from engine.record import parse_record, replay

GAMES = ["GO1-E", "GO1-SJ2X", "DS1-D1NO", "DS1-D3VO"]


@pytest.mark.parametrize("game", GAMES)
def test_gymnasiums_own_checker_passes(game: str) -> None:
    """Spaces, seeds, resets and steps are as Gymnasium wants them, without a warning."""
    made = gymnasium.make(DOUBLE if game.startswith("DS") else GOLF, game=game, render_mode="ansi")
    check_env(made.unwrapped)


@pytest.mark.parametrize("name", [GOLF, DOUBLE])
def test_both_games_can_be_made_by_name(name: str) -> None:
    """With the module in front of the name nothing has to be imported."""
    env = gymnasium.make(f"bots.gym:{name}")
    _, info = env.reset(seed=1)
    action = env.action_space.sample(info["action_mask"])
    assert "refused" not in env.step(action)[4]
    env.close()


@pytest.mark.parametrize("game", GAMES)
def test_an_episode_is_a_game(game: str) -> None:
    """Masked at random: every legal word has its action, rewards add up to the settled score, the record replays."""
    env = Solitaire(game, max_operations=300)
    observation, info = env.reset(seed=7)
    start = info["score"]
    rewards, over = 0.0, False
    while not over:
        assert info["action_mask"].sum() == len(replay(parse_record(info["record"]))[0].board.legal())
        assert (env.action_masks() == info["action_mask"]).all()
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.observation_space.contains(observation)
        rewards += reward
        over = terminated or truncated
    solo, refusals = replay(parse_record(info["record"]))
    assert not refusals
    assert start + rewards == solo.board.settled_score
    assert truncated == (len(info["record"].split()) == 301)
    assert terminated == (not solo.board.legal())


@pytest.mark.parametrize("game", GAMES)
def test_nothing_face_down_is_observed(game: str) -> None:
    """At the start the stock is unknown to its last card, and so are the columns' covered ones in Double Solitaire."""
    env = Solitaire(game)
    observation, _ = env.reset(seed=3)
    stock = observation["stock"]
    assert set(stock[stock > 0].tolist()) == {UNKNOWN}
    assert (observation["columns"] == UNKNOWN).sum() == (36 if game.startswith("DS") else 0)
    first = env.step(env.words.index("d"))[0]
    assert UNKNOWN not in first["waste"]


def test_an_action_that_is_not_legal_changes_nothing() -> None:
    """It gives nothing, says why, and takes one of the operations."""
    env = Solitaire("GO1-E", max_operations=2)
    before, _ = env.reset(options={"code": "GO1-E-AAAAAAB"})
    after, reward, terminated, truncated, info = env.step(env.words.index("1"))
    assert all((before[pile] == after[pile]).all() for pile in before)
    assert (reward, terminated, truncated, info["refused"]) == (0.0, False, False, "not_adjacent")
    assert env.step(0)[3]


def test_a_seed_or_a_code_says_which_deal() -> None:
    """The same seed draws the same deals one after the other; a code of another game is refused."""
    one, other = Solitaire("GO1-C"), Solitaire("GO1-C")
    drawn = [one.reset(seed=4)[1]["record"], one.reset()[1]["record"]]
    assert drawn == [other.reset(seed=4)[1]["record"], other.reset()[1]["record"]]
    assert drawn[0] != drawn[1]
    assert one.reset(options={"code": "go1 e aaaaaab"})[1]["record"] == "GO1-E-AAAAAAB"
    with pytest.raises(ValueError, match="expected a code of GO, found DS1-D1N-AAAAAAB"):
        one.reset(options={"code": "DS1-D1N-AAAAAAB"})
    with pytest.raises(CodeError):
        one.reset(options={"code": "GO1-Q-AAAAAAB"})
    with pytest.raises(ValueError, match="version 1"):
        Solitaire("GO0-E")


def test_the_view_is_drawn_as_text() -> None:
    """Face-down cards as dashes."""
    env = Solitaire("DS1-D1NO", render_mode="ansi")
    env.reset(options={"code": "DS1-D1N-AAAAAAB"})
    drawn = env.render()
    assert drawn is not None
    assert drawn.splitlines()[8].startswith("9: -- -- -- -- -- -- -- -- ")
    assert drawn.splitlines()[9] == "foundations: S 0 0  H 0 0  D 0 0  C 0 0"
    assert drawn.endswith("waste: empty  stock: 59  score: 0  playing")
    assert Solitaire().render() is None


def test_actions_are_words_each_once() -> None:
    """Eight in Golf; in Double Solitaire every move between different piles."""
    assert len(TABLES["GO"].words) == len(set(TABLES["GO"].words)) == 8
    assert len(TABLES["DS"].words) == len(set(TABLES["DS"].words)) == 1029
    assert np.int8 == TABLES["DS"].mask([]).dtype
