"""Attacks, checks, pins, mobility and counts of legal moves, for all positions at once."""
