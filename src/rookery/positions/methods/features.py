"""The part of `Positions` that machine learning feeds on: feature planes and policy masks."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.arguments import dtype_of, flag
from rookery.positions import planes as features
from rookery.positions import policy
from rookery.positions.array import PositionArray
from rookery.positions.channels import DEFAULT, LEGAL
from rookery.positions.moves import Moves
from rookery.positions.operands import words_of
from rookery.positions.threads import over
from rookery.rules.compiled import default_technique
from rookery.rules.moves import Move
from rookery.typing import PolicyLayout


class FeatureMethods(PositionArray):
    """Features."""

    __slots__ = ()

    def planes(
        self,
        channels: Iterable[str] = DEFAULT,
        *,
        dtype: DTypeLike = np.uint8,
        out: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> NDArray[Any]:
        """Features for a network: (n, channels, 8, 8), from the mover's side, ``uint8`` or ``float32``.

        The side to move always moves up: ``[i, k, rank, file]`` counts ranks from the mover's first, and where black is
        to move, boards are flipped vertically. Files are never mirrored: file 0 is the a-file. Default are the first 18
        of these channels, which `rookery.positions.channels.CHANNELS` explains one by one (an unknown one is a
        ValueError):

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
        dtype, n, k = dtype_of(dtype, "uint8 or float32"), len(self), plan.recipe.shape[1]
        if dtype not in features.FILLERS:
            raise ValueError(f"dtype: {dtype}: expected uint8 or float32")
        out = self._output(out, (n, k, 8, 8), dtype)
        targets = features.no_targets() if not plan.needs & LEGAL else np.empty(n, np.uint64)
        if targets.size:
            over(features.legal_targets, threads, n, self.columns, targets, default_technique().tables())
        operands = (plan.recipe, plan.needs, targets, out.reshape(n, k * 64))
        over(features.FILLERS[dtype], threads, n, self.columns, *operands)
        return out

    def policy_mask(
        self,
        layout: PolicyLayout = "alphazero",
        *,
        packed: bool = False,
        dtype: DTypeLike | None = None,
        out: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> NDArray[Any]:
        """Which moves of a network's list are legal, from the mover's side: (n, 4672) for the layout ``"alphazero"``
        (as (n, 8, 8, 73): rank and file moved from, kind of move), (n, 1858) for ``"leela"``;
        `rookery.positions.policy` says what each index means. ``bool``, or ``uint8`` if `dtype` says so.

        With ``packed=True`` bits, ``uint8``, of shape (n, 584) or (n, 233), as `numpy.packbits` packs the last axis
        with ``bitorder="little"``. An unknown layout or another dtype is a ValueError.

        >>> positions = Positions.from_boards([Board()])
        >>> positions.policy_mask().shape, int(positions.policy_mask("leela").sum())
        ((1, 4672), 20)
        """
        chosen = policy.layout_of(layout)
        packed = flag("packed", packed)
        kind = dtype_of((np.uint8 if packed else np.bool_) if dtype is None else dtype, "bool or uint8")
        if kind != np.uint8 and (packed or kind != np.bool_):
            raise ValueError(f"dtype: {kind}: expected {'uint8 for packed bits' if packed else 'bool or uint8'}")
        size = chosen.packed_size if packed else chosen.size
        out = self._output(out, (len(self), size), kind)
        filler = policy.fill_packed if packed else policy.fill_dense
        tables = default_technique().tables()
        over(filler, threads, len(self), self.columns, chosen.table, out.view(np.uint8), tables)
        return out

    def policy_index(
        self,
        moves: NDArray[np.integer[Any]] | Sequence[int] | Moves,
        layout: PolicyLayout = "alphazero",
        *,
        threads: int = 1,
    ) -> NDArray[np.int32]:
        """The index of one legal move of each position, ``int32``: `moves` are n words, as `Move` has them.

        They may also be `Moves` with one move for each position, in order. For positions of games, the moves of these
        games will do: ``games.positions().policy_index(games.moves)`` takes the move that was played in each position.

        A move that is illegal, or that has no index, is a ValueError that names it and where it stands.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions.policy_index([Move.of(12, 28), Move.of(6, 21)], "leela").tolist()
        [322, 159]
        """
        moves = self._one_each(moves) if isinstance(moves, Moves) else moves
        chosen, words = policy.layout_of(layout), words_of("moves", moves, (len(self),), np.uint16)
        out = np.empty(len(self), np.int32)
        tables = default_technique().tables()
        over(policy.indices_of, threads, len(self), self.columns, chosen.table, words, out, tables)
        if (out < 0).any():
            i = int(np.argmax(out < 0))
            why = "is not legal" if out[i] == policy.ILLEGAL else f"has no index in the layout {layout!r}"
            raise ValueError(f"moves[{i}]: {Move(int(words[i])).uci(True)} {why} in {self[i].fen()}")
        return out

    def _one_each(self, moves: Moves) -> NDArray[np.uint16]:
        """The move of each position in `Moves`."""
        if moves.moves.size != len(self):
            raise ValueError(f"moves: {moves.moves.size} moves for {len(self)} positions: expected one for each")
        return moves.moves

    def policy_moves(
        self, indices: NDArray[np.integer[Any]] | Sequence[int], layout: PolicyLayout = "alphazero", *, threads: int = 1
    ) -> NDArray[np.uint16]:
        """The legal move of each position that has an index, ``uint16`` words like `Move`'s: undoes `policy_index`.

        An index that no legal move of its position has is a ValueError that names it and where it stands.

        >>> Move(int(Positions.from_boards([Board()]).policy_moves([877])[0]))
        Move('e2e4')
        """
        chosen, given = policy.layout_of(layout), words_of("indices", indices, (len(self),), np.int32)
        out = np.empty(len(self), np.uint16)
        tables = default_technique().tables()
        over(policy.moves_of, threads, len(self), self.columns, chosen.table, given, out, tables)
        if not out.all():
            i = int(np.argmin(out))
            means = chosen.meaning(int(given[i]))
            raise ValueError(f"indices[{i}]: {given[i]} ({means}) is no legal move of {self[i].fen()}")
        return out
