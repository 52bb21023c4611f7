"""Kernels behind helpmates, each called by itself in plain Python: positions in words, pieces' squares, and bounds."""

import re
from pathlib import Path

import chess
import numpy as np
import pytest

from kernel_positions import TABLES, plain, position_of, random_boards, rare_boards, row_of, words_of, words_of_position
from rookery.rules.helpmates import finding, freedom, kernels, packing, search, space

BOARDS = rare_boards() + random_boards(6, 61)
PIECES = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)


def squares(text: str) -> int:
    return sum(1 << chess.parse_square(name) for name in text.split())


# Positions in words.


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_a_position_is_packed_square_by_square(board: chess.Board) -> None:
    p = position_of(board)
    target = 0 if board.ep_square is None else 1 << board.ep_square
    words = [int(word) for word in plain(packing.packed)(p, target)]
    for square in chess.SQUARES:
        number = sum((word >> square & 1) << i for i, word in enumerate(words))
        piece = board.piece_at(square)
        if piece is None:
            assert number == (8 if square == board.ep_square else 0)
        else:
            kind = 7 if board.castling_rights >> square & 1 else piece.piece_type
            assert number == kind | (8 if piece.color else 0)
    again = plain(packing.unpacked)(*words, int(not board.turn), TABLES)
    assert words_of_position(again) == words_of(board)
    assert again.state == p.state
    without = plain(packing.packed)(p, 0)
    assert [int(word) for word in without] == [*words[:3], words[3] & ~target]


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.fen())
def test_a_position_is_turned_if_black_shall_mate(board: chess.Board) -> None:
    row = row_of(board)
    assert words_of_position(plain(kernels.seen_by)(row, 0, TABLES)) == words_of(board)
    turned = plain(kernels.seen_by)(row, 1, TABLES)
    mirrored = board.mirror()
    assert words_of_position(turned) == words_of(mirrored)
    assert turned.state == mirrored.occupied
    assert plain(freedom.white_of)(position_of(board)) == board.occupied_co[chess.WHITE]
    assert plain(kernels.turned)(1, 0) == 1
    assert plain(kernels.turned)(0b10, 1) == 1 << 57


def test_rows_name_the_side_that_shall_mate() -> None:
    words = np.array([words_of(board) for board in BOARDS], np.uint64)
    rows = finding.rows_of(words, np.arange(len(BOARDS)) % 2)
    assert rows.dtype == np.uint64
    assert rows[:, :10].tolist() == words.tolist()
    assert rows[:, 10:].tolist() == [[i % 2] for i in range(len(BOARDS))]
    assert finding.rows_of(words, True)[:, 10].tolist() == [1] * len(BOARDS)


def test_limits() -> None:
    most = 1 << 26
    assert [finding.checked_limit(limit) for limit in (0, 1, most)] == [0, 1, most]
    for limit in (-1, most + 1):
        with pytest.raises(ValueError, match=rf"^limit: {limit}: expected"):
            finding.checked_limit(limit)
    for number in (0, 1, 7, 8, 1000):
        new = space.new_space(number)
        assert new.nodes.shape == (number + 1, 6)
        assert new.slots.size > 2 * (number + 1) - 2
        assert new.slots.size & (new.slots.size - 1) == 0
        assert not new.slots.any()
        assert not new.heads.any()


# Where mates happen.


def test_kings_and_knights_have_their_distances_to_a_mate() -> None:
    knights = {square: int(chess.BB_KNIGHT_ATTACKS[square]) for square in chess.SQUARES}
    goals = {0: "g7", 1: "h8", 2: "e5", 3: "g8", 4: "b7", 5: "a8", 6: "d5", 7: "b8"}
    assert search.DISTANCES.shape == (8, 64)
    for row, name in goals.items():
        goal = chess.parse_square(name)
        for square in chess.SQUARES:
            if row % 4 < 2:
                assert search.DISTANCES[row, square] == chess.square_distance(square, goal)
                continue
            reached, moves = 1 << goal, 0
            while not reached >> square & 1:
                moves += 1
                for s in chess.SquareSet(reached):
                    reached |= knights[s]
            assert search.DISTANCES[row, square] == moves


@pytest.mark.parametrize(
    ("fen", "near_h8"),
    [
        ("4k3/8/8/8/8/8/8/2B1K3 w - - 0 1", True),
        ("4k3/8/8/8/8/8/8/3BK3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/2BBK3 w - - 0 1", True),
        ("2b1k3/8/8/8/8/8/8/4K3 w - - 0 1", True),
        ("3bk3/8/8/8/8/8/8/4K3 w - - 0 1", False),
        ("2b1k3/8/8/8/8/8/8/3BK3 w - - 0 1", False),
        ("4k3/8/8/8/8/8/8/2Q1K3 w - - 0 1", False),
        ("2q1k3/8/8/8/8/8/8/4K3 b - - 0 1", False),
        ("3bk3/8/8/8/8/8/8/2B1K3 b - - 0 1", True),
    ],
)
def test_a_mate_is_looked_for_where_a_bishop_attacks_the_corner(fen: str, near_h8: bool) -> None:
    assert int(plain(search.corner_of)(position_of(chess.Board(fen)))) == (0 if near_h8 else 4)


# Squares of pieces.


@pytest.mark.parametrize("board", BOARDS[::4], ids=lambda board: board.fen())
def test_pieces_strike_what_they_attack(board: chess.Board) -> None:
    for square in chess.SQUARES:
        for kind in PIECES:
            for colour in chess.COLORS:
                other = board.copy(stack=False)
                other.set_piece_at(square, chess.Piece(kind, colour))
                expected = int(other.attacks(square)) | (1 << square if kind == chess.KING else 0)
                found = plain(freedom.strikes)(kind, int(not colour), square, board.occupied, TABLES)
                assert int(found) == expected


def test_pawns_advance_and_strike() -> None:
    for square in range(8, 56):
        file, rank = square % 8, square // 8
        for black in (0, 1):
            step = -8 if black else 8
            one, two = square + step, square + 2 * step
            doubles = rank == (6 if black else 1)

            def pushed(*occupied: int, square: int = square, black: int = black) -> int:
                word = sum(1 << s for s in occupied)
                return int(plain(freedom.pushes)(black, square, word))

            assert pushed() == 1 << one | (1 << two if doubles else 0)
            assert pushed(one) == 0
            if doubles:
                assert pushed(two) == 1 << one
            aslant = [one + side for side in (-1, 1) if 0 <= file + side < 8]
            pawns = plain(freedom.pawn_strikes)(1 << square, black)
            assert int(pawns) == sum(1 << s for s in aslant)


def test_files_of_a_board() -> None:
    for square in chess.SQUARES:
        assert int(plain(freedom.files_of)(1 << square)) == 1 << square % 8
    assert int(plain(freedom.files_of)(squares("a1 c4 c5 h8"))) == 0b10000101
    assert int(plain(freedom.files_of)(0)) == 0


@pytest.mark.parametrize(
    ("fen", "locked"),
    [
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1", True),
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4N3/2K5/8 w - - 0 1", False),  # knights jump
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4R3/2K5/8 w - - 0 1", False),
        ("8/2k5/8/1p1p1p1p/1P1P1P1P/4Q3/2K5/8 b - - 0 1", False),
        ("8/2k5/8/1p1p1p2/1P1P1P1P/4B3/2K5/8 w - - 0 1", False),  # nobody stops the pawn on h4
        ("8/2k4P/8/1p1p1p2/1P1P1P2/4B3/2K5/8 w - - 0 1", True),  # that promotes next
        ("8/2k5/8/1p1p1p2/1P1P1P2/4B3/2K4p/8 b - - 0 1", True),
        ("8/2k4p/8/1p1p1p2/1P1P1P2/4B3/2K5/8 b - - 0 1", False),
        ("8/2k5/8/8/8/4B3/2K5/8 w - - 0 1", False),  # no pawns at all
        ("4k3/8/8/3p4/8/3P4/8/4K3 w - - 0 1", False),  # pawns that do not block each other
        ("4k3/8/8/3p4/3P4/8/8/4K3 w - - 0 1", True),
        ("8/8/3k4/3P4/3p4/8/8/4K3 w - - 0 1", True),  # a king blocks a pawn
        ("4k3/8/p1p1p1p1/3p4/3P4/P1P1P1P1/8/4K3 w - - 0 1", False),  # too few of them
        ("4k3/8/p1p5/3p4/3P4/P1P5/8/4K3 w - - 0 1", True),
        ("4k3/p1p5/4p3/3p4/3P4/P1P1P3/8/4K3 w - - 0 1", False),
    ],
)
def test_when_a_proof_is_worth_its_time(fen: str, locked: bool) -> None:
    board = chess.Board(fen)
    found = plain(freedom.is_locked)(position_of(board), board.occupied_co[chess.WHITE])
    assert bool(found) is locked


# Bounds.

BOUNDS = [
    line.split("  ") for line in (Path(__file__).parent / "bounds.txt").read_text().splitlines() if line[0] != "#"
]


@pytest.mark.parametrize(("fen", "pieces"), BOUNDS)
def test_bounds_hold_the_squares_where_pieces_can_go(fen: str, pieces: str) -> None:
    board, work = chess.Board(fen), space.new_space(0)
    white = board.occupied_co[chess.WHITE]
    kept = white & ~board.kings if white.bit_count() == 2 else 0
    plain(freedom.saturate)(position_of(board), work, kept, 0, TABLES)
    for square in chess.SQUARES:
        if not board.occupied >> square & 1:
            assert work.reach[square] == 0
    for home, exact, others in re.findall(r"(\w\w)([=<])(\w*)", pieces):
        found, reached = (
            int(work.reach[chess.parse_square(home)]),
            squares(f"{home} {' '.join(re.findall('..', others))}"),
        )
        assert reached & ~found == 0, home
        assert exact == "<" or found == reached, home


def test_what_the_bounds_say_of_a_position() -> None:
    """White's bishop goes to dark squares, black's king above the pawns; pawns stay, and nothing is captured."""
    board, work = chess.Board("8/2k5/8/1p1p1p1p/1P1P1P1P/4B3/2K5/8 w - - 0 1"), space.new_space(0)
    plain(freedom.saturate)(position_of(board), work, 0, 0, TABLES)
    facts = [int(word) for word in work.facts]
    assert facts[space.STEADY] == board.pawns
    assert [facts[i] for i in (space.PROMOTES, space.CAPTURABLE, space.DOUBTFUL)] == [0, 0, 0]
    reached = [int(word) for word in work.reach]
    everything = 0
    for word in reached:
        everything |= word
    assert facts[space.CLEAR] == everything ^ 2**64 - 1
    white, black = board.pawns & board.occupied_co[chess.WHITE], board.pawns & board.occupied_co[chess.BLACK]
    assert facts[space.OFFERED] == white | reached[chess.E3]  # squares of white's pieces but the king
    assert facts[space.OFFERED_BY_BLACK] == black
    assert facts[space.NOT_BY_BISHOPS] == white | reached[chess.C2]
    assert facts[space.NOT_BY_BISHOPS_OF_BLACK] == black | reached[chess.C7]
    assert facts[space.GUARDED] == squares("a5 c5 e5 g5")
    assert facts[space.GUARDED_BY_BLACK] == squares("a4 c4 e4 g4")
    assert reached[chess.E3] & chess.BB_LIGHT_SQUARES == 0
    assert reached[chess.C7] == chess.BB_RANK_6 | chess.BB_RANK_7 | chess.BB_RANK_8


def positions_that_can_be_won() -> list[str]:
    """Return positions in which white can mate: some of the labelled ones, the others turned, and mates by pawns."""
    found = []
    for line in (Path(__file__).parent / "labelled.txt").read_text().splitlines():
        if line[:1] not in "WB-" or line.startswith("--"):
            continue
        sides, *fields = line.split()
        board = chess.Board(" ".join([*fields[:4], "0", "1"]))
        found.append((board if sides[0] == "W" else board.mirror()).fen())
    few = [fen for fen in found if fen.split()[2:4] == ["-", "-"] and len(fen) < 60]
    return [
        *few[::6],
        "8/8/pp6/k7/1pK5/PP6/8/8 w - - 0 1",
        "8/8/pp6/k7/1PK5/1P6/8/8 b - - 0 1",
        "k7/8/KP6/8/8/8/8/8 w - - 0 1",
    ]


@pytest.mark.parametrize("fen", positions_that_can_be_won())
def test_nothing_is_proved_where_white_can_mate(fen: str) -> None:
    assert not plain(freedom.cannot_mate_ever)(position_of(chess.Board(fen)), space.new_space(0), TABLES)
