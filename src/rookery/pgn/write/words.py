"""PGN as a row of words: headers, moves, glyphs, comments, variations and the result, written by compiled code.

`text_kernels` knows how each is written. `rookery.games.write` uses the same kernels for columns of games.
"""

from array import array
from typing import Any, Final

import numpy as np

from rookery.kernel import entry_of

write_words: Final = entry_of("rookery.pgn.write.text_kernels", "write_words")

WIDTH: Final = 79  # PGN discourages lines of 80 characters or more

# The layout of a text: where the line begins and its last blank, the longest line or 0, whether blanks stand inside
# brackets; and the game and ply of a move that is not legal.
LINE_START, LAST_BLANK, LONGEST_LINE, SPACED, BAD_GAME, BAD_PLY, LAYOUT = range(7)

# The kinds of words. A header has the end of its name as a number, a move its number and the side to move.
HEADER, MOVE, NAG, COMMENT, OPEN, CLOSE, VARIATION, RESULT = range(8)
_PER_WORD: Final = 32  # bytes at most, besides twice its text


def new_layout(width: int, *, spaced: bool = False) -> Any:
    """Return the layout of a text whose lines have up to `width` characters, or any length if it is 0."""
    return np.frombuffer(array("q", (0, -1, width, spaced, 0, 0)), np.int64)


class Words:
    """Words of PGN, gathered to be written as one text.

    >>> words = Words()
    >>> words.add(MOVE, "e4", number=2)
    >>> words.add(COMMENT, "best")
    >>> words.add(MOVE, "e5", number=3)
    >>> words.text(79)
    '1. e4 {best} 1... e5'
    """

    def __init__(self) -> None:
        self._rows: list[int] = []
        self._texts: list[bytes] = []
        self._size = 0

    def add(self, kind: int, text: str = "", *, number: int = 0) -> None:
        """Add a word. The number of a move is twice that before it, and one more if black moves."""
        if text:
            code = text.encode("utf-8", "surrogatepass")
            self._texts.append(code)
            self._size += len(code)
        self._rows += kind, number, self._size

    def add_header(self, name: str, value: str) -> None:
        """Add a header, whose name is of ASCII characters."""
        self.add(HEADER, name + value, number=self._size + len(name))

    def text(self, width: int | None, *, spaced: bool = False) -> str:
        """Return the text, with lines of up to `width` characters, and blanks inside brackets if `spaced`."""
        if not self._rows:
            return ""
        layout = new_layout(width or 0, spaced=spaced)
        rows = np.frombuffer(array("q", self._rows), np.int64).reshape(-1, 3)  # faster than from the list
        out = bytearray(2 * self._size + _PER_WORD * len(rows))
        data = np.frombuffer(bytearray(b"".join(self._texts) or b" "), np.uint8)
        size = int(write_words(np.frombuffer(out, np.uint8), rows, data, layout))
        return out[:size].decode("utf-8", "surrogatepass")
