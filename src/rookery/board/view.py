"""View: read-only queries and text output of a board."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rookery.aliases import AnyBoard, EnPassant
from rookery.arguments import UNIVERSE, board_number, flag, shown, text
from rookery.bitboards.bitboard import Bitboard, board_of
from rookery.bitboards.colours import WHITE, Colour, read_colour
from rookery.bitboards.pieces import (
    BISHOP,
    KING,
    KNIGHT,
    PIECES,
    QUEEN,
    Letter,
    Piece,
    PieceType,
    read_piece_type,
)
from rookery.bitboards.placement import Placement
from rookery.bitboards.squares import FILE_NAMES, RANK_NAMES, check_square, square_name
from rookery.board.moves import as_move
from rookery.board.record import Record
from rookery.board.rows import (
    CASTLING,
    EN_PASSANT,
    MASKS,
    RETURNING,
    THEM,
    TURN,
    US,
    as_array,
    packed,
    replaced,
    unpack,
)
from rookery.notation import fen_writer
from rookery.rules.compiled import compiled

if TYPE_CHECKING:
    from rookery.pictures import Arrows

_DOTS: Final = {ord("0") + n: "." * n for n in range(1, 9)} | {ord("/"): "\n"}
_WHITE: Final = tuple(PIECES[sign] for sign in "PNBRQK")
_BLACK: Final = tuple(PIECES[sign] for sign in "pnbrqk")
_CORNERS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
_E1_AND_E8: Final = 1 << 4 | 1 << 60
_SQUARES: Final = {0: None} | {mask: square for square, mask in enumerate(MASKS)}


class View(Record):
    """The read-only part of a board. Squares are ints (a1 = 0), colours are `WHITE`, `BLACK` or their names."""

    __slots__ = ()

    # Pieces.

    @property
    def turn(self) -> bool:
        """Return the side to move: True (`WHITE`) or False (`BLACK`).

        Assign it to count the other side's moves, and assign it again to go back. It may be assigned while the side to
        move is in check, too: as in python-chess, the other side could then capture the king, and `status` says so. A
        side that does not move next cannot capture en passant. The null move passes the turn according to the rules.

        >>> board = Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
        >>> board.is_check()
        True
        >>> board.count_legal_moves()
        3
        >>> board.turn = not board.turn
        >>> board.count_legal_moves()
        18
        >>> board.turn = not board.turn
        >>> board == Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
        True
        """
        return not unpack(self._row)[9]

    @turn.setter
    def turn(self, colour: Colour) -> None:
        if read_colour(colour, "turn") == self.turn:
            return
        words = list(unpack(self._row))
        words[US], words[THEM] = words[THEM], words[US]
        words[EN_PASSANT], words[RETURNING] = words[RETURNING], words[EN_PASSANT]
        words[TURN] ^= 1
        if words[EN_PASSANT]:  # pieces may have been set up since
            array = as_array(packed(words))
            compiled().drop_impossible_rights(array)
            words[EN_PASSANT] = int(array[EN_PASSANT])
        self._row = packed(words)

    @property
    def placement(self) -> Placement:
        """Return the twelve bitboards, one for each piece."""
        kinds = self._kinds()
        white, black = self._sides()
        return Placement(*(board_of(kind & side) for side in (white, black) for kind in kinds))

    def _kinds(self) -> tuple[int, ...]:
        """Return the pawns, knights, bishops, rooks, queens and kings, of both sides."""
        pawns, knights, diagonals, orthogonals, kings = unpack(self._row)[:5]
        return pawns, knights, diagonals & ~orthogonals, orthogonals & ~diagonals, diagonals & orthogonals, kings

    def _sides(self) -> tuple[int, int]:
        """Return the white pieces and the black pieces."""
        words = unpack(self._row)
        return (words[6], words[5]) if words[9] else (words[5], words[6])

    @property
    def pawns(self) -> Bitboard:
        """Return the pawns of both sides."""
        return board_of(unpack(self._row)[0])

    @property
    def knights(self) -> Bitboard:
        """Return the knights of both sides."""
        return board_of(unpack(self._row)[1])

    @property
    def bishops(self) -> Bitboard:
        """Return the bishops of both sides."""
        return board_of(self._kinds()[2])

    @property
    def rooks(self) -> Bitboard:
        """Return the rooks of both sides."""
        return board_of(self._kinds()[3])

    @property
    def queens(self) -> Bitboard:
        """Return the queens of both sides."""
        return board_of(self._kinds()[4])

    @property
    def kings(self) -> Bitboard:
        """Return the kings of both sides."""
        return board_of(unpack(self._row)[4])

    @property
    def occupied(self) -> Bitboard:
        """Return all pieces."""
        words = unpack(self._row)
        return board_of(words[US] | words[THEM])

    def pieces_of(self, colour: Colour) -> Bitboard:
        """Return all pieces of a colour.

        >>> Board().pieces_of("white")
        Bitboard(0x000000000000ffff)
        """
        words = unpack(self._row)
        return board_of(words[6 if read_colour(colour) == words[9] else 5])

    def pieces(self, kind: int | str, colour: Colour) -> Bitboard:
        """Return the pieces of a kind and a colour. The kind is a constant like `KNIGHT`, its int, letter or name.

        >>> Board().pieces(KNIGHT, "black").names()
        ['b8', 'g8']
        >>> Board().pieces("knight", "black") == Board().pieces(2, "black")
        True
        """
        words = unpack(self._row)
        if type(kind) is not int or not 1 <= kind <= 6:
            kind = read_piece_type(kind)
        if colour is not True and colour is not False:
            colour = read_colour(colour)
        side = words[6 if words[9] else 5] if colour else words[5 if words[9] else 6]
        if kind <= KNIGHT:
            return board_of(words[kind - 1] & side)
        if kind == KING:
            return board_of(words[4] & side)
        if kind == QUEEN:
            return board_of(words[2] & words[3] & side)
        return board_of((words[2] & ~words[3] if kind == BISHOP else words[3] & ~words[2]) & side)

    def king(self, colour: Colour) -> int | None:
        """Return the square of a colour's king, or None if it has no king.

        >>> Board().king("white")
        4
        >>> Board.empty().king("white") is None
        True
        """
        words = unpack(self._row)
        if colour is not True and colour is not False:
            colour = read_colour(colour)
        kings = words[4] & (words[6 if words[9] else 5] if colour else words[5 if words[9] else 6])
        try:
            return _SQUARES[kings]
        except KeyError:  # several kings: the lowest
            return (kings & -kings).bit_length() - 1

    # Callers look at millions of squares: the next four methods avoid every call that they can.

    def kind_at(self, square: int) -> Letter | None:
        """Return the letter of the piece type on a square, of either colour, ``"p"`` to ``"k"``, or None.

        >>> Board().kind_at(0)
        'r'
        >>> Board().kind_at(27) is None
        True
        """
        words = unpack(self._row)
        mask = MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
        if not (words[US] | words[THEM]) & mask:
            return None
        if words[0] & mask:
            return "p"
        if words[2] & mask:
            return "q" if words[3] & mask else "b"
        return "n" if words[1] & mask else "r" if words[3] & mask else "k"

    def piece_type_at(self, square: int) -> PieceType | None:
        """Return the piece type on a square, of either colour, `PAWN` (1) to `KING` (6), or None.

        >>> Board().piece_type_at(0)
        4
        >>> Board().piece_type_at(27) is None
        True
        """
        words = unpack(self._row)
        mask = MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
        if not (words[US] | words[THEM]) & mask:
            return None
        if words[0] & mask:
            return 1
        if words[2] & mask:
            return 5 if words[3] & mask else 3
        return 2 if words[1] & mask else 4 if words[3] & mask else 6

    def piece_at(self, square: int) -> Piece | None:
        """Return the piece on a square, a string of one letter (``"Q"`` white, ``"q"`` black), or None.

        >>> Board().piece_at(0)
        'R'
        >>> Board().piece_at(63)
        'r'
        >>> Board().piece_at(27) is None
        True
        """
        words = unpack(self._row)
        mask = MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
        if not (words[US] | words[THEM]) & mask:
            return None
        signs = _BLACK if (not words[5] & mask) != words[9] else _WHITE
        if words[0] & mask:
            return signs[0]
        if words[2] & mask:
            return signs[4 if words[3] & mask else 2]
        return signs[1 if words[1] & mask else 3 if words[3] & mask else 5]

    def color_at(self, square: int) -> bool | None:
        """Return the colour of the piece on a square, or None. The spelling is that of python-chess.

        >>> Board().color_at(0)
        True
        >>> Board().color_at(63)
        False
        >>> Board().color_at(27) is None
        True
        """
        words = unpack(self._row)
        mask = MASKS[square if type(square) is int and 0 <= square <= 63 else check_square(square)]
        if words[5] & mask:
            return not words[9]
        return words[9] == 1 if words[6] & mask else None

    def piece_map(self, *, mask: AnyBoard = UNIVERSE) -> dict[int, Piece]:
        """Return the pieces by square, lowest square first; with `mask`, only those on its squares.

        >>> Board("7k/8/8/8/8/8/8/KR6 w - - 0 1").piece_map()
        {0: 'K', 1: 'R', 63: 'k'}
        """
        found = {}
        mask = board_number("mask", mask)
        for side, signs in zip(self._sides(), ("PNBRQK", "pnbrqk"), strict=True):
            for kind, sign in zip(self._kinds(), signs, strict=True):
                left = kind & side & mask
                while left:
                    found[(left & -left).bit_length() - 1] = PIECES[sign]
                    left &= left - 1
        return dict(sorted(found.items()))

    # Rights.

    @property
    def ep_square(self) -> int | None:
        """Return the square that a pawn has just jumped over, whether or not it can be captured there, or None.

        Assigning a square that no pawn can have jumped over is a ValueError.

        >>> board = Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
        >>> board.ep_square
        43
        >>> board.ep_square = None
        >>> board.fen()
        '4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1'
        """
        word = unpack(self._row)[8]
        return word.bit_length() - 1 if word else None

    @ep_square.setter
    def ep_square(self, square: int | None) -> None:
        word = 0 if square is None else 1 << check_square(square, "ep_square")
        row = replaced(self._row, EN_PASSANT, word)
        array = as_array(row)
        compiled().drop_impossible_rights(array)
        if square is not None and array[EN_PASSANT] != word:
            raise ValueError(f"ep_square: {square_name(square)}: no pawn can have jumped over it in {self.fen()!r}")
        self._row = row

    @property
    def castling_rights(self) -> Bitboard:
        """Return the rooks that may still castle.

        Assigning squares without such a rook is a ValueError. `set_castling_fen` takes a text, and clears the history.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        >>> board.castling_rights = Bitboard.of("h1")
        >>> board.fen()
        '4k3/8/8/8/8/8/8/R3K2R w K - 0 1'
        """
        return board_of(unpack(self._row)[7])

    @castling_rights.setter
    def castling_rights(self, rooks: AnyBoard) -> None:
        word = board_number("castling_rights", rooks)
        row = replaced(self._row, CASTLING, word)
        array = as_array(row)
        compiled().drop_impossible_rights(array)
        if array[CASTLING] != word:
            names = ", ".join(Bitboard(word & ~int(array[CASTLING])).names())
            raise ValueError(
                f"castling_rights: {names}: expected rooks on the back rank of their king, one on each side"
            )
        changed = self.copy(stack=False)
        changed._row = row
        if changed.has_chess960_castling_rights() and not self.chess960:
            names = ", ".join(Bitboard(word).names())
            raise ValueError(f"castling_rights: {names}: only Chess960 has these rights: set chess960 first")
        self._row = row

    def has_castling_rights(self, colour: Colour) -> bool:
        """Check whether a colour may still castle on either side.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w K - 0 1")
        >>> board.has_castling_rights("white")
        True
        >>> board.has_castling_rights("black")
        False
        """
        return any(self._castling_rooks(colour))

    def has_queenside_castling_rights(self, colour: Colour) -> bool:
        """Check whether a colour may still castle with a rook to the left of its king.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_queenside_castling_rights("white")
        False
        >>> board.has_queenside_castling_rights("black")
        True
        """
        return self._castling_rooks(colour)[0] > 0

    def has_kingside_castling_rights(self, colour: Colour) -> bool:
        """Check whether a colour may still castle with a rook to the right of its king.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_kingside_castling_rights("white")
        True
        >>> board.has_kingside_castling_rights("black")
        False
        """
        return self._castling_rooks(colour)[1] > 0

    def _castling_rooks(self, colour: Colour) -> tuple[int, int]:
        """Return the rooks that may still castle to the left and to the right of their king."""
        rooks, king = unpack(self._row)[7] & int(self.pieces_of(colour)), self.king(colour)
        left = rooks & (1 << king) - 1 if king is not None else 0
        return left, rooks ^ left if king is not None else 0

    def has_chess960_castling_rights(self) -> bool:
        """Check for castling rights that exist in Chess960 only: rooks off the corners or kings off e1 and e8.

        >>> Board("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", chess960=True).has_chess960_castling_rights()
        True
        >>> Board().has_chess960_castling_rights()
        False
        """
        rooks = board_of(unpack(self._row)[7])
        homes = self.kings & _E1_AND_E8
        return bool(rooks & ~_CORNERS) or any(
            rooks & self.pieces_of(colour) and not homes & self.pieces_of(colour) for colour in (True, False)
        )

    # Checks.

    def checkers(self) -> Bitboard:
        """Return the pieces that give check to the side to move.

        >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers().names()
        ['e2']
        """
        code = compiled()
        return board_of(code.checkers(as_array(self._row), code.tables))

    def is_check(self) -> bool:
        """Check whether the side to move is in check.

        >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").is_check()
        True
        """
        code = compiled()
        return code.checkers(as_array(self._row), code.tables) != 0

    # FEN.

    def board_fen(self) -> str:
        """Return the first field of the FEN.

        >>> Board().board_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
        """
        return fen_writer.four_fields(as_array(self._row), 0).partition(" ")[0]

    def fen(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> str:
        """Return the FEN.

        Parameters
        ----------
        shredder
            Name castling rights by the files of the rooks (Shredder-FEN).
        en_passant
            When to write the en-passant square: ``"legal"`` if a capture is legal, ``"fen"`` after every double push,
            ``"xfen"`` if a pawn attacks the square.

        Examples
        --------
        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
        >>> board.fen(en_passant="fen")
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1'
        """
        return f"{self._four_fields(shredder, en_passant)} {self.halfmove_clock} {self.fullmove_number}"

    def _four_fields(self, shredder: bool, en_passant: EnPassant) -> str:
        if shredder is not False:
            shredder = flag("shredder", shredder)
        if not isinstance(en_passant, str) or en_passant not in ("legal", "fen", "xfen"):
            raise ValueError(f"en_passant: {shown(en_passant)}: expected 'legal', 'fen' or 'xfen'")
        words = unpack(self._row)
        target = words[8]
        if target and en_passant == "legal":
            target = target if self.has_legal_en_passant() else 0
        elif target and en_passant == "xfen":
            target = fen_writer.target_next_to_pawn(words[0], words[5], target, words[9])
        return fen_writer.four_fields(as_array(self._row), target, shredder=shredder)

    # Drawings.

    def __str__(self) -> str:
        return " ".join(self.board_fen().translate(_DOTS)).replace(" \n ", "\n")

    def unicode(
        self,
        *,
        invert_color: bool = False,
        borders: bool = False,
        empty_square: str = "⭘",
        orientation: Colour = WHITE,
    ) -> str:
        """Return the board drawn with chess figurines, for terminals; `orientation` is the colour at the bottom.

        >>> print(Board().unicode(empty_square="."))
        ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜
        ♟ ♟ ♟ ♟ ♟ ♟ ♟ ♟
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        ♙ ♙ ♙ ♙ ♙ ♙ ♙ ♙
        ♖ ♘ ♗ ♕ ♔ ♗ ♘ ♖
        """
        invert_color, borders = flag("invert_color", invert_color), flag("borders", borders)
        text("empty_square", empty_square)
        signs = {square: piece.unicode_symbol(invert_color=invert_color) for square, piece in self.piece_map().items()}
        step = 1 if read_colour(orientation, "orientation") else -1
        rows = []
        rule = f"  {'-' * 17}\n"
        for rank in range(8)[::-step]:
            row = [signs.get(8 * rank + file, empty_square) for file in range(8)[::step]]
            rows.append(f"{rule}{RANK_NAMES[rank]} |{'|'.join(row)}|" if borders else " ".join(row))
        if borders:
            rows.append(f"{rule}   {' '.join(FILE_NAMES[::step])}")
        return "\n".join(rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.fen()!r})"

    def svg(
        self,
        *,
        sets: Mapping[str, AnyBoard] | None = None,
        arrows: "Arrows" = (),
        last_move: int | None = None,
        orientation: Colour = WHITE,
        coordinates: bool = True,
        size: int = 360,
        title: str = "",
    ) -> str:
        """Return a picture of the position as SVG text, with the last move and a king in check marked.

        `sets` maps names to bitboards, each drawn in its own colour and with its own mark. `arrows` are pairs of
        squares, optionally with a colour. `last_move` is the last move on the stack by default. For details see
        `rookery.pictures.board_svg`.

        >>> board = Board()
        >>> board.push_uci("e2e4")
        Move('e2e4')
        >>> picture = board.svg(arrows=[(62, 45)], sets={"centre": 0x0000001818000000}, orientation="black")
        >>> picture.count('class="last-move"')
        2
        >>> picture.count('class="piece ')
        32
        """
        from rookery.pictures import board_svg

        if last_move is None and self.move_stack:
            last_move = self.move_stack[-1]
        move = None if last_move is None else as_move(last_move, "last_move", chess960=self.chess960)
        return board_svg(
            self.piece_map(),
            sets=sets,
            arrows=arrows,
            last_move=(move.from_square, move.to_square) if move else None,
            check=self.king(self.turn) if self.is_check() else None,
            orientation=orientation,
            coordinates=coordinates,
            size=size,
            title=text("title", title) or f"Chess position, {'white' if self.turn else 'black'} to move",
        )

    def _repr_svg_(self) -> str:
        """Return the picture that notebooks show."""
        return self.svg()


def _explain_assignment(name: str, instead: str) -> property:
    """Return a read-only property that says what to use instead of assigning it."""
    found: property = getattr(View, name)

    def refuse(board: View, value: object) -> None:  # noqa: ARG001  # the signature of a setter
        raise AttributeError(f"{name}: cannot be assigned: {instead}")

    return found.setter(refuse)


for _name in ("pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "placement"):
    setattr(View, _name, _explain_assignment(_name, "set_piece_at and set_piece_map change the pieces"))
View.move_stack = _explain_assignment("move_stack", "push and pop change it")  # type: ignore[assignment,method-assign]
