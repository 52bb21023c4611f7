"""The source files from which machine code was made, with a digest of the code in each.

Numba does not notice edits in the functions that a cached one inlines (its issue 9483). So machine code is stored with
a list of the files that it may depend on: those of its entry, of the kernels compiled into it and of its arguments'
classes, and all files of the package that these import, including imports inside functions. It is used only while each
file holds the same code: a docstring or a comment may change, an instruction may not.

A file whose bytes are unchanged is not examined. Any other file is compiled by Python (1 ms), never imported.
"""

import functools
import hashlib
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import CodeType
from typing import Final, NamedTuple

_PACKAGE: Final = Path(__file__).resolve().parents[2]
# These modules store and find machine code. They do not affect what it does.
_IGNORED: Final = frozenset(
    _PACKAGE / name
    for name in (
        *(f"kernel/{name}.py" for name in ("first_use", "notice", "settings", "targets")),
        *(f"kernel/codecache/{name}.py" for name in ("cache", "dependencies", "trust", "type_keys")),
    )
)


_STARTED: Final = time.time()


class Facts(NamedTuple):
    """A digest of a source file's code, and its imports."""

    digest: str
    imports: tuple[tuple[str, str | None], ...]  # module, and the name imported from it; None: all of it


class Dependency(NamedTuple):
    """A file at the time of compilation, with digests of its bytes and of its code."""

    file: str
    content: str
    code: str


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@functools.cache
def content_digest(file: Path) -> str:
    """Return the digest of a file's bytes when this process first read it, or "" if it cannot be read."""
    try:
        return _digest(file.read_bytes())
    except OSError:
        return ""


@functools.cache
def facts(file: Path) -> Facts:
    """Return a digest of a file's code, and its imports. For data files the digest covers all bytes."""
    content = file.read_bytes()
    if file.suffix != ".py":
        return Facts(_digest(content), ())
    # Python strips docstrings at level 2, but also assertions: files with assertions keep their docstrings.
    level = 0 if b"assert" in content or b"__debug__" in content else 2
    try:
        code = compile(content, "", "exec", dont_inherit=True, optimize=level)
    except (SyntaxError, ValueError):
        return Facts(_digest(content), ())
    return Facts(_digest(repr(_without_lines(code)).encode()), tuple(dict.fromkeys(_imports(code))))


def _without_lines(value: object) -> object:
    """Return everything in a code object except line numbers."""
    if isinstance(value, CodeType):
        return (
            *(value.co_name, value.co_flags, value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount),
            *(value.co_varnames, value.co_cellvars, value.co_freevars, value.co_names, value.co_code),
            *(value.co_exceptiontable, _without_lines(_constants(value))),
        )
    if isinstance(value, tuple):
        return tuple(_without_lines(item) for item in value)
    if isinstance(value, frozenset):
        return "frozenset", sorted(map(repr, value))
    return type(value).__name__, repr(value)


def _constants(code: CodeType) -> tuple[object, ...]:
    """Return a code object's constants, without the line on which a class begins.

    Since Python 3.13 the body of a class holds it as a constant. It is kept if anything else uses the same constant.
    """
    constants = code.co_consts
    if "__firstlineno__" not in code.co_names:
        return constants
    line = next((i for i, c in enumerate(constants) if type(c) is int and c == code.co_firstlineno), -1)
    used = sum(name == "LOAD_CONST" and argument == line for name, argument in _instructions(code))
    return tuple(None if i == line and used == 1 else c for i, c in enumerate(constants))


def _instructions(code: CodeType) -> Iterator[tuple[str, int]]:
    import dis

    extended = 0
    for i in range(0, len(code.co_code), 2):
        operation, argument = code.co_code[i], code.co_code[i + 1] | extended
        extended = argument << 8 if operation == dis.EXTENDED_ARG else 0
        yield dis.opname[operation], argument


def _imports(code: CodeType) -> Iterator[tuple[str, str | None]]:
    import dis

    module, named = "", True
    has_imports = dis.opmap["IMPORT_NAME"] in code.co_code[::2]  # one function in 14 has: 0.1 s less for 120 files
    for name, argument in _instructions(code) if has_imports else ():
        if name == "IMPORT_NAME":
            if not named:
                yield module, None
            module, named = code.co_names[argument], False
        elif name == "IMPORT_FROM":
            yield module, code.co_names[argument]
            named = True
    if not named:
        yield module, None
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _imports(constant)


def _file_of(module: str, root: Path) -> Path | None:
    """Return the source file of a module of the package at `root`, found without importing it."""
    package, *rest = module.split(".")
    if package != root.name:
        return None
    place = root.joinpath(*rest)
    for file in (place / "__init__.py", place.with_suffix(".py") if rest else place / "__init__.py"):
        if file.is_file():
            return file
    return None


def _files_behind(module: str, name: str | None, root: Path) -> set[Path]:
    """Return the files behind ``from module import name``, following names that a package only re-exports."""
    file = _file_of(module, root)
    if file is None:
        return set()
    if file.name != "__init__.py" or name is None:
        return {file}
    inner = _file_of(f"{module}.{name}", root)
    if inner is not None:
        return {inner} if inner.name != "__init__.py" else set()
    origins = [origin for origin, imported in facts(file).imports if imported == name]
    return set().union(*(_files_behind(origin, name, root) for origin in origins)) if origins else {file}


@functools.cache
def _direct_dependencies(file: Path, root: Path) -> frozenset[Path]:
    """Return the files on which a file depends directly: modules that it imports, and data it may read."""
    imports = facts(file).imports
    found = set().union(*(_files_behind(module, name, root) for module, name in imports)) if imports else set()
    if any(module.startswith("importlib") and name == "resources" for module, name in imports):
        found |= {path for path in file.parent.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc", "")}
    return frozenset(found)


def closure(files: Iterable[Path], root: Path = _PACKAGE) -> list[Path]:
    """Return these files and all files of the package on which they depend."""
    todo, seen = list(files), set[Path]()
    while todo:
        file = todo.pop()
        if file in seen or file in _IGNORED:
            continue
        seen.add(file)
        todo += _direct_dependencies(file, root)
    return sorted(seen)


def dependencies(files: Iterable[Path]) -> list[Dependency] | None:
    """Return the dependencies to store with machine code made from these files.

    Return None if one was edited since this process began: the compiled code may differ from the file.
    """
    files = closure(files)
    if any(file.stat().st_mtime > _STARTED for file in files):
        return None
    return [
        Dependency(
            file.relative_to(_PACKAGE).as_posix() if file.is_relative_to(_PACKAGE) else str(file),
            content_digest(file),
            facts(file).digest,
        )
        for file in files
    ]


def unchanged(found: Iterable[Dependency]) -> bool:
    """Check whether all files still hold the same code."""
    for file, content, code in found:
        path = _PACKAGE / file
        if content_digest(path) != content and (not path.is_file() or facts(path).digest != code):
            return False
    return True
