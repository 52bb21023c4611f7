"""Boards as pictures: pieces, sets of squares, arrows.

shapes    the pieces, drawn for this project
svg       a board and what is on it
text      a drawing in characters with marked squares
"""

from rookery.bitboards.pictures.svg import Arrow, Arrows, board_element, board_svg

__all__ = ["Arrow", "Arrows", "board_element", "board_svg"]
