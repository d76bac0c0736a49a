"""The report of a run: one HTML file that needs nothing else, for the screen and for paper."""
