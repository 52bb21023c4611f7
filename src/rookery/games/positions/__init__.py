"""Positions of games: replayed from their moves, and what is known about them."""
