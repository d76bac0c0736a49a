"""The game as it lies: searched with all cards in their places, first in hunts for a win."""
