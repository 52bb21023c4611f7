"""Play: legal moves of a board, and making and taking back moves."""

from typing import Any

import numpy as np

from rookery.aliases import AnyBoard
from rookery.arguments import UNIVERSE as EVERYWHERE
from rookery.arguments import board_number
from rookery.bitboards.squares import check_square
from rookery.board.moves import (
    CASTLING,
    CHESS960,
    CLASSICAL,
    EN_PASSANT,
    NULL,
    PROMOTION,
    PROMOTIONS,
    IllegalMoveError,
    Move,
    as_move,
    parse_uci_parts,
    read_promotion,
)
from rookery.board.rows import CLOCK, MASKS, MOVE, NUMBER, PAWNS, THEM, TURN, as_array, unpack
from rookery.board.setup import Setup
from rookery.kernel import UNIVERSE
from rookery.rules.compiled import IN_CHECK, compiled
from rookery.rules.generate import MOST_MOVES

_CHECKED = int(IN_CHECK)
_MOVES = _CHECKED - 1
_WORD = np.dtype(np.uint16)
_VICTIMS = {None: 0, "p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}


class Play(Setup):
    """A board with its legal moves.

    Methods take a `Move`, or the word that arrays store for it. In classical chess, castling may also be given as the
    king taking its rook, and in Chess960 as the king's move to its target, where no other move has these squares.
    """

    __slots__ = ()

    # Legal moves.

    def _words_of_moves(self, noisy: Any, quiet: Any) -> list[int]:
        code = compiled()
        # A new array for each call: several threads may list the moves of one board at the same time.
        moves = np.empty(MOST_MOVES, _WORD)
        n = code.legal(as_array(self._row), moves, noisy, quiet, code.tables)
        words: list[int] = moves[:n].tolist()
        return words

    def _generate(self, noisy: Any, quiet: Any) -> list[Move]:
        moves = CHESS960 if self.chess960 else CLASSICAL
        return list(map(moves.__getitem__, self._words_of_moves(noisy, quiet)))

    def _within(self, from_mask: AnyBoard, to_mask: AnyBoard, kind: int | None = None) -> list[Move]:
        """Return the legal moves of a kind, or of all kinds, from and to some squares."""
        moves = CHESS960 if self.chess960 else CLASSICAL
        sources, targets = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
        return [
            moves[word]
            for word in self._words_of_moves(UNIVERSE, UNIVERSE)
            if sources >> (word & 63) & targets >> (word >> 6 & 63) & 1 and (kind is None or word >> 14 == kind)
        ]

    def generate_legal_moves(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal moves, or those from the squares of `from_mask` to the squares of `to_mask`.

        Castling is among those to the square of the rook, as in python-chess.

        >>> Board().generate_legal_moves(from_mask=1 << 1)
        [Move('b1a3'), Move('b1c3')]
        """
        if from_mask is to_mask is EVERYWHERE:
            return self._generate(UNIVERSE, UNIVERSE)
        return self._within(from_mask, to_mask)

    def generate_legal_captures(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal captures. `generate_captures` also lists promotions, and sorts.

        >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_legal_captures(to_mask=1 << 37)
        [Move('e4f5')]
        """
        if from_mask is to_mask is EVERYWHERE:
            noisy = self._generate(UNIVERSE, 0)
            return [move for move in noisy if not move >> 14 or self.is_capture(move)]
        return [move for move in self._within(from_mask, to_mask) if self.is_capture(move)]

    def generate_legal_ep(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal en-passant captures.

        >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").generate_legal_ep()
        [Move('e5d6')]
        """
        return self._within(from_mask, to_mask, EN_PASSANT)

    def generate_castling_moves(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal castling moves from the squares of `from_mask`, with rooks on the squares of `to_mask`.

        >>> Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").generate_castling_moves()
        [Move('e1c1'), Move('e1g1')]
        """
        return self._within(from_mask, to_mask, CASTLING)

    def generate_captures(self) -> list[Move]:
        """Return captures and promotions, as a quiescence search wants them.

        The most valuable victim comes first; among equal victims, the least valuable attacker.

        >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_captures()
        [Move('e4d5'), Move('e4f5')]
        """
        return sorted(self._generate(UNIVERSE, 0), key=self._most_valuable_victim)

    def _most_valuable_victim(self, move: Move) -> tuple[int, int]:
        value = _VICTIMS[self.kind_at(move.to_square)] or int(self._takes_in_passing(move))
        if move.promotion:
            value += move.promotion - 1
        return -value, _VICTIMS[self.kind_at(move.from_square)]

    def generate_quiet_moves(self) -> list[Move]:
        """Return the legal moves that neither capture nor promote.

        >>> Board("4k3/8/8/3q4/4P3/8/8/7K w - - 0 1").generate_quiet_moves()
        [Move('h1g1'), Move('h1g2'), Move('h1h2')]
        """
        return self._generate(0, UNIVERSE)

    def generate_evasions(self) -> list[Move]:
        """Return the legal moves if the king is in check, else an empty list.

        >>> Board("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").generate_evasions()
        [Move('e1d1'), Move('e1f1'), Move('e1e2')]
        """
        return self.generate_legal_moves() if self.is_check() else []

    def generate_checks(self) -> list[Move]:
        """Return the legal moves that give check.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").generate_checks()
        [Move('a1a8')]
        """
        code = compiled()
        moves = CHESS960 if self.chess960 else CLASSICAL
        words = self._words_of_moves(UNIVERSE, UNIVERSE)
        return [moves[word] for word in words if code.gives_check(as_array(self._row), word, code.tables)]

    def count_legal_moves(self) -> int:
        """Return the number of legal moves.

        >>> Board().count_legal_moves()
        20
        """
        code = compiled()
        return code.moves_and_check(as_array(self._row), code.tables) & _MOVES

    def _ended(self) -> tuple[bool, bool]:
        """Return whether there is no legal move, and whether the side to move is in check."""
        code = compiled()
        found = code.moves_and_check(as_array(self._row), code.tables)
        return not found & _MOVES, found >= _CHECKED

    # One move.

    def _legal_word(self, move: int) -> int:
        """Return the word of the legal move that `move` stands for, or 0. The null move is not legal."""
        if type(move) is not Move:
            move = as_move(move, chess960=self.chess960)
        code = compiled()
        return code.word_of(as_array(self._row), move, code.tables)

    def _the_legal_word(self, move: int) -> int:
        """Return the word of the legal move that `move` stands for, or raise `IllegalMoveError`."""
        word = self._legal_word(move)
        if not word:
            raise self._not_legal(move)
        return word

    def _not_legal(self, move: int) -> IllegalMoveError:
        """Return the error for a move that is not legal."""
        return IllegalMoveError(f"move: {as_move(move, chess960=self.chess960)!s} is not legal in {self.fen()!r}")

    def _word_or_null(self, move: int) -> int:
        """Return the word of a legal move, and 0 for the null move; raise `IllegalMoveError` for any other."""
        word = self._legal_word(move)
        if not word and as_move(move) is NULL:
            self._check_null()
            return 0
        return word or self._the_legal_word(move)

    def move_word(self, move: int) -> int:
        """Return the word that arrays store for a legal move: 16 bits, see `rookery.board.moves`; 0 for the null move.

        It has the kind of the move. Castling goes to the square of the rook there. `Move.from_word` is the inverse.

        >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        >>> castling = board.parse_san("O-O")
        >>> castling
        Move('e1g1')
        >>> word = board.move_word(castling)
        >>> hex(word)
        '0xc1c4'
        >>> Move.from_word(word) is castling
        True
        """
        return self._word_or_null(move)

    def _by_uci(self, text: str) -> Move | None:
        """Return the legal move that a UCI text stands for, or None."""
        if isinstance(text, str) and text == "0000":
            return None
        source, target, promotion = parse_uci_parts(text)
        move = source | target << 6
        if promotion:
            move |= PROMOTIONS.index(promotion) << 12 | PROMOTION << 14
        code = compiled()
        word = code.word_of(as_array(self._row), move, code.tables)
        return (CHESS960 if self.chess960 else CLASSICAL)[word] if word else None

    def is_legal(self, move: int) -> bool:
        """Check whether a move is legal.

        Of the two ways to give castling, Chess960 knows only that as the king taking its rook.

        >>> Board().is_legal(Move.of(12, 28))
        True
        >>> Board().is_legal(Move.of(12, 36))
        False
        """
        try:
            move = as_move(move, chess960=self.chess960)
        except ValueError:  # an int that is no move at all
            return False
        word = self._legal_word(move)
        if word == move:
            return word != 0
        return word != 0 and (CHESS960[word] is move or (not self.chess960 and CLASSICAL[word] is move))

    def find_move(self, from_square: int, to_square: int, promotion: str | int | None = None) -> Move:
        """Return the legal move from one square to another. A pawn promotes to a queen by default.

        >>> Board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").find_move(48, 56)
        Move('a7a8q')
        """
        source, target = check_square(from_square, "from_square"), check_square(to_square, "to_square")
        letter = read_promotion(promotion)
        last_rank = target >> 3 in (0, 7) and self.kind_at(source) == "p"
        move = Move.of(source, target, promotion=letter or ("q" if last_rank else None))
        if not self.is_legal(move):
            raise self._not_legal(move)
        return self._move_of(self._legal_word(move))

    def gives_check(self, move: int) -> bool:
        """Check whether a legal move gives check.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").gives_check(Move.of(0, 56))
        True
        """
        word = self._word_or_null(move)
        if not word:
            return False
        code = compiled()
        return code.gives_check(as_array(self._row), word, code.tables) != 0

    def check_after(self, move: int) -> int:
        """Return 2 if a legal move gives checkmate, 1 if it gives check, and 0 otherwise.

        >>> Board("7k/6pp/8/8/8/8/8/R3K3 w - - 0 1").check_after(Move.of(0, 56))
        2
        """
        code = compiled()
        return code.check_after(as_array(self._row), self._the_legal_word(move), code.tables)

    def is_capture(self, move: int) -> bool:
        """Check whether a legal move is a capture, en passant included.

        >>> Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").is_capture(Move.of(28, 35))
        True
        """
        if type(move) is not Move:
            move = as_move(move, chess960=self.chess960)
        words = unpack(self._row)
        if words[6] & MASKS[move >> 6 & 63]:
            return move is not NULL
        return words[8] != 0 and self._takes_in_passing(move)

    def _takes_in_passing(self, move: Move) -> bool:
        """Check whether a pawn moves diagonally to the en-passant square."""
        words = unpack(self._row)
        source, target = move & 63, move >> 6 & 63
        return words[8] == 1 << target and words[0] >> source & 1 == 1 and (source ^ target) & 7 != 0

    def is_en_passant(self, move: int) -> bool:
        """Check whether a legal move is an en-passant capture.

        >>> board = Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
        >>> [board.is_en_passant(board.parse_san(san)) for san in ("exd6", "e6")]
        [True, False]
        """
        return self._takes_in_passing(as_move(move, chess960=self.chess960))

    def is_castling(self, move: int) -> bool:
        """Check whether a legal move is castling.

        >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        >>> [board.is_castling(board.parse_san(san)) for san in ("O-O", "Kf1")]
        [True, False]
        """
        if type(move) is not Move:
            move = as_move(move, chess960=self.chess960)
        words = unpack(self._row)
        source = move & 63
        if not words[4] & MASKS[source]:
            return False
        target = move >> 6 & 63
        # The king goes more than one file, or takes its rook.
        return not -1 <= (source & 7) - (target & 7) <= 1 or words[3] & ~words[2] & words[5] & MASKS[target] != 0

    def is_kingside_castling(self, move: int) -> bool:
        """Check whether a legal move is castling with a rook to the right of the king.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        >>> [board.is_kingside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
        [True, False]
        """
        move = as_move(move, chess960=self.chess960)
        return self.is_castling(move) and move >> 6 & 7 > move & 7

    def is_queenside_castling(self, move: int) -> bool:
        """Check whether a legal move is castling with a rook to the left of the king.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        >>> [board.is_queenside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
        [False, True]
        """
        move = as_move(move, chess960=self.chess960)
        return self.is_castling(move) and move >> 6 & 7 < move & 7

    def is_zeroing(self, move: int) -> bool:
        """Check whether a legal move resets the halfmove clock: a capture or a pawn move.

        >>> Board().is_zeroing(Move.of(12, 28))
        True
        >>> Board().is_zeroing(Move.of(6, 21))
        False
        """
        if type(move) is not Move:
            move = as_move(move, chess960=self.chess960)
        words = unpack(self._row)
        # An en-passant capture is a pawn move.
        return (words[0] & MASKS[move & 63] | words[6] & MASKS[move >> 6 & 63]) != 0 and move is not NULL

    def is_irreversible(self, move: int) -> bool:
        """Check whether a legal move is irreversible.

        Captures, pawn moves, moves that lose a castling right, and all moves in a position with a legal en-passant
        capture are irreversible, the null move among them.

        >>> board = Board("4k3/8/8/8/8/8/4P3/R3K1N1 w Q - 0 1")
        >>> [board.is_irreversible(board.parse_san(san)) for san in ("e3", "Rb1", "Nf3")]
        [True, True, False]
        >>> board.is_irreversible(Move.null())
        False
        """
        word = self._word_or_null(move)
        if not word:
            return self.has_legal_en_passant()
        if self.is_zeroing(self._move_of(word)) or self.has_legal_en_passant():
            return True
        after = self.copy(stack=False)
        after.push(word)
        return after.castling_rights != self.castling_rights

    # Making moves.

    def push(self, move: int) -> None:
        """Make a move. ``Move.null()`` passes the turn.

        Raises
        ------
        IllegalMoveError
            If the move is not legal, or is a null move in check.

        Examples
        --------
        >>> board = Board()
        >>> board.push(Move.of(12, 28))
        >>> board.push(Move.null())
        >>> board.fen()
        'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 1 2'
        """
        if type(move) is not Move:
            move = as_move(move, chess960=self.chess960)
        words = unpack(self._row)
        word = zeroing = 0
        if move is NULL:
            self._check_null()
        else:
            word = self._legal_word(move) or self._the_legal_word(move)
            zeroing = (words[PAWNS] >> (word & 63) | words[THEM] >> (word >> 6 & 63)) & 1  # a pawn's move or a capture
        self._history.append(self._row)
        self._row = self._row_after(word, 0 if zeroing else words[CLOCK] + 1, words[NUMBER] + words[TURN])

    def _row_after(self, word: int, clock: int, number: int) -> bytes:
        """Return the row after the legal move of a word, or after the null move, whose word is 0."""
        code, after = compiled(), as_array(self._row)
        if word:
            code.play(after, word, 0, code.tables)
        else:
            code.pass_turn(after, 0, code.tables)
        after[CLOCK], after[NUMBER], after[MOVE] = clock, number, word
        row: bytes = after.tobytes()
        return row

    def _check_null(self) -> None:
        """Raise `IllegalMoveError` if the side to move is in check."""
        if self.is_check():
            raise IllegalMoveError("null move: the king is in check")

    def pop(self) -> Move:
        """Take back the last move and return it.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.pop()
        Move('e2e4')
        >>> board == Board()
        True
        """
        if not self._history:
            raise IndexError("pop: no move has been made")
        move = self.peek()
        self._row = self._history.pop()
        return move

    def peek(self) -> Move:
        """Return the last move made.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.peek()
        Move('e2e4')
        """
        if not self._history:
            raise IndexError("peek: no move has been made")
        return self._move_of(unpack(self._row)[MOVE])
