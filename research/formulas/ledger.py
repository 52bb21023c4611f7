"""The ledger: a JSON file with the answer to each question, what was searched for it, and what confirmed it."""

import json
from pathlib import Path
from typing import Any

from formulas.confirmation import Confirmation
from formulas.deepening import Answer
from formulas.questions import OPERATIONS, QUESTIONS
from rookery.bench.machine import describe
from rookery.sources import files


def row(answer: Answer, confirmations: list[Confirmation]) -> dict[str, Any]:
    """Return an answer and what confirms it as JSON holds them."""
    q = answer.question
    return {
        "name": q.name,
        "movers": q.movers,
        "inputs": q.names,
        "operations": OPERATIONS[q.operations],
        "operation_texts": [operation.text.format(x="x", y="y") for operation in q.operations],
        "masked": q.masked,
        "table": q.table
        and {
            "entry_bits": q.table.entry_bits,
            "index_bits": q.table.index_bits,
            "shared": q.table.shared,
            "most_after": q.table.most_after,
        },
        "known": answer.known,
        "known_formula": q.published.formula(),
        "known_as": q.known_as,
        "proof_cases": answer.all_cases,
        "none_up_to": answer.none_up_to,
        "fewest": answer.fewest,
        "programs": [program.formula() for program in answer.lengths[-1].shortest],
        "lengths": [
            {
                "operations": length.operations,
                "cases": len(length.cases),
                "sets": length.sets,
                "tests": length.tests,
                "hits": length.hits,
                "rounds": length.rounds,
                "seconds": length.seconds,
            }
            for length in answer.lengths
        ],
        "confirmed": [confirmation._asdict() for confirmation in confirmations],
        "machine": describe(),
    }


def read(path: Path) -> dict[str, Any]:
    """Return the rows of a ledger by name, or none if the file does not exist."""
    if not path.exists():
        return {}
    rows: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return rows


def update(path: Path, new: dict[str, Any]) -> None:
    """Write a row to a ledger, in place of the one of that name. Rows are in the order of the questions."""
    rows = read(path) | {new["name"]: new}
    rows = {q.name: rows[q.name] for q in QUESTIONS if q.name in rows}
    files.write(path, f"{json.dumps(rows, indent=1)}\n".encode())
