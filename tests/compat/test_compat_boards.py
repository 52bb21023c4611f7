"""Boards that are edited as python-chess allows it, compared with boards of python-chess after the same edits."""

import copy
import pickle
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import chess
import pytest

import rookery
import rookery.compat as compat
from rookery.compat import Board, Status

Pair = tuple[Board, chess.Board]


def compare(ours: Board, theirs: chess.Board, why: Any) -> None:
    found = (ours.fen(), ours.turn, ours.ep_square, int(ours.castling_rights), int(ours.clean_castling_rights()))
    expected = (theirs.fen(), theirs.turn, theirs.ep_square, theirs.castling_rights, theirs.clean_castling_rights())
    assert found == expected, why
    assert ours.occupied_co == (theirs.occupied_co[chess.BLACK], theirs.occupied_co[chess.WHITE]), why
    # rookery finds more checks that no last move can have given.
    status, expected_status = int(ours.status()), int(theirs.status())
    assert (status ^ expected_status) & ~Status.IMPOSSIBLE_CHECK == 0, why
    assert expected_status & ~status == 0, why
    for name in ("legal_moves", "pseudo_legal_moves"):
        here = sorted(ours.uci(move) for move in getattr(ours, name))
        assert here == sorted(move.uci() for move in getattr(theirs, name)), (why, name)
    assert ours.was_into_check() == theirs.was_into_check(), why
    assert ours.has_pseudo_legal_en_passant() == theirs.has_pseudo_legal_en_passant(), why


def set_piece(pair: Pair, rng: random.Random) -> None:
    square, symbol = rng.randrange(8, 56), rng.choice([None, *"PNBRQpnbrq"])
    pair[0].set_piece_at(square, symbol)
    pair[1].set_piece_at(square, chess.Piece.from_symbol(symbol) if symbol else None)


def remove_piece(pair: Pair, rng: random.Random) -> None:
    square = rng.randrange(64)
    removed = pair[1].remove_piece_at(square)
    assert pair[0].remove_piece_at(square) == (removed.symbol() if removed else None)


def turn(pair: Pair, rng: random.Random) -> None:
    ep(pair, rng, squares=[])  # here an en-passant square of the other side is dropped
    value = rng.random() < 0.5
    for board in pair:
        board.turn = value


def rights(pair: Pair, rng: random.Random) -> None:
    theirs = pair[1]
    value = rng.choice([0, theirs.rooks, chess.BB_CORNERS, chess.BB_H1, rng.getrandbits(64) & theirs.rooks])
    pair[0].castling_rights = compat.Bitboard(value)
    theirs.castling_rights = value


def ep(pair: Pair, rng: random.Random, squares: list[int] | None = None) -> None:
    theirs = pair[1]
    if squares is None:
        row, step = (range(40, 48), 8) if theirs.turn else (range(16, 24), -8)
        jumped = theirs.pieces(chess.PAWN, not theirs.turn)
        free = ~theirs.occupied
        squares = [s for s in row if s - step in jumped and free >> s & 1 and free >> s + step & 1]
    value = rng.choice([None, *squares])
    for board in pair:
        board.ep_square = value


def mirror(pair: Pair, rng: random.Random) -> None:
    for board in pair:
        board.apply_mirror()


def flip(pair: Pair, rng: random.Random) -> None:
    ep(pair, rng, squares=[])
    name = rng.choice(["flip_vertical", "flip_horizontal"])
    pair[0].apply_transform(getattr(compat, name))
    pair[1].apply_transform(getattr(chess, name))


def theirs_rooks(pair: Pair, colour: bool) -> int:
    back = chess.BB_RANK_1 if colour else chess.BB_RANK_8
    return int(pair[1].pieces(chess.ROOK, colour)) & back


def set_fen(pair: Pair, rng: random.Random) -> None:
    fields = pair[1].fen().split()
    back = {"Q": theirs_rooks(pair, chess.WHITE), "q": theirs_rooks(pair, chess.BLACK)}
    # Where no rook stands on the back rank, python-chess takes no notice of Q and q.
    fields[2] = "".join(sign for sign in "KQkq" if back.get(sign, 1) and rng.random() < 0.6) or "-"
    fen = " ".join(fields[: rng.choice([3, 4, 5, 6])])
    for board in pair:
        board.set_fen(fen)


EDITS: Final[tuple[Callable[[Pair, random.Random], None], ...]] = (
    set_piece, remove_piece, turn, rights, ep, mirror, flip, set_fen,
)  # fmt: skip


@pytest.mark.parametrize("chess960", [False, True])
def test_edited_boards(chess960: bool) -> None:
    rng = random.Random(7 + chess960)
    edited: Counter[str] = Counter()
    for _ in range(40):
        theirs = chess.Board.from_chess960_pos(rng.randrange(960)) if chess960 else chess.Board()
        ours = Board(theirs.fen(), chess960=chess960)
        for _ in range(60):
            moves = list(theirs.legal_moves)
            if not moves:
                break
            played = rng.choice(moves)
            theirs.push(played)
            ours.push(compat.Move.from_uci(played.uci()))
            if rng.random() < 0.7:
                continue
            # With a history, python-chess takes rights for possible without looking.
            pair = (ours.copy(stack=False), theirs.copy(stack=False))
            edit = rng.choice(EDITS)
            edit(pair, rng)
            edited[edit.__name__] += 1
            compare(*pair, edit.__name__)
            compare(copy.deepcopy(pair[0]), pair[1], edit.__name__)
            compare(pickle.loads(pickle.dumps(pair[0])), pair[1], edit.__name__)
        compare(ours, theirs, "moves")
    assert min(edited[edit.__name__] for edit in EDITS) > 20


def test_moves_after_an_edit_and_back() -> None:
    ours, theirs = Board(), chess.Board()
    for board in (ours, theirs):
        board.castling_rights = chess.BB_CORNERS | chess.BB_E1
    for text in ("e2e4", "e7e5", "e1e2"):
        ours.push_uci(text)
        theirs.push_uci(text)
        assert ours.castling_rights == theirs.castling_rights
    for count in range(3):
        assert ours.copy(stack=count).castling_rights == theirs.copy(stack=count).castling_rights
    assert ours.root().castling_rights == theirs.root().castling_rights
    while theirs.move_stack:
        assert ours.pop().uci() == theirs.pop().uci()
        assert ours.castling_rights == theirs.castling_rights


def test_pseudo_legal_moves_can_be_made() -> None:
    fen = "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1"
    ours, theirs = Board(fen), chess.Board(fen)
    made = 0
    for move in list(theirs.pseudo_legal_moves):
        ours.push(compat.Move.from_uci(move.uci()))
        theirs.push(move)
        assert (ours.fen(), ours.was_into_check()) == (theirs.fen(), theirs.was_into_check())
        assert ours.pop().uci() == theirs.pop().uci()
        made += not theirs.is_legal(move)
    assert made > 5
    ours.push(compat.Move.null())  # in check
    assert ours.turn == compat.BLACK
    with pytest.raises(compat.IllegalMoveError, match=r"^move: a1b2 is not pseudo-legal in"):
        Board(fen).push(compat.Move.from_uci("a1b2"))


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        (None, Status.EMPTY | Status.NO_WHITE_KING | Status.NO_BLACK_KING),
        ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", Status.PAWNS_ON_BACKRANK),
        ("4k3/8/8/8/PPPPPPPP/P7/8/4K3 w - - 0 1", Status.TOO_MANY_WHITE_PAWNS),
        ("4k3/p7/pppppppp/8/8/8/8/4K3 w - - 0 1", Status.TOO_MANY_BLACK_PAWNS),
        ("4k3/8/8/8/8/B7/BBBBBBBB/BBBBKBBB w - - 0 1", Status.TOO_MANY_WHITE_PIECES),
        ("bbbbkbbb/bbbbbbbb/b7/8/8/8/8/4K3 w - - 0 1", Status.TOO_MANY_BLACK_PIECES),
        ("8/8/8/8/8/8/4k3/4K3 w - - 0 1", Status.OPPOSITE_CHECK),
        ("3kk3/8/8/8/8/8/8/4K3 w - - 0 1", Status.TOO_MANY_KINGS),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", Status.INVALID_EP_SQUARE),
        ("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1", Status.BAD_CASTLING_RIGHTS),
        ("2rrk3/8/8/8/8/8/3PPPPP/2RK4 w cd - 0 1", Status.BAD_CASTLING_RIGHTS),
    ],
)
def test_faults(fen: str | None, expected: Status) -> None:
    assert Board(fen).status() == expected
    assert int(expected) == chess.Board(fen).status()
    assert not Board(fen).is_valid()


def test_flags_have_the_numbers_of_python_chess() -> None:
    assert {flag.name: int(flag) for flag in Status} == {flag.name: int(flag) for flag in chess.Status}
    for name in [name for name in dir(chess) if name.startswith("STATUS_")]:
        assert getattr(compat, name) == getattr(chess, name)


def test_boards_of_rookery_are_taken_over() -> None:
    plain = rookery.Board()
    plain.push_san("e4")
    ours = Board.from_rookery(plain)
    assert (ours, ours.move_stack) == (plain, plain.move_stack)
    assert isinstance(ours, rookery.Board)
    ours.push_san("e5")
    ours.set_piece_at(compat.A1, None)
    assert plain.move_stack == [compat.Move.from_uci("e2e4")]
    assert plain.piece_at(compat.A1) == "R"
    assert ours.to_chess() == chess.Board(ours.fen())
    with pytest.raises(TypeError, match=r"^board: .*: expected a rookery\.Board$"):
        Board.from_rookery(chess.Board())  # type: ignore[arg-type]


def test_sets_can_be_changed_and_masks_are_numbers() -> None:
    board, theirs = Board(), chess.Board()
    for name, arguments in (
        ("attacks", (compat.B1,)), ("attackers", (compat.WHITE, compat.F3)), ("checkers", ()),
        ("pieces", (compat.PAWN, compat.BLACK)), ("pin", (compat.WHITE, compat.D2)),
    ):  # fmt: skip
        squares = getattr(board, name)(*arguments)
        assert type(squares) is compat.SquareSet
        assert type(squares.__index__()) is int
        assert compat.popcount(squares & compat.BB_ALL) == len(squares)
        assert squares == int(getattr(theirs, name)(*arguments))
        assert int(getattr(board, f"{name}_mask")(*arguments)) == getattr(theirs, f"{name}_mask")(*arguments)
        squares.add(compat.A1)
        assert compat.A1 in squares


def test_pins_of_any_square() -> None:
    rng = random.Random(5)
    theirs = chess.Board()
    pinned = 0
    for _ in range(150):
        moves = list(theirs.legal_moves)
        if not moves:
            theirs.reset()
            continue
        theirs.push(rng.choice(moves))
        ours = Board(theirs.fen())
        for colour in chess.COLORS:
            for square in chess.SQUARES:
                assert ours.pin(colour, square) == int(theirs.pin(colour, square))
                assert ours.is_pinned(colour, square) == theirs.is_pinned(colour, square)
                pinned += theirs.is_pinned(colour, square) and theirs.color_at(square) != colour
    assert pinned > 10


def test_base_boards() -> None:
    ours, theirs = compat.BaseBoard(), chess.BaseBoard()
    assert ours.board_fen() == theirs.board_fen() == compat.STARTING_BOARD_FEN
    for number in range(0, 960, 7):
        assert (
            compat.BaseBoard.from_chess960_pos(number).board_fen()
            == chess.BaseBoard.from_chess960_pos(number).board_fen()
        )
    assert isinstance(Board(), compat.BaseBoard)
    ours.clear_board()
    assert ours == compat.BaseBoard.empty()
    assert ours != compat.BaseBoard()
    ours.reset_board()
    assert ours == compat.BaseBoard()
    turned = compat.BaseBoard("4k3/8/8/8/8/8/8/R3K3")
    assert turned.transform(compat.flip_vertical).board_fen() == "R3K3/8/8/8/8/8/8/4k3"
    assert turned.mirror().board_fen() == "r3k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        ("turn", "red", "turn: 'red'"), ("turn", 5, "turn: 5"), ("castling_rights", -1, "castling_rights: -1"),
        ("castling_rights", "K", "castling_rights: 'K'"), ("ep_square", 64, "ep_square: 64"),
        ("ep_square", 18, r"ep_square: 18 \(c3\): expected a square on rank 6$"),
        ("ep_square", "e6", "ep_square: 'e6'"),
        ("ep_square", -1, "ep_square: -1"), ("castling_rights", 1 << 64, "castling_rights: 18446744073709551616"),
    ],
)  # fmt: skip
def test_values_that_are_refused(name: str, value: Any, error: str) -> None:
    board = Board()
    with pytest.raises((TypeError, ValueError), match=f"^{error}"):
        setattr(board, name, value)
    assert board == Board()


def test_pieces_do_not_remember_that_they_were_pawns() -> None:
    with pytest.raises(ValueError, match=r"^promoted: True: expected False"):
        Board().set_piece_at(0, "Q", promoted=True)


def test_an_en_passant_square_is_one_that_the_other_side_has_jumped_over() -> None:
    board, theirs = Board(), chess.Board()
    for colour, rank in ((compat.WHITE, 5), (compat.BLACK, 2)):
        board.turn = theirs.turn = colour
        for square in compat.SQUARES:
            if square >> 3 == rank:
                board.ep_square = theirs.ep_square = square
                assert board.fen(en_passant="fen") == theirs.fen(en_passant="fen")
            else:
                with pytest.raises(ValueError, match=rf": expected a square on rank {rank + 1}$"):
                    board.ep_square = square
        board.ep_square = theirs.ep_square = None
        assert board.ep_square is None


@pytest.mark.parametrize("pieces", [
    "8/8/8/8/8/8/8/8", "r3k2r/8/8/8/8/8/8/R3K2R", "rr2k1rr/8/8/8/8/8/8/RR2K1RR", "r6r/8/8/8/8/8/8/R6R",
    "4kr2/8/8/8/8/8/8/4KR2", "2r1k3/8/8/8/8/8/8/2R1K3", "k6r/8/8/8/8/8/8/K6R", "r6k/8/8/8/8/8/8/R6K",
    "3rk3/8/8/8/8/8/8/3RK3", "4k3/r6r/8/8/8/8/R6R/4K3", "R3k3/8/8/8/8/8/8/4K2r",
])  # fmt: skip
@pytest.mark.parametrize("turn_", "wb")
def test_fens_name_rooks_or_corners(pieces: str, turn_: str) -> None:
    for castling in ("KQkq", "K", "Q", "k", "q", "HAha", "c", "F", "-"):
        fen = f"{pieces} {turn_} {castling} - 3 9"
        theirs = chess.Board(fen)
        back = {"Q": chess.WHITE, "q": chess.BLACK}
        if any(sign in castling and not theirs_rooks((Board(), theirs), colour) for sign, colour in back.items()):
            continue  # where no rook stands on the back rank, python-chess takes no notice of Q and q
        compare(Board(fen), theirs, fen)


@pytest.mark.parametrize("count", range(1, 7))
def test_fields_that_a_fen_leaves_out_are_those_of_an_empty_position(count: int) -> None:
    fen = " ".join("4k3/8/8/3pP3/8/8/8/4K2R b K - 7 30".split()[:count])
    compare(Board(fen), chess.Board(fen), fen)


@pytest.mark.parametrize(
    "fen", ["", " ", "8/8 w", "8/8/8/8/8/8/8/8 w - - 0 1 x", "8/8/8/8/8/8/8/8 w xK - 0 1", 5, None]
)
@pytest.mark.parametrize("strict", [False, True])
def test_what_is_not_a_fen_is_refused(fen: Any, strict: bool) -> None:
    board = Board()
    with pytest.raises((ValueError, TypeError), match=r"^FEN"):
        board.set_fen(fen, strict=strict)
    assert board == Board()


def test_a_strict_board_takes_only_positions_of_games() -> None:
    fen = "8/8/8/8/8/8/8/4K3 w - - 0 1"
    assert Board(fen).fen() == fen
    for make in (lambda: Board(fen, strict=True), lambda: Board().set_fen(fen, strict=True)):
        with pytest.raises(ValueError, match=rf"^FEN: '{fen}': black has no king, expected one$"):
            make()


def test_boards_are_of_classical_chess_by_default() -> None:
    fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"
    for chess960 in (False, True, None):
        ours, theirs = Board(fen, chess960=chess960), chess.Board(fen, chess960=bool(chess960))
        assert ours.chess960 is theirs.chess960 is bool(chess960)
        compare(ours, theirs, chess960)
        ours.set_fen(fen)
        assert ours.chess960 is bool(chess960)
        ours.set_fen(fen, chess960=True)
        assert ours.chess960 is True
    assert (Board().chess960, compat.BaseBoard().chess960, compat.BaseBoard.empty().chess960) == (False,) * 3
    assert compat.BaseBoard.empty(chess960=True).chess960 is True
    assert compat.BaseBoard.from_chess960_pos(518).chess960 is True


def test_copies_have_as_much_of_the_history_as_is_wanted() -> None:
    ours, theirs = Board(), chess.Board()
    for board in (ours, theirs):
        board.castling_rights = chess.BB_E1
        for text in ("e2e4", "e7e5", "g1f3"):
            board.push_uci(text)
    for stack in (True, False, 0, 1, 2, 3, 5):
        mine, other = ours.copy(stack=stack), theirs.copy(stack=stack)
        assert len(mine.move_stack) == len(other.move_stack)
        while mine.move_stack:
            assert (mine.pop().uci(), mine.castling_rights) == (other.pop().uci(), other.castling_rights)
    for board in (ours, theirs):  # between two moves
        board.pop()
        board.castling_rights = chess.BB_A8 | chess.BB_E1
        board.push_uci("b1c3")
        board.push_uci("g8f6")
    for stack in (True, 2, 3):
        mine, other = ours.copy(stack=stack), theirs.copy(stack=stack)
        assert [mine.pop().uci(), mine.pop().uci()] == [other.pop().uci(), other.pop().uci()] == ["g8f6", "b1c3"]
        assert mine.castling_rights == other.castling_rights
    assert Board().root()._named == Board().copy()._named == {}
    ours.clear()
    assert (ours.castling_rights, ours.fen()) == (0, "8/8/8/8/8/8/8/8 w - - 0 1")


def test_a_base_board_equals_one_with_the_same_pieces() -> None:
    assert compat.BaseBoard() == compat.BaseBoard()
    assert compat.BaseBoard() != compat.BaseBoard("8/8/8/8/8/8/8/8")
    assert (compat.BaseBoard() == 5, compat.BaseBoard() == "x") == (False, False)
    assert compat.BaseBoard(None) == compat.BaseBoard.empty()
    assert repr(compat.BaseBoard()) == repr(chess.BaseBoard())
    board = compat.BaseBoard()
    for change in (board.apply_mirror, lambda: board.apply_transform(compat.flip_horizontal)):
        change()
        assert board._history == []
    with pytest.raises(TypeError, match=r"^f: 5: expected a function of a board, such as flip_vertical$"):
        board.apply_transform(5)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"^f: -1 is outside"):
        board.apply_transform(lambda _: -1)
