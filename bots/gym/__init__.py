"""Both games as Gymnasium environments (extra `gym`): `gymnasium.make("bots.gym:fairdeal/Golf-v1")`."""

import gymnasium

from bots.gym.environment import Solitaire

__all__ = ["DOUBLE", "GOLF", "Solitaire"]

GOLF = "fairdeal/Golf-v1"
DOUBLE = "fairdeal/DoubleSolitaire-v1"

for name, game in ((GOLF, "GO1-E"), (DOUBLE, "DS1-D1NO")):
    if name not in gymnasium.registry:
        gymnasium.register(name, entry_point="bots.gym:Solitaire", kwargs={"game": game})
