"""pgn-extract (David Barnes, GPL 3): patterns of positions and material.

The version 19.04 of Debian counts a promotion for the other side, and takes White to begin every game. Its material is
therefore compared in games without promotions that White begins.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from judges.questions import Question, compared, games_found, positions_of

PROGRAM: Final = shutil.which("pgn-extract") or shutil.which("pgn-extract", path="/usr/games")

# Patterns in its notation, which are patterns here, too. A question of colours is FENPatternI there.
PATTERNS: Final = (
    ("White has castled on the king's side", "*/*/*/*/*/*/*/?????RK?", ""),
    ("A side has castled on the king's side", "*/*/*/*/*/*/*/?????RK?", "colors"),
    ("White has a fianchetto on the king's side", "*/*/*/*/*/??????P?/?????PBP/*", ""),
    ("Three pieces of any kind are in the centre, and e5 is empty", "*/*/*/???!1???/???!!???/*/*/*", ""),
    ("A white knight on e5 or f5, whatever else", "*/*/*/????[N]???/*/*/*/*", ""),
    ("A side has a rook or queen on its seventh rank, file d", "*/???[RQ]????/*/*/*/*/*/*", "colors"),
    ("Black has pieces on both rim files of White's fourth rank", "*/*/*/*/a??????a/*/*/*", ""),
    ("f7 is not a pawn, g7 is none, the king is on g8", "??????k?/?????[^p][^p]?/*/*/*/*/*/*", ""),
    ("A white pawn on e5, Black's pawn neither on d6 nor on f6", "*/*/???[^p]?[^p]??/????P???/*/*/*/*", ""),
    ("White's first rank is bare but for king and one rook", "*/*/*/*/*/*/*/11111RK1", ""),
)
# Material of White and Black in its notation, and the same as a condition. Kings are never named, a letter without a
# number means one piece, and a letter that is missing means none.
MATERIAL: Final = {
    "qr2b2n2p8 qr2b2n2p7": 'signature == "KQRRBBNNPPPPPPPPvKQRRBBNNPPPPPPP"',
    "q*r*b*n*p8 q*r*b*n*p6-": "count(white.pawns) == 8 and count(black.pawns) <= 6",
    "q*r*b2n0p* q*r*b*n2p*": "count(white.bishops) == 2 and not white.knights and count(black.knights) == 2",
    "q+r*b*n*p* q0r*b*n*p*": "count(white.queens) >= 1 and not black.queens",
    "q*r<b*n>p* q*r*b*n*p*": "count(white.rooks) < count(black.rooks) and count(white.knights) > count(black.knights)",
    "q*r*b*n*p2>= q*r*b*n*p*": "count(white.pawns) == count(black.pawns) + 2",
    "q*r*b*n*p1<= q*r*b*n*p*": "count(white.pawns) == count(black.pawns) - 1",
    "q*r2b#n=p* q*r2b*n*p*": (
        "count(white.rooks) == 2 and count(black.rooks) == 2 and count(white.bishops) != count(black.bishops)"
        " and count(white.knights) == count(black.knights)"
    ),
}
_PLIES: Final = 2


def lasting(material: str, plies: int) -> str:
    """Return the query for material that lasts for some half-moves.

    pgn-extract counts the half-moves, so there is one position more, and a move follows each of them.
    """
    return f"for_plies({plies + 1}, move.exists and {MATERIAL[material]})"


def _pattern(pattern: str, under: str) -> str:
    return f'pattern("{pattern}", "{under}")' if under else f'pattern("{pattern}")'


QUESTIONS: Final = (
    *(
        Question(f"FENPattern{'I' if colors else ''} {pattern}", text, _pattern(pattern, colors))
        for text, pattern, colors in PATTERNS
    ),
    *(
        Question(f"material {_PLIES} {material}", "This material for two half-moves", lasting(material, _PLIES))
        for material in MATERIAL
    ),
)


def games_found_by(program: str, option: str, question: str, source: Path) -> set[int]:
    """Run pgn-extract on a file whose headers White are numbers, and return the numbers of the games it finds."""
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as asked:
        asked.write(f"{question}\n")
        asked.flush()
        command = [program, "-s", f"{option}{asked.name}", str(source)]
        output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {int(number) for number in re.findall(r'\[White "(\d+)"', output)}


def numbered(sources: Iterable[Path]) -> list[tuple[str, bool]]:
    """Return the mainlines of games as PGN, with numbers as White, and whether each has a promotion.

    Games with errors, and those that begin from other positions, are left out.
    """
    import chess.pgn

    games: list[tuple[str, bool]] = []
    for source in sources:
        with source.open(encoding="utf-8", errors="replace") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                moves = list(game.mainline_moves())
                if game.errors or "FEN" in game.headers or not all(moves):
                    continue
                text = chess.Board().variation_san(moves)
                result = game.headers["Result"]
                result = result if result in ("1-0", "0-1", "1/2-1/2") else "*"
                head = f'[White "{len(games)}"]\n[Result "{result}"]\n\n'
                games.append((f"{head}{text} {result}\n\n", any(move.promotion for move in moves)))
    return games


def compare(sources: list[Path], progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Ask each question about some games, and compare the games that both programs find."""
    assert PROGRAM is not None
    progress("pgn-extract: games")
    games, rows = numbered(sources), []
    with tempfile.TemporaryDirectory() as folder:
        for with_promotions in (True, False):
            pgn = Path(folder) / f"{with_promotions}.pgn"
            pgn.write_text(
                "".join(text for text, promotes in games if with_promotions or not promotes), encoding="ascii"
            )
            positions = positions_of(pgn)
            numbers = positions.header("White")
            number_of = dict(zip(positions.game.tolist(), map(int, numbers), strict=True))
            for question in QUESTIONS:
                what, rest = question.name.split(" ", 1)
                if (what == "material") == with_promotions:
                    continue
                progress(f"pgn-extract: {question.name}")
                option, asked = ("-y", rest) if what == "material" else ("-t", f'{what} "{rest}"')
                theirs = games_found_by(PROGRAM, option, asked, pgn)
                ours = {number_of[game] for game in games_found(positions, question.query)}
                rows.append({"name": question.name, **compared(theirs, ours)})
    return {"games": len(games), "without_promotions": sum(not promotes for _, promotes in games), "rows": rows}
