"""Summaries of games: stored bounds by which a search skips games without making their positions.

The columns, one value for each game, are computed from its moves. They bound what every position of the game, from the
start to the end, can have:

plies               the number of half-moves
final_signature     the pieces at the end, like ``KRPvKR``
promotions          the pieces that pawns became: white's in capitals, queens first, then black's, like ``QQn``
white_pawn_squares, black_pawn_squares
                    the squares on which a pawn of that colour ever stood
"""

import functools
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.colours import Colour, read_colour
from rookery.bitboards.pieces import PIECE_SYMBOLS, AnyPiece, read_piece_type
from rookery.frames.columns import Numbers, Texts
from rookery.games.game_columns import GameColumns, Starts
from rookery.games.headers.header_types import Header
from rookery.games.positions.check_moves import illegal_move_error
from rookery.kernel import U64, entry_of
from rookery.positions.language.headers import OF_MOVES
from rookery.positions.layout import empty_columns
from rookery.positions.operands import plain
from rookery.positions.positions import Positions
from rookery.positions.threads import each_in_threads, part_of, spans
from rookery.rules.constants import default_tables

summarise: Final = entry_of("rookery.games.kernels.summarising", "summarise")


_PAWN_SQUARES: Final = ("white_pawn_squares", "black_pawn_squares")
_PIECE: Final = 1 << 14  # games between two looks for Ctrl-C
_PROMOTIONS: Final = "QRBNqrbn"
_BLACK: Final = 6  # between the codes of a white piece and of the same black one


@dataclass(frozen=True, eq=False)
class Summaries:
    """Bounds of the positions of each game. `Games.summaries` computes them, and tables of games store them.

    `columns` holds a column for each name of `OF_MOVES`, and `starts` the position that each game begins from.

    For every position of a game, from the start to the end, these are true:

    - `least` <= the number of pieces of a kind and side <= `most`;
    - the pawns of a side are on squares of `pawn_squares`;
    - the number of half-moves before it is at most `plies`.
    """

    columns: Mapping[str, Header]
    starts: Starts

    def __len__(self) -> int:
        return self.starts.size

    @property
    def plies(self) -> NDArray[np.int32]:
        """Return the number of half-moves of each game: int32, (n,)."""
        values: NDArray[np.int32] = _numbers(self.columns["plies"])
        return values

    @property
    def final_signature(self) -> NDArray[np.object_]:
        """Return the pieces at the end of each game, like ``KRPvKR``: str, (n,)."""
        return _texts(self.columns["final_signature"]).to_numpy()

    @property
    def promotions(self) -> NDArray[np.object_]:
        """Return the pieces that pawns became in each game: str, (n,).

        White's are in capitals, queens before rooks, bishops and knights; black's follow. Most are empty.
        """
        return _texts(self.columns["promotions"]).to_numpy()

    def pawn_squares(self, side: Colour) -> NDArray[np.uint64]:
        r"""Return the squares on which a pawn of a side ever stood: uint64 boards, (n,).

        `side` is ``"white"`` or ``"black"``.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> summaries = read_pgn(b"1. e4 d5 2. exd5 *").summaries()
        >>> Bitboard(summaries.pawn_squares("black")[0] & ~np.uint64(0xFF << 48)).names()
        ['d5']
        """
        boards: NDArray[np.uint64] = _numbers(self.columns[_PAWN_SQUARES[_colour(side)]])
        return boards

    def least(self, piece: AnyPiece, side: Colour) -> NDArray[np.uint8]:
        r"""Return a number of pieces that a side has in all positions of a game, at least: uint8, (n,).

        These are the pieces of the end. As many may have become such a piece after a position, so promotions are
        subtracted.

        >>> read_pgn(b"1. e4 d5 2. exd5 Qxd5 *").summaries().least("pawn", "white").tolist()
        [7]
        """
        kind, colour = read_piece_type(piece, "piece"), _colour(side)
        final = self._final[_code(kind, colour)]
        least: NDArray[np.uint8] = final - np.minimum(final, self._promoted[_code(kind, colour)])
        return least

    def most(self, piece: AnyPiece, side: Colour) -> NDArray[np.uint8]:
        r"""Return a number of pieces that a side has in all positions of a game, at most: uint8, (n,).

        These are the pieces of the start and all promotions.

        >>> read_pgn(b"1. e4 d5 2. exd5 Qxd5 *").summaries().most("queen", "black").tolist()
        [1]
        """
        kind, colour = read_piece_type(piece, "piece"), _colour(side)
        most: NDArray[np.uint8] = self._first[_code(kind, colour)] + self._promoted[_code(kind, colour)]
        return most

    # The number of pieces of each kind and colour: (12, n). Most conditions look at several of them.

    @functools.cached_property
    def _final(self) -> NDArray[np.uint8]:
        """Return the pieces at the end of each game."""
        return _pieces_in(_texts(self.columns["final_signature"]))

    @functools.cached_property
    def _first(self) -> NDArray[np.uint8]:
        """Return the pieces at the start of each game."""
        starts = _pieces_in(_as_texts(Positions(self.starts.all_positions).signature()))
        return starts[:, self.starts.places + 1]

    @functools.cached_property
    def _promoted(self) -> NDArray[np.uint8]:
        """Return the pieces that pawns became."""
        texts = _texts(self.columns["promotions"])
        return _counted(_CODES[texts.data[texts.offsets[0] : texts.offsets[-1]]], texts.offsets)

    def known(self) -> NDArray[np.bool_]:
        """Return True for each game whose columns all have a value."""
        known = np.ones(len(self), np.bool_)
        for column in self.columns.values():
            known &= column.valid
        return known


def summaries_of(games: GameColumns, threads: int = 1) -> Summaries:
    """Return the summaries of some games, computed from their moves."""
    n, offsets, moves = len(games), games.plies.offsets, plain(games.plies.columns["moves"])
    starts, rows = games.starts.all_positions, games.starts.places + 1
    last = empty_columns(n)
    white, black, promoted = np.empty(n, np.uint64), np.empty(n, np.uint64), np.empty(n, np.uint64)
    tables = default_tables()

    def work(part: tuple[int, int]) -> None:
        a, b = part
        own = (part_of(operand, a, b, n) for operand in (last, white, black, promoted))
        bad = int(summarise(offsets[a : b + 1], moves, starts, rows[a:b], *own, tables))
        if bad >= 0:
            raise illegal_move_error(games, a + bad)

    for _ in each_in_threads(work, spans(n, threads, most=_PIECE), threads):
        pass
    columns: dict[str, Header] = {
        "plies": _all_known(np.diff(offsets).astype(np.int32)),
        "final_signature": _as_texts(Positions(last).signature(threads=threads)),
        "promotions": _promotion_texts(promoted),
        "white_pawn_squares": _all_known(white),
        "black_pawn_squares": _all_known(black),
    }
    return Summaries(columns, games.starts)


@functools.cache
def of_no_moves() -> Summaries:
    """Return the summary of a game without moves from the usual start position: no other such game is bound as much."""
    squares = zip(_PAWN_SQUARES, (0xFF << 8, 0xFF << 48), strict=True)
    boards = {name: _all_known(np.array([board], U64)) for name, board in squares}
    pieces = "KQRRBBNNPPPPPPPP"
    texts = {"final_signature": Texts.of([f"{pieces}v{pieces}"]), "promotions": Texts.of([""])}
    starts = Starts(np.full(1, -1, np.int32), Positions.from_boards([]))
    return Summaries({"plies": _all_known(np.zeros(1, np.int32)), **texts, **boards}, starts)


def stored_summaries(columns: Mapping[str, Header], starts: Starts) -> Summaries | None:
    """Return the summaries that a table stores, or None if a column is missing or has boards of another type.

    A text that is not a signature is a missing value.
    """
    if not columns.keys() >= OF_MOVES.keys():
        return None
    if any(_numbers(columns[name]).dtype != np.uint64 for name in _PAWN_SQUARES):
        return None
    signatures = _texts(columns["final_signature"])
    before = _count_before(signatures.data, "v")
    is_signature = before[signatures.offsets[1:]] - before[signatures.offsets[:-1]] == 1
    if not is_signature.all():
        texts = [text if valid else "v" for text, valid in zip(signatures, is_signature, strict=True)]
        signatures = Texts.of(texts)
        signatures = Texts(signatures.offsets, signatures.data, is_signature)
    return Summaries({**columns, "final_signature": signatures}, starts)


def columns_named(games: GameColumns, names: Collection[str]) -> dict[str, Header]:
    """Return some of the columns of a summary."""
    if set(names) <= {"plies"}:
        return {name: _all_known(np.diff(games.plies.offsets).astype(np.int32)) for name in names}
    columns = summaries_of(games).columns
    return {name: columns[name] for name in names}


def _all_known(values: NDArray[Any]) -> Numbers:
    return Numbers(values, np.ones(values.size, np.bool_))


def _numbers(column: Header) -> NDArray[Any]:
    assert isinstance(column, Numbers)
    return column.values


def _texts(column: Header) -> Texts:
    assert isinstance(column, Texts)
    return column


def _colour(side: Any) -> int:
    """Return 0 for white and 1 for black."""
    return int(not read_colour(side, "side"))


def _as_texts(signatures: NDArray[np.str_]) -> Texts:
    """Return an array of texts in ASCII as a column."""
    letters = signatures.view(np.uint32).reshape(signatures.size, signatures.dtype.itemsize // 4)
    offsets = np.zeros(signatures.size + 1, np.int64)
    np.cumsum(np.count_nonzero(letters, axis=1), out=offsets[1:])
    return Texts(offsets, letters[letters != 0].astype(np.uint8), np.ones(signatures.size, np.bool_))


def _promotion_texts(promoted: NDArray[np.uint64]) -> Texts:
    """Return the texts of numbers of promotions. Few games have any, and few of these numbers are different."""
    games = np.flatnonzero(promoted)
    words, index = np.unique(promoted[games], return_inverse=True)
    counts = words.view(np.uint8).reshape(-1, 2, 4)[:, :, ::-1].reshape(-1, 8)  # from queens to knights
    texts = ["".join(letter * n for letter, n in zip(_PROMOTIONS, row, strict=True)) for row in counts.tolist()]
    of_games = np.zeros(promoted.size, np.int64)
    of_games[games] = index + 1
    return Texts.of(["", *texts]).chosen(of_games)


def _code(kind: int, colour: int) -> int:
    """Return the row of a kind and colour in an array of numbers of pieces."""
    return kind - 1 + _BLACK * colour


def _pieces_in(signatures: Texts) -> NDArray[np.uint8]:
    """Return how many pieces of each kind and colour are in each text like ``KRPvKR``: (12, n)."""
    offsets = signatures.offsets
    data = signatures.data[offsets[0] : offsets[-1]]
    codes = _CODES[data]
    middle = np.flatnonzero(data == ord("v"))
    black = np.arange(data.size) > np.repeat(middle, np.diff(offsets))
    return _counted(np.where(black & (codes < _BLACK), codes + np.uint8(_BLACK), codes), offsets)


def _counted(codes: NDArray[np.uint8], offsets: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Return how often each code of a piece is in each stretch of an array: (12, n)."""
    n = offsets.size - 1
    games = np.repeat(np.arange(n), np.diff(offsets))
    numbers = np.bincount(codes * np.intp(n) + games, minlength=(2 * _BLACK + 1) * n)
    return numbers[: 2 * _BLACK * n].astype(np.uint8).reshape(2 * _BLACK, n)


def _count_before(data: NDArray[np.uint8], letter: str) -> NDArray[np.int64]:
    """Return how often a letter occurs before each place of a text, and in all of it."""
    before = np.zeros(data.size + 1, np.int64)
    np.cumsum(data == ord(letter), out=before[1:])
    return before


def _codes() -> NDArray[np.uint8]:
    """Return the code of each letter: 0 (a white pawn) to 11 (the black king), and 12 for what is not a piece."""
    codes = np.full(256, 2 * _BLACK, np.uint8)
    for kind, symbol in enumerate(PIECE_SYMBOLS[1:]):
        codes[[ord(symbol.upper()), ord(symbol)]] = kind, kind + _BLACK
    return codes


_CODES: Final = _codes()
