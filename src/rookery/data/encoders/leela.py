"""The input of Leela Chess Zero's nets: 112 planes from a position and the seven before it.

A plane is a bitboard as the side to move sees it, a1 = 0: for black, ranks are flipped and colours swapped. Eight
boards of 13 planes come first, the newest first, all seen from the newest position's side to move: own pawns, knights,
bishops, rooks, queens, king, their six, and ones if the board has occurred before. Then, by format:

=========  ===========================================  ====================  ==============  =================
format     104 to 107                                   108                   109             110
=========  ===========================================  ====================  ==============  =================
1          ones: own a-side right to castle, own         ones: black moves     half-moves of   zeros
           h-side, their a-side, their h-side                                  the 50-move
                                                                               rule
2          rooks that may castle to the a-side, to the   as 1                  as 1            zeros
           h-side; two empty planes
3          as 2                                          the file of an en-    as 1            zeros
                                                         passant capture, on
                                                         rank 8
4, 5       as 2                                          as 3                  divided by 100  zeros
132, 133   as 4, 5                                       as 3                  divided by 100  ones: black moves
=========  ===========================================  ====================  ==============  =================

Plane 111 is ones. From format 3 on, history ends before a board with other rights to castle, before an older board with
a possible en-passant capture, and after a board whose clock is 0. Formats 5 and 133 leave out older boards that are no
repetitions. Where no right to castle is left, these formats mirror files to bring the own king to files e to h; without
pawns they mirror ranks, too, and transpose, to bring it to the triangle a1, d1, d4 as seen from h1.

Source: Leela Chess Zero 909a408 (20 April 2026), as facts.
"""

from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import choice, shown
from rookery.bitboards.bits import flip_antidiagonal, flip_vertical, mirror_horizontal
from rookery.board.board import Board
from rookery.data.encoders.histories import Flags, Histories, Words, histories_of
from rookery.kernel import U64, UNIVERSE
from rookery.positions.positions import Positions

Fill = Literal["fen_only", "no", "always"]
Format = Literal[1, 2, 3, 4, 5, 132, 133]

HISTORY: Final = 8  # boards
BOARD_PLANES: Final = 13
PLANES: Final = 112
MIRROR_FILES, MIRROR_RANKS, TRANSPOSE = 1, 2, 4  # the bits of a transform
_RIGHTS, EN_PASSANT, _CLOCK, _BLACK, _ONES = 104, 108, 109, 110, 111
FORMATS: Final = (1, 2, 3, 4, 5, 132, 133)
_FILLS: Final = {name: name for name in ("fen_only", "no", "always")}
_ALL, _NONE = U64(UNIVERSE), U64(0)
_A_TO_D: Final = U64(0x0F0F_0F0F_0F0F_0F0F)
_UPPER_RANKS: Final = U64(0xFFFF_FFFF_0000_0000)
_ABOVE_DIAGONAL: Final = U64(sum(1 << s for s in (15, 22, 23, 29, 30, 31)))  # h2, g3, h3, f4, g4, h4
_DIAGONAL: Final = U64(sum(1 << s for s in (7, 14, 21, 28)))  # h1, g2, f3, e4


class LeelaPlanes(NamedTuple):
    """The planes of positions, and how the boards were turned.

    ``words``      uint64, (n, 112): a bitboard for each plane; that of plane 109 is empty
    ``clocks``     float32, (n,): the number on all squares of plane 109
    ``transform``  uint8, (n,): 1 if files are mirrored, plus 2 if ranks are, plus 4 if the board is transposed then
    """

    words: Words
    clocks: NDArray[np.float32]
    transform: NDArray[np.uint8]

    def to_dense(self) -> NDArray[np.float32]:
        """Return the input of the net: float32, (n, 112, 8, 8), by plane, rank and file.

        >>> leela_planes(Positions.from_boards([Board()])).to_dense()[0, 0, 1]
        array([1., 1., 1., 1., 1., 1., 1., 1.], dtype=float32)
        """
        n = len(self.words)
        bits = np.unpackbits(np.ascontiguousarray(self.words).view(np.uint8), axis=1, bitorder="little")
        dense = bits.reshape(n, PLANES, 8, 8).astype(np.float32)
        dense[:, _CLOCK] = self.clocks[:, None, None]
        return dense


def leela_planes(games: Any, input_format: Format = 1, *, fill: Fill = "fen_only") -> LeelaPlanes:
    """Return the planes of positions with the positions before them, see `LeelaPlanes`.

    `games` are `Games`, of which every position before a move is encoded, boards, each with the moves that led to it,
    or `Positions`, which have no history. `input_format` is one of Leela's, 1 to 5, 132 and 133. `fill` says what
    stands for boards before the first: ``"fen_only"`` repeats it unless it is the starting position, ``"always"``
    repeats it, ``"no"`` leaves the planes empty. If an en-passant capture is possible on the first board, a pawn has
    just made a double step, and the board before it is known: with ``"no"``, too.

    An unknown input format or fill raises ValueError.

    >>> board = Board()
    >>> board.push_uci("e2e4")
    Move('e2e4')
    >>> planes = leela_planes([board])
    >>> [hex(planes.words[0, k]) for k in (0, 6, 13, 19)]
    ['0xff00', '0xef001000000000', '0xff00', '0xff000000000000']
    """
    check_format(input_format)
    choice("fill", fill, _FILLS)
    return planes_of(histories_of(games), input_format, fill)


def check_format(input_format: Any) -> None:
    """Raise a ValueError unless it is one of Leela's formats of planes."""
    if isinstance(input_format, bool) or input_format not in FORMATS:
        raise ValueError(f"input_format: {shown(input_format)}: expected one of {', '.join(map(str, FORMATS))}")


def planes_of(histories: Histories, input_format: int, fill: str) -> LeelaPlanes:
    """Return the planes of positions with their histories; the arguments are those of `leela_planes`, checked."""
    rows = histories.rows
    black = ~histories.positions.turn[rows]
    clocks = histories.positions.halfmove_clock[rows].astype(np.float32)
    words = np.zeros((rows.size, PLANES), np.uint64)
    _write_boards(words[:, :_RIGHTS].reshape(rows.size, HISTORY, BOARD_PLANES), histories, input_format, fill)
    _write_rights(words, histories, input_format)
    if input_format <= 2:
        words[:, EN_PASSANT] = _ones(black)
    else:
        words[:, EN_PASSANT] = _files_of_captures(histories)
    words[black] = words[black].byteswap()  # a flip: ranks are bytes
    transform = np.zeros(rows.size, np.uint8)
    if input_format >= 3:
        transform = _transform(words, histories.columns.castling[rows] == 0)
        turn(words[:, :_CLOCK], transform)
    words[:, _BLACK] = _ones(black & (input_format > 100))
    words[:, _ONES] = _ALL
    return LeelaPlanes(words, clocks if input_format <= 3 else clocks / np.float32(100), transform)


def _ones(flags: Flags) -> Words:
    return np.where(flags, _ALL, _NONE)


def _write_boards(boards: Words, histories: Histories, input_format: int, fill: str) -> None:
    """Write the eight boards of each position, seen from white: (n, 8, 13)."""
    rows, c = histories.rows, histories.columns
    begin, black = histories.begin[rows], ~histories.positions.turn[rows]
    possible, repeated, clocks = (
        histories.can_capture_en_passant,
        histories.repeated,
        histories.positions.halfmove_clock,
    )
    start = Positions.from_boards([Board()]).columns
    from_start = np.logical_and.reduce([c[k][begin] == start[k][0] for k in range(7)]) & histories.positions.turn[begin]
    goes_on, slot = np.ones(rows.size, np.bool_), np.zeros(rows.size, np.int64)
    only_repetitions = input_format in (5, 133)
    back = 0
    while goes_on.any():
        source = np.maximum(rows - back, begin)
        made_up = rows - back < begin
        if fill == "no":
            goes_on &= ~made_up | ((rows - back == begin - 1) & possible[source])
        elif fill == "fen_only":
            goes_on &= ~made_up | ~from_start
        if input_format >= 3 and back:
            goes_on &= (c.castling[source] == c.castling[rows]) & ~possible[source]
        written = goes_on & repeated[source] if only_repetitions and back else goes_on
        if only_repetitions:
            goes_on &= ~made_up  # a board before the first is no repetition
        chosen = np.flatnonzero(written)
        place, at = source[chosen], slot[chosen]
        boards[chosen, at, :12] = histories.pieces[black[chosen].astype(np.int8), place]
        boards[chosen, at, 12] = _ones(repeated[place])
        jumped = np.flatnonzero(made_up[chosen] & possible[place])
        if jumped.size:  # before the double step, the pawn is where it came from
            square = c.en_passant[place[jumped]]
            is_ours = black[chosen[jumped]] == histories.positions.turn[place[jumped]]
            boards[chosen[jumped], at[jumped], np.where(is_ours, 0, 6)] ^= square << U64(8) | square >> U64(8)
        slot += written
        goes_on &= slot < HISTORY
        if input_format >= 3:
            goes_on &= clocks[source] != 0
        back += 1


def _write_rights(words: Words, histories: Histories, input_format: int) -> None:
    """Write the rights to castle of each position, seen from white."""
    rows = histories.rows
    sides = [rights[rows] for rights in histories.rights()]
    if input_format > 1:
        words[:, _RIGHTS], words[:, _RIGHTS + 1] = sides
        return
    white = histories.columns.white[rows]
    ours = np.where(~histories.positions.turn[rows], ~white, white)
    for k, rooks in enumerate(sides):
        words[:, _RIGHTS + k] = _ones((rooks & ours) != 0)
        words[:, _RIGHTS + 2 + k] = _ones((rooks & ~ours) != 0)


def _files_of_captures(histories: Histories) -> Words:
    """Return the square on the last rank of the mover, on the file of a possible en-passant capture."""
    rows = histories.rows
    squares = np.where(histories.can_capture_en_passant[rows], histories.columns.en_passant[rows], _NONE)
    return np.where(~histories.positions.turn[rows], squares >> U64(16), squares << U64(16))


def _transform(words: Words, may_turn: Flags) -> NDArray[np.uint8]:
    """Return how the boards of the newest positions are turned."""
    king, no_pawns = words[:, 5], (words[:, 0] | words[:, 6]) == 0
    transform = np.where(king & _A_TO_D, MIRROR_FILES, 0)
    transform |= np.where(no_pawns & ((king & _UPPER_RANKS) != 0), MIRROR_RANKS, 0)
    seen = words[:, :12].copy()
    turn(seen, transform.astype(np.uint8))
    own = np.bitwise_or.reduce(seen[:, :6], axis=1)
    both = [seen[:, k] | seen[:, k + 6] for k in range(6)]
    sets = [own | np.bitwise_or.reduce(seen[:, 6:], axis=1), own, *(both[k] for k in (5, 4, 3, 1, 2))]
    is_less, undecided = np.zeros(len(words), np.bool_), np.ones(len(words), np.bool_)
    for squares in sets:
        other = flip_antidiagonal(squares)
        is_less |= undecided & (other < squares)
        undecided &= other == squares
    on_diagonal = (seen[:, 5] & _DIAGONAL) != 0
    transposed = ((seen[:, 5] & _ABOVE_DIAGONAL) != 0) | (on_diagonal & is_less)
    transform |= np.where(no_pawns & transposed, TRANSPOSE, 0)
    return np.where(may_turn, transform, 0).astype(np.uint8)


def turn(words: Words, transform: NDArray[np.uint8], *, back: bool = False) -> None:
    """Turn boards in place, or turn them back."""
    steps = [(MIRROR_FILES, mirror_horizontal), (MIRROR_RANKS, flip_vertical), (TRANSPOSE, flip_antidiagonal)]
    for bit, turned in reversed(steps) if back else steps:
        chosen = (transform & bit) != 0
        words[chosen] = turned(words[chosen])
