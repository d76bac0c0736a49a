"""How many deals of each game can be won, and are: measured on many deals, kept, and written up as tables."""
