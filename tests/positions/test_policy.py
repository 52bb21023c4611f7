"""Policy masks and indices: layouts from their descriptions, legal moves from python-chess and the scalar generator.

python-chess lists the moves of 8,000 of the 50,000 positions (all edges among them), the scalar generator those of all.
"""

import functools
from typing import Any, Final

import chess
import numpy as np
import pytest

from corpus import EDGES, many_boards, many_positions
from rookery.aliases import PolicyLayout
from rookery.board.board import Board
from rookery.board.moves import CASTLING, Move
from rookery.positions.features import move_lists, policy
from rookery.positions.positions import Positions
from thinning import slow

LAYOUTS: Final = {"alphazero": 4672, "leela": 1858}
SEEDS: Final = [1, *(slow(seed) for seed in range(2, 21))]
JUDGED: Final = 3_000


COMPASS: Final = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))  # file, rank: n, ne, e, ...
CLOCK: Final = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def seen(square: int, turn: bool) -> tuple[int, int]:
    """File and rank as the mover sees them."""
    square = square if turn else chess.square_mirror(square)
    return chess.square_file(square), chess.square_rank(square)


def alphazero(move: chess.Move, turn: bool, castles: bool) -> int | None:
    """The index as the module's text defines it."""
    (file, rank), (file_to, rank_to) = seen(move.from_square, turn), seen(move.to_square, turn)
    if castles:
        king_to = 6 if file_to > file else 2
        file_to = king_to if abs(king_to - file) >= 2 else file_to
    step = (file_to - file, rank_to - rank)
    if move.promotion not in (None, chess.QUEEN):
        way = [-1, 0, 1].index(step[0])
        kind = 64 + 3 * way + [chess.KNIGHT, chess.BISHOP, chess.ROOK].index(move.promotion or 0)
    elif step in CLOCK:
        kind = 56 + CLOCK.index(step)
    else:
        distance = max(map(abs, step))
        towards = (step[0] / distance, step[1] / distance)
        if towards not in COMPASS:
            return None
        kind = 7 * COMPASS.index(towards) + distance - 1
    return (8 * rank + file) * 73 + kind


@functools.cache
def leela_list() -> list[str]:
    """All moves of a queen and a knight on an empty board, in ascending order, then the promotions."""
    moves = []
    for source in chess.SQUARES:
        empty = chess.Board(None)
        reach = chess.SquareSet()
        for kind in (chess.QUEEN, chess.KNIGHT):
            empty.set_piece_at(source, chess.Piece(kind, chess.WHITE))
            reach |= empty.attacks(source)
        moves += [chess.Move(source, target).uci() for target in reach]
    for source in range(chess.A7, chess.H7 + 1):
        for target in range(chess.A8, chess.H8 + 1):
            if chess.square_distance(source, target) == 1:
                moves += [chess.Move(source, target).uci() + piece for piece in "qrb"]
    return moves


@functools.cache
def leela_index() -> dict[str, int]:
    return {text: index for index, text in enumerate(leela_list())}


def leela(move: chess.Move, turn: bool) -> int | None:
    source, target = (s if turn else chess.square_mirror(s) for s in (move.from_square, move.to_square))
    promotion = None if move.promotion == chess.KNIGHT else move.promotion
    return leela_index().get(chess.Move(source, target, promotion).uci())


def as_theirs(word: int) -> chess.Move:
    """The move of a word, castling as king takes rook."""
    return chess.Move.from_uci(Move.from_word(word, chess960=True).uci())


def index_of(layout: PolicyLayout, move: chess.Move, turn: bool, castles: bool) -> int | None:
    return alphazero(move, turn, castles) if layout == "alphazero" else leela(move, turn)


def test_leela_list() -> None:
    """Landmarks of Leela Chess Zero's own list."""
    texts = move_lists.move_list("leela").texts
    assert list(texts) == leela_list()
    assert len(texts) == 1858
    assert texts[:8] == ("a1b1", "a1c1", "a1d1", "a1e1", "a1f1", "a1g1", "a1h1", "a1a2")
    assert texts[20:26] == ("a1g7", "a1a8", "a1h8", "b1a1", "b1c1", "b1d1")
    assert texts[1791:1800] == (
        "h8g8", "a7a8q", "a7a8r", "a7a8b", "a7b8q", "a7b8r", "a7b8b", "b7a8q", "b7a8r",
    )  # fmt: skip
    assert texts[-3:] == ("h7h8q", "h7h8r", "h7h8b")
    assert [texts.index(text) for text in ("e1h1", "e1a1", "g1f3", "e2e4", "d2d4")] == [
        leela_index()[text] for text in ("e1h1", "e1a1", "g1f3", "e2e4", "d2d4")
    ]


def test_alphazero_list() -> None:
    texts = move_lists.move_list("alphazero").texts
    assert len(texts) == 4672
    named = [text for text in texts if text]
    assert len(named) == len(set(named)) == 1792 + 66
    assert texts[:7] == ("a1a2", "a1a3", "a1a4", "a1a5", "a1a6", "a1a7", "a1a8")
    assert texts[12 * 73 + 1] == "e2e4"
    assert texts[6 * 73 + 63] == "g1f3"
    assert texts[50 * 73 + 64 : 50 * 73 + 73] == (
        "c7b8n", "c7b8b", "c7b8r", "c7c8n", "c7c8b", "c7c8r", "c7d8n", "c7d8b", "c7d8r",
    )  # fmt: skip
    for index, text in enumerate(texts):
        if text:
            assert alphazero(chess.Move.from_uci(text), True, False) == index


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_masks_are_the_legal_moves_of_python_chess(layout: PolicyLayout, seed: int) -> None:
    edges = range(2 * len(EDGES))
    chosen = [*edges, *range(len(edges), 50_000, 50_000 // (JUDGED - len(edges)))]
    mask = many_positions(seed)[chosen].policy_mask(layout)
    assert mask.shape == (len(chosen), LAYOUTS[layout])
    assert mask.dtype == np.bool_
    for i, index in enumerate(chosen):
        fen = many_boards(seed)[index].fen(en_passant="fen", shredder=True)
        board = chess.Board(fen, chess960=True)  # so that castling is king takes rook
        expected = [index_of(layout, move, board.turn, board.is_castling(move)) for move in board.legal_moves]
        assert np.flatnonzero(mask[i]).tolist() == sorted(e for e in expected if e is not None), fen
        assert len(set(expected)) == len(expected), fen


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_legal_move_has_its_index_and_every_index_its_move(layout: PolicyLayout, seed: int) -> None:
    """All positions: the scalar generator's moves; each position comes as often as it has moves."""
    table = {
        (word, turn): index_of(layout, as_theirs(word), turn, word >> 14 == CASTLING)
        for turn in (True, False)
        for word in {b.move_word(m) for b in many_boards(seed) if b.turn == turn for m in b.generate_legal_moves()}
    }
    rows, words, indices = [], [], []
    expected = np.zeros((len(many_boards(seed)), LAYOUTS[layout]), np.bool_)
    for i, board in enumerate(many_boards(seed)):
        for move in board.generate_legal_moves():
            word = board.move_word(move)
            index = table[word, board.turn]
            if index is not None:
                rows.append(i)
                words.append(word)
                indices.append(index)
    expected[rows, indices] = True
    assert np.array_equal(many_positions(seed).policy_mask(layout), expected)
    assert expected.sum() == len(rows)
    repeated = many_positions(seed)[rows]
    got = repeated.policy_index(words, layout)
    assert got.dtype == np.int32
    assert np.array_equal(got, indices)
    back = repeated.policy_moves(got, layout, threads=2)
    assert back.dtype == np.uint16
    assert np.array_equal(back, words)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_packed_dense_threads_and_out_agree(layout: PolicyLayout) -> None:
    p = many_positions(1)[:5_000]
    mask = p.policy_mask(layout)
    as_bytes = p.policy_mask(layout, dtype="uint8", threads=3)
    assert as_bytes.dtype == np.uint8
    assert np.array_equal(as_bytes, mask)
    packed = p.policy_mask(layout, packed=True)
    assert packed.shape == (5_000, -(-LAYOUTS[layout] // 8))
    assert np.array_equal(packed, np.packbits(mask, axis=1, bitorder="little"))
    for expected, options in ((mask, {}), (packed, {"packed": True}), (as_bytes, {"dtype": np.uint8})):
        out = np.full_like(expected, 1)
        assert p.policy_mask(layout, out=out, threads=2, **options) is out
        assert np.array_equal(out, expected)


def test_positions_with_very_many_moves_write_within_bounds() -> None:
    """More than the 218 of any game: the rows beside theirs stay empty, in every form."""
    mated = Board("7k/6Q1/6K1/8/8/8/8/8 b - - 99 80")
    crowded = Board.unchecked("QQQQQQQQ/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/Q6Q/QQQQQQQQ w - - 0 1")
    knights = Board.unchecked("NNNNNNNN/8/NNNNNNNN/8/NNNNNNNN/8/NNNNNNNN/8 w - - 0 1")
    most = Board.unchecked("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")
    assert [len(b.legal_moves) for b in (most, mated)] == [218, 0]
    assert len(crowded.legal_moves) > 218
    row = [mated, crowded, mated, knights, mated, most, mated]
    p = Positions.from_boards(row)
    for layout in LAYOUTS:
        mask = p.policy_mask(layout)  # type: ignore[arg-type]
        assert mask.sum(axis=1).tolist() == [len(board.legal_moves) for board in row]
        packed = np.packbits(mask, axis=1, bitorder="little")
        assert np.array_equal(p.policy_mask(layout, packed=True), packed)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_positions(n: int) -> None:
    p = many_positions(1)[:n]
    assert p.policy_mask().shape == (n, 4672)
    assert p.policy_mask("leela", packed=True).shape == (n, 233)
    words = [int(board.generate_legal_moves()[0]) for board in many_boards(1)[:n]]
    assert p.policy_moves(p.policy_index(words)).tolist() == words


CASTLINGS: Final = (
    # fen, rook's square, the index's meaning in both layouts
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "h1", "e1g1", "e1h1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1", "e1c1", "e1a1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "h8", "e1g1", "e1h1"),
    ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "h1", "f1h1", "f1h1"),  # one step: it might be the king's own
    ("4k3/8/8/8/8/8/8/1R3K1R w HB - 0 1", "b1", "f1c1", "f1b1"),
    ("4k3/8/8/8/8/8/8/R5KR w HA - 0 1", "h1", "g1h1", "g1h1"),  # the king stays
    ("4k3/8/8/8/8/8/8/1K4R1 w G - 0 1", "g1", "b1g1", "b1g1"),
)


@pytest.mark.parametrize(("fen", "rook", "wide", "narrow"), CASTLINGS)
def test_castling(fen: str, rook: str, wide: str, narrow: str) -> None:
    board = Board(fen)
    (move,) = board.generate_castling_moves(to_mask=1 << chess.parse_square(rook))
    for layout, text in (("alphazero", wide), ("leela", narrow)):
        index = policy.move_to_index(move, board, layout)  # type: ignore[arg-type]
        assert move_lists.move_list(layout).texts[index] == text
        assert policy.index_to_move(index, board, layout) is move  # type: ignore[arg-type]


def test_one_board_at_a_time_agrees() -> None:
    for board in many_boards(1)[: 2 * len(EDGES)]:
        p = Positions.from_boards([board])
        for layout in LAYOUTS:
            for move in board.generate_legal_moves():
                index = policy.move_to_index(move, board, layout)  # type: ignore[arg-type]
                assert index == p.policy_index([move], layout)[0]  # type: ignore[arg-type]
                assert policy.index_to_move(index, board, layout) is move  # type: ignore[arg-type]


def test_what_is_illegal_or_unknown_is_named() -> None:
    start, p = Board(), Positions.from_boards([Board(), Board()])
    e2e4, e2e5 = Move.of(12, 28), Move.of(12, 36)
    with pytest.raises(ValueError, match=r"layout: 'lc0': expected one of alphazero, leela"):
        p.policy_mask("lc0")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"layout: \['leela'\]: expected one of alphazero, leela"):
        p.policy_mask(["leela"])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"moves\[1\]: e2e5 is not legal in rnbq"):
        p.policy_index([e2e4, e2e5])
    with pytest.raises(ValueError, match=r"indices\[1\]: 878 \(e2e5\) is not a legal move in rnbq"):
        p.policy_moves([877, 878])
    with pytest.raises(ValueError, match=r"indices\[0\]: -1 \(no move\) is not a legal move"):
        p.policy_moves([-1, 878])
    with pytest.raises(ValueError, match=r"indices\[0\]: 65535 \(no move\) is not a legal move"):
        p.policy_moves([65535, 878], "leela")
    with pytest.raises(ValueError, match=r"indices: shape \(1,\): expected \(2,\)"):
        p.policy_moves([877])
    with pytest.raises(TypeError, match=r"moves: an array of float64: expected integers"):
        p.policy_index([1.5, 2.5])  # type: ignore[list-item]
    with pytest.raises(ValueError, match=r"moves\[1\]: 65536: expected 0 to 65535"):
        p.policy_index([int(e2e4), 65536])
    with pytest.raises(ValueError, match=r"move: e2e5 is not legal in rnbq"):
        policy.move_to_index(e2e5, start)
    with pytest.raises(ValueError, match=r"index: 878 \(e2e5\) is not a legal move in rnbq"):
        policy.index_to_move(878, start)
    with pytest.raises(ValueError, match=r"index: 1858: expected 0 to 1857 in the layout 'leela'"):
        policy.index_to_move(1858, start, "leela")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dtype": "float32"}, r"dtype: float32: expected bool or uint8"),
        ({"dtype": "bool", "packed": True}, r"dtype: bool: expected uint8 for packed bits"),
        (
            {"out": np.zeros((2, 4671), np.bool_)},
            r"out: shape \(2, 4671\): expected .* bool array of shape \(2, 4672\)",
        ),
        ({"threads": 1.5}, r"threads: 1.5: expected an int"),
    ],
)
def test_other_arguments_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Positions.from_boards([Board(), Board()]).policy_mask(**options)
