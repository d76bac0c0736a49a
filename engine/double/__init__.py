"""Double Solitaire: two-pack Klondike."""
