"""Export JSON from which any program can rebuild every look-up.

A technique with one table and one index formula becomes one record for each square. For the others the file holds their
tables and functions.
"""

import json
from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.mappings import Mapping
from rookery.bitboards.squares import SQUARE_NAMES
from rookery.explain.export.languages.python import Python
from rookery.explain.export.program import PIECES, SMALL, filling, module, slots_read
from rookery.explain.export.provenance import command_line, factor_sources, version
from rookery.explain.export.templates import walked_attacks
from rookery.explain.export.writer import Export
from rookery.kernel import U64, pext_portable
from rookery.techniques._filler import masks, relevant_cases
from rookery.techniques.base import Technique

Boards = NDArray[np.uint64]
Columns = dict[str, dict[str, Any]]  # by piece and name: 64 numbers


class Formula(NamedTuple):
    """The index formula of a record: as text, and as a function of occupancies and one record."""

    text: str
    index: Callable[..., Any]


MAGIC: Final = Formula(
    "offset + ((((occupied & mask) * magic) % 2**64) >> shift)",
    lambda occupied, r: r["offset"] + (((occupied & r["mask"]) * r["magic"]) >> r["shift"]),
)
BLACK_MAGIC: Final = Formula(
    "offset + ((((occupied | ~mask) * magic) % 2**64) >> shift)",
    lambda occupied, r: r["offset"] + (((occupied | ~r["mask"]) * r["magic"]) >> r["shift"]),
)
PEXT: Final = Formula(
    "offset + pext(occupied, mask)",
    lambda occupied, r: r["offset"] + pext_portable(occupied, r["mask"]),
)
ATTACKS: Final = "the attacks"
BITS: Final = "a bit for each square that is attacked on the empty board, from the lowest: pext(attacks, attacks on it)"


class RecordLayout(NamedTuple):
    """One table, and the records of both pieces by square."""

    formula: Formula
    entry: str
    entries: int
    columns: Columns


def layout(technique: Technique) -> RecordLayout | None:
    """Return a technique as records if it does one look-up in one table, else None."""
    return _magic_layout(technique) or _pext_layout(technique)


def _magic_layout(technique: Technique) -> RecordLayout | None:
    """Return the records of a magic technique, by the names that its tables use.

    They are tried out: each relevant occupancy of each square must find its attacks.
    """
    t = technique.tables()._asdict()
    if {"rook", "bishop", "attacks"} <= t.keys() and t["rook"].shape == t["bishop"].shape == (256,):
        table = t["attacks"]
        rows = {piece: t[piece].reshape(64, 4).T[1:] for piece in PIECES}
    elif {"rook_magic", "rook_shift", "bishop_magic", "bishop_shift"} <= t.keys() and t["rook"].ndim == 2:
        table = np.concatenate([t["rook"].reshape(-1), t["bishop"].reshape(-1)])
        squares = np.arange(64, dtype=U64)
        starts = (squares * U64(t["rook"].shape[1]), squares * U64(t["bishop"].shape[1]) + U64(t["rook"].size))
        rows = {
            piece: np.stack([t[f"{piece}_magic"], t[f"{piece}_shift"], start])
            for piece, start in zip(PIECES, starts, strict=True)
        }
    else:
        return None
    columns = {
        piece: dict(zip(("mask", "magic", "shift", "offset"), [masks(piece), *rows[piece]], strict=True))
        for piece in PIECES
    }
    for formula in (MAGIC, BLACK_MAGIC):
        if all(_finds(formula, table, piece, columns[piece]) for piece in PIECES):
            return RecordLayout(formula, ATTACKS, len(table), columns)
    return None


def _finds(formula: Formula, table: Boards, piece: str, columns: dict[str, Any]) -> bool:
    for sq in range(64):
        occupied, attacks = relevant_cases(piece, sq)
        index = formula.index(occupied, {name: column[sq] for name, column in columns.items()})
        if np.any(index >= U64(len(table))) or not np.array_equal(table[index], attacks):
            return False
    return True


def _pext_layout(technique: Technique) -> RecordLayout | None:
    """Return the records of a technique that adds a gathered occupancy to an offset, the slot of the empty board."""
    t = technique.tables()._asdict()
    for field, table in t.items():
        how = filling(technique, field) if table.size > SMALL else None
        if not how or set(how.squares.values()) != {2**64 - 1}:
            continue
        columns: Columns = {piece: {"mask": masks(piece), "offset": np.zeros(64, U64)} for piece in PIECES}
        for piece in PIECES:
            for sq in range(64):
                occupied, _ = relevant_cases(piece, sq)
                slots = slots_read(technique, field, piece, sq)
                columns[piece]["offset"][sq] = slots[0]
                record = {name: column[sq] for name, column in columns[piece].items()}
                if not np.array_equal(slots.astype(U64), PEXT.index(occupied, record)):
                    return None
        return RecordLayout(PEXT, ATTACKS if how.walked is walked_attacks else BITS, table.size, columns)
    return None


def json_export(technique: Technique, mapping: Mapping) -> str:
    """Return a technique as a JSON document."""
    document: dict[str, Any] = {
        "technique": technique.name,
        "summary": technique.summary,
        "authors": list(technique.authors),
        "year": technique.year,
        "source": technique.source,
        "magic_factors": factor_sources(technique),
        "table_bytes": technique.table_bytes,
        "written_by": version(),
        "command": command_line(technique, "json", mapping),
        "mapping": str(mapping),
    }
    found = layout(technique)
    document |= _as_records(found, mapping) if found else _as_tables(technique, mapping)
    return json.dumps(document, indent=1) + "\n"


def _as_records(found: RecordLayout, mapping: Mapping) -> dict[str, Any]:
    """Return the records from a1 to h8, each with the numbers of its square in the mapping.

    A mapping turns and flips the board, and attacks turn and flip with it: the square whose bit is `n` has the same
    mask, factor and slots in every mapping.
    """

    def record(piece: str, sq: int, name: str) -> dict[str, Any]:
        bit = int(mapping.index(sq))
        values = {column: int(numbers[bit]) for column, numbers in found.columns[piece].items()}
        # Words wrap and JSON's numbers do not: of tables laid into each other's gaps some begin below the first slot.
        values["offset"] -= (values["offset"] >> 63) << 64
        boards: dict[str, Any] = {
            column: f"0x{values[column]:016x}" for column in ("mask", "magic") if column in values
        }
        return {"square": name, "bit": bit, **values, **boards}

    return {
        "entries": found.entries,
        "index": found.formula.text,
        "entry": found.entry,
        **{piece: [record(piece, sq, name) for sq, name in enumerate(SQUARE_NAMES)] for piece in PIECES},
    }


def _as_tables(technique: Technique, mapping: Mapping) -> dict[str, Any]:
    """Return all tables, flat, and the functions as text."""
    program = module(technique, fill=False, keep=True)
    writer = Python(Export(program, program, mapping, []))
    return {
        "bits": {name: int(mapping.index(sq)) for sq, name in enumerate(SQUARE_NAMES)},
        "tables": {name: table.values.tolist() for name, table in program.tables.items()},
        "constants": {"WORD": 2**64 - 1, **program.constants},
        "functions": [*writer.instruction_texts(program), *writer.functions(program), *writer.state_functions()],
        "language": "the functions are Python; they read the tables and constants by name",
    }
