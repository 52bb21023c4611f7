"""Every technique's attacks in the module: exported functions, and the tables that they read.

Large tables are zeros in the file, and are filled on demand (`fillers`).
"""

from typing import Any, Final

import numpy as np

from rookery.explain.export.wasm.fillers import fillers_of
from rookery.kernel import U64
from rookery.kernel.webassembly import BITS, SMALL, Assembly, Exported, Passed
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS, answer_arrays, answer_one

SLIDERS: Final = ("rook", "bishop", "queen")


def add_technique(assembly: Assembly, t: Technique) -> Any:
    """Add the functions of a technique; return its tables as the module has them.

    ``NAME.rook(square, occupied)`` answers one question, and ``NAME.rooks(squares, occupied, out, length)`` one for
    each element of arrays. ``NAME.fill()`` fills the tables and comes before all others. ``NAME:FIELD()`` is the
    address of a table.
    """
    fillers = [*fillers_of(t)]
    filled = {field for filler in fillers for field in filler.fields}

    def placed(field: str, table: Any) -> Any:
        if field in filled:
            return assembly.space(f"{t.name}:{field}.content", np.zeros_like(table))
        return assembly.constant(table)

    tables = t.tables()._make(map(placed, t.tables()._fields, t.tables()))
    for field, table in zip(tables._fields, tables, strict=True):
        assembly.add_address(f"{t.name}:{field}", table)
    arrays = Passed(np.uint8), Passed(np.uint64), Passed(np.uint64, readonly=False)
    for slider in SLIDERS:
        question = QUESTIONS[slider]
        assembly.add(Exported(f"{t.name}.{slider}", answer_one.function, (question, SMALL, BITS, tables)))
        many = (question, *arrays, tables)
        assembly.add(Exported(f"{t.name}.{slider}s", answer_arrays.function, many, "i32", aliases=not t.card.gathers))
    slot = assembly.space("slot", np.zeros(1, U64))
    names = []
    for number, filler in enumerate(fillers):
        field = filler.fields[0]
        table = getattr(tables, field)
        arguments = assembly.flat(table), slot, tables._replace(**{field: assembly.noted(table, slot)}), tables
        names.append(f"{t.name}.fill.{number}")
        assembly.add(Exported(names[-1], filler.function, arguments, aliases=True, is_internal=True))
    assembly.add_sequence(f"{t.name}.fill", names)
    return tables
