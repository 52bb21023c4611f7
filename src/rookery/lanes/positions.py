"""Positions: an array of chess positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery import arguments
from rookery.arguments import Boards
from rookery.lanes import attacks, count, interchange, mobility, policy, queries, run, text
from rookery.lanes import planes as features
from rookery.lanes.attacks import SIDES, Side
from rookery.lanes.columns import (
    BLACK_TO_MOVE,
    CHESS960,
    CLOCK_SHIFT,
    COUNTER,
    MARKED,
    NUMBER_SHIFT,
    Columns,
    empty_columns,
)
from rookery.lanes.run import over
from rookery.lanes.text import BadLine, Errors
from rookery.lines import PIECES as SLIDERS
from rookery.rules.board import Board
from rookery.rules.engine import default_technique
from rookery.rules.fen import EnPassant
from rookery.rules.moves import Move
from rookery.rules.queries import MOST_SLIDES


class Positions:
    """An array of chess positions, and every question about them answered for all at once.

    It is a struct of arrays: nine of ``uint64``, one word a position each, contiguous, a1 = 0. `len`, an index (a
    `Board`), slices (views), boolean masks and arrays of indices (copies) work as on an array.

    >>> positions = Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")])
    >>> len(positions), positions[1].fen()
    (2, '8/8/8/8/8/4k3/4p3/4K3 w - - 0 1')
    """

    __slots__ = ("_bad_lines", "columns")
    _bad_lines: tuple[BadLine, ...]

    def __init__(self, columns: Columns) -> None:
        """Positions over nine arrays of equal length, which are not copied; see `rookery.lanes.columns`."""
        self.columns = columns

    # Making.

    @classmethod
    def from_boards(cls, boards: Iterable[Board]) -> Self:
        """The positions of boards, without their histories."""
        rows = [_words(board) for board in boards]
        columns = empty_columns(len(rows))
        if rows:
            for column, words in zip(columns, zip(*rows, strict=True), strict=True):
                column[:] = words
        return cls(columns)

    @classmethod
    def concatenate(cls, parts: Iterable["Positions"]) -> Self:
        """One array of several, in order."""
        parts = list(parts)
        columns = empty_columns(sum(map(len, parts)))
        if parts:
            for column, pieces in zip(columns, zip(*(part.columns for part in parts), strict=True), strict=True):
                np.concatenate(pieces, out=column)
        return cls(columns)

    # As a sequence.

    def __len__(self) -> int:
        return int(self.columns.pawns.size)

    @overload
    def __getitem__(self, index: int) -> Board: ...
    @overload
    def __getitem__(self, index: slice | NDArray[Any] | Sequence[Any]) -> Self: ...
    def __getitem__(self, index: Any) -> Any:
        """A `Board` for an int; `Positions` for a slice (a view), a boolean mask or an array of indices (a copy)."""
        if isinstance(index, (int, np.integer)) and not isinstance(index, (bool, np.bool_)):
            if not -len(self) <= index < len(self):
                raise IndexError(f"index: {index} is outside the {len(self)} positions")
            return _board([int(column[index]) for column in self.columns])
        if isinstance(index, slice):
            return type(self)(Columns(*(np.ascontiguousarray(column[index]) for column in self.columns)))
        chosen = np.asarray(index)
        if chosen.size == 0 and chosen.dtype == np.float64:  # an empty list
            chosen = chosen.astype(np.intp)
        if chosen.ndim != 1 or chosen.dtype.kind not in "bui":
            raise TypeError(f"index: {index!r}: expected an int, a slice, a boolean mask or a list of ints")
        if chosen.dtype.kind == "b":
            if chosen.size != len(self):
                raise IndexError(f"mask: {chosen.size} values for {len(self)} positions")
            chosen = np.flatnonzero(chosen)
        columns = empty_columns(chosen.size)
        for column, source in zip(columns, self.columns, strict=True):
            column[:] = source[chosen]
        return type(self)(columns)

    def __iter__(self) -> Iterator[Board]:
        return (_board(words) for words in zip(*(column.tolist() for column in self.columns), strict=True))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Positions):
            return NotImplemented
        return all(map(np.array_equal, self.columns, other.columns))

    __hash__ = None  # type: ignore[assignment]  # its arrays may change

    def copy(self) -> Self:
        """The same positions in arrays of their own."""
        return self[np.arange(len(self))]

    def __repr__(self) -> str:
        return f"<{len(self)} positions>"

    def __getstate__(self) -> tuple[Any, ...]:
        return tuple(self.columns)

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.columns = Columns(*state)

    # Features.

    def planes(
        self,
        channels: Iterable[str] = features.DEFAULT,
        *,
        dtype: DTypeLike = np.uint8,
        out: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> NDArray[Any]:
        """Features for a network: (n, channels, 8, 8), from the mover's side, ``uint8`` or ``float32``.

        The side to move always moves up: ``[i, k, rank, file]`` counts ranks from the mover's first, and where black is
        to move, boards are flipped vertically. Files are never mirrored: file 0 is the a-file. Default are the first 18
        of these channels, which `rookery.lanes.planes.CHANNELS` explains one by one (an unknown one is a ValueError):

        ``our_pawns``, ``our_knights``, ``our_bishops``, ``our_rooks``, ``our_queens``, ``our_king``, ``their_pawns``,
        ``their_knights``, ``their_bishops``, ``their_rooks``, ``their_queens``, ``their_king``: pieces;
        ``our_kingside``, ``our_queenside``, ``their_kingside``, ``their_queenside``: 1 everywhere while the right to
        castle lasts; ``en_passant``: the square just jumped over; ``halfmove_clock``: everywhere the clock, at most
        255, or in floats the clock / 100;

        ``fullmove_number``, ``white_to_move``, ``chess960``, ``ones``, ``our_pieces``, ``their_pieces``, ``occupied``,
        ``empty``;

        ``our_attacks``, ``our_pawn_attacks``, ``our_knight_attacks``, ``our_bishop_attacks``, ``our_rook_attacks``,
        ``our_queen_attacks``, ``our_king_attacks``, ``their_attacks``, ``their_pawn_attacks``,
        ``their_knight_attacks``, ``their_bishop_attacks``, ``their_rook_attacks``, ``their_queen_attacks``,
        ``their_king_attacks``;

        ``our_xrays``, ``their_xrays``: what sliders attack beyond the first piece in their way; ``our_attack_counts``,
        ``their_attack_counts``: how many pieces attack each square; ``our_pinned``, ``their_pinned``, ``checkers``,
        ``king_danger``, ``legal_targets``.

        >>> planes = Positions.from_boards([Board()]).planes(["our_pawns", "their_queens", "our_attack_counts"])
        >>> planes.shape, planes[0, 0, 1].tolist(), planes[0, 1, 7].tolist(), planes[0, 2, 2].tolist()
        ((1, 3, 8, 8), [1, 1, 1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 0, 0, 0, 0], [2, 2, 3, 2, 2, 3, 2, 2])
        """
        plan = features.plan(channels)
        dtype, n, k = np.dtype(dtype), len(self), plan.recipe.shape[1]
        if dtype not in features.FILLERS:
            raise ValueError(f"dtype: {dtype}: expected uint8 or float32")
        out = arguments.output(out, (n, k, 8, 8), dtype)
        targets = features.no_targets() if not plan.needs & features.LEGAL else np.empty(n, np.uint64)
        if targets.size:
            over(features.legal_targets, threads, n, self.columns, targets, default_technique().tables())
        operands = (plan.recipe, plan.needs, targets, out.reshape(n, k * 64))
        over(features.FILLERS[dtype], threads, n, self.columns, *operands)
        return out

    def policy_mask(
        self,
        layout: str = "alphazero",
        *,
        packed: bool = False,
        dtype: DTypeLike | None = None,
        out: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> NDArray[Any]:
        """Which moves of a network's list are legal, from the mover's side: (n, 4672) for the layout ``"alphazero"``
        (as (n, 8, 8, 73): rank and file moved from, kind of move), (n, 1858) for ``"leela"``; `rookery.lanes.policy`
        says what each index means. ``bool``, or ``uint8`` if `dtype` says so.

        With ``packed=True`` bits, ``uint8``, of shape (n, 584) or (n, 233), as `numpy.packbits` packs the last axis
        with ``bitorder="little"``. An unknown layout or another dtype is a ValueError.

        >>> positions = Positions.from_boards([Board()])
        >>> positions.policy_mask().shape, int(positions.policy_mask("leela").sum())
        ((1, 4672), 20)
        """
        chosen = policy.layout_of(layout)
        kind = np.dtype(np.bool_ if dtype is None and not packed else np.uint8 if dtype is None else dtype)
        if kind != np.uint8 and (packed or kind != np.bool_):
            raise ValueError(f"dtype: {kind}: expected {'uint8 for packed bits' if packed else 'bool or uint8'}")
        size = chosen.packed_size if packed else chosen.size
        out = arguments.output(out, (len(self), size), kind)
        filler = policy.fill_packed if packed else policy.fill_dense
        tables = default_technique().tables()
        over(filler, threads, len(self), self.columns, chosen.table, out.view(np.uint8), tables)
        return out

    def policy_index(self, moves: Any, layout: str = "alphazero", *, threads: int = 1) -> NDArray[np.int32]:
        """The index of one legal move of each position, ``int32``: `moves` are n words, as `Move` has them.

        A move that is illegal, or that has no index, is a ValueError that names it and where it stands.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions.policy_index([Move.of(12, 28), Move.of(6, 21)], "leela").tolist()
        [322, 159]
        """
        chosen, words = policy.layout_of(layout), policy.checked("moves", moves, len(self), np.uint16)
        out = np.empty(len(self), np.int32)
        tables = default_technique().tables()
        over(policy.indices_of, threads, len(self), self.columns, chosen.table, words, out, tables)
        if (out < 0).any():
            i = int(np.argmax(out < 0))
            why = "is not legal" if out[i] == policy.ILLEGAL else f"has no index in the layout {layout!r}"
            raise ValueError(f"moves[{i}]: {Move(int(words[i])).uci(True)} {why} in {self[i].fen()}")
        return out

    def policy_moves(self, indices: Any, layout: str = "alphazero", *, threads: int = 1) -> NDArray[np.uint16]:
        """The legal move of each position that has an index, ``uint16`` words like `Move`'s: undoes `policy_index`.

        An index that no legal move of its position has is a ValueError that names it and where it stands.

        >>> Move(int(Positions.from_boards([Board()]).policy_moves([877])[0]))
        Move('e2e4')
        """
        chosen, given = policy.layout_of(layout), policy.checked("indices", indices, len(self), np.int32)
        out = np.empty(len(self), np.uint16)
        tables = default_technique().tables()
        over(policy.moves_of, threads, len(self), self.columns, chosen.table, given, out, tables)
        if not out.all():
            i = int(np.argmin(out))
            means = chosen.meaning(int(given[i]))
            raise ValueError(f"indices[{i}]: {given[i]} ({means}) is no legal move of {self[i].fen()}")
        return out

    # What each is.

    @property
    def turn(self) -> NDArray[np.bool_]:
        """The side to move: True for white."""
        return ~(self.columns.state & BLACK_TO_MOVE).astype(np.bool_)

    @property
    def chess960(self) -> NDArray[np.bool_]:
        """Whether each is of Chess960."""
        return (self.columns.state & CHESS960).astype(np.bool_)

    @property
    def marked(self) -> NDArray[np.bool_]:
        """Where there is no position, but a line that could not be read."""
        return (self.columns.state & MARKED).astype(np.bool_)

    @property
    def halfmove_clock(self) -> NDArray[np.uint64]:
        """Moves of either side since a capture or a pawn's move."""
        return (self.columns.state >> CLOCK_SHIFT) & COUNTER

    @property
    def fullmove_number(self) -> NDArray[np.uint64]:
        """The number of the next move, as a score sheet counts."""
        return (self.columns.state >> NUMBER_SHIFT) & COUNTER

    # Text and tables.

    @classmethod
    def from_fens(cls, lines: Any, *, chess960: bool | None = None, errors: Errors = "raise") -> Self:
        r"""The positions of lines of FEN (four to six fields) or EPD (four fields and operations).

        `lines` is an iterable of texts; or a text or bytes of one a line; or a file opened either way, or a buffer
        like a mapped file. In an iterable every text is a line, an empty one a bad line. Elsewhere blank lines are
        passed over, though counted, and ``\r\n`` ends a line as ``\n`` does. Counters may be missing (0 and 1 then);
        those of an EPD are its operations ``hmvc`` and ``fmvn``, of the others only the form is looked at. Chess960 is
        recognised as by `Board`, unless `chess960` says which it is.

        Only the text is checked, as by `Board.unchecked`: impossible positions are taken. A line that cannot be read
        is a ValueError that gives its number (from 1), the reason, and its text; with ``errors="skip"`` it is left
        out, with ``errors="mark"`` an empty board stands in its place, see `marked`. `bad_lines` tells which they were.

        >>> positions = Positions.from_fens(b"8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n4k3/8/8/8 w - -\n", errors="skip")
        >>> len(positions), [str(bad) for bad in positions.bad_lines]
        (1, ["line 2: FEN field 1 (pieces): '4k3/8/8/8' has 4 ranks, expected 8, in '4k3/8/8/8 w - -'"])
        """
        columns, bad_lines = text.read(lines, chess960, errors)
        positions = cls(columns)
        positions._bad_lines = bad_lines
        return positions

    @property
    def bad_lines(self) -> tuple[BadLine, ...]:
        """What `from_fens` left out or marked, in order, each with its ``line`` (from 1), ``text`` and ``reason``.
        Slices, copies and pickles do not keep them.
        """
        return getattr(self, "_bad_lines", ())

    def to_fens(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The FEN of each, as `Board.fen` writes it with the same arguments; an empty text where none is (`marked`).

        >>> Positions.from_fens(["8/8/8/8/8/4k3/4p3/4K3 w - -"]).to_fens()
        ['8/8/8/8/8/4k3/4p3/4K3 w - - 0 1']
        """
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=True)

    def to_epds(self, *, shredder: bool = False, en_passant: EnPassant = "legal") -> list[str]:
        """The same without the counters, as `Board.epd`."""
        return text.write(self.columns, en_passant=en_passant, shredder=shredder, counters=False)

    def to_numpy(self) -> dict[str, NDArray[np.uint64]]:
        """The nine columns by name, not copied; see `rookery.lanes.columns` for what they hold.

        ``np.savez(path, **positions.to_numpy())`` keeps them, ``Positions.from_numpy(np.load(path))`` reads them again.

        >>> hex(Positions.from_boards([Board()]).to_numpy()["white"][0])
        '0xffff'
        """
        return self.columns._asdict()

    @classmethod
    def from_numpy(cls, arrays: Mapping[str, Any], *, check: bool = True) -> Self:
        """The positions of arrays named as by `to_numpy`; other names are not looked at.

        Each is one-dimensional, of uint64, and all are equally long. Those that are contiguous and aligned are not
        copied, be they read-only or not. A position that no FEN could give is a ValueError that names its column and
        index: pieces on one square, castling without rook or king, an en-passant square on a wrong rank. With
        ``check=False`` that is not looked for, and what is asked of such positions has no meaning.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_numpy(positions.to_numpy()) == positions
        True
        """
        return cls(interchange.from_arrays(arrays, checked=check))

    def to_arrow(self) -> Any:
        """A `pyarrow.Table` of the nine columns, not copied. Needs pyarrow: ``pip install 'rookery[arrow]'``.

        >>> Positions.from_boards([Board()]).to_arrow().num_rows
        1
        """
        return interchange.to_arrow(self.columns)

    @classmethod
    def from_arrow(cls, table: Any, *, check: bool = True) -> Self:
        """The positions of an Arrow table, a record batch, or of a data frame that hands itself out as one, with the
        columns of `to_arrow` among others. Checked as by `from_numpy`.

        A column in one piece is not copied: do not write to such positions, Arrow's memory never changes.

        >>> positions = Positions.from_boards([Board()])
        >>> Positions.from_arrow(positions.to_arrow()) == positions
        True
        """
        return cls(interchange.from_arrow(table, checked=check))

    # Queries.

    def attacks(
        self, side: str = "us", piece: str | None = None, *, out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """The squares that a side attacks, with one kind of ``piece`` or all: uint64 boards, (n,).

        `side` is ``"us"`` (to move), ``"them"``, ``"white"`` or ``"black"``; ``"both"`` is white's boards and black's,
        (2, n). A pinned piece attacks too, and what stands on a square does not matter.

        >>> from rookery.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K3 b - - 0 1")])
        >>> Bitboard(positions.attacks("them", "rook")[1]).names()
        ['b1', 'c1', 'd1', 'e1', 'a2', 'a3', 'a4', 'a5', 'a6', 'a7', 'a8']
        >>> np.bitwise_count(positions.attacks("both")).tolist()
        [[22, 15], [22, 5]]
        """
        question = queries.Anything() if piece is None else arguments.choice("piece", piece, queries.PIECES)
        who = arguments.choice("side", side, {**SIDES, "both": None})
        if who is not None:
            return self._boards(question, who, out, threads)
        out = self._output(out, (2, len(self)), np.uint64)
        if piece is None:
            run.over(attacks.of_both, threads, len(self), self.columns, *out)
        else:
            for colour, row in zip(("white", "black"), out, strict=True):
                run.over(queries.boards, threads, len(self), question, self.columns, SIDES[colour], row)
        return out

    def attack_maps(self, *, out: Boards | None = None, threads: int = 1) -> Boards:
        """What the pieces of each kind and colour attack: uint64, (12, n), rows in the order of `rookery.Placement`
        (white pawns, knights, bishops, rooks, queens, king, then black's).

        >>> np.bitwise_count(Positions.from_boards([Board()]).attack_maps()[:, 0]).tolist()
        [8, 6, 4, 4, 5, 5, 8, 6, 4, 4, 5, 5]
        """
        out = self._output(out, (12, len(self)), np.uint64)
        run.over(attacks.maps, threads, len(self), self.columns, *out)
        return out

    def attack_counts(
        self, side: str = "us", *, out: NDArray[np.uint8] | None = None, threads: int = 1
    ) -> NDArray[np.uint8]:
        """How many pieces of a side attack each square, pinned ones too, without x-rays: uint8, (n, 64).

        >>> Positions.from_boards([Board()]).attack_counts().reshape(8, 8)[:3].tolist()
        [[0, 1, 1, 1, 1, 1, 1, 0], [1, 1, 1, 4, 4, 1, 1, 1], [2, 2, 3, 2, 2, 3, 2, 2]]
        """
        out = self._output(out, (len(self), 64), np.uint8)
        words = out.view(np.uint64)
        written = words if words.flags.aligned else np.empty_like(words)
        run.over(attacks.counts, threads, len(self), self.columns, arguments.choice("side", side, SIDES), written)
        if written is not words:
            words[...] = written
        return out

    def checkers(self, side: str = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """The pieces that give check to a side's king: uint64 boards, (n,). The king that stands next to it is one,
        as on a `Board`.

        >>> from rookery.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/5n2/4r3/4K3 w - - 0 1")])
        >>> Bitboard(positions.checkers()[0]).names()
        ['e2', 'f3']
        """
        return self._boards(queries.Checkers(), arguments.choice("side", side, SIDES), out, threads)

    def pinned(
        self, line: str | None = None, *, side: str = "us", out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """The pieces of a side that are pinned to its king: uint64 boards, (n,).

        `line` asks for those pinned on the king's ``"file"``, ``"rank"``, ``"diagonal"`` (a1 to h8 is one) or
        ``"antidiagonal"`` only, where a pinned piece may still move along its line.

        >>> from rookery.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4r1k1/8/8/7b/8/5P2/4B3/r2NK3 w - - 0 1")])
        >>> [Bitboard(positions.pinned(line)[0]).names() for line in (None, "file", "rank", "diagonal")]
        [['d1', 'e2'], ['e2'], ['d1'], []]
        """
        question = arguments.choice("line", line, queries.LINES)
        return self._boards(question, arguments.choice("side", side, SIDES), out, threads)

    def discoverers(self, side: str = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """The pieces of a side that give a discovered check by leaving the line they stand on: uint64 boards, (n,).

        >>> from rookery.bitboard import Bitboard
        >>> positions = Positions.from_boards([Board("4k3/8/8/1N6/B3N3/8/8/4R1K1 w - - 0 1")])
        >>> Bitboard(positions.discoverers()[0]).names()
        ['e4', 'b5']
        """
        return self._boards(queries.Discoverers(), arguments.choice("side", side, SIDES), out, threads)

    def king_danger(self, side: str = "us", *, out: Boards | None = None, threads: int = 1) -> Boards:
        """The squares that the other side attacks once a side's king is off the board, and where that king may not go:
        uint64 boards, (n,).

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/8/r3K3 w - - 0 1")])
        >>> f"{positions.king_danger()[0] & 0xFF:08b}", f"{positions.attacks('them')[0] & 0xFF:08b}"
        ('11111110', '00011110')
        """
        return self._boards(queries.Danger(), arguments.choice("side", side, SIDES), out, threads)

    def mobility(
        self,
        piece: str | None = None,
        *,
        side: str = "us",
        out: NDArray[np.uint16] | None = None,
        threads: int = 1,
    ) -> NDArray[np.uint16]:
        """How many squares each piece of a kind attacks that its own side does not stand on, added up: uint16, (n,).

        For all kinds without a `piece`: (6, n), rows from pawns to kings. Checks and pins do not matter; a pawn's
        pushes do not count.

        >>> positions = Positions.from_boards([Board(), Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")])
        >>> positions.mobility("rook").tolist(), positions.mobility()[:, 0].tolist()
        ([0, 19], [14, 4, 0, 0, 0, 0])
        """
        who = arguments.choice("side", side, SIDES)
        if piece is None:
            out = self._output(out, (6, len(self)), np.uint16)
            run.over(mobility.mobilities, threads, len(self), self.columns, who, *out)
        else:
            kind = arguments.choice("piece", piece, queries.PIECES)
            out = self._output(out, (len(self),), np.uint16)
            run.over(mobility.mobility, threads, len(self), kind, self.columns, who, out)
        return out

    def progressive_mobility(
        self, piece: str, moves: int = 2, *, side: str = "us", out: Boards | None = None, threads: int = 1
    ) -> Boards:
        """The squares that a side's bishops, rooks or queens reach in at most so many moves of one of them in a row:
        uint64 boards, (n,).

        All else stands still, a capture ends the journey, and own pieces are in the way: the union over the pieces of
        `rookery.progressive_mobility`, without the side's own squares.

        >>> positions = Positions.from_boards([Board("4k3/8/8/8/8/8/1P6/R3K3 w - - 0 1")])
        >>> [int(positions.progressive_mobility("rook", moves)[0]).bit_count() for moves in (1, 2, 3)]
        [10, 51, 61]
        """
        kind = queries.PIECES[arguments.choice("piece", piece, {name: name for name in SLIDERS})]
        if not arguments.is_number(moves) or not 1 <= moves <= MOST_SLIDES:
            raise ValueError(f"moves: {moves!r}: expected an int from 1 to {MOST_SLIDES}")
        who = arguments.choice("side", side, SIDES)
        out = self._output(out, (len(self),), np.uint64)
        run.over(mobility.progress, threads, len(self), kind, self.columns, who, int(moves), out)
        return out

    def legal_move_counts(self, *, out: NDArray[np.uint16] | None = None, threads: int = 1) -> NDArray[np.uint16]:
        """How many moves are legal, each promotion counted four times: uint16, (n,).

        >>> Positions.from_boards([Board(), Board("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")]).legal_move_counts().tolist()
        [20, 0]
        """
        out = self._output(out, (len(self),), np.uint16)
        run.over(count.counts, threads, len(self), self.columns, out, default_technique().tables())
        return out

    def is_check(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Where the side to move is in check: bool, (n,).

        >>> Positions.from_boards([Board(), Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")]).is_check().tolist()
        [False, True]
        """
        out = self._output(out, (len(self),), np.bool_)
        run.over(queries.any_of, threads, len(self), queries.Checkers(), self.columns, SIDES["us"], out)
        return out

    def is_checkmate(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Where the side to move is in check and has no legal move: bool, (n,).

        >>> Positions.from_boards([Board(), Board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1")]).is_checkmate().tolist()
        [False, True]
        """
        return self._endings(True, out, threads)

    def is_stalemate(self, *, out: NDArray[np.bool_] | None = None, threads: int = 1) -> NDArray[np.bool_]:
        """Where the side to move has no legal move and is not in check: bool, (n,).

        >>> Positions.from_boards([Board(), Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")]).is_stalemate().tolist()
        [False, True]
        """
        return self._endings(False, out, threads)

    def _output(self, out: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
        """A fresh array, or the caller's own if it is right; loops are compiled on the promise that it lies apart."""
        checked = arguments.output(out, shape, dtype)
        if out is not None:
            base = self.columns.pawns.base
            one = isinstance(base, np.ndarray) and all(column.base is base for column in self.columns)
            # Most columns are rows of one buffer: one look (0.3 us) instead of nine.
            suspected = not one or np.may_share_memory(out, base)
            if suspected and any(np.may_share_memory(out, column) for column in self.columns):
                raise ValueError("out: shares memory with the positions: expected an array apart from them")
        return checked

    def _boards(self, question: Any, side: Side, out: Any, threads: int) -> Boards:
        answers: Boards = self._output(out, (len(self),), np.uint64)
        run.over(queries.boards, threads, len(self), question, self.columns, side, answers)
        return answers

    def _endings(self, check: bool, out: Any, threads: int) -> NDArray[np.bool_]:
        flags: NDArray[np.bool_] = self._output(out, (len(self),), np.bool_)
        run.over(queries.endings, threads, len(self), self.columns, check, flags, default_technique().tables())
        return flags


def _words(board: Board) -> list[int]:
    """The nine words of a board."""
    row = board.words().tolist()
    state = row[9] | board.chess960 << 1
    state |= board.halfmove_clock << int(CLOCK_SHIFT) | board.fullmove_number << int(NUMBER_SHIFT)
    return [*row[:5], row[6] if row[9] else row[5], row[7], row[8], state]


def _board(words: Sequence[int]) -> Board:
    """The board of nine words."""
    *pieces, white, castling, en_passant, state = words
    occupied = pieces[0] | pieces[1] | pieces[2] | pieces[3] | pieces[4]
    black = occupied & ~white
    turn = state & 1
    us, them = (black, white) if turn else (white, black)
    return Board.from_words(
        [*pieces, us, them, castling, en_passant, turn],
        halfmove_clock=state >> int(CLOCK_SHIFT) & int(COUNTER),
        fullmove_number=state >> int(NUMBER_SHIFT) & int(COUNTER),
        chess960=bool(state & int(CHESS960)),
    )
