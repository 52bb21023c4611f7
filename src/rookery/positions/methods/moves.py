"""The methods of `Positions` for moves: lists of moves, moves made and drawn, random games, notation."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import check_threads, flag, shown
from rookery.board.moves import IllegalMoveError
from rookery.kernel import U64, UNIVERSE, Entry, entry_of
from rookery.lazy_imports import modules_later
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.moves import (
    BrokenFormError,
    Moves,
    draw_all,
    judged,
    listed,
    one_word_each,
    played,
    random_words,
    resolved,
)
from rookery.positions.operands import words_of
from rookery.positions.threads import over
from rookery.rules.constants import default_tables
from rookery.rules.exchange_search import new_space

if TYPE_CHECKING:
    from rookery.positions import rollouts
    from rookery.positions.kernels import moves as move_kernels
    from rookery.positions.notation import san, sources, uci
    from rookery.positions.queries import pieces
else:
    (rollouts,) = modules_later("rookery.positions", "rollouts")
    (move_kernels,) = modules_later("rookery.positions.kernels", "moves")
    san, sources, uci = modules_later("rookery.positions.notation", "san sources uci")
    (pieces,) = modules_later("rookery.positions.queries", "pieces")

exchange_all = entry_of("rookery.positions.kernels.exchanges", "exchange_all")

Words: TypeAlias = NDArray[np.integer[Any]] | Sequence[int]


class MoveMethods(PositionArray):
    """Moves, their notation and random games."""

    __slots__ = ()

    def legal_moves(self, *, threads: int = 1) -> Moves:
        """Return the legal moves of each position as `Moves`, in the order of `Board.generate_legal_moves`.

        `Moves` has ``.offsets`` (int64, n + 1) and ``.moves`` (uint16, flat); an index gives the moves of one position.

        >>> moves = Positions.from_boards([Board(), Board("7k/8/8/8/8/8/8/K7 w - - 0 1")]).legal_moves()
        >>> moves.offsets.tolist()
        [0, 20, 23]
        >>> [Move.from_word(word) for word in moves[1]]
        [Move('a1b1'), Move('a1a2'), Move('a1b2')]
        """
        return listed(self.columns, U64(UNIVERSE), U64(UNIVERSE), threads)

    def captures(self, *, threads: int = 1) -> Moves:
        """Return only captures and promotions, in the generator's order (`Board.generate_captures` sorts its own).

        >>> Positions.from_boards([Board("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1")]).captures()[0]
        array([2268], dtype=uint16)
        """
        return listed(self.columns, U64(UNIVERSE), U64(0), threads)

    def play(self, moves: Words, *, check: bool = True, threads: int = 1) -> Self:
        """Return the positions after one move each; `moves` are n moves: a list of `Move`, or an array of move words.

        An illegal move raises ValueError, which names its index, the move and the position. The null move, 0, passes
        the turn, and is illegal in check. Counters, castling rights and the en-passant square change as in
        `Board.push`. With ``check=False`` moves are not checked: an illegal move leaves an impossible board, or raises
        the same error if it would leave what `from_numpy` refuses: two pieces on a square, rights to castle without a
        king, or an en-passant square that no double step of the side skips. A move to its own square raises it, too.

        Move words (see `rookery.board.moves`) are an array of uint16, as other methods return them. Whatever else is
        given may be moves that do not say whether they castle or capture en passant, and is completed.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions = positions.play([Move.of(12, 28), Move.of(6, 21)])
        >>> positions[1].fen()
        'rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1'
        """
        words = one_word_each(self.columns, moves)
        legal = judged(self.columns, words, threads) if flag("check", check) else None
        if legal is not None and not legal.all():
            words = resolved(self.columns, words)  # words of single moves, in an array
            legal = judged(self.columns, words, threads)
        if legal is not None and not legal.all():
            raise self._illegal(int(np.argmin(legal)), words)
        try:
            return self._others(played(self.columns, words, threads))
        except BrokenFormError as error:
            raise self._illegal(error.index, words) from None

    def _illegal(self, position: int, words: NDArray[np.uint16], i: int | None = None) -> IllegalMoveError:
        """Return the error of an illegal move, which has index `i` among the moves, or that of its position."""
        board, i = self[position], position if i is None else i
        return IllegalMoveError(f"moves[{i}]: {board.uci(int(words[i]))} is not legal in {board.fen()!r}")

    def uci(self, moves: Words | Moves, *, threads: int = 1) -> NDArray[np.str_]:
        """Return moves in UCI notation, as `Board.uci` writes them, without checking whether they are legal.

        Castling is written as the king's two steps, or in Chess960 as king takes rook; the null move is ``0000``.

        `moves` are n moves as in `play`, one for each position, or `Moves`, one list for each position, like those of
        `legal_moves` and `rollouts`. The result is a flat NumPy array with a text of at most five characters for each
        word (``<U5``, 20 bytes each): `Moves.offsets` are its offsets, too. ``pyarrow.array(texts)`` converts it to
        Arrow strings.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"), Board()])
        >>> positions.uci([Move.from_uci("e1c1"), Move.from_uci("g1f3")]).tolist()
        ['e1c1', 'g1f3']
        >>> moves = positions.legal_moves()
        >>> texts = positions.uci(moves)
        >>> texts[moves.offsets[1] : moves.offsets[2]][:3].tolist()
        ['b1a3', 'b1c3', 'g1f3']
        """
        words, which = self._words_and_positions(moves)
        return uci.texts_of(words, self.chess960[which], threads)

    def san(self, moves: Words | Moves, *, threads: int = 1) -> NDArray[np.str_]:
        """Return moves in standard algebraic notation, as `Board.san` writes them.

        Checks have ``+`` and mates ``#``, and a piece is disambiguated from others that may go to the same square. The
        null move is ``--``.

        `moves` is as in `uci`. The result is flat as well, with texts of at most seven characters (``<U7``, 28 bytes
        each). A move that is not legal raises ValueError, which names its index, the move and the position.

        >>> board = Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
        >>> Positions.from_boards([board, Board()]).san([Move.of(0, 56), Move.of(6, 21)]).tolist()
        ['Rxa8+', 'Nf3']
        >>> Positions.from_boards([board]).san(Positions.from_boards([board]).captures()).tolist()
        ['Rxa8+', 'Rxh8+']
        """
        words, which = self._words_and_positions(moves)
        texts, illegal = san.texts_of(self.columns, which, words, threads)
        if illegal >= 0 and not isinstance(moves, Moves):
            words = resolved(self.columns, words)  # words of single moves, in an array
            texts, illegal = san.texts_of(self.columns, which, words, threads)
        if illegal >= 0:
            raise self._illegal(int(which[illegal]), words, illegal)
        return texts

    def parse_san(self, texts: Any, *, threads: int = 1) -> NDArray[np.uint16]:
        """Return the moves of texts in standard algebraic notation, one for each position, as words.

        Texts are parsed as by `Board.parse_san`, which also accepts long forms and UCI. `texts` is a list or an array
        of texts, or a column of a data frame. A text that is not a legal move of its position, or is ambiguous, raises
        ValueError, which names its index and the reason.

        >>> positions = Positions.from_boards([Board(), Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")])
        >>> [Move.from_word(word) for word in positions.parse_san(["Nf3", "O-O"])]
        [Move('g1f3'), Move('e1g1')]
        """
        check_threads(threads)
        lines = sources.lines_of_texts(texts)
        if lines.number != len(self):
            raise ValueError(f"texts: {lines.number} texts: expected {len(self)}, one for each position")
        words, failed = san.words_of_texts(self.columns, lines, threads)
        if failed >= 0:
            text = lines.line(failed)
            try:
                self[failed].parse_san(text if text is not None else "")
            except ValueError as error:
                raise type(error)(f"texts[{failed}]: {error}") from None
            raise AssertionError(
                f"{text!r} in {self[failed].fen()!r}: refused by the compiled parser but not by `Board`"
            )
        return words

    def _words_and_positions(self, moves: Any) -> tuple[NDArray[np.uint16], NDArray[np.int64]]:
        """Return each move and the index of its position, from one move or one list of moves for each position."""
        if not isinstance(moves, Moves):
            return one_word_each(self.columns, moves), np.arange(len(self))
        if len(moves) != len(self):
            raise ValueError(f"moves: {len(moves)} lists: expected {len(self)}, one for each position")
        moves._check_offsets()
        words = words_of("moves", moves.moves, (int(moves.offsets[-1]),), np.uint16)
        return words, np.repeat(np.arange(len(self)), np.diff(moves.offsets))

    def moving_pieces(
        self, moves: Words | Moves, *, out: NDArray[np.uint8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return the type of the piece that each move moves: uint8, 1 (pawn) to 6 (king), 0 for the null move.

        `moves` is as in `uci`: n moves, or a list for each position. The result has one value for each word. Moves are
        not checked: a move from an empty square gives 0.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions.moving_pieces([Move.of(12, 28), Move.of(6, 21)]).tolist()
        [1, 2]
        >>> np.bincount(positions[:1].moving_pieces(positions[:1].legal_moves())).tolist()
        [0, 16, 4]
        """
        return self._about_moves(pieces.moving, moves, out, threads)

    def captured_pieces(
        self, moves: Words | Moves, *, out: NDArray[np.uint8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return the type of the piece that each move captures: uint8, 1 (pawn) to 6 (king), 0 for none.

        `moves` and the result are as in `moving_pieces`. En passant captures a pawn; castling captures nothing.

        >>> positions = Positions.from_fens(["4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"])
        >>> positions.captured_pieces([Move.of(28, 35), Move.of(4, 2)]).tolist()
        [5, 0]
        """
        return self._about_moves(pieces.captured, moves, out, threads)

    def _about_moves(
        self, query: Entry, moves: Words | Moves, out: NDArray[np.uint8] | None, threads: int
    ) -> NDArray[np.uint8]:
        """Run a query that writes a number for each move."""
        words, which = self._words_and_positions(moves)
        numbers: NDArray[np.uint8] = self._output(out, words.shape, np.uint8)
        columns = self[which].columns if isinstance(moves, Moves) else self.columns
        over(query, threads, words.size, columns, words, numbers)
        return numbers

    def see(self, moves: Words | Moves, *, threads: int = 1) -> NDArray[np.int32]:
        """Return the material in centipawns that each legal move wins in the exchange on its target square: int32.

        `moves` is as in `uci`: n moves, or a list for each position. The result has one value for each word, counted as
        in `rookery.board.queries.see`: with legal captures, in any order. An illegal move raises ValueError.

        >>> positions = Positions.from_boards([Board("4k3/8/5n2/3P4/1b6/2N5/8/4K3 b - - 0 1")])
        >>> positions.see(positions.captures()).tolist()
        [100, 320]
        """
        words, which = self._words_and_positions(moves)
        positions = self[which] if isinstance(moves, Moves) else self
        legal = judged(positions.columns, words, threads)
        if not legal.all():
            words = resolved(positions.columns, words)
            legal = judged(positions.columns, words, threads)
            if not legal.all():
                i = int(np.argmin(legal))
                raise self._illegal(int(which[i]), words, i)
        out = np.empty(words.size, np.int32)
        over(exchange_all, threads, words.size, positions.columns, words, out, default_tables(), room=new_space)
        return out

    def random_moves(self, rng: "np.random.Generator | int", *, threads: int = 1) -> NDArray[np.uint16]:
        """Return a legal move for each position, drawn uniformly; 0 where there is none.

        `rng` is a `numpy.random.Generator` or an int as its seed: a seed gives the same moves with any number of
        threads.

        >>> Move.from_word(Positions.from_boards([Board()]).random_moves(1)[0]) in Board().legal_moves
        True
        """
        words, out = random_words(rng, len(self)), np.empty(len(self), np.uint16)
        tables = default_tables()
        over(draw_all, threads, len(self), self.columns, words, out, tables, room=move_kernels.move_room)
        return out

    def rollouts(
        self, rng: "np.random.Generator | int", *, max_plies: int | None = None, moves: bool = False, threads: int = 1
    ) -> "rollouts.Rollouts":
        """Play a game of random moves from each position to its end.

        A game ends by checkmate, stalemate, insufficient material, fifty moves (a clock of 100) or the third repetition
        since it began, tested in this order; or after `max_plies` moves of both sides, if given.

        `Rollouts` holds, for each game, ``outcome`` (int8, 1 if white has won, -1 if black has, else 0),
        ``termination`` (uint8, see `rookery.positions.rollouts.TerminationCode`), ``plies`` (int64), ``final`` (the
        last positions) and ``moves`` (with ``moves=True`` a list for each game, like those of `legal_moves`, else
        None). `rng` is a `numpy.random.Generator` or an int as its seed: a seed gives the same games with any number of
        threads.

        >>> games = Positions.from_boards([Board()] * 3).rollouts(7, moves=True)
        >>> bool((games.plies == np.diff(games.moves.offsets)).all())
        True
        >>> len(games.final)
        3
        """
        if max_plies is not None and (not isinstance(max_plies, int) or isinstance(max_plies, bool) or max_plies < 0):
            raise ValueError(f"max_plies: {shown(max_plies)}: expected an int of at least 0, or None")
        most = (1 << 62) if max_plies is None else min(max_plies, 1 << 62)
        moves = flag("moves", moves)
        seeds = random_words(rng, len(self))
        termination, plies, columns, kept = rollouts.played_out(self.columns, seeds, most, moves, threads)
        final = self._others(columns)
        mated = termination == rollouts.TerminationCode.CHECKMATE
        outcome = np.where(mated, np.where(final.turn, -1, 1), 0).astype(np.int8)
        return rollouts.Rollouts(outcome, termination, plies, final, kept)
