"""The row of a board: a position, its counters and the move that led to it, as 14 words of 64 bits in `bytes`.

Words 0 to 9 are those of `rookery.rules.position.Position`: pawns, knights, diagonals (bishops and queens),
orthogonals (rooks and queens), kings, the pieces of the side to move (`US`) and of the other side (`THEM`), the rooks
that may still castle, the en-passant square as a board, and the turn (0 is white). The others are

`CLOCK`      plies since the last capture or pawn move
`RETURNING`  the en-passant square, as a board, that applies when the turn is assigned back
`NUMBER`     the number of the next move
`MOVE`       the word of the move that led here, with its kind; 0 for none and for the null move

A row is never changed: each move makes a new one. Copies of a board and histories share rows, and any number of threads
may read them.
"""

import sys
from collections.abc import Callable, Iterable
from struct import Struct
from typing import TYPE_CHECKING, Any, Final

from rookery.lazy_imports import Named, import_later
from rookery.rules.notation.start import START_POSITION

if TYPE_CHECKING:
    from rookery.bitboards.line_tables import BETWEEN as BETWEEN
    from rookery.board.kernels.compiled import compiled as compiled
    from rookery.board.reasons import faults_in_words as faults_in_words
    from rookery.board.reasons import san_refusal as san_refusal
    from rookery.frames.array_arguments import board_array as board_array
    from rookery.rules.compiled import default_technique as default_technique
    from rookery.rules.constants import MOST_MOVES as MOST_MOVES
    from rookery.rules.exchange_search import SPACE_BYTES as SPACE_BYTES
    from rookery.rules.faults import UNREACHABLE as UNREACHABLE
    from rookery.rules.legality import sources_code as sources_code
    from rookery.rules.notation import epd as epd
    from rookery.rules.notation import fen
    from rookery.rules.notation.fen import parse_fen as parse_fen
    from rookery.rules.notation.fen_writer import four_fields as four_fields
    from rookery.rules.notation.fen_writer import target_next_to_pawn as target_next_to_pawn
    from rookery.rules.notation.san_reader import REFUSED as REFUSED
    from rookery.rules.notation.san_reader import move_of as move_of
    from rookery.rules.notation.san_writer import san_of as san_of
    from rookery.rules.notation.start import fen_of as fen_of
    from rookery.rules.notation.start import number_of as number_of
    from rookery.rules.sliders import fronts as fronts
    from rookery.rules.sliders import shields as shields
    from rookery.rules.sliders import slide_on as slide_on
    from rookery.techniques.kogge_stone import KOGGE_STONE as KOGGE_STONE
else:
    fen = Named("rookery.rules.notation.fen")
    # What Python bodies need besides rows. It needs NumPy, which boards that only run native code do not import.
    __getattr__ = import_later(
        "rookery.board.rows",
        {
            "rookery.frames.array_arguments": "board_array",
            "rookery.board.reasons": "faults_in_words san_refusal",
            "rookery.rules.notation": "epd",
            "rookery.rules.notation.fen": "parse_fen",
            "rookery.rules.notation.fen_writer": "four_fields target_next_to_pawn",
            "rookery.rules.notation.san_reader": "REFUSED move_of",
            "rookery.rules.notation.san_writer": "san_of",
            "rookery.board.kernels.compiled": "compiled",
            "rookery.rules.compiled": "default_technique",
            "rookery.rules.exchange_search": "SPACE_BYTES",
            "rookery.rules.faults": "UNREACHABLE",
            "rookery.bitboards.line_tables": "BETWEEN",
            "rookery.rules.constants": "MOST_MOVES",
            "rookery.rules.legality": "sources_code",
            "rookery.rules.sliders": "fronts shields slide_on",
            "rookery.rules.notation.start": "fen_of number_of",
            "rookery.techniques.kogge_stone": "KOGGE_STONE",
        },
    )

PAWNS, KNIGHTS, DIAGONALS, ORTHOGONALS, KINGS, US, THEM, CASTLING, EN_PASSANT, TURN = range(10)
CLOCK, RETURNING, NUMBER, MOVE = range(10, 14)
WORDS: Final = 14
POSITION: Final = 10  # words of a position alone

_LAYOUT: Final = Struct(f"={WORDS}Q")
_WORD: Final = 8  # bytes
unpack: Final[Callable[[bytes], tuple[int, ...]]] = _LAYOUT.unpack
MOST_COUNTED: Final = 999_999_999  # the largest counter that a FEN can hold
MASKS: Final = tuple(1 << square for square in range(64))  # an index takes less time than a shift


def packed(words: Iterable[int]) -> bytes:
    """Return the row of 14 words.

    >>> len(packed([0] * WORDS))
    112
    """
    return _LAYOUT.pack(*words)


def row_of(position: Iterable[int], clock: int = 0, number: int = 1, returning: int = 0) -> bytes:
    """Return the row of the ten words of a position, to which no move has led."""
    return _LAYOUT.pack(*position, clock, returning, number, 0)


START_ROW: Final = row_of(START_POSITION)


def row_of_parsed(parsed: "fen.Parsed") -> bytes:
    """Return the row of a FEN that has been read."""
    return row_of(parsed.words.tolist()[:POSITION], parsed.halfmove_clock, parsed.fullmove_number)


def replaced(row: bytes, index: int, word: int) -> bytes:
    """Return a row with another word at an index.

    >>> unpack(replaced(bytes(112), CLOCK, 7))[CLOCK]
    7
    """
    begin = index * _WORD
    return row[:begin] + word.to_bytes(_WORD, sys.byteorder) + row[begin + _WORD :]


def as_array(row: bytes) -> Any:
    """Return a new array of uint64 with the words of a row, as compiled functions take them.

    They may write to it: `tobytes` makes a row of the result.
    """
    import numpy as np

    return np.frombuffer(bytearray(row), np.uint64)


def _compiled() -> Any:
    from rookery.board.kernels.compiled import compiled

    return compiled()


def has_legal_target(row: bytes) -> bool:
    """Check whether an en-passant capture is legal in a position."""
    if not unpack(row)[EN_PASSANT]:
        return False
    code = _compiled()
    return bool(code.has_legal_en_passant(as_array(row), code.tables))


def with_possible_rights(row: bytes) -> bytes:
    """Return a row without the castling rights and the en-passant square that the pieces rule out."""
    out = as_array(row)
    _compiled().with_possible_rights(as_array(row), out)
    possible: bytes = out.tobytes()
    return possible


def is_same_position(a: bytes, b: bytes) -> bool:
    """Check whether pieces, side to move, castling rights and legal en-passant captures of two rows are equal."""
    ours, theirs = unpack(a), unpack(b)
    if ours[:EN_PASSANT] != theirs[:EN_PASSANT] or ours[TURN] != theirs[TURN]:
        return False
    target, other = ours[EN_PASSANT], theirs[EN_PASSANT]
    return target == other or (target if has_legal_target(a) else 0) == (other if has_legal_target(b) else 0)
