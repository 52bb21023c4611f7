"""Perft beside a UCI engine: where their counts differ, and which fault of the engine explains it."""
