"""Pack the tables of all squares into each other's gaps."""
