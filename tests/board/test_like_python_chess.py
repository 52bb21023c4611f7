"""What has python-chess's name answers as it does: every such call, on positions of random games of both kinds."""

import copy
import inspect
import pickle
import random
import types
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import chess
import pytest

import rookery
from rookery.bitboards.colours import BLACK, WHITE
from rookery.board.board import Board
from rookery.board.moves import AmbiguousMoveError, IllegalMoveError, InvalidMoveError, Move


@cache
def pairs() -> list[tuple[Board, chess.Board]]:
    """Boards of both libraries after the same moves."""
    rng = random.Random(11)
    found: list[tuple[Board, chess.Board]] = []
    while len(found) < 400:
        theirs = chess.Board.from_chess960_pos(rng.randrange(960)) if rng.random() < 0.4 else chess.Board()
        while not theirs.is_game_over() and len(theirs.move_stack) < 150:
            moves = list(theirs.legal_moves)
            special = [m for m in moves if theirs.is_castling(m) or theirs.is_en_passant(m) or m.promotion]
            theirs.push(rng.choice(special if special and rng.random() < 0.3 else moves))
            if rng.random() < 0.06:
                found.append((Board.from_chess(theirs), theirs.copy()))
    return found


def letter(kind: int | None) -> str | None:
    return chess.piece_symbol(kind) if kind else None


def by_text(ours: Board, theirs: chess.Board) -> Iterator[tuple[Move, chess.Move]]:
    moves = {ours.uci(move): move for move in ours.legal_moves}
    for move in theirs.legal_moves:
        yield moves[theirs.uci(move)], move


def test_what_stands_where() -> None:
    for ours, theirs in pairs():
        for square in chess.SQUARES:
            piece = theirs.piece_at(square)
            assert ours.piece_at(square) == (piece.symbol() if piece else None)
            assert ours.piece_type_at(square) == theirs.piece_type_at(square)
            assert ours.kind_at(square) == letter(theirs.piece_type_at(square))
            assert ours.color_at(square) == theirs.color_at(square)
            assert ours.attacks(square) == int(theirs.attacks(square))
        mask = 0x00FF_F0F0_0F0F_FF00
        for some in (chess.BB_ALL, mask):
            expected = {square: piece.symbol() for square, piece in theirs.piece_map(mask=some).items()}
            assert ours.piece_map(mask=some) == expected
            assert list(ours.piece_map(mask=some)) == sorted(expected)
        for colour in chess.COLORS:
            assert ours.king(colour) == theirs.king(colour)
            assert ours.pieces_of(colour) == theirs.occupied_co[colour]
            for kind, our_kind in zip(chess.PIECE_TYPES, rookery.PIECE_TYPES, strict=True):
                assert ours.pieces(our_kind, colour) == int(theirs.pieces(kind, colour))
        for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied"):
            assert getattr(ours, name) == getattr(theirs, name)
        assert (ours.ply(), ours.board_fen(), str(ours)) == (theirs.ply(), theirs.board_fen(), str(theirs))


def test_drawings() -> None:
    for ours, theirs in pairs()[:40]:
        for invert in (False, True):
            for borders in (False, True):
                for orientation in chess.COLORS:
                    for sign in ("⭘", "."):
                        options: Any = {"invert_color": invert, "borders": borders, "empty_square": sign}
                        expected = theirs.unicode(orientation=orientation, **options)
                        assert ours.unicode(orientation=orientation, **options) == expected


def test_attacks_on_squares() -> None:
    rng = random.Random(3)
    for ours, theirs in pairs():
        for square in rng.sample(range(64), 12):
            occupied = theirs.occupied & rng.getrandbits(64)
            for colour in chess.COLORS:
                assert ours.is_attacked_by(colour, square) == theirs.is_attacked_by(colour, square)
                there = theirs.is_attacked_by(colour, square, occupied)
                assert ours.is_attacked_by(colour, square, occupied) == there
        for colour in chess.COLORS:
            for square in chess.SquareSet(theirs.occupied_co[colour]):
                assert ours.pin(colour, square) == int(theirs.pin(colour, square))
                assert ours.is_pinned(colour, square) == theirs.is_pinned(colour, square)
            for square in chess.SquareSet(~theirs.occupied_co[colour] & chess.BB_ALL):
                assert ours.pin(colour, square) == chess.BB_ALL
                assert not ours.is_pinned(colour, square)


def test_rights() -> None:
    for ours, theirs in pairs():
        for colour in chess.COLORS:
            assert ours.has_castling_rights(colour) == theirs.has_castling_rights(colour)
            assert ours.has_kingside_castling_rights(colour) == theirs.has_kingside_castling_rights(colour)
            assert ours.has_queenside_castling_rights(colour) == theirs.has_queenside_castling_rights(colour)
        assert ours.has_chess960_castling_rights() == theirs.has_chess960_castling_rights()
        assert ours.castling_rights == theirs.clean_castling_rights()
        again = Board(ours.fen(), ours.chess960)
        again.set_castling_fen("-")
        assert not again.castling_rights
        again.set_castling_fen(theirs.castling_shredder_fen())
        assert again.castling_rights == theirs.clean_castling_rights()


@pytest.mark.parametrize("field", ["AH", "A", "KQ", "-"])
def test_castling_rights_by_files_do_not_make_a_board_chess960(field: str) -> None:
    ours, theirs = Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), chess.Board("4k3/8/8/8/8/8/8/R3K2R w - - 0 1")
    ours.set_castling_fen(field)
    theirs.set_castling_fen(field)
    assert sorted(map(ours.uci, ours.legal_moves)) == sorted(map(theirs.uci, theirs.legal_moves))
    assert not ours.chess960
    only_chess960 = Board("4k3/8/8/8/8/8/8/1R2K2R w - - 0 1")
    only_chess960.set_castling_fen("B")
    assert only_chess960.chess960


def test_kinds_of_moves() -> None:
    for ours, theirs in pairs():
        for move, peer in by_text(ours, theirs):
            requested: list[str] = [
                "is_capture", "is_castling", "is_en_passant", "is_kingside_castling", "is_queenside_castling",
                "is_zeroing", "is_irreversible", "is_legal", "gives_check", "san", "lan",
            ]  # fmt: skip
            plain = Move.from_uci(peer.uci())  # without the note that it castles or takes in passing
            for name in requested:
                expected = getattr(theirs, name)(peer)
                assert getattr(ours, name)(move) == expected, (name, peer)
                assert getattr(ours, name)(plain) == expected, (name, peer)
                assert getattr(ours, name)(int(move)) == expected, (name, peer)
            assert ours.uci(move) == theirs.uci(peer)
            for chess960 in (False, True):
                if chess960 or move.from_square in (chess.E1, chess.E8):  # elsewhere theirs keeps to the rook's square
                    assert ours.uci(move, chess960=chess960) == theirs.uci(peer, chess960=chess960)
            assert plain in ours.legal_moves
            assert peer.uci() in ours.legal_moves
            found = ours.find_move(peer.from_square, peer.to_square, letter(peer.promotion))
            assert found == move == ours.find_move(peer.from_square, peer.to_square, peer.promotion)
            assert found.promotion == peer.promotion
            ours.push(plain)
            assert ours.peek() is move
            ours.pop()


def test_squares_and_promotions_that_are_no_moves() -> None:
    for ours, theirs in pairs()[:20:4]:
        legal = {move.uci() for move in theirs.legal_moves}
        for source in chess.SQUARES:
            for target in chess.SQUARES:
                if source == target:
                    continue  # python-chess knows no such move
                text = chess.square_name(source) + chess.square_name(target)
                try:
                    there = theirs.parse_uci(text)
                except ValueError:
                    there = None
                # In Chess960 castling is read as the king's two steps, too, where he has no such step.
                if there is not None:
                    assert text in ours.legal_moves
                elif text in ours.legal_moves:
                    assert ours.chess960
                    assert ours.is_castling(ours.parse_uci(text))
                promoted = Move.of(source, target, promotion="r")
                assert ours.is_legal(promoted) == (f"{text}r" in legal)


@pytest.mark.parametrize("seed", range(3))
def test_lists_with_masks(seed: int) -> None:
    rng = random.Random(seed)
    for ours, theirs in pairs():
        for masks in ((), (rng.getrandbits(64), rng.getrandbits(64)), (rng.getrandbits(64),)):
            for name in ("generate_legal_moves", "generate_legal_captures", "generate_legal_ep"):
                here = sorted(move.uci() for move in getattr(ours, name)(*masks))
                assert here == sorted(move.uci() for move in getattr(theirs, name)(*masks)), name
            here = sorted(map(ours.uci, ours.generate_castling_moves(*masks)))
            assert here == sorted(map(theirs.uci, theirs.generate_castling_moves(*masks)))


def test_lines_and_stacks() -> None:
    for ours, theirs in pairs():
        assert ours.root() == Board(theirs.root().fen(en_passant="fen", shredder=ours.chess960), ours.chess960)
        assert ours.root().move_stack == []
        for stack in (True, False, 1, 3, 1000):
            short = theirs.copy(stack=stack)
            copied = ours.copy(stack=stack)
            assert copied == ours
            assert [m.uci() for m in copied.move_stack] == [m.uci() for m in short.move_stack]
            while copied.move_stack:
                copied.pop()
                short.pop()
            assert copied.fen() == short.fen()
        line: list[chess.Move] = []
        after = theirs.copy(stack=False)
        for _ in range(4):
            if after.is_game_over():
                break
            line.append(next(iter(after.legal_moves)))
            after.push(line[-1])
        if line:
            plain = [Move.from_uci(move.uci()) for move in line]
            assert ours.variation_san(plain) == theirs.variation_san(line)
            mine = ours.copy()
            assert mine.san_and_push(plain[0]) == theirs.san(line[0])
            mine.clear_stack()
            assert mine.move_stack == []
            with pytest.raises(IndexError):
                mine.pop()


def test_claims() -> None:
    """Kings and rooks going back and forth."""
    rng = random.Random(5)
    claims = 0
    for _ in range(25):
        theirs = chess.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 92 80")
        for _ in range(14):
            ours = Board.from_chess(theirs)
            for name in ("can_claim_draw", "can_claim_fifty_moves", "can_claim_threefold_repetition"):
                expected = getattr(theirs, name)()
                assert getattr(ours, name)() == expected, (name, theirs)
                claims += expected
            quiet = [m for m in theirs.legal_moves if m.from_square in (0, 60) or m.to_square in (0, 60)]
            theirs.push(rng.choice(quiet or list(theirs.legal_moves)))
    assert claims > 100


def test_start_positions() -> None:
    for number in range(960):
        theirs = chess.Board.from_chess960_pos(number)
        ours = Board.from_chess960_pos(number)
        assert ours.fen() == theirs.fen()
        assert ours.chess960_pos() == theirs.chess960_pos() == number
    board = Board()
    assert board.chess960_pos() == 518
    board.set_chess960_pos(0)
    assert (board.chess960, board.chess960_pos()) == (True, 0)
    board.push_san("e4")
    assert board.chess960_pos(ignore_turn=True) is None
    board.reset()
    assert board == Board()
    for start in (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b Kq - 3 7",
        chess.STARTING_FEN,
        "4k3/8/8/8/8/8/8/4K3 w",
    ):
        fen = start if start.count(" ") > 1 else f"{start} - - 0 1"
        ours, theirs = Board(fen), chess.Board(fen)
        for turn in (False, True):
            for castling in (False, True):
                for counters in (False, True):
                    options: Any = {"ignore_turn": turn, "ignore_castling": castling, "ignore_counters": counters}
                    assert ours.chess960_pos(**options) == theirs.chess960_pos(**options)
    for wrong in (-1, 960, True, "0", 1.0):
        with pytest.raises(ValueError, match=r"^scharnagl: .*: expected an int from 0 to 959"):
            Board.from_chess960_pos(wrong)  # type: ignore[arg-type]


def test_pieces_set_up() -> None:
    for ours, theirs in pairs():
        for board, fen in ((Board(), "map"), (Board(ours.fen(), ours.chess960), "fen")):
            if fen == "map":
                board.set_piece_map(ours.piece_map())
            else:
                board.clear()
                assert board == Board.empty(chess960=board.chess960)
                board.set_board_fen(theirs.board_fen())
            assert board.board_fen() == theirs.board_fen()
            assert board.move_stack == []
    board = Board()
    board.set_board_fen("4k3/8/8/8/8/8/8/R3K2R")
    assert board.fen() == "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
    board.set_piece_map({})
    assert board.fen() == "8/8/8/8/8/8/8/8 w - - 0 1"
    assert Board.empty(chess960=True).chess960


def test_pieces_are_letters_and_more() -> None:
    for sign in "PNBRQKpnbrqk":
        piece, there = rookery.Piece.from_symbol(sign), chess.Piece.from_symbol(sign)
        assert piece == sign == piece.symbol() == str(piece) == there.symbol()
        assert hash(piece) == hash(sign)
        assert (piece.piece_type, piece.color) == (there.piece_type, there.color)
        assert rookery.Piece(piece.piece_type, piece.color) is piece
        for invert in (False, True):
            assert piece.unicode_symbol(invert_color=invert) == there.unicode_symbol(invert_color=invert)
    for wrong in ("", "x", "PN", "pn", None, 5):
        with pytest.raises(ValueError, match=r"^piece: .*: expected one of PNBRQKpnbrqk"):
            rookery.Piece.from_symbol(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("sign", "PNBRQKpnbrqk")
def test_pieces_do_not_change_and_are_shared(sign: str) -> None:
    piece = rookery.Piece.from_symbol(sign)
    for name in ("piece_type", "color"):
        assert isinstance(inspect.getattr_static(rookery.Piece, name), types.MemberDescriptorType), "a slot"
        value = getattr(piece, name)
        with pytest.raises(AttributeError, match=f"^{name}: a piece does not change"):
            setattr(piece, name, value)
        with pytest.raises(AttributeError, match=f"^{name}: a piece does not change"):
            delattr(piece, name)
        assert getattr(piece, name) == value
    with pytest.raises(AttributeError):
        piece.weight = 1
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(piece, protocol)) is piece
    assert copy.copy(piece) is copy.deepcopy(piece) is piece


# What is refused.

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    ("ask", "error"),
    [
        (lambda board: board.parse_uci("e9"), InvalidMoveError),
        (lambda board: board.parse_uci("e2e5"), IllegalMoveError),
        (lambda board: board.parse_san("Xe4"), InvalidMoveError),
        (lambda board: board.parse_san("Nh8"), IllegalMoveError),
        (lambda board: board.push(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.san(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.lan(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.gives_check(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.check_after(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.see(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.is_irreversible(Move.of(0, 9)), IllegalMoveError),
        (lambda board: board.find_move(0, 9), IllegalMoveError),
        (lambda board: board.variation_san([Move.of(0, 9)]), IllegalMoveError),
        (lambda board: Board("4k3/8/8/8/8/8/8/1N1K1N2 w - - 0 1").parse_san("Nd2"), AmbiguousMoveError),
        (lambda board: Move(1 << 16), InvalidMoveError),
        (lambda board: Move.from_uci("Nf3"), InvalidMoveError),
        (lambda board: "Nf3" in board.legal_moves, InvalidMoveError),
        (lambda board: board.push(1 << 16), InvalidMoveError),
    ],
)
def test_errors_have_python_chess_s_names(ask: Callable[[Board], object], error: type[ValueError]) -> None:
    board = Board(KIWIPETE)
    with pytest.raises(error):
        ask(board)
    assert board == Board(KIWIPETE)


NO_MOVES: list[Any] = ["5", "e2e4", None, 1.5, True, [12, 28], chess.Move.from_uci("e2e4")]


@pytest.mark.parametrize("move", NO_MOVES, ids=repr)
def test_what_is_no_move(move: Any) -> None:
    board = Board()
    requested: list[Callable[[Any], object]] = [
        board.push, board.san, board.lan, board.uci, board.gives_check, board.check_after, board.is_legal, board.see,
        board.is_capture, board.is_castling, board.is_en_passant, board.is_kingside_castling, board.is_zeroing,
        board.is_queenside_castling, board.is_irreversible, board.san_and_push,
        lambda m: board.variation_san([m]),
    ]  # fmt: skip
    if not isinstance(move, str):
        requested.append(lambda m: m in board.legal_moves)
    for ask in requested:
        with pytest.raises(TypeError, match=r"^(move|variation\[0\]): .*: expected a Move"):
            ask(move)


def test_a_word_is_a_move() -> None:
    board = Board()
    assert (board.uci(1804), board.san(1804), board.lan(1804)) == ("e2e4", "e4", "e2-e4")
    assert not board.is_capture(1804)
    assert not board.gives_check(1804)
    assert board.is_zeroing(1804)
    assert 1804 in board.legal_moves
    assert board.see(1804) == 0


@pytest.mark.parametrize("square", [-1, 64, 255, 1 << 70, "e4", None, True, 3.0])
def test_what_is_no_square(square: Any) -> None:
    board = Board()
    requested: list[Callable[[Any], object]] = [
        board.kind_at, board.piece_type_at, board.piece_at, board.color_at, board.attacks, board.remove_piece_at,
        lambda s: board.set_piece_at(s, "Q"), lambda s: board.attackers(WHITE, s), lambda s: board.pin(WHITE, s),
        lambda s: board.is_pinned(BLACK, s), lambda s: board.is_attacked_by(BLACK, s), board.xray_attacks,
        lambda s: board.find_move(s, 0), lambda s: board.find_move(0, s), lambda s: board.set_piece_map({s: "Q"}),
        rookery.square_name, lambda s: Move.of(s, 0),
    ]  # fmt: skip
    for ask in requested:
        with pytest.raises(
            (TypeError, ValueError),
            match=r"^((from_|to_)?square|pieces): .*: expected|^((from_|to_)?square|pieces): .* off",
        ):
            ask(square)
    assert board == Board()


def test_other_things_that_are_refused() -> None:
    board: Any = Board()
    for kind in ("x", "pawns", "", 0, 7, True, None, ["p"]):
        with pytest.raises((TypeError, ValueError), match=r"^kind: .*: expected PAWN \(1\)"):
            board.pieces(kind, WHITE)
    for stack in (-1, 1.5, "all", None):
        with pytest.raises(ValueError, match=r"^stack: .*: expected True, False or a number of moves"):
            board.copy(stack=stack)
    for piece in ("x", "", "QQ", 5, ["Q"]):
        with pytest.raises(ValueError, match=r"^piece: .*: expected one of PNBRQK"):
            board.set_piece_at(0, piece)
    for mask in (-1, 1 << 64, "e4", 1.0):
        with pytest.raises((TypeError, ValueError), match=r"^(from_mask|to_mask|mask): "):
            board.generate_legal_moves(mask)
        with pytest.raises((TypeError, ValueError), match=r"^(from_mask|to_mask|mask): "):
            board.piece_map(mask=mask)
    for text in ("", "4k3/8/8/8/8/8/8/4K3 w", 5, None, "8/8"):
        with pytest.raises(ValueError, match=r"^FEN field 1 \(pieces\)"):
            board.set_board_fen(text)
    for text in ("", "K Q", 5, None, "X", "KK"):
        with pytest.raises(ValueError, match=r"^FEN field 3 \(castling\)"):
            board.set_castling_fen(text)
    with pytest.raises(TypeError, match="count"):
        board.is_repetition("3")
    with pytest.raises(ValueError, match="promotion: 'k'"):
        board.find_move(48, 56, "k")
    assert board == Board()


LONG = "x" * 10_000_000


def test_errors_about_long_texts_are_short() -> None:
    board: Any = Board()
    requested: list[Callable[[], object]] = [
        lambda: board.parse_san(LONG), lambda: board.parse_uci(LONG), lambda: LONG in board.legal_moves,
        lambda: Move.from_uci(LONG), lambda: board.push(LONG), lambda: Move(LONG),  # type: ignore[arg-type]
        lambda: board.pieces_of(LONG), lambda: board.pieces(LONG, WHITE), lambda: board.set_piece_at(0, LONG),
        lambda: board.set_castling_fen(LONG), lambda: board.piece_at(LONG),
        lambda: rookery.parse_square(LONG), lambda: rookery.convert_square(0, LONG, LONG), lambda: Board.from_epd(LONG),
        lambda: rookery.Piece.from_symbol(LONG), lambda: rookery.pawn_attacks(LONG, 0), lambda: board.copy(stack=LONG),  # type: ignore[call-overload]
        lambda: board.attackers(WHITE, 0, LONG), lambda: rookery.progressive_mobility(LONG, 0, 0),  # type: ignore[arg-type]
        lambda: rookery.king_attacks(LONG), lambda: rookery.convert_board(LONG, *["rank-little-little"] * 2),  # type: ignore[arg-type]
        lambda: board.parse_san(LONG.encode()), lambda: board.push(10**100_000), lambda: board.piece_at(10**100_000),
        lambda: rookery.rook_attacks(LONG, 0), lambda: rookery.rook_attacks(0, 10**100_000),  # type: ignore[arg-type]
        lambda: board.fen(en_passant=LONG), lambda: rookery.Bitboard(10**100_000), lambda: rookery.fill(LONG, 0, 0),  # type: ignore[call-overload]
        lambda: rookery.Bitboard(LONG), lambda: rookery.Bitboard.parse("\n".join([LONG] * 8)),  # type: ignore[arg-type]
        lambda: rookery.technique("pext").ask(LONG, 0, 0),
    ]  # fmt: skip
    for ask in requested:
        with pytest.raises((TypeError, ValueError)) as error:
            ask()
        assert len(str(error.value)) < 300


def test_a_side_without_a_king_is_not_stalemated() -> None:
    empty = Board.empty()
    assert not empty.is_stalemate()
    assert not empty.is_checkmate()
    outcome = empty.outcome()
    assert outcome is not None
    assert outcome.termination == "insufficient material"
    pawns = Board.unchecked("4k3/8/8/8/p7/P7/8/8 w - - 0 1")
    assert not pawns.legal_moves
    assert not pawns.is_stalemate()
    assert pawns.outcome() is None
    assert Board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1").is_stalemate()
