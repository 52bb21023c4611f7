"""Patterns and material, judged by pgn-extract: its FENPattern and its option for material find the same games.

Version 19.04, Debian's, counts a promotion for the other side, and takes White to begin every game. Its material is
therefore compared in games without promotions that White begins. Both are explained in docs/queries-judged.md.
"""

import functools
import random
import re
import subprocess
from pathlib import Path
from typing import Any, Final

import chess
import numpy as np
import pytest

from clean_games import games_of, pgn_of, replayed
from judges.pgn_extract import MATERIAL, PROGRAM, games_found_by, lasting
from rookery import read_pgn
from rookery.games.positions.game_positions import GamePositions
from thinning import slow

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="no pgn-extract; .ci/run installs Debian's")

GAMES: Final = 150
PATTERNS: Final = 40
SAMPLE: Final = Path(__file__).parents[2] / "samples" / "lichess-2025-05.pgn"


@functools.cache
def boards(with_promotions: bool) -> list[chess.Board]:
    """Games at their ends, without Chess960, which pgn-extract does not read."""
    games = [board for board in games_of(random.Random(47), 2 * GAMES) if not board.chess960]
    if not with_promotions:
        games = [b for b in games if b.root().turn and not any(move.promotion for move in b.move_stack)]
    return games[:GAMES]


@functools.cache
def positions(with_promotions: bool) -> GamePositions:
    return read_pgn(pgn_of(boards(with_promotions))).positions("all")


def found_by_rookery(query: str, with_promotions: bool) -> set[int]:
    return set(positions(with_promotions).where(query).game.tolist())


def found_by_pgn_extract(option: str, question: str, with_promotions: bool, folder: Path) -> set[int]:
    assert PROGRAM is not None
    source = folder / "games.pgn"
    if not source.exists():
        source.write_bytes(pgn_of(boards(with_promotions)))
    return games_found_by(PROGRAM, option, question, source)


def random_pattern(rng: random.Random, board: chess.Board) -> str:
    """Some squares of a board as they are, or by a sign that fits them most of the time, and ? on all others."""
    chosen = rng.sample(range(64), rng.choice([3, 6, 12, 24]))
    ranks = ["".join(sign(rng, board, 8 * y + x, chosen) for x in range(8)) for y in range(7, -1, -1)]
    return "/".join("*" if rank == "?" * 8 else rank for rank in ranks)


def sign(rng: random.Random, board: chess.Board, square: int, chosen: list[int]) -> str:
    piece = board.piece_at(square)
    if square not in chosen:
        return "?"
    other = rng.choice("PpNnRrQq")
    if piece is None:
        return rng.choice(["1", "1", f"[^{other}]"])
    letter = piece.symbol()
    return rng.choice([letter, letter, "!", "A" if piece.color else "a", f"[{letter}{other}]", f"[^{other}]"])


@pytest.mark.parametrize("colors", [False, True])
def test_patterns(colors: bool, tmp_path: Path) -> None:
    rng = random.Random(colors)
    sizes = []
    for _ in range(PATTERNS // 2):
        game = rng.choice(boards(True))
        stop = rng.randrange(len(game.move_stack) + 1)
        board = next(now for k, now in enumerate(replayed(game)) if k == stop)
        pattern = random_pattern(rng, board)
        name, under = ("FENPatternI", ', "colors"') if colors else ("FENPattern", "")
        expected = found_by_pgn_extract("-t", f'{name} "{pattern}"', True, tmp_path)
        assert found_by_rookery(f'pattern("{pattern}"{under})', True) == expected, pattern
        sizes.append(len(expected))
    assert np.count_nonzero(sizes) > PATTERNS // 4


@pytest.mark.parametrize("plies", [slow(1), 2, slow(6)])
@pytest.mark.parametrize("material", MATERIAL)
def test_material(material: str, plies: int, tmp_path: Path) -> None:
    expected = found_by_pgn_extract("-y", f"{plies} {material}", False, tmp_path)
    assert found_by_rookery(lasting(material, plies), False) == expected


def test_real_games(tmp_path: Path) -> None:
    games = read_pgn(SAMPLE)
    asked = tmp_path / "question"
    asked.write_text('FENPattern "*/*/*/*/*/*/*/?????RK?"\n', encoding="ascii")
    assert PROGRAM is not None
    command = [PROGRAM, "-s", f"-t{asked}", str(SAMPLE)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found: Any = games.positions("all").where('pattern("*/*/*/*/*/*/*/?????RK?")')
    sites = games.column("Site")[np.unique(found.game)]
    assert re.findall(r'\[Site "(.*)"\]', output) == sites.tolist()
