"""A UCI engine by python-chess for the tests: ``uci_engine.py [--print STYLE] [--total STYLE] [FAULT ...]``.

Its divide is right unless a fault is named, and printed in one of several ways.
"""

import argparse
import sys
import threading
import time
from collections.abc import Callable, Iterator

import chess

PRINTS = {
    "colon": "{}: {}",
    "blank": "{} {}",
    "dash": "{} - {}",
    "tight": "{}:{}",
    "arrow": "{} -> {}",
    "equals": "{} = {}",
    "numbered": "{n}. {} {:,}",
    "info": "info string {}: {} nodes",
    "upper": "{}: {}",
}
TOTALS = {"nodes": "\nNodes searched: {}", "leaves": "Total nodes: {:,}", "none": ""}


class Castling(chess.Board):
    """Castling rights outlive the rook that was captured, and castling is possible without it."""

    def clean_castling_rights(self) -> chess.Bitboard:
        return self.castling_rights if self.move_stack else super().clean_castling_rights()

    def push(self, move: chess.Move) -> None:
        kept = chess.BB_SQUARES[move.to_square] & self.castling_rights
        super().push(move)
        self.castling_rights |= kept


class NoEnPassant(chess.Board):
    """No en-passant square is set when a pawn advances two squares."""

    def push(self, move: chess.Move) -> None:
        super().push(move)
        self.ep_square = None


class CastlingOfMovedRook(Castling):
    """Castling rights outlive a move of the rook, and castling is possible without it."""

    def push(self, move: chess.Move) -> None:
        kept = chess.BB_SQUARES[move.from_square] & self.castling_rights
        chess.Board.push(self, move)
        self.castling_rights |= kept


class EnPassantForEver(chess.Board):
    """The en-passant square is replaced, but never cleared."""

    def push(self, move: chess.Move) -> None:
        kept = self.ep_square
        super().push(move)
        self.ep_square = kept if self.ep_square is None else self.ep_square


BOARDS = {
    "keeps-castling": Castling,
    "keeps-castling-of-moved-rook": CastlingOfMovedRook,
    "forgets-en-passant": NoEnPassant,
    "never-clears-en-passant": EnPassantForEver,
}
# What the keys of a hash table are made of. Each of these faults leaves something out.
KEYS: dict[str, Callable[[chess.Board], object]] = {
    "hash": lambda board: board.occupied,
    "hash-without-castling": lambda board: (board.board_fen(), board.turn, board.ep_square),
    "hash-without-en-passant": lambda board: (board.board_fen(), board.turn, board.castling_rights),
    "hash-complete": lambda board: (board.board_fen(), board.turn, board.castling_rights, board.ep_square),
}


def illegal_moves(board: chess.Board, faults: list[str]) -> Iterator[chess.Move]:
    """The moves that these faults add."""
    king = board.king(board.turn)
    if king is None:
        return
    if "king-into-check" in faults:
        yield from [m for m in board.pseudo_legal_moves if m.from_square == king and not board.is_legal(m)][:1]
    if "pinned-en-passant" in faults:
        yield from [m for m in board.generate_pseudo_legal_ep() if not board.is_legal(m)]
    if "castles-through-check" in faults and not board.is_check():
        wings = ((board.has_kingside_castling_rights, 1, 2), (board.has_queenside_castling_rights, -1, 3))
        for has_right, step, between in wings:
            path = [king + step * n for n in range(1, between + 1)]
            move, safe = chess.Move(king, path[1]), not board.is_attacked_by(not board.turn, path[1])
            if has_right(board.turn) and safe and not any(map(board.piece_at, path)) and not board.is_legal(move):
                yield move


class Engine:
    """What it was told, and what is wrong with it."""

    def __init__(self, style: str, total: str, faults: list[str]) -> None:
        self.style, self.total, self.faults = style, total, faults
        self.board = chess.Board()
        self.requested = 0
        self.table: dict[tuple[object, int], int] = {}
        self.key = next((KEYS[fault] for fault in faults if fault in KEYS), None)

    def legal(self, board: chess.Board) -> Iterator[chess.Move]:
        last = None
        for last in board.legal_moves:
            if "no-en-passant" in self.faults and board.is_en_passant(last):
                continue
            if "no-underpromotion" in self.faults and last.promotion not in (None, chess.QUEEN):
                continue
            if "dies-at-promotion" in self.faults and last.promotion:
                sys.exit(1)
            yield last
        if "twice" in self.faults and last:
            yield last
        yield from illegal_moves(board, self.faults)

    def take_back(self, board: chess.Board) -> None:
        move = board.pop()
        if "unmake" in self.faults and board.is_castling(move):
            board.castling_rights = 0
        if "unmake-gives-castling" in self.faults and board.piece_type_at(move.from_square) == chess.KING:
            board.castling_rights |= chess.BB_CORNERS & board.rooks & board.occupied_co[board.turn]

    def perft(self, board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        key = self.key and (self.key(board), depth)
        if key and key in self.table:
            return self.table[key]
        total = 0
        for move in sorted(self.legal(board), key=board.is_castling, reverse=True):
            board.push(move)
            total += self.perft(board, depth - 1)
            self.take_back(board)
        if key:
            self.table[key] = total
        return total

    def divide(self, depth: int) -> None:
        self.requested += 1
        if "keeps-table" not in self.faults:
            self.table.clear()
        total = 0
        for n, move in enumerate(list(self.legal(self.board)), 1):
            if "dies" in self.faults:
                sys.exit(1)
            if "slow" in self.faults:
                time.sleep(0.05)
            self.board.push(move)
            leaves = self.perft(self.board, depth - 1)
            self.take_back(self.board)
            leaves += "one-more" in self.faults and depth > 1
            leaves += "forgets" in self.faults and depth > 1 and self.requested <= 2
            total += leaves
            uci = move.uci().upper() if self.style == "upper" else move.uci()
            print(PRINTS[self.style].format(uci, leaves, n=n), flush=True)
        total += "bad-total" in self.faults and depth > 1
        if TOTALS[self.total]:
            print(TOTALS[self.total].format(total), flush=True)

    def position(self, words: list[str]) -> None:
        kind = next((BOARDS[fault] for fault in self.faults if fault in BOARDS), chess.Board)
        fen, _, moves = " ".join(words[2:]).partition(" moves ")
        self.board = kind(fen, chess960=any(c in "ABCDEFGHabcdefgh" for c in fen.split()[2]))
        for uci in moves.split():
            self.board.push(self.board.parse_uci(uci))

    def run(self) -> None:
        counting = None
        for line in sys.stdin:
            words = line.split()
            if words[:1] == ["uci"]:
                print("id name a test\nuciok", flush=True)
            elif words[:1] == ["isready"]:
                print("readyok", flush=True)
            elif words[:2] == ["position", "fen"]:
                self.position(words)
            elif words[:1] == ["ucinewgame"]:
                self.table.clear()
            elif words[:2] == ["go", "perft"]:
                depth = int(words[2])
                if "silent" in self.faults:
                    time.sleep(600)
                elif "garbage" in self.faults:
                    print("e2e4 e7e5 20\ne2e9: 20\ne2e4: -1\ne2e4: 1.5\n\x1b[31m\0: 20 nodes", flush=True)
                elif "knows-no-perft" in self.faults:
                    for i in range(3):
                        print(f"info depth {i} nodes 20 pv e2e4", flush=True)
                elif "thread" in self.faults:
                    if counting:
                        counting.join()
                    counting = threading.Thread(target=self.divide, args=(depth,))
                    counting.start()
                else:
                    self.divide(depth)
            elif words[:1] == ["quit"]:
                break


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--print", choices=PRINTS, default="colon")
    parser.add_argument("--total", choices=TOTALS, default="nodes")
    parser.add_argument("faults", nargs="*")
    options = parser.parse_args()
    Engine(options.print, options.total, options.faults).run()
