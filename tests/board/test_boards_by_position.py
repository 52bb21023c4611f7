"""Every question about a few boards, each answered as python-chess does: fast also in plain Python."""

from typing import Any, Final

import chess
import pytest

from rookery import Board, Move
from rookery.board.moves import IllegalMoveError
from rookery.board.rows import unpack

FENS: Final = {
    "start": chess.STARTING_FEN,
    "middle": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 5 12",
    "black": "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 99 80",
    "en passant": "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
    "en passant, black": "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
    "en passant, pinned": "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "en passant, useless": "4k3/8/8/3pP3/8/8/8/4K3 b - - 4 9",
    "promotions": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "promotions, white": "3rk3/2P5/8/8/8/8/8/4K3 w - - 7 31",
    "check": "4k3/8/8/8/8/8/4r3/R3K2R w KQ - 1 1",
    "double check": "4k3/8/3N4/8/8/8/8/4R1K1 b - - 0 1",
    "mate": "R5k1/5ppp/8/8/8/8/8/4K3 b - - 3 40",
    "stalemate": "k7/2Q5/8/8/8/8/8/4K3 b - - 0 1",
    "rights": "r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1",
    "bare": "4k3/8/8/8/8/8/8/4K3 w - - 99 120",
    "bishop": "4k3/8/8/8/8/8/8/2B1K3 b - - 150 120",
    "pins": "4k3/4r3/8/b7/8/2N5/4N3/3RK2r w - - 0 1",
}
PIECES: Final = ("pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied")


@pytest.fixture(params=FENS)
def pair(request: pytest.FixtureRequest) -> tuple[Board, chess.Board]:
    fen = FENS[request.param]
    return Board(fen), chess.Board(fen)


def test_pieces_and_counters(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    assert [int(getattr(ours, name)) for name in PIECES] == [getattr(theirs, name) for name in PIECES]
    for colour in (True, False):
        assert ours.pieces_of(colour) == theirs.occupied_co[colour]
        assert ours.king(colour) == theirs.king(colour)
        for kind in range(1, 7):
            assert ours.pieces(kind, colour) == int(theirs.pieces(kind, colour))
            assert ours.pieces("pnbrqk"[kind - 1], ("black", "white")[colour]) == int(theirs.pieces(kind, colour))
        assert ours.has_castling_rights(colour) == theirs.has_castling_rights(colour)
        assert ours.has_kingside_castling_rights(colour) == theirs.has_kingside_castling_rights(colour)
        assert ours.has_queenside_castling_rights(colour) == theirs.has_queenside_castling_rights(colour)
        assert ours.has_insufficient_material(colour) == theirs.has_insufficient_material(colour)
    assert ours.castling_rights == theirs.castling_rights
    assert (ours.turn, ours.ep_square) == (theirs.turn, theirs.ep_square)
    assert (ours.halfmove_clock, ours.fullmove_number, ours.ply()) == (
        theirs.halfmove_clock,
        theirs.fullmove_number,
        theirs.ply(),
    )
    assert ours.has_legal_en_passant() == theirs.has_legal_en_passant()
    assert not ours.has_chess960_castling_rights()
    expected = {square: piece.symbol() for square, piece in theirs.piece_map().items()}
    assert ours.piece_map() == dict(sorted(expected.items()))
    assert ours.piece_map(mask=0xFFFF) == {square: sign for square, sign in sorted(expected.items()) if square < 16}


def test_squares(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    for square in range(64):
        piece = theirs.piece_at(square)
        assert ours.piece_at(square) == (piece.symbol() if piece else None)
        assert ours.kind_at(square) == (piece.symbol().lower() if piece else None)
        assert ours.piece_type_at(square) == theirs.piece_type_at(square)
        assert ours.color_at(square) == theirs.color_at(square)
        assert ours.attacks(square) == int(theirs.attacks(square))
        for colour in (True, False):
            assert ours.attackers(colour, square) == int(theirs.attackers(colour, square))
            assert ours.attackers(colour, square, 0xFF00) == int(theirs.attackers(colour, square, 0xFF00))
            assert ours.is_attacked_by(colour, square) == theirs.is_attacked_by(colour, square)
            if theirs.king(colour) is not None and theirs.color_at(square) == colour:
                assert ours.is_pinned(colour, square) == theirs.is_pinned(colour, square)
                assert ours.pin(colour, square) == int(theirs.pin(colour, square))
    assert ours.checkers() == int(theirs.checkers())
    assert ours.is_check() == theirs.is_check()


def same_moves(ours: list[Move], theirs: Any) -> bool:
    return sorted(move.uci() for move in ours) == sorted(move.uci() for move in theirs)


def test_lists_of_moves(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    n = theirs.legal_moves.count()
    assert ours.count_legal_moves() == ours.legal_moves.count() == len(ours.legal_moves) == n
    assert bool(ours.legal_moves) == (n > 0)
    assert same_moves(list(ours.legal_moves), theirs.legal_moves)
    half = 0xFFFFFFFF
    for masks in ((half, half ^ (1 << 64) - 1), (theirs.knights | theirs.kings,), (half,)):
        assert same_moves(ours.generate_legal_moves(*masks), theirs.generate_legal_moves(*masks))
        assert same_moves(ours.generate_legal_captures(*masks), theirs.generate_legal_captures(*masks))
        assert same_moves(ours.generate_legal_ep(*masks), theirs.generate_legal_ep(*masks))
        assert same_moves(ours.generate_castling_moves(*masks), theirs.generate_castling_moves(*masks))
    legal = list(theirs.legal_moves)
    noisy = [move for move in legal if theirs.is_capture(move) or move.promotion]
    assert same_moves(ours.generate_captures(), noisy)
    assert same_moves(ours.generate_legal_captures(), theirs.generate_legal_captures())
    assert same_moves(ours.generate_quiet_moves(), [move for move in legal if move not in noisy])
    assert same_moves(ours.generate_evasions(), legal if theirs.is_check() else [])
    assert same_moves(ours.generate_checks(), [move for move in legal if theirs.gives_check(move)])
    values = {None: 0} | {kind: kind for kind in range(1, 7)}

    def order(move: Move) -> tuple[int, int]:
        victim = values[theirs.piece_type_at(move.to_square)]
        if theirs.is_en_passant(chess.Move.from_uci(move.uci())):
            victim = 1
        return -(victim + (move.promotion or 1) - 1), values[theirs.piece_type_at(move.from_square)]

    keys = list(map(order, ours.generate_captures()))
    assert keys == sorted(keys)


def test_what_moves_do(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    for move in list(theirs.legal_moves)[::5]:
        mine = Move.from_uci(move.uci())
        assert ours.is_legal(mine)
        assert mine in ours.legal_moves
        assert move.uci() in ours.legal_moves
        assert ours.is_capture(mine) == theirs.is_capture(move)
        assert ours.is_en_passant(mine) == theirs.is_en_passant(move)
        assert ours.is_castling(mine) == theirs.is_castling(move)
        assert ours.is_kingside_castling(mine) == theirs.is_kingside_castling(move)
        assert ours.is_queenside_castling(mine) == theirs.is_queenside_castling(move)
        assert ours.is_zeroing(mine) == theirs.is_zeroing(move)
        assert ours.is_irreversible(mine) == theirs.is_irreversible(move)
        assert ours.gives_check(mine) == theirs.gives_check(move)
        assert (ours.san(mine), ours.lan(mine), ours.uci(mine)) == (
            theirs.san(move),
            theirs.lan(move),
            theirs.uci(move),
        )
        assert ours.uci(mine, chess960=True) == theirs.uci(move, chess960=True)
        assert ours.parse_san(theirs.san(move)) is mine
        assert ours.parse_uci(move.uci()) is mine
        assert Move.from_word(ours.move_word(mine)) is mine
        assert ours.find_move(move.from_square, move.to_square, move.promotion) is mine
        san = theirs.san(move)
        assert ours.check_after(mine) == {"+": 1, "#": 2}.get(san[-1], 0)
        ours.push(mine)
        theirs.push(move)
        assert ours.fen() == theirs.fen()
        assert ours.fen(en_passant="fen") == theirs.fen(en_passant="fen")
        assert ours.peek() is mine
        assert ours.move_stack == [mine]
        assert unpack(ours._row)[13] >> 14 == ours_kind(theirs, move)
        assert ours.pop() is mine
        theirs.pop()
        assert ours.fen() == theirs.fen()
        assert ours.move_stack == []


def ours_kind(after: chess.Board, move: chess.Move) -> int:
    """Return the kind of the last move, as words have it."""
    before = after.copy()
    before.pop()
    if move.promotion:
        return 1
    return 2 if before.is_en_passant(move) else 3 if before.is_castling(move) else 0


@pytest.mark.parametrize("uci", ["e1e2", "e2e4", "a1a8", "e8g8", "d5e6"])
def test_moves_that_are_not_legal(uci: str, pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    move = Move.from_uci(uci)
    is_legal = chess.Move.from_uci(uci) in theirs.legal_moves
    assert ours.is_legal(move) == is_legal
    assert (uci in ours.legal_moves) == is_legal
    if not is_legal:
        with pytest.raises(IllegalMoveError, match=f"^move: {uci} is not legal in "):
            ours.push(move)
        with pytest.raises(IllegalMoveError, match=f"^UCI move: '{uci}' is not legal in "):
            ours.parse_uci(uci)


def test_ends(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    for name in (
        "is_checkmate",
        "is_stalemate",
        "is_insufficient_material",
        "is_fifty_moves",
        "is_seventyfive_moves",
        "is_fivefold_repetition",
        "can_claim_draw",
        "can_claim_fifty_moves",
        "can_claim_threefold_repetition",
        "is_game_over",
        "result",
        "is_valid",
    ):
        assert getattr(ours, name)() == getattr(theirs, name)(), name
    for claim in (False, True):
        assert ours.is_game_over(claim_draw=claim) == theirs.is_game_over(claim_draw=claim)
        assert ours.result(claim_draw=claim) == theirs.result(claim_draw=claim)
        outcome, expected = ours.outcome(claim_draw=claim), theirs.outcome(claim_draw=claim)
        assert (outcome is None) == (expected is None)
        if outcome is not None and expected is not None:
            assert outcome.termination.name == expected.termination.name
            assert (outcome.winner, outcome.result()) == (expected.winner, expected.result())


@pytest.mark.parametrize("clock", [98, 99, 100, 101, 149, 150, 151])
@pytest.mark.parametrize(
    "pieces",
    ["4k3/8/8/8/8/8/8/R3K3 w", "R5k1/5ppp/8/8/8/8/8/4K3 b", "7k/5Q2/8/6p1/8/8/8/K7 b"],
)
def test_clocks(pieces: str, clock: int) -> None:
    ours, theirs = Board(f"{pieces} - - {clock} 90"), chess.Board(f"{pieces} - - {clock} 90")
    for name in ("is_fifty_moves", "is_seventyfive_moves", "can_claim_fifty_moves", "can_claim_draw", "result"):
        assert getattr(ours, name)() == getattr(theirs, name)(), name
    for claim in (False, True):
        outcome, expected = ours.outcome(claim_draw=claim), theirs.outcome(claim_draw=claim)
        names = [one and one.termination.name for one in (outcome, expected)]
        assert names[0] == names[1]


def test_repetitions() -> None:
    ours, theirs = Board(), chess.Board()
    for i in range(18):
        move = ("g1f3", "g8f6", "f3g1", "f6g8")[i % 4]
        ours.push_uci(move)
        theirs.push_uci(move)
        assert ours.repetitions() == (i + 1) // 4 + 1
        for count in range(1, 6):
            assert ours.is_repetition(count) == theirs.is_repetition(count)
        assert ours.is_repetition() == theirs.is_repetition()
        assert ours.is_fivefold_repetition() == theirs.is_fivefold_repetition()
        assert ours.can_claim_threefold_repetition() == theirs.can_claim_threefold_repetition()
        assert ours.can_claim_draw() == theirs.can_claim_draw()
        assert ours.result() == theirs.result()
        assert ours.result(claim_draw=True) == theirs.result(claim_draw=True)
    with pytest.raises(TypeError, match=r"^count: 'x': expected an int$"):
        ours.is_repetition("x")  # type: ignore[arg-type]


def test_null_moves(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    null = Move.null()
    assert not ours.is_legal(null)
    assert not ours.is_capture(null)
    assert not ours.is_zeroing(null)
    if theirs.is_check():
        with pytest.raises(IllegalMoveError, match=r"^null move: the king is in check$"):
            ours.push(null)
        return
    assert ours.is_irreversible(null) == theirs.has_legal_en_passant()
    assert not ours.gives_check(null)
    assert (ours.san(null), ours.uci(null), ours.xboard(null), ours.move_word(null)) == ("--", "0000", "@@@@", 0)
    ours.push(null)
    theirs.push(chess.Move.null())
    assert ours.fen() == theirs.fen()
    assert ours.pop() is null


def test_copies() -> None:
    board = Board()
    for uci in ("e2e4", "e7e5", "g1f3"):
        board.push_uci(uci)
    moves = board.move_stack
    for stack, kept in ((True, 3), (False, 0), (0, 0), (1, 1), (2, 2), (3, 3), (9, 3)):
        copied = board.copy(stack=stack)
        assert copied.move_stack == moves[3 - kept :]
        assert copied == board
    wrong: list[Any] = [-1, "x", 1.5, None]
    for stack in wrong:
        with pytest.raises(ValueError, match=r"^stack: .*: expected True, False or a number of moves$"):
            board.copy(stack=stack)
    assert board.root() == Board()
    assert board.root().move_stack == []
    assert board.copy(stack=1).root().fen() == "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    board.clear_stack()
    for take in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no move has been made"):
            take()


def test_mirrors_and_conversions(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    assert ours.mirror().fen() == theirs.mirror().fen()
    assert Board.from_chess(theirs) == ours
    assert ours.to_chess() == theirs
    assert ours.to_chess().fen(en_passant="fen") == theirs.fen(en_passant="fen")
    import chess.polyglot

    assert ours.polyglot_key == chess.polyglot.zobrist_hash(theirs)
    counters: dict[str, Any] = {"halfmove_clock": ours.halfmove_clock, "fullmove_number": ours.fullmove_number}
    same = Board.from_words(ours.words().tolist(), **counters)
    assert same == ours
    assert same.key == ours.key
    assert ours.key != ours.mirror().key


def test_texts(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    forms: tuple[Any, ...] = ("legal", "fen", "xfen")
    for en_passant in forms:
        assert ours.fen(en_passant=en_passant) == theirs.fen(en_passant=en_passant)
        assert ours.shredder_fen(en_passant=en_passant) == theirs.fen(shredder=True, en_passant=en_passant)
        assert ours.epd(en_passant=en_passant) == theirs.epd(en_passant=en_passant)
    assert ours.board_fen() == theirs.board_fen()
    assert str(ours) == str(theirs)
    assert ours.unicode() == theirs.unicode()
    assert ours.unicode(invert_color=True, borders=True) == theirs.unicode(invert_color=True, borders=True)


def test_equality() -> None:
    board = Board(FENS["middle"])
    for field, other in ((4, "6"), (5, "13"), (2, "KQk"), (1, "b")):
        fields = FENS["middle"].split()
        fields[field] = other
        assert Board(" ".join(fields)) != board
    assert Board(FENS["en passant, pinned"]) == Board(FENS["en passant, pinned"].replace("d3", "-"))
    assert Board(FENS["en passant"]) != Board(FENS["en passant"].replace("d6", "-"))
    assert board.__eq__(5) is NotImplemented


def test_pieces_that_are_put(pair: tuple[Board, chess.Board]) -> None:
    ours, theirs = pair
    for square, sign in ((27, "Q"), (36, "n"), (20, None)):
        piece = chess.Piece.from_symbol(sign) if sign else None
        if theirs.piece_type_at(square) != chess.KING:
            ours.set_piece_at(square, sign)
            theirs.set_piece_at(square, piece)
            assert ours.board_fen() == theirs.board_fen()
    assert ours.move_stack == []
    found = theirs.remove_piece_at(0)
    kind = ours.remove_piece_at(0)
    assert kind == (found.symbol() if found else None)
    assert ours.castling_rights == theirs.clean_castling_rights()
    pieces = {square: piece.symbol() for square, piece in theirs.piece_map().items()}
    other = Board.empty()
    other.set_piece_map(pieces)
    assert other.board_fen() == theirs.board_fen()


def test_lines_of_moves() -> None:
    ours, theirs = Board(), chess.Board()
    line = ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "e1g1"]
    moves, theirs_line = [Move.from_uci(uci) for uci in line], [chess.Move.from_uci(uci) for uci in line]
    assert ours.variation_san(moves) == theirs.variation_san(theirs_line)
    ours.push(moves[0])
    theirs.push(theirs_line[0])
    assert ours.variation_san(moves[1:]) == theirs.variation_san(theirs_line[1:])
    assert ours.variation_san([]) == ""
    assert ours.san_and_push(moves[1]) == "e5"
    with pytest.raises(IllegalMoveError, match=r"^variation\[1\]: illegal move e2e4 in "):
        ours.variation_san([moves[2], moves[0]])
    castling = Board("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1")
    for uci, kingside in (("e1g1", "O-O"), ("e1c1", "O-O-O")):
        move = Move.from_uci(uci)
        assert castling.xboard(move) == uci
        assert castling.xboard(move, True) == kingside
        assert castling.parse_xboard(uci) is move
        assert castling.parse_uci({"e1g1": "e1h1", "e1c1": "e1a1"}[uci]) is move


def test_boards_of_chess960() -> None:
    fen = "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1"
    ours, theirs = Board(fen, chess960=True), chess.Board(fen, chess960=True)
    assert ours.has_chess960_castling_rights()
    assert same_moves(list(ours.legal_moves), theirs.legal_moves)
    for move in theirs.generate_castling_moves():
        mine = Move.from_uci(move.uci())
        assert ours.is_legal(mine)
        assert ours.san(mine) == theirs.san(move)
        assert ours.uci(mine) == theirs.uci(move)
        assert ours.is_kingside_castling(mine) == theirs.is_kingside_castling(move)
        assert ours.xboard(mine) == theirs.xboard(move)
        ours.push(mine)
        theirs.push(move)
        assert ours.fen() == theirs.fen()
        assert ours.peek() is mine
        ours.pop()
        theirs.pop()
    for number in (0, 518, 959):
        board = Board.from_chess960_pos(number)
        assert board.fen() == chess.Board.from_chess960_pos(number).fen()
        assert board.chess960_pos() == number
        board.push(next(iter(board.legal_moves)))
        assert board.chess960_pos() is None
    board = Board()
    assert board.chess960_pos() == 518
    board.turn = False
    assert (board.chess960_pos(), board.chess960_pos(ignore_turn=True)) == (None, 518)
    board = Board(chess.STARTING_FEN.replace("KQkq", "KQk").replace("0 1", "3 4"))
    assert board.chess960_pos() is None
    assert board.chess960_pos(ignore_castling=True) == 518
    assert board.chess960_pos(ignore_castling=True, ignore_counters=False) is None


FAULTS: Final = {
    "8/8/8/8/8/8/8/8 w - - 0 1": ["white has no king, expected one", "black has no king, expected one"],
    "4k3/8/8/8/8/8/8/KK6 w - - 0 1": ["white has 2 kings, expected one"],
    "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1": ["white has 9 pawns, at most 8"],
    "4k3/8/8/8/8/8/8/p3K2P w - - 0 1": [
        "white pawn on h1: pawns never stand on a back rank",
        "black pawn on a1: pawns never stand on a back rank",
    ],
    "8/8/8/8/8/8/4k3/4K3 w - - 0 1": [
        "the kings on e1 and e2 are adjacent",
        "white is to move, but black's king is in check from e1",
    ],
    "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1": [],
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1": ["white is to move, but black's king is in check from e2"],
    "4K3/8/8/8/8/8/4r3/4k3 w - - 0 1": [],
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1": ["en passant on e6: no black pawn on e5 has jumped over it"],
    "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1": ["en passant on e6: e7, where the pawn came along, is occupied"],
    "4k3/8/8/8/4P3/4p3/8/4K3 b - e3 0 1": ["en passant on e3: e3, where the pawn came along, is occupied"],
    "3qk3/8/8/8/8/8/PPPPPPPP/QQ1QK3 w - - 0 1": ["white has 2 promoted pieces but lacks only 0 pawns"],
    "4k3/8/8/8/1b6/8/3n1n2/r3K2r w - - 0 1": [
        "check from a1 and h1: two pieces on one line cannot both have come to give it"
    ],
    "4k3/8/8/8/1b2r3/5n2/8/4K3 w - - 0 1": ["check from f3, b4 and e4: no move gives check with three pieces"],
}


@pytest.mark.parametrize("fen", FAULTS)
def test_faults_of_positions(fen: str) -> None:
    board = Board.unchecked(fen)
    found = [str(fault) for fault in board.status()]
    if "three pieces" in "".join(FAULTS[fen]):
        assert found[0].endswith("no move gives check with three pieces")
    else:
        assert found == FAULTS[fen]
    assert board.is_valid() == (not FAULTS[fen])
