"""Tests of the messages and their two codings."""
