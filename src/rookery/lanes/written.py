"""The part of `Positions` that reads and writes: FEN and EPD, NumPy, Arrow."""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from rookery.lanes import interchange, text
from rookery.lanes.array import PositionArray
from rookery.lanes.text import BadLine, Errors
from rookery.rules.fen_writer import EnPassant


class Written(PositionArray):
    """Text and tables."""

    __slots__ = ()

    @classmethod
    def from_fens(cls, lines: Any, *, chess960: bool | None = None, errors: Errors = "raise") -> Self:
        r"""The positions of lines of FEN (four to six fields) or EPD (four fields and operations).

        `lines` is an iterable of texts; or a text or bytes of one a line; or a file opened either way, or a buffer
        like a mapped file. In an iterable every text is a line, an empty one a bad line. Elsewhere blank lines are
        passed over, though counted, and ``\r\n`` ends a line as ``\n`` does. Counters may be missing (0 and 1 then);
        those of an EPD are its operations ``hmvc`` and ``fmvn``, of the others only the form is looked at. Chess960 is
        recognised as by `Board`, unless `chess960` says which it is.

        Only the text is checked, as by `Board.unchecked`: impossible positions are taken. A line that cannot be read
        is a ValueError that gives its number (from 1), the reason, and its text; with ``errors="skip"`` it is left
        out, with ``errors="mark"`` an empty board stands in its place, see `marked`. `bad_lines` tells which they were.

        >>> positions = Positions.from_fens(b"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n4k3/8/8/8 w - -\n", errors="skip")
        >>> len(positions), [str(bad) for bad in positions.bad_lines]
        (1, ["line 2: FEN field 1 (pieces): '4k3/8/8/8' has 4 ranks, expected 8, in '4k3/8/8/8 w - -'"])
        """
        columns, bad_lines = text.read(lines, chess960, errors)
        positions = cls(columns)
        positions._bad_lines = bad_lines
        return positions

    @property
    def bad_lines(self) -> tuple[BadLine, ...]:
        """What `from_fens` left out or marked, in order, each with its ``line`` (from 1), ``text`` and ``reason``.
        Slices, copies and pickles do not keep them.
        """
        return getattr(self, "_bad_lines", ())

    def to_fens(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The FEN of each, as `Board.fen` writes it with the same arguments; an empty text where none is (`marked`).

        >>> Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -"]).to_fens()
        ['8/8/8/8/8/4k3/4p3/4K3 w - - 0 1']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=True)

    def to_epds(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The same without the counters, as `Board.epd`."""
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=False)

    def to_numpy(self) -> dict[str, NDArray[np.uint64]]:
        """The nine columns by name, not copied; see `rookery.lanes.columns` for what they hold.

        ``np.savez(path, **positions.to_numpy())`` keeps them, ``Positions.from_numpy(np.load(path))`` reads them again.

        >>> hex(Positions.from_boards([Board()]).to_numpy()["white"][0])
        '0xffff'
        """
        return self.columns._asdict()

    @classmethod
    def from_numpy(cls, arrays: Mapping[str, Any], *, check: bool = True) -> Self:
        """The positions of arrays named as by `to_numpy`; other names are not looked at.

        Each is one-dimensional, of uint64, and all are equally long. Those that are contiguous and aligned are not
        copied, be they read-only or not. A position that no FEN could give is a ValueError that names its column and
        index: pieces on one square, castling without rook or king, an en-passant square on a wrong rank. With
        ``check=False`` that is not looked for, and what is asked of such positions has no meaning.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_numpy(positions.to_numpy()) == positions
        True
        """
        return cls(interchange.from_arrays(arrays, checked=check))

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the nine columns, not copied. Needs pyarrow: ``pip install 'rookery[arrow]'``.

        >>> Positions.from_boards([Board()]).to_arrow().num_rows
        1
        """
        return interchange.to_arrow(self.columns)

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        """The positions of an Arrow table, a record batch, or of a data frame that hands itself out as one, with the
        columns of `to_arrow` among others. Checked as by `from_numpy`.

        A column in one piece is not copied: do not write to such positions, Arrow's memory never changes.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_arrow(positions.to_arrow()) == positions
        True
        """
        return cls(interchange.from_arrow(table, checked=check))
