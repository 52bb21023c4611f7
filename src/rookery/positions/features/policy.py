"""Policy masks: which moves of a network's fixed move list are legal, and conversions between moves and indices.

Indices are seen from the side to move: where black is to move, moves are flipped vertically, as the boards are.

``alphazero``, 4,672 indices: 64 source squares (a1 = 0, b1 = 1, ...) times 73 kinds of move, so that a mask reshaped to
(n, 8, 8, 73) is indexed by rank, file and kind.

==========  ===================================================================================================
kinds       meaning
==========  ===================================================================================================
0-55        queen-like: 7 times the direction (n, ne, e, se, s, sw, w, nw) plus the distance (1 to 7) less 1. A
            pawn that reaches the last rank becomes a queen. Castling is the king's move to the c-file or g-file.
56-63       knight-like, clockwise: nne, ene, ese, sse, ssw, wsw, wnw, nnw
64-72       underpromotion: 3 times the direction (nw, n, ne) plus knight 0, bishop 1, rook 2
==========  ===================================================================================================

In Chess960 a castling king may stay where it is, or move to the next square as it could without castling. Such castling
is encoded as the king's move to the rook's square. No position has two legal moves of the same index.

Source: David Silver et al., "A general reinforcement learning algorithm that masters chess, shogi, and Go through
self-play", Science 362, 2018, supplement. The paper does not fix the order; this one is that of the Python package
gym-chess (which rotates the board for black, where we flip it); those of OpenSpiel and PettingZoo differ.

``leela``, 1,858 indices, in the order of Leela Chess Zero. First come, by source square and then by target, all 1,792
pairs that a queen's move or a knight's move joins. Then, for each of the 22 ways of a pawn to the last rank, come the
promotions to queen, rook and bishop. A promotion to knight has the plain pair; castling is king takes rook, in
classical chess, too.
"""

import functools
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import PolicyLayout
from rookery.arguments import choice, is_number, not_a_board, shown
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.board.board import Board
from rookery.board.listing import words_of_moves
from rookery.board.moves import CASTLING, EN_PASSANT, Move, word_of
from rookery.board.playing import legal_word, move_of
from rookery.kernel import U64, UNIVERSE, Word, array_of, entry, kernel, signed
from rookery.positions.kernels.lanes import Lane, load, position
from rookery.positions.kernels.moves import move_room
from rookery.positions.layout import BLACK_TO_MOVE, Columns, empty_columns
from rookery.positions.moves import judged
from rookery.positions.threads import each_in_threads, over, part_of, spans
from rookery.rules.compiled import default_technique
from rookery.rules.generate import List, generate

# Steps up and to the right, in the order of the alphazero layout.
_COMPASS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_LEAPS: Final = ((2, 1), (1, 2), (-1, 2), (-2, 1), (-2, -1), (-1, -2), (1, -2), (2, -1))

NONE: Final = 0xFFFF  # table entry of moves without an index
NO_INDEX, ILLEGAL = np.int32(-1), np.int32(-2)

# Masks cleared at once: long runs are cleared without being read first (186 ns a leela mask; one by one, 229).
CLEARED: Final = 16

_NONE = np.uint16(NONE)
_NO_MOVE = np.uint16(0)
_FLIP = 0o70 | 0o70 << 6  # the rank bits of source and target
_ONE_BYTE, _NO_BYTE = np.uint8(1), np.uint8(0)


class Layout(NamedTuple):
    """A list of moves: the text of each index, as a move of white ("" for none), and a table from words to indices."""

    texts: tuple[str, ...]
    table: NDArray[np.uint16]

    @property
    def size(self) -> int:
        """Return the number of indices."""
        return len(self.texts)

    def meaning(self, index: int) -> str:
        """Return the meaning of an index as the mover sees it: ``e2e4``, or ``no move`` if it leads off the board."""
        return (self.texts[index] if 0 <= index < self.size else "") or "no move"

    @property
    def packed_size(self) -> int:
        """Return the number of bytes in a packed mask, with one bit for each index."""
        return (self.size + 7) // 8


def _text(source: int, up: int, right: int) -> str:
    """Return a step from a square as text, like ``e2e4``; empty if it leads off the board."""
    rank, file = source // 8 + up, source % 8 + right
    if not (0 <= rank < 8 and 0 <= file < 8):
        return ""
    return SQUARE_NAMES[source] + SQUARE_NAMES[8 * rank + file]


def alphazero_texts() -> list[str]:
    """Return the texts of the 4,672 indices; a pawn on its last rank becomes a queen if its text names no piece."""
    texts = []
    for source in range(64):
        texts += [_text(source, up * n, right * n) for up, right in _COMPASS for n in range(1, 8)]
        texts += [_text(source, up, right) for up, right in _LEAPS]
        ways = [_text(source, 1, right) if source // 8 == 6 else "" for right in (-1, 0, 1)]
        texts += [way and way + piece for way in ways for piece in "nbr"]
    return texts


def leela_texts() -> list[str]:
    """Return the texts of the 1,858 indices; a pawn on its last rank becomes a knight if its text names no piece.

    >>> texts = leela_texts()
    >>> len(texts)
    1858
    >>> texts[:3]
    ['a1b1', 'a1c1', 'a1d1']
    >>> texts[1791:1796]
    ['h8g8', 'a7a8q', 'a7a8r', 'a7a8b', 'a7b8q']
    >>> texts[-1]
    'h7h8b'
    """
    steps = [(up * n, right * n) for up, right in _COMPASS for n in range(1, 8)] + list(_LEAPS)
    texts = []
    for source in range(64):
        targets = {_text(source, up, right) for up, right in steps} - {""}
        texts += sorted(targets, key=lambda text: (text[3], text[2]))
    ways = [_text(source, 1, right) for source in range(48, 56) for right in (-1, 0, 1)]
    return texts + [way + piece for way in ways if way for piece in "qrb"]


def _castling_text(name: str, king: int, rook: int) -> str:
    file = 6 if rook > king else 2
    if name == "alphazero" and abs(king % 8 - file) > 1:
        return SQUARE_NAMES[king] + SQUARE_NAMES[king // 8 * 8 + file]
    return SQUARE_NAMES[king] + SQUARE_NAMES[rook]


_TEXTS: Final = {"alphazero": alphazero_texts, "leela": leela_texts}


def layout_of(name: str) -> Layout:
    """Return one of the two layouts by its name."""
    choice("layout", name, _TEXTS)
    return _layout_of(name)


@functools.cache
def _layout_of(name: str) -> Layout:
    texts = tuple(_TEXTS[name]())
    plain = "q" if name == "alphazero" else "n"
    table = np.full((1, 1 << 16), NONE, np.uint16)
    squares = range(64)
    castlings = {(k, r): _castling_text(name, k, r) for k in squares for r in squares if k // 8 == r // 8 and k != r}
    indices = {text: index for index, text in enumerate(texts) if text}
    for text, index in indices.items():
        source, target = SQUARE_NAMES.index(text[:2]), SQUARE_NAMES.index(text[2:4])
        if len(text) == 4:
            table[0, word_of(source, target)] = index
            table[0, word_of(source, target, kind=EN_PASSANT)] = index
        if len(text) == 5 or (source // 8 == 6 and target // 8 == 7 and abs(source % 8 - target % 8) < 2):
            table[0, word_of(source, target, text[4:] or plain)] = index
    for (king, rook), text in castlings.items():
        table[0, word_of(king, rook, kind=CASTLING)] = indices[text]
    return Layout(texts, table)


# Tables are (1, 65536): `rookery.positions.threads` divides arrays of as many rows as there are positions.


@kernel
def flip_of(p: Lane) -> Word:
    """Return the mask that converts a move's word to the mover's view, and back."""
    return _FLIP if p.state & BLACK_TO_MOVE else 0


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
            flip = flip_of(p)
            row = U64(i) * U64(width)
            for m in range(n):
                index = table[0, moves[m] ^ flip]
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
        flip = flip_of(p)
        for k in range(out.shape[1]):
            out[i, k] = _NO_BYTE
        for m in range(n):
            index = table[0, moves[m] ^ flip]
            if index != _NONE:
                out[i, index >> 3] |= np.uint8(1 << (index & 7))


def write_masks(c: Columns, layout: Layout, out: NDArray[np.uint8], packed: bool, threads: int) -> None:
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
    flips = np.where(c.state & BLACK_TO_MOVE, np.uint16(_FLIP), np.uint16(0))
    found = table[0][moves ^ flips]
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
        flip = flip_of(p)
        out[i] = _NO_MOVE
        for m in range(generate(position(p, t), t, List(moves), UNIVERSE, UNIVERSE)):
            if table[0, moves[m] ^ flip] == given[i]:
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
    chosen = layout_of(layout)
    _check_board(board)
    word = legal_word(board, move)
    if not word:
        raise ValueError(f"move: {board.uci(move)} is not legal in {board.fen()}")
    index = int(chosen.table[0, word if board.turn else word ^ _FLIP])
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
    chosen = layout_of(layout)
    _check_board(board)
    if not is_number(index):
        raise TypeError(f"index: {shown(index)}: expected an int from 0 to {chosen.size - 1}")
    if not 0 <= index < chosen.size:
        raise ValueError(f"index: {shown(int(index))}: expected 0 to {chosen.size - 1} in the layout {layout!r}")
    flip = 0 if board.turn else _FLIP
    for word in words_of_moves(board, UNIVERSE, UNIVERSE):
        if chosen.table[0, word ^ flip] == index:
            return move_of(board, word)
    raise ValueError(f"index: {index} ({chosen.meaning(index)}) is not a legal move in {board.fen()}")
