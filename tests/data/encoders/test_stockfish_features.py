"""Features of Stockfish's nets, judged by their definitions over python-chess, and by what the programs list."""

from collections.abc import Iterator
from typing import Final

import chess
import numpy as np
import pytest

from corpus import corpus
from rookery import Board, IllegalMoveError, Move, Positions
from rookery.data import encoders
from rookery.data.encoders import FeatureSet, SparseFeatures

KIWIPETE: Final = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
SETS: Final = {
    "HalfKP": encoders.halfkp,
    "HalfKAv2": encoders.halfka_v2,
    "HalfKAv2_hm": encoders.halfka_v2_hm,
    "FullThreats": encoders.full_threats,
    "PP_3Wide": encoders.pawn_pairs,
}
KINDS: Final = [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
P, N, B, R, Q = KINDS
TARGETS: Final = {P: [N, R], N: [P, N, B, R, Q], B: [P, N, B, R], R: [P, N, B, R], Q: [P, N, B, R, Q]}


# The definitions. `view` converts a square to the perspective's view, as each set has it.


def by_king(board: chess.Board, colour: chess.Color, turn: int, kings: bool, first: int, width: int) -> Iterator[int]:
    king = board.king(colour)
    assert king is not None
    view = 0 if colour else turn
    for square, piece in board.piece_map().items():
        if piece.piece_type != chess.KING:
            plane = 2 * (piece.piece_type - 1) + (piece.color != colour)
        elif kings:
            plane = 10
        else:
            continue
        yield width * (king ^ view) + first + 64 * plane + (square ^ view)


def half_ka_mirrored(board: chess.Board, colour: chess.Color, trainer: bool = False) -> Iterator[int]:
    king = board.king(colour)
    assert king is not None
    view = 0 if colour else 56
    if (king ^ view) & 7 < 4:
        view ^= 7
    rank, file = divmod(king ^ view, 8)
    for square, piece in board.piece_map().items():
        plane = 2 * (piece.piece_type - 1) + (piece.color != colour)
        if piece.piece_type == chess.KING and not trainer:
            plane = 10
        yield (768 if trainer else 704) * (28 - 4 * rank + 7 - file) + 64 * plane + (square ^ view)


def to_the_left(board: chess.Board, colour: chess.Color) -> int:
    king = board.king(colour)
    assert king is not None
    view = 0 if colour else 56
    return view ^ 7 if (king ^ view) & 7 >= 4 else view


def on_empty_board(kind: int, own: bool, square: int) -> list[int]:
    empty = chess.Board(None)
    empty.set_piece_at(square, chess.Piece(kind, own))
    if kind == P and square // 8 in (0, 7):
        return []
    return list(empty.attacks(square))


REACH: Final = {(k, own): [on_empty_board(k, own, s) for s in range(64)] for k in KINDS for own in (True, False)}


def first_indices() -> dict[tuple[bool, int], int]:
    first, total = {}, 0
    for own in (True, False):
        for kind in KINDS:
            first[own, kind] = total
            total += 2 * len(TARGETS[kind]) * sum(map(len, REACH[kind, own]))
    assert total == 59_808
    return first


FIRST: Final = first_indices()


def threats(board: chess.Board, colour: chess.Color) -> Iterator[int]:
    view = to_the_left(board, colour)
    for square, piece in board.piece_map().items():
        kind, own = piece.piece_type, piece.color == colour
        for goal in board.attacks(square):
            target = board.piece_at(goal)
            if kind == chess.KING or target is None or target.piece_type not in TARGETS[kind]:
                continue
            s, d = square ^ view, goal ^ view
            if target.piece_type == kind and d > s:
                continue
            slot = len(TARGETS[kind]) * (target.color != colour) + TARGETS[kind].index(target.piece_type)
            reach = REACH[kind, own]
            before = sum(map(len, reach[:s]))
            yield FIRST[own, kind] + slot * sum(map(len, reach)) + before + sum(other < d for other in reach[s])


def pairs(board: chess.Board, colour: chess.Color) -> Iterator[int]:
    view = to_the_left(board, colour)
    pawns = [(s, c) for c in (colour, not colour) for s in board.pieces(P, c)]
    for i, (s, c) in enumerate(pawns):
        for s2, c2 in pawns[:i]:
            if abs(s % 8 - s2 % 8) <= 1:
                ids = sorted(48 * (c != colour) + (s ^ view) - 8 for s, c in ((s, c), (s2, c2)))
                yield ids[1] * (ids[1] - 1) // 2 + ids[0]


SIDES: Final[tuple[encoders.Perspective, ...]] = ("white", "black")
DEFINITIONS: Final = {
    "HalfKP": lambda board, colour: by_king(board, colour, 63, False, 1, 641),
    "HalfKAv2": lambda board, colour: by_king(board, colour, 56, True, 0, 704),
    "HalfKAv2_hm": half_ka_mirrored,
    "FullThreats": threats,
    "PP_3Wide": pairs,
}

# The number and the sum of the features of Kiwipete, white's and black's, that Stockfish and its trainer list.
PUBLISHED: Final = {
    "HalfKP": ((30, 82_934), (30, 63_738)),
    "HalfKAv2_hm": ((32, 705_696), (32, 705_728)),
    "FullThreats": ((38, 906_567), (38, 921_434)),
    "PP_3Wide": ((36, 106_782), (36, 111_661)),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_kiwipete_has_the_published_features(name: str) -> None:
    positions = Positions.from_fens([KIWIPETE])
    lists = [SETS[name](positions, side)[0] for side in SIDES]
    assert tuple((len(features), int(features.sum())) for features in lists) == PUBLISHED[name]


def boards(count: int) -> list[Board]:
    both = corpus(count, 1)
    return [b for b in both if len(b.kings) == 2 and not int(b.pawns) & 0xFF000000000000FF]


def judged(features: FeatureSet, name: str, count: int) -> None:
    given = boards(count)
    assert len(given) > count // 2
    positions = Positions.from_boards(given)
    for side, colour in zip(SIDES, chess.COLORS, strict=True):
        found = features(positions, side).sorted()
        for i, board in enumerate(given):
            expected = sorted(DEFINITIONS[name](chess.Board(board.fen(), chess960=True), colour))
            assert found[i].tolist() == expected, (side, board.fen())


@pytest.mark.parametrize("count", [10, 300])
@pytest.mark.parametrize("name", SETS)
def test_features_are_those_of_the_definition(name: str, count: int) -> None:
    judged(SETS[name], name, count)


@pytest.mark.slow
@pytest.mark.parametrize("name", SETS)
def test_many_features_are_those_of_the_definition(name: str) -> None:
    judged(SETS[name], name, 20_000)


@pytest.mark.parametrize("count", [10, 200])
def test_the_trainer_has_a_plane_for_each_king(count: int) -> None:
    given = boards(count)
    found = encoders.halfka_v2_hm(Positions.from_boards(given), "black", numbering="trainer").sorted()
    assert found.size == 24_576
    for i, board in enumerate(given):
        expected = half_ka_mirrored(chess.Board(board.fen(), chess960=True), chess.BLACK, trainer=True)
        assert found[i].tolist() == sorted(expected)


@pytest.mark.parametrize("name", SETS)
def test_us_and_them_are_the_sides_to_move_and_not_to_move(name: str) -> None:
    positions = Positions.from_boards(boards(200))
    white, black, us, them = (SETS[name](positions, side) for side in (*SIDES, "us", "them"))
    for i, turn in enumerate(positions.turn):
        assert np.array_equal(us[i], (white if turn else black)[i])
        assert np.array_equal(them[i], (black if turn else white)[i])


def test_the_whole_input_is_numbered_on_from_set_to_set() -> None:
    positions = Positions.from_boards(boards(200))
    whole = encoders.sfnnv16(positions)
    parts = [encoders.full_threats(positions), encoders.pawn_pairs(positions), encoders.halfka_v2_hm(positions)]
    assert whole.size == 86_896
    for i in range(len(positions)):
        expected = [*parts[0][i], *(parts[1][i] + 59_808), *(parts[2][i] + 64_368)]
        assert whole[i].tolist() == expected


def test_threads_change_nothing() -> None:
    positions = Positions.from_boards(boards(200)).taken(np.arange(5000) % 150)
    assert encoders.sfnnv16(positions, threads=3) == encoders.sfnnv16(positions)


def test_lists_longer_than_expected_find_room() -> None:
    crowded = "qqqqkqqq/8/8/QQQQQQQQ/QQQQQQQQ/qqqqqqqq/qqqqqqqq/QQQQKQQQ w - - 0 1"
    positions = Positions.from_fens([crowded] * 100)
    found = encoders.full_threats(positions).sorted()
    expected = sorted(threats(chess.Board(crowded), chess.WHITE))
    assert len(expected) > 100
    assert all(features.tolist() == expected for features in map(found.__getitem__, range(100)))


@pytest.mark.parametrize("name", [*SETS, "SFNNv16"])
@pytest.mark.parametrize("side", ["us", "them", "white", "black"])
@pytest.mark.parametrize("count", [4, 120])
def test_changes_of_a_move_are_the_differences_of_lists(name: str, side: encoders.Perspective, count: int) -> None:
    features = encoders.sfnnv16 if name == "SFNNv16" else SETS[name]
    given = [(board, move) for board in boards(count) for move in list(board.legal_moves)[:3]]
    positions = Positions.from_boards([board for board, _ in given])
    added, removed = features.changes(positions, [move for _, move in given], side)
    for i, (board, move) in enumerate(given):
        colour = {"white": True, "black": False, "us": board.turn, "them": not board.turn}[side]
        seen = SIDES[not colour]
        later = board.copy()
        later.push(move)
        before, after = ({*features(Positions.from_boards([b]), seen)[0].tolist()} for b in (board, later))
        assert added[i].tolist() == sorted(after - before)
        assert removed[i].tolist() == sorted(before - after)


def test_wrong_positions_and_arguments_are_named() -> None:
    start = Positions.from_boards([Board()])
    with pytest.raises(TypeError, match=r"positions: Board.*: expected Positions"):
        encoders.halfkp(Board())  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="perspective: 'White': expected one of us, them, white, black"):
        encoders.halfkp(start, "White")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="numbering: 'file': expected one of engine, trainer"):
        encoders.halfkp(start, numbering="file")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="threads: 0"):
        encoders.halfkp(start, threads=0)
    for fen in ("8/8/8/8/8/8/8/4K3 w - - 0 1", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1"):
        with pytest.raises(ValueError, match=rf"positions\[1\]: {fen}: expected a king of each side and pawns"):
            encoders.pawn_pairs(Positions.from_fens(["4k3/8/8/8/8/8/8/4K3 w - - 0 1", fen]))
    with pytest.raises(IllegalMoveError, match=r"moves\[0\]: e2e5 is not legal"):
        encoders.halfkp.changes(start, [Move.from_uci("e2e5")])


def test_no_positions_have_no_features() -> None:
    none = encoders.sfnnv16(Positions.from_boards([]))
    assert (len(none), none.indices.size, none.offsets.tolist()) == (0, 0, [0])


def test_the_forms_of_a_list_agree() -> None:
    features = encoders.halfkp(Positions.from_boards(boards(50)))
    dense = features.to_dense(np.float32)
    assert dense.shape == (len(features), 41_024)
    assert [np.flatnonzero(row).tolist() for row in dense] == [sorted(row) for row in features.to_arrow().to_pylist()]
    padded = features.padded(64)
    assert [row[row >= 0].tolist() for row in padded] == features.to_arrow().to_pylist()
    with pytest.raises(ValueError, match=r"width: 0: list 0 has \d+ features"):
        features.padded(0)
    with pytest.raises(IndexError, match=f"index: {len(features)}"):
        features[len(features)]
    assert features[-1].tolist() == features[len(features) - 1].tolist()
    assert features != SparseFeatures(features.offsets, features.indices, 50_000)
