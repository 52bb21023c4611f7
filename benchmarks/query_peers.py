"""Time questions to games that scoutfish, pgn-extract and CQL can answer, too, in turns with rookery in one run.

scoutfish searches an index that it has made, so rookery searches games in memory. pgn-extract and CQL read PGN, so
rookery reads the same file. All use one thread, and every answer is compared: the number of games found. The games
are the random games of ``rookery bench games``. Each program is optional: scoutfish is found as ``scoutfish`` on the
path or in the folder ``ROOKERY_SCOUTFISH``, CQL in the folder ``ROOKERY_CQL``, pgn-extract on the path.
"""

import functools
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import click

from judges import pgn_extract
from judges.scoutfish import Scoutfish
from recording import out_option, record
from rookery import Games, read_pgn, search
from rookery.bench.games import texts
from rookery.bench.machine import describe
from rookery.bench.turns import TimedRow, TimedWork, compare_all

# Each question in words, as a query, and in the peer's notation.
SCOUTFISH: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("material", 'signature == "KQRRBNPPPPPvKQRRBNPPPPP"', {"material": "KQRRBNPPPPPKQRRBNPPPPP"}),
    (
        "three pieces on given squares",
        "a6 in black.pawns and b3 in white.bishops and f3 in white.knights",
        {"sub-fen": "8/8/p7/8/8/1B3N2/8/8"},
    ),
    ("a move", 'white_to_move and move.piece == "N" and move.to_square == b7', {"white-move": "Nb7"}),
    (
        "a king or pawn takes a queen",
        'move.captured == "Q" and move.piece in ("K", "P")',
        {"moved": "KP", "captured": "Q"},
    ),
    (
        "a square held for three positions",
        "for_plies(3, e4 in white.knights)",
        {"streak": [{"sub-fen": "8/8/8/8/4N3/8/8/8"}] * 3},
    ),
]
_PATTERN: Final = "*/*/???[^p]?[^p]??/????P??k/*/*/*/*"
PGN_EXTRACT: Final = [
    ("a pattern", f'pattern("{_PATTERN}")', "-t", f'FENPattern "{_PATTERN}"'),
    (
        "material for two half-moves",
        "for_plies(3, move.exists and count(white.queens) >= 1 and not black.queens and count(white.pawns) == 8)",
        "-y",
        "2 q+r*b*n*p8 q0r*b*n*p*",
    ),
]
CQL: Final = [
    ("mate by a king and a knight", "is_mate and count(white) == 2 and checkers & white.knights", "loneknightmate"),
    ("three pins of a side", "count(pinned(white)) >= 3 or count(pinned(black)) >= 3", "pins"),
    ("five moves with check in a row", "for_plies(5, move.is_check)", "consecutive-checks"),
]
PLIES: Final = 1_000_000


def pgn_of(plies: int) -> bytes:
    """Return games with about so many half-moves, none of them with a promotion, which pgn-extract miscounts."""
    some = "\n".join(text for text in texts(False) if "=" not in text.split("\n\n")[1]) + "\n"
    return some.encode() * max(1, plies // int(read_pgn(some.encode()).plies.sum()))


def _equal(answer: int, *, expected: int) -> bool:
    return answer == expected


def _found(games: Games, query: str) -> int:
    return len(games.search(query, one_per_game=True))


def _found_in(source: Path, query: str) -> int:
    return len(search(source, query, one_per_game=True))


def _row(what: str, unit: str, units: int, ours: Callable[[], int], theirs: Callable[[], int], peer: str) -> TimedRow:
    right = functools.partial(_equal, expected=theirs())
    return TimedRow(f"{what}, like {peer}", unit, TimedWork(ours, units, right), TimedWork(theirs, units, right), peer)


def of_scoutfish(games: Games, running: Scoutfish) -> Iterator[TimedRow]:
    """Yield the comparisons with scoutfish, of games in memory with its index."""
    for what, query, question in SCOUTFISH:

        def theirs(question: dict[str, Any] = question) -> int:
            return int(running.ask(question)["match count"])

        yield _row(what, "plies", running.plies, functools.partial(_found, games, query), theirs, "scoutfish")


def of_pgn_extract(source: Path, program: str) -> Iterator[TimedRow]:
    """Yield the comparisons with pgn-extract, of a file of PGN."""
    for what, query, option, question in PGN_EXTRACT:
        asked = source.with_suffix(".txt")

        def theirs(option: str = option, question: str = question, asked: Path = asked) -> int:
            asked.write_text(f"{question}\n", encoding="ascii")
            command = [program, "-s", f"{option}{asked}", str(source)]
            return subprocess.run(command, capture_output=True, check=True).stdout.count(b"[White ")

        size = source.stat().st_size
        yield _row(what, "bytes", size, functools.partial(_found_in, source, query), theirs, "pgn-extract")


def of_cql(source: Path, folder: Path, plies: int) -> Iterator[TimedRow]:
    """Yield the comparisons with CQL, of a file of PGN."""
    for what, query, example in CQL:

        def theirs(example: str = example) -> int:
            command: list[str | Path] = [
                folder / "cql",
                "-s",
                "-input",
                source,
                "-output",
                source.with_name("found.pgn"),
            ]
            command.append(folder / "exalpha" / f"{example}.cql")
            output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            return int(output.split(" match")[0].split()[-1])

        yield _row(what, "plies", plies, functools.partial(_found_in, source, query), theirs, "CQL")


def measure(
    *,
    rounds: int = 5,
    plies: int = PLIES,
    scoutfish: Path | None = None,
    cql: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Time all questions to the programs that are there."""
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "games.pgn"
        source.write_bytes(pgn_of(plies))
        games = read_pgn(source)
        if scoutfish:
            progress("scoutfish: index")
            with Scoutfish(scoutfish, source) as running:
                found += compare_all(of_scoutfish(games, running), rounds, progress)
        if pgn_extract.PROGRAM:
            found += compare_all(of_pgn_extract(source, pgn_extract.PROGRAM), rounds, progress)
        if cql:
            found += compare_all(of_cql(source, cql, int(games.plies.sum())), rounds, progress)
    return {
        "benchmark": "query_peers",
        "command": "python benchmarks/query_peers.py",
        "machine": describe(),
        "rounds": rounds,
        "plies": int(games.plies.sum()),
        "rows": found,
    }


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=5, show_default=True)
@click.option("--plies", type=click.IntRange(1), default=PLIES, show_default=True, help="About how many half-moves.")
@out_option
def main(rounds: int, plies: int, out: Path | None) -> None:
    """Time questions that scoutfish, pgn-extract and CQL can answer, too, in turns with rookery."""
    built = os.environ.get("ROOKERY_SCOUTFISH")
    scoutfish = Path(built) / "src" / "scoutfish" if built else shutil.which("scoutfish")
    cql = os.environ.get("ROOKERY_CQL")
    record(
        measure,
        out,
        rounds=rounds,
        plies=plies,
        scoutfish=Path(scoutfish) if scoutfish else None,
        cql=Path(cql) if cql else None,
    )


if __name__ == "__main__":
    main()
