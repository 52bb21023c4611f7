"""Games of Lichess, and damage to their bytes."""

import random
from pathlib import Path

SAMPLE = (Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn").read_bytes()
GAMES = [b"[Event " + game for game in SAMPLE.split(b"\n\n[Event ")[1:]]
GAMES += [
    b'[Event "x"]\n[FEN "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"]\n\n'
    b"1. O-O-O c5 2. dxc6 O-O 3. cxd7 Nc4 4. Bxh3 Nxb2 5. Nxg6 fxg6 6. Kxb2 *",
    b'[Event "y"]\n[Variant "Chess960"]\n[FEN "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1"]\n\n'
    b"1. f4 f5 2. O-O {one (} O-O (2... e5 $1 (2... d5 {two})) 3. e4! fxe4 ; so\n4. Bxe4 1-0",
]
_SIGNS = b'abcdefgh12345678NBRQKOx+#=-.(){}[];%$!?*"\\ \n\r0/\x00\x80\xc3\xff\x1a'


def damaged(rng: random.Random, game: bytes) -> bytes:
    """Bytes changed, cut out, doubled or swapped."""
    for _ in range(rng.randrange(1, 4)):
        i, j = sorted((rng.randrange(len(game) + 1), rng.randrange(len(game) + 1)))
        j = min(j, i + rng.randrange(1, 40))
        kind = rng.randrange(5)
        if kind == 0:
            game = game[:i] + bytes([rng.choice(_SIGNS)]) + game[i + 1 :]
        elif kind == 1:
            game = game[:i] + game[j:]
        elif kind == 2:
            game = game[:j] + game[i:j] + game[j:]
        elif kind == 3:
            k = min(j + (j - i), len(game))
            game = game[:i] + game[j:k] + game[i:j] + game[k:]
        else:
            game = game[:i] + bytes([game[i] ^ 1 << rng.randrange(8)]) + game[i + 1 :] if i < len(game) else game
    return game
