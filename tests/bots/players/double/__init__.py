"""Tests of the built-in players of Double Solitaire."""
