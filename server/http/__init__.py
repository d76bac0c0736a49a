"""The HTTP calls and the page."""
