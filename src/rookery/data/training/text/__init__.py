"""Formats of text: plain, CSV, and lines of FEN and score."""
