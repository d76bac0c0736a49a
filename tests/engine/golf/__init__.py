"""Golf's tests."""
