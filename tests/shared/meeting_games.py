"""Short games of few moves, which meet, repeat each other and begin alike."""

import random

import chess
import chess.pgn


def made_games(n: int, seed: int) -> str:
    """Return the PGN of `n` games, with every result, and headers that are missing at times."""
    rng, texts = random.Random(seed), []
    for _ in range(n):
        game = chess.pgn.Game()
        for name in list(game.headers):
            del game.headers[name]
        for name in ("WhiteElo", "BlackElo"):
            if rng.random() < 0.8:
                game.headers[name] = str(rng.choice([0, 900, 1500, 2700]))
        if rng.random() < 0.8:
            game.headers["UTCDate"] = f"{rng.choice([1851, 2024])}.0{rng.randint(1, 9)}.11"
        if rng.random() < 0.8:
            game.headers["ECO"] = rng.choice(["A00", "C20"])
        if rng.random() < 0.8:
            game.headers["Opening"] = rng.choice(["Réti", "Alapin", "Ponziani"])
        game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
        node: chess.pgn.GameNode = game
        for _ in range(rng.randint(0, 12)):
            board = node.board()
            some = {
                "Nf3",
                "Ng1",
                "Nf6",
                "Ng8",
                "e4",
                "e5",
                "d4",
                "exd4",
                "d5",
                "exd6",
                "c4",
                "dxc3",
                "Ke2",
                "Ke7",
                "Ke1",
            }
            moves = [move for move in board.legal_moves if board.san(move).strip("+#") in some]
            if not moves:
                break
            node = node.add_variation(rng.choice(moves))
        texts.append(str(game))
    return "\n\n".join(texts)
