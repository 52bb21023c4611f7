"""View: what stands on a board and who may do what, told, drawn and written."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from rookery.arguments import UNIVERSE, board_number, flag, shown, text
from rookery.bitboard import Bitboard, board_of
from rookery.colours import WHITE, Colour, read_colour
from rookery.pieces import BISHOP, KING, KNIGHT, PAWN, PIECES, QUEEN, Letter, Piece, PieceType, read_piece_type
from rookery.placement import Placement
from rookery.rules import fen_writer
from rookery.rules.compiled import compiled
from rookery.rules.moves import as_move
from rookery.rules.record import OCCUPIED, Record
from rookery.squares import FILE_NAMES, RANK_NAMES, check_square
from rookery.typing import EnPassant

if TYPE_CHECKING:
    from rookery.pictures import Arrows

_DOTS: Final = {ord("0") + n: "." * n for n in range(1, 9)} | {ord("/"): "\n"}
_WHITE: Final = tuple(PIECES[sign] for sign in "PNBRQK")
_BLACK: Final = tuple(PIECES[sign] for sign in "pnbrqk")
_CORNERS: Final = 1 << 0 | 1 << 7 | 1 << 56 | 1 << 63
_E1_AND_E8: Final = 1 << 4 | 1 << 60


class View(Record):
    """A position looked at. Squares are ints (a1 = 0, or `rookery.E4`), colours `WHITE` and `BLACK` or their names."""

    __slots__ = ()

    # Pieces.

    @property
    def turn(self) -> bool:
        """Whose move it is: True (`WHITE`) or False (`BLACK`)."""
        return not (self._words or self._spread())[9]

    @property
    def placement(self) -> Placement:
        """The twelve boards."""
        kinds = self._kinds()
        white, black = self._sides()
        return Placement(*(board_of(kind & side) for side in (white, black) for kind in kinds))

    def _kinds(self) -> tuple[int, ...]:
        """The boards of pawns, knights, bishops, rooks, queens and kings, of both sides."""
        pawns, knights, diagonals, orthogonals, kings = (self._words or self._spread())[:5]
        return pawns, knights, diagonals & ~orthogonals, orthogonals & ~diagonals, diagonals & orthogonals, kings

    def _sides(self) -> tuple[int, int]:
        """All white pieces, and all black ones."""
        words = self._words or self._spread()
        return (words[6], words[5]) if words[9] else (words[5], words[6])

    @property
    def pawns(self) -> Bitboard:
        """The pawns of both sides."""
        return board_of((self._words or self._spread())[0])

    @property
    def knights(self) -> Bitboard:
        """The knights of both sides."""
        return board_of((self._words or self._spread())[1])

    @property
    def bishops(self) -> Bitboard:
        """The bishops of both sides."""
        return board_of(self._kinds()[2])

    @property
    def rooks(self) -> Bitboard:
        """The rooks of both sides."""
        return board_of(self._kinds()[3])

    @property
    def queens(self) -> Bitboard:
        """The queens of both sides."""
        return board_of(self._kinds()[4])

    @property
    def kings(self) -> Bitboard:
        """The kings of both sides."""
        return board_of((self._words or self._spread())[4])

    @property
    def occupied(self) -> Bitboard:
        """All pieces."""
        return board_of((self._words or self._spread())[OCCUPIED])

    def pieces_of(self, colour: Colour) -> Bitboard:
        """All pieces of a colour.

        >>> Board().pieces_of("white")
        Bitboard(0x000000000000ffff)
        """
        words = self._words or self._spread()
        return board_of(words[6 if read_colour(colour) == words[9] else 5])

    def pieces(self, kind: int | str, colour: Colour) -> Bitboard:
        """Return the pieces of a kind and a colour. The kind is a constant like `KNIGHT`, its int, letter or name.

        >>> Board().pieces(KNIGHT, "black").names()
        ['b8', 'g8']
        >>> Board().pieces("knight", "black") == Board().pieces(2, "black")
        True
        """
        words = self._words or self._spread()
        kind = read_piece_type(kind)
        if kind == PAWN:
            found = words[0]
        elif kind == KNIGHT:
            found = words[1]
        elif kind == KING:
            found = words[4]
        else:
            found = (
                words[2] & words[3]
                if kind == QUEEN
                else words[2] & ~words[3]
                if kind == BISHOP
                else words[3] & ~words[2]
            )
        return board_of(found & words[6 if read_colour(colour) == words[9] else 5])

    def king(self, colour: Colour) -> int | None:
        """The square of a king, if there is one.

        >>> Board().king("white"), Board().king("black"), Board.empty().king("white")
        (4, 60, None)
        """
        words = self._words or self._spread()
        if colour is not True and colour is not False:
            colour = read_colour(colour)
        kings = words[4] & words[6 if colour == words[9] else 5]
        return (kings & -kings).bit_length() - 1 if kings else None

    # Squares are asked for by the million: the four that follow spare every call they can.

    def kind_at(self, square: int) -> Letter | None:
        """The letter of the piece type on a square, of either colour: ``"p"`` to ``"k"``, or None.

        >>> Board().kind_at(0), Board().kind_at(63), Board().kind_at(27)
        ('r', 'r', None)
        """
        words = self._words or self._spread()
        mask = 1 << (square if type(square) is int and 0 <= square <= 63 else check_square(square))
        if not words[OCCUPIED] & mask:
            return None
        if words[0] & mask:
            return "p"
        if words[2] & mask:
            return "q" if words[3] & mask else "b"
        return "n" if words[1] & mask else "r" if words[3] & mask else "k"

    def piece_type_at(self, square: int) -> PieceType | None:
        """The piece type on a square, of either colour: `PAWN` (1) to `KING` (6), or None.

        >>> Board().piece_type_at(0), Board().piece_type_at(63), Board().piece_type_at(27)
        (4, 4, None)
        """
        words = self._words or self._spread()
        mask = 1 << (square if type(square) is int and 0 <= square <= 63 else check_square(square))
        if not words[OCCUPIED] & mask:
            return None
        if words[0] & mask:
            return 1
        if words[2] & mask:
            return 5 if words[3] & mask else 3
        return 2 if words[1] & mask else 4 if words[3] & mask else 6

    def piece_at(self, square: int) -> Piece | None:
        """The piece on a square, a text of one letter, ``"Q"`` white and ``"q"`` black; or None.

        >>> Board().piece_at(0), Board().piece_at(63), Board().piece_at(27)
        ('R', 'r', None)
        """
        words = self._words or self._spread()
        mask = 1 << (square if type(square) is int and 0 <= square <= 63 else check_square(square))
        if not words[OCCUPIED] & mask:
            return None
        signs = _BLACK if (not words[5] & mask) != words[9] else _WHITE
        if words[0] & mask:
            return signs[0]
        if words[2] & mask:
            return signs[4 if words[3] & mask else 2]
        return signs[1 if words[1] & mask else 3 if words[3] & mask else 5]

    def color_at(self, square: int) -> bool | None:
        """Whose piece stands on a square, or None: spelled as in python-chess.

        >>> Board().color_at(0), Board().color_at(63), Board().color_at(27)
        (True, False, None)
        """
        words = self._words or self._spread()
        mask = 1 << (square if type(square) is int and 0 <= square <= 63 else check_square(square))
        if not words[OCCUPIED] & mask:
            return None
        return (words[5] & mask != 0) != words[9]

    def piece_map(self, *, mask: int = UNIVERSE) -> dict[int, Piece]:
        """The pieces by square, lowest square first, or those of the squares of `mask`.

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
        """The square a pawn has just jumped over, whether or not it can be taken there."""
        word = (self._words or self._spread())[8]
        return word.bit_length() - 1 if word else None

    @property
    def castling_rights(self) -> Bitboard:
        """The rooks that may still castle."""
        return board_of((self._words or self._spread())[7])

    def has_castling_rights(self, colour: Colour) -> bool:
        """Whether a colour may still castle, on either side.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_castling_rights("white"), board.has_castling_rights("black")
        (True, True)
        """
        return any(self._castling_rooks(colour))

    def has_queenside_castling_rights(self, colour: Colour) -> bool:
        """Whether a colour may still castle with a rook to the left of its king.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_queenside_castling_rights("white"), board.has_queenside_castling_rights("black")
        (False, True)
        """
        return self._castling_rooks(colour)[0] > 0

    def has_kingside_castling_rights(self, colour: Colour) -> bool:
        """Whether a colour may still castle with a rook to the right of its king.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1")
        >>> board.has_kingside_castling_rights("white"), board.has_kingside_castling_rights("black")
        (True, False)
        """
        return self._castling_rooks(colour)[1] > 0

    def _castling_rooks(self, colour: Colour) -> tuple[int, int]:
        """The rooks that may still castle, to the left and to the right of their king."""
        rooks, king = int(self.castling_rights & self.pieces_of(colour)), self.king(colour)
        left = rooks & (1 << king) - 1 if king is not None else 0
        return left, rooks ^ left if king is not None else 0

    def has_chess960_castling_rights(self) -> bool:
        """Whether there are castling rights that only Chess960 knows: of other rooks, or of a king not on e1 or e8.

        >>> board = Board("1r2k3/8/8/8/8/8/8/4K3 b b - 0 1", chess960=True)
        >>> board.has_chess960_castling_rights(), Board().has_chess960_castling_rights()
        (True, False)
        """
        rooks = self.castling_rights
        homes = self.kings & _E1_AND_E8
        return bool(rooks & ~_CORNERS) or any(
            rooks & self.pieces_of(colour) and not homes & self.pieces_of(colour) for colour in (True, False)
        )

    # Checks.

    def checkers(self) -> Bitboard:
        """The pieces that give check to the side to move.

        >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").checkers().names()
        ['e2']
        """
        code = compiled()
        return board_of(code.checkers(self._row, code.tables))

    def is_check(self) -> bool:
        """Whether the side to move is in check.

        >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").is_check()
        True
        """
        code = compiled()
        return code.checkers(self._row, code.tables) != 0

    # Written.

    def board_fen(self) -> str:
        """The first field of the FEN.

        >>> Board().board_fen()
        'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR'
        """
        return fen_writer.four_fields(self._row, 0).partition(" ")[0]

    def fen(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> str:
        """The FEN. `en_passant` says when its square is written: if a capture is ``legal``, after every double push
        (``fen``), or if a pawn stands beside (``xfen``). With `shredder` castling rights are named by files.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.fen(), board.fen(en_passant="fen").split()[3]
        ('rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1', 'e3')
        """
        return f"{self._four_fields(shredder, en_passant)} {self.halfmove_clock} {self.fullmove_number}"

    def _four_fields(self, shredder: bool, en_passant: EnPassant) -> str:
        if shredder is not False:
            shredder = flag("shredder", shredder)
        if not isinstance(en_passant, str) or en_passant not in ("legal", "fen", "xfen"):
            raise ValueError(f"en_passant: {shown(en_passant)}: expected 'legal', 'fen' or 'xfen'")
        words = self._words or self._spread()
        target = words[8]
        if target and en_passant == "legal":
            target = target if self.has_legal_en_passant() else 0
        elif target and en_passant == "xfen":
            target = fen_writer.target_beside_a_pawn(words[0], words[5], target, words[9])
        return fen_writer.four_fields(self._row, target, shredder=shredder)

    # Drawn.

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
        """The board drawn with chess figurines, for a terminal; `orientation` is the colour at the bottom.

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
        sets: Mapping[str, int] | None = None,
        arrows: "Arrows" = (),
        last_move: int | None = None,
        orientation: Colour = WHITE,
        coordinates: bool = True,
        size: int = 360,
        title: str = "",
    ) -> str:
        """The position as a picture, a text of SVG: the pieces, the last move, a king in check, and what is asked for.

        `sets` are bitboards by name, each in a colour and with a sign of its own; `arrows` are pairs of squares, with a
        colour if need be. `last_move` is the one that was pushed last, unless another is named. More is said at
        `rookery.pictures.board_svg`.

        >>> board = Board()
        >>> board.push_uci("e2e4")
        Move('e2e4')
        >>> picture = board.svg(arrows=[(62, 45)], sets={"centre": 0x0000001818000000}, orientation="black")
        >>> "black to move" in picture, picture.count('class="last-move"'), picture.count('class="piece ')
        (True, 2, 32)
        """
        from rookery.pictures import board_svg

        if last_move is None and self.move_stack:
            last_move = self.move_stack[-1]
        move = None if last_move is None else as_move(last_move, "last_move")
        return board_svg(
            self.piece_map(),
            sets=sets,
            arrows=arrows,
            last_move=(move.from_square, move.to_square if move.king_to is None else move.king_to) if move else None,
            check=self.king(self.turn) if self.is_check() else None,
            orientation=orientation,
            coordinates=coordinates,
            size=size,
            title=text("title", title) or f"Chess position, {'white' if self.turn else 'black'} to move",
        )

    def _repr_svg_(self) -> str:
        """A picture for notebooks."""
        return self.svg()
