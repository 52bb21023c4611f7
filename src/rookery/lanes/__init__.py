"""Whole arrays of positions at once: `Positions`, its queries, and perft on vector lanes."""
