"""The methods of `Positions` for machine learning: feature planes and policy masks."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from rookery.aliases import PolicyLayout
from rookery.arguments import flag
from rookery.frames.array_arguments import dtype_of
from rookery.lazy_imports import modules_later
from rookery.positions.features.channels import DEFAULT, LEGAL
from rookery.positions.methods.position_array import PositionArray
from rookery.positions.moves import Moves, one_word_each, resolved
from rookery.positions.operands import words_of
from rookery.positions.threads import over
from rookery.rules.constants import default_tables

if TYPE_CHECKING:
    from rookery.positions.features import move_lists, policy
    from rookery.positions.features import planes as features
    from rookery.positions.kernels import moves as move_kernels
else:
    features, move_lists, policy = modules_later("rookery.positions.features", "planes move_lists policy")
    (move_kernels,) = modules_later("rookery.positions.kernels", "moves")


class FeatureMethods(PositionArray):
    """Feature planes and policy masks."""

    __slots__ = ()

    def planes(
        self,
        channels: Iterable[str] = DEFAULT,
        *,
        dtype: DTypeLike = np.uint8,
        out: NDArray[Any] | None = None,
        threads: int = 1,
    ) -> NDArray[Any]:
        """Return feature planes for a network, seen from the side to move.

        The shape is (n, channels, 8, 8), the dtype ``uint8`` or ``float32``.

        The side to move always moves up: ``[i, k, rank, file]`` counts ranks from the mover's first rank, and boards
        are flipped vertically where black is to move. Files are never mirrored: file 0 is the a-file. The first 18 of
        these channels are the default; `rookery.positions.features.channels.CHANNELS` describes each. An unknown name
        raises ValueError.

        ``our_pawns``, ``our_knights``, ``our_bishops``, ``our_rooks``, ``our_queens``, ``our_king``, ``their_pawns``,
        ``their_knights``, ``their_bishops``, ``their_rooks``, ``their_queens``, ``their_king``: pieces;
        ``our_kingside``, ``our_queenside``, ``their_kingside``, ``their_queenside``: 1 on all squares while the right
        to castle lasts; ``en_passant``: the square just jumped over; ``halfmove_clock``: the clock on all squares, at
        most 255, or divided by 100 in floats;

        ``fullmove_number``, ``white_to_move``, ``chess960``, ``ones``, ``our_pieces``, ``their_pieces``, ``occupied``,
        ``empty``;

        ``our_attacks``, ``our_pawn_attacks``, ``our_knight_attacks``, ``our_bishop_attacks``, ``our_rook_attacks``,
        ``our_queen_attacks``, ``our_king_attacks``, ``their_attacks``, ``their_pawn_attacks``,
        ``their_knight_attacks``, ``their_bishop_attacks``, ``their_rook_attacks``, ``their_queen_attacks``,
        ``their_king_attacks``;

        ``our_xrays``, ``their_xrays``: squares that sliders attack beyond the first piece; ``our_attack_counts``,
        ``their_attack_counts``: how many pieces attack each square; ``our_pinned``, ``their_pinned``, ``checkers``,
        ``king_danger``, ``legal_targets``.

        >>> planes = Positions.from_boards([Board()]).planes(["our_pawns", "their_queens", "our_attack_counts"])
        >>> planes.shape
        (1, 3, 8, 8)
        >>> planes[0, 0, 1].tolist()
        [1, 1, 1, 1, 1, 1, 1, 1]
        >>> planes[0, 1, 7].tolist()
        [0, 0, 0, 1, 0, 0, 0, 0]
        >>> planes[0, 2, 2].tolist()
        [2, 2, 3, 2, 2, 3, 2, 2]
        """
        plan = features.plan(channels)
        dtype, n, k = dtype_of(dtype, "uint8 or float32"), len(self), plan.recipe.shape[1]
        if dtype not in features.FILLERS:
            raise ValueError(f"dtype: {dtype}: expected uint8 or float32")
        out = self._output(out, (n, k, 8, 8), dtype)
        targets = features.no_targets() if not plan.needs & LEGAL else np.empty(n, np.uint64)
        if targets.size:
            tables = default_tables()
            over(features.legal_targets, threads, n, self.columns, targets, tables, room=move_kernels.move_room)
        operands = (plan.recipe, plan.needs, targets, out.reshape(n, k * 64))
        over(features.FILLERS[dtype], threads, n, self.columns, *operands, room=features.plane_room)
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
        """Return which moves of a network's list are legal, seen from the side to move.

        The shape is (n, 4672) for the layout ``"alphazero"``, which is (n, 8, 8, 73) flattened: source rank, source
        file, kind of move. It is (n, 1858) for ``"leela"``. `rookery.positions.features.policy` describes the indices.
        The dtype is ``bool``, or ``uint8`` if `dtype` requests it.

        With ``packed=True`` the mask is packed into bits as `numpy.packbits` packs the last axis with
        ``bitorder="little"``: ``uint8``, (n, 584) or (n, 233). An unknown layout or another dtype raises ValueError.

        >>> positions = Positions.from_boards([Board()])
        >>> positions.policy_mask().shape
        (1, 4672)
        >>> int(positions.policy_mask("leela").sum())
        20
        """
        chosen = move_lists.move_list(layout)
        packed = flag("packed", packed)
        kind = dtype_of((np.uint8 if packed else np.bool_) if dtype is None else dtype, "bool or uint8")
        if kind != np.uint8 and (packed or kind != np.bool_):
            raise ValueError(f"dtype: {kind}: expected {'uint8 for packed bits' if packed else 'bool or uint8'}")
        size = chosen.packed_size if packed else chosen.size
        out = self._output(out, (len(self), size), kind)
        policy.write_masks(self.columns, chosen, out.view(np.uint8), packed, threads)
        return out

    def policy_index(
        self,
        moves: NDArray[np.integer[Any]] | Sequence[int] | Moves,
        layout: PolicyLayout = "alphazero",
        *,
        threads: int = 1,
    ) -> NDArray[np.int32]:
        """Return the index of one legal move of each position: ``int32``, (n,).

        `moves` are n moves as in `play`, or `Moves` with one move for each position, in order. For the
        positions of games, ``games.positions().policy_index(games.moves)`` gives the index of the move played in each
        position.

        A move that is illegal or has no index raises ValueError, which names the move and its position in the array.

        >>> positions = Positions.from_boards([Board(), Board()])
        >>> positions.policy_index([Move.of(12, 28), Move.of(6, 21)], "leela").tolist()
        [322, 159]
        """
        moves = self._one_each(moves) if isinstance(moves, Moves) else moves
        chosen, words = move_lists.move_list(layout), one_word_each(self.columns, moves)
        out = policy.indices_of(self.columns, chosen.table, words, threads)
        if (out == policy.ILLEGAL).any():
            words = resolved(self.columns, words)  # words of single moves, in an array
            out = policy.indices_of(self.columns, chosen.table, words, threads)
        if (out < 0).any():
            i = int(np.argmax(out < 0))
            reason = "is not legal" if out[i] == policy.ILLEGAL else f"has no index in the layout {layout!r}"
            raise ValueError(f"moves[{i}]: {self[i].uci(int(words[i]))} {reason} in {self[i].fen()}")
        return out

    def _one_each(self, moves: Moves) -> NDArray[np.uint16]:
        """Return the moves of `Moves` that has one move for each position."""
        if moves.moves.size != len(self):
            raise ValueError(f"moves: {moves.moves.size} moves for {len(self)} positions: expected one for each")
        return moves.moves

    def policy_moves(
        self, indices: NDArray[np.integer[Any]] | Sequence[int], layout: PolicyLayout = "alphazero", *, threads: int = 1
    ) -> NDArray[np.uint16]:
        """Return the legal move of each position that has an index: ``uint16`` move words.

        This is the inverse of `policy_index`. An index that no legal move of its position has raises ValueError, which
        names the index and its position in the array.

        >>> Move.from_word(Positions.from_boards([Board()]).policy_moves([877])[0])
        Move('e2e4')
        """
        chosen, given = move_lists.move_list(layout), words_of("indices", indices, (len(self),), np.int32)
        out = np.empty(len(self), np.uint16)
        tables = default_tables()
        over(
            policy.moves_of,
            threads,
            len(self),
            self.columns,
            chosen.table,
            given,
            out,
            tables,
            room=move_kernels.move_room,
        )
        if not out.all():
            i = int(np.argmin(out))
            meaning = chosen.meaning(int(given[i]))
            raise ValueError(f"indices[{i}]: {given[i]} ({meaning}) is not a legal move in {self[i].fen()}")
        return out
