"""Board: a chess position with its history. The class body lists its methods by subject, and where they are defined."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from rookery.arguments import flag
from rookery.bitboards.pieces import PIECE_SYMBOLS, PIECE_TYPES
from rookery.board import (
    copying,
    dead_positions,
    endings,
    listing,
    notation,
    placing,
    playing,
    queries,
    rights,
    rows,
    setup,
    text,
)
from rookery.board.endings import Outcome, Termination
from rookery.kernel.native import bind, provide, show_slots
from rookery.rules.notation.start import START

if TYPE_CHECKING:
    from typing import Concatenate, Generic, ParamSpec, TypeVar, overload

    P = ParamSpec("P")
    Got = TypeVar("Got")
    Given = TypeVar("Given")
    Owner = TypeVar("Owner")

    class Attribute(Generic[Got, Given]):
        """A property, as type checkers see it when it is not made by a decorator."""

        def __init__(self, get: Callable[[Any], Got], assign: Callable[[Any, Given], None]) -> None: ...
        @overload  # type: ignore[no-overload-impl]
        def __get__(self, instance: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None, /) -> Got: ...
        def __set__(self, instance: object, value: Given, /) -> None: ...

    class ReadOnly(Generic[Got]):
        """The same for a property that cannot be assigned."""

        def __init__(self, get: Callable[[Any], Got], instead: str = "") -> None: ...
        @overload  # type: ignore[no-overload-impl]
        def __get__(self, instance: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, instance: object, owner: type | None = None, /) -> Got: ...

    class Constructor(Generic[P]):
        """A class method that returns a board of the class it is called on."""

        def __init__(self, make: Callable[Concatenate[type[Any], P], Any]) -> None: ...
        def __get__(self, instance: Owner | None, owner: type[Owner], /) -> Callable[P, Owner]: ...

else:
    Attribute, Constructor = property, classmethod

    class ReadOnly(property):
        """A property that cannot be assigned, and that says what to do instead."""

        def __init__(self, get: Callable[[Any], Any], instead: str = "") -> None:
            def refuse(board: Any, value: object) -> None:  # noqa: ARG001  # the signature of a setter
                raise AttributeError(f"{get.__name__}: cannot be assigned: {instead}")

            super().__init__(get, refuse if instead else None)


__all__ = ["Board", "Outcome", "Termination"]

_EDITING = "set_piece_at and set_piece_map change the pieces"


class Board:
    """A position, its counters and the moves that led to it.

    `fen` is a FEN of four to six fields, or None for an empty board. An impossible position raises a ValueError that
    explains the fault; with `strict`, so does a position that no game can reach. `chess960` is derived from the
    castling field unless it is given.

    Any number of threads may read a board at the same time, as long as none changes it.

    >>> board = Board()
    >>> board.push_san("e4")
    Move('e2e4')
    >>> board.push_uci("c7c5")
    Move('c7c5')
    >>> board.fen()
    'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2'
    >>> len(board.legal_moves)
    30
    >>> board.is_check()
    False
    """

    # What machine code keeps, and what it keeps ready for attributes of nearly the same names.
    __slots__ = ("_clock", "_ep_square", "_history", "_number", "_row", "_turn", "chess960")

    _history: list[bytes]  # the rows before each move, first to last
    _row: bytes  # the position and its counters, see `rookery.board.rows`
    chess960: bool

    # Setting up.
    starting_fen: ClassVar[str] = START

    def __init__(self, fen: str | None = START, chess960: bool | None = None, strict: bool = False) -> None:
        self.chess960 = False if chess960 is None else flag("chess960", chess960)
        if fen is None:
            self.clear()
        else:
            self.set_fen(fen, chess960, strict=strict)

    set_fen = setup.set_fen
    unchecked = Constructor(setup.unchecked)
    from_words = Constructor(setup.from_words)
    empty = Constructor(setup.empty)
    clear = setup.clear
    reset = setup.reset
    from_chess960_pos = Constructor(setup.from_chess960_pos)
    set_chess960_pos = setup.set_chess960_pos
    chess960_pos = setup.chess960_pos
    status = setup.status
    is_valid = setup.is_valid

    # Pieces.
    pawns = ReadOnly(placing.pawns, _EDITING)
    knights = ReadOnly(placing.knights, _EDITING)
    bishops = ReadOnly(placing.bishops, _EDITING)
    rooks = ReadOnly(placing.rooks, _EDITING)
    queens = ReadOnly(placing.queens, _EDITING)
    kings = ReadOnly(placing.kings, _EDITING)
    occupied = ReadOnly(placing.occupied, _EDITING)
    placement = ReadOnly(placing.placement, _EDITING)
    pieces_of = placing.pieces_of
    pieces = placing.pieces
    king = placing.king
    kind_at = placing.kind_at
    piece_type_at = placing.piece_type_at
    piece_at = placing.piece_at
    color_at = placing.color_at
    piece_map = placing.piece_map
    set_piece_at = placing.set_piece_at
    remove_piece_at = placing.remove_piece_at
    set_piece_map = placing.set_piece_map
    set_board_fen = placing.set_board_fen

    # Turn, en passant, castling, counters.
    turn = Attribute(rights.turn, rights.set_turn)
    ep_square = Attribute(rights.ep_square, rights.set_ep_square)
    has_legal_en_passant = rights.has_legal_en_passant
    castling_rights = Attribute(rights.castling_rights, rights.set_castling_rights)
    set_castling_fen = rights.set_castling_fen
    has_castling_rights = rights.has_castling_rights
    has_queenside_castling_rights = rights.has_queenside_castling_rights
    has_kingside_castling_rights = rights.has_kingside_castling_rights
    has_chess960_castling_rights = rights.has_chess960_castling_rights
    halfmove_clock = Attribute(rights.halfmove_clock, rights.set_halfmove_clock)
    fullmove_number = Attribute(rights.fullmove_number, rights.set_fullmove_number)
    ply = rights.ply

    # Attacks.
    attacks = queries.attacks
    attackers = queries.attackers
    is_attacked_by = queries.is_attacked_by
    checkers = queries.checkers
    is_check = queries.is_check
    pinned = queries.pinned
    is_pinned = queries.is_pinned
    pin = queries.pin
    discoverers = queries.discoverers
    xray_attacks = queries.xray_attacks
    batteries = queries.batteries
    see = queries.see
    pseudo_legal_see = queries.pseudo_legal_see

    # Lists of moves.
    legal_moves = ReadOnly(listing.legal_moves)
    generate_legal_moves = listing.generate_legal_moves
    count_legal_moves = listing.count_legal_moves
    generate_captures = listing.generate_captures
    generate_quiet_moves = listing.generate_quiet_moves
    generate_evasions = listing.generate_evasions
    generate_checks = listing.generate_checks
    generate_legal_captures = listing.generate_legal_captures
    generate_legal_ep = listing.generate_legal_ep
    generate_castling_moves = listing.generate_castling_moves
    pseudo_legal_moves = ReadOnly(listing.pseudo_legal_moves)
    generate_pseudo_legal_moves = listing.generate_pseudo_legal_moves
    generate_pseudo_legal_captures = listing.generate_pseudo_legal_captures
    generate_pseudo_legal_ep = listing.generate_pseudo_legal_ep
    is_pseudo_legal = listing.is_pseudo_legal
    is_into_check = listing.is_into_check

    # Making moves.
    push = playing.push
    pop = playing.pop
    peek = playing.peek
    move_stack = ReadOnly(playing.move_stack, "push and pop change it")
    clear_stack = playing.clear_stack

    # One move.
    is_legal = playing.is_legal
    find_move = playing.find_move
    move_word = playing.move_word
    gives_check = playing.gives_check
    check_after = playing.check_after
    is_capture = playing.is_capture
    is_en_passant = playing.is_en_passant
    is_castling = playing.is_castling
    is_kingside_castling = playing.is_kingside_castling
    is_queenside_castling = playing.is_queenside_castling
    is_zeroing = playing.is_zeroing
    is_irreversible = playing.is_irreversible

    # Moves as text.
    parse_uci = notation.parse_uci
    push_uci = notation.push_uci
    uci = notation.uci
    parse_san = notation.parse_san
    push_san = notation.push_san
    san = notation.san
    lan = notation.lan
    san_and_push = notation.san_and_push
    variation_san = notation.variation_san
    parse_xboard = notation.parse_xboard
    push_xboard = notation.push_xboard
    xboard = notation.xboard

    # How games end.
    is_checkmate = endings.is_checkmate
    is_stalemate = endings.is_stalemate
    has_insufficient_material = endings.has_insufficient_material
    is_insufficient_material = endings.is_insufficient_material
    can_mate = dead_positions.can_mate
    is_dead_position = dead_positions.is_dead_position
    find_helpmate = dead_positions.find_helpmate
    is_fifty_moves = endings.is_fifty_moves
    is_seventyfive_moves = endings.is_seventyfive_moves
    repetitions = endings.repetitions
    is_repetition = endings.is_repetition
    is_fivefold_repetition = endings.is_fivefold_repetition
    can_claim_draw = endings.can_claim_draw
    can_claim_fifty_moves = endings.can_claim_fifty_moves
    can_claim_threefold_repetition = endings.can_claim_threefold_repetition
    outcome = endings.outcome
    is_game_over = endings.is_game_over
    result = endings.result

    # Positions as text and pictures.
    fen = text.fen
    board_fen = text.board_fen
    shredder_fen = text.shredder_fen
    epd = text.epd
    set_epd = text.set_epd

    @classmethod
    def from_epd(cls, epd: str, chess960: bool | None = None, *, strict: bool = False) -> tuple[Self, dict[str, Any]]:
        """Return the position of an EPD and its operations. The counters of a FEN may stand before operations.

        ``bm``, ``am`` and ``pv`` become lists of moves. The operand of ``sm`` and ``pm`` becomes a move, and so does
        that of any other opcode if it has no quotes and is a legal move. Empty operations and a missing ``;`` at the
        end are accepted. An illegal move, a repeated opcode and an unclosed quote are errors.

        >>> Board.from_epd('4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+; pm Ra2; id "test 1";')[1]
        {'bm': [Move('a1a8')], 'pm': Move('a1a2'), 'id': 'test 1'}
        """
        return text.read_epd(cls, epd, chess960, strict)

    unicode = text.unicode
    svg = text.svg
    __str__ = text.drawing
    __repr__ = text.representation
    _repr_svg_ = text.notebook_picture

    # Copies, comparison, pickling.
    copy = copying.copy
    __copy__ = copying.copy
    __deepcopy__ = copying.deep_copy
    root = copying.root
    mirror = copying.mirror
    words = copying.words
    key = ReadOnly(copying.key)
    polyglot_key = ReadOnly(copying.polyglot_key)
    __eq__ = copying.is_equal
    __hash__ = None  # type: ignore[assignment]  # boards are mutable; use `key`
    __getstate__ = copying.state
    __setstate__ = copying.set_state
    from_chess = Constructor(copying.from_chess)
    to_chess = copying.to_chess

    # What subclasses may replace.
    _take = setup.take
    _the_legal_word = playing.the_legal_word
    _check_null = playing.check_null


# The functions name `Board` in annotations, which `typing.get_type_hints` evaluates in their modules.
for _module in (copying, dead_positions, endings, listing, notation, placing, playing, queries, rights, setup, text):
    vars(_module)["Board"] = Board

provide("Board", Board)
provide("starting row", rows.START_ROW)
provide("name of stack", ("stack",))
provide("LegalMoves", listing.LegalMoves)
provide("PseudoLegalMoves", listing.PseudoLegalMoves)
provide("piece types", (None, *PIECE_TYPES))
provide("letters of types", PIECE_SYMBOLS)
provide("colours", (None, True, False))
_SLOTS = {"turn": "_turn", "ep_square": "_ep_square", "halfmove_clock": "_clock", "fullmove_number": "_number"}
for _class in (Board, listing.LegalMoves, listing.PseudoLegalMoves):
    bind(_class, "rookery.board.kernels.compiled")
if show_slots(Board, _SLOTS):
    type.__setattr__(Board, "__setattr__", rights.assign)
