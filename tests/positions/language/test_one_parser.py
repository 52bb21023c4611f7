"""Only the language's room parses expressions: no other module of the library reads texts as Python's grammar does."""

import ast
import re
from pathlib import Path

import rookery

SOURCE = Path(rookery.__file__).parent
# They read the source of kernels and of examples, not texts of users.
OF_KERNELS = {"kernel", "export", "explain", "bench", "cli/techniques/source.py"}
PARSERS = {"parse", "literal_eval", "eval", "exec", "compile", "compile_command"}


def parsers_in(file: Path) -> list[str]:
    """Return the calls of a module that parse a text, and its imports of modules that take texts apart."""
    found: list[str] = []
    text = file.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(text)) if re.search(r"\b(ast|builtins|tokenize|eval|exec|compile)\b", text) else ():
        match node:
            case ast.Call(func=ast.Name(id="eval" | "exec" | "compile" as name)):
                found.append(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id="ast" | "builtins"), attr=name)) if name in PARSERS:
                found.append(name)
            case ast.Import(names=names):
                found += [name.name for name in names if name.name in ("tokenize", "ast")]
            case ast.ImportFrom(module="ast" | "tokenize" as name):
                found.append(name)
    return found


def test_one_room_parses_expressions() -> None:
    rooms = {}
    for file in SOURCE.rglob("*.py"):
        parts = file.relative_to(SOURCE).parts
        if OF_KERNELS.isdisjoint({parts[0], "/".join(parts)}) and (parsers := parsers_in(file)):
            rooms["/".join(parts[:2])] = parsers
    assert set(rooms) == {"positions/language"}, rooms
