"""A deal as an environment: a view in, a move out, points as they come; settled as in a race."""

from __future__ import annotations

from typing import Any, Literal, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from bots.gym.tables import TABLES, Observation
from engine.codes import DEFAULT_GAMES, OPEN_LETTERS, Code, number_letters, parse_code, parse_game
from engine.game import GAMES
from engine.record import Record
from engine.refusals import Reason
from engine.solo import Solo, UndoPolicy, deal_out

__all__ = ["Solitaire"]


class Solitaire(gymnasium.Env[Observation, np.int64]):
    """One game, `GO1-E` or any other rules of Golf or Double Solitaire, on a new deal each time.

    An observation is what a player in the seat sees, never a card that lies face down. `words` names the actions;
    `action_masks()` and `info["action_mask"]` tell which are legal. An action that is not legal changes nothing, gives
    nothing and counts as an operation. Rewards are points: they add up to the settled score less the score at the
    start. The episode is terminated when nothing is legal any more, and truncated after `max_operations`.

    `reset(options={"code": "GO1-E-AAAAAAB"})` deals a code of the same game; else the seed draws one.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}  # noqa: RUF012 (as Gymnasium has it)

    def __init__(
        self, game: str = "GO1-E", *, max_operations: int | None = None, render_mode: Literal["ansi"] | None = None
    ) -> None:
        self._letters, self._version, self._rules = parse_game(DEFAULT_GAMES.get(game, game))
        if self._version == 0:
            raise ValueError(
                f"expected a game of version 1, since a number of version 0 is one deal only, found {game}"
            )
        self._table = TABLES[self._letters]
        self._most = max_operations or GAMES[self._letters].max_operations
        self.render_mode = render_mode
        self.words = self._table.words
        self.observation_space = self._table.space()
        self.action_space: spaces.Discrete = spaces.Discrete(len(self.words))
        self._solo: Solo | None = None
        self._code: Code | None = None
        self._played: list[str] = []
        self._operations = 0
        self._view: dict[str, Any] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Deal, and return what is seen. Raises CodeError, and ValueError for a code of another game."""
        super().reset(seed=seed)
        self._code = self._deal(options or {})
        self._solo = deal_out(self._code, UndoPolicy.NONE)
        self._played, self._operations = [], 0
        self._view = self._solo.position()
        return self._table.observed(self._view), self._info()

    def step(self, action: SupportsInt) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play a move of `words` by its index."""
        assert self._solo is not None, "expected a call of reset first"
        before = self._solo.board.score
        word = self.words[int(action)]
        self._operations += 1
        answer = self._solo.play(word)
        refused = answer if isinstance(answer, Reason) else None
        if not isinstance(answer, Reason):
            self._solo = answer.solo
            self._played.append(word)
            self._view = self._solo.position()
        terminated = not self._view["legal"]
        truncated = not terminated and self._operations >= self._most
        board = self._solo.board
        score = board.settled_score if terminated or truncated else board.score
        info = self._info() | ({"refused": refused.value} if refused is not None else {})
        return self._table.observed(self._view), float(score - before), terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now."""
        return self._table.mask(self._view["legal"]).astype(np.bool_)

    def render(self) -> str | None:
        """Return the view as text: a line a column, waste, stock, foundations."""
        if self.render_mode is None:
            return None
        view = self._view
        lines = [f"{number}: {' '.join(column)}".rstrip() for number, column in enumerate(view["columns"], 1)]
        if "foundations" in view:
            heights = (f"{suit} {low} {high}" for suit, (low, high) in view["foundations"].items())
            lines.append(f"foundations: {'  '.join(heights)}")
        waste = view["waste"][-1] if view["waste"] else "empty"
        lines.append(f"waste: {waste}  stock: {view['stock']}  score: {view['score_text']}  {view['status']}")
        return "\n".join(lines)

    def _deal(self, options: dict[str, Any]) -> Code:
        if "code" not in options:
            number = int(self.np_random.integers(32**OPEN_LETTERS))
            return Code(self._letters, self._version, self._rules, number_letters(number, OPEN_LETTERS))
        code = parse_code(options["code"])
        if code.game != self._letters:
            raise ValueError(f"expected a code of {self._letters}, found {code}")
        return code

    def _info(self) -> dict[str, Any]:
        assert self._solo is not None
        assert self._code is not None
        return {
            "action_mask": self._table.mask(self._view["legal"]),
            "record": str(Record(self._code, tuple(self._played))),
            "score": self._solo.board.score,
            "status": self._view["status"],
        }
