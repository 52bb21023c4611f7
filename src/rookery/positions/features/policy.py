"""Policy masks: which moves of a network's move list are legal, and conversions between moves and indices.

`rookery.positions.features.move_lists` describes the lists. A list has a table for each side to move.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import PolicyLayout
from rookery.arguments import is_number, not_a_board, shown
from rookery.board.board import Board
from rookery.board.listing import words_of_moves
from rookery.board.moves import Move
from rookery.board.playing import legal_word, move_of
from rookery.kernel import U64, UNIVERSE, array_of, entry, signed
from rookery.positions.features.move_lists import NONE, MoveList, move_list
from rookery.positions.kernels.lanes import load, position
from rookery.positions.kernels.moves import move_room
from rookery.positions.layout import BLACK_TO_MOVE, Columns, empty_columns
from rookery.positions.moves import judged
from rookery.positions.threads import each_in_threads, over, part_of, spans
from rookery.rules.compiled import default_technique
from rookery.rules.generate import List, generate

NO_INDEX, ILLEGAL = np.int32(-1), np.int32(-2)

# Masks cleared at once: long runs are cleared without being read first (186 ns a leela mask; one by one, 229).
CLEARED: Final = 16

_NONE = np.uint16(NONE)
_NO_MOVE = np.uint16(0)
_ONE_BYTE, _NO_BYTE = np.uint8(1), np.uint8(0)


@entry(
    examples=lambda: (
        move_room(),
        empty_columns(1),
        array_of(np.uint16, 2),
        array_of(np.uint8),
        0,
        default_technique().tables(),
    )
)
@signed
def fill_dense(moves: Any, c: Any, table: Any, flat: Any, width: Any, t: Any) -> None:
    """Write a byte for each index: `flat` has `width` of them for each position."""
    rows = c.state.size
    for start in range(0, rows, CLEARED):
        stop = min(start + CLEARED, rows)
        cleared = flat[start * width : stop * width]
        for k in range(cleared.size):
            cleared[k] = _NO_BYTE
        for i in range(start, stop):
            p = load(c, i)
            n = generate(position(p, t), t, List(moves), UNIVERSE, UNIVERSE)
            black = p.state & BLACK_TO_MOVE
            row = U64(i) * U64(width)
            for m in range(n):
                index = table[black, moves[m]]
                if index != _NONE:
                    flat[row + U64(index)] = _ONE_BYTE


@entry(
    examples=lambda: (
        move_room(),
        empty_columns(1),
        array_of(np.uint16, 2),
        array_of(np.uint8, 2),
        default_technique().tables(),
    )
)
def fill_packed(moves: Any, c: Any, table: Any, out: Any, t: Any) -> None:
    """Write a bit for each index, the lowest first: `out` is (n, bytes)."""
    for i in range(out.shape[0]):
        p = load(c, i)
        n = generate(position(p, t), t, List(moves), UNIVERSE, UNIVERSE)
        black = p.state & BLACK_TO_MOVE
        for k in range(out.shape[1]):
            out[i, k] = _NO_BYTE
        for m in range(n):
            index = table[black, moves[m]]
            if index != _NONE:
                out[i, index >> 3] |= np.uint8(1 << (index & 7))


def write_masks(c: Columns, layout: MoveList, out: NDArray[np.uint8], packed: bool, threads: int) -> None:
    """Write the mask of each position: a row of `out`, of bits if `packed`, else of bytes."""
    n, width = out.shape
    tables = default_technique().tables()
    if packed:
        over(fill_packed, threads, n, c, layout.table, out, tables, room=move_room)
        return
    cuts = spans(n, threads)
    if len(cuts) == 1:
        fill_dense(move_room(), c, layout.table, out.reshape(-1), width, tables)
        return
    parts = [(part_of(c, a, b, n), layout.table, out[a:b].reshape(-1), width, tables) for a, b in cuts]
    for _ in each_in_threads(lambda part: fill_dense(move_room(), *part), parts, threads):
        pass


def indices_of(c: Columns, table: NDArray[np.uint16], moves: NDArray[np.uint16], threads: int) -> NDArray[np.int32]:
    """Return the index of one move of each position; `ILLEGAL` or `NO_INDEX` if it has none."""
    found = table[c.state & BLACK_TO_MOVE, moves]
    legal = (judged(c, moves, threads) != 0) & (moves != 0)
    indices = np.where(found == _NONE, NO_INDEX, found.astype(np.int32))
    return np.where(legal, indices, ILLEGAL).astype(np.int32)


@entry(
    examples=lambda: (
        move_room(),
        empty_columns(1),
        array_of(np.uint16, 2),
        array_of(np.int32),
        array_of(np.uint16),
        default_technique().tables(),
    )
)
def moves_of(moves: Any, c: Any, table: Any, given: Any, out: Any, t: Any) -> None:
    """Write the legal move of each position that has the given index; 0 if none has."""
    for i in range(out.size):
        p = load(c, i)
        black = p.state & BLACK_TO_MOVE
        out[i] = _NO_MOVE
        for m in range(generate(position(p, t), t, List(moves), UNIVERSE, UNIVERSE)):
            if table[black, moves[m]] == given[i]:
                out[i] = moves[m]


def _check_board(board: Board) -> None:
    if not isinstance(board, Board):
        raise not_a_board("board", board)


def move_to_index(move: int, board: Board, layout: PolicyLayout = "alphazero") -> int:
    """Return the index of a legal move of a board; ValueError if it is not legal, or has no index.

    >>> board = Board()
    >>> move_to_index(board.parse_uci("e2e4"), board)
    877
    >>> move_to_index(board.parse_uci("g1f3"), board, "leela")
    159
    """
    chosen = move_list(layout)
    _check_board(board)
    word = legal_word(board, move)
    if not word:
        raise ValueError(f"move: {board.uci(move)} is not legal in {board.fen()}")
    index = int(chosen.table[int(not board.turn), word])
    if index == NONE:
        raise ValueError(f"move: {board.uci(move)} has no index in the layout {layout!r}")
    return index


def index_to_move(index: int, board: Board, layout: PolicyLayout = "alphazero") -> Move:
    """Return the legal move of a board that has an index; ValueError if none has.

    >>> index_to_move(877, Board())
    Move('e2e4')
    >>> index_to_move(159, Board(), "leela")
    Move('g1f3')
    """
    chosen = move_list(layout)
    _check_board(board)
    if not is_number(index):
        raise TypeError(f"index: {shown(index)}: expected an int from 0 to {chosen.size - 1}")
    if not 0 <= index < chosen.size:
        raise ValueError(f"index: {shown(int(index))}: expected 0 to {chosen.size - 1} in the layout {layout!r}")
    for word in words_of_moves(board, UNIVERSE, UNIVERSE):
        if chosen.table[int(not board.turn), word] == index:
            return move_of(board, word)
    raise ValueError(f"index: {index} ({chosen.meaning(index)}) is not a legal move in {board.fen()}")
