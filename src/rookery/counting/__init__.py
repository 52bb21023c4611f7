"""Perft: counting the tree of legal moves."""
