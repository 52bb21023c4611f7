"""A UCI engine by python-chess for the tests: ``uci_engine.py [--print STYLE] [--total STYLE] [FAULT ...]``.

Its divide is right unless a fault is named, and printed in one of several ways.
"""

import argparse
import sys
import threading
import time
from collections.abc import Iterator

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


class Engine:
    """What it was told, and what is wrong with it."""

    def __init__(self, style: str, total: str, faults: list[str]) -> None:
        self.style, self.total, self.faults = style, total, faults
        self.board = chess.Board()
        self.asked = 0
        self.table: dict[tuple[int, int], int] = {}

    def legal(self, board: chess.Board) -> Iterator[chess.Move]:
        last = None
        for last in board.legal_moves:
            if not ("no-en-passant" in self.faults and board.is_en_passant(last)):
                yield last
        if "twice" in self.faults and last:
            yield last
        king = board.king(board.turn)
        if "king-into-check" in self.faults and king is not None:
            yield from [m for m in board.pseudo_legal_moves if m.from_square == king and not board.is_legal(m)][:1]

    def perft(self, board: chess.Board, depth: int) -> int:
        if depth == 0:
            return 1
        key = board.occupied, depth  # the fault of "hash": which piece stands there is not in it
        if "hash" in self.faults and key in self.table:
            return self.table[key]
        total = 0
        for move in sorted(self.legal(board), key=board.is_castling, reverse=True):
            board.push(move)
            total += self.perft(board, depth - 1)
            board.pop()
            if "unmake" in self.faults and board.is_castling(move):
                board.castling_rights = 0
        self.table[key] = total
        return total

    def divide(self, depth: int) -> None:
        self.asked += 1
        self.table.clear()
        total = 0
        for n, move in enumerate(self.legal(self.board), 1):
            if "dies" in self.faults:
                sys.exit(1)
            if "slow" in self.faults:
                time.sleep(0.05)
            self.board.push(move)
            leaves = self.perft(self.board, depth - 1)
            self.board.pop()
            leaves += "one-more" in self.faults and depth > 1
            leaves += "forgets" in self.faults and depth > 1 and self.asked <= 2
            total += leaves
            uci = move.uci().upper() if self.style == "upper" else move.uci()
            print(PRINTS[self.style].format(uci, leaves, n=n), flush=True)
        total += "bad-total" in self.faults and depth > 1
        if TOTALS[self.total]:
            print(TOTALS[self.total].format(total), flush=True)

    def position(self, words: list[str]) -> None:
        kind = Castling if "keeps-castling" in self.faults else chess.Board
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
            elif words[:2] == ["go", "perft"]:
                depth = int(words[2])
                if "knows-no-perft" in self.faults:
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
