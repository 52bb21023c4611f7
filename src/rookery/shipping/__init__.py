"""Machine code made in advance: for a checkout, and for the wheels that users install."""
