"""Tables of the answers of other programs to the same questions, as recorded by `benchmarks/query_judges.py`."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_BENCHMARKS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
_DATA: Final = {
    "scoutfish": "all games that come with it",
    "cql": "its sample of games, most of them studies, and scoutfish's games",
    "pgn-extract": "games of scoutfish's tests and of Lichess",
    "esca": "positions of games of Lichess and of CQL's studies",
}


def _recorded() -> dict[str, Any]:
    judges: dict[str, Any] = json.loads((_BENCHMARKS / "judges.json").read_text(encoding="utf-8"))["judges"]
    return judges


def _code(query: str) -> str:
    return f"`{query}`".replace("|", "\\|")


def _is_same(row: dict[str, Any]) -> bool:
    if "differences" in row:
        return not row["differences"]
    several = [row["all"]] if "all" in row else [row, *([row["more"]] if "more" in row else [])]
    return all(answers["theirs"] == answers["ours"] == answers["both"] for answers in several)


def _verdict(row: dict[str, Any]) -> str:
    """Return `same`, or why the answers differ; exit if nobody has decided that yet."""
    if _is_same(row):
        return "same"
    if not row["verdict"]:
        raise SystemExit(f"judges.json: the answers to {row['name']} differ: add a verdict in benchmarks/judges")
    return str(row["verdict"])


def _table(head: str, rows: list[str], numbers: str) -> str:
    """Return a table. `numbers` has the columns of numbers, counted from 0."""
    columns = head.count("|") - 1
    align = "|".join("---:" if str(k) in numbers else "---" for k in range(columns))
    return "\n".join([head, f"|{align}|", *rows])


def summary() -> str:
    """Return a table with a line for each judge."""
    rows = []
    for judge, data in _DATA.items():
        result = _recorded()[judge]
        size = f"{result['positions']:,} positions" if judge == "esca" else f"{result['games']:,} games"
        if judge == "cql":
            size = f"{result['games'] + result['more_games']:,} games"
        same = sum(map(_is_same, result["rows"]))
        rows.append(f"| {judge} | {data} | {size} | {len(result['rows'])} | {same} | {len(result['rows']) - same} |")
    return _table("| judge | data | size | questions | same answer | decided by hand |", rows, "345")


def of_scoutfish() -> str:
    """Return the table of scoutfish."""
    result, rows = _recorded()["scoutfish"], []
    for row in result["rows"]:
        if not (row["first"] and row["expected"] == row["theirs"] == row["ours"] == row["both"]):
            raise SystemExit(f"judges.json: test {row['name']} of scoutfish fails")
        total = row["all"]
        rows.append(
            f"| {row['name']} | {row['text']} | {_code(row['query'])} | {row['expected']} | {row['ours']} | "
            f"{total['theirs']:,} | {total['ours']:,} | {_verdict(row)} |"
        )
    head = "| test | question | query | expected | here | in all games | here | verdict |"
    return _table(head, rows, "03456")


def of_pgn_extract() -> str:
    """Return the table of pgn-extract."""
    rows = [
        f"| {_code(row['name'])} | {row['text']} | {_code(row['query'])} | {row['theirs']} | {row['ours']} | "
        f"{_verdict(row)} |"
        for row in _recorded()["pgn-extract"]["rows"]
    ]
    return _table("| filter | question | query | pgn-extract | here | verdict |", rows, "34")


def of_cql() -> str:
    """Return the table of CQL."""
    rows = []
    for row in _recorded()["cql"]["rows"]:
        more = row.get("more") or {"theirs": "", "ours": ""}
        rows.append(
            f"| {_code(row['name'])} | {row['text']} | {_code(row['query'])} | {row['theirs']} | {row['ours']} | "
            f"{more['theirs']} | {more['ours']} | {_verdict(row)} |"
        )
    return _table("| example | question | query | CQL | here | CQL, more | here, more | verdict |", rows, "3456")


def of_esca() -> str:
    """Return the table of esca."""
    rows = [
        f"| `{row['name']}` | {_code(row['query'])} | {row['values']:,} | {row['differences']} | {_verdict(row)} |"
        for row in _recorded()["esca"]["rows"]
    ]
    return _table("| fact | query | values | differences | verdict |", rows, "23")


def unsaid() -> str:
    """Return the list of CQL's examples that the language cannot say."""
    reasons = _recorded()["cql"]["unsaid"]
    return "\n".join(f"- {', '.join(f'`{name}`' for name in names)}: {reason}" for reason, names in reasons.items())


def speed() -> str:
    """Return the recorded ``python benchmarks/query_peers.py``."""
    result = json.loads((_BENCHMARKS / "query_peers.json").read_text(encoding="utf-8"))
    machine = result["machine"]
    rows = [
        f"{result['plies']:,} half-moves, one core of an {machine['cpu']}, {machine['date']}; medians of "
        f"{result['rounds']} rounds in turns. Figures are million half-moves a second, or MB of PGN a second:",
        "",
        "| question | program | reads | its speed | here | ratio |",
        "|---|---|---|---:|---:|---:|",
    ]
    for row in result["rows"]:
        read = "games in memory" if row["peer"] == "scoutfish" else "PGN"
        unit = " MB" if row["unit"] == "bytes" else ""
        theirs, ours = (f"{row[side] / 1e6:,.1f}{unit}" for side in ("theirs_per_second", "ours_per_second"))
        what = row["what"].removesuffix(f", like {row['peer']}")
        rows.append(f"| {what} | {row['peer']} | {read} | {theirs} | {ours} | {row['ratio']:.1f} |")
    return "\n".join(rows)


BLOCKS: Final[dict[str, Callable[[], str]]] = {
    "judges": summary,
    "judges-scoutfish": of_scoutfish,
    "judges-cql": of_cql,
    "judges-cql-unsaid": unsaid,
    "judges-pgn-extract": of_pgn_extract,
    "judges-esca": of_esca,
    "judges-speed": speed,
}
