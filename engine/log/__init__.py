"""The log of a race: its entries, their chain of hashes, and how old ones are read."""
