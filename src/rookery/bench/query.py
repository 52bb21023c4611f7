"""Questions about games: how many half-moves a second a search looks at, and how long a new question takes.

The games are those of a file, or of a simple player (see `rookery.bench.played_games`). Each answer is found in a
second way before it is timed: by methods of `Positions` on the boards of all positions, where the search skips what it
can. `benchmarks/query_peers.py` compares searches with those of other programs.
"""

import statistics
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bench.machine import describe
from rookery.bench.played_games import played_games
from rookery.bench.questions import QUESTIONS
from rookery.bench.turns import TimedRow, TimedWork, compare_all, installed, timed
from rookery.games.games import Games
from rookery.games.interchange.parquet import write_parquet
from rookery.games.read.reader import read_pgn, scan_pgn
from rookery.games.search.sources import search
from rookery.kernel import U64
from rookery.positions.motifs import MOTIFS
from rookery.positions.positions import Positions

BLOCK: Final = 1 << 14  # positions whose motifs are found at once
BATCH: Final = 4096  # games read at once, as the search does
THREADS: Final = 2
FEW: Final = 20  # games of which a new question is asked, so that the time for the data is short
ROUNDS_OF_FEW: Final = 9

_PATTERN: Final = "?????rk?/?????ppp/*/*/*/*/*/*"
_LONG_DIAGONALS: Final = U64(0x8142241818244281)
_F8, _G8, _F7_TO_H7 = U64(1 << 61), U64(1 << 62), U64(0xE0 << 48)


class Case(NamedTuple):
    """A question, its answer in a second way, and what is to be reached."""

    what: str
    query: str
    second_way: Callable[[Any], NDArray[np.bool_]]
    goal: float  # half-moves a second
    published: str  # published figures of other programs for questions of this kind


def _rook_ahead(p: Any) -> NDArray[np.bool_]:
    rooks = [np.bitwise_count(p.pieces("rook", side)) for side in ("white", "black")]
    material = [p.material(side).astype(np.int64) for side in ("us", "them")]
    return np.array((rooks[0] == 2) & (rooks[1] == 1) & (material[0] - material[1] >= 3))


def _castled(p: Any) -> NDArray[np.bool_]:
    rooks, king, pawns = (p.pieces(kind, "black") for kind in ("rook", "king", "pawn"))
    return np.array((rooks & _F8 != 0) & (king == _G8) & (pawns & _F7_TO_H7 == _F7_TO_H7))


def _royal_forks(p: Any) -> NDArray[np.bool_]:
    return np.array(p.forks("knight", "kq", "them") != 0)


def _pins(p: Any) -> NDArray[np.bool_]:
    return np.array(p.pinned("us") & _LONG_DIAGONALS != 0)


def _crowded_kings(p: Any) -> NDArray[np.bool_]:
    return np.array(np.bitwise_count(p.attacks("us") & p.motif("king_zone", "them")) >= 7)


def _mates(p: Any) -> NDArray[np.bool_]:
    return np.array(p.is_check() & (p.legal_move_counts() == 0))


MATERIAL: Final = Case(
    "material",
    "count(white.rooks) == 2 and count(black.rooks) == 1 and imbalance >= 3",
    _rook_ahead,
    100e6,
    "scoutfish 12 to 24, CQL 0.46",
)
SIGNATURE: Final = Case(
    "signature",
    'signature == "KRPPPvKRPPP"',
    lambda p: np.array(p.signature() == "KRPPPvKRPPP"),
    100e6,
    "scoutfish 12 to 24",
)
SUB_FEN: Final = Case("sub-FEN", f'pattern("{_PATTERN}")', _castled, 60e6, "scoutfish 12 to 24")
FORKS: Final = Case(
    "attack sets: royal forks",
    "them.knights & knight_attacks(us.king) & knight_attacks(us.queens)",
    _royal_forks,
    25e6,
    "CQL 0.27",
)
PINS: Final = Case("pins on a long diagonal", "pinned(us) & long_diagonals", _pins, 25e6, "CQL 0.27")
ATTACKS: Final = Case(
    "attack sets: seven squares near the king",
    "count(attacks(us) & king_zone(them)) >= 7",
    _crowded_kings,
    25e6,
    "CQL 0.27",
)
MATES: Final = Case("mates", "is_mate", _mates, 20e6, "CQL 0.46")
CASES: Final = (MATERIAL, SIGNATURE, SUB_FEN, FORKS, PINS, ATTACKS, MATES)

# Other rows: what is to be reached, half-moves a second or a ratio; and the published figures of other programs.
DICTIONARY: Final = f"the dictionary: {len(MOTIFS)} motifs"
FROM_PGN: Final = "from PGN, compared with reading alone"
FROM_PARQUET: Final = "from Parquet"
IN_THREADS: Final = "two threads compared with one"
GOALS: Final[dict[str, dict[str, Any]]] = {
    **{case.what: {"goal": case.goal, "published": case.published} for case in CASES},
    DICTIONARY: {"goal": 8e6, "published": "esca 0.0095, its own 221 facts"},
    FROM_PGN: {"goal_ratio": 0.8},
    IN_THREADS: {"goal_ratio": 1.8},
}
FIRST_ANSWER_GOAL_MS: Final = 10

# New questions: a text with a gap, what stands there when it is asked before, and what when it is timed.
NEW_QUESTIONS: Final = (
    ('us.knights & outpost(us) & file("{}")', "ah", "cdef"),
    ("count(attacked_twice(them) & king_zone(us)) >= {} and us.queens", "5", "6"),
    ("hanging(them) & {} and not is_check", "pawns", "(rooks | queens)"),
    ("distance(us.king, them.king) == 2 and phase <= {}", "4", "8"),
    ('pattern("{}", "mirror colors")', "kq?/p[pn]p", "kr?/p[pb]p"),
    ("fork(us) & us.{} and move.captures", "queens", "knights"),
    ("passed(us) & our_rank({}) and count(us.rooks) == count(them.rooks)", "5", "6"),
    ('within(4, move.castles, move.captured == "{}", is_check)', "B", "N"),
    ("skewered(them) & them.rooks or relative_pin(them) & them.{}", "bishops", "knights"),
)


def case_rows(games: Games) -> Iterator[TimedRow]:
    """Yield the searches of stored games, in memory."""
    plies = plies_of(games)
    positions = games.positions("all")
    for case in CASES:
        right = _finds(np.flatnonzero(case.second_way(positions)).size)
        yield TimedRow(case.what, "plies", TimedWork(partial(_hits, games.search, case.query), plies, right))
    words = _tags(positions)
    yield TimedRow(DICTIONARY, "plies", TimedWork(partial(_dictionary, games), plies, partial(np.array_equal, words)))
    right = _finds(np.flatnonzero(ATTACKS.second_way(positions)).size)
    one, two = (TimedWork(partial(_hits, games.search, ATTACKS.query, threads=n), plies, right) for n in (1, THREADS))
    yield TimedRow(IN_THREADS, "plies", two, one, "rookery, one thread")


def file_rows(games: Games, pgn: Path, table: Path | None) -> Iterator[TimedRow]:
    """Yield the searches of a file of PGN, and of a table of the same games."""
    plies = plies_of(games)
    positions = games.positions("all")
    forks = _finds(np.flatnonzero(FORKS.second_way(positions)).size)
    reading = TimedWork(partial(_read, pgn), plies, _finds(plies))
    yield TimedRow(
        FROM_PGN,
        "plies",
        TimedWork(partial(_hits, search, pgn, FORKS.query), plies, forks),
        reading,
        "rookery, reading",
    )
    if table is not None:
        yield TimedRow(FROM_PARQUET, "plies", TimedWork(partial(_hits, search, table, FORKS.query), plies, forks))


def plies_of(games: Games) -> int:
    """Return the number of positions of games from the first to the last of each."""
    return int(games.moves.moves.size) + len(games)


def _finds(n: int) -> Callable[[int], bool]:
    return lambda answer: bool(answer == n)


def _hits(ask: Callable[..., Any], *arguments: Any, **options: Any) -> int:
    return len(ask(*arguments, **options))


def _dictionary(games: Games) -> NDArray[np.uint64]:
    return np.concatenate([block.tags() for block in games.position_blocks(BLOCK, when="all")])


def _tags(positions: Positions) -> NDArray[np.uint64]:
    """Return the words of `Positions.tags`, motif by motif."""
    words = np.zeros(len(positions), np.uint64)
    for bit, motif in enumerate(MOTIFS):
        words |= (positions.evaluate(f"{motif.name}(us)") != 0).astype(np.uint64) << U64(bit)
    return words


def _read(pgn: Path) -> int:
    kept: dict[str, Any] = {"headers": [], "clocks": False, "comments": False, "nags": False, "variations": False}
    with scan_pgn(pgn, games=BATCH, **kept) as scan:
        return sum(map(plies_of, scan))


def gallery_rows(games: Games, file: Path) -> Iterator[TimedRow]:
    """Yield the search of a file for each question of the gallery."""
    positions = games.positions("all")
    for question in QUESTIONS:
        values = positions.evaluate(question.query)
        right = _finds(np.flatnonzero(values).size)
        yield TimedRow(
            question.name, "plies", TimedWork(partial(_hits, search, file, question.query), plies_of(games), right)
        )


def gallery(games: Games, file: Path, rounds: int, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    """Return the hits of each question of the gallery in a file, and the seconds that the search takes."""
    rows = compare_all(gallery_rows(games, file), rounds, progress)
    return [
        {
            "name": question.name,
            "query": question.query,
            "hits": len(search(file, question.query)),
            "seconds": round(plies_of(games) / row["ours_per_second"], 4),
        }
        for question, row in zip(QUESTIONS, rows, strict=True)
    ]


def first_answers(games: Games, rounds: int = ROUNDS_OF_FEW) -> list[dict[str, Any]]:
    """Return what the first answer to each new question took, in milliseconds, and how much more than later ones.

    Before, similar questions are asked, so that the machine code of their functions is loaded.
    """
    few = games[:FEW]
    for text, before, _ in NEW_QUESTIONS:
        few.search(text.format(before))
    rows = []
    for text, _, new in NEW_QUESTIONS:
        query = text.format(new)
        first, *later = (timed(partial(few.search, query), 1)[0] for _ in range(rounds + 1))
        beyond = first - statistics.median(later)
        rows.append({"query": query, "first_ms": round(1e3 * first, 2), "beyond_data_ms": round(1e3 * beyond, 2)})
    return rows


def measure(
    *,
    file: Path | None = None,
    plies: int = 1_000_000,
    rounds: int = 5,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all questions over the games of a file of PGN, or over so many half-moves of a simple player's games.

    `progress` is called with each.
    """
    if plies < 1:
        raise ValueError(f"plies: {plies}: expected at least 1")
    with tempfile.TemporaryDirectory() as folder:
        pgn, table = file, None
        if pgn is None:
            pgn = Path(folder) / "games.pgn"
            pgn.write_bytes(played_games(plies, progress=progress))
        progress("reading games")
        games = read_pgn(pgn)
        if installed("pyarrow"):
            table = Path(folder) / "games.parquet"
            write_parquet(games, table)
        rows = compare_all([*case_rows(games), *file_rows(games, pgn, table)], rounds, progress)
        return {
            "benchmark": "query",
            "command": "rookery bench query",
            "machine": describe(),
            "games": len(games),
            "plies": plies_of(games),
            "rounds": rounds,
            "rows": [row | GOALS.get(row["what"], {}) for row in rows],
            "first_answers": first_answers(games),
            "gallery": gallery(games, table or pgn, rounds, progress),
        }
