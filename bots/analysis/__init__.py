"""What solvers say about deals and games: what is within reach, what was given away, who would win."""
