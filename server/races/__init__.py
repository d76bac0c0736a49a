"""The races that this node has open: decided, appended, folded, and told to whoever follows."""
