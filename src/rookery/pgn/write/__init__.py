"""PGN written: visitors that make text of a tree, and how lines are filled."""
