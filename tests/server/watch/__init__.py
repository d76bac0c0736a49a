"""Tests of the HTTP calls and the page."""
