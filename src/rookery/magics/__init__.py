"""Finding and checking magic factors."""
