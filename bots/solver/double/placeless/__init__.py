"""The game without places: which cards are face up, but not where they lie; far fewer states."""
