"""Random calls of the native functions of `Board`, `Move`, `Piece`, `Bitboard` and `SquareSet`, as a program.

``python board_session.py SEED ROUNDS`` prints a digest of all answers, errors among them.
"""

import hashlib
import random
import re
import sys
from collections.abc import Callable
from typing import Any, Final

from rookery import Bitboard, Board, Move, Piece, SquareSet
from rookery.bitboards.squares import (
    parse_square,
    square_distance,
    square_file,
    square_manhattan_distance,
    square_mirror,
    square_name,
    square_rank,
)

FENS: Final = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "4k3/8/8/8/8/8/8/4K3 b - - 99 80",
)
PLAIN: Final = (
    *("board_fen", "can_claim_draw", "can_claim_fifty_moves", "can_claim_threefold_repetition", "checkers", "copy"),
    *("count_legal_moves", "epd", "fen", "has_insufficient_material", "has_legal_en_passant", "is_check"),
    *("is_checkmate", "is_fifty_moves", "is_fivefold_repetition", "is_game_over", "is_insufficient_material"),
    *("is_repetition", "is_seventyfive_moves", "is_stalemate", "is_valid", "key", "mirror", "outcome", "piece_map"),
    *("ply", "polyglot_key", "repetitions", "result", "unicode", "has_chess960_castling_rights"),
    *("generate_captures", "generate_castling_moves", "generate_checks", "generate_evasions"),
    *("generate_legal_captures", "generate_legal_ep", "generate_legal_moves", "generate_pseudo_legal_captures"),
    *("generate_pseudo_legal_ep", "generate_pseudo_legal_moves", "generate_quiet_moves"),
    *("turn", "ep_square", "halfmove_clock", "fullmove_number", "castling_rights", "occupied", "pawns", "knights"),
    *("bishops", "rooks", "queens", "kings", "legal_moves", "pseudo_legal_moves", "move_stack"),
)
OF_MOVES: Final = (
    *("gives_check", "is_capture", "is_castling", "is_en_passant", "is_into_check", "is_irreversible", "is_legal"),
    *("is_kingside_castling", "is_pseudo_legal", "is_queenside_castling", "is_zeroing", "lan", "move_word", "san"),
    *("see", "pseudo_legal_see", "uci", "push"),
)
OF_SQUARES: Final = ("attacks", "color_at", "piece_at", "piece_type_at", "kind_at")
OF_COLOURS: Final = (
    *("has_castling_rights", "has_insufficient_material", "pieces", "pieces_of", "has_kingside_castling_rights"),
    *("has_queenside_castling_rights", "king"),
)
OF_BOTH: Final = ("attackers", "is_attacked_by", "is_pinned", "pin")
OF_TEXTS: Final = ("parse_san", "parse_uci", "parse_xboard", "push_san", "push_uci", "push_xboard", "set_fen")
OF_NUMBERS: Final = (square_file, square_mirror, square_name, square_rank)
ODD: Final[tuple[Any, ...]] = (None, -1, 64, 2**64, "e4", "", "\N{WHITE CHESS KING}", "e" * 1000, 1.5, b"e4", [], Board)

_ADDRESS: Final = re.compile(" at 0x[0-9a-f]+")


class Session:
    """A board, and the answers so far."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._digest = hashlib.sha256()
        self._board = Board(FENS[seed % len(FENS)])
        self.calls = 0

    def run(self, rounds: int) -> str:
        """Call everything, so many times, and return the digest of the answers."""
        for _ in range(rounds):
            self._round()
        return self._digest.hexdigest()

    def _note(self, call: Callable[..., Any], *arguments: Any) -> Any:
        self.calls += 1
        try:
            answer = call(*arguments)
            shown = str(sorted(answer.items()) if isinstance(answer, dict) else answer)
            if hasattr(answer, "__iter__") and not isinstance(answer, str):
                shown += str([str(item) for item in answer])
        except (ValueError, TypeError, LookupError, OverflowError, AttributeError) as error:
            answer, shown = None, f"{type(error).__name__}: {error}"
        self._digest.update(_ADDRESS.sub("", shown).encode("utf-8", "surrogatepass"))
        return answer

    def _call(self, name: str, *arguments: Any) -> Any:
        value = getattr(self._board, name)
        return self._note(value, *arguments) if callable(value) else self._note(getattr, self._board, name)

    def _round(self) -> None:
        chosen, board = self._random, self._board
        for name in PLAIN:
            self._call(name)
        moves = board.generate_legal_moves()
        move = chosen.choice(moves) if moves and chosen.random() < 0.9 else Move(chosen.randrange(64), 3)
        square, colour = chosen.randrange(64), chosen.random() < 0.5
        for name in OF_MOVES:
            self._call(name, move)
        if board.move_stack:
            self._call("peek"), self._call("pop")
        texts = [board.uci(move), "Nf3", "O-O", "e8=Q+", board.fen(), "x" * chosen.randrange(200)]
        texts += [board.san(m) for m in board.generate_legal_moves()[:1]]
        for name in OF_TEXTS:
            text = chosen.choice(texts)
            self._call(name, text if chosen.random() < 0.7 else text[: chosen.randrange(len(text) + 1)])
        for name in OF_SQUARES:
            self._call(name, square)
        for function in OF_NUMBERS:
            self._note(function, square)
        for name in OF_COLOURS:
            self._call(name, colour)
        for name in OF_BOTH:
            self._call(name, colour, square)
        names = (*OF_MOVES, *OF_SQUARES, *OF_COLOURS, *OF_TEXTS)
        self._call(chosen.choice(names), chosen.choice(ODD))
        self._call(chosen.choice(OF_BOTH), chosen.choice(ODD), chosen.choice(ODD))
        other = chosen.randrange(64)
        self._call("find_move", square, other)
        self._note(square_distance, square, other), self._note(square_manhattan_distance, square, other)
        self._note(parse_square, chosen.choice(("e4", "i9", "")))
        self._call("set_piece_at", square, Piece.from_symbol(chosen.choice("pnbrqkPNBRQK")))
        self._call("set_piece_at", square, None)
        self._note(board.__eq__, board.copy())
        self._note(len, board.legal_moves), self._note(board.legal_moves.__contains__, move)
        self._sets(square)
        if chosen.random() < 0.1 or len(board.move_stack) > 60:
            self._board = Board(chosen.choice(FENS))
        elif moves and not board.move_stack and board.is_valid():
            self._call("push", chosen.choice(board.generate_legal_moves() or [move]))

    def _sets(self, square: int) -> None:
        chosen = self._random
        left, right = (Bitboard(chosen.getrandbits(64)) for _ in range(2))
        kept = SquareSet(chosen.getrandbits(64))
        for one, other in ((left, right), (kept, SquareSet(int(right)))):
            for name in ("__and__", "__or__", "__xor__", "__contains__"):
                self._note(getattr(one, name), square if name == "__contains__" else other)
            self._note(one.__invert__), self._note(list, one), self._note(len, one)
        self._note(kept.add, square), self._note(kept.discard, square), self._note(list, kept)
        word = Move.of(square, chosen.randrange(64))
        self._note(word.uci), self._note(Move.from_uci, word.uci()), self._note(Move.from_uci, "e9")


def main(seed: str, rounds: str) -> None:
    """Run a session."""
    session = Session(int(seed))
    print(session.run(int(rounds)), session.calls)


if __name__ == "__main__":
    main(*sys.argv[1:])
