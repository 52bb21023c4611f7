"""Techniques for the page: the exported JavaScript module, and the look-ups written so that they record their steps."""

import base64
import textwrap
from dataclasses import replace
from typing import Any, Final

import numpy as np

from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE
from rookery.explain.export.ir import Program, Table, statements
from rookery.explain.export.languages.javascript import JavaScript
from rookery.explain.export.program import PUBLIC, module
from rookery.explain.export.watched import watched_javascript
from rookery.explain.export.writer import Export, paragraphs
from rookery.explain.ideas import ideas_of
from rookery.explain.noting import ENTRY, with_notes
from rookery.explain.sites import Site, is_stepped_into, reached
from rookery.explain.source import lines_of
from rookery.techniques.base import Technique

_LITERAL: Final = 256  # elements of a table that is written out


def card(t: Technique) -> dict[str, Any]:
    """Return what the page shows of a technique before it is chosen."""
    return {
        "name": t.name,
        "summary": t.summary,
        "origin": f"{_capitalised(', '.join(t.authors))}, {t.year}. {_capitalised(t.source)}",
        "bytes": t.table_bytes,
    }


def _capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


class PageJavaScript(JavaScript):
    """The writer of modules whose tables are filled by the page: from bytes, or for one square when it is needed."""

    def table(self, table: Table) -> str:
        """Return the definition of a table, which is still empty if it is large."""
        return super().table(replace(table, fillers=["page"]) if _is_packed(table) else table)

    def fillers(self) -> str:
        """Return the functions that fill tables, by name."""
        return f"export const fillers = {{ {', '.join(self.export.module.filled)} }};"


def _is_packed(table: Table) -> bool:
    return not table.fillers and table.values.size > _LITERAL


def _bytes(table: Table) -> str:
    """Return the elements of a table as bytes, the lowest first, in base64."""
    return base64.b64encode(table.values.astype(table.values.dtype.newbyteorder("<")).tobytes()).decode("ascii")


def program_for_page(t: Technique, *, has_wasm: bool) -> dict[str, Any]:
    """Return the module, the sites of its notes, and the Python functions that are run step by step.

    Without WebAssembly on the page, the module has the exported look-ups, too, and tables or what fills them.
    """
    program = module(t, by_square=True)
    watched, sites = with_notes(program, PUBLIC)
    code = watched_javascript(watched, tuple(f"{ENTRY}{name}" for name in PUBLIC))
    if has_wasm:
        answers: dict[str, Any] = {"module": code, **_tables_in_wasm(t, program)}
    else:
        writer = PageJavaScript(Export(program, Program(), LITTLE_ENDIAN_RANK_FILE, []))
        tables = ", ".join(program.tables)
        answers = {
            "module": paragraphs(writer.module(), f"export const tables = {{ {tables} }};", code),
            "binary": {name: _bytes(table) for name, table in program.tables.items() if _is_packed(table)},
            "filled": {name: str(squares) for name, squares in program.filled.items()},
        }
    return {
        **answers,
        "sites": [site_data(site) for site in sites],
        "ideas": {piece.removesuffix("_attacks"): ideas_of(watched, sites, piece) for piece in PUBLIC},
        "sources": sources(program),
    }


_ARRAYS: Final = {  # JavaScript's arrays for NumPy's types; negative numbers are in no table
    "u8": "BigUint64Array",
    "u4": "Uint32Array",
    "i4": "Uint32Array",
    "u2": "Uint16Array",
    "i2": "Uint16Array",
    "u1": "Uint8Array",
}


def _tables_in_wasm(t: Technique, program: Program) -> dict[str, Any]:
    """Return what a program's tables are in the WebAssembly module: fields, and bytes of those that it lacks."""
    fields = {field: getattr(t.tables(), field) for field in t.tables()._fields}
    found: dict[str, list[str]] = {}
    others: dict[str, list[str]] = {}
    for name, table in program.tables.items():
        kind = _ARRAYS[table.values.dtype.str[1:]]
        same = (
            field
            for field, values in fields.items()
            if values.dtype == table.values.dtype and np.array_equal(values.reshape(-1), table.values)
        )
        if field := next(same, ""):
            found[name] = [field, kind]
        else:
            others[name] = [_bytes(table), kind]
    return {"fields": found, "others": others}


def site_data(site: Site) -> list[Any]:
    """Return a site as a list: its fields in their order."""
    return list(site)  # tuples are lists in JSON


def sources(program: Program) -> dict[str, list[Any]]:
    """Return the Python functions that are run step by step, by module and name.

    Each has the number of its first line, and its text.
    """
    stepped = [f for f in map(program.functions.__getitem__, reached(program, PUBLIC)) if is_stepped_into(f)]
    origins = {s.origin.python for f in stepped for s in statements(f.body) if s.origin}
    found = {}
    for python in sorted(origins | {f.python for f in stepped if f.python}, key=lambda python: python.__qualname__):
        lines, first = lines_of(python)
        found[f"{python.__module__}.{python.__name__}"] = [first, textwrap.dedent("".join(lines)).rstrip()]
    return found
