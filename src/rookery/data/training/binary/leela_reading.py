"""The reader of Leela's records, of versions 3 to 7 and all formats of planes.

The position is that of the first 13 planes, turned back. The score is that of the best move, by Leela's formula;
records of version 3 have none. The move is the one that was played: versions 3 to 5 do not say it, so it is the one
that leads to the next record, and at the end of a game the move that the search preferred. Records have no full-move
numbers: the plies of a game are counted from its first record on.
"""

import functools
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.data.encoders.leela import BOARD_PLANES, TRANSPOSE, turn
from rookery.data.training.binary.decoding import BAD_MOVE, BAD_POSITION, CORNERS, CUT_SHORT, E_FILE, FAULTS
from rookery.data.training.binary.leela import (
    CENTIPAWNS,
    FIRST_OF_TURNED,
    MOVES,
    RECORDS,
    SCALE,
    reversed_files,
    turned_mask,
    turned_moves,
)
from rookery.data.training.samples import ScoredPositions
from rookery.data.training.text.rows import OnBad
from rookery.data.training.views import NO_RESULT
from rookery.games.positions.scores import NO_SCORE
from rookery.kernel import U64
from rookery.positions.layout import BLACK_TO_MOVE, CHESS960, CLOCK_SHIFT, COUNTER, NUMBER_SHIFT, empty_columns
from rookery.positions.positions import Positions
from rookery.sources.failures import DamagedFileError

_AT_ONCE: Final = 2048  # records: 17 MB
_VERSION_BYTES: Final = 4
_BLACK_FLAG, _TRANSFORM_BITS = 0x80, 7
_RANK, _RANK_5 = U64(0xFF), U64(0xFF) << U64(32)
_ONE, _TWO_RANKS = U64(1), U64(16)


def read(name: str, chunks: Iterator[Any], batch: int, on_bad: OnBad, start: int) -> Iterator[ScoredPositions]:
    """Yield the rows of a file; damage is a `DamagedFileError`, raised after the rows before it."""
    del on_bad  # the bytes after a fault cannot be read
    at, before = start, None
    for records, several in _blocks(name, chunks, min(batch, _AT_ONCE), start):
        rows, reason = _rows_of(records, several)
        if len(rows):
            _count_plies(rows, before)
            before = rows[len(rows) - 1 :]
            yield rows
        if reason:
            raise DamagedFileError(name, f"byte {at + len(rows) * records.itemsize:,}: {reason}")
        at += several * records.itemsize


def _blocks(name: str, chunks: Iterator[Any], most: int, start: int) -> Iterator[tuple[NDArray[np.void], int]]:
    """Yield records, and how many of them are new: the one behind them may say which move was played before it.

    Damage is a `DamagedFileError`, raised after the records before it. A large chunk is not copied.
    """
    held, size, at = [memoryview(b"")], 0, start
    layout: np.dtype[np.void] | None = None
    error: DamagedFileError | None = None
    last = False
    while not last:
        wanted = _VERSION_BYTES if layout is None else (most + 1) * layout.itemsize
        while size < wanted and not last:
            try:
                chunk = next(chunks, None)
            except DamagedFileError as failure:  # what was read comes first
                chunk, error = None, failure
            last = chunk is None
            held += [] if chunk is None else [memoryview(chunk)]
            size += 0 if chunk is None else len(chunk)
        held = [one for one in held if len(one)]
        data = held[0] if len(held) == 1 else memoryview(b"".join(held))
        if layout is None and size >= _VERSION_BYTES:
            version = int.from_bytes(data[:_VERSION_BYTES], "little")
            if version not in RECORDS:
                raise DamagedFileError(name, f"byte {at:,}: version {version} of a record: expected 3 to 7")
            layout = RECORDS[version]
        while layout is not None and (n := min(len(data) // layout.itemsize - (not last), most)) > 0:
            several = min(n + 1, len(data) // layout.itemsize)
            yield np.frombuffer(data, layout, several), n
            data = data[n * layout.itemsize :]
            at += n * layout.itemsize
        held, size = [data], len(data)
    if error is not None:
        raise error
    if size:
        raise DamagedFileError(name, f"byte {at:,}: {FAULTS[CUT_SHORT]}")


def size_of_record(version: bytes) -> int:
    """Return the number of bytes of a record by its first four bytes, or 0 if it is not a record."""
    number = int.from_bytes(version, "little")
    return RECORDS[number].itemsize if number in RECORDS else 0


def first_game(data: Any) -> int:
    """Return where the first game begins behind the first record of some records: bytes, or 0 if none does.

    A record begins a game if the position is not the one to which the move of the record before leads.
    """
    version = int.from_bytes(data[:_VERSION_BYTES], "little")
    if version not in RECORDS or len(data) < 2 * RECORDS[version].itemsize:
        return 0
    layout = RECORDS[version]
    records = np.frombuffer(data, layout, len(data) // layout.itemsize)
    rows, _ = _rows_of(records, len(records))
    leads = _leads(rows)
    return layout.itemsize * (int(np.argmin(leads)) + 1) if not leads.all() else 0


def _leads(rows: ScoredPositions) -> NDArray[np.bool_]:
    """Return whether the move of each row but the last leads to the position of the next."""
    after = rows.positions[:-1].play(rows.moves[:-1], check=False).keys()
    leads: NDArray[np.bool_] = (after == rows.positions.keys()[1:]) & (rows.moves[:-1] != 0)
    return leads


def _rows_of(records: NDArray[np.void], n: int) -> tuple[ScoredPositions, str]:
    """Return the rows of the first `n` records, or of those before a fault, and what the fault is."""
    positions, transform, sound = _positions(records)
    sound &= (records["version"] == records["version"][0]) & positions.is_valid(strict=False)
    several = len(records) if sound.all() else int(np.argmin(sound))
    reason = FAULTS[BAD_POSITION] if several < n else ""
    n, positions, records, transform = min(n, several), positions[:several], records[:several], transform[:several]
    moves, legal = _moves(positions, records, transform)
    if not legal[:n].all():
        n, reason = int(np.argmin(legal)), FAULTS[BAD_MOVE]
    records = records[:n]
    names = records.dtype.names or ()
    scores = np.full(n, NO_SCORE, np.int16)
    if "best_q" in names:
        q = np.clip(records["best_q"].astype(np.float64), -1, 1)
        scores = np.where(np.isnan(q), NO_SCORE, np.rint(CENTIPAWNS * np.tan(SCALE * np.nan_to_num(q))))
    results = records["result_q" if "result_q" in names else "result"].astype(np.float64)
    known = np.isin(results, (-1, 0, 1))
    rows = ScoredPositions(
        positions[:n],
        moves=moves[:n],
        scores=scores.astype(np.int16),
        results=np.where(known, np.nan_to_num(results), NO_RESULT).astype(np.int8),
    )
    return rows, reason


def _positions(records: NDArray[np.void]) -> tuple[Positions, NDArray[np.uint8], NDArray[np.bool_]]:
    """Return the positions of records, how their boards are turned, and which have the rooks of their rights."""
    n, zeros = records.size, np.zeros(records.size, np.uint32)
    formats = records["input_format"] if "input_format" in (records.dtype.names or ()) else zeros + 1
    flags = np.where(formats >= FIRST_OF_TURNED, records["invariance_info"], 0)
    black = np.where(formats >= FIRST_OF_TURNED, flags & _BLACK_FLAG, records["side_to_move"]) != 0
    transform = (flags & _TRANSFORM_BITS).astype(np.uint8)
    words = np.zeros((n, 2 * BOARD_PLANES + 1), np.uint64)  # two boards, and the square of an en-passant capture
    words[:, :-1] = reversed_files(records["planes"][:, : 2 * BOARD_PLANES])
    words[:, -1] = records["side_to_move"].astype(np.uint64) << U64(40)  # on rank 6
    turn(words, transform, back=True)
    # In formats 1 and 2, the board before says whether a pawn has just made a double step.
    now, before = words[:, 6], words[:, BOARD_PLANES + 6]
    jumped = now & ~before & _RANK_5 & (before >> _TWO_RANKS) & ~(now >> _TWO_RANKS)
    words[:, -1] = np.where(formats >= FIRST_OF_TURNED, words[:, -1], jumped << U64(8))
    words[black] = words[black].byteswap()  # a flip: ranks are bytes
    own, their = words[:, :6], words[:, 6:12]
    c = empty_columns(n)
    both = own | their
    c.pawns[:], c.knights[:], c.kings[:] = both[:, 0], both[:, 1], both[:, 5]
    c.diagonals[:], c.orthogonals[:] = both[:, 2] | both[:, 4], both[:, 3] | both[:, 4]
    c.white[:] = np.bitwise_or.reduce(np.where(black[:, None], their, own), axis=1)
    c.en_passant[:], c.castling[:] = words[:, -1], 0
    sound = np.ones(n, np.bool_)
    names = ("castling_us_ooo", "castling_us_oo", "castling_them_ooo", "castling_them_oo")
    for k, name in enumerate(names):
        pieces, shift = (own, their)[k // 2], np.where(black != (k > 1), U64(56), U64(0))
        rooks, king = pieces[:, 3] >> shift & _RANK, pieces[:, 5] >> shift & _RANK
        beyond = rooks & ~((king << _ONE) - _ONE) if k % 2 else rooks & (king - _ONE)
        outermost = highest_bits(beyond) if k % 2 else beyond & (~beyond + _ONE)
        right = records[name].astype(np.uint64)
        files = np.where(formats == 1, np.where(right != 0, outermost, U64(0)), right)
        sound &= (right == 0) | (files != 0)
        c.castling[:] |= files << shift
    c.state[:] = np.where(black, U64(BLACK_TO_MOVE), U64(0))
    c.state[:] |= records["rule50_count"].astype(np.uint64) << U64(CLOCK_SHIFT) | _ONE << U64(NUMBER_SHIFT)
    e_file, corners = U64(E_FILE), U64(CORNERS)
    castles = ((c.castling & c.white) != 0) & ((c.kings & c.white & e_file) == 0)
    castles |= ((c.castling & ~c.white) != 0) & ((c.kings & ~c.white & e_file) == 0)
    c.state[:] |= np.where(castles | ((c.castling & ~corners) != 0), U64(CHESS960), U64(0))
    return Positions(c), transform, sound


def highest_bits(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return the highest bit of each word of at most eight bits."""
    for shift in (1, 2, 4):
        words = words | words >> U64(shift)
    return words & ~(words >> _ONE)


def _moves(
    positions: Positions, records: NDArray[np.void], transform: NDArray[np.uint8]
) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
    """Return the move of each position, and whether it is legal; 0 where no move is."""
    n = len(positions)
    legal = positions.policy_mask("leela")
    says_moves = "played_idx" in (records.dtype.names or ())
    index = records["played_idx"].astype(np.int64) if says_moves else records["probabilities"].argmax(axis=1)
    of_board = transform.astype(np.int64)
    if (turned := np.flatnonzero(transform & TRANSPOSE)).size:
        # Which of two numberings a transposed board has is seen from the moves that the record has as legal.
        masks = turned_mask(legal[turned], turned_moves(rotated=True)[transform[turned]])
        rotated = (masks == (records["probabilities"][turned] >= 0)).all(axis=1)
        of_board[turned[rotated]] += 8
    found = _turned_back()[of_board, np.minimum(index, MOVES)]
    known = (found >= 0) & legal[np.arange(n), found]
    moves = np.zeros(n, np.uint16)
    moves[known] = positions[known].policy_moves(found[known], "leela")
    known |= ~legal.any(axis=1)
    if not says_moves and n > 1:
        lists = positions[:-1].legal_moves()
        game = np.repeat(np.arange(n - 1), np.diff(lists.offsets))
        leads = positions[game].play(lists.moves, check=False).keys() == positions.keys()[game + 1]
        moves[game[leads]] = lists.moves[leads]
    return moves, known


@functools.cache
def _turned_back() -> NDArray[np.int64]:
    """Return the index of each move on the board itself, -1 for none: (16, 1859), transposed moves, then rotated."""
    found = np.full((16, MOVES + 1), -1, np.int64)
    for row, turned in enumerate(np.concatenate([turned_moves(rotated=False), turned_moves(rotated=True)])):
        there = np.flatnonzero(turned >= 0)
        found[row, turned[there]] = there
    return found


def _count_plies(rows: ScoredPositions, before: ScoredPositions | None) -> None:
    """Write the plies and the full-move numbers of rows, from the first record of each game on."""
    behind = ScoredPositions.concatenate([before, rows]) if before is not None else rows
    turn = behind.positions.turn
    goes_on = np.zeros(len(behind), np.bool_)
    if len(behind) > 1:
        results = behind.results.astype(np.int64)
        goes_on[1:] = _leads(behind) & (results[:-1] == -results[1:])
    index = np.arange(len(behind))
    begin = np.maximum.accumulate(np.where(goes_on, 0, index))
    first = np.where(turn[begin], 0, 1)
    if before is not None:
        first = np.where(begin == 0, int(before.plies[0]), first)
    plies = (first + index - begin)[len(behind) - len(rows) :]
    rows.plies[:] = plies
    c = rows.positions.columns
    c.state[:] &= ~(U64(COUNTER) << U64(NUMBER_SHIFT))
    c.state[:] |= (plies // 2 + 1).astype(np.uint64) << U64(NUMBER_SHIFT)
