"""Kernels for the figures about look-ups."""

from collections.abc import Callable
from typing import Any, Final

import numpy as np

import chart
from live_figures.kernels import Module
from rookery.bitboards import bits, sets
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.lines import line_through, relevant_occupancy
from rookery.explain.export.ir import Assign, Function, Return, names_in
from rookery.explain.export.kernel_values import Tables
from rookery.explain.source import code_of
from rookery.kernel import U64, pdep_portable, pext_portable
from rookery.magics.laboratory import laboratory
from rookery.techniques import kogge_stone, technique
from rookery.techniques.base import NoTables
from rookery.techniques.magic import hash_index
from rookery.techniques.rotated import hyatt_places, inner_six, shifts_of

cover: Final = laboratory("find.cover")
LARGEST: Final = 4096  # occupancies of a square


def word(value: Any) -> str:
    """Return a word as a module's values have it."""
    return f"0x{int(value):x}"


def record(name: str, piece: str, square: int) -> dict[str, str]:
    """Return the mask, factor and shift of a square, from a technique's records."""
    words = getattr(technique(name).tables(), piece)[4 * square : 4 * square + 3]
    return dict(zip(("mask", "magic", "shift"), map(word, words), strict=True))


def inner_diagonal(square: int) -> Bitboard:
    """Return the diagonal through a square, without its ends and the square itself."""
    return line_through("diagonal", square) & relevant_occupancy("bishop", square)


def narrower(piece: str) -> dict[int, str]:
    """Return the known factors for an index with one bit less than the square has relevant squares, by square."""
    records = ((square, record("magic-reduced", piece, square)) for square in range(64))
    return {
        square: words["magic"]
        for square, words in records
        if int(words["mask"], 16).bit_count() == 65 - int(words["shift"], 16)
    }


def magic() -> Module:
    """Return what the figures of the multiplication and of collisions compute with."""
    module = Module()
    module.add(hash_index)
    module.add_attacks("hyperbola")
    hyperbola = technique("hyperbola")
    module.add(hyperbola.kernel_of("diagonal"), "on_diagonal", t=Tables(hyperbola.tables()))
    module.values["bFile"] = word(bits.B_FILE)
    module.values["diagonalD4"] = word(inner_diagonal(27))
    module.values["rookD4"] = record("magic-fancy", "rook", 27)
    module.values["bishopB1"] = record("magic-reduced", "bishop", 1)
    return module


def search() -> Module:
    """Return what the figure of the search computes with: the finder's own kernels, and its tables."""
    module = Module()
    cases = cover.cases_of([cover.Case(1, 12, np.zeros(LARGEST, U64), np.zeros(LARGEST, U64))])
    s = cover.search_for(cases)
    module.add(bits.mixed)
    module.add(cover.begin_dive, s=Tables(s))
    module.add(cover.lay_copy, s=Tables(s))
    taken, epoch = (module.translator.table(name, getattr(s, name)) for name in ("taken", "epoch"))
    module.add(cover.is_factor, cases=Tables(cases), taken=taken, epoch=epoch)
    module.filled = sorted(module.program.tables)
    module.add_attacks("hyperbola")
    module.values["masks"] = {
        piece: [word(relevant_occupancy(piece, sq)) for sq in range(64)] for piece in ("rook", "bishop")
    }
    module.values["narrower"] = {piece: narrower(piece) for piece in ("rook", "bishop")}
    module.values["golden"] = word(cover.GOLDEN)
    module.values["nodes"] = cover.NODES
    return module


def filling() -> Module:
    """Return what the figure of the table that is filled computes with: the walk, the index, and the recorded times."""
    module = Module()
    module.add(hash_index)
    module.add_attacks("rays")
    module.values["rookD4"] = record("magic-fancy", "rook", 27)
    times = [row["ms"] for row in chart.recorded("table_fill")["rows"]]
    module.values["recorded"] = dict(zip(("d4", "all"), times, strict=True))
    return module


def gather() -> Module:
    """Return what the figure of PEXT and PDEP computes with."""
    module = Module()
    module.add(pext_portable)
    module.add(pdep_portable)
    module.values["mask"] = word(relevant_occupancy("rook", 27))
    return module


def rotation() -> Module:
    """Return what the figure of the rotated board computes with."""
    module = Module()
    module.add(inner_six)
    hyperbola = technique("hyperbola")
    module.add(hyperbola.kernel_of("diagonal"), "diagonal", t=Tables(hyperbola.tables()))
    places = hyatt_places()["r45"]
    module.values["places"] = places
    module.values["shifts"] = shifts_of("diagonal", places)
    return module


def lanes() -> Module:
    """Return what the figure of lanes computes with: each line of Kogge-Stone's fill as a function of its own."""
    module = Module()
    whole = module.add(kogge_stone.fill, t=NoTables())
    lines = []
    for number, statement in enumerate(whole.body):
        assert isinstance(statement, Assign | Return)
        assert statement.origin
        body = (Return(statement.value),)
        read = tuple(sorted(names_in(body)))
        module.translator.enter(Function(f"line_{number}", read, body, "", None, frozenset(), None))
        module.public.append(f"line_{number}")
        variable = statement.name if isinstance(statement, Assign) else "g"
        lines.append({"variable": variable, "code": code_of(statement.origin), "reads": list(read)})
    module.values["lines"] = lines
    module.add(sets.step)
    return module


MODULES: Final[dict[str, Callable[[], Module]]] = {
    "magic": magic,
    "fill": filling,
    "search": search,
    "gather": gather,
    "rotation": rotation,
    "lanes": lanes,
}
