"""Golf: seven columns of five, one waste, sixteen cards to draw."""
