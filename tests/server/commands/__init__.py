"""Tests of the offline commands."""
