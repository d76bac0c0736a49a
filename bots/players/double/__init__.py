"""The built-in players of Double Solitaire."""
