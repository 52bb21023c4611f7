"""The part of `Games` that replays games into positions."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from rookery.aliases import When
from rookery.arguments import check_threads, count
from rookery.board.board import Board
from rookery.frames.selection import row_of, rows_of
from rookery.games.game_array import GameArray
from rookery.lazy_imports import modules_later
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions

if TYPE_CHECKING:
    from rookery.games.positions import game_positions, replay, summaries
else:
    game_positions, replay, summaries = modules_later("rookery.games.positions", "game_positions replay summaries")


_BLOCK: Final = 1 << 16  # positions in memory at once


class PositionMethods(GameArray):
    """Start positions, and the positions of whole games."""

    __slots__ = ()

    @property
    def start_places(self) -> NDArray[np.int32]:
        """Return the row of each game's start in the table of other starts, or -1 for the usual start position."""
        return self.columns.starts.places

    @property
    def starts(self) -> Positions:
        """Return the position that each game begins from."""
        return self.columns.starts.positions()

    def starts_of(self, index: NDArray[Any] | Sequence[int]) -> Positions:
        r"""Return the positions that the games at some indices begin from.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 d5 *")
        >>> games.starts_of(np.array([1]))
        <1 position>
        """
        return self.columns.starts.positions(rows_of("index", index, len(self), "games", "indices of games"))

    def board(self, i: int) -> Board:
        r"""Return the position that game `i` begins from.

        >>> read_pgn(b'[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]\n\n1. Ra8+ *').board(0).board_fen()
        '4k3/8/8/8/8/8/8/R3K3'
        """
        return self.columns.starts.board(row_of("i", i, len(self), "games"))

    def positions(
        self, when: When = "before", *, every: int = 1, start: int = 0, stop: int | None = None, threads: int = 1
    ) -> "game_positions.GamePositions":
        """Return the positions of all games.

        `when` selects those before each half-move, `after` it, `all` (before each and after the last), or the `last`
        of each game. Only every `every`-th half-move from `start` to `stop` counts.

        A position takes 84 bytes: for many games use `position_blocks`.

        >>> games = read_pgn(b"1. e4 e5 2. Nf3 Nc6 *")
        >>> games.positions("after", every=2).ply
        array([1, 3], dtype=int32)
        >>> games.positions("last").to_fens(en_passant="fen")[0]
        'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3'
        """
        which = replay.chosen(self.plies, when, every, start, stop)
        return self._positions(0, len(self), which, self.columns.starts.all_positions, check_threads(threads))

    def position_blocks(
        self,
        size: int = 1 << 20,
        *,
        when: When = "before",
        every: int = 1,
        start: int = 0,
        stop: int | None = None,
        threads: int = 1,
    ) -> "Iterator[game_positions.GamePositions]":
        r"""Yield the positions of all games in blocks of whole games.

        A block has at most `size` positions, or one game that has more. The other arguments are those of `positions`.

        >>> games = read_pgn(b"1. e4 e5 *\n\n1. d4 d5 2. c4 *")
        >>> [len(block) for block in games.position_blocks(3)]
        [2, 3]
        """
        size = count("size", size, 1)
        which = replay.chosen(self.plies, when, every, start, stop)
        check_threads(threads)
        starts = self.columns.starts.all_positions
        return (self._positions(a, b, which, starts, threads) for a, b in replay.blocks_of(which.counts, size))

    def moving_pieces(self, *, threads: int = 1) -> NDArray[np.uint8]:
        r"""Return the type of the piece that each move moves: uint8, flat like ``moves.moves``.

        The types are 1 (pawn) to 6 (king), and 0 for a null move.

        >>> games = read_pgn(b"1. e4 d5 2. exd5 *\n\n1. Nf3 *")
        >>> games.moving_pieces().tolist()
        [1, 1, 1, 2]
        """
        return self._about_moves("moving_pieces", threads)

    def captured_pieces(self, *, threads: int = 1) -> NDArray[np.uint8]:
        r"""Return the type of the piece that each move captures, or 0: uint8, flat like ``moves.moves``.

        >>> games = read_pgn(b"1. e4 d5 2. exd5 *\n\n1. Nf3 *")
        >>> games.captured_pieces().tolist()
        [0, 0, 1, 0]
        """
        return self._about_moves("captured_pieces", threads)

    def _about_moves(self, method: str, threads: int) -> NDArray[np.uint8]:
        """Return the results of a method of `Positions` for all moves, block by block."""
        words = self.moves.moves
        out = np.empty(words.size, np.uint8)
        done = 0
        for block in self.position_blocks(_BLOCK, threads=threads):
            stop = done + len(block)
            getattr(block, method)(words[done:stop], out=out[done:stop], threads=threads)
            done = stop
        return out

    def summaries(self, threads: int = 1) -> "summaries.Summaries":
        r"""Return what bounds the positions of each game, computed from its moves.

        Tables of games store these columns, so that a search can pass over games without making their positions.

        >>> summaries = read_pgn(b"1. e4 d5 2. exd5 Qxd5 *").summaries()
        >>> summaries.final_signature.tolist()
        ['KQRRBBNNPPPPPPPvKQRRBBNNPPPPPPP']
        >>> summaries.least("pawn", "black").tolist()
        [7]
        >>> summaries.most("queen", "black").tolist()
        [1]
        """
        return summaries.summaries_of(self.columns, check_threads(threads))

    def _positions(
        self, a: int, b: int, which: "replay.Chosen", starts: Columns, threads: int
    ) -> "game_positions.GamePositions":
        part = replay.Chosen(which.first[a:b], which.step, which.counts[a:b])
        columns = replay.columns_of(self.columns, a, b, part, threads, starts)
        return game_positions.GamePositions.of(columns, *replay.places_of(a, part), 0, self)
