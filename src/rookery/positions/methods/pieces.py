"""The methods of `Positions` about pieces: where they are, what they are worth, what they attack, and forks."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import AnyPiece, Side
from rookery.arguments import is_number, shown
from rookery.bitboards.pieces import read_piece_type
from rookery.bitboards.squares import SQUARE_NAMES, parse_square
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64
from rookery.lazy_imports import modules_later
from rookery.positions import threads as run
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.operands import side_of, words_of

if TYPE_CHECKING:
    from rookery.positions.queries import pieces as query
    from rookery.positions.queries import questions
else:
    questions, query = modules_later("rookery.positions.queries", "questions pieces")


_MOST: Final = 1_000_000  # the greatest value of a piece: 64 of them fit 32 bits


class PieceMethods(PositionArray):
    """Queries about pieces; most fill `out`, or return a new array."""

    __slots__ = ()

    def pieces(
        self, piece: AnyPiece | None = None, side: Side = "us", *, out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """Return the pieces of a side, of one kind or of all: uint64 boards, (n,).

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board()])
        >>> Bitboard(positions.pieces("bishop", "black")[0]).names()
        ['c8', 'f8']
        >>> np.bitwise_count(positions.pieces()).tolist()
        [16]
        """
        kind = questions.Every() if piece is None else questions.PIECES[read_piece_type(piece, "piece")]
        boards: Boards = self._output(out, (len(self),), np.uint64)
        run.over(query.of_side, threads, len(self), kind, self.columns, side_of(side), boards)
        return boards

    def king_square(
        self, side: Side = "us", *, out: NDArray[np.uint8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return the square of a side's king: uint8, (n,), a1 = 0.

        It is the lowest if there are several, and 64 if there is none.

        >>> Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 b - - 0 1")]).king_square().tolist()
        [4, 20]
        """
        squares: NDArray[np.uint8] = self._output(out, (len(self),), np.uint8)
        run.over(query.king_squares, threads, len(self), self.columns, side_of(side), squares)
        return squares

    def material(
        self,
        side: Side = "us",
        values: Sequence[int] = (1, 3, 3, 5, 9),
        *,
        out: NDArray[np.int32] | None = None,
        threads: int = 1,
    ) -> NDArray[np.int32]:
        """Return the sum of the values of a side's pieces: int32, (n,).

        `values` are those of a pawn, a knight, a bishop, a rook and a queen, from -1,000,000 to 1,000,000.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 1")])
        >>> positions.material().tolist()
        [11]
        >>> (positions.material() - positions.material("them")).tolist()
        [11]
        >>> positions.material(values=(100, 320, 330, 500, 900)).tolist()
        [1100]
        """
        sums: NDArray[np.int32] = self._output(out, (len(self),), np.int32)
        run.over(query.material, threads, len(self), _values(values), self.columns, side_of(side), sums)
        return sums

    def signature(self, *, threads: int = 1) -> NDArray[np.str_]:
        """Return the pieces of both sides as text: white's, a ``v`` and black's, each from king to pawns; (n,).

        >>> Positions.from_boards([Board("4k3/8/8/8/8/4r3/4P3/R3K3 w Q - 0 1"), Board()]).signature().tolist()
        ['KRPvKR', 'KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPPP']
        """
        pieces = np.bitwise_count(self.pieces(side="white")) + np.bitwise_count(self.pieces(side="black"))
        width = 1 + int(pieces.max(initial=0))
        letters = np.empty((len(self), width), np.uint32)
        run.over(query.signatures, threads, len(self), self.columns, letters)
        return letters.view(f"U{width}").reshape(len(self))

    def attacks_from(
        self, squares: Any, piece: AnyPiece, side: Side = "us", *, out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """Return the squares that a piece would attack from a square: uint64 boards, (n,).

        `squares` is a square for all positions, as an int or a name, or an array with a square for each position.
        The square 64, which `king_square` returns for a missing king, gives an empty board. Pieces block sliders. The
        side matters only for pawns.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")])
        >>> Bitboard(positions.attacks_from("e4", "knight")[0]).names()
        ['d2', 'f2', 'c3', 'g3', 'c5', 'g5', 'd6', 'f6']
        >>> Bitboard(positions.attacks_from(positions.king_square("them"), "rook")[0] & positions.pieces()[0]).names()
        ['e1']
        """
        kind = questions.PIECES[read_piece_type(piece, "piece")]
        where = self._squares(squares)
        boards: Boards = self._output(out, (len(self),), np.uint64)
        run.over(query.attacks_from, threads, len(self), kind, self.columns, where, side_of(side), boards)
        return boards

    def forks(
        self,
        piece: AnyPiece,
        targets: str | Iterable[AnyPiece],
        side: Side = "us",
        *,
        out: Boards | None = None,
        threads: int = 1,
    ) -> Boards:
        """Return the pieces of a kind and side that attack all `targets` at once: uint64 boards, (n,).

        `targets` are kinds of the other side's pieces, in any form that functions accept; letters may be one text. A
        kind that occurs twice must be attacked twice. Pinned pieces attack, too.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> fens = ["q3k3/2N5/8/8/8/8/8/4K3 b - - 0 1", "r3k2r/2N5/8/8/8/8/8/4K3 b - - 0 1"]
        >>> positions = Positions.from_fens(fens)
        >>> [Bitboard(board).names() for board in positions.forks("knight", "kr", "them")]
        [[], ['c7']]
        """
        kind = questions.PIECES[read_piece_type(piece, "piece")]
        if isinstance(targets, (bytes, bytearray)) or not isinstance(targets, Iterable):
            raise TypeError(f"targets: {shown(targets)}: expected kinds of pieces, like 'kq' or ['king', 'queen']")
        wanted = [0] * 6
        for target in targets:
            wanted[read_piece_type(target, "targets") - 1] += 1
        boards: Boards = self._output(out, (len(self),), np.uint64)
        numbers = query.PerKind(*map(U64, wanted))
        run.over(query.forks, threads, len(self), kind, numbers, self.columns, side_of(side), boards)
        return boards

    def _squares(self, squares: Any) -> NDArray[np.uint8]:
        """Return a square for each position."""
        n = len(self)
        if isinstance(squares, str):
            if squares not in SQUARE_NAMES:
                raise ValueError(f"squares: {shown(squares)}: expected a square like 'e4'")
            return np.full(n, parse_square(squares), np.uint8)
        if is_number(squares):
            if not 0 <= squares <= 64:
                raise ValueError(f"squares: {shown(squares)}: expected 0 to 64")
            return np.full(n, int(squares), np.uint8)
        array = words_of("squares", squares, (n,), np.uint8)
        if array.max(initial=0) > 64:
            i = int(np.argmax(array > 64))
            raise ValueError(f"squares[{i}]: {array[i]}: expected 0 to 64")
        return array


def _values(values: Any) -> "query.PerKind":
    """Return the values of a pawn, a knight, a bishop, a rook, a queen and, as 0, a king."""
    expected = "five ints: the values of a pawn, a knight, a bishop, a rook and a queen"
    try:
        numbers = list(values)
    except TypeError:
        raise TypeError(f"values: {shown(values)}: expected {expected}") from None
    if len(numbers) != 5 or not all(map(is_number, numbers)):
        raise (ValueError if len(numbers) != 5 else TypeError)(f"values: {shown(values)}: expected {expected}")
    for i, value in enumerate(numbers):
        if abs(value) > _MOST:
            raise ValueError(f"values[{i}]: {shown(value)}: expected -{_MOST:,} to {_MOST:,}")
    return query.PerKind(*(U64(int(value) % (1 << 64)) for value in (*numbers, 0)))
