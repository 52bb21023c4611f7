"""The tables of the page on the shortest formulas, from the ledger of the search."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rookery.cli.common import size

_LEDGER: Final = Path(__file__).resolve().parents[1] / "research" / "ledger.json"
_PIECES: Final = ("rook", "bishop", "queen")
_ATTACKS: Final = {
    ("north", "northeast", "east", "northwest"): "a ray upward",
    ("file", "diagonal", "antidiagonal"): "a file or diagonal",
    ("file", "rank", "diagonal", "antidiagonal"): "any line",
    ("rook",): "a rook",
    ("bishop",): "a bishop",
    ("queen",): "a queen",
}
_LINES: Final = ("rank", "file", "diagonal", "antidiagonal")
_MASKS: Final = (*_LINES, "m", "m_low", "m_up")
_BYTES_OF_MASK: Final = 512  # a word for each square


def _rows() -> list[dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = json.loads(_LEDGER.read_text(encoding="utf-8"))
    return list(rows.values())


def _fewest(row: dict[str, Any]) -> str:
    """Return the least number of operations, or its bounds."""
    least = row["fewest"] or row["none_up_to"] + 1
    return f"**{least}**" if least == row["known"] or row["fewest"] else f"{least} to {row['known']}"


def _inputs(row: dict[str, Any]) -> str:
    masks = [name for name in row["inputs"] if name in _LINES]
    names = [f"`{name}`" for name in row["inputs"] if len(masks) < 4 or name not in masks]
    return ", ".join([*names, "the four masks"] if len(masks) == 4 else names)


def _tables(row: dict[str, Any]) -> str:
    masks = sum(name in _MASKS for name in row["inputs"])
    return size(_BYTES_OF_MASK * masks) if masks else "none"


def _reached(row: dict[str, Any]) -> int:
    """Return the length up to which the second search confirms that there is no program; one operation needs none."""
    return int(min(row["none_up_to"], max([1, *(c["operations"] for c in row["confirmed"])])))


def _searched(row: dict[str, Any]) -> str:
    """Return how far the searches are complete, and the bounds that follow."""
    return f"{row['none_up_to']} | {_reached(row)} | {_fewest(row)} | {row['known']}, `{row['known_as']}`"


def _mask(row: dict[str, Any]) -> str:
    return "free" if row["masked"] else "counted"


def _answers(of_pieces: bool) -> str:
    rows = [
        "| question | attacks of | inputs | tables | operations | mask "
        "| none with up to | confirmed | fewest | published |",
        "|---|---|---|---:|---|---|---:|---:|---:|---|",
    ]
    rows += [
        f"| `{row['name']}` | {_ATTACKS[tuple(row['movers'])]} | {_inputs(row)} | {_tables(row)} | {row['operations']} "
        f"| {_mask(row)} | {_searched(row)} |"
        for row in _rows()
        if row["table"] is None and (row["movers"][0] in _PIECES) is of_pieces
    ]
    return "\n".join(rows)


def look_ups() -> str:
    """Return the answers for programs with a look-up."""
    rows = [
        "| question | inputs | the table | operations | mask | none with up to | confirmed | fewest | published |",
        "|---|---|---|---|---|---:|---:|---:|---|",
    ]
    for row in _rows():
        if table := row["table"]:
            entries = f"{1 << table['index_bits']} {'bytes' if table['entry_bits'] == 8 else 'words'}"
            whose = "for all squares" if table["shared"] else "for each square"
            rows.append(
                f"| `{row['name']}` | {_inputs(row)} | {entries} {whose} | {row['operations']} | {_mask(row)} "
                f"| {_searched(row)} |"
            )
    return "\n".join(rows)


def lines() -> str:
    """Return the answers for rays and lines."""
    return _answers(of_pieces=False)


def pieces() -> str:
    """Return the answers for rooks, bishops and queens."""
    return _answers(of_pieces=True)


def programs() -> str:
    """Return every shortest program that the search found."""
    parts = []
    for row in _rows():
        if row["programs"]:
            number = len(row["programs"])
            parts += [f"{row['name']}, {row['fewest']} operations, {number} program{'s' if number > 1 else ''}"]
            parts += [f"    {program}" for program in row["programs"]]
    return "\n".join(["```text", *parts, "```"])


def operations() -> str:
    """Return the sets of operations."""
    sets = {row["operations"]: row["operation_texts"] for row in _rows()}
    rows = ["| name | operations |", "|---|---|"]
    for name, texts in sets.items():
        listed = ", ".join(f"`{text}`" for text in texts).replace("|", "\\|")
        rows.append(f"| {name} | {listed} |")
    return "\n".join(rows)


def counts() -> str:
    """Return how much each exhaustive search ran: the longest one that found nothing, and its confirmation."""
    rows = _rows()
    machine = rows[0]["machine"]
    first = sum(length["seconds"] for row in rows for length in row["lengths"])
    second = sum(c["seconds"] for row in rows for c in row["confirmed"])
    table = [
        f"One core of an {machine['cpu']} ({machine['llvm_cpu']}), {machine['date']}, Numba {machine['numba']}. All "
        f"searches took {first / 60:.0f} minutes of CPU time, the confirmations {second / 60:.0f}:",
        "",
        "| question | operations | sets of values | last operations tested | cases | programs, second search |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for row in rows:
        confirmed = {c["operations"]: c for c in row["confirmed"]}
        for length in row["lengths"]:
            n = length["operations"]
            if n < row["none_up_to"] - 1 or n > row["none_up_to"]:
                continue
            programs = f"{confirmed[n]['programs']:,}" if n in confirmed else ""
            table.append(
                f"| `{row['name']}` | {n} | {length['sets']:,} | {length['tests']:,} | {length['cases']} | {programs} |"
            )
    return "\n".join(table)


def _agree(row: dict[str, Any]) -> bool:
    """Return whether both searches found programs that are right on the cases for the same numbers of operations."""
    hits = {length["operations"]: length["hits"] for length in row["lengths"]}
    return all((c["right"] > 0) == (hits[c["operations"]] > 0) for c in row["confirmed"])


def confirmed() -> str:
    """Return what the second search confirmed, and what it did not reach."""
    rows = _rows()
    wrong = [row["name"] for row in rows if not _agree(row)]
    if wrong:
        raise SystemExit(f"research/ledger.json: the searches disagree on {', '.join(wrong)}")
    short = [f"`{row['name']}` ({_reached(row)})" for row in rows if _reached(row) < row["none_up_to"]]
    total = sum(c["programs"] for row in rows for c in row["confirmed"])
    return (
        f"The second search ran {total:,} programs and agrees everywhere. It confirms the answers of "
        f"{len(rows) - len(short)} of the {len(rows)} questions in full, and those of the others up to the number of "
        f"operations in brackets: {', '.join(short)}."
    )


BLOCKS: Final[dict[str, Callable[[], str]]] = {
    "discovery-lines": lines,
    "discovery-pieces": pieces,
    "discovery-look-ups": look_ups,
    "discovery-programs": programs,
    "discovery-operations": operations,
    "discovery-counts": counts,
    "discovery-confirmed": confirmed,
}
