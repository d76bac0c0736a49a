"""The mathematics of comparing bots: intervals, pairs, ratings, early stops. Pure, seeded where it draws."""
