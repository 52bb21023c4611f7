"""Headers of games: their types, the days and values that they state, their names, and conditions on them."""
