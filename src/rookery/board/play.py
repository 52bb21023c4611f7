"""Play: legal moves of a board, and making and taking back moves."""

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from rookery.aliases import AnyBoard
from rookery.arguments import UNIVERSE as EVERYWHERE
from rookery.arguments import board_number
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.leapers import table
from rookery.bitboards.squares import check_square
from rookery.board.moves import (
    CASTLING,
    EN_PASSANT,
    INTERNED,
    NULL,
    PLAIN,
    PROMOTION,
    PROMOTIONS,
    USUAL,
    IllegalMoveError,
    Move,
    as_move,
    parse_uci_parts,
    read_promotion,
)
from rookery.board.record import MASKS, Before
from rookery.board.setup import Setup
from rookery.kernel import UNIVERSE
from rookery.rules.compiled import IN_CHECK, compiled
from rookery.rules.generate import MOST_MOVES

C_FILE, G_FILE = 2, 6
KING_STEPS: Final[list[int]] = table("king").tolist()

_CHECKED = int(IN_CHECK)
_MOVES = _CHECKED - 1
_WORD = np.dtype(np.uint16)
_VICTIMS = {None: 0, "p": 1, "n": 2, "b": 3, "r": 4, "q": 5, "k": 6}


class Play(Setup):
    """A board with its legal moves.

    Methods take a `Move` or its 16-bit word. Whether a move castles or captures en passant depends on the board: equal
    moves have the same effect.
    """

    __slots__ = ()

    # Legal moves.

    def _generate(self, noisy: Any, quiet: Any) -> list[Move]:
        code = compiled()
        # A new array for each call: several threads may list the moves of one board at the same time.
        moves = np.empty(MOST_MOVES, _WORD)
        n = code.legal(self._row, moves, noisy, quiet, code.tables)
        return list(map(INTERNED.__getitem__, moves[:n].tolist()))

    def generate_legal_moves(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal moves, or those from the squares of `from_mask` to the squares of `to_mask`.

        Castling goes to the square of the rook.

        >>> Board().generate_legal_moves(from_mask=1 << 1)
        [Move('b1a3'), Move('b1c3')]
        """
        if from_mask is to_mask is EVERYWHERE:
            return self._generate(UNIVERSE, UNIVERSE)
        from_mask, to_mask = board_number("from_mask", from_mask), board_number("to_mask", to_mask)
        moves = self._generate(UNIVERSE, UNIVERSE)
        return [move for move in moves if from_mask >> move.from_square & to_mask >> move.to_square & 1]

    def generate_legal_captures(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal captures. `generate_captures` also lists promotions, and sorts.

        >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_legal_captures(to_mask=1 << 37)
        [Move('e4f5')]
        """
        if from_mask is to_mask is EVERYWHERE:
            noisy = self._generate(UNIVERSE, 0)
            return [move for move in noisy if move >> 14 != PROMOTION or self.is_capture(move)]
        return [move for move in self.generate_legal_moves(from_mask, to_mask) if self.is_capture(move)]

    def generate_legal_ep(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal en-passant captures.

        >>> Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1").generate_legal_ep()
        [Move('e5d6')]
        """
        return [move for move in self.generate_legal_moves(from_mask, to_mask) if move.is_en_passant]

    def generate_castling_moves(self, from_mask: AnyBoard = EVERYWHERE, to_mask: AnyBoard = EVERYWHERE) -> list[Move]:
        """Return the legal castling moves; each goes to the square of the rook.

        >>> Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").generate_castling_moves()
        [Move('e1c1'), Move('e1g1')]
        """
        return [move for move in self.generate_legal_moves(from_mask, to_mask) if move.is_castling]

    def generate_captures(self) -> list[Move]:
        """Return captures and promotions, as a quiescence search wants them.

        The most valuable victim comes first; among equal victims, the least valuable attacker.

        >>> Board("4k3/8/8/3q1p2/4P3/8/8/4K3 w - - 0 1").generate_captures()
        [Move('e4d5'), Move('e4f5')]
        """
        return sorted(self._generate(UNIVERSE, 0), key=self._most_valuable_victim)

    def _most_valuable_victim(self, move: Move) -> tuple[int, int]:
        value = _VICTIMS[self.kind_at(move.to_square)] or int(move.is_en_passant)
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
        return [move for move in self.generate_legal_moves() if code.gives_check(self._row, move, code.tables)]

    def count_legal_moves(self) -> int:
        """Return the number of legal moves.

        >>> Board().count_legal_moves()
        20
        """
        code = compiled()
        return code.moves_and_check(self._row, code.tables) & _MOVES

    def _ended(self) -> tuple[bool, bool]:
        """Return whether there is no legal move, and whether the side to move is in check."""
        code = compiled()
        found = code.moves_and_check(self._row, code.tables)
        return not found & _MOVES, found >= _CHECKED

    # One move.

    def _legal(self, move: int) -> Move | None:
        """Return the legal move that equals `move`, or None. The null move is not legal."""
        move = as_move(move)
        code = compiled()
        if code.reaching(self._row, move, code.tables) >> (move & 63) & 1:
            return move
        word = PLAIN[move]
        return self._by_squares(word & 63, word >> 6, None) if word >> 12 == USUAL else None

    def _the_legal(self, move: int) -> Move:
        """Return the legal move that equals `move`, or raise `IllegalMoveError`."""
        found = self._legal(move)
        if found is None:
            raise IllegalMoveError(f"move: {as_move(move)!s} is not legal in {self.fen()!r}")
        return found

    def _by_squares(self, source: int, target: int, promotion: str | None) -> Move | None:
        """Return the legal move from one square to another, of whatever kind, or None.

        Castling may also be given by the king's target square, unless an ordinary king move goes there, as it can in
        Chess960.
        """
        code = compiled()
        for candidate in self._candidates(source, target, promotion):
            if code.reaching(self._row, candidate, code.tables) >> source & 1:
                return INTERNED[candidate]
        return None

    def _candidates(self, source: int, target: int, promotion: str | None) -> Iterator[int]:
        word = source | target << 6
        if promotion:
            yield word | PROMOTIONS.index(promotion) << 12 | PROMOTION << 14
            return
        yield word
        yield word | EN_PASSANT << 14
        yield word | CASTLING << 14
        if target & 7 in (C_FILE, G_FILE) and not (source ^ target) & 56:
            left, right = self._castling_rooks(self.turn)
            for rook in Bitboard(right if target & 7 == G_FILE else left):
                yield source | rook << 6 | CASTLING << 14

    def _by_uci(self, text: str) -> Move | None:
        """Return the legal move that a UCI text stands for, or None."""
        return None if isinstance(text, str) and text == "0000" else self._by_squares(*parse_uci_parts(text))

    def is_legal(self, move: int) -> bool:
        """Check whether a move is legal.

        >>> Board().is_legal(Move.of(12, 28))
        True
        >>> Board().is_legal(Move.of(12, 36))
        False
        """
        try:
            move = as_move(move)
        except ValueError:  # an int that is no move at all
            return False
        return self._legal(move) is not None

    def find_move(self, from_square: int, to_square: int, promotion: str | int | None = None) -> Move:
        """Return the legal move from one square to another. A pawn promotes to a queen by default.

        >>> Board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1").find_move(48, 56)
        Move('a7a8q')
        """
        source, target = check_square(from_square, "from_square"), check_square(to_square, "to_square")
        letter = read_promotion(promotion)
        last_rank = target >> 3 in (0, 7) and self.kind_at(source) == "p"
        text = Move.of(source, target, promotion=letter or ("q" if last_rank else None)).uci()
        found = self._by_uci(text) if source != target else None
        if found is None:
            raise IllegalMoveError(f"move: {text} is not legal in {self.fen()!r}")
        return found

    def gives_check(self, move: int) -> bool:
        """Check whether a legal move gives check.

        >>> Board("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").gives_check(Move.of(0, 56))
        True
        """
        move = self._the_legal(move)
        code = compiled()
        return code.gives_check(self._row, move, code.tables) != 0

    def check_after(self, move: int) -> int:
        """Return 2 if a legal move gives checkmate, 1 if it gives check, and 0 otherwise.

        >>> Board("7k/6pp/8/8/8/8/8/R3K3 w - - 0 1").check_after(Move.of(0, 56))
        2
        """
        move = self._the_legal(move)
        code = compiled()
        return code.check_after(self._row, move, code.tables)

    def is_capture(self, move: int) -> bool:
        """Check whether a legal move is a capture, en passant included.

        >>> Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1").is_capture(Move.of(28, 35))
        True
        """
        if type(move) is not Move:
            move = as_move(move)
        words = self._words or self._spread()
        if move >> 14 == CASTLING and not words[7] >> (move >> 6 & 63) & 1:
            move = INTERNED[PLAIN[move]]
        if words[6] >> (move >> 6 & 63) & 1:
            return True
        return words[8] != 0 and self._takes_in_passing(move)

    def _takes_in_passing(self, move: Move) -> bool:
        """Check whether a pawn moves diagonally to the en-passant square."""
        words = self._words or self._spread()
        source, target = move & 63, move >> 6 & 63
        return words[8] == 1 << target and words[0] >> source & 1 == 1 and (source ^ target) & 7 != 0

    def is_en_passant(self, move: int) -> bool:
        """Check whether a legal move is an en-passant capture.

        >>> board = Board("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1")
        >>> [board.is_en_passant(board.parse_san(san)) for san in ("exd6", "e6")]
        [True, False]
        """
        return self._takes_in_passing(as_move(move))

    def is_castling(self, move: int) -> bool:
        """Check whether a legal move is castling.

        >>> board = Board("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
        >>> [board.is_castling(board.parse_san(san)) for san in ("O-O", "Kf1")]
        [True, False]
        """
        if type(move) is not Move:
            move = as_move(move)
        words = self._words or self._spread()
        source = move & 63
        if not words[4] & MASKS[source]:
            return False
        target = move >> 6 & 63
        if move >> 14 == CASTLING and words[7] & MASKS[target]:
            return True
        if (KING_STEPS[source] & ~words[5]) >> target & 1:
            return False
        found = self._legal(move)
        return found is not None and found.is_castling

    def is_kingside_castling(self, move: int) -> bool:
        """Check whether a legal move is castling with a rook to the right of the king.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        >>> [board.is_kingside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
        [True, False]
        """
        found = self._legal(move)
        return found is not None and found.is_castling and found.to_square > found.from_square

    def is_queenside_castling(self, move: int) -> bool:
        """Check whether a legal move is castling with a rook to the left of the king.

        >>> board = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
        >>> [board.is_queenside_castling(board.parse_san(san)) for san in ("O-O", "O-O-O")]
        [False, True]
        """
        found = self._legal(move)
        return found is not None and found.is_castling and found.to_square < found.from_square

    def is_zeroing(self, move: int) -> bool:
        """Check whether a legal move resets the halfmove clock: a capture or a pawn move.

        >>> Board().is_zeroing(Move.of(12, 28))
        True
        >>> Board().is_zeroing(Move.of(6, 21))
        False
        """
        if type(move) is not Move:
            move = as_move(move)
        words = self._words or self._spread()
        if words[0] & MASKS[move & 63]:  # an en-passant capture is a pawn move
            return move is not NULL
        if move >> 14 == CASTLING and not words[7] & MASKS[move >> 6 & 63]:
            move = INTERNED[PLAIN[move]]
        return words[6] & MASKS[move >> 6 & 63] != 0 and move is not NULL

    def is_irreversible(self, move: int) -> bool:
        """Check whether a legal move is irreversible.

        Captures, pawn moves, moves that lose a castling right, and all moves in a position with a legal en-passant
        capture are irreversible.

        >>> board = Board("4k3/8/8/8/8/8/4P3/R3K1N1 w Q - 0 1")
        >>> [board.is_irreversible(board.parse_san(san)) for san in ("e3", "Rb1", "Nf3")]
        [True, True, False]
        """
        found = self._the_legal(move)
        if self.is_zeroing(found) or self.has_legal_en_passant():
            return True
        after = self.copy(stack=False)
        after.push(found)
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
            move = as_move(move)
        code = compiled()
        row = self._row
        words = self._words or self._spread()
        source, target = move & 63, move >> 6 & 63
        if move is NULL:
            self._check_null()
            zeroing = 0
        else:
            if not code.reaching(row, move, code.tables) >> source & 1:
                move = self._the_legal(move)
                target = move >> 6 & 63
            zeroing = (words[0] >> source | words[6] >> target) & 1  # a pawn's move or a capture
        key = self.key
        self._history.append(Before(move, row, words, key, self._halfmove_clock, self._fullmove_number))
        after = row.copy()
        if move is NULL:
            self._key = code.pass_turn(after, key, code.tables)
        else:
            self._key = code.play(after, move, key, code.tables)
        self._row = after
        self._words = None
        self._fullmove_number += words[9]
        self._halfmove_clock = 0 if zeroing else self._halfmove_clock + 1

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
        before = self._history.pop()
        self._back(before)
        return before.move

    def peek(self) -> Move:
        """Return the last move made.

        >>> board = Board()
        >>> _ = board.push_san("e4")
        >>> board.peek()
        Move('e2e4')
        """
        if not self._history:
            raise IndexError("peek: no move has been made")
        return self._history[-1].move
