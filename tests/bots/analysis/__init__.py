"""What solvers say about deals and games."""
