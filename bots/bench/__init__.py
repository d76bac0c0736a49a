"""The bench: bots measured and compared on the same deals, in this process, on many cores or on a cluster."""
