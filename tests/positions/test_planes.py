"""Feature planes against python-chess, channel by channel, each written from its definition.

python-chess takes 2 ms per position for all channels, so it judges 1,500 of the 50,000 (all edges among them); the
scalar engine judges what it knows on all of them and on the strange ones, too.
"""

from collections.abc import Callable
from typing import Any, Final

import chess
import numpy as np
import pytest
from numpy.typing import NDArray

from corpus import EDGES, many_boards, many_positions
from rookery.board.board import Board
from rookery.positions.features import channels
from rookery.positions.positions import Positions
from thinning import slow

SEEDS: Final = [1, *(slow(seed) for seed in range(2, 21))]
JUDGED: Final = 1_500
KINDS: Final = {
    "pawn": chess.PAWN, "knight": chess.KNIGHT, "bishop": chess.BISHOP,
    "rook": chess.ROOK, "queen": chess.QUEEN, "king": chess.KING,
}  # fmt: skip
STEPS: Final = {
    chess.ROOK: ((1, 0), (-1, 0), (0, 1), (0, -1)),
    chess.BISHOP: ((1, 1), (1, -1), (-1, 1), (-1, -1)),
}
ALL: Final = list(channels.CHANNELS)


def judged(seed: int) -> list[int]:
    """Which positions python-chess looks at: the edges, then one in so many."""
    edges = range(2 * len(EDGES))
    others = range(len(edges), 50_000, 50_000 // (JUDGED - len(edges)))
    return [*edges, *others]


def theirs(board: Board) -> chess.Board:
    return chess.Board(board.fen(en_passant="fen", shredder=board.chess960), chess960=board.chess960)


def xrays(board: chess.Board, square: int) -> int:
    """What a slider attacks beyond the first piece in its way, walked square by square."""
    kind = board.piece_type_at(square)
    steps = [s for name, some in STEPS.items() if kind in (name, chess.QUEEN) for s in some]
    seen = 0
    for right, up in steps:
        file, rank, pieces = chess.square_file(square) + right, chess.square_rank(square) + up, 0
        while 0 <= file < 8 and 0 <= rank < 8 and pieces < 2:
            here = chess.square(file, rank)
            if pieces == 1:
                seen |= 1 << here
            if board.occupied >> here & 1:
                pieces += 1
            file, rank = file + right, rank + up
    return seen


def castling_target(board: chess.Board, move: chess.Move) -> int:
    file = 6 if chess.square_file(move.to_square) > chess.square_file(move.from_square) else 2
    return chess.square(file, chess.square_rank(move.from_square))


def definition(board: chess.Board, dtype: str) -> dict[str, Any]:
    """Every channel as a mask, a number or 64 numbers, a1 = 0."""
    us = board.turn
    channels: dict[str, Any] = {
        "en_passant": 0 if board.ep_square is None else 1 << board.ep_square,
        "halfmove_clock": board.halfmove_clock / 100 if dtype == "float32" else min(board.halfmove_clock, 255),
        "fullmove_number": board.fullmove_number if dtype == "float32" else min(board.fullmove_number, 255),
        "white_to_move": int(us),
        "chess960": int(board.chess960),
        "ones": 1,
        "occupied": board.occupied,
        "empty": ~board.occupied & chess.BB_ALL,
        "checkers": board.checkers_mask(),
        "legal_targets": 0,
        "king_danger": 0,
    }
    for colour, side in ((us, "our"), (not us, "their")):
        channels[f"{side}_kingside"] = int(board.has_kingside_castling_rights(colour))
        channels[f"{side}_queenside"] = int(board.has_queenside_castling_rights(colour))
        channels[f"{side}_pieces"] = board.occupied_co[colour]
        counts, rays, attacks = np.zeros(64, np.float32), 0, 0
        for name, kind in KINDS.items():
            pieces = board.pieces(kind, colour)
            channels[f"{side}_{name}" if name == "king" else f"{side}_{name}s"] = int(pieces)
            by_kind = 0
            for square in pieces:
                by_kind |= board.attacks_mask(square)
                counts[list(board.attacks(square))] += 1
                rays |= xrays(board, square) if kind in (chess.BISHOP, chess.ROOK, chess.QUEEN) else 0
            channels[f"{side}_{name}_attacks"] = by_kind
            attacks |= by_kind
        channels[f"{side}_attacks"] = attacks
        channels[f"{side}_attack_counts"] = counts
        channels[f"{side}_xrays"] = rays
        pinned = [s for s in chess.scan_forward(board.occupied_co[colour]) if board.is_pinned(colour, s)]
        king = board.king(colour)
        channels[f"{side}_pinned"] = sum(1 << s for s in pinned if s != king)
    for move in board.legal_moves:
        target = castling_target(board, move) if board.is_castling(move) else move.to_square
        channels["legal_targets"] |= 1 << target
    bare = board.copy(stack=False)
    if (king := board.king(us)) is not None:
        bare.remove_piece_at(king)
    for square in chess.scan_forward(bare.occupied_co[not us]):
        channels["king_danger"] |= bare.attacks_mask(square)
    return channels


CONSTANT: Final = {
    "our_kingside", "our_queenside", "their_kingside", "their_queenside",
    "halfmove_clock", "fullmove_number", "white_to_move", "chess960", "ones",
}  # fmt: skip


def plane(name: str, value: Any, white: bool) -> NDArray[np.float32]:
    """The definition's plane: rank by rank from the mover's first."""
    if name in CONSTANT:
        return np.full((8, 8), value, np.float32)
    if isinstance(value, int):
        value = [value >> square & 1 for square in range(64)]
    squares = np.array(value, np.float32).reshape(8, 8)
    return squares if white else squares[::-1]


@pytest.mark.parametrize("seed", SEEDS)
def test_all_channels_are_what_python_chess_sees(seed: int) -> None:
    chosen = judged(seed)
    p = many_positions(seed)[chosen]
    got = {dtype: p.planes(ALL, dtype=dtype) for dtype in ("uint8", "float32")}
    for dtype, array in got.items():
        assert array.shape == (len(chosen), len(ALL), 8, 8)
        assert array.dtype == dtype
    for i, index in enumerate(chosen):
        board = theirs(many_boards(seed)[index])
        expected = definition(board, "uint8")
        assert set(expected) == set(ALL)
        for k, name in enumerate(ALL):
            assert np.array_equal(got["uint8"][i, k], plane(name, expected[name], board.turn)), (name, board.fen())
        expected |= {
            "halfmove_clock": np.float32(board.halfmove_clock) / np.float32(100),
            "fullmove_number": board.fullmove_number,
        }
        for k, name in enumerate(ALL):
            assert np.array_equal(got["float32"][i, k], plane(name, expected[name], board.turn)), (name, board.fen())


def flipped(words: list[int], turn: list[bool]) -> NDArray[np.float32]:
    """Masks as planes: the byte of each rank, its bits from the a-file on."""
    squares = np.unpackbits(np.array(words, "<u8").view(np.uint8), bitorder="little").reshape(-1, 8, 8)
    black = ~np.array(turn)
    squares[black] = squares[black, ::-1]
    return squares.astype(np.float32)


def targets(board: Board) -> int:
    seen = 0
    for move in board.generate_legal_moves():
        castled = move.from_square & 56 | (6 if move.to_square > move.from_square else 2)
        seen |= 1 << (castled if board.is_castling(move) else move.to_square)
    return seen


KNOWN: Final[dict[str, Callable[[Board], int]]] = {
    "our_pawns": lambda b: int(b.words()[0] & b.words()[5]),
    "their_knights": lambda b: int(b.words()[1] & b.words()[6]),
    "our_bishops": lambda b: int(b.words()[2] & ~b.words()[3] & b.words()[5]),
    "their_rooks": lambda b: int(b.words()[3] & ~b.words()[2] & b.words()[6]),
    "our_queens": lambda b: int(b.words()[2] & b.words()[3] & b.words()[5]),
    "their_king": lambda b: int(b.words()[4] & b.words()[6]),
    "en_passant": lambda b: int(b.words()[8]),
    "checkers": lambda b: int(b.checkers()),
    "legal_targets": targets,
}


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_scalar_generator_knows_on_all_positions(seed: int) -> None:
    turn = [board.turn for board in many_boards(seed)]
    got = many_positions(seed).planes(list(KNOWN))
    for k, (name, known) in enumerate(KNOWN.items()):
        expected = flipped([known(board) for board in many_boards(seed)], turn)
        assert np.array_equal(got[:, k], expected), name


def test_strange_boards_attack_as_python_chess_says() -> None:
    """Of checks and pins it says nothing here: it knows no second king."""
    names = [name for name in ALL if "attack" in name or "xray" in name or name.endswith("pieces")]
    odd = many_boards(1)[50_000:]
    got = Positions.from_boards(odd).planes(names)
    assert names
    for i, board in enumerate(odd):
        expected = definition(theirs(board), "uint8")
        for k, name in enumerate(names):
            assert np.array_equal(got[i, k], plane(name, expected[name], board.turn)), (name, board.fen())


def test_sixteen_attackers_are_counted() -> None:
    board = Board.unchecked("7K/Q2Q2Q1/2N1N3/1N3N2/Q2k3Q/1N3N2/2N1N3/Q2Q2Q1 w - - 0 1")
    got = Positions.from_boards([board]).planes(["our_attack_counts"])[0, 0]
    assert got[3, 3] == 16
    assert np.array_equal(got, plane("", definition(theirs(board), "uint8")["our_attack_counts"], True))


def test_counters_are_clipped_in_bytes_alone() -> None:
    board = Board("4k3/8/8/8/8/8/8/4K3 w - - 300 1000")
    names = ["halfmove_clock", "fullmove_number"]
    p = Positions.from_boards([board])
    assert p.planes(names)[0, :, 3, 3].tolist() == [255, 255]
    assert p.planes(names, dtype="float32")[0, :, 3, 3].tolist() == [3, 1000]


@pytest.mark.parametrize("dtype", ["uint8", "float32", np.uint8, np.dtype(np.float32)])
def test_default_channels(dtype: Any) -> None:
    p = many_positions(1)[:300]
    assert len(channels.DEFAULT) == 18
    assert channels.DEFAULT[16:] == ("en_passant", "halfmove_clock")
    assert np.array_equal(p.planes(dtype=dtype), p.planes(channels.DEFAULT, dtype=dtype))


@pytest.mark.parametrize("n", [0, 1, 7, 127, 128, 129, 300])
def test_any_number_of_positions_and_any_order_of_channels(n: int) -> None:
    whole = many_positions(1)[:300].planes(ALL)
    got = many_positions(1)[:n].planes(iter(["ones", "our_attack_counts", "ones", "our_pawns"]))
    order = [ALL.index(name) for name in ("ones", "our_attack_counts", "ones", "our_pawns")]
    assert np.array_equal(got, whole[:n, order])
    assert many_positions(1)[:n].planes([]).shape == (n, 0, 8, 8)


@pytest.mark.parametrize("dtype", ["uint8", "float32"])
def test_threads_and_out_change_nothing(dtype: str) -> None:
    p = many_positions(1)[:5_000]
    expected = p.planes(ALL, dtype=dtype)
    out = np.full_like(expected, 77)
    assert p.planes(ALL, dtype=dtype, out=out, threads=3) is out
    assert np.array_equal(out, expected)


def test_the_documentation_names_every_channel() -> None:
    text = Positions.planes.__doc__ or ""
    for name, channel in channels.CHANNELS.items():
        assert f"``{name}``" in text, name
        assert channel.text
    assert text.count("``our_") + text.count("``their_") == sum(n.startswith(("our_", "their_")) for n in ALL)


def test_an_unknown_channel_is_named_with_its_like() -> None:
    p = many_positions(1)[:3]
    with pytest.raises(ValueError, match=r"channels: 'our_pawn': no such channel; did you mean .*our_pawns"):
        p.planes(["our_king", "our_pawn"])
    with pytest.raises(ValueError, match=r"channels: 'zzz': no such channel; expected one of our_pawns"):
        p.planes(["zzz"])
    with pytest.raises(TypeError, match=r"channels: 'ones': expected a list of names"):
        p.planes("ones")
    with pytest.raises(TypeError, match=r"channels: 3: expected channel names"):
        p.planes([3])  # type: ignore[list-item]


def test_other_arguments_are_checked() -> None:
    p = many_positions(1)[:3]
    with pytest.raises(ValueError, match=r"dtype: float64: expected uint8 or float32"):
        p.planes(dtype=np.float64)
    with pytest.raises(ValueError, match=r"threads: 0: expected an int of at least 1"):
        p.planes(threads=0)
    with pytest.raises(ValueError, match=r"out: shape \(3, 18, 64\): expected .*uint8 array of shape \(3, 18, 8, 8\)"):
        p.planes(out=np.zeros((3, 18, 64), np.uint8))
    with pytest.raises(TypeError, match=r"out: dtype uint8: expected .*float32"):
        p.planes(dtype="float32", out=np.zeros((3, 18, 8, 8), np.uint8))
