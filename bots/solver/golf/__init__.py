"""Golf: exact search for every rule letter and option, and rollouts for the fair player."""
