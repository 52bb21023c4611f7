"""Texts and positions: FEN and EPD lines, SAN and UCI moves, and the sources of lines."""
