"""The part of `Positions` that reads and writes: FEN and EPD, NumPy, Arrow."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from rookery import arguments
from rookery.positions import arrow as interchange
from rookery.positions import text
from rookery.positions.array import PositionArray
from rookery.positions.sources import Lines, Source, batches_of, lines_of, path_of
from rookery.positions.text import BadLine
from rookery.positions.threads import check_threads
from rookery.typing import EnPassant, FenErrors

if TYPE_CHECKING:
    import pyarrow


class TextMethods(PositionArray):
    """Text and tables."""

    __slots__ = ()

    @classmethod
    def from_fens(
        cls, lines: Source, *, chess960: bool | None = None, errors: FenErrors = "raise", threads: int = 1
    ) -> Self:
        r"""The positions of lines of FEN (four to six fields) or EPD (four fields and operations).

        `lines` is an iterable of texts, an Arrow array of texts or a column of a data frame; or a text or bytes of one
        a line; or a file by its path (a `Path`, or a text of one line that names one), opened either way, or a buffer
        like a mapped file. In an iterable every text is a line, an empty one a bad line, as is None (or NaN, or null).
        Elsewhere blank lines are passed over, though counted, and ``\r\n`` ends a line as ``\n`` does. Counters may
        be missing (0 and 1 then); those of an EPD are its operations ``hmvc`` and ``fmvn``, of the others only the form
        is looked at. Chess960 is recognised as by `Board`, unless `chess960` says which it is.

        Only the text is checked, as by `Board.unchecked`: impossible positions are taken, see `is_valid`. A line that
        cannot be read is a ValueError that gives its number (from 1), the reason, and its text; with
        ``errors="skip"`` it is left out, with ``errors="mark"`` an empty board stands in its place, see `marked`.
        `bad_lines` tells which they were. A missing file is a FileNotFoundError, an element that is neither text nor
        None a TypeError.

        >>> positions = Positions.from_fens(b"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n4k3/8/8/8 w - -\n", errors="skip")
        >>> len(positions), [str(bad) for bad in positions.bad_lines]
        (1, ["line 2: FEN field 1 (pieces): '4k3/8/8/8' has 4 ranks, expected 8, in '4k3/8/8/8 w - -'"])
        """
        text.check_reading(chess960, errors)
        return cls._read(lines_of(lines), chess960, errors, check_threads(threads), 0)

    @classmethod
    def _read(cls, lines: Lines, chess960: bool | None, errors: FenErrors, threads: int, before: int) -> Self:
        columns, bad_lines = text.read(lines, chess960, errors, threads, before)
        positions = cls(columns)
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
        r"""The positions of a source of any size, in batches of at most `batch_size` lines: an iterator of `Positions`.

        Everything is as in `from_fens`, but that only the lines of a batch are kept in memory. Numbers of `bad_lines`
        and of errors go on over the batches: they are those of the whole source. A batch has fewer positions where
        lines are blank or left out, and without either positions or bad lines there is none. A line of more than a
        mebibyte in a file is a ValueError whatever `errors` says.

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
            path.stat()  # a missing file is told now, not when the first batch is asked for
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
        """The same without the counters, as `Board.epd`.

        >>> Positions.from_boards([Board()]).to_epds()
        ['rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=False)

    def to_numpy(self) -> dict[str, NDArray[np.uint64]]:
        """The nine columns by name, not copied; see `rookery.positions.layout` for what they hold.

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
        return cls(interchange.from_arrays(arrays, checked=arguments.flag("check", check)))

    def to_arrow(self) -> "pyarrow.Table":
        """A `pyarrow.Table` of the nine columns, not copied. Needs pyarrow: ``pip install 'rookery[arrow]'``.

        Data frame libraries that read Arrow take positions as they are, too: ``polars.DataFrame(positions)``,
        ``pyarrow.table(positions)``, and ``positions`` as the name of a table in DuckDB's SQL.

        >>> Positions.from_boards([Board()]).to_arrow().num_rows
        1
        """
        return interchange.to_arrow(self.columns)

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        """The nine columns as a stream of Arrow's C interface, for other libraries to read."""
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __arrow_c_schema__(self) -> Any:
        """Their names and types."""
        return self.to_arrow().schema.__arrow_c_schema__()

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        """The positions of an Arrow table, a record batch, or of a data frame that hands itself out as one, with the
        columns of `to_arrow` among others. Checked as by `from_numpy`.

        A column in one piece is not copied: do not write to such positions, Arrow's memory never changes.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_arrow(positions.to_arrow()) == positions
        True
        """
        return cls(interchange.from_arrow(table, checked=arguments.flag("check", check)))
