"""Games played out from plan to plan, for players that do not see all cards."""
