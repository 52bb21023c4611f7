"""A chess program without bitboards, as a measure for the tutorial: a board is 64 cells, and every answer is a loop.

A cell is 0 if the square is empty, otherwise the number of the piece: pawn 1, knight 2, bishop 3, rook 4, queen 5 and
king 6, and 8 more for black. A set of squares is 64 cells of 0 or 1. The functions are compiled as the kernels are with
which they are compared. There is no castling and no en passant.
"""

from typing import Any, Final

import numpy as np

from rookery.kernel import U64, entry, kernel, popcount, signed

BLACK: Final = 8  # added to the number of a piece
# Steps in files and ranks: four diagonal ones, four straight ones, and the eight of a knight.
STEPS: Final = np.array(
    [
        *[(1, 1), (1, -1), (-1, 1), (-1, -1), (1, 0), (-1, 0), (0, 1), (0, -1)],
        *[(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)],
    ],
    np.int64,
)


@kernel
@signed
def slides(cells: Any, sq: Any, first: Any, last: Any, reach: Any, steps: Any, found: Any, n: Any) -> Any:
    """Append the squares that a piece attacks by some of the steps to `found`, of which `n` are in use."""
    for d in range(first, last):
        file, rank = sq % 8 + steps[d, 0], sq // 8 + steps[d, 1]
        walked = 0
        while walked < reach and 0 <= file < 8 and 0 <= rank < 8:
            there = 8 * rank + file
            found[n] = there
            n += 1
            if cells[there]:
                break
            file, rank, walked = file + steps[d, 0], rank + steps[d, 1], walked + 1
    return n


@kernel
@signed
def attacks(cells: Any, sq: Any, piece: Any, steps: Any, found: Any) -> Any:
    """Write the squares that a piece attacks to `found` and return their number."""
    kind = piece & 7
    if kind == 1:
        n = 0
        rank = sq // 8 + (-1 if piece & 8 else 1)
        for side in range(-1, 2, 2):
            file = sq % 8 + side
            if 0 <= file < 8 and 0 <= rank < 8:
                found[n] = 8 * rank + file
                n += 1
        return n
    if kind == 2:
        return slides(cells, sq, 8, 16, 1, steps, found, 0)
    first = 4 if kind == 4 else 0
    last = 4 if kind == 3 else 8
    return slides(cells, sq, first, last, 1 if kind == 6 else 7, steps, found, 0)


@kernel
@signed
def attacked_by(cells: Any, target: Any, colour: Any, steps: Any, found: Any) -> Any:
    """Return whether a piece of a colour (0 or 8) attacks a square: all its pieces are asked."""
    for sq in range(64):
        piece = cells[sq]
        if piece and piece & 8 == colour:
            n = attacks(cells, sq, piece, steps, found)
            for i in range(n):
                if found[i] == target:
                    return True
    return False


@kernel
@signed
def is_legal(cells: Any, here: Any, there: Any, colour: Any, steps: Any, found: Any) -> Any:
    """Return whether a move leaves the own king unattacked: it is made, the king is searched for, and it is unmade."""
    moved, taken = cells[here], cells[there]
    cells[there], cells[here] = moved, 0
    king = 0
    while cells[king] != 6 + colour:
        king += 1
    legal = not attacked_by(cells, king, 8 - colour, steps, found)
    cells[here], cells[there] = moved, taken
    return legal


@kernel
@signed
def pawn_targets(cells: Any, sq: Any, colour: Any, steps: Any, targets: Any) -> Any:
    """Write the squares to which a pawn can move to `targets` and return their number."""
    captures = attacks(cells, sq, 1 + colour, steps, targets)
    n = 0
    for i in range(captures):
        piece = cells[targets[i]]
        if piece and piece & 8 != colour:
            targets[n] = targets[i]
            n += 1
    forward = -8 if colour else 8
    if not cells[sq + forward]:
        targets[n] = sq + forward
        n += 1
        if sq // 8 == (6 if colour else 1) and not cells[sq + 2 * forward]:
            targets[n] = sq + 2 * forward
            n += 1
    return n


@kernel
@signed
def legal_moves(cells: Any, colour: Any, steps: Any, targets: Any, found: Any) -> Any:
    """Return the number of legal moves of a colour; a promotion counts as four."""
    moves = 0
    for sq in range(64):
        piece = cells[sq]
        if not piece or piece & 8 != colour:
            continue
        pawn = piece & 7 == 1
        n = pawn_targets(cells, sq, colour, steps, targets) if pawn else attacks(cells, sq, piece, steps, targets)
        for i in range(n):
            there = targets[i]
            own = cells[there] and cells[there] & 8 == colour
            if not own and is_legal(cells, sq, there, colour, steps, found):
                moves += 4 if pawn and there // 8 in (0, 7) else 1
    return moves


@entry
@signed
def count_moves(boards: Any, colours: Any, out: Any, steps: Any, targets: Any, found: Any) -> None:
    """Write the number of legal moves of every position."""
    for i in range(out.size):
        out[i] = legal_moves(boards[i], colours[i], steps, targets, found)


@entry
@signed
def equal_sets(one: Any, other: Any) -> Any:
    """Return how many pairs of sets are equal."""
    number = 0
    for i in range(len(one)):
        equal = 1
        for sq in range(64):
            if one[i, sq] != other[i, sq]:
                equal = 0
                break
        number += equal
    return number


@entry
@signed
def captures(attacked: Any, boards: Any, out: Any) -> None:
    """Write the number of black pieces in each set of attacked squares."""
    for i in range(out.size):
        number = 0
        for sq in range(64):
            if attacked[i, sq] and boards[i, sq] & 8:
                number += 1
        out[i] = number


@entry
@signed
def white_pawn_attacks(boards: Any, out: Any) -> None:
    """Write the number of squares that white pawns attack."""
    for i in range(out.size):
        number = 0
        for sq in range(8, 64):
            file = sq % 8
            if (file > 0 and boards[i, sq - 9] == 1) or (file < 7 and boards[i, sq - 7] == 1):
                number += 1
        out[i] = number


@entry
@signed
def black_kings(boards: Any, out: Any) -> None:
    """Write the square of the black king."""
    for i in range(out.size):
        sq = 0
        while boards[i, sq] != 14:
            sq += 1
        out[i] = sq


@entry
@signed
def sum_of_squares(boards: Any, out: Any) -> None:
    """Write the sum of the numbers of the squares that black occupies."""
    for i in range(out.size):
        total = 0
        for sq in range(64):
            if boards[i, sq] & 8:
                total += sq
        out[i] = total


@entry
@signed
def white_sliders_attack(boards: Any, out: Any, steps: Any, found: Any) -> None:
    """Write the number of squares that white bishops, rooks and queens attack."""
    for i in range(out.size):
        attacked = U64(0)
        for sq in range(64):
            piece = boards[i, sq]
            if 3 <= piece <= 5:
                n = attacks(boards[i], sq, piece, steps, found)
                for k in range(n):
                    attacked |= U64(1) << U64(found[k])
        out[i] = popcount(attacked)
