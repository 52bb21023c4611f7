"""Conditions over headers, such as ``WhiteElo >= 2000``, which choose the games to read.

values      columns compared, searched and combined, with three truth values
parser      from the text of a condition to functions over columns
condition   `Condition`, which chooses games
"""

from rookery.games.where.condition import Condition

__all__ = ["Condition"]
