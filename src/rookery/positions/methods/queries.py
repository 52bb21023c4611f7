"""The methods of `Positions` that answer queries: a board, a number or a truth value for each position."""

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rookery import arguments
from rookery.aliases import AnyPiece, AnySlider, LineName, Side, SideOrBoth
from rookery.bitboards.pieces import SLIDERS, read_piece_type
from rookery.board.queries import MOST_SLIDES
from rookery.frames.array_arguments import Boards
from rookery.kernel import U64
from rookery.lazy_imports import modules_later
from rookery.positions import threads as run
from rookery.positions.layout import SIDES, ByPiece
from rookery.positions.layout import Side as Who
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.operands import side_name, side_of, side_or_both
from rookery.rules.constants import default_tables
from rookery.rules.helpmates.possibility import IMPOSSIBLE, LIMIT, POSSIBLE, UNKNOWN

if TYPE_CHECKING:
    from rookery.positions import dead, rollouts
    from rookery.positions.kernels import outcomes as endings
    from rookery.positions.queries import attacks, mobility, questions
else:
    dead, rollouts = modules_later("rookery.positions", "dead rollouts")
    (endings,) = modules_later("rookery.positions.kernels", "outcomes")
    attacks, mobility, questions = modules_later("rookery.positions.queries", "attacks mobility questions")

MaskedTruths: TypeAlias = "np.ma.MaskedArray[Any, np.dtype[np.bool_]]"


class QueryMethods(PositionArray):
    """Queries; each fills `out`, or returns a new array."""

    __slots__ = ()

    def attacks(
        self, side: SideOrBoth = "us", piece: AnyPiece | None = None, *, out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """Return the squares that a side attacks, with one kind of `piece` or all: uint64 boards, (n,).

        `side` is ``"us"`` (to move), ``"them"``, ``"white"`` or ``"black"`` (or `WHITE` and `BLACK`), here and in all
        queries. With ``"both"`` the result is white's boards and black's, (2, n). `piece` is a kind in any form that
        functions accept: `QUEEN`, ``"q"``, ``"queen"`` or 5. Pinned pieces attack, too, and the contents of an attacked
        square do not matter.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")])
        >>> Bitboard(positions.attacks("them", "rook")[1]).names()
        ['b1', 'c1', 'd1', 'e1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']
        >>> np.bitwise_count(positions.attacks("both")).tolist()
        [[22, 15], [22, 5]]
        """
        question = questions.Anything() if piece is None else questions.PIECES[read_piece_type(piece, "piece")]
        who = side_or_both(side)
        if who is not None:
            return self._boards(question, who, out, threads)
        out = self._output(out, (2, len(self)), np.uint64)
        if piece is None:
            run.over(attacks.of_both, threads, len(self), self.columns, *out)
        else:
            for colour, row in zip(("white", "black"), out, strict=True):
                run.over(questions.boards, threads, len(self), question, self.columns, SIDES[colour], row)
        return out

    def attack_maps(self, *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the squares that the pieces of each kind and colour attack: uint64, (12, n).

        The rows are in the order of `rookery.Placement`: white pawns, knights, bishops, rooks, queens, king, then
        black's.

        >>> np.bitwise_count(Positions.from_boards([Board()]).attack_maps()[:, 0]).tolist()
        [8, 6, 4, 4, 5, 5, 8, 6, 4, 4, 5, 5]
        """
        out = self._output(out, (12, len(self)), np.uint64)
        run.over(attacks.maps, threads, len(self), self.columns, ByPiece(*out[:6]), ByPiece(*out[6:]))
        return out

    def attack_counts(
        self, side: Side = "us", *, out: NDArray[np.uint8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """Return how many pieces of a side attack each square, pinned ones included, without x-rays: uint8, (n, 64).

        >>> Positions.from_boards([Board()]).attack_counts().reshape(8, 8)[:3].tolist()
        [[0, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 4, 4, 1, 1, 1], [2, 2, 3, 2, 2, 3, 2, 2]]
        """
        out = self._output(out, (len(self), 64), np.uint8)
        words = out.view(np.uint64)
        written = words if words.flags.aligned else np.empty_like(words)
        run.over(attacks.counts, threads, len(self), self.columns, side_of(side), written, room=attacks.count_room)
        if written is not words:
            words[...] = written
        return out

    def checkers(self, side: Side = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the pieces that give check to a side's king: uint64 boards, (n,).

        A king adjacent to it counts, as on a `Board`.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1")])
        >>> Bitboard(positions.checkers()[0]).names()
        ['e2', 'f3']
        """
        return self._boards(questions.Checkers(), side_of(side), out, threads)

    def pinned(
        self, side: Side = "us", line: LineName | None = None, *, out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """Return the pieces of a side that are pinned to its king: uint64 boards, (n,).

        `line` restricts the result to pins on the king's ``"file"``, ``"rank"``, ``"diagonal"`` (parallel to a1-h8) or
        ``"antidiagonal"``. A pinned piece may still move along that line.

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4r1k1/8/8/7b/8/5P2/4B3/r2NK3 w - - 0 1")])
        >>> [Bitboard(positions.pinned(line=line)[0]).names() for line in (None, "file", "rank", "diagonal")]
        [['d1', 'e2'], ['e2'], ['d1'], []]
        """
        question = arguments.choice("line", line, questions.LINES)
        return self._boards(question, side_of(side), out, threads)

    def pinners(self, side: Side = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the other side's sliders that pin a piece of a side to its king: uint64 boards, (n,).

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4r1k1/8/8/7b/8/5P2/4B3/r2NK3 w - - 0 1")])
        >>> Bitboard(positions.pinners()[0]).names()
        ['a1', 'e8']
        """
        return self._boards(questions.Pinners(), side_of(side), out, threads)

    def discoverers(self, side: Side = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the pieces of a side that give a discovered check by leaving their line: uint64 boards, (n,).

        >>> from rookery.bitboards.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/8/8/1N6/B3N3/8/8/4R1K1 w - - 0 1")])
        >>> Bitboard(positions.discoverers()[0]).names()
        ['e4', 'b5']
        """
        return self._boards(questions.Discoverers(), side_of(side), out, threads)

    def king_danger(self, side: Side = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """Return the squares that the other side attacks once a side's king is off the board: uint64 boards, (n,).

        That king may not move to them.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")])
        >>> f"{positions.king_danger()[0] & 0xFF:08b}"
        '11111110'
        >>> f"{positions.attacks('them')[0] & 0xFF:08b}"
        '00011110'
        """
        return self._boards(questions.Danger(), side_of(side), out, threads)

    def mobility(
        self,
        piece: AnyPiece | None = None,
        *,
        side: Side = "us",
        out: NDArray[np.uint16] | None = None,
        threads: int = 1,
    ) -> NDArray[np.uint16]:
        """Return the sum, over the pieces of a kind, of the squares that each attacks and its side does not occupy.

        The result is uint16, (n,). A square counts once for each piece that attacks it. Without `piece` the result has
        all kinds: (6, n), rows from pawns to kings. Checks and pins do not matter, and pawn pushes do not count.

        >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")])
        >>> positions.mobility("rook").tolist()
        [0, 19]
        >>> positions.mobility()[:, 0].tolist()
        [14, 4, 0, 0, 0, 0]
        """
        who = side_of(side)
        if piece is None:
            out = self._output(out, (6, len(self)), np.uint16)
            run.over(mobility.mobilities, threads, len(self), self.columns, who, ByPiece(*out))
        else:
            kind = questions.PIECES[read_piece_type(piece, "piece")]
            out = self._output(out, (len(self),), np.uint16)
            run.over(mobility.mobility, threads, len(self), kind, self.columns, who, out)
        return out

    def progressive_mobility(
        self, piece: AnySlider, moves: int = 2, *, side: Side = "us", out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """Return the squares that a side's sliders of a kind reach in up to `moves` moves: uint64 boards, (n,).

        One bishop, rook or queen makes all the moves while everything else stands still. A capture ends its path, and
        own pieces block it. The result is the union of `rookery.progressive_mobility` over the pieces, without the
        squares of the side's own pieces.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/1P6/R3K3 w - - 0 1")])
        >>> [int(positions.progressive_mobility("rook", moves)[0]).bit_count() for moves in (1, 2, 3)]
        [10, 51, 61]
        """
        kind = questions.PIECES[read_piece_type(piece, "piece", SLIDERS)]
        if not arguments.is_number(moves) or not 1 <= moves <= MOST_SLIDES:
            raise ValueError(f"moves: {arguments.shown(moves)}: expected an int from 1 to {MOST_SLIDES}")
        who = side_of(side)
        out = self._output(out, (len(self),), np.uint64)
        run.over(mobility.progress, threads, len(self), kind, self.columns, who, int(moves), out)
        return out

    def legal_move_counts(self, *, out: NDArray[np.uint16] | None = None, threads: int = 1) -> NDArray[np.uint16]:
        """Return the number of legal moves, each promotion counted four times: uint16, (n,).

        >>> Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")]).legal_move_counts().tolist()
        [20, 0]
        """
        out = self._output(out, (len(self),), np.uint16)
        run.over(questions.counts, threads, len(self), self.columns, out, default_tables())
        return out

    def is_check(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Return True where the side to move is in check: bool, (n,).

        >>> Positions.from_boards([Board(), Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")]).is_check().tolist()
        [False, True]
        """
        out = self._output(out, (len(self),), np.bool_)
        run.over(questions.any_of, threads, len(self), questions.Checkers(), self.columns, SIDES["us"], out)
        return out

    def is_checkmate(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Return True where the side to move is in check and has no legal move: bool, (n,).

        >>> Positions.from_boards([Board(), Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")]).is_checkmate().tolist()
        [False, True]
        """
        return self._mates(rollouts.TerminationCode.CHECKMATE, out, threads)

    def is_stalemate(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Return True where the side to move has no legal move and is not in check: bool, (n,).

        A side without a king is never stalemated, and placeholders of bad lines (`marked`) are not stalemates.

        >>> Positions.from_boards([Board(), Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]).is_stalemate().tolist()
        [False, True]
        """
        return self._mates(rollouts.TerminationCode.STALEMATE, out, threads)

    def outcomes(self, *, claim_draw: bool = False, threads: int = 1) -> "rollouts.Outcomes":
        """Return how the game of each position has ended, as `Board.outcome` does for a board without a history.

        A game ends by checkmate, stalemate, insufficient material or seventy-five moves (a clock of 150), tested in
        this order. With ``claim_draw=True`` fifty moves end it, too: a clock of 100, or of 99 if a legal move makes it
        100 and the game can continue from there. Repetitions are not detected.

        `Outcomes` holds ``outcome`` (int8, (n,), 1 where white has won, -1 where black has, else 0) and ``termination``
        (uint8, (n,), a `rookery.positions.rollouts.TerminationCode`; 0, ``NONE``, where the game goes on).

        >>> mate = Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")
        >>> ended = Positions.from_boards([Board(), mate, Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")]).outcomes()
        >>> ended.outcome.tolist()
        [0, 1, 0]
        >>> ended.termination.tolist()
        [0, 1, 2]
        """
        termination = np.empty(len(self), np.uint8)
        tables = default_tables()
        run.over(rollouts.mates, threads, len(self), self.columns, termination, tables, room=rollouts.mate_room)
        claim_draw = arguments.flag("claim_draw", claim_draw)
        run.over(rollouts.terminations, threads, len(self), self.columns, int(claim_draw), termination, tables)
        if claim_draw:
            before_fifty = (self.halfmove_clock == 99) & (termination == rollouts.TerminationCode.NONE) & ~self.marked
            for i in np.flatnonzero(before_fifty).tolist():
                if self[i].can_claim_fifty_moves():
                    termination[i] = rollouts.TerminationCode.FIFTY_MOVES
        mated = termination == rollouts.TerminationCode.CHECKMATE
        return rollouts.Outcomes(np.where(mated, np.where(self.turn, -1, 1), 0).astype(np.int8), termination)

    def is_valid(
        self, *, strict: bool = True, out: NDArray[np.bool_] | None = None, threads: int = 1
    ) -> NDArray[np.bool_]:
        """Return True where `Board.is_valid` finds no fault in the position: bool, (n,).

        With ``strict=False`` positions that no game can reach are valid if ``Board(fen)`` accepts them, as it does
        impossible checks and more promoted pieces than missing pawns.

        >>> lines = ["4k3/8/8/8/8/8/8/4K3 w - -", "4k3/8/8/8/8/8/8/8 w - -", "4k3/8/8/8/8/2n1n3/8/3K4 w - -"]
        >>> positions = Positions.from_fens(lines)
        >>> positions.is_valid(strict=False).tolist()
        [True, False, True]
        """
        out = self._output(out, (len(self),), np.bool_)
        tables = default_tables()
        reachable = U64(arguments.flag("strict", strict))
        run.over(endings.is_valid, threads, len(self), self.columns, reachable, out, tables)
        return out

    def can_mate(self, side: Side = "us", *, limit: int = LIMIT, threads: int = 1) -> MaskedTruths:
        """Return whether a side mates in some sequence of legal moves: a masked array of bool, (n,).

        The other side helps (see `Board.can_mate`). The answer is missing where the search has seen `limit` positions
        without finding one. With ``limit=0`` there is no search: only impossible mates are found, by material and by
        locked pawns.

        >>> fens = ["4k3/8/8/8/8/8/8/4KN2 w - -", "4k2r/8/8/8/8/8/8/4KN2 w - -"]
        >>> Positions.from_fens(fens).can_mate().tolist()
        [False, True]
        >>> Positions.from_fens(fens).can_mate(limit=0).tolist()
        [False, None]
        """
        who = side_name(side)
        black = (who == "black") | (self.turn if who == "them" else ~self.turn if who == "us" else False)
        found = dead.mates_of_sides(self.columns, np.broadcast_to(black, len(self)), limit, threads)
        return np.ma.MaskedArray(found == POSSIBLE, found == UNKNOWN)

    def is_dead(self, *, limit: int = LIMIT, threads: int = 1) -> MaskedTruths:
        """Return True where neither side can mate by any legal moves: a masked array of bool, (n,).

        The answer is missing where the search for a mate by either side has seen `limit` positions without finding one.
        With ``limit=0`` there is no search, so the answer is True or missing.

        >>> fens = ["8/8/3k4/1p1p1p1p/1P1P1P1P/3K4/8/8 w - -", "4k3/8/8/8/8/8/8/4K2R w - -"]
        >>> Positions.from_fens(fens).is_dead().tolist()
        [True, False]
        >>> Positions.from_fens(fens).is_dead(limit=0).tolist()
        [True, None]
        """
        white = np.bitwise_count(self.columns.white)
        black = 2 * white < np.bitwise_count(np.bitwise_or.reduce(self.columns[:5]))
        first = dead.mates_of_sides(self.columns, black, limit, threads)
        rest = np.flatnonzero(first != POSSIBLE)
        second = first.copy()
        second[rest] = dead.mates_of_sides(self.columns.chosen(rest), ~black[rest], limit, threads)
        alive = second == POSSIBLE
        none = (first == IMPOSSIBLE) & (second == IMPOSSIBLE)
        return np.ma.MaskedArray(none, ~(alive | none))

    def _boards(self, question: Any, side: Who, out: Any, threads: int) -> Boards:
        answers: Boards = self._output(out, (len(self),), np.uint64)
        run.over(questions.boards, threads, len(self), question, self.columns, side, answers)
        return answers

    def _mates(self, end: "rollouts.TerminationCode", out: Any, threads: int) -> NDArray[np.bool_]:
        flags: NDArray[np.bool_] = self._output(out, (len(self),), np.bool_)
        ends: NDArray[np.uint8] = flags.view(np.uint8)
        tables = default_tables()
        run.over(rollouts.mates, threads, len(self), self.columns, ends, tables, room=rollouts.mate_room)
        return np.equal(ends, end, out=flags)
