"""Calls of a board in several libraries: positions, expressions, answers in a common form, and a search."""
