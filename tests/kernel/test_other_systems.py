"""Machine code for other systems: emitted here, its symbols and relocations read, and some of it run by an emulator.

Release builds compile on the system itself. These tests find out whether what they link will link.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import chess
import pytest

import object_files
import rookery
from corpus import corpus

SYSTEMS: Final = {
    "Linux, arm64": ("aarch64-unknown-linux-gnu", "generic", "+neon", "ELF", 183),
    "macOS, arm64": ("arm64-apple-macosx11.0.0", "apple-m1", "", "Mach-O", 0x0100000C),
    "Windows": ("x86_64-pc-windows-msvc", "x86-64-v3", "", "COFF", 0x8664),
}
LIBRARY: Final = {"memcpy", "memset", "memmove", "__chkstk"}

# The kernels are compiled for a CPU without special instructions, and their LLVM code is moved to the other system.
EMIT: Final = """
import sys
from pathlib import Path
import llvmlite.binding as llvm
from rookery.board.kernels.compiled import tables
from rookery.native_methods.wrappers import wrapper_of
from rookery.native_methods.kinds import TWINS
from rookery.kernel.native.linking import joining_object
from rookery.kernel.native.units import for_machine, machine, unit_of

folder, names, systems = Path(sys.argv[1]), {names!r}, {systems!r}
kernels = {{}}
for name in names:
    twin = TWINS[name]
    kernels[name] = twin, twin.entry.compiled_ir((*twin.examples, *((tables(),) if twin.tables else ())))
for i, system in enumerate(systems):
    units = [unit_of(wrapper_of(twin, k, name), k, name, system) for name, (twin, k) in kernels.items()]
    for unit in units:
        (folder / f"{{i}}.{{unit.symbol}}.o").write_bytes(unit.code)
    (folder / f"{{i}}.o").write_bytes(joining_object("machine_code", units, {{}}, system))
    described = machine(*system)
    for name, (_, k) in kernels.items():
        module = llvm.parse_assembly(for_machine(k.text, described))
        (folder / f"{{i}}.{{name}}.kernel.o").write_bytes(described.emit_object(module))
        (folder / f"{{name}}.symbol").write_text(k.symbol)
"""
NAMES: Final = ("count_legal_moves", "push", "outcome")  # the last one calls a function in its group


@pytest.fixture(scope="module")
def emitted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("objects")
    program = EMIT.format(names=NAMES, systems=[system[:3] for system in SYSTEMS.values()])
    source = str(Path(rookery.__file__).parents[1])
    plain = {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "ROOKERY_TARGET": "host"}
    environment = {**os.environ, **plain, "PYTHONPATH": source}
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("number", range(len(SYSTEMS)), ids=SYSTEMS)
def test_object_files_link(emitted: Path, number: int) -> None:
    *_, format_, machine = [*SYSTEMS.values()][number]
    prefix = "_" if format_ == "Mach-O" else ""
    joining = object_files.read((emitted / f"{number}.o").read_bytes())
    units = [object_files.read((emitted / f"{number}.{name}.o").read_bytes()) for name in NAMES]
    assert {(file.format, file.machine) for file in (joining, *units)} == {(format_, machine)}
    # What one file needs, another one defines, or Python or C's library.
    parts = {f"{prefix}{name}.{part}" for name in NAMES for part in ("definition", "objects")}
    assert f"{prefix}PyInit_machine_code" in joining.defined
    assert parts <= joining.undefined
    once = [name for file in units for name, may_repeat in file.defined.items() if not may_repeat]
    assert set(once) == parts
    assert len(once) == len(parts)
    for file in (joining, *units):
        left = {name.removeprefix(prefix).removeprefix("__imp_") for name in file.undefined - parts}
        assert all(name.startswith(("Py", "_Py")) or name in LIBRARY for name in left), left
    # Tables and kernels have the same name in each file that has them, and the linker keeps one of each. So have
    # constants for vectors in COFF files.
    tables = [{name for name, may_repeat in file.defined.items() if may_repeat} for file in units]
    assert {name for name in tables[0] & tables[1] if "table." in name}
    assert all(sum(name.startswith(f"{prefix}kernel.") for name in names) == 1 for names in tables)
    shared = f"{prefix}table.", f"{prefix}kernel.", f"{prefix}rookery.", "__xmm@", "__ymm@"
    assert all(name.startswith(shared) for name in set().union(*tables))


def test_windows_imports_python_s_objects_through_a_table(emitted: Path) -> None:
    number = [*SYSTEMS].index("Windows")
    names = set()
    for name in (f"{number}.o", *(f"{number}.{name}.o" for name in NAMES)):
        names |= object_files.read((emitted / name).read_bytes()).undefined
    objects = {name for name in names if name.endswith(("_Type", "Struct")) or "PyExc_" in name}
    assert len(objects) >= 2
    assert all(name.startswith("__imp_") for name in objects), objects


@pytest.mark.parametrize("number", range(len(SYSTEMS)), ids=SYSTEMS)
def test_code_does_not_depend_on_its_address(emitted: Path, number: int) -> None:
    for name in (f"{number}.o", *(f"{number}.{name}.o" for name in NAMES)):
        file = object_files.read((emitted / name).read_bytes())
        code = {section: kinds for section, kinds in file.relocations.items() if "text" in section.lower()}
        assert any(code.values())
        assert not {kind for kinds in code.values() for kind in kinds} & object_files.ABSOLUTE[file.format], code


PROGRAM: Final = """
typedef unsigned long word;
int count(word *, const void *, word) __asm__("{symbol}");
static const word rows[][14] = {{ {rows} }};
static word answers[sizeof rows / sizeof *rows];
void *memset(void *to, int byte, word n) {{
    for (volatile char *p = to; n; n--) *p++ = byte;
    return to;
}}
void *memcpy(void *to, const void *from, word n) {{
    volatile char *p = to;
    for (const char *q = from; n; n--) *p++ = *q++;
    return to;
}}
static void call(word number, word a, word b, word c) {{
    register word x8 __asm__("x8") = number, x0 __asm__("x0") = a, x1 __asm__("x1") = b, x2 __asm__("x2") = c;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
}}
void _start(void) {{
    int status = 0;
    for (word i = 0; i < sizeof rows / sizeof *rows; i++)
        status |= count(answers + i, rows[i], 14);
    call(64, 1, (word)answers, sizeof answers);
    call(93, status, 0, 0);
}}
"""


def test_arm64_counts_legal_moves_in_an_emulator(emitted: Path, tmp_path: Path) -> None:
    compiler, emulator = (shutil.which(name) for name in ("aarch64-linux-gnu-gcc", "qemu-aarch64"))
    if compiler is None or emulator is None:
        pytest.skip("needs gcc-aarch64-linux-gnu and qemu-user")
    boards = corpus(200)
    rows = ", ".join("{" + ", ".join(f"{word}ul" for word in memoryview(b._row).cast("Q")) + "}" for b in boards)
    source, program = tmp_path / "program.c", tmp_path / "program"
    symbol = (emitted / "count_legal_moves.symbol").read_text()
    source.write_text(PROGRAM.format(symbol=symbol, rows=rows))
    kernel = str(emitted / "0.count_legal_moves.kernel.o")
    options = ["-O1", "-ffreestanding", "-fno-builtin", "-nostdlib", "-static", "-Wl,-z,text"]
    subprocess.run([compiler, *options, "-o", str(program), str(source), kernel], check=True)
    answers = subprocess.run([emulator, str(program)], capture_output=True, check=True).stdout
    found = memoryview(answers).cast("Q").tolist()
    assert found == [chess.Board(board.fen(), chess960=board.chess960).legal_moves.count() for board in boards]
    assert max(found) > 40
