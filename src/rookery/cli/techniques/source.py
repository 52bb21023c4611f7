"""The part of the source that a technique's answer runs through."""

import ast
import dis
import inspect
import sys
from collections.abc import Iterable, Iterator
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from rookery.techniques.base import Technique

_ROOMS = "rookery.techniques"
_GLUE = "rookery.techniques.base."  # it puts lines and pieces together


class Piece(NamedTuple):
    """A function, class or constant of a technique."""

    module: str
    name: str
    line: int
    code: str


def pieces_of(t: "Technique") -> tuple[list[Piece], list[str]]:
    """Return the definitions that the answer of a technique runs through, in the order of the source.

    The second list names the functions that they call outside the modules of the techniques.
    """
    from rookery.techniques.base import itself

    found: dict[tuple[str, str], Any] = {}
    outside: dict[str, None] = {}
    roots = [t.kernel_of("rook"), t.kernel_of("bishop")]
    if t.prepare_kernel is not itself:
        roots.append(t.prepare_kernel)
    waiting = [inspect.unwrap(root) for root in roots]
    seen: set[int] = set()
    while waiting:
        function = waiting.pop()
        if id(function) in seen:
            continue
        seen.add(id(function))
        home = function.__module__
        is_own = home.startswith(_ROOMS) and not home.startswith(_GLUE)
        if is_own:
            # What is defined in another function is written there.
            found[home, function.__qualname__.split(".")[0]] = function
        elif not home.startswith(_GLUE):
            outside[f"{function.__name__} ({home})"] = None
            continue
        for name, value in _named_in(function):
            called = inspect.unwrap(value) if callable(value) else value
            if isinstance(called, FunctionType):
                waiting.append(called)
            elif not isinstance(value, (type, ModuleType)) and is_own:
                found[home, name] = value
    tables: Any = t.tables_class.__base__
    if tables._fields:
        found[tables.__module__, tables.__name__] = tables
    pieces = [piece for module in dict.fromkeys(m for m, _ in found) for piece in _cut_out(module, found)]
    order = [t.module, *sorted({piece.module for piece in pieces} - {t.module})]
    return sorted(pieces, key=lambda piece: (order.index(piece.module), piece.line)), sorted(outside)


def _named_in(function: FunctionType) -> Iterator[tuple[str, Any]]:
    # `inspect` takes the name of an attribute, like ``t.rook``, for that of a global.
    read = {i.argval for i in dis.get_instructions(function) if i.opname == "LOAD_GLOBAL"}
    variables = inspect.getclosurevars(function)
    yield from ((name, value) for name, value in variables.globals.items() if name in read)
    yield from variables.nonlocals.items()


def _cut_out(module: str, found: dict[tuple[str, str], Any]) -> Iterator[Piece]:
    """Yield the definitions of a module that are among those found, as they are written there."""
    source = inspect.getsource(sys.modules[module])
    lines = source.splitlines()
    for node in ast.parse(source).body:
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names, first = [name], min([node.lineno, *(d.lineno for d in node.decorator_list)])
            case ast.Assign(targets=targets):
                names, first = [n.id for to in targets for n in ast.walk(to) if isinstance(n, ast.Name)], node.lineno
            case ast.AnnAssign(target=ast.Name(id=name)):
                names, first = [name], node.lineno
            case _:
                continue
        for name in names:
            if (module, name) in found:
                yield Piece(module, name, first, "\n".join(lines[first - 1 : node.end_lineno]))
                break


def joined(pieces: Iterable[Piece]) -> str:
    """Join definitions to one text, separated by empty lines; constants stay together."""
    return "".join(f"{chr(10) if chr(10) not in piece.code else chr(10) * 2}{piece.code}" for piece in pieces)
