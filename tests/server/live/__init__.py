"""Tests of the WebSocket sessions."""
