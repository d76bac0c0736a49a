"""A load test over the real protocol: many races, seats and spectators, and proof that nothing confirmed was lost."""
