"""Answers of compiled code about positions of a few short games, which python-chess replays move by move."""

import io
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from rookery import Positions, read_pgn
from rookery.games.games import Games
from rookery.games.positions.later_positions import LaterPositions

TEXTS = {
    "castling": "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O Nf6 5. d3 d6 6. Bg5 Be6 7. Nc3 Qd7 8. Qd2 O-O-O 9. Bxf6 gxf6 *",
    "en passant": "1. e4 a6 2. e5 d5 3. exd6 Bf5 4. dxc7 Nc6 5. cxd8=N Rxd8 *",
    "promotions": '[FEN "1n2k3/P7/8/8/8/8/p6P/1N2K3 b - - 4 30"]\n\n30... axb1=R+ 31. Kd2 Kd7 32. axb8=Q Rxb8 *',
    "null moves": "1. e4 -- 2. d4 -- 3. Bb5 c6 *",
    "black castles": '[FEN "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 20"]\n\n20... O-O-O 21. Rxa8+ *',
    "there and back": "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 *",
    "no moves": "*",
    "Chess960": '[Variant "Chess960"]\n[FEN "1rk4r/8/8/8/8/8/8/1RK4R w KQkq - 0 1"]\n\n1. O-O O-O-O 2. Rb8+ Kxb8 *',
}


def boards_of(text: str) -> list[chess.Board]:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return [node.board() for node in (game, *game.mainline())]


def moves_of(boards: list[chess.Board]) -> list[chess.Move]:
    return list(boards[-1].move_stack)


@pytest.fixture(params=TEXTS)
def one(request: pytest.FixtureRequest) -> tuple[Games, list[chess.Board]]:
    text = TEXTS[request.param]
    return read_pgn(text.encode()), boards_of(text)


def test_boards(one: tuple[Games, list[chess.Board]]) -> None:
    games, boards = one
    fens = [board.fen(en_passant="legal", shredder=True) for board in boards]
    for when, expected in (("all", fens), ("before", fens[:-1]), ("after", fens[1:]), ("last", fens[-1:])):
        found = games.positions(when)  # type: ignore[arg-type]
        assert found.to_fens(shredder=True) == expected
        plies = list(range(len(fens)))
        chosen = {"all": plies, "before": plies[:-1], "after": plies[1:], "last": plies[-1:]}[when]
        assert found.ply.tolist() == chosen
        assert found.game.tolist() == [0] * len(expected)
    for start, every in ((0, 2), (1, 2), (2, 3)):
        assert games.positions("all", start=start, every=every).to_fens(shredder=True) == fens[start::every]


def test_positions_that_are_made_later(one: tuple[Games, list[chess.Board]]) -> None:
    games, boards = one
    later = LaterPositions(games, 0, 1)
    assert later.turn.tolist() == [board.turn for board in boards]
    assert later.fullmove_number.tolist() == [board.fullmove_number for board in boards]
    assert later.plies_of_game().tolist() == [len(boards) - 1] * len(boards)
    words = games.moves.moves.tolist()
    assert later.played_moves().tolist() == [*words, 0]
    mailbox = later.mailbox
    assert mailbox is not None
    for i, board in enumerate(boards):
        counts = [len(board.pieces(kind, colour)) for colour in (True, False) for kind in range(1, 7)]
        assert int(mailbox.material[i]) == sum(n << 5 * k for k, n in enumerate(counts))
    for i, move in enumerate(moves_of(boards)):
        board = boards[i]
        piece = board.piece_type_at(move.from_square) if move else None
        captured = chess.PAWN if move and board.is_en_passant(move) else None
        if move and board.is_capture(move) and captured is None:
            captured = board.piece_type_at(move.to_square)
        assert (int(mailbox.moving[i]), int(mailbox.captured[i])) == (piece or 0, captured or 0)
        assert games.moving_pieces()[i] == (piece or 0)
        assert games.captured_pieces()[i] == (captured or 0)


def castled(board: chess.Board, move: chess.Move) -> dict[int, int]:
    """Return where castling moves the king and the rook."""
    kingside = board.is_kingside_castling(move)
    rank = 0 if board.turn else 56
    rights = board.castling_rights & chess.BB_RANKS[rank // 8]
    king = board.king(board.turn)
    assert king is not None
    rooks = [square for square in chess.scan_forward(rights) if (square > king) == kingside]
    return {king: rank + (6 if kingside else 2), rooks[0]: rank + (5 if kingside else 3)}


def test_pieces_are_followed(one: tuple[Games, list[chess.Board]]) -> None:
    games, boards = one
    positions = games.positions("all")
    for square in chess.SQUARES:
        now, made, squares, counts = (square if boards[0].piece_at(square) else None), 0, [], []
        for i in range(len(boards)):
            squares.append(0 if now is None else 1 << now)
            counts.append(made)
            if i + 1 == len(boards) or now is None:
                continue
            board, move = boards[i], moves_of(boards)[i]
            if not move:
                continue
            if board.is_castling(move):
                to = castled(board, move).get(now)
                now, made = (now, made) if to is None else (to, made + 1)
            elif move.from_square == now:
                now, made = move.to_square, made + 1
            elif now == move.to_square or (board.is_en_passant(move) and now == move.to_square ^ 8):
                now = None
        found = positions.tracked(square)
        assert found.boards.tolist() == squares, chess.square_name(square)
        assert found.moves.tolist() == counts
        assert found.captured.tolist() == [not board and bool(boards[0].piece_at(square)) for board in squares]
        order = np.arange(len(positions))[::-1]  # each position alone
        backwards = positions[order].tracked(square)
        assert backwards.boards.tolist() == squares[::-1]
        assert backwards.moves.tolist() == counts[::-1]


def test_summaries(one: tuple[Games, list[chess.Board]]) -> None:
    games, boards = one
    summaries = games.summaries()
    assert summaries.plies.tolist() == [len(boards) - 1]
    letters = [
        "".join(chess.piece_symbol(kind).upper() * len(boards[-1].pieces(kind, colour)) for kind in (6, 5, 4, 3, 2, 1))
        for colour in (True, False)
    ]
    assert summaries.final_signature.tolist() == ["v".join(letters)]
    made = [(move.promotion, board.turn) for board, move in zip(boards, moves_of(boards), strict=False)]
    promoted = sorted((not white, -kind, white) for kind, white in made if kind)
    texts = [chess.Piece(-kind, white).symbol() for _, kind, white in promoted]
    assert summaries.promotions.tolist() == ["".join(texts)]
    side: Any
    for side, colour in (("white", True), ("black", False)):
        squares = 0
        for board in boards:
            squares |= int(board.pieces(chess.PAWN, colour))
        assert summaries.pawn_squares(side).tolist() == [squares]


def test_several_games_follow_each_other() -> None:
    names = [name for name in TEXTS if name != "Chess960"]
    games = read_pgn("\n\n".join(TEXTS[name] for name in names).encode())
    boards = [boards_of(TEXTS[name]) for name in names]
    positions = games.positions("all")
    assert positions.to_fens() == [board.fen(en_passant="legal") for own in boards for board in own]
    assert positions.game.tolist() == [i for i, own in enumerate(boards) for _ in own]
    assert positions.ply.tolist() == [ply for own in boards for ply in range(len(own))]
    later = LaterPositions(games, 1, 5)
    assert later.turn.tolist() == [board.turn for own in boards[1:5] for board in own]
    assert later.game.tolist() == [i for i, own in enumerate(boards) if 1 <= i < 5 for _ in own]
    index = np.array([0, 3, 4, len(later) - 1])
    assert Positions(later.columns_at(index)) == Positions(games[1:5].positions("all")[index].columns)
    moved = positions.tracked("e1")
    assert moved.boards.tolist() == [board for i in range(len(games)) for board in (
        games[i : i + 1].positions("all").tracked("e1").boards.tolist()
    )]  # fmt: skip
