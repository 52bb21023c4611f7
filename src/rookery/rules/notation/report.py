"""The report of the compiled FEN reader: everything besides the position."""

from typing import Final

REPORT: Final = 5  # two counters, the place of a refused character, Chess960 or not, whether rights were dropped
