"""Techniques for the page: the exported JavaScript module, and its functions as data, to be run step by step."""

import textwrap
from typing import Any

from rookery.bitboards.squares import LITTLE_ENDIAN_RANK_FILE
from rookery.explain.run import is_stepped_into
from rookery.explain.source import code_of, comment_at, definition, first_sentence, lines_of, meaning_of
from rookery.explain.values import annotated_kind, declared_kind, holds_boards
from rookery.explain.wording import table_name, wording
from rookery.export.ir import (
    Assign,
    Binary,
    Block,
    Break,
    Call,
    Compare,
    Constant,
    Expression,
    For,
    Function,
    If,
    Int,
    Invert,
    Load,
    Name,
    Origin,
    Program,
    Return,
    Select,
    Statement,
    Store,
    ToWord,
    While,
    expressions,
    statements,
    walk,
)
from rookery.export.javascript import JavaScript
from rookery.export.program import PUBLIC, module
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
    """Return the module, its tables' names and shapes, and its functions."""
    program = module(t)
    writer = JavaScript(Export(program, Program(), LITTLE_ENDIAN_RANK_FILE, []))
    tables = ", ".join(program.tables)
    return {
        "module": paragraphs(writer.module(), f"export const tables = {{ {tables} }};"),
        "tables": {
            name: {
                "name": table_name(name),
                "size": table.values.size,
                "wide": table.bits == 64,
                "boards": [holds_boards(table, slot) for slot in range(4)],
            }
            for name, table in program.tables.items()
        },
        "sources": sources(program),
        "functions": {name: function_data(program.functions[name]) for name in sorted(reached(program))},
    }


def reached(program: Program) -> set[str]:
    """Return the functions that look-ups run, without those that fill tables."""
    found: set[str] = set()
    waiting = list(PUBLIC)
    while waiting:
        name = waiting.pop()
        if name in found or name not in program.functions:  # an instruction
            continue
        found.add(name)
        own = (e for s in statements(program.functions[name].body) for e in expressions(s))
        waiting += [e.function for outer in own for e in walk(outer) if isinstance(e, Call)]
    return found


def sources(program: Program) -> dict[str, list[Any]]:
    """Return the Python functions that are run step by step, by module and name.

    Each has the number of its first line, and its text.
    """
    stepped = [f for f in map(program.functions.__getitem__, reached(program)) if is_stepped_into(f)]
    origins = {s.origin.python for f in stepped for s in statements(f.body) if s.origin}
    found = {}
    for python in sorted(origins | {f.python for f in stepped if f.python}, key=lambda python: python.__qualname__):
        lines, first = lines_of(python)
        found[f"{python.__module__}.{python.__name__}"] = [first, textwrap.dedent("".join(lines)).rstrip()]
    return found


def function_data(f: Function) -> dict[str, Any]:
    """Return a function: its parameters, its result's kind and its block."""
    assert f.python is not None
    code, line = definition(f.python)
    return {
        "parameters": [[name, annotated_kind(f.python, name)] for name in f.parameters],
        "returns": annotated_kind(f.python, "return"),
        "stepped": is_stepped_into(f),
        "place": [code, first_sentence(f.python), f.python.__name__, f.python.__module__, line],
        "body": block_data(f.body),
    }


def block_data(body: Block) -> list[Any]:
    """Return statements as lists, the first element of each its kind."""
    return [statement_data(s) for s in body]


def place_data(origin: Origin | None, variable: str) -> list[Any] | None:
    """Return the source line of a statement, and its sentence."""
    if origin is None:
        return None
    python = origin.python
    sentence = comment_at(origin) or meaning_of(python, variable.rstrip("_"))
    if not sentence and not variable:
        sentence = first_sentence(python)
    return [code_of(origin), sentence.replace("`", ""), python.__name__, python.__module__, origin.first]


def statement_data(s: Statement) -> list[Any]:
    """Return one statement."""
    match s:
        case Assign(name, value):
            kind = declared_kind(s.origin.python, name.rstrip("_")) if s.origin else None
            return ["set", name, data(value), place_data(s.origin, name), kind]
        case Return(value):
            return ["return", data(value), place_data(s.origin, "")]
        case If(truth, yes, no):
            return ["if", data(truth), block_data(yes), block_data(no)]
        case While(truth, body):
            return ["while", data(truth), block_data(body)]
        case For(name, count, body):
            return ["for", name, count, block_data(body)]
        case Break():
            return ["break"]
        case Store():
            raise AssertionError("a look-up stores nothing")


def data(e: Expression) -> list[Any]:
    """Return an expression as a list: its kind, its text, and its operands."""
    text = wording(e)
    match e:
        case Int(value) | Constant(_, value):
            return ["number", text, str(value)]
        case Name(name):
            return ["name", name]
        case Load(table, index):
            return ["load", text, table, data(index)]
        case Invert(value):
            return ["invert", text, data(value)]
        case Binary(operator, left, right):
            return ["binary", text, operator, data(left), data(right)]
        case Compare(operator, left, right):
            return ["compare", text, operator, data(left), data(right)]
        case ToWord(truth):
            return ["word", text, data(truth)]
        case Select(truth, yes, no):
            return ["select", text, data(truth), data(yes), data(no)]
        case Call(function, arguments):
            return ["call", text, function, [data(a) for a in arguments]]
