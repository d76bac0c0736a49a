"""The pure part: cards, codes, deals, rules, races, views, records. No clock, no I/O, no randomness."""
