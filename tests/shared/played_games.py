"""Games played at random by python-chess, and written in every way that files have them."""

import math
import random
from typing import NamedTuple

import chess

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PAWNS = "4k3/PPP4p/8/8/8/8/ppp4P/4K3 b - - 3 57"
VALUES = [0, 1, 3, 3, 5, 9, 0]


class Played(NamedTuple):
    """A game as it was played, and its text."""

    board: chess.Board  # at the end, with all moves
    text: str
    clocks: list[float]
    evals: list[float]
    result: str


def start_of(rng: random.Random) -> chess.Board:
    kind = rng.randrange(6)
    if kind == 0:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board({1: KIWIPETE, 2: PAWNS}.get(kind, chess.STARTING_FEN))


def choose(rng: random.Random, board: chess.Board, moves: list[chess.Move], sensible: bool) -> chess.Move:
    """Any move, or one that takes much, castles, promotes or gives check."""
    if not sensible:
        return rng.choice(moves)

    def worth(move: chess.Move) -> float:
        taken = board.piece_type_at(move.to_square) or 0
        return VALUES[taken] + 3 * board.is_castling(move) + 2 * bool(move.promotion) + 4 * rng.random()

    return max(rng.sample(moves, min(8, len(moves))), key=worth)


def written(rng: random.Random, board: chess.Board, move: chess.Move, style: str) -> str:
    """A move as files have it."""
    if not move:
        return rng.choice(["--", "Z0"])
    san = board.san(move)
    if style == "uci":
        return board.uci(move)
    if style == "long" and not board.is_castling(move):
        san = board.lan(move)
    if style == "odd":
        san = san.replace("=", rng.choice(["=", ""])).replace("O", "0")
        san = san.rstrip("+#") + rng.choice(["", "+", "++", "#"])
        if san[0] in "abcdefgh" and rng.random() < 0.3:
            san = f"P{san}"
        san += rng.choice(["", "!", "?", "!?", "??", " $3", "$14"])
        if board.is_en_passant(move) and san[-1].isdigit() and "$" not in san:
            san += rng.choice([" e.p.", "e.p."])
    return san


def variation(rng: random.Random, board: chess.Board, depth: int = 0) -> str:
    moves = list(board.legal_moves)
    text = " ".join(board.san(move) for move in rng.sample(moves, min(2, len(moves))))
    inner = variation(rng, board, depth + 1) if depth < 3 and rng.random() < 0.3 else ""
    return f"({text} {rng.choice(['', '{a ) b}', '$1', '; not (', ''])}\n{inner})"


def play(rng: random.Random) -> Played:
    """Play a game at random, and write it in a random style."""
    board = start_of(rng)
    style = rng.choice(["plain", "plain", "lichess", "odd", "long", "uci"])
    headers = {"White": rng.choice(["Müller", 'the "best"', "?"]), "WhiteElo": str(rng.randrange(4000))}
    result = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if board.chess960:
        headers["Variant"] = "Chess960"
    if board.fen() != chess.STARTING_FEN:
        headers |= {"SetUp": "1", "FEN": board.fen()}
    words, clocks, evals = [], [], []
    sensible = rng.random() < 0.5
    for _ in range(rng.randrange(rng.choice([3, 80, 160]))):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = choose(rng, board, moves, sensible)
        if style == "odd" and rng.random() < 0.02 and not board.is_check():
            move = chess.Move.null()
        if board.turn or rng.random() < 0.3:
            words.append(f"{board.fullmove_number}{'.' if board.turn else '...'}")
        words.append(written(rng, board, move, style))
        clock = evaluation = math.nan
        if style == "lichess":
            clock = float(rng.randrange(36000))
            hours, seconds = divmod(int(clock), 3600)
            comment = f"[%clk {hours}:{seconds // 60:02}:{seconds % 60:02}]"
            if rng.random() < 0.3:
                evaluation = rng.randrange(-2000, 2000) / 100
                comment = f"[%eval {evaluation:.2f}] {comment}"
            elif rng.random() < 0.1:
                mate = rng.choice([-3, 1, 12])
                evaluation = math.copysign(1000 - abs(mate), mate)
                comment = f"[%eval #{mate}] {comment}"
            words.append(f"{{ {comment} }}")
        elif rng.random() < 0.1:
            words.append(rng.choice(["{ a comment }", "{of\n\ntwo [%lines]\n}", "; to the end\n", "{}", "{1. e4 (}"]))
        if rng.random() < 0.05:
            words.append(variation(rng, board))
        clocks.append(clock)
        evals.append(evaluation)
        board.push(move)
    tags = "".join(
        '[{} "{}"]\n'.format(name, value.replace("\\", "\\\\").replace('"', '\\"')) for name, value in headers.items()
    )
    text = f'[Event "x"]\n{tags}[Result "{result}"]\n\n{" ".join(words)} {result}\n\n'
    if rng.random() < 0.3:
        text = text.replace("\n", "\r\n")
    return Played(board, text, clocks, evals, result)
