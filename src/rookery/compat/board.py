"""Boards as python-chess has them: any position can be set up, and most attributes can be assigned.

`Board` is a `rookery.Board`, and all rules are those of `rookery.Board`. It only checks less, and has more names.
"""

import enum
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Self

import rookery.board.board
from rookery.arguments import board_number, flag, shown
from rookery.bitboards import bits
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.pieces import KING, PAWN, Piece
from rookery.bitboards.square_set import SquareSet
from rookery.bitboards.squares import FILE_NAMES, SQUARE_NAMES, AnyBoard, check_square, square_mirror
from rookery.board import placing, queries, rows
from rookery.board.kernels.compiled import compiled
from rookery.board.listing import pseudo_legal_word
from rookery.board.moves import IllegalMoveError, Move, as_move
from rookery.board.playing import legal_word
from rookery.compat import bitboards
from rookery.rules import faults
from rookery.rules.notation import start
from rookery.rules.notation.fen import parse_fen
from rookery.rules.notation.start import START

STARTING_BOARD_FEN: Final = START.split()[0]

# The fields that a FEN may leave out.
_DEFAULTS: Final = ("8/8/8/8/8/8/8/8", "w", "-", "-", "0", "1")
_CASTLING_SIGNS: Final = f"KQkq{FILE_NAMES}{FILE_NAMES.upper()}"


class Status(enum.IntFlag):
    """The faults of a position, as `Board.status` combines them.

    >>> import rookery.compat as chess
    >>> chess.Board("8/8/8/8/8/8/8/4K3 w - - 0 1").status()
    <Status.NO_BLACK_KING: 2>
    """

    VALID = 0
    NO_WHITE_KING = 1 << 0
    NO_BLACK_KING = 1 << 1
    TOO_MANY_KINGS = 1 << 2
    TOO_MANY_WHITE_PAWNS = 1 << 3
    TOO_MANY_BLACK_PAWNS = 1 << 4
    PAWNS_ON_BACKRANK = 1 << 5
    TOO_MANY_WHITE_PIECES = 1 << 6
    TOO_MANY_BLACK_PIECES = 1 << 7
    BAD_CASTLING_RIGHTS = 1 << 8
    INVALID_EP_SQUARE = 1 << 9
    OPPOSITE_CHECK = 1 << 10
    EMPTY = 1 << 11
    RACE_CHECK = 1 << 12
    RACE_OVER = 1 << 13
    RACE_MATERIAL = 1 << 14
    TOO_MANY_CHECKERS = 1 << 15
    IMPOSSIBLE_CHECK = 1 << 16


# Faults that are one flag each. Kings are counted; more promoted pieces than missing pawns are no fault there.
_FLAGS: Final = {
    faults.WHITE_PIECES: Status.TOO_MANY_WHITE_PIECES,
    faults.BLACK_PIECES: Status.TOO_MANY_BLACK_PIECES,
    faults.WHITE_PAWNS: Status.TOO_MANY_WHITE_PAWNS,
    faults.BLACK_PAWNS: Status.TOO_MANY_BLACK_PAWNS,
    faults.PAWNS_ON_BACK_RANK: Status.PAWNS_ON_BACKRANK,
    faults.ADJACENT_KINGS: Status.OPPOSITE_CHECK,
    faults.OPPOSITE_CHECK: Status.OPPOSITE_CHECK,
    faults.EN_PASSANT_PAWN: Status.INVALID_EP_SQUARE,
    faults.EN_PASSANT_WAY: Status.INVALID_EP_SQUARE,
    faults.TOO_MANY_CHECKERS: Status.TOO_MANY_CHECKERS | Status.IMPOSSIBLE_CHECK,
    faults.IMPOSSIBLE_CHECK: Status.IMPOSSIBLE_CHECK,
    faults.IMPOSSIBLE_JUMP: Status.IMPOSSIBLE_CHECK,
}


class BaseBoard(rookery.board.board.Board):
    """The pieces of a board, given as the first field of a FEN; None for an empty board.

    >>> import rookery.compat as chess
    >>> board = chess.BaseBoard("4k3/8/8/8/8/8/8/4K3")
    >>> board.remove_piece_at(4)
    'K'
    >>> board.board_fen()
    '4k3/8/8/8/8/8/8/8'
    """

    __slots__ = ()

    def __init__(self, board_fen: str | None = STARTING_BOARD_FEN) -> None:
        self.chess960 = False
        self.clear()
        if board_fen is not None:
            self.set_board_fen(board_fen)

    @classmethod
    def empty(cls, *, chess960: bool = False) -> Self:
        """Return a board without pieces.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard.empty().board_fen()
        '8/8/8/8/8/8/8/8'
        """
        board = cls(None)
        board.chess960 = flag("chess960", chess960)
        return board

    @classmethod
    def from_chess960_pos(cls, scharnagl: int) -> Self:
        """Return a start position of Chess960, a number from 0 to 959.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard.from_chess960_pos(518) == chess.BaseBoard()
        True
        """
        board = cls(None)
        board.set_fen(start.fen_of(scharnagl), chess960=True)
        return board

    def __eq__(self, other: object) -> bool:
        """Check whether the same pieces are on the same squares."""
        return self.placement == other.placement if isinstance(other, BaseBoard) else NotImplemented

    __hash__ = None  # boards are mutable

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.board_fen()!r})"

    # Editing.

    def reset_board(self) -> None:
        """Set up the pieces of the start position.

        >>> import rookery.compat as chess
        >>> board = chess.BaseBoard.empty()
        >>> board.reset_board()
        >>> board == chess.BaseBoard()
        True
        """
        self.set_board_fen(STARTING_BOARD_FEN)

    def clear_board(self) -> None:
        """Remove all pieces.

        >>> import rookery.compat as chess
        >>> board = chess.BaseBoard()
        >>> board.clear_board()
        >>> board == chess.BaseBoard.empty()
        True
        """
        self.set_piece_map({})

    def set_piece_at(self, square: int, piece: str | None, promoted: bool = False) -> None:
        """Put a piece on a square, or with None remove the piece there. No piece remembers that it was promoted.

        >>> import rookery.compat as chess
        >>> board = chess.BaseBoard.empty()
        >>> board.set_piece_at(27, chess.Piece.from_symbol("Q"))
        >>> board.board_fen()
        '8/8/8/8/3Q4/8/8/8'
        """
        if flag("promoted", promoted):
            raise ValueError("promoted: True: expected False: no piece remembers that it was a pawn")
        super().set_piece_at(square, piece)

    # Transformations.

    def apply_transform(self, f: Callable[[Bitboard], int]) -> None:
        """Replace each bitboard by what a function such as `flip_vertical` makes of it.

        >>> import rookery.compat as chess
        >>> board = chess.BaseBoard("4k3/8/8/8/8/8/8/R3K3")
        >>> board.apply_transform(chess.flip_vertical)
        >>> board.board_fen()
        'R3K3/8/8/8/8/8/8/4k3'
        """
        if not callable(f):
            raise TypeError(f"f: {shown(f)}: expected a function of a board, such as flip_vertical")
        words = rows.unpack(self._row)
        changed = [board_number("f", f(board_of(word))) for word in words[: rows.TURN]]
        self._row = rows.row_of([*changed, words[rows.TURN]], words[rows.CLOCK], words[rows.NUMBER])
        self._history = []

    def apply_mirror(self) -> None:
        """Swap the colours, and mirror the board vertically.

        >>> import rookery.compat as chess
        >>> board = chess.BaseBoard("4k3/8/8/8/8/8/8/R3K3")
        >>> board.apply_mirror()
        >>> board.board_fen()
        'r3k3/8/8/8/8/8/8/4K3'
        """
        mirrored = super().mirror()
        self._row = mirrored._row
        self._history = []

    def transform(self, f: Callable[[Bitboard], int]) -> Self:
        """Return a transformed copy without history. See `apply_transform`.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard("4k3/8/8/8/8/8/8/R3K3").transform(chess.flip_horizontal).board_fen()
        '3k4/8/8/8/8/8/8/3K3R'
        """
        board = self.copy(stack=False)
        board.apply_transform(f)
        return board

    def mirror(self) -> Self:
        """Return a mirrored copy without history. See `apply_mirror`.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard("4k3/8/8/8/8/8/8/R3K3").mirror().board_fen()
        'r3k3/8/8/8/8/8/8/4K3'
        """
        board = self.copy(stack=False)
        board.apply_mirror()
        return board

    # Sets of squares, as a SquareSet that can be changed and, by names that end in `_mask`, as a number.

    @property
    def occupied_co(self) -> tuple[Bitboard, Bitboard]:
        """Return the black pieces and the white pieces: ``board.occupied_co[WHITE]``."""
        white, black = placing.sides(self)
        return board_of(black), board_of(white)

    def pieces_mask(self, piece_type: int | str, color: Colour) -> Bitboard:
        """Return the pieces of a type and a colour.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().pieces_mask(1, True)
        Bitboard(0x000000000000ff00)
        """
        return super().pieces(piece_type, color)

    def pieces(self, piece_type: int | str, color: Colour) -> SquareSet:  # type: ignore[override]  # see above
        """Return the pieces of a type and a colour.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().pieces(2, True).names()
        ['b1', 'g1']
        """
        return SquareSet._of(super().pieces(piece_type, color))

    def attacks_mask(self, square: int) -> Bitboard:
        """Return the squares that the piece on a square attacks.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().attacks_mask(1).names()
        ['d2', 'a3', 'c3']
        """
        return queries.attacks(self, square)

    def attacks(self, square: int) -> SquareSet:  # type: ignore[override]
        """Return the squares that the piece on a square attacks.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().attacks(1).names()
        ['d2', 'a3', 'c3']
        """
        return SquareSet._of(queries.attacks(self, square))

    def attackers_mask(self, color: Colour, square: int, occupied: AnyBoard | None = None) -> Bitboard:
        """Return the pieces of a colour that attack a square.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().attackers_mask(True, 18).names()
        ['b1', 'b2', 'd2']
        """
        return queries.attackers(self, color, square, occupied)

    def attackers(self, color: Colour, square: int, occupied: AnyBoard | None = None) -> SquareSet:  # type: ignore[override]
        """Return the pieces of a colour that attack a square.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().attackers(True, 18).names()
        ['b1', 'b2', 'd2']
        """
        return SquareSet._of(queries.attackers(self, color, square, occupied))

    def is_attacked_by(self, color: Colour, square: int, occupied: AnyBoard | None = None) -> bool:
        """Check whether a piece of a colour attacks a square.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard().is_attacked_by(True, 18)
        True
        """
        return queries.is_attacked_by(self, color, square, occupied)

    def pin_mask(self, color: Colour, square: int) -> Bitboard:
        """Return the line of an absolute pin of a square to the king, or all squares if there is none.

        The square may be empty, or hold a piece of the other colour: it is judged as if a piece of `color` stood there.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard("4k3/8/8/8/4r3/8/4N3/4K3").pin_mask(True, 12).names()
        ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
        """
        square, color = check_square(square), read_colour(color, "color")
        board: BaseBoard = self
        if self.color_at(square) != color:
            board = self.copy(stack=False)
            placing.set_piece_at(board, square, Piece(PAWN, color))
        return queries.pin(board, color, square)

    def pin(self, color: Colour, square: int) -> SquareSet:  # type: ignore[override]
        """Return the line of an absolute pin of a square to the king, or all squares if there is none. See `pin_mask`.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard("4k3/8/8/8/4r3/8/4N3/4K3").pin(True, 12).names()
        ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8']
        """
        return SquareSet._of(self.pin_mask(color, square))

    def is_pinned(self, color: Colour, square: int) -> bool:
        """Check whether a square is pinned to the king of a colour. See `pin_mask`.

        >>> import rookery.compat as chess
        >>> chess.BaseBoard("4k3/8/8/8/4r3/8/4N3/4K3").is_pinned(True, 12)
        True
        """
        return self.pin_mask(color, square) != Bitboard.UNIVERSE

    # Pictures.

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        from rookery.bitboards.pictures import board_svg

        return board_svg(self.piece_map(), title="Chess pieces")


class Board(BaseBoard):
    """A board that takes any position, and whose `turn`, `castling_rights` and `ep_square` can be assigned.

    Attributes such as `occupied` and `pawns` are read-only: use `set_piece_at` and `set_piece_map`. `push` makes
    pseudo-legal moves as well as legal ones, and refuses all others.

    >>> import rookery.compat as chess
    >>> board = chess.Board("4k3/8/8/8/8/8/8/4K2R w - - 0 1")
    >>> board.castling_rights |= 1 << 7
    >>> board.turn = False
    >>> board.fen()
    '4k3/8/8/8/8/8/8/4K2R b K - 0 1'
    """

    __slots__ = ("_named",)

    # Castling rights that were asked for, by the number of moves made, where they are not those that the pieces allow.
    _named: dict[int, int]

    aliases: ClassVar[list[str]] = ["Standard", "Chess", "Classical", "Normal", "Illegal", "From Position"]
    uci_variant: ClassVar[str] = "chess"
    xboard_variant: ClassVar[str] = "normal"
    captures_compulsory: ClassVar[bool] = False
    connected_kings: ClassVar[bool] = False
    one_king: ClassVar[bool] = True

    def __init__(self, fen: str | None = START, chess960: bool | None = False, strict: bool = False) -> None:
        self.chess960 = False if chess960 is None else flag("chess960", chess960)
        if fen is None:
            self.clear()
        else:
            self.set_fen(fen, strict=strict)

    __eq__ = rookery.board.board.Board.__eq__
    __hash__ = None  # boards are mutable
    __repr__ = rookery.board.board.Board.__repr__
    _repr_svg_ = rookery.board.board.Board._repr_svg_

    @classmethod
    def from_rookery(cls, board: rookery.board.board.Board) -> Self:
        """Return a copy of a `rookery.Board` with its history.

        >>> import rookery.compat as chess
        >>> import rookery
        >>> chess.Board.from_rookery(rookery.Board()) == chess.Board()
        True
        """
        if not isinstance(board, rookery.board.board.Board):
            raise TypeError(f"board: {shown(board)}: expected a rookery.Board")
        other = cls(None, board.chess960)
        other._row, other._history = board._row, board._history.copy()
        return other

    # Setting up.

    def set_fen(self, fen: str, chess960: bool | None = None, *, strict: bool = False) -> None:
        """Set up the position of a FEN, even an impossible one, and clear the history. `status` returns its faults.

        Fields after the first may be missing. Castling rights that the pieces rule out are kept in `castling_rights`
        and count for nothing. With `strict`, a position that no game can reach raises a ValueError.

        >>> import rookery.compat as chess
        >>> board = chess.Board()
        >>> board.set_fen("8/8/8/8/8/8/8/4K2R w KQ")
        >>> board.castling_rights.names()
        ['a1', 'h1']
        >>> board.clean_castling_rights().names()
        ['h1']
        """
        if chess960 is None:
            chess960 = self.chess960
        if flag("strict", strict):
            super().set_fen(fen, chess960, strict=strict)
            return
        fields = fen.split() if isinstance(fen, str) else []
        if 0 < len(fields) < len(_DEFAULTS):
            fields += _DEFAULTS[len(fields) :]
            fen = " ".join(fields)
        rights = ""
        if len(fields) == len(_DEFAULTS) and not fields[2].strip(_CASTLING_SIGNS):
            rights, fields[2] = fields[2], "-"
            fen = " ".join(fields)
        self._take(rows.row_of_parsed(parse_fen(fen, drop=True)), flag("chess960", chess960))
        self.castling_rights = Bitboard.from_squares(map(self._rook_of, rights))

    def _rook_of(self, sign: str) -> int:
        """Return the square that a sign of a castling field names, whether or not a rook stands there.

        ``K`` and ``Q`` name the outermost rook on their side of the king or, if there is none, the corner.
        """
        white = sign.isupper()
        rank = bitboards.BB_RANK_1 if white else bitboards.BB_RANK_8
        if sign not in "KQkq":
            return bitboards.lsb(rank & bitboards.BB_FILES[FILE_NAMES.index(sign.lower())])
        king, rooks = self.king(white), self.rooks & self.occupied_co[white] & rank
        if sign in "Kk":
            return bitboards.msb(rooks) if king is not None and bitboards.msb(rooks) > king else bitboards.msb(rank)
        return bitboards.lsb(rooks) if king is not None and 0 <= bitboards.lsb(rooks) < king else bitboards.lsb(rank)

    def _take(self, row: bytes, chess960: bool) -> None:
        super()._take(row, chess960)
        self._named = {}

    def clear(self) -> None:
        """Remove all pieces, rights and moves. White is to move.

        >>> import rookery.compat as chess
        >>> board = chess.Board()
        >>> board.clear()
        >>> board.fen()
        '8/8/8/8/8/8/8/8 w - - 0 1'
        """
        self._named = {}
        super().clear()

    def set_piece_at(self, square: int, piece: str | None, promoted: bool = False) -> None:
        """Put a piece on a square, or with None remove the piece there. Clear the history.

        Castling rights and the en-passant square stay, even if they become impossible.

        >>> import rookery.compat as chess
        >>> board = chess.Board()
        >>> board.set_piece_at(7, None)
        >>> board.status()
        <Status.BAD_CASTLING_RIGHTS: 256>
        """
        rights, target = self.castling_rights, self.ep_square
        super().set_piece_at(square, piece, promoted)
        self._keep_rights(rights, target)

    def set_piece_map(self, pieces: Mapping[int, str]) -> None:
        """Set up these pieces, by square, and no others. See `set_piece_at`.

        >>> import rookery.compat as chess
        >>> board = chess.Board()
        >>> board.set_piece_map({4: "K", 60: "k", 0: "R"})
        >>> board.fen()
        '4k3/8/8/8/8/8/8/R3K3 w Q - 0 1'
        """
        rights, target = self.castling_rights, self.ep_square
        super().set_piece_map(pieces)
        self._keep_rights(rights, target)

    def _keep_rights(self, rights: int, target: int | None) -> None:
        """Set the castling rights and the en-passant square again that an edit has dropped, and no history."""
        self._named = {}
        if rights != rows.unpack(self._row)[rows.CASTLING] or target != self.ep_square:
            self._set_rights(rights, target)

    def apply_transform(self, f: Callable[[Bitboard], int]) -> None:
        """Replace each bitboard by what a function such as `flip_vertical` makes of it. Clear the history.

        >>> import rookery.compat as chess
        >>> board = chess.Board("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        >>> board.apply_transform(chess.flip_horizontal)
        >>> board.fen()
        '3k4/8/8/8/8/8/8/3K4 w - - 0 1'
        """
        rights, target = self.castling_rights, self.ep_square
        super().apply_transform(f)
        self._named = {}
        self._set_rights(
            board_number("f", f(rights)), None if target is None else bitboards.msb(f(bitboards.BB_SQUARES[target]))
        )

    def apply_mirror(self) -> None:
        """Swap the colours and the side to move, and mirror the board vertically. Clear the history.

        >>> import rookery.compat as chess
        >>> board = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        >>> board.apply_mirror()
        >>> board.fen()
        'r3k3/8/8/8/8/8/8/4K3 b q - 0 1'
        """
        rights, target = bits.flip_vertical(int(self.castling_rights)), self.ep_square
        super().apply_mirror()
        self._named = {}
        self._set_rights(rights, None if target is None else square_mirror(target))

    def _set_rights(self, rights: int, target: int | None) -> None:
        """Set the castling rights that are asked for, and the en-passant square. The history stays."""
        words = list(rows.unpack(self._row))
        words[rows.CASTLING], words[rows.EN_PASSANT] = rights, 0
        words[rows.CASTLING] = rows.unpack(rows.with_possible_rights(rows.packed(words)))[rows.CASTLING]
        if not self.chess960:
            white, black = placing.sides(self)
            kings = int(self.kings)
            homes = (bitboards.BB_RANK_1 if white & kings & bitboards.BB_E1 else 0) | (
                bitboards.BB_RANK_8 if black & kings & bitboards.BB_E8 else 0
            )
            words[rows.CASTLING] &= bitboards.BB_CORNERS & homes
        if target is not None and target >> 3 == (2 if words[rows.TURN] else 5):
            words[rows.EN_PASSANT] = 1 << target
        made = len(self._history)
        self._row = rows.packed(words)
        self._named.pop(made, None)
        if rights != words[rows.CASTLING]:
            self._named[made] = int(rights)

    # Attributes that can be assigned.

    @property
    def turn(self) -> bool:
        """Return the side to move. An en-passant square that the other side would need is dropped with it."""
        return super().turn

    @turn.setter
    def turn(self, color: Colour) -> None:
        if read_colour(color, "turn") != self.turn:
            rights, target = self.castling_rights, self.ep_square
            words = list(rows.unpack(self._row))
            words[rows.US], words[rows.THEM] = words[rows.THEM], words[rows.US]
            words[rows.TURN] ^= 1
            self._row = rows.packed(words)
            self._set_rights(rights, target)

    @property
    def castling_rights(self) -> Bitboard:
        """Return the rooks that were given the right to castle, even where the pieces rule that out."""
        named = self._named.get(len(self._history)) if self._named else None
        return board_of(rows.unpack(self._row)[rows.CASTLING] if named is None else named)

    @castling_rights.setter
    def castling_rights(self, rights: AnyBoard) -> None:
        self._set_rights(board_number("castling_rights", rights), self.ep_square)

    @property
    def ep_square(self) -> int | None:
        """Return the square that a pawn has just jumped over, or None. Whether a pawn did is not checked."""
        return super().ep_square

    @ep_square.setter
    def ep_square(self, square: int | None) -> None:
        if square is not None:
            check_square(square, "ep_square")
            if square >> 3 != (5 if self.turn else 2):
                name = SQUARE_NAMES[square]
                raise ValueError(f"ep_square: {square} ({name}): expected a square on rank {6 if self.turn else 3}")
        self._set_rights(self.castling_rights, square)

    def clean_castling_rights(self) -> Bitboard:
        """Return the castling rights that the pieces allow.

        >>> import rookery.compat as chess
        >>> board = chess.Board("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1")
        >>> board.clean_castling_rights()
        Bitboard(0x0000000000000000)
        """
        return super().castling_rights

    # The history.

    def copy(self, *, stack: bool | int = True) -> Self:
        """Return a copy with the whole history, with its last `stack` moves, or without history (False).

        >>> import rookery.compat as chess
        >>> chess.Board().copy() == chess.Board()
        True
        """
        other = super().copy(stack=stack)
        left_out = len(self._history) - len(other._history)
        other._named = {made - left_out: rights for made, rights in self._named.items() if made >= left_out}
        return other

    __copy__ = copy

    def root(self) -> Self:
        """Return the position before the first move of the history, without history.

        >>> import rookery.compat as chess
        >>> chess.Board().root() == chess.Board()
        True
        """
        other = super().root()
        other._named = {0: self._named[0]} if 0 in self._named else {}
        return other

    def pop(self) -> Move:
        """Take back the last move and return it.

        >>> import rookery.compat as chess
        >>> board = chess.Board()
        >>> board.push_san("e4")
        Move('e2e4')
        >>> board.pop()
        Move('e2e4')
        """
        move = super().pop()
        if self._named:
            self._named.pop(len(self._history) + 1, None)
        return move

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "_named": self._named}

    # Moves.

    def _the_legal_word(self, move: int) -> int:
        """Return the word of the legal or, if there is none, the pseudo-legal move that `move` stands for."""
        given = as_move(move, chess960=self.chess960)
        word = legal_word(self, given) or pseudo_legal_word(self, given)
        if not word:
            raise IllegalMoveError(f"move: {given!s} is not pseudo-legal in {self.fen()!r}")
        return word

    def _check_null(self) -> None:
        """Allow null moves in check."""

    def checkers_mask(self) -> Bitboard:
        """Return the pieces that give check to the side to move.

        >>> import rookery.compat as chess
        >>> chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers_mask().names()
        ['e2']
        """
        return super().checkers()

    def checkers(self) -> SquareSet:  # type: ignore[override]  # a set that can be changed
        """Return the pieces that give check to the side to move.

        >>> import rookery.compat as chess
        >>> chess.Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers().names()
        ['e2']
        """
        return SquareSet._of(super().checkers())

    def has_pseudo_legal_en_passant(self) -> bool:
        """Check whether a pawn attacks the en-passant square.

        >>> import rookery.compat as chess
        >>> chess.Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").has_pseudo_legal_en_passant()
        True
        """
        return bool(self.generate_pseudo_legal_ep())

    # Faults.

    def status(self) -> Status:  # type: ignore[override]  # flags instead of a list
        """Return the faults of the position, as flags.

        >>> import rookery.compat as chess
        >>> chess.Board().status() == chess.Status.VALID
        True
        """
        code = compiled()
        found = code.faults(rows.as_array(self._row), code.tables)
        status = Status.VALID
        if not found and not self._named:
            return status
        for fault, named in _FLAGS.items():
            if found & fault:
                status |= named
        if not self.occupied:
            status |= Status.EMPTY
        kings = [bitboards.popcount(self.pieces_mask(KING, color)) for color in (True, False)]
        for count, missing in zip(kings, (Status.NO_WHITE_KING, Status.NO_BLACK_KING), strict=True):
            status |= missing if not count else Status.VALID
        if sum(kings) > 2:
            status |= Status.TOO_MANY_KINGS
        elif self.castling_rights != self.clean_castling_rights():
            status |= Status.BAD_CASTLING_RIGHTS
        return status

    def is_valid(self) -> bool:
        """Check whether the position has no fault: whether `status` is ``Status.VALID``.

        >>> import rookery.compat as chess
        >>> chess.Board().is_valid()
        True
        """
        return self.status() == Status.VALID

    def was_into_check(self) -> bool:
        """Check whether the king of the side that has moved is attacked.

        >>> import rookery.compat as chess
        >>> chess.Board("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1").was_into_check()
        True
        """
        return Status.OPPOSITE_CHECK in self.status()

    # Variants: chess is the only one.

    def is_variant_end(self) -> bool:
        """Return False: no rule of a variant ends a game of chess.

        >>> import rookery.compat as chess
        >>> chess.Board().is_variant_end()
        False
        """
        return False

    is_variant_win = is_variant_loss = is_variant_draw = is_variant_end

    # Texts.

    def castling_xfen(self) -> str:
        """Return the third field of the FEN.

        >>> import rookery.compat as chess
        >>> chess.Board().castling_xfen()
        'KQkq'
        """
        return self.fen().split()[2]

    def castling_shredder_fen(self) -> str:
        """Return the third field of the Shredder-FEN.

        >>> import rookery.compat as chess
        >>> chess.Board().castling_shredder_fen()
        'HAha'
        """
        return self.fen(shredder=True).split()[2]
