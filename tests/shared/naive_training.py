"""Formats of training data, read and written in plain Python on python-chess: a second opinion from their descriptions.

Bits are texts of 0 and 1, and positions are `chess.Board`. Nothing here is shared with `rookery.data.training`.
"""

import struct
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

import chess


class Entry(NamedTuple):
    """A position with its move, and its score, result and number of plies from the side to move."""

    board: chess.Board
    move: chess.Move
    score: int
    result: int
    ply: int


def rook_square(board: chess.Board, move: chess.Move) -> int:
    """Return where a move goes, with castling as king takes rook."""
    if not board.is_castling(move):
        return move.to_square
    rank = chess.square_rank(move.from_square)
    rooks = [s for s in chess.scan_forward(board.castling_rights) if chess.square_rank(s) == rank]
    east = board.is_kingside_castling(move)
    return next(s for s in rooks if (s > move.from_square) == east)


def kind(board: chess.Board, move: chess.Move, promotion: int, passing: int, castling: int) -> int:
    """Return the number of a move's kind, given those of the format."""
    if move.promotion:
        return promotion
    return passing if board.is_en_passant(move) else castling if board.is_castling(move) else 0


def as_move(board: chess.Board, source: int, target: int, promotion: int | None) -> chess.Move:
    """Return the move of python-chess for squares with castling as king takes rook."""
    if board.color_at(target) == board.turn and board.piece_type_at(source) == chess.KING and not board.chess960:
        target = chess.square(6 if target > source else 2, chess.square_rank(source))
    return chess.Move(source, target, promotion)


# Binpack.


def _unsigned(value: int) -> int:
    bits = f"{value & 0xFFFF:016b}"
    if bits[0] == "1":
        bits = "1" + "".join("10"[int(b)] for b in bits[1:])
    return int(bits[1:] + bits[0], 2)


_SIGNED: Final = {_unsigned(value): value for value in range(-(1 << 15), 1 << 15)}


def _width(choices: int) -> int:
    return 0 if choices < 2 else len(f"{choices - 1:b}")


def _targets(board: chess.Board, source: int) -> list[int]:
    """Return the pseudo-legal targets of a piece, in order; rooks with which a king may castle come last."""
    own, others = board.occupied_co[board.turn], board.occupied_co[not board.turn]
    if board.piece_type_at(source) != chess.PAWN:
        found = list(chess.scan_forward(board.attacks_mask(source) & ~own))
        if board.piece_type_at(source) == chess.KING:
            found += [s for s in chess.scan_forward(board.castling_rights) if own >> s & 1]
        return found
    passing = chess.BB_SQUARES[board.ep_square] if board.has_legal_en_passant() and board.ep_square else 0
    found = list(chess.scan_forward(board.attacks_mask(source) & (others | passing)))
    step, home = (8, 1) if board.turn else (-8, 6)
    if not board.piece_at(source + step):
        found.append(source + step)
        if chess.square_rank(source) == home and not board.piece_at(source + 2 * step):
            found.append(source + 2 * step)
    return sorted(found)


def _choices(board: chess.Board, source: int) -> list[tuple[int, int | None]]:
    targets = _targets(board, source)
    last_rank = 6 if board.turn else 1
    if board.piece_type_at(source) == chess.PAWN and chess.square_rank(source) == last_rank:
        return [(to, piece) for to in targets for piece in (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)]
    return [(to, None) for to in targets]


def _half_move(earlier: Entry, entry: Entry) -> str:
    board, move = entry.board, entry.move
    own = list(chess.scan_forward(board.occupied_co[board.turn]))
    choices = _choices(board, move.from_square)
    bits = ""
    for index, count in (
        (own.index(move.from_square), len(own)),
        (choices.index((rook_square(board, move), move.promotion)), len(choices)),
    ):
        bits += f"{index:0{_width(count)}b}" if _width(count) else ""
    change = _unsigned(entry.score + earlier.score)
    while True:
        change, block = change >> 4, change & 15
        bits += f"{1 if change else 0}{block:04b}"
        if not change:
            return bits


def _stem(entry: Entry) -> bytes:
    board, move = entry.board, entry.move
    nibbles = []
    for square in chess.scan_forward(board.occupied):
        piece = board.piece_at(square)
        assert piece is not None
        nibble = 2 * (piece.piece_type - 1) + (not piece.color)
        if board.castling_rights >> square & 1:
            nibble = 13 if piece.color else 14
        if nibble == 11 and not board.turn:
            nibble = 15
        if board.has_legal_en_passant() and square == board.ep_square + (8 if board.ep_square < 32 else -8):  # type: ignore[operator]
            nibble = 12
        nibbles.append(nibble)
    nibbles += [0] * (32 - len(nibbles))
    stored = 0
    if move:
        stored = kind(board, move, 1, 3, 2) << 14 | move.from_square << 8 | rook_square(board, move) << 2
        stored |= move.promotion - chess.KNIGHT if move.promotion else 0
    return (
        board.occupied.to_bytes(8, "big")
        + bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True))
        + struct.pack(
            ">4H", stored, _unsigned(entry.score), entry.ply | _unsigned(entry.result) % 4 << 14, board.halfmove_clock
        )
    )


def _follows(earlier: Entry, later: Entry) -> bool:
    board = earlier.board.copy(stack=False)
    if not earlier.move or not later.move:
        return False
    board.push(earlier.move)
    same = board.fen(en_passant="legal").split()[:5] == later.board.fen(en_passant="legal").split()[:5]
    return same and later.ply == earlier.ply + 1 and later.result == -earlier.result


def write_binpack(entries: Iterable[Entry], most: int = 1 << 20) -> bytes:
    """Return a binpack; a block ends with the chain that makes it longer than `most` bytes."""
    out, block = b"", b""
    entries = list(entries)
    i = 0
    while i < len(entries):
        bits, n = "", 0
        stem = _stem(entries[i])
        while i + 1 < len(entries) and n < 65535 and _follows(entries[i], entries[i + 1]):
            bits += _half_move(entries[i], entries[i + 1])
            n, i = n + 1, i + 1
        bits += "0" * (-len(bits) % 8)
        block += stem + n.to_bytes(2, "big") + bytes(int(bits[k : k + 8], 2) for k in range(0, len(bits), 8))
        i += 1
        if len(block) >= most or i == len(entries):
            out, block = out + b"BINP" + len(block).to_bytes(4, "little") + block, b""
    return out


def _board_of_stem(stem: bytes) -> chess.Board:
    board = chess.Board(None)
    board.turn = chess.WHITE
    squares = list(chess.scan_forward(int.from_bytes(stem[:8], "big")))
    for i, square in enumerate(squares):
        nibble = stem[8 + i // 2] >> 4 * (i % 2) & 15
        if nibble == 12:
            white = chess.square_rank(square) == 3
            board.set_piece_at(square, chess.Piece(chess.PAWN, white))
            board.ep_square = square - 8 if white else square + 8
        elif nibble in (13, 14):
            board.set_piece_at(square, chess.Piece(chess.ROOK, nibble == 13))
            board.castling_rights |= chess.BB_SQUARES[square]
        elif nibble == 15:
            board.set_piece_at(square, chess.Piece(chess.KING, chess.BLACK))
            board.turn = chess.BLACK
        else:
            board.set_piece_at(square, chess.Piece(nibble // 2 + 1, nibble % 2 == 0))
    return board


def read_binpack(data: bytes) -> list[Entry]:
    """Return the entries of an undamaged binpack."""
    entries = []
    while data:
        assert data[:4] == b"BINP"
        end = 8 + int.from_bytes(data[4:8], "little")
        block, data = data[8:end], data[end:]
        while block:
            board = _board_of_stem(block)
            stored, score, ply_and_result, clock, n = struct.unpack(">5H", block[24:34])
            board.halfmove_clock, ply = clock, ply_and_result & 0x3FFF
            board.fullmove_number = ply // 2 + 1
            promotion = stored % 4 + chess.KNIGHT if stored >> 14 == 1 else None
            move = as_move(board, stored >> 8 & 63, stored >> 2 & 63, promotion) if stored else chess.Move.null()
            entries.append(Entry(board, move, _SIGNED[score], _SIGNED[ply_and_result >> 14], ply))
            bits = "".join(f"{byte:08b}" for byte in block[34:])
            at = 0
            for _ in range(n):
                entry, at = _next(entries[-1], bits, at)
                entries.append(entry)
            block = block[34 + -(-at // 8) :]
    return entries


def _next(earlier: Entry, bits: str, at: int) -> tuple[Entry, int]:
    def taken(width: int) -> int:
        nonlocal at
        at += width
        return int(bits[at - width : at], 2) if width else 0

    board = earlier.board.copy(stack=False)
    board.push(earlier.move)
    board.fullmove_number = (earlier.ply + 1) // 2 + 1
    own = list(chess.scan_forward(board.occupied_co[board.turn]))
    source = own[taken(_width(len(own)))]
    choices = _choices(board, source)
    target, promotion = choices[taken(_width(len(choices)))]
    change, shift = 0, 0
    while True:
        more, block = taken(1), taken(4)
        change |= block << shift
        shift += 4
        if not more:
            break
    score = (_SIGNED[change] - earlier.score + (1 << 15)) % (1 << 16) - (1 << 15)
    move = as_move(board, source, target, promotion)
    return Entry(board, move, score, -earlier.result, earlier.ply + 1), at


# Viriformat.


def _viri_board(board: chess.Board, result: int) -> bytes:
    nibbles = []
    for square in chess.scan_forward(board.occupied):
        piece = board.piece_at(square)
        assert piece is not None
        number = 6 if board.castling_rights >> square & 1 else piece.piece_type - 1
        nibbles.append(number + 8 * (not piece.color))
    nibbles += [0] * (32 - len(nibbles))
    passing = board.ep_square if board.has_legal_en_passant() and board.ep_square is not None else 64
    return struct.pack(
        "<Q16sBBHhBB",
        board.occupied,
        bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True)),
        passing | (not board.turn) << 7,
        board.halfmove_clock,
        board.fullmove_number,
        0,
        result + 1,
        0,
    )


def write_viriformat(entries: Iterable[Entry]) -> bytes:
    """Return games in viriformat."""
    out = b""
    earlier: Entry | None = None
    for entry in entries:
        board, move = entry.board, entry.move
        side = 1 if board.turn else -1
        numbered = (
            earlier is not None and earlier.board.fullmove_number + (not earlier.board.turn) == board.fullmove_number
        )
        if earlier is None or not numbered or not _follows(earlier, entry._replace(ply=earlier.ply + 1)):
            out += bytes(4 if earlier else 0) + _viri_board(board, entry.result * side)
        stored = move.from_square | rook_square(board, move) << 6 | kind(board, move, 3, 1, 2) << 14
        stored |= (move.promotion - chess.KNIGHT) << 12 if move.promotion else 0
        out += struct.pack("<Hh", stored, entry.score * side)
        earlier = entry
    return out + bytes(4 if earlier else 0)


def read_viriformat(data: bytes) -> list[Entry]:
    """Return the entries of undamaged games; boards are those of Chess960 where castling is."""
    entries = []
    while data:
        occupied, pieces, side, clock, number, _, result, _ = struct.unpack("<Q16sBBHhBB", data[:32])
        board = chess.Board(None)
        for i, square in enumerate(chess.scan_forward(occupied)):
            nibble = pieces[i // 2] >> 4 * (i % 2) & 15
            piece = nibble & 7
            if piece == 6:
                board.castling_rights |= chess.BB_SQUARES[square]
            board.set_piece_at(square, chess.Piece(4 if piece == 6 else piece + 1, nibble < 8))
        rights = board.castling_rights
        board.turn = side < 128
        board.ep_square = None if side & 127 == 64 else side & 127
        board.halfmove_clock, board.fullmove_number = clock, number
        kings = [board.king(c) for c in (True, False) if rights & board.occupied_co[c]]
        board.chess960 = any(chess.square_file(k) != 4 for k in kings if k is not None) or bool(
            rights & ~chess.BB_CORNERS
        )
        data = data[32:]
        while data[:4] != bytes(4):
            stored, score = struct.unpack("<Hh", data[:4])
            promotion = (stored >> 12 & 3) + chess.KNIGHT if stored >> 14 == 3 else None
            move = as_move(board, stored & 63, stored >> 6 & 63, promotion)
            sign = 1 if board.turn else -1
            ply = 2 * (board.fullmove_number - 1) + (not board.turn)
            entries.append(Entry(board.copy(stack=False), move, score * sign, (result - 1) * sign, ply))
            board.push(move)
            data = data[4:]
        data = data[4:]
    return entries


# Bulletformat.


def write_bulletformat(entries: Iterable[Entry]) -> bytes:
    """Return positions in bulletformat."""
    out = b""
    for entry in entries:
        board = entry.board if entry.board.turn else entry.board.mirror()
        nibbles = []
        for square in chess.scan_forward(board.occupied):
            piece = board.piece_at(square)
            assert piece is not None
            nibbles.append(piece.piece_type - 1 + 8 * (not piece.color))
        nibbles += [0] * (32 - len(nibbles))
        packed = bytes(low | high << 4 for low, high in zip(nibbles[::2], nibbles[1::2], strict=True))
        king, other = board.king(True), board.king(False)
        assert king is not None
        assert other is not None
        out += struct.pack("<Q16shBBB3x", board.occupied, packed, entry.score, entry.result + 1, king, other ^ 56)
    return out


# Packed SFEN.

_PIECES: Final = {
    chess.PAWN: "000",
    chess.KNIGHT: "100",
    chess.BISHOP: "010",
    chess.ROOK: "110",
    chess.QUEEN: "001",
}


def write_packed_sfen(entries: Iterable[Entry]) -> bytes:
    """Return positions as packed SFENs with their moves."""
    out = b""
    for board, move, score, result, ply in entries:
        kings = board.king(True), board.king(False)
        bits = "01"[not board.turn]
        bits += "".join(f"{king:06b}"[::-1] for king in kings)
        for square in chess.SQUARES_180:
            piece = board.piece_at(square)
            if square not in kings:
                bits += "0" if piece is None else f"1{_PIECES[piece.piece_type]}{int(not piece.color)}"
        for right in "KQkq":
            bits += "01"[right in board.fen().split()[2]]
        passing = board.ep_square if board.has_legal_en_passant() else None
        bits += "0" if passing is None else "1" + f"{passing:06b}"[::-1]
        clock = f"{board.halfmove_clock:07b}"[::-1]
        bits += clock[:6] + f"{board.fullmove_number:016b}"[::-1] + clock[6]
        stored = 0
        if move:
            stored = rook_square(board, move) | move.from_square << 6 | kind(board, move, 1, 2, 3) << 14
            stored |= (move.promotion - chess.KNIGHT) << 12 if move.promotion else 0
        out += int(bits[::-1], 2).to_bytes(32, "little") + struct.pack("<hHHbx", score, stored, ply, result)
    return out


# Plain.


def placement_of_packed_sfen(entry: bytes) -> tuple[str, bool] | None:
    """Return the pieces of an entry and whether Black is to move; None if bits stand for no piece, or are too many."""
    bits = "".join(f"{byte:08b}"[::-1] for byte in entry[:32])

    def number(at: int, size: int) -> int:
        return int(bits[at : at + size][::-1] or "0", 2)

    board = chess.BaseBoard.empty()
    kings = {number(1, 6): chess.WHITE, number(7, 6): chess.BLACK}
    at, bad = 13, False
    for i in range(64):
        square = i ^ 56
        if square in kings or at >= 256:
            continue
        if bits[at] == "0":
            at += 1
            continue
        kind_, black = number(at + 1, 3), number(at + 4, 1)
        at += 5
        bad |= kind_ > 4
        if kind_ <= 4:
            kinds = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
            board.set_piece_at(square, chess.Piece(kinds[kind_], not black))
    for square, colour in kings.items():
        board.set_piece_at(square, chess.Piece(chess.KING, colour))
    jumped = bits[at + 4 : at + 5] == "1"
    return None if bad or at + 4 + (7 if jumped else 1) + 23 > 256 else (board.board_fen(), bits[0] == "1")


def write_plain(entries: Iterable[Entry]) -> str:
    """Return positions as plain text."""
    lines: list[str] = []
    for board, move, score, result, ply in entries:
        lines += [
            f"fen {board.fen()}",
            f"move {board.uci(move)}",
            f"score {score}",
            f"ply {ply}",
            f"result {result}",
            "e",
        ]
    return "".join(f"{line}\n" for line in lines)


WRITERS: Final[dict[str, Callable[[Iterable[Entry]], bytes]]] = {
    "binpack": write_binpack,
    "viriformat": write_viriformat,
    "bulletformat": write_bulletformat,
    "packed-sfen": write_packed_sfen,
    "plain": lambda entries: write_plain(entries).encode(),
}
