"""The kernels of boards on few boards, one in each test, judged by python-chess: quick in plain Python, too."""

from typing import Any

import chess
import numpy as np
import pytest

from kernel_rows import (
    FEW_FENS,
    addresses,
    call,
    few_boards,
    is_refused,
    listed,
    lists_of,
    number_of,
    ours,
    padded,
    row_of,
    written,
)
from rookery.board.board import Board
from rookery.board.moves import CHESS960, CLASSICAL, Move
from rookery.native_methods.kinds import MOST_MOVES, ROW_WORDS

each_board = pytest.mark.parametrize("board", few_boards(), ids=FEW_FENS)
UNIVERSE = (1 << 64) - 1


def words_of(board: chess.Board) -> list[int]:
    """Return the row of a board of python-chess, to which no move has led."""
    diagonals, orthogonals = board.bishops | board.queens, board.rooks | board.queens
    pieces = [board.pawns, board.knights, diagonals, orthogonals, board.kings]
    sides = [board.occupied_co[board.turn], board.occupied_co[not board.turn]]
    target = 0 if board.ep_square is None else 1 << board.ep_square
    rights = [board.clean_castling_rights(), target, int(not board.turn)]
    return [*pieces, *sides, *rights, board.halfmove_clock, 0, board.fullmove_number, 0]


def their_words(board: chess.Board) -> dict[chess.Move, int]:
    """Return the legal moves, each with its word: castling to the rook's square, and the kind of the move."""
    found = {}
    for move in board.legal_moves:
        target = move.to_square
        kind = 1 if move.promotion else 2 if board.is_en_passant(move) else 0
        if board.is_castling(move):
            kind, own = 3, board.castling_rights & board.occupied_co[board.turn]
            right = board.is_kingside_castling(move)
            rooks = [rook for rook in chess.SquareSet(own) if (rook > move.from_square) == right]
            target = rooks[0]
        becomes = (move.promotion - chess.KNIGHT) << 12 if move.promotion else 0
        found[move] = move.from_square | target << 6 | becomes | kind << 14
    return found


@each_board
def test_pieces(board: chess.Board) -> None:
    row = row_of(ours(board))
    for square in chess.SQUARES:
        piece = board.piece_at(square)
        assert call("piece_at", row, square) == number_of(piece)
        assert call("piece_type_at", row, square) == (piece.piece_type if piece else 0)
        assert call("color_at", row, square) == (0 if piece is None else 1 if piece.color else 2)
    out = np.zeros(128, np.uint8)
    n = call("piece_map", row, out)
    expected = [value for s, p in sorted(board.piece_map().items()) for value in (s, number_of(p))]
    assert out[: 2 * n].tolist() == expected
    for colour in chess.COLORS:
        assert call("pieces_of", row, int(colour)) == board.occupied_co[colour]
        assert call("king", row, int(colour)) == board.king(colour)
        for kind in chess.PIECE_TYPES:
            assert call("pieces", row, kind, int(colour)) == int(board.pieces(kind, colour))
        for name in ("has_castling_rights", "has_kingside_castling_rights", "has_queenside_castling_rights"):
            assert call(name, row, int(colour)) == getattr(board, name)(colour), name
    for name in ("pawns", "knights", "bishops", "rooks", "queens", "kings", "occupied", "turn"):
        assert call(name, row) == getattr(board, name), name
    assert call("has_chess960_castling_rights", row) == board.has_chess960_castling_rights()
    assert call("castling_rights", row) == board.castling_rights
    assert call("ep_square", row) == (64 if board.ep_square is None else board.ep_square)
    assert call("halfmove_clock", row) == board.halfmove_clock
    assert call("fullmove_number", row) == board.fullmove_number
    assert call("ply", row) == board.ply()


@each_board
def test_attacks(board: chess.Board) -> None:
    row = row_of(ours(board))
    through = int(board.occupied & ~board.kings & ~chess.BB_FILE_D)
    for square in chess.SQUARES:
        assert call("attacks", row, square) == int(board.attacks(square))
        for colour in chess.COLORS:
            white = int(colour)
            assert call("attackers", row, white, square) == int(board.attackers(colour, square))
            assert call("is_attacked_by", row, white, square) == board.is_attacked_by(colour, square)
            found = call("attackers_if_occupied", row, white, square, through)
            assert found == int(board.attackers(colour, square, occupied=chess.SquareSet(through)))
    for square in chess.SquareSet(board.occupied):
        for colour in chess.COLORS:
            own = board.color_at(square) == colour
            pinned = own and board.is_pinned(colour, square)
            assert call("is_pinned", row, int(colour), square) == pinned
            assert call("pin", row, int(colour), square) == (int(board.pin(colour, square)) if pinned else UNIVERSE)
    assert call("checkers", row) == int(board.checkers())
    for name in ("is_check", "is_checkmate", "is_stalemate"):
        assert call(name, row) == getattr(board, name)(), name


@each_board
def test_lists_of_moves(board: chess.Board) -> None:
    row, moves = row_of(ours(board)), CHESS960 if board.chess960 else CLASSICAL
    legal, noisy, of = lists_of(board)
    for name, expected in of.items():
        found = [moves[word].uci() for word in listed(name, row)]
        assert sorted(found) == sorted(expected), name
    assert call("count_legal_moves", row) == len(legal)
    words = their_words(board)
    for sources, targets in (
        (0xFFFF, UNIVERSE),
        (UNIVERSE, 0xFF00FF00FF00FF00),
        (0xF0F0F0F0F0F0F0F0, 0x0F0F0F0F0F0F0FFF),
    ):
        expected_words = [word for word in words.values() if sources >> (word & 63) & targets >> (word >> 6 & 63) & 1]
        assert sorted(listed("legal_moves_within", row, sources, targets)) == sorted(expected_words)
        quiet = {word for move, word in words.items() if board.uci(move) not in noisy}
        split = [word for word in words.values() if (targets if word in quiet else sources) >> (word >> 6 & 63) & 1]
        assert sorted(listed("legal_moves_to", row, sources, targets)) == sorted(split)


@each_board
def test_captures_are_sorted_by_victim_and_attacker(board: chess.Board) -> None:
    def order(word: int) -> tuple[int, int]:
        victim = board.piece_type_at(word >> 6 & 63) or (1 if word >> 14 == 2 else 0)
        victim += (word >> 12 & 3) + 1 if word >> 14 == 1 else 0
        return -victim, board.piece_type_at(word & 63) or 0

    found = [order(word) for word in listed("generate_captures", row_of(ours(board)))]
    assert found == sorted(found)


@each_board
def test_making_moves(board: chess.Board) -> None:
    row = row_of(ours(board))
    for move, word in their_words(board).items():
        board.push(move)
        expected = [*words_of(board)[:13], word]
        board.pop()
        for name, given in (("push", int(Move.from_uci(board.uci(move)))), ("push", word), ("row_after", word)):
            out = np.ones(ROW_WORDS, np.uint64)
            assert call(name, row, given, out) == word
            assert out.tolist() == expected, move
    out = np.ones(ROW_WORDS, np.uint64)
    if board.is_check():
        assert is_refused(call("push", row, 0, out))
    else:
        assert call("push", row, 0, out) == 0
        board.push(chess.Move.null())
        assert out.tolist() == words_of(board)
        board.pop()


@each_board
def test_what_a_move_does(board: chess.Board) -> None:
    row, chess960 = row_of(ours(board)), int(board.chess960)
    names = "is_capture is_en_passant is_castling is_kingside_castling is_queenside_castling is_zeroing".split()
    for theirs, word in their_words(board).items():
        move = int(Move.from_uci(board.uci(theirs)))
        for name in (*names, "is_irreversible", "gives_check"):
            assert call(name, row, move) == getattr(board, name)(theirs), (name, theirs)
        board.push(theirs)
        after = 2 if board.is_checkmate() else int(board.is_check())
        board.pop()
        assert call("check_after", row, move) == after
        for given in (move, word):
            assert call("move_word", row, given) == call("word_of_move", row, given) == word
        if theirs.promotion in (None, chess.QUEEN):
            assert call("find_move", row, chess960, theirs.from_square, move >> 6 & 63) == word
    for name in ("move_word", "gives_check", "is_irreversible"):
        for wrong in (0,) * board.is_check() + (9 << 6,):
            assert is_refused(call(name, row, wrong)), name
    assert call("is_irreversible", row, 0) == board.has_legal_en_passant() or board.is_check()


@each_board
def test_legality(board: chess.Board) -> None:
    row, chess960 = row_of(ours(board)), int(board.chess960)
    legal = {board.uci(move) for move in board.legal_moves}
    pseudo = {board.uci(move) for move in board.pseudo_legal_moves}
    if not board.chess960:  # castling in both forms
        castling = {CLASSICAL[word & 0xFFF].uci() for word in their_words(board).values() if word >> 14 == 3}
        legal |= castling
        pseudo |= castling
    sources = [*chess.SquareSet(board.occupied_co[board.turn]), 27]
    near = [source | target << 6 for source in sources for target in range(source % 3, 64, 3)]
    words = {0, *near, *(int(Move.from_uci(text)) for text in pseudo)}
    for word in words:
        text = CLASSICAL[word].uci()
        assert call("is_legal", row, chess960, word) == (text in legal), text
        assert call("is_pseudo_legal", row, chess960, word) == (text in pseudo), text
        assert call("is_into_check", row, chess960, word) == (text in pseudo - legal), text


@each_board
def test_positions_as_text(board: chess.Board) -> None:
    row = row_of(ours(board))
    assert written("fen", row) == board.fen()
    assert written("epd", row) == board.epd()
    assert written("board_fen", row) == board.board_fen()
    assert written("drawing", row) == str(board)
    assert written("unicode", row) == board.unicode(empty_square="⭘")
    out, space = np.ones(ROW_WORDS, np.uint64), np.zeros(40, np.uint8)
    text = board.fen(en_passant="fen") if not board.chess960 else board.shredder_fen(en_passant="fen")
    assert call("set_fen", *padded(text), out, space) == board.chess960
    assert out.tolist() == words_of(board)
    for wrong in (text.replace("k", "q"), text.replace(" b ", " x ").replace(" w ", " x ")):
        assert is_refused(call("set_fen", *padded(wrong), out, space))


@each_board
def test_moves_as_text(board: chess.Board) -> None:
    row, chess960 = row_of(ours(board)), int(board.chess960)
    for theirs, word in their_words(board).items():
        uci, san = board.uci(theirs), board.san(theirs)
        move = int(Move.from_uci(uci))
        assert written("san", row, move) == san
        assert written("lan", row, move) == board.lan(theirs)
        assert written("uci", row, chess960, move) == uci
        assert call("parse_san", row, *padded(san)) == call("parse_uci", row, *padded(uci)) == word
        assert call("has_uci", row, *padded(uci)) == 1
    pushed = list(their_words(board).items())[:4]
    for theirs, word in pushed:
        board.push(theirs)
        expected = [*words_of(board)[:13], word]
        board.pop()
        for name, text in (("push_san", board.san(theirs)), ("push_uci", board.uci(theirs))):
            out = np.ones(ROW_WORDS, np.uint64)
            assert call(name, row, *padded(text), out) == word
            assert out.tolist() == expected


@each_board
def test_changed_positions(board: chess.Board) -> None:
    row = row_of(ours(board))
    out = np.ones(ROW_WORDS, np.uint64)
    call("mirror", row, out)
    assert out.tolist() == words_of(board.mirror())
    moved = np.array([*row[:13], 12 | 28 << 6], np.uint64)
    for square in (*chess.SquareSet(board.occupied & ~board.kings), 27, 42):
        for number, letter in enumerate("\0PNBRQpnbrq"):
            changed = board.copy(stack=False)
            if number:
                changed.set_piece_at(square, chess.Piece.from_symbol(letter))
            else:
                changed.remove_piece_at(square)
            changed.castling_rights = changed.clean_castling_rights()
            changed.ep_square = changed._valid_ep_square()
            out = np.ones(ROW_WORDS, np.uint64)
            assert call("set_piece_at", moved, square, ord(letter), out) == 0
            assert out.tolist() == words_of(changed), (square, letter)


@each_board
def test_the_same_position(board: chess.Board) -> None:
    row = row_of(ours(board))
    assert call("has_legal_en_passant", row) == board.has_legal_en_passant()
    for i in range(13):
        changed = row.copy()
        changed[i] ^= np.uint64(1) << np.uint64(0 if i in (9, 10, 11, 12) else 63)
        changed.flags.writeable = False
        same = i == 11 or (i == 8 and not board.has_legal_en_passant())
        assert call("is_equal", row, changed) == same, i
        if i == 9 or i == 5:
            continue
        held = [changed.tobytes(), row.tobytes()]
        quiet = row.copy()
        quiet[10] = 2
        counted = same or i in (10, 12)
        assert call("repetitions", quiet, addresses(held), 2) == 1 + counted, i


def played(fen: str, texts: str) -> tuple[chess.Board, list[Any]]:
    """Return a board of python-chess after some moves, and the rows of the game."""
    board = chess.Board(fen)
    rows = [row_of(ours(board))]
    for text in texts.split():
        board.push_uci(text)
        row = np.array([*words_of(board)[:13], 1], np.uint64)
        row.flags.writeable = False
        rows.append(row)
    return board, rows


TERMINATIONS = [*chess.Termination][1:7]  # stalemate to threefold repetition, which have the numbers from 3
SHUFFLE = "g1f3 g8f6 f3g1 f6g8 "
START = chess.STARTING_FEN


def item_of(outcome: chess.Outcome | None) -> int:
    if outcome is None:
        return 0
    if outcome.termination == chess.Termination.CHECKMATE:
        return 1 if outcome.winner else 2
    return 3 + TERMINATIONS.index(outcome.termination)


@pytest.mark.parametrize(
    ("fen", "texts"),
    [
        (START, ""),
        (START, "e2e4 g8f6 g1f3 f6g8 f3g1"),
        (START, SHUFFLE),
        (START, SHUFFLE + "g1f3 g8f6 f3g1"),
        (START, SHUFFLE * 2),
        (START, SHUFFLE * 3 + "g1f3 g8f6 f3g1"),
        ("6k1/8/8/8/8/8/8/K6R w - - 6 9", "h1e1 g8f7 e1h1 f7g8 h1e1 g8f7 e1h1 f7g8"),
        ("7k/p7/8/8/8/8/P7/K7 w - - 0 1", "a1b1 h8g8 b1a1 g8h8 " * 4),
        ("7k/p7/8/8/8/8/P7/K7 w - - 0 1", "a1b1 h8g8 b1a1 g8h8 " * 3 + "a1b1 h8g8 b1a1"),
        ("4k3/8/8/8/4p3/8/3P4/4K3 w - - 0 1", "d2d4 e8d8 e1d1 d8e8 d1e1"),
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4 e8d8 e1d1 d8e8 d1e1 e8d8 e1d1 d8e8 d1e1"),
        ("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1b1 e8e7 b1a1 e7e8 a1b1 e8e7 b1a1 e7e8"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 97 80", "a1b1 e8e7"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 98 80", ""),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 99 80", ""),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 148 80", "a1b1"),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 148 80", "a1b1 e8e7"),
        ("7k/8/8/8/8/p7/P7/K7 w - - 99 80", ""),
        ("k7/P7/K7/8/8/8/8/8 w - - 99 80", ""),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", "a1a8"),
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 80", "a1a8"),
        ("4k3/8/8/8/8/8/1r6/2rK4 w - - 3 80", ""),
        ("r3k3/8/8/8/8/8/5PPP/6K1 b q - 3 80", "a8a1"),
        ("k7/8/1Q6/8/8/8/8/4K3 w - - 3 80", "b6c7"),
        ("4k3/8/8/8/8/8/8/N3K3 b - - 3 9", ""),
        ("4k3/8/8/8/8/8/8/QN2K3 w - - 0 1", ""),
        ("2b1k3/8/8/8/8/8/8/4KB2 b - - 0 1", ""),
        ("2b1k3/8/8/8/8/8/8/2B1K3 b - - 0 1", ""),
        ("1nb1k3/8/8/8/8/8/8/2B1K3 b - - 0 1", ""),
    ],
)
def test_ends(fen: str, texts: str) -> None:
    board, rows = played(fen, texts)
    moves = np.zeros(MOST_MOVES, np.uint16)
    history = [row.tobytes() for row in rows[:-1]]

    def ask(name: str, *arguments: Any) -> int:
        return call(name, rows[-1], addresses(history), len(history), *arguments)

    for count in range(1, 7):
        assert ask("is_repetition_of", count) == board.is_repetition(count), count
    assert board.is_repetition(ask("repetitions"))
    assert not board.is_repetition(ask("repetitions") + 1)
    assert ask("is_repetition") == board.is_repetition()
    assert ask("is_fivefold_repetition") == board.is_fivefold_repetition()
    assert ask("can_claim_threefold_repetition", moves) == board.can_claim_threefold_repetition()
    assert ask("can_claim_draw", moves) == board.can_claim_draw()
    assert ask("outcome") == item_of(board.outcome())
    assert ask("is_game_over") == board.is_game_over()
    assert ask("outcome_with_claims", moves) == item_of(board.outcome(claim_draw=True))
    assert call("can_claim_fifty_moves", rows[-1], moves) == board.can_claim_fifty_moves()
    for name in ("is_fifty_moves", "is_seventyfive_moves", "is_insufficient_material", "is_checkmate", "is_stalemate"):
        assert call(name, rows[-1]) == getattr(board, name)(), name
    for colour in chess.COLORS:
        assert call("has_insufficient_material", rows[-1], int(colour)) == board.has_insufficient_material(colour)


def test_an_illegal_move_has_no_number() -> None:
    row = row_of(Board())
    assert is_refused(call("check_after", row, 12 | 36 << 6))
    assert is_refused(call("check_after", row, 0))
    assert is_refused(call("find_move", row, 0, 12, 36))
    assert call("word_of_move", row, 12 | 36 << 6) == 0
