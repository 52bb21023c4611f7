"""Names that packages import on first use: the same for type checkers and for Python, and nothing imported early."""

import ast
import importlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rookery
import rookery.kernel
import rookery.pgn
from rookery.lazy_imports import import_later

PACKAGES = [rookery, rookery.kernel, rookery.pgn]


def imported_for_types(package: ModuleType) -> Iterator[tuple[str, str, str]]:
    """Module, name there and name here of what a package imports under `TYPE_CHECKING`."""
    tree = ast.parse(Path(str(package.__file__)).read_text(encoding="utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"]
    for node in block.body:
        assert isinstance(node, ast.ImportFrom)
        assert node.module
        yield from ((node.module, alias.name, alias.asname or alias.name) for alias in node.names)


def run(code: str) -> str:
    """Run code in a new process and return what it prints."""
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()


@pytest.mark.parametrize("package", PACKAGES)
def test_type_checkers_and_python_find_the_same_names(package: ModuleType) -> None:
    found = list(imported_for_types(package))
    assert len(found) > 20
    for module, original, name in found:
        there = importlib.import_module(module)
        expected = importlib.import_module(f"{module}.{original}") if there is package else getattr(there, original)
        assert getattr(package, name) is expected, name
    names = {name for _, _, name in found}
    public = set(getattr(package, "__all__", names))
    assert public <= names
    assert not names - public - {"bits", "lines", "sets", "squares"}


def test_a_star_imports_every_name() -> None:
    namespace: dict[str, object] = {}
    exec("from rookery import *", namespace)
    assert {*rookery.__all__} == namespace.keys() - {"__builtins__"}
    assert {*rookery.__all__} <= {*dir(rookery)}


@pytest.mark.parametrize("package", PACKAGES)
def test_unknown_names_are_attribute_errors(package: ModuleType) -> None:
    with pytest.raises(AttributeError, match=f"module '{package.__name__}' has no attribute 'Bord'"):
        package.Bord  # noqa: B018
    with pytest.raises(ImportError, match="Bord"):
        exec(f"from {package.__name__} import Bord", {})


def test_a_name_may_be_another_one_or_a_module() -> None:
    later = import_later("rookery", {"rookery.bitboards.squares": "FOUR=D4", "rookery.bitboards": "bits"})
    assert later("FOUR") == 27
    del rookery.__dict__["FOUR"]
    assert later("bits") is importlib.import_module("rookery.bitboards.bits")


@pytest.mark.parametrize("first", ["import rookery.techniques.base, rookery.techniques", "rookery.techniques", "pass"])
def test_folders_do_not_replace_the_functions_of_their_names(first: str) -> None:
    code = f"import rookery; {first}; print(rookery.technique('pext').name, len(rookery.techniques()))"
    assert run(code) == "pext 50"


# What a board needs, and what would cost more time than all of it.
LIGHT = """
import sys
import rookery, rookery.aliases, rookery.arguments, rookery.kernel
from rookery import Bitboard, Piece, Placement, SquareSet, E4, KNIGHT, WHITE, square, square_name, between
knights = Bitboard.of("e4") | 1 << square(3, 4)
squares = SquareSet(knights) - SquareSet([E4])
piece = Piece(KNIGHT, WHITE)
placement = Placement.from_fen("8/8/8/3N4/4N3/8/8/8")
assert placement.white_knights == knights and placement.piece_at(E4) == piece and squares.names() == ["d5"]
assert square_name(E4) == "e4" and not between(0, 1) and list(~knights)[0] == 0
print(sorted({"click", "dataclasses", "inspect", "numba", "numpy", "pathlib"} & sys.modules.keys()))
"""


def test_squares_pieces_and_sets_need_no_numpy() -> None:
    assert run(LIGHT) == "[]"


LATE = """
from rookery import Bitboard, SquareSet, Piece, KING, square
from rookery.bitboards.colours import read_colour
board = Bitboard(5)
import numpy as np
for value in board & np.uint8(4), np.uint64(4) | board, board << np.int8(1), Bitboard(np.uint64(1 << 63)):
    print(repr(value))
for value in square(np.int8(1), np.int64(2)), SquareSet(np.uint64(3)), read_colour(np.True_):
    print(repr(value))
print(repr(Piece(np.int8(KING), np.False_)))
"""


def test_numbers_of_numpy_are_known_when_it_is_imported_later() -> None:
    assert run(LATE).split("\n") == [
        "Bitboard(0x0000000000000004)",
        "np.uint64(5)",
        "Bitboard(0x000000000000000a)",
        "Bitboard(0x8000000000000000)",
        "17",
        "SquareSet(0x0000000000000003)",
        "True",
        "'k'",
    ]


def test_the_help_of_the_command_line_needs_no_numpy() -> None:
    code = """
import sys
import click.testing, rookery.cli
assert "--divide" in click.testing.CliRunner().invoke(rookery.cli.main, ["perft", "--help"]).output
print(sorted({"concurrent.futures", "numba", "numpy"} & sys.modules.keys()))
"""
    assert run(code) == "[]"


# What the first answer of a function must not wait for, besides the kernels that a wheel has as machine code.
HEAVY = [
    *("asyncio", "bz2", "click", "concurrent.futures", "csv", "difflib", "hashlib", "json", "logging", "lzma"),
    *("multiprocessing", "numba", "llvmlite", "pyarrow", "queue", "rich", "tempfile"),
    *("rookery.bitboards.leapers", "rookery.board.reasons", "rookery.sources.files", "rookery.kernel.compiler"),
    *("rookery.kernel.making", "rookery.rules.generate", "rookery.rules.position", "rookery.techniques.base.calls"),
]
GAMES = ["rookery.games", "rookery.pgn", "rookery.positions"]
TABLES = [
    *("rookery.sources.csv_text", "rookery.games.interchange.table_files", "rookery.games.openings.tree"),
    *("rookery.games.headers.where", "rookery.positions.kernels.lanes"),
]
FIRST_ANSWERS = {
    "perft": [*HEAVY, *GAMES],
    "read_pgn": [*HEAVY, *TABLES, "rookery.positions.motifs", "rookery.positions.queries"],
    "search": [*HEAVY, *TABLES, "rookery.positions.queries.check_kernels", "rookery.positions.queries.count_kernels"],
    "Positions": [*HEAVY, *TABLES, "rookery.pgn", "rookery.positions.motifs", "rookery.positions.queries"],
}


@pytest.mark.parametrize("name", FIRST_ANSWERS)
def test_functions_import_no_kernels_and_nothing_for_rare_sources(name: str) -> None:
    code = f"""
import sys
import numpy
before = set(sys.modules)
import rookery
rookery.{name}
print(sorted({set(FIRST_ANSWERS[name])} & (sys.modules.keys() - before)))
"""
    assert run(code) == "[]"


def test_entries_known_by_name_are_entries_of_these_names() -> None:
    """In a process of its own, since it imports every module."""
    code = """
import gc
from rookery.kernel.entries import Entry, _EntryElsewhere
from rookery.shipping.precompiled import units
units()  # imports all modules
known = [value for value in gc.get_objects() if type(value) is _EntryElsewhere]
for value in known:
    entry = value._entry()
    assert isinstance(entry, Entry), value._name
    assert (entry.function.__module__, entry.function.__qualname__) == (value._module, value._name), value._name
    assert entry.flavour == "apart", value._name
print(len(known) > 40)
"""
    assert run(code) == "True"


def test_a_stand_in_for_a_module_imports_it_on_first_use() -> None:
    code = """
import sys
from rookery.lazy_imports import modules_later
lines, lzma = *modules_later("rookery.bitboards", "lines"), *modules_later("", "lzma")
before = {"rookery.bitboards.lines", "lzma"} & sys.modules.keys()
print(before, lines.between(0, 18).names(), hasattr(lzma, "LZMADecompressor"), hasattr(lines, "nothing"))
"""
    assert run(code) == "set() ['b2'] True False"


def stand_ins(tree: ast.Module) -> Iterator[tuple[dict[str, str], dict[str, str]]]:
    """Yield what names stand for, by blocks: for type checkers, and for Python."""
    for node in tree.body:
        if not (isinstance(node, ast.If) and "modules_later" in ast.unparse(node)):
            continue
        typed = {}
        for line in node.body:
            assert isinstance(line, ast.ImportFrom | ast.Import), ast.unparse(line)
            package = f"{line.module}." if isinstance(line, ast.ImportFrom) else ""
            typed.update({name.asname or name.name: package + name.name for name in line.names})
        late = {}
        for assignment in node.orelse:
            assert isinstance(assignment, ast.Assign)
            assert isinstance(assignment.targets[0], ast.Tuple)
            assert isinstance(assignment.value, ast.Call)
            package, modules = map(ast.literal_eval, assignment.value.args)
            names = [ast.unparse(name) for name in assignment.targets[0].elts]
            late.update({n: f"{package}.{m}".lstrip(".") for n, m in zip(names, modules.split(), strict=True)})
        yield typed, late


def test_stand_ins_are_the_modules_that_type_checkers_see() -> None:
    root, found = Path(str(rookery.__file__)).parent, 0
    for file in sorted(root.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        for typed, late in stand_ins(ast.parse(text)) if "modules_later" in text else ():
            found += 1
            assert late.items() <= typed.items(), file
    assert found > 20
