"""The methods of `Positions` that read and write: FEN and EPD, NumPy, Arrow."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rookery import arguments
from rookery.aliases import EnPassant, FenErrors
from rookery.arguments import check_threads
from rookery.lazy_imports import modules_later
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.notation.sources import Lines, Source, batches_of, lines_of, path_of

if TYPE_CHECKING:
    from rookery.positions.notation import arrow as interchange
    from rookery.positions.notation import text
else:
    (interchange,) = modules_later("rookery.positions.notation", "arrow")
    (text,) = modules_later("rookery.positions.notation", "text")


class TextMethods(PositionArray):
    """Text and tables."""

    __slots__ = ()

    @classmethod
    def from_fens(
        cls, lines: Source, *, chess960: bool | None = None, errors: FenErrors = "raise", threads: int = 1
    ) -> Self:
        r"""Read positions from lines of FEN (four to six fields) or EPD (four fields and operations).

        `lines` is one of: an iterable of texts, an Arrow array of texts or a column of a data frame; a text, or its
        bytes, with one position a line; a file by its path (a `Path`, or a text of one line that names a file), or
        opened in text or binary mode; a buffer, like a mapped file. In an iterable every element is a line, and an
        empty text, None, NaN and null are bad lines. In other sources blank lines are counted but skipped, and ``\r\n``
        ends a line as ``\n`` does.

        Counters may be missing (0 and 1 then). Those of an EPD are its operations ``hmvc`` and ``fmvn``; of other
        operations only the form is checked. Chess960 is recognised as by `Board`, unless `chess960` is True or False.

        Only the text is checked, as by `Board.unchecked`: impossible positions are accepted, see `is_valid`. A line
        that cannot be read raises ValueError, which gives its number (from 1), the reason and its text. With
        ``errors="skip"`` such a line is left out. With ``errors="mark"`` it is a missing position (`marked`), about
        which all answers are missing values: masked numbers, NaN, and None for a text or a board.
        `bad_lines` lists these lines. A missing file raises FileNotFoundError, an element that is neither text nor
        missing TypeError.

        >>> positions = Positions.from_fens(b"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n4k3/8/8/8 w - -\n", errors="skip")
        >>> len(positions)
        1
        >>> [str(bad) for bad in positions.bad_lines]
        ["line 2: FEN field 1 (pieces): '4k3/8/8/8' has 4 ranks, expected 8, in '4k3/8/8/8 w - -'"]
        """
        text.check_reading(chess960, errors)
        return cls._read(lines_of(lines), chess960, errors, check_threads(threads), 0)

    @classmethod
    def _read(cls, lines: Lines, chess960: bool | None, errors: FenErrors, threads: int, before: int) -> Self:
        columns, bad_lines = text.read(lines, chess960, errors, threads, before)
        positions = cls._with_marks(columns) if bad_lines and errors == "mark" else cls(columns)
        positions._bad_lines = bad_lines
        return positions

    @classmethod
    def scan_fens(
        cls,
        lines: Source,
        *,
        batch_size: int = 65_536,
        chess960: bool | None = None,
        errors: FenErrors = "raise",
        threads: int = 1,
    ) -> Iterator[Self]:
        r"""Yield the positions of a source of any size, in batches of at most `batch_size` lines.

        This reads lines as `from_fens` does, but keeps only those of one batch in memory. The line numbers in
        `bad_lines` and in errors refer to the whole source. A batch has fewer positions if lines are blank or left out;
        batches with neither positions nor bad lines are skipped. A line of more than a mebibyte in a file raises
        ValueError, whatever `errors` is.

        >>> import io
        >>> file = io.StringIO("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n\nbad\n4k3/8/8/8/8/8/8/4K3 w - -\n")
        >>> for batch in Positions.scan_fens(file, batch_size=2, errors="skip"):
        ...     print(batch.legal_move_counts(), [bad.line for bad in batch.bad_lines])
        [0] []
        [5] [3]
        """
        text.check_reading(chess960, errors)
        check_threads(threads)
        batch_size = arguments.count("batch_size", batch_size, 1)
        path = path_of(lines)
        if path is not None:
            path.stat()  # a missing file raises here, not when the first batch is requested
        return cls._scan(lines, batch_size, chess960, errors, threads)

    @classmethod
    def _scan(
        cls, source: Source, batch_size: int, chess960: bool | None, errors: FenErrors, threads: int
    ) -> Iterator[Self]:
        before = 0
        for lines in batches_of(source, batch_size):
            batch = cls._read(lines, chess960, errors, threads, before)
            before += lines.number
            if len(batch) or batch.bad_lines:
                yield batch

    @property
    def bad_lines(self) -> "tuple[text.BadLine, ...]":
        """Return the lines that `from_fens` left out or marked, in order.

        Each has its ``line`` (from 1), ``text`` and ``reason``. Slices, copies and pickles do not keep them.
        """
        return getattr(self, "_bad_lines", ())

    def to_fens(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """Return the FEN of each position, as `Board.fen` writes it.

        >>> Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -"]).to_fens()
        ['8/8/8/8/8/4k3/4p3/4K3 w - - 0 1']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=True)

    def to_epds(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """Return the first four FEN fields of each position, as `Board.epd` writes them.

        >>> Positions.from_boards([Board()]).to_epds()
        ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=False)

    def to_numpy(self) -> dict[str, NDArray[np.uint64]]:
        """Return the nine columns by name, without copying; `rookery.positions.layout` describes them.

        A missing position is an empty board, with a bit in the column ``state``.

        ``np.savez(path, **positions.to_numpy())`` saves them, and ``Positions.from_numpy(np.load(path))`` loads them.

        >>> hex(Positions.from_boards([Board()]).to_numpy()["white"][0])
        '0xffff'
        """
        return self.columns._asdict()

    @classmethod
    def from_numpy(cls, arrays: Mapping[str, Any], *, check: bool = True) -> Self:
        """Return the positions in arrays that are named as by `to_numpy`; other names are ignored.

        Each array is one-dimensional, of uint64, and all have the same length. Contiguous, aligned arrays are not
        copied, even if read-only. A position that no FEN describes raises ValueError, which names its column and index:
        pieces on one square, castling rights without rook or king, an en-passant square on a wrong rank. With
        ``check=False`` this is not checked, for trusted arrays: compiled code relies on it.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_numpy(positions.to_numpy()) == positions
        True
        """
        return cls._with_marks(interchange.from_arrays(arrays, checked=arguments.flag("check", check)))

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        """Return the positions in an Arrow table, a record batch or a data frame that exports one.

        It has the columns of `to_arrow`, among others; they are checked as by `from_numpy`. A column in one chunk is
        not copied. Do not write to such positions: Arrow's memory is immutable.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_arrow(positions.to_arrow()) == positions
        True
        """
        return cls._with_marks(interchange.from_arrow(table, checked=arguments.flag("check", check)))
