"""The ledger: a JSON file with the answer to each question, what was searched for it, and what confirmed it."""

import json
from pathlib import Path
from typing import Any

from formulas.deepening import Answer
from formulas.questions import OPERATIONS
from rookery import files
from rookery.bench.machine import describe


def row(answer: Answer) -> dict[str, Any]:
    """Return an answer as JSON holds it."""
    q = answer.question
    return {
        "name": q.name,
        "movers": q.movers,
        "inputs": q.names,
        "operations": OPERATIONS[q.operations],
        "operation_texts": [operation.text.format(x="x", y="y") for operation in q.operations],
        "masked": q.masked,
        "known": q.known,
        "known_as": q.known_as,
        "proof_cases": answer.all_cases,
        "none_up_to": answer.none_up_to,
        "fewest": answer.fewest,
        "programs": [program.formula() for program in answer.lengths[-1].shortest],
        "lengths": [
            {
                "operations": length.operations,
                "cases": length.cases,
                "sets": length.sets,
                "tests": length.tests,
                "rounds": length.rounds,
                "seconds": length.seconds,
            }
            for length in answer.lengths
        ],
        "machine": describe(),
    }


def read(path: Path) -> dict[str, Any]:
    """Return the rows of a ledger by name, or none if the file does not exist."""
    if not path.exists():
        return {}
    rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def update(path: Path, name: str, columns: dict[str, Any]) -> None:
    """Write columns of a row to a ledger, next to those that it has."""
    rows = read(path)
    rows[name] = rows.get(name, {}) | columns
    files.write(path, f"{json.dumps(rows, indent=1)}\n".encode())
