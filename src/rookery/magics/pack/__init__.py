"""The tables of all squares laid into each other's gaps."""
