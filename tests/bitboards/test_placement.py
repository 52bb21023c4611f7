"""The twelve boards and the first field of a FEN."""

import chess
import numpy as np
import pytest

from rookery import Bitboard, Placement
from rookery.bitboards.placement import describe_square, fields_of, read_pieces

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R"


def random_placements(n: int) -> list[str]:
    rng = np.random.default_rng(5)
    fens = []
    for _ in range(n):
        board = chess.BaseBoard.empty()
        for square in range(64):
            if rng.random() < 0.4:
                board.set_piece_at(square, chess.Piece(int(rng.integers(1, 7)), bool(rng.integers(2))))
        fens.append(board.board_fen())
    return fens


@pytest.mark.parametrize("fen", [KIWIPETE, "8/8/8/8/8/8/8/8", chess.STARTING_BOARD_FEN, *random_placements(50)])
def test_boards_are_python_chess_boards(fen: str) -> None:
    placement, board = Placement.from_fen(fen), chess.BaseBoard(fen)
    assert placement.to_fen() == fen
    assert list(map(int, placement)) == [
        board.pieces_mask(kind, colour) for colour in (chess.WHITE, chess.BLACK) for kind in range(1, 7)
    ]
    assert placement.white == board.occupied_co[chess.WHITE]
    assert placement.black == board.occupied_co[chess.BLACK]
    assert placement.occupied == board.occupied
    assert placement.empty == ~Bitboard(board.occupied)
    assert str(placement) == str(board)
    for square in range(64):
        piece = board.piece_at(square)
        assert placement.piece_at(square) == (piece and piece.symbol())
        assert placement.kind_at(square) == (piece and chess.piece_name(piece.piece_type))


def test_further_fields_are_left_alone() -> None:
    assert Placement.from_fen(f"{KIWIPETE} w KQkq - 0 1") == Placement.from_fen(KIWIPETE)


@pytest.mark.parametrize(
    ("fen", "message"),
    [
        ("", "is empty"),
        ("   ", "is empty"),
        ("8/8/8/8/8/8/8", "has 7 ranks, expected 8"),
        ("8/8/8/8/8/8/8/8/8", "has 9 ranks, expected 8"),
        ("8/8/8/8/8/8/8/7", r"rank 1: '7' has 7 squares, expected 8"),
        ("8/8/8/8/8/8/8/8p", r"rank 1: '8p' has 9 squares, expected 8"),
        ("8/8/pppppppppp/8/8/8/8/8", r"rank 6: 'pppppppppp' has 10 squares"),
        ("8/8/8/8/8/8/8/7x", "unexpected 'x'"),
        ("8/8/8/8/8/8/8/9", "unexpected '9'"),
        ("8/8/8/8/8/8/8/0p7", "unexpected '0'"),
        ("8/44/8/8/8/8/8/8", r"rank 7: '44': two digits in a row"),
        ("8/8/8/8/8/8/8/\u0661p6", "unexpected"),
    ],
)
def test_bad_fens_are_explained(fen: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Placement.from_fen(fen)


def test_description() -> None:
    placement = Placement.from_fen(KIWIPETE)
    assert describe_square(placement, chess.F3) == "white queen on f3"
    assert describe_square(placement, chess.E7) == "black queen on e7"
    assert describe_square(placement, chess.D4) == "nothing on d4"


@pytest.mark.parametrize(
    ("field", "faults"),
    [
        ("8/8/8/8/8/8/8/8", []),
        ("8/8", ["FEN field 1 (pieces): '8/8' has 2 ranks, expected 8"]),
        ("8/8/8/8/8/8/8/8/8/8", ["FEN field 1 (pieces): '8/8/8/8/8/8/8/8/8/8' has 10 ranks, expected 8"]),
        ("8/8/8/8/8/8/8/6", ["FEN field 1 (pieces), rank 1: '6' has 6 squares, expected 8"]),
        ("ppppppppp/8/8/8/8/8/8/8", ["FEN field 1 (pieces), rank 8: 'ppppppppp' has 9 squares, expected 8"]),
        (
            "8/8/8/8/8/8/8/abcdefgha",
            [
                "FEN field 1 (pieces), rank 1: 'abcdefgha': unexpected 'a', 'c', 'd', 'e', 'f', expected one of "
                "PNBRQKpnbrqk or 1 to 8"
            ],
        ),
        (
            "8/8/8/8/8/8/8/90",
            [
                "FEN field 1 (pieces), rank 1: '90': unexpected '9', '0', expected one of PNBRQKpnbrqk or 1 to 8",
            ],
        ),
        ("8/8/8/8/8/8/8/18", [
            "FEN field 1 (pieces), rank 1: '18': two digits in a row",
            "FEN field 1 (pieces), rank 1: '18' has 9 squares, expected 8",
        ]),
    ],
)  # fmt: skip
def test_each_fault_of_a_field_is_reported(field: str, faults: list[str]) -> None:
    assert list(read_pieces(field, [0] * 12)) == faults


def test_pieces_beyond_the_edge_are_left_out() -> None:
    boards = [0] * 12
    assert len(list(read_pieces("8/8/8/8/8/8/8/7KKK", boards))) == 1
    assert boards == [0, 0, 0, 0, 0, 1 << 7, 0, 0, 0, 0, 0, 0]


@pytest.mark.parametrize("blank", [" ", "\t", "\n", "\v", "\f", "\r", "  \t "])
def test_fields_are_split_at_ascii_blanks(blank: str) -> None:
    assert fields_of(f"{blank}8/8{blank}w{blank}") == ["8/8", "w"]
    assert fields_of("8\u00a08\x0e8\x088") == ["8\u00a08\x0e8\x088"]


def test_what_is_not_a_text_or_a_square_is_refused() -> None:
    with pytest.raises(TypeError, match=r"^FEN: 5: expected a text"):
        Placement.from_fen(5)  # type: ignore[arg-type]
    for square in (-1, 64):
        with pytest.raises(ValueError, match=rf"^square: {square} is off the board"):
            Placement.from_fen(KIWIPETE).piece_at(square)


def test_the_marks_of_a_placement_are_its_pieces() -> None:
    expected = {square: piece.symbol() for square, piece in chess.BaseBoard(KIWIPETE).piece_map().items()}
    placement = Placement.from_fen(KIWIPETE)
    assert placement.marks() == expected
    assert "<title>white king on e1</title>" in placement._repr_svg_()
    assert "Placement of the pieces" in placement._repr_svg_()
