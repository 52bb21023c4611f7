"""Techniques for the page: the exported JavaScript module, and the look-ups written so that they record their steps."""

import textwrap
from typing import Any

from rookery.bitboards.squares import LITTLE_ENDIAN_RANK_FILE
from rookery.explain.noting import ENTRY, with_notes
from rookery.explain.sites import Site, is_stepped_into, reached
from rookery.explain.source import lines_of
from rookery.export.ir import Program, statements
from rookery.export.javascript import JavaScript
from rookery.export.program import PUBLIC, module
from rookery.export.watched import watched_javascript
from rookery.export.writer import Export, paragraphs
from rookery.technique import Technique


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


def program_for_page(t: Technique) -> dict[str, Any]:
    """Return the module, the sites of its notes, and the Python functions that are run step by step."""
    program = module(t)
    writer = JavaScript(Export(program, Program(), LITTLE_ENDIAN_RANK_FILE, []))
    tables = ", ".join(program.tables)
    watched, sites = with_notes(program, PUBLIC)
    code = watched_javascript(watched, tuple(f"{ENTRY}{name}" for name in PUBLIC))
    return {
        "module": paragraphs(writer.module(), f"export const tables = {{ {tables} }};", code),
        "sites": [site_data(site) for site in sites],
        "sources": sources(program),
    }


def site_data(site: Site) -> list[Any]:
    """Return a site as a list: its fields in their order."""
    return [list(map(list, value)) if isinstance(value, tuple) else value for value in site]


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
