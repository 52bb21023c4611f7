"""Legal moves, checks, pins, FEN, SAN and perft in the module: the kernels of `rookery.rules` and `rookery.counting`.

The functions work on arrays of the module, whose addresses are exported by their names:

    position   the words of a position, as in `rookery.rules.position`
    moves      16 bits a move, after `legal_moves`
    text       a FEN that is read or was written, or a move in SAN
    report     what the reader of FEN reports: two counters, and the place of a refused character
"""

from typing import Any, Final, NamedTuple

import numpy as np

from rookery.counting import tree
from rookery.counting.visitors import Leaves, Stack, empty_stack
from rookery.kernel import U64, UNIVERSE, trailing_zeros
from rookery.kernel.webassembly import SMALL, Assembly, Exported
from rookery.rules import faults, generate, legality
from rookery.rules.constants import MOST_MOVES, REPORT, SIX_BITS, WORDS
from rookery.rules.notation import fen, fen_writer, san_writer
from rookery.rules.position import make, prepared, store
from rookery.rules.sliders import attacks_from

MOST_PLIES: Final = 16
TEXT: Final = 256  # bytes; a longer FEN is refused
_LEAVES: Final = Leaves()


class Arrays(NamedTuple):
    """The arrays of the module."""

    position: Any
    moves: Any
    text: Any
    report: Any
    stack: Stack
    where: Any


def add_positions(assembly: Assembly, tables: Any) -> None:
    """Add the functions, given the tables of the technique that answers for sliders."""

    def shared(name: str, array: Any) -> Any:
        return assembly.space(name, array, is_exported=True)

    position, moves = shared("position", np.zeros(WORDS, U64)), shared("moves", np.zeros(MOST_MOVES, np.uint16))
    text, report = shared("text", np.zeros(TEXT, np.uint8)), shared("report", np.zeros(REPORT, np.int64))
    fields = zip(Stack._fields, empty_stack(MOST_PLIES), strict=True)
    stack = Stack._make(assembly.space(f"stack:{name}", array) for name, array in fields)
    where = assembly.space("where", np.zeros(2, U64))
    for exported in (
        Exported("read_fen", _read_fen, (text, position, report, SMALL), "i32"),
        Exported("write_fen", _write_fen, (text, position, tables), "i32"),
        Exported("faults", _faults, (position, tables)),
        Exported("legal_moves", _legal_moves, (position, moves, tables), "i32"),
        Exported("write_san", _write_san, (text, position, SMALL, tables), "i32"),
        Exported("make_move", _make_move, (position, SMALL, tables)),
        Exported("checkers", _checkers, (position, tables)),
        Exported("pinned", _pinned, (position, tables)),
        Exported("attacks_from", _attacks_from, (position, SMALL, tables)),
        Exported("begin_perft", _begin_perft, (position, stack, where, tables), "i32"),
        Exported("continue_perft", tree.walk.function, (_LEAVES, stack, where, SMALL, SMALL, SMALL, tables)),
        Exported("perft_is_done", _is_done, (where,), "i32"),
    ):
        assembly.add(exported)


def _read_fen(text: Any, position: Any, report: Any, length: Any) -> Any:
    """Read the text as a FEN; return 0, or why it is refused (`rookery.rules.notation.fen_reasons`)."""
    return fen.read_fen(text, 0, length, position, report, 0, 0)


def _write_fen(text: Any, position: Any, t: Any) -> Any:
    """Write the first four fields of the FEN; return their length."""
    p = prepared(position, t)
    return fen_writer.write_fields(text, 0, p, legality.legal_en_passant_target(p, t), 0)


def _faults(position: Any, t: Any) -> Any:
    """Return the faults of the position, see `rookery.rules.faults`; 0 if it can be played on."""
    return faults.faults_of(prepared(position, t), t)


def _legal_moves(position: Any, moves: Any, t: Any) -> Any:
    """List the legal moves; return their number."""
    return generate.generate(prepared(position, t), t, generate.List(moves), UNIVERSE, UNIVERSE)


def _write_san(text: Any, position: Any, move: Any, t: Any) -> Any:
    """Write a legal move; return the length of the text."""
    return san_writer.write_san(text, 0, prepared(position, t), move, 0, t)


def _make_move(position: Any, move: Any, t: Any) -> None:
    """Make a legal move."""
    store(position, make(prepared(position, t), move, t))


def _checkers(position: Any, t: Any) -> Any:
    """Return the pieces that give check."""
    return generate.checkers_of(prepared(position, t), t)


def _pinned(position: Any, t: Any) -> Any:
    """Return the pieces of the side to move that are pinned to their king."""
    p = prepared(position, t)
    king = p.kings & p.us
    safety = generate.safety_of(generate.Nothing(), p, t, trailing_zeros(king) & SIX_BITS)
    return (safety.pin_d | safety.pin_o) & p.us if king else U64(0)


def _attacks_from(position: Any, square: Any, t: Any) -> Any:
    """Return the squares that the piece on a square attacks."""
    return attacks_from(prepared(position, t), square & SIX_BITS, t)


def _begin_perft(position: Any, stack: Any, where: Any, t: Any) -> Any:
    """Begin to count the leaves below the position; return the number of its moves.

    ``continue_perft(depth - 2, depth, steps)`` then returns the leaves of a part of the tree, until `perft_is_done`.
    """
    p = prepared(position, t)
    store(stack.rows[0], p)
    where[0] = where[1] = 0
    stack.nexts[0] = stack.leaves[0] = 0
    stack.numbers[0] = generate.generate(p, t, generate.List(stack.moves[0]), UNIVERSE, UNIVERSE)
    return stack.numbers[0]


def _is_done(where: Any) -> Any:
    """Return 1 after the whole tree has been counted."""
    return where[1]
