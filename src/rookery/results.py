"""The four results of PGN, and what also stands for a draw."""

from typing import Final

WHITE_WON: Final = "1-0"
BLACK_WON: Final = "0-1"
DRAWN: Final = "1/2-1/2"
HALF: Final = "1/2"  # read as a draw
UNFINISHED: Final = "*"
RESULTS: Final = (WHITE_WON, BLACK_WON, DRAWN, UNFINISHED)
