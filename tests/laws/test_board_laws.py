"""A board does what one of python-chess does, whatever is done with it; and `pop` undoes `push`.

A state machine makes moves, passes, takes back, copies, edits and asks, in any order, on boards of both libraries.
"""

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any, Final

import chess
import chess.polyglot
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from random_positions import random_position
from rookery import Board, Move, Positions
from thinning import examples

numbers = st.integers(0, 2**16)
squares = st.integers(0, 63)
# What may replace a board by an equal one, with its history.
SAME: Final[dict[str, Callable[[Board], Board]]] = {
    "copy": Board.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
    "python-chess": lambda board: Board.from_chess(board.to_chess()),
}
# Ways to make a move, given with its UCI text and its SAN.
WAYS: Final[dict[str, Callable[[Board, str, str], Any]]] = {
    "push": lambda board, uci, _: board.push(board.parse_uci(uci)),
    "push, a move of no board": lambda board, uci, _: board.push(Move.from_uci(uci)),
    "push_uci": lambda board, uci, _: board.push_uci(uci),
    "push_san": lambda board, _, san: board.push_san(san),
    "san_and_push": lambda board, uci, _: board.san_and_push(board.parse_uci(uci)),
}


def everything(board: Board) -> tuple[Any, ...]:
    """Return all that a board holds."""
    text = board.fen(en_passant="fen"), board.chess960, [move.uci() for move in board.move_stack]
    return (*text, board.words().tolist(), board.key, board.polyglot_key, board.repetitions(), board.root().fen())


def can_play_on(board: Board) -> bool:
    """Check whether a position has no fault but what no game reaches, of which rookery knows more."""
    return all(fault.strict for fault in board.status())


class Boards(RuleBasedStateMachine):
    """A board of each library, and what the board held before each move that can be taken back."""

    ours: Board
    theirs: chess.Board
    before: list[tuple[Any, ...]]

    @initialize(seed=numbers, chess960=st.booleans(), is_start=st.booleans())
    def begin(self, seed: int, chess960: bool, is_start: bool) -> None:
        rng = random.Random(seed)
        if is_start:
            self.theirs = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        else:
            self.theirs = random_position(rng, chess960)
        self.ours = Board(self.theirs.fen(en_passant="fen", shredder=chess960), self.theirs.chess960)
        self.before = []

    # Moves.

    def push(self, move: chess.Move, way: str = "push") -> None:
        self.before.append(everything(self.ours))
        WAYS[way](self.ours, self.theirs.uci(move), self.theirs.san(move))
        self.theirs.push(move)

    @rule(number=numbers, way=st.sampled_from(list(WAYS)))
    def any_move(self, number: int, way: str) -> None:
        moves = sorted(self.theirs.legal_moves, key=chess.Move.uci)
        if moves:
            self.push(moves[number % len(moves)], way)

    @rule(number=numbers, way=st.sampled_from(list(WAYS)))
    def special_move(self, number: int, way: str) -> None:
        board = self.theirs
        moves = [m for m in board.legal_moves if m.promotion or board.is_castling(m) or board.is_en_passant(m)]
        moves = moves or [
            m for m in board.legal_moves if board.is_capture(m) or board.is_check() or board.gives_check(m)
        ]
        if moves:
            self.push(moves[number % len(moves)], way)

    @rule(plies=st.sampled_from([3, 4, 7, 7, 8, 15, 16, 17]), number=numbers)
    def moves_that_repeat(self, plies: int, number: int) -> None:
        """Let both sides move a piece and move it back, which repeats the position."""
        for i in range(plies):
            moves = [
                m for m in self.theirs.legal_moves if not self.theirs.is_zeroing(m) and not self.theirs.is_castling(m)
            ]
            if i % 4 > 1:
                last = self.theirs.move_stack[-2]
                moves = [m for m in moves if (m.from_square, m.to_square) == (last.to_square, last.from_square)]
            if not moves:
                return
            self.push(moves[number % len(moves)])

    @precondition(lambda self: not self.theirs.is_check())
    @rule()
    def null_move(self) -> None:
        self.before.append(everything(self.ours))
        self.ours.push(Move.null())
        self.theirs.push(chess.Move.null())

    @precondition(lambda self: self.before)
    @rule(plies=st.integers(1, 5))
    def take_back(self, plies: int) -> None:
        for _ in range(min(plies, len(self.before))):
            assert self.ours.peek().uci() == self.theirs.peek().uci()
            assert self.ours.pop().uci() == self.theirs.pop().uci()
            assert everything(self.ours) == self.before.pop()

    @rule()
    def every_move_and_back(self) -> None:
        before = everything(self.ours)
        for move in self.ours.legal_moves:
            self.ours.push(move)
            assert self.ours.pop() == move
            assert everything(self.ours) == before

    # Boards that replace others.

    @rule(name=st.sampled_from(list(SAME)))
    def replace(self, name: str) -> None:
        before = everything(self.ours)
        other = SAME[name](self.ours)
        assert everything(other) == before
        assert other == self.ours
        other, self.ours = self.ours, other
        for move in list(other.legal_moves)[:1]:  # they have nothing in common
            other.push(move)
        other.clear()
        assert everything(self.ours) == before

    @rule(kept=st.booleans() | st.integers(0, 6))
    def forget(self, kept: bool | int) -> None:
        if kept is not True:
            self.ours, self.theirs = self.ours.copy(stack=kept), self.theirs.copy(stack=kept)
            self.stack_is_shorter()

    @rule()
    def clear_stack(self) -> None:
        self.ours.clear_stack()
        self.theirs.clear_stack()
        self.stack_is_shorter()

    @rule(shredder=st.booleans())
    def set_fen(self, shredder: bool) -> None:
        fen = self.theirs.fen(en_passant="fen", shredder=shredder and self.theirs.chess960)
        self.ours.set_fen(fen, self.theirs.chess960)
        self.theirs.set_fen(fen)
        self.stack_is_shorter()

    @rule()
    def mirror(self) -> None:
        self.ours, self.theirs = self.ours.mirror(), self.theirs.mirror()
        self.stack_is_shorter()

    def stack_is_shorter(self) -> None:
        """Forget what popping would restore: how often positions occurred changes with the history."""
        left = len(self.theirs.move_stack)
        kept, board = [], self.ours.copy()
        for _ in range(left):
            board.pop()
            kept.append(everything(board))
        self.before = kept[::-1]

    # Edits.

    def edit(self, change: Callable[[Board], Any], same: Callable[[chess.Board], Any]) -> None:
        """Change both boards in the same way, and keep that if a game may go on."""
        ours, theirs = self.ours.copy(), self.theirs.copy()
        change(ours)
        same(theirs)
        if ours.move_stack:
            undone = ours.copy()
            undone.pop()
            assert everything(undone) == self.before[-1]
        for board in (ours, theirs):  # to count repetitions, python-chess undoes moves and makes them again
            board.clear_stack()
        theirs.castling_rights = theirs.clean_castling_rights()
        if ours.ep_square is None or not theirs.is_valid():  # they keep a square that no pawn has passed
            theirs.ep_square = ours.ep_square
        if all(len(theirs.pieces(chess.KING, colour)) < 2 for colour in chess.COLORS):  # of two, each takes another
            assert ours.fen(en_passant="fen") == theirs.fen(en_passant="fen")
        assert ours.castling_rights == theirs.castling_rights
        assert ours.piece_map() == {square: piece.symbol() for square, piece in theirs.piece_map().items()}
        if theirs.is_valid():
            assert can_play_on(ours)
            self.ours, self.theirs, self.before = ours, theirs, []

    @rule(square=squares, piece=st.none() | st.sampled_from("PNBRQKpnbrqk"))
    def set_piece_at(self, square: int, piece: str | None) -> None:
        self.edit(
            lambda board: board.set_piece_at(square, piece),
            lambda board: board.set_piece_at(square, chess.Piece.from_symbol(piece) if piece else None),
        )

    @rule(square=squares, to=squares)
    def move_a_piece_by_hand(self, square: int, to: int) -> None:
        def moved(board: Any) -> None:
            pieces = board.piece_map()
            if square in pieces:
                pieces[to] = pieces.pop(square)
            board.set_piece_map(pieces)

        self.edit(moved, moved)

    @rule()
    def change_the_turn(self) -> None:
        before = everything(self.ours)
        self.ours.turn = not self.ours.turn
        assert self.ours.turn != self.theirs.turn
        self.ours.turn = not self.ours.turn
        assert everything(self.ours) == before

        def turned(board: Any) -> None:
            board.ep_square = None
            board.turn = not board.turn

        self.edit(turned, turned)

    @rule(mask=st.integers(0, 15))
    def take_castling_rights(self, mask: int) -> None:
        rooks = [square for i, square in enumerate(chess.SquareSet(self.theirs.castling_rights)) if mask >> i & 1]
        left = int(chess.SquareSet(rooks))

        def assigned(board: Any) -> None:
            board.castling_rights = left

        self.edit(assigned, assigned)

    @rule()
    def give_castling_rights(self) -> None:
        board, field = self.theirs, ""
        for colour, letters, rank in ((True, "ABCDEFGH", 0), (False, "abcdefgh", 7)):
            king = board.king(colour)
            rooks = board.rooks & board.occupied_co[colour] & chess.BB_RANKS[rank]
            if king is None or king >> 3 != rank or not (board.chess960 or king & 7 == 4):
                continue
            field += "".join(letters[at & 7] for at in chess.SquareSet(rooks) if board.chess960 or at & 7 in (0, 7))
        if sum(map(str.isupper, field)) < 2 and sum(map(str.islower, field)) < 2:  # of several, readers keep others
            self.edit(lambda b: b.set_castling_fen(field or "-"), lambda b: b.set_castling_fen(field or "-"))

    @rule(clock=st.sampled_from([0, 1, 98, 99, 100, 149, 150, 200]))
    def set_the_clock(self, clock: int) -> None:
        def assigned(board: Any) -> None:
            board.halfmove_clock = clock

        self.edit(assigned, assigned)

    # What must hold after each step.

    @invariant()
    def the_position_is_the_same(self) -> None:
        ours, theirs = self.ours, self.theirs
        for how in ("legal", "fen", "xfen"):
            assert ours.fen(en_passant=how) == theirs.fen(en_passant=how)
        assert ours.shredder_fen() == theirs.shredder_fen()
        assert ours.chess960 == theirs.chess960
        assert sorted(map(ours.uci, ours.legal_moves)) == sorted(map(theirs.uci, theirs.legal_moves))
        assert ours.count_legal_moves() == theirs.legal_moves.count()
        assert (ours.halfmove_clock, ours.fullmove_number) == (theirs.halfmove_clock, theirs.fullmove_number)
        assert [move.uci() for move in ours.move_stack] == [move.uci() for move in theirs.move_stack]
        assert ours.checkers() == int(theirs.checkers_mask())
        assert ours.root().fen() == theirs.root().fen()
        assert can_play_on(ours) >= theirs.is_valid() >= ours.is_valid()

    @invariant()
    def keys_are_those_of_a_new_board(self) -> None:
        new = Board(self.ours.fen(en_passant="fen", shredder=self.ours.chess960), self.ours.chess960)
        assert new == self.ours == Board(self.ours.fen(), self.ours.chess960)
        assert new.key == self.ours.key == Positions.from_boards([self.ours]).keys()[0]
        assert new.polyglot_key == self.ours.polyglot_key == chess.polyglot.zobrist_hash(self.theirs)

    @invariant()
    def the_end_is_the_same(self) -> None:
        ours, theirs = self.ours, self.theirs
        times = [count for count in range(1, 7) if theirs.is_repetition(count)]
        assert [count for count in range(1, 7) if ours.is_repetition(count)] == times
        assert min(ours.repetitions(), 6) == max(times)
        for claim_draw in (False, True):
            outcome, found = theirs.outcome(claim_draw=claim_draw), ours.outcome(claim_draw=claim_draw)
            name = found and found.termination.upper().replace("-", "").replace(" ", "_")
            assert name == (outcome and outcome.termination.name)
            assert ours.result(claim_draw=claim_draw) == theirs.result(claim_draw=claim_draw)
        assert ours.can_claim_threefold_repetition() == theirs.can_claim_threefold_repetition()
        assert ours.can_claim_fifty_moves() == theirs.can_claim_fifty_moves()


TestBoards = Boards.TestCase
TestBoards.settings = examples(2000, 40, stateful_step_count=25)
