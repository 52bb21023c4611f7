"""The compiled functions behind `Board`, bound to the default technique.

A row is the position's ten words (see `position.Position`) in an array; the technique's state is prepared on the way
in, which costs nothing for the default.
"""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from rookery.bitboards.bits import bit
from rookery.bitboards.pieces import SLIDERS
from rookery.kernel import (
    U64,
    UNIVERSE,
    Bits,
    Entry,
    Square,
    entry,
    has_pext,
    kernel,
    once,
    trailing_zeros,
)
from rookery.protocol import QUESTIONS, answer_one, prepare
from rookery.rules.attacked import attacks_from, line_through
from rookery.rules.faults import faults_of, possible_castling, possible_en_passant
from rookery.rules.generate import (
    EMPTY_BISHOP,
    EMPTY_ROOK,
    MOST_MOVES,
    Count,
    List,
    attackers_of,
    checkers_of,
    generate,
    pin_rays,
)
from rookery.rules.legality import legal_en_passant, word_of_legal
from rookery.rules.material import insufficient_sides
from rookery.rules.position import WORDS, make, passed, prepared, read, write
from rookery.rules.zobrist import key_difference, key_of
from rookery.technique import Card, Kernels, NoTables, Technique
from rookery.techniques import technique

IN_CHECK = 1 << 12  # more than the moves of any position
OTHER_EN_PASSANT: Final = 11  # word of a board's row: the en-passant square that applies when the turn is assigned back
ROOK, BISHOP = QUESTIONS["rook"], QUESTIONS["bishop"]


@once
def default_technique() -> Technique:
    """Return the fastest technique for one position at a time: PEXT where the CPU has it, else fancy magics.

    Its tables are frozen into the machine code: with the tables as an argument perft was a fifth slower, although the
    scalar generator alone is 5 % faster with it (AMD Zen 5).
    """
    unbound = technique("pext" if has_pext() else "magic-fancy")
    tables = unbound.tables()
    rook_attacks, bishop_attacks = unbound.kernel_of("rook"), unbound.kernel_of("bishop")

    @kernel
    def rook(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        return rook_attacks(sq, occupied, tables)

    @kernel
    def bishop(sq: Square, occupied: Bits, t: NoTables) -> Bits:
        return bishop_attacks(sq, occupied, tables)

    return Technique(
        Card(
            name=unbound.name,
            summary=f"{unbound.summary}; tables bound",
            authors=unbound.authors,
            year=unbound.year,
            source=unbound.source,
            needs=unbound.needs,
            kernels=Kernels(rook=rook, bishop=bishop),
        )
    )


# For queries about a square.
answer_one.declare(
    lambda: [(QUESTIONS[slider], 0, U64(0), default_technique().tables()) for slider in SLIDERS.values()]
)

_ROW, _MOVES = np.zeros(WORDS, U64), np.zeros(MOST_MOVES, np.uint16)
_WORD: Final = U64(0)

# What `Compiled` has, by name: the entry, and examples of its arguments before the tables.
_FUNCTIONS: Final[dict[str, tuple[Entry, tuple[Any, ...]]]] = {}
_WITHOUT_TABLES: Final[set[str]] = set()


def board_entry(*examples: Any, tables: bool = True) -> Callable[[Callable[..., Any]], Entry]:
    """Return a decorator that makes an entry of a function and adds it to `Compiled`, with examples of its arguments.

    The tables of the default technique are the last argument, unless not `tables`.
    """

    def declared(function: Callable[..., Any]) -> Entry:
        made = entry(examples=lambda: (*examples, *([default_technique().tables()] if tables else [])))(function)
        _FUNCTIONS[function.__name__] = made, examples
        if not tables:
            _WITHOUT_TABLES.add(function.__name__)
        return made

    return declared


@board_entry(_ROW, _MOVES, _WORD, _WORD)
def legal(row: Any, moves: Any, noisy: Any, quiet: Any, t: Any) -> Any:
    """Write the legal moves and return their number."""
    return generate(prepared(row, t), t, List(moves), noisy, quiet)


@board_entry(_ROW, _WORD)
def word_of(row: Any, move: Any, t: Any) -> Any:
    """Return the word of the legal move with the squares and the promotion of `move`, or 0."""
    return word_of_legal(prepared(row, t), move, t)


@board_entry(_ROW)
def moves_and_check(row: Any, t: Any) -> Any:
    """Return the number of legal moves, plus `IN_CHECK` if the side to move is in check."""
    p = prepared(row, t)
    n = generate(p, t, Count(), UNIVERSE, UNIVERSE)
    return n + (IN_CHECK if checkers_of(p, t) else 0)


@board_entry(_ROW, _WORD, _WORD)
def play(row: Any, move: Any, key: Any, t: Any) -> Any:
    """Make a legal move on a row, in place, and return the new Zobrist key."""
    p = prepared(row, t)
    q = make(p, move, t)
    write(row, q)
    row[OTHER_EN_PASSANT] = 0
    return key ^ key_difference(p, q, t)


@board_entry(_ROW, _WORD)
def pass_turn(row: Any, key: Any, t: Any) -> Any:
    """Make the null move on a row, in place, and return the new Zobrist key."""
    p = prepared(row, t)
    q = passed(p)
    write(row, q)
    row[OTHER_EN_PASSANT] = 0
    return key ^ key_difference(p, q, t)


@board_entry(_ROW)
def zobrist(row: Any, t: Any) -> Any:
    """Return the Zobrist key."""
    return key_of(prepared(row, t), t)


@board_entry(_ROW)
def checkers(row: Any, t: Any) -> Any:
    """Return the pieces that give check to the side to move."""
    return checkers_of(prepared(row, t), t)


@board_entry(_ROW)
def en_passant_captures(row: Any, t: Any) -> Any:
    """Return the number of legal en-passant captures."""
    return legal_en_passant(prepared(row, t), t)


@board_entry(_ROW, _WORD)
def gives_check(row: Any, move: Any, t: Any) -> Any:
    """Return the pieces that give check after a legal move."""
    return checkers_of(make(prepared(row, t), move, t), t)


@board_entry(_ROW, _WORD)
def check_after(row: Any, move: Any, t: Any) -> Any:
    """Return 2 if a legal move mates, 1 if it gives check, else 0."""
    p = make(prepared(row, t), move, t)
    if not checkers_of(p, t):
        return 0
    return 1 if generate(p, t, Count(), UNIVERSE, UNIVERSE) else 2


@board_entry(_ROW, _WORD, _WORD, _WORD)
def attackers(row: Any, black: Any, square: Any, occupied: Any, t: Any) -> Any:
    """Return the pieces of a side that attack a square, where `occupied` blocks sliders."""
    p = prepared(row, t)
    if p.turn == black:  # the question is about the side that is not to move
        p = passed(p)
    return attackers_of(p, square, prepare(occupied, t), t)


@board_entry(_ROW, _WORD)
def attacked_from(row: Any, square: Any, t: Any) -> Any:
    """Return the squares that the piece on a square attacks; empty if the square is."""
    return attacks_from(prepared(row, t), square, t)


@board_entry(_ROW, _WORD, _WORD)
def pin_line(row: Any, black: Any, square: Any, t: Any) -> Any:
    """Return the line, edge to edge, on which a side's piece on a square is pinned to its king, or an empty board."""
    p = prepared(row, t)
    us, them = (p.us, p.them) if p.turn == black else (p.them, p.us)
    king, piece = p.kings & us, bit(square) & us
    if not king or not piece:
        return 0
    k = trailing_zeros(king)
    snipers = p.orthogonals & EMPTY_ROOK[k] if EMPTY_ROOK[k] & piece else p.diagonals & EMPTY_BISHOP[k]
    rays = pin_rays(snipers & them, k, us, p.us | p.them)
    return line_through(k, square) if rays & piece else 0


@board_entry(_ROW)
def faults(row: Any, t: Any) -> Any:
    """Return the mask of all faults, see `rookery.rules.faults`."""
    return faults_of(prepared(row, t), t)


@board_entry(_ROW, tables=False)
def insufficient(row: Any) -> Any:
    """Return which sides cannot mate: bit 0 is the side to move, bit 1 the other."""
    return insufficient_sides(read(row, 0))


@kernel
def _drop_rights(row: Any) -> None:
    p = read(row, 0)
    row[7] = possible_castling(p)
    row[8] = possible_en_passant(p)


@board_entry(_ROW, tables=False)
def drop_impossible_rights(row: Any) -> None:
    """Drop the castling rights and the en-passant square that the pieces rule out, in place."""
    _drop_rights(row)


@board_entry(_ROW, _WORD, _WORD, _WORD, tables=False)
def put(row: Any, square: Any, boards: Any, white: Any) -> None:
    """Replace what is on a square, in place, and drop the rights that this rules out.

    The new piece is on those of the first five words that `boards` has a bit for; 0 leaves the square empty.
    """
    piece = bit(square)
    for i in range(7):
        row[i] &= ~piece
    for i in range(5):
        if boards >> i & 1:
            row[i] |= piece
    if boards:
        row[5 if white != row[9] else 6] |= piece
    _drop_rights(row)


class Compiled:
    """The functions above as machine code for the default technique, called without the look-up of types.

    Each is compiled, or loaded from the cache, on first use: a board that is never edited does not wait for what
    changes one.
    """

    def __init__(self) -> None:
        self.tables = default_technique().tables()

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name not in _FUNCTIONS:
            raise AttributeError(f"there is no compiled function {name!r}")
        function, examples = _FUNCTIONS[name]
        code = function.resolve(*examples, *(() if name in _WITHOUT_TABLES else (self.tables,)))
        setattr(self, name, code)
        return code


@once
def compiled() -> Compiled:
    """Return the shared instance, created on first use."""
    return Compiled()
