"""Find magic factors by laying copies of the occupancy, for rooks, bishops and any other rider."""
