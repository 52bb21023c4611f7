"""Functions as syntax trees, and the objects that the names in them stand for."""

import ast
import builtins
import functools
import linecache
from collections.abc import Callable, Iterator
from types import CodeType
from typing import Any

from rookery.kernel.compiler.values import Unsupported


@functools.cache
def _functions_of(file: str) -> dict[tuple[str, int], tuple[ast.FunctionDef, CodeType]]:
    """Return the functions of a file by their names and first lines, decorators included."""
    try:
        tree = ast.parse("".join(linecache.getlines(file)))
        codes = {(code.co_name, code.co_firstlineno): code for code in _codes(compile(tree, file, "exec"))}
    except (SyntaxError, ValueError):
        return {}
    found = {}
    for node in _defined(tree):
        key = node.name, min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        if key in codes:
            found[key] = node, codes[key]
    return found


def _defined(node: ast.AST) -> Iterator[ast.FunctionDef]:
    for inner in (*getattr(node, "body", ()), *getattr(node, "orelse", ())):
        if isinstance(inner, ast.FunctionDef):
            yield inner
        yield from _defined(inner)


def _codes(code: CodeType) -> Iterator[CodeType]:
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield inner
            yield from _codes(inner)


def tree_of(function: Callable[..., Any]) -> ast.FunctionDef:
    """Return the syntax tree of a function."""
    code = function.__code__
    found = _functions_of(code.co_filename).get((code.co_name, code.co_firstlineno))
    if found is None:
        raise Unsupported(f"{function.__qualname__} has no source")
    tree, compiled = found
    if (compiled.co_code, compiled.co_names, compiled.co_consts) != (code.co_code, code.co_names, code.co_consts):
        raise Unsupported(f"{function.__qualname__} differs from its source")  # which was edited since
    return tree


def value_of(function: Callable[..., Any], name: str) -> Any:
    """Return the object that a name stands for in a function, unless it is a variable of the function."""
    code = function.__code__
    if name in code.co_freevars and function.__closure__:
        try:
            return function.__closure__[code.co_freevars.index(name)].cell_contents
        except ValueError:
            raise Unsupported(f"{name} is not set yet") from None
    for names in (function.__globals__, vars(builtins)):
        if name in names:
            return names[name]
    raise Unsupported(f"{name} is not defined")


def assigned_in(node: ast.AST) -> list[str]:
    """Return the variables that a statement assigns."""
    known: list[str] | None = getattr(node, "rookery_assigned", None)
    if known is None:
        stores = (n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))
        known = node.rookery_assigned = list(dict.fromkeys(stores))  # type: ignore[attr-defined]
    return known
