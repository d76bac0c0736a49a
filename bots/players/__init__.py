"""The built-in players, a file each."""
