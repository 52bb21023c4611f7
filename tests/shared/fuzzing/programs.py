"""Programs for the compiler of kernels: random ones, compared with plain Python, and ones with pieces of other syntax.

An input is the source of a module with an entry `run0`, as `kernel_writer` writes them. The compiler must give the
answers of plain Python, or name the line that it does not take.
"""

import ast
import copy
import hashlib
import random
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from numba.core.errors import NumbaError, UnsupportedBytecodeError

from fuzzing import Target, answer
from fuzzing.kernel_writer import WideWriter, difference, examples
from fuzzing.odd_syntax import EXPRESSIONS, STATEMENTS
from kernel_modules import imported
from rookery.kernel import Entry, making
from rookery.kernel.codecache.type_keys import text_of
from rookery.kernel.compiler.linkable import compiled_ir
from rookery.kernel.compiler.values import Unsupported
from rookery.kernel.native.units import as_function, load

_NUMBA: Final = "# by Numba, too\n"  # the mark of a program that Numba compiles if our compiler does not take it
_ERRORS: Final = (NumbaError, UnsupportedBytecodeError)
_LINE: Final = r"(?s).*(\bline \d|\(\d+\))"
_OF_NUMBA: Final = 0.03  # of the programs, since Numba takes seconds
PAIRS: Final = 10  # of words, for each program


def _program(rng: random.Random) -> str:
    return WideWriter(rng.randrange(1 << 60)).module(rng.randrange(1, 5), 1)


def make_kernels(rng: random.Random) -> bytes:
    """Return a module of a few kernels and an entry that calls some."""
    return _program(rng).encode()


@contextmanager
def _module(data: bytes) -> Iterator[Any]:
    """Yield the module of an input and its file, or None if Python cannot import it or it has no entry."""
    name = f"fuzzed_{hashlib.sha256(data).hexdigest()[:16]}"
    with tempfile.TemporaryDirectory() as folder:
        try:
            compile(data.decode(), name, "exec")
            opened = imported(data.decode(), Path(folder), name)
            module = opened.__enter__()
        except Exception:  # such as a SyntaxError, or a NameError: not the compiler's
            yield None
            return
        try:
            yield module if isinstance(getattr(module, "run0", None), Entry) and hasattr(module, "Memory") else None
        finally:
            opened.__exit__(*sys.exc_info())


def _check_refusal(reason: Unsupported, data: bytes) -> None:
    """Check that a refusal has a reason, and names a line, of the module or of an instruction in plain Python."""
    assert str(reason)
    found = re.fullmatch(r'.*/(\w+)\.py", line (\d+)', reason.place)
    assert found is not None, reason
    assert int(found[2]) > 0
    assert not found[1].startswith("fuzzed_") or int(found[2]) <= data.count(b"\n") + 1, reason


def check_kernels(data: bytes) -> None:
    """Compare the entry with its evaluation in plain Python."""
    with _module(data) as module:
        if module is None:
            return
        arguments = examples(module)
        try:
            unit, _ = making.unit_for(module.run0, text_of(arguments), arguments)
        except Unsupported as reason:
            _check_refusal(reason, data)
            return
        code = as_function(load(unit), module.run0.objects(arguments), module.__name__, b"")
        seed = int.from_bytes(hashlib.sha256(data).digest()[:4], "little")
        wrong = difference(data.decode(), module, "run0", code, PAIRS, seed)
        assert not wrong, wrong


# Other syntax.


def make_syntax(rng: random.Random) -> bytes:
    """Return a module with one to three pieces of other syntax in its functions."""
    tree = ast.parse(_program(rng))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        function = rng.choice(functions)
        if rng.random() < 0.5:
            _put_statement(rng, function)
        else:
            _put_expression(rng, function)
    numba = _NUMBA if rng.random() < _OF_NUMBA else ""
    return f"{ast.unparse(ast.fix_missing_locations(tree))}\n{numba}".encode()


def _put_statement(rng: random.Random, function: ast.FunctionDef) -> None:
    bodies = [
        body
        for node in ast.walk(function)
        for name in ("body", "orelse")
        if isinstance(body := getattr(node, name, None), list) and body and isinstance(body[0], ast.stmt)
    ]
    body = rng.choice(bodies)
    place = rng.randrange(len(body) + 1)
    body[place:place] = ast.parse(rng.choice(STATEMENTS)).body


def _put_expression(rng: random.Random, function: ast.FunctionDef) -> None:
    new = ast.parse(rng.choice(EXPRESSIONS), mode="eval").body
    places = [
        (node, name, number)
        for statement in function.body
        for node in ast.walk(statement)
        for name, value in ast.iter_fields(node)
        for number, inner in (enumerate(value) if isinstance(value, list) else [(-1, value)])
        if isinstance(inner, ast.expr) and not isinstance(getattr(inner, "ctx", None), ast.Store)
    ]
    node, name, number = rng.choice(places)
    if number < 0:
        setattr(node, name, copy.deepcopy(new))
    else:
        getattr(node, name)[number] = copy.deepcopy(new)


def check_syntax(data: bytes) -> None:
    """Check that the compiler takes the entry, or names a line."""
    with _module(data) as module:
        if module is None:
            return
        arguments = examples(module)
        try:
            compiled_ir(module.run0.function, arguments)
        except Unsupported as reason:
            _check_refusal(reason, data)
            if _NUMBA.encode() not in data:
                return
            found = answer(module.run0.compile, text_of(arguments), arguments, says=_LINE, expected=_ERRORS)
            assert found is None or callable(found)


TARGETS: Final = (
    Target("kernels", make_kernels, check_kernels),
    Target("syntax-of-kernels", make_syntax, check_syntax),
)
