"""Twins for tests: a small board, and the kernels behind its methods."""

from collections.abc import Callable
from typing import Any

from rookery.native_methods import kinds, twins

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def tables() -> tuple[()]:
    """Return no tables: the kernels here need none."""
    return ()


def machine_code_of(name: str) -> twins.Bound | None:
    """Return the machine code of a native function of this module."""
    return twins.twin_of(name, tables)


def declared(*arguments: Any, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Declare a kernel of this module under the name of its function."""

    def decorate(function: Callable[..., Any]) -> Any:
        return kinds.machine_code(f"Small.{function.__name__}", *arguments, tables=False, **options)(function)

    return decorate


@declared(kinds.ROW, returns=kinds.INT)
def first_word(row: Any) -> Any:
    return row[0]


@declared(kinds.ROW, kinds.SQUARE, returns=kinds.BOOL)
def has(row: Any, square: Any) -> Any:
    return (row[0] >> square) & 1


@declared(kinds.ROW, kinds.COLOUR, kinds.PIECE_TYPE, kinds.MOVE, returns=kinds.INT)
def summed(row: Any, colour: Any, piece_type: Any, move: Any) -> Any:
    return row[13] + colour + 2 * piece_type + 16 * move


@declared(kinds.BITBOARD_ARGUMENT, returns=kinds.BITBOARD)
def same_board(board: Any) -> Any:
    return board


@declared(kinds.TEXT, kinds.out_text(128), returns=kinds.TEXT_OF, refuses=True)
def reversed_text(text: Any, length: Any, out: Any) -> Any:
    if not length:
        return kinds.REFUSED
    for i in range(length):
        out[i] = text[length - 1 - i]
    return length


@declared(kinds.ROW, kinds.HISTORY, returns=kinds.INT)
def plies(row: Any, rows: Any, number: Any) -> Any:
    return number


@declared(kinds.ROW, returns=kinds.BITBOARD, getter=True)
def board(row: Any) -> Any:
    return row[0]


@declared(kinds.ROW, kinds.MOVE, kinds.OUT_ROW, returns=kinds.PUSH, refuses=True)
def push(row: Any, move: Any, out: Any) -> Any:
    if not move:
        return kinds.REFUSED
    for i in range(13):
        out[i] = row[i]
    out[13] = move
    return 0


@declared(kinds.ROW, returns=kinds.POP)
def pop(row: Any) -> Any:
    return row[13]


@declared(kinds.ROW, kinds.OUT_MOVES, returns=kinds.MOVE_LIST)
def moves(row: Any, out: Any) -> Any:
    for i in range(row[0]):
        out[i] = i
    return row[0]


@declared(kinds.ROW, kinds.OTHER_ROW, returns=kinds.BOOL)
def equals(row: Any, other: Any) -> Any:
    return row[0] == other[0]


@declared(kinds.ROW, returns=kinds.INT, slot="__len__")
def __len__(row: Any) -> Any:  # noqa: N807  # the name of the operator
    return row[0]


@declared(kinds.ROW, kinds.SQUARE, returns=kinds.BOOL, slot="__contains__")
def __contains__(row: Any, square: Any) -> Any:  # noqa: N807
    return (row[0] >> square) & 1


@declared(kinds.ROW, kinds.OTHER_ROW, returns=kinds.BOOL, slot="__eq__")
def __eq__(row: Any, other: Any) -> Any:  # noqa: N807
    return row[0] == other[0]


@declared(returns=kinds.COPY)
def copy() -> Any:
    return 1
