"""Files of games for tests: a month of Lichess in small, and games with everything that PGN has."""

from pathlib import Path
from typing import Any

from rookery import Games, read_pgn

SAMPLE = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
UGLY = """\
[Event "Größe"]
[White "Anna \\"A\\""]
[WhiteElo "?"]
[WhiteRatingDiff "-7"]
[UTCDate "2025.05.01"]
[UTCTime "23:59:58"]
[Opening ""]

{before} 1. e4! $1 {[%clk 0:03:00.5] [%eval #-3]} (1. d4 {} (1. c4)) 1... e5 {[%emt 0:00:01]} 2. -- ; rest } of line
1/2-1/2

[Variant "Chess960"]
[SetUp "1"]
[FEN "bqnrkr1b/pppppppp/8/8/8/8/PPPPPPPP/BQNRKR1B w KQkq - 0 1"]

1. O-O *

[FEN "4k3/P7/8/8/8/8/8/4K3 w - - 5 60"]

60. a8=N Ke7 61. Kd2 1-0

[Variant "Chess960"]

1. e4 *

[Event "No moves"]
[Result "0-1"]

[Event "bad"]

1. e4 Ke2 2. d4 0-1
"""
ALL: dict[str, Any] = {"headers": "all", "comments": True, "nags": True, "variations": True}


def ugly(**options: Any) -> Games:
    return read_pgn(UGLY.encode(), **(ALL | options))
