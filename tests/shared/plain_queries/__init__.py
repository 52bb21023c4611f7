"""A plain interpreter of the query language, for one position of one game at a time.

It shares no code with rookery. Python's `ast` parses the text, python-chess knows the rules, and sets of squares are
Python's. `evaluate` does not check types: it expects expressions that rookery accepts.

rows       a position of a game, with what the game says about it
squares    sets of squares: pieces, attacks, lines
board      functions of a position
games      functions that look at other positions of the game, at the move or at the course of a piece
patterns   partial boards under symmetries
interpret  the interpreter
"""

from plain_queries.interpret import evaluate
from plain_queries.rows import Row, rows_of_board, rows_of_game

__all__ = ["Row", "evaluate", "rows_of_board", "rows_of_game"]
