"""Whole arrays of positions at once: `Positions`, and the loops that answer for it, vectorised."""
