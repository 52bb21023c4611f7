"""Compare the answers of queries with those of other programs: scoutfish, CQL, pgn-extract and esca.

Each is optional, and named by an option or an environment variable. Answers of programs that are not given are kept as
they were recorded: ``python benchmarks/query_judges.py --cql FOLDER --out benchmarks/judges.json``.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import click

from judges import cql, esca, pgn_extract, scoutfish
from judges.questions import Question
from recording import out_option, record
from rookery import read_pgn
from rookery.bench.machine import describe

ROOT: Final = Path(__file__).resolve().parents[1]
RECORDED: Final = ROOT / "benchmarks" / "judges.json"
QUESTIONS: Final = {
    "scoutfish": scoutfish.QUESTIONS,
    "cql": cql.QUESTIONS + cql.COUNTS,
    "pgn-extract": pgn_extract.QUESTIONS,
    "esca": esca.QUESTIONS,
}
LICHESS: Final = ROOT.parent / "shared" / "data" / "lichess-2025-05-47-games.pgn"


def fens_for_esca(sample: Path | None) -> list[str]:
    """Return the positions of games of Lichess, and every fourth position of CQL's sample of studies, if given."""
    fens = read_pgn(LICHESS).positions("all").to_fens()
    if sample is not None:
        fens += read_pgn(sample).positions("all")[::4].to_fens()
    return list(dict.fromkeys(fens))


def _describe(judge: str, rows: list[dict[str, Any]], questions: tuple[Question, ...]) -> None:
    """Add to each row its question in words, its query and its verdict."""
    asked = {question.name: question for question in questions}
    if asked.keys() != {row["name"] for row in rows}:
        raise ValueError(f"{judge}: other questions than those recorded: give {judge} to ask them")
    for row in rows:
        question = asked[row["name"]]
        if row.setdefault("query", question.query) != question.query:
            raise ValueError(f"{judge}: {question.name}: another query than the recorded one: give {judge} to ask it")
        row |= {"text": question.text, "verdict": question.verdict}


def measure(
    *,
    scoutfish_folder: Path | None = None,
    cql_folder: Path | None = None,
    esca_python: Path | None = None,
    progress: Callable[[str], None] = lambda what: None,
) -> dict[str, Any]:
    """Ask all programs that are given, and return the answers with those recorded before."""
    judges: dict[str, Any] = {}
    if RECORDED.exists():
        judges = json.loads(RECORDED.read_text(encoding="utf-8"))["judges"]
    if scoutfish_folder:
        judges["scoutfish"] = scoutfish.compare(scoutfish_folder, progress)
        if pgn_extract.PROGRAM:
            games = [scoutfish_folder / "pgn" / "famous_games.pgn", LICHESS]
            judges["pgn-extract"] = pgn_extract.compare(games, progress)
    if cql_folder:
        before = {row["name"]: row.get("more") for row in judges.get("cql", {"rows": []})["rows"]}
        more_games = judges.get("cql", {}).get("more_games")
        if scoutfish_folder:
            more_games, before = cql.compare_more(
                cql_folder, sorted((scoutfish_folder / "pgn").glob("*.pgn")), progress
            )
        judges["cql"] = {"more_games": more_games, **cql.compare(cql_folder, progress)}
        for row in judges["cql"]["rows"]:
            if before.get(row["name"]):
                row["more"] = before[row["name"]]
    if esca_python:
        fens = fens_for_esca(cql_folder and cql_folder / "sample.pgn")
        judges["esca"], _ = esca.compare(esca_python, fens, progress)
    for name, questions in QUESTIONS.items():
        if name in judges:
            _describe(name, judges[name]["rows"], questions)
    if "cql" in judges:
        judges["cql"]["unsaid"] = cql.UNSAID
    return {
        "benchmark": "judges",
        "command": "python benchmarks/query_judges.py",
        "machine": describe(),
        "judges": judges,
    }


_FOLDER: Final = click.Path(exists=True, file_okay=False, path_type=Path)


@click.command()
@click.option(
    "--scoutfish",
    "scoutfish_folder",
    type=_FOLDER,
    envvar="ROOKERY_SCOUTFISH",
    help="A folder with scoutfish: src/scoutfish, src/test.py and pgn/.",
)
@click.option(
    "--cql",
    "cql_folder",
    type=_FOLDER,
    envvar="ROOKERY_CQL",
    help="A folder with CQL 6.2: cql, exalpha/ and sample.pgn.",
)
@click.option(
    "--esca",
    "esca_python",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    envvar="ROOKERY_ESCA",
    help="The Python of an environment with esca.",
)
@out_option
def main(scoutfish_folder: Path | None, cql_folder: Path | None, esca_python: Path | None, out: Path | None) -> None:
    """Compare the answers of queries with those of other programs."""
    record(measure, out, scoutfish_folder=scoutfish_folder, cql_folder=cql_folder, esca_python=esca_python)


if __name__ == "__main__":
    main()
