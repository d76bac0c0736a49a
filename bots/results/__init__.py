"""How many deals of each game can be won: measured on many deals, kept, and written up as tables."""
