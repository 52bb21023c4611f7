"""The part of `Positions` that moves: lists of moves, moves made and drawn, whole games."""

from collections.abc import Sequence
from typing import Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import flag, shown
from rookery.kernel import U64, UNIVERSE
from rookery.positions import san, san_texts, uci
from rookery.positions.array import PositionArray
from rookery.positions.moves import Moves, draw_all, judged, listed, played, random_words
from rookery.positions.operands import words_of
from rookery.positions.rollouts import Rollouts, Termination, played_out
from rookery.positions.sources import lines_of_texts
from rookery.positions.threads import check_threads, over
from rookery.rules.compiled import default_technique
from rookery.rules.moves import Move

Words: TypeAlias = NDArray[np.integer[Any]] | Sequence[int]


class MoveMethods(PositionArray):
    """Moves."""

    __slots__ = ()

    def legal_moves(self, *, threads: int = 1) -> Moves:
        """The legal moves of every position, in the order of `Board.generate_legal_moves`: `Moves`, that is,
        ``.offsets`` (int64, n + 1) and ``.moves`` (uint16, flat); an index gives those of one position.

        >>> moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> moves.offsets.tolist(), [Move(int(word)) for word in moves[1]]
        ([0, 20, 23], [Move('a1b1'), Move('a1a2'), Move('a1b2')])
        """
        return listed(self.columns, U64(UNIVERSE), U64(UNIVERSE), threads)

    def captures(self, *, threads: int = 1) -> Moves:
        """Captures and promotions alone, in the generator's order (`Board.generate_captures` sorts its own).

        >>> Positions.from_boards([Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")]).captures()[0]
        array([2268], dtype=uint16)
        """
        return listed(self.columns, U64(UNIVERSE), U64(0), threads)

    def play(self, moves: Words, *, check: bool = True, threads: int = 1) -> Self:
        """The positions after one move each: `moves` is an array of n words, like those of `Move`.

        An illegal move is a ValueError that names its index, the move and the position. The null move, 0, passes the
        turn, and is illegal in check. Clocks, castling rights and the en-passant square go on as in `Board.push`.
        With ``check=False`` nothing is looked at, and an illegal move leaves a board that is no chess.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions = positions.play([Move.of(12, 28), Move.of(6, 21)])
        >>> positions[1].fen()
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'
        """
        words = words_of("moves", moves, (len(self),), np.uint16)
        legal = judged(self.columns, words, threads) if flag("check", check) else None
        if legal is not None and not legal.all():
            i = int(np.argmin(legal))
            board = self[i]
            raise ValueError(f"moves[{i}]: {board.uci(Move(int(words[i])))} is not legal in {board.fen()!r}")
        return type(self)(played(self.columns, words, threads))

    def uci(self, moves: Words | Moves, *, threads: int = 1) -> NDArray[np.str_]:
        """Moves as engines write them, as `Board.uci` does for each position: castling as the king's two steps, or in
        Chess960 as king takes rook; the null move is ``0000``. Whether they are legal is not looked at.

        `moves` are n words, one for each position, or `Moves`, a list for each, like those of `legal_moves` and
        `rollouts`. The answer is a flat NumPy array of texts of at most five characters (``<U5``, 20 bytes each), one
        for each word, so that `Moves.offsets` cut it, too; ``pyarrow.array(texts)`` makes Arrow strings of it.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), Board()])
        >>> positions.uci([Move.of(4, 0, kind=3), Move.of(6, 21)]).tolist()
        ['e1c1', 'g1f3']
        >>> moves = positions.legal_moves()
        >>> texts = positions.uci(moves)
        >>> texts[moves.offsets[1] : moves.offsets[2]][:3].tolist()
        ['b1a3', 'b1c3', 'g1f3']
        """
        words, which = self._words_and_positions(moves)
        return uci.texts_of(words, self.chess960[which], threads)

    def san(self, moves: Words | Moves, *, threads: int = 1) -> NDArray[np.str_]:
        """Moves in standard algebraic notation, as `Board.san` writes them: with ``+`` or ``#``, a piece told from
        others that may go to the same square; the null move is ``--``.

        `moves` as in `uci`, and so is the answer: flat, texts of at most seven signs (``<U7``, 28 bytes each). A move
        that is not legal is a ValueError that names its index, the move and the position.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> Positions.from_boards([board, Board()]).san([Move.of(0, 56), Move.of(6, 21)]).tolist()
        ['Rxa8+', 'Nf3']
        >>> Positions.from_boards([board]).san(Positions.from_boards([board]).captures()).tolist()
        ['Rxa8+', 'Rxh8+']
        """
        words, which = self._words_and_positions(moves)
        texts, bad = san.texts_of(self.columns, which, words, threads)
        if bad >= 0:
            board = self[int(which[bad])]
            raise ValueError(f"moves[{bad}]: {board.uci(Move(int(words[bad])))} is not legal in {board.fen()!r}")
        return texts

    def parse_san(self, texts: Any, *, threads: int = 1) -> NDArray[np.uint16]:
        """The moves of texts in standard algebraic notation, one for each position, as `Board.parse_san` reads them:
        long forms and UCI are taken, too. `texts` is a list or an array of texts, or a column of a data frame.

        The answer is a word for each, see `Move`. A text that is no legal move of its position, or ambiguous, is a
        ValueError that names its index and says why.

        >>> positions = Positions.from_boards([Board(), Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")])
        >>> [Move(int(word)) for word in positions.parse_san(["Nf3", "O-O"])]
        [Move('g1f3'), Move('e1g1')]
        """
        check_threads(threads)
        lines = lines_of_texts(texts)
        if lines.number != len(self):
            raise ValueError(f"texts: {lines.number} texts: expected {len(self)}, one for each position")
        words, bad = san_texts.words_of_texts(self.columns, lines, threads)
        if bad >= 0:
            text = lines.line(bad)
            try:
                self[bad].parse_san(text if text is not None else "")
            except ValueError as error:
                raise type(error)(f"texts[{bad}]: {error}") from None
            raise AssertionError(
                f"{text!r} in {self[bad].fen()!r}: refused by the compiled reader and not by the other"
            )
        return words

    def _words_and_positions(self, moves: Any) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Moves, given as one a position or as a list a position, and the index of the position of each."""
        if not isinstance(moves, Moves):
            return words_of("moves", moves, (len(self),), np.uint16), np.arange(len(self))
        if len(moves) != len(self):
            raise ValueError(f"moves: {len(moves)} lists: expected {len(self)}, one for each position")
        words = words_of("moves", moves.moves, (int(moves.offsets[-1]),), np.uint16)
        return words, np.repeat(np.arange(len(self)), np.diff(moves.offsets))

    def random_moves(self, rng: np.random.Generator | int, *, threads: int = 1) -> NDArray[np.uint16]:
        """A legal move for each position, every one as likely as the others; 0 where there is none.

        `rng` is a `numpy.random.Generator` or an int as its seed: the same seed gives the same moves with any number
        of threads.

        >>> Move(int(Positions.from_boards([Board()]).random_moves(1)[0])) in Board().legal_moves
        True
        """
        words, out = random_words(rng, len(self)), np.empty(len(self), np.uint16)
        over(draw_all, threads, len(self), self.columns, words, out, default_technique().tables())
        return out

    def rollouts(
        self, rng: np.random.Generator | int, *, max_plies: int | None = None, moves: bool = False, threads: int = 1
    ) -> Rollouts:
        """A game of random moves from every position to its end: checkmate, stalemate, insufficient material, fifty
        moves (a clock of 100) or the third repetition since the game began, looked at in this order; or `max_plies`
        moves of both sides, if that is given.

        `Rollouts` holds, one a game, ``outcome`` (int8, 1 where white has won, -1 where black has, else 0),
        ``termination`` (uint8, see `rookery.positions.rollouts.Termination`), ``plies`` (int64), ``final`` (the last
        positions), and with ``moves=True`` ``moves`` (like those of `legal_moves`, a list a game, else None). `rng` is
        a `numpy.random.Generator` or an int as its seed: the same seed gives the same games with any number of threads.

        >>> games = Positions.from_boards([Board()] * 3).rollouts(7, moves=True)
        >>> bool((games.plies == np.diff(games.moves.offsets)).all()), len(games.final)
        (True, 3)
        """
        if max_plies is not None and (not isinstance(max_plies, int) or isinstance(max_plies, bool) or max_plies < 0):
            raise ValueError(f"max_plies: {shown(max_plies)}: expected an int of at least 0, or None")
        most = (1 << 62) if max_plies is None else min(max_plies, 1 << 62)
        moves = flag("moves", moves)
        seeds = random_words(rng, len(self))
        termination, plies, columns, kept = played_out(self.columns, seeds, most, moves, threads)
        final = type(self)(columns)
        mated = termination == Termination.CHECKMATE
        outcome = np.where(mated, np.where(final.turn, -1, 1), 0).astype(np.int8)
        return Rollouts(outcome, termination, plies, final, kept)
