"""Tests of the built-in players."""
