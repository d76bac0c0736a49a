"""Races: several seats on one deal, decided and evolved without a clock."""
