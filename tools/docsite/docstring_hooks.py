"""What Sphinx's autodoc asks before it writes of a name: its text, and its signature."""

import ast
import inspect
import textwrap
from types import FunctionType
from typing import Any

from sphinx.application import Sphinx

from docsite.docstrings import as_rst


def text(_app: Sphinx, _what: str, _name: str, value: Any, _options: Any, lines: list[str]) -> None:
    """Docstrings are plain text. The names of arguments are no links, whatever else has such a name."""
    node = written(value)
    own = {argument.arg for argument in [*node.args.args, *node.args.kwonlyargs]} if node else set()
    lines[:] = as_rst("\n".join(lines), lambda code: f"``{code}``" if code in own else None).splitlines()


def signature(
    _app: Sphinx, what: str, _name: str, value: Any, _options: Any, _given: str | None, _returns: str | None
) -> tuple[str, str | None] | None:
    """Arguments as they are written: without what ``ArrayLike`` and its like stand for."""
    node = written(value)
    if node is None:
        return None
    first = 0 if what == "function" else 1  # self, cls, or the board of a function that is a method too
    arguments = node.args
    del arguments.args[:first]
    returns = ast.unparse(node.returns) if node.returns and what != "class" else None
    return f"({ast.unparse(arguments)})", returns


def written(value: Any) -> ast.FunctionDef | None:
    """Return a function, or the constructor of a class, as it is written; None if it is not written here."""
    function = inspect.unwrap(value) if callable(value) else value
    function = getattr(function, "__func__", function)
    if isinstance(function, type):
        function = vars(function).get("__init__", vars(function).get("__new__"))
    if not isinstance(function, FunctionType) or not function.__module__.startswith("rookery"):
        return None
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except OSError:  # what NamedTuple and dataclass write
        return None
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.FunctionDef)
    return node


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the hooks with Sphinx."""
    app.setup_extension("sphinx.ext.autodoc")
    app.connect("autodoc-process-docstring", text)
    app.connect("autodoc-process-signature", signature)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
