"""Games of one round played out by habit, three to seven in the time of one from plan to plan."""
