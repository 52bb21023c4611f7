"""Arrays of positions: `Positions`, and the vectorised loops behind its methods."""
