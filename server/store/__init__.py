"""What is kept in Redis: the log above all, and what spans races."""
