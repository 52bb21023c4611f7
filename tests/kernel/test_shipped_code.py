"""Machine code in wheels: the families of CPUs, the extension module of each, and the choice among them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rookery
from hidden_numba import HIDING
from rookery.kernel import targets
from rookery.kernel.codecache import trust
from rookery.kernel.codecache.cache import Kept, read
from rookery.kernel.targets import CPU_MODULE, TARGETS, X86, missing_features, of_machine
from rookery.shipping.wheels import compile_targets, units_of
from thinning import few

PACKAGE = Path(rookery.__file__).parent
SOURCE = str(PACKAGE.parent)
RUNNABLE = [target for target in of_machine() if not missing_features(target)]
SHIPPED_UNITS = [
    "bitboards.leapers",
    "bitboards.machine_code",
    "board.kernels.fen",
    "board.kernels.objects",
    "games.methods.duplicates",
]
x86 = pytest.mark.skipif(not any(t.name == "x86-64-v3" for t in RUNNABLE), reason="needs an x86-64 CPU with AVX2")
elf = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads ELF files")


def kept_in(folder: Path) -> list[Kept]:
    found = (read(file, trust.owners(Path(__file__))) for file in sorted(folder.glob("*.code")))
    return [kept for kept in found if kept]


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


def made(folder: Path, families: list[str] | None, **environment: str) -> Path:
    """Make the extension modules of some units, as a wheel has them."""
    code = f"""
from pathlib import Path
from rookery.shipping.wheels import compile_targets
if __name__ == "__main__":
    print(compile_targets(Path({str(folder)!r}), jobs=1, units={SHIPPED_UNITS!r}, families={families!r}))
"""
    script = folder.parent / "ship.py"
    script.write_text(code)
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("shipped") / "machine_code", None)


def installed(machine_code: Path | None, folder: Path) -> str:
    """Return a folder with the package as a wheel installs it, with machine code if any is given."""
    package = folder / "rookery"
    package.mkdir(parents=True)
    for path in PACKAGE.iterdir():
        (package / path.name).symlink_to(path)
    if machine_code is not None:
        shutil.copytree(machine_code, package / "machine_code")
    return str(folder)


KNIGHTS = """
import sys
import numpy as np
import rookery
from rookery.bitboards.leapers import knight_attacks
from rookery.kernel import watch_compilation
compiled = []
with watch_compilation(lambda: compiled.append(1)):
    answer = knight_attacks(np.array([0, 27], np.uint8)).tolist()
print(answer == [0x20400, 0x0000142200221400], len(compiled), "numba" in sys.modules, "llvmlite" in sys.modules)
"""
LOADED = ["True", "0", "False", "False"]
COMPILED = ["True", "1", "False", "True"]


def test_a_board_uses_the_machine_code_of_the_units_that_a_wheel_has(shipped: Path, tmp_path: Path) -> None:
    program = """
import rookery
board = rookery.Board()
print(str(board) == str(board.copy()), board == board.copy(), board != 5, board.copy(stack=False) == board)
"""
    done = python(program, PYTHONPATH=installed(shipped, tmp_path))
    assert done.stdout.split() == ["True"] * 4, done.stderr


def test_operators_take_machine_code_from_the_wheel(shipped: Path, tmp_path: Path) -> None:
    code = "import sys, pytest; from rookery.kernel.native.shipped import shipped; assert shipped() is not None;"
    tests = str(Path(__file__).parents[1] / "bitboards" / "test_native_bitboards.py")
    asked = f"{code} sys.exit(pytest.main(['-q', '-m', 'not compiler', '-p', 'no:cacheprovider', {tests!r}]))"
    done = python(asked, PYTHONPATH=installed(shipped, tmp_path))
    assert done.returncode == 0, done.stdout
    assert "skipped" not in done.stdout


NAMES = """
from importlib import import_module
import rookery.machine_code
for name in rookery.machine_code.MODULES:
    module = import_module(f"rookery.machine_code.{name}")
    print(name, *getattr(module, "names", str)().split("\\n"))
print("native", *rookery.machine_code.NATIVE)
"""


def names_in(path: str) -> dict[str, list[str]]:
    """Return the functions of each module of a wheel, and the modules with native functions."""
    done = python(NAMES, PYTHONPATH=path)
    assert done.returncode == 0, done.stderr
    return {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}


def test_each_family_has_the_functions_that_gain_from_it(shipped: Path, tmp_path: Path) -> None:
    names = names_in(installed(shipped, tmp_path))
    native = names.pop("native")
    assert names.pop(CPU_MODULE, None) == ([] if of_machine()[0].machines == X86 else None)
    assert list(names) == [target.module for target in of_machine()]
    widest = {target.module for target in of_machine() if "avx512f" in target.features}
    for module, found in names.items():
        assert any(name.startswith("rookery.bitboards.leapers") for name in found)
        assert any(name.startswith("native.") for name in found) == (module in native) == (module not in widest)


def test_a_family_alone_has_all_functions_but_those_of_techniques() -> None:
    alone = [target.name for target in of_machine()[:1]]
    wanted = [*SHIPPED_UNITS, "counting.walk", "board.kernels.fen", "positions.notation.lines", "kogge-stone"]
    best, *_ = of_machine()
    rest = wanted[:-1] if best.machines == X86 else wanted
    assert units_of(best, wanted, alone) == rest
    if best.machines == X86:
        families = [target.name for target in of_machine()]
        carried = {target.name: units_of(target, wanted, families) for target in of_machine()}
        assert carried == {
            "x86-64-v4-vbmi2": ["bitboards.leapers", "counting.walk"],
            "x86-64-v3": wanted,
            "x86-64-v2": [name for name in wanted[:-1] if name != "games.methods.duplicates"],
        }


def test_the_code_of_a_wheel_is_used_and_nothing_is_compiled(shipped: Path, tmp_path: Path) -> None:
    path, cache = installed(shipped, tmp_path / "with"), str(tmp_path / "cache")
    done = python(KNIGHTS, PYTHONPATH=path, NUMBA_CACHE_DIR=cache)
    assert done.stdout.split() == LOADED, done.stderr
    assert not list(tmp_path.rglob("*.code"))
    # Without it, and where it is not wanted, the function is compiled.
    for environment in ({"ROOKERY_TARGET": "host"}, {"NUMBA_BOUNDSCHECK": "1"}):
        done = python(KNIGHTS, PYTHONPATH=path, NUMBA_CACHE_DIR=cache, **environment)
        assert done.stdout.split() == COMPILED, done.stderr
    done = python(KNIGHTS, PYTHONPATH=installed(None, tmp_path / "without"), NUMBA_CACHE_DIR=str(tmp_path / "empty"))
    assert done.stdout.split() == COMPILED, done.stderr


def test_an_entry_known_by_its_name_needs_no_module_of_kernels(shipped: Path, tmp_path: Path) -> None:
    program = """
import sys
import numpy as np
from rookery.kernel import entry_of, watch_compilation
look_up = entry_of("rookery.bitboards.leapers", "look_up_arrays")
attacks = 1 << np.arange(64, dtype=np.uint64)
attacks.flags.writeable = False
squares = np.array([0, 27], np.uint8)
squares.flags.writeable = False  # the types that the unit declares
out, compiled = np.zeros(2, np.uint64), []
with watch_compilation(lambda: compiled.append(1)):
    print(int(look_up(squares, out, attacks)), out.tolist() == [1, 1 << 27])
    print(*({"rookery.bitboards.leapers", "rookery.kernel.making"} & sys.modules.keys()))
    # The module has the same code, and the entry finds it for other types.
    from rookery.bitboards.leapers import knight_attacks
    print(knight_attacks(np.array([0], np.uint8)).tolist() == [0x20400], len(compiled))
try:
    look_up(1)
except TypeError as error:
    print(str(error).split(":")[0])
"""
    done = python(program, PYTHONPATH=installed(shipped, tmp_path))
    assert done.stdout.splitlines() == ["27 True", "", "True 0", "look_up_arrays"], done.stderr


def test_code_of_a_wheel_needs_no_numba(shipped: Path, tmp_path: Path) -> None:
    done = python(HIDING + KNIGHTS, PYTHONPATH=installed(shipped, tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert (done.stdout.split(), done.stderr) == (LOADED, "")


def test_native_functions_of_a_wheel_need_no_numpy(shipped: Path, tmp_path: Path) -> None:
    program = """
import sys
from rookery.bitboards.pieces import Piece
from rookery.bitboards.squares import square_name
print(square_name(27), type(square_name).__name__, Piece.from_symbol("n"), "numpy" in sys.modules)
"""
    done = python(program, PYTHONPATH=installed(shipped, tmp_path))
    assert done.stdout.split() == ["d4", "builtin_function_or_method", "n", "False"], done.stderr


def test_kernels_run_in_python_if_requested(shipped: Path, tmp_path: Path) -> None:
    program = f"{KNIGHTS}print('rookery.kernel.in_python' in sys.modules)"
    done = python(program, PYTHONPATH=installed(shipped, tmp_path), NUMBA_DISABLE_JIT="1")
    assert done.stdout.split() == [*LOADED, "True"], done.stderr


@pytest.mark.parametrize("target", [target.name for target in RUNNABLE])
def test_a_family_can_be_forced(shipped: Path, tmp_path: Path, target: str) -> None:
    path = installed(shipped, tmp_path)
    program = f"{KNIGHTS}print(*(name for name in sys.modules if name.startswith('rookery.machine_code.')))"
    done = python(program, PYTHONPATH=path, NUMBA_CACHE_DIR=str(tmp_path / "cache"), ROOKERY_TARGET=target)
    assert done.stdout.split()[:4] == LOADED, done.stderr
    (family,) = (t for t in RUNNABLE if t.name == target)
    native = next(t for t in of_machine()[of_machine().index(family) :] if "avx512f" not in t.features)
    assert set(done.stdout.split()[4:]) - {f"rookery.machine_code.{CPU_MODULE}"} == {
        f"rookery.machine_code.{module}" for module in (family.module, native.module)
    }


def test_what_a_wheel_lacks_is_compiled_for_the_same_family(shipped: Path, tmp_path: Path) -> None:
    program = KNIGHTS + "from rookery.kernel import cpu\nprint(cpu()[0])"
    done = python(program, PYTHONPATH=installed(shipped, tmp_path), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.split()[4:] == [RUNNABLE[0].cpu], done.stderr


@pytest.mark.slow
def test_equal_sources_give_equal_bytes(shipped: Path, tmp_path: Path) -> None:
    family = next(target for target in RUNNABLE if "avx512f" not in target.features)  # which alone has as much
    again = made(tmp_path / "machine_code", [family.name], PYTHONHASHSEED="7")
    files = [file for file in again.iterdir() if file.suffix != ".py"]
    assert {file.name.partition(".")[0] for file in files} >= {family.module}
    for file in files:
        assert file.read_bytes() == (shipped / file.name).read_bytes(), file.name


@elf
def test_extension_modules_need_python_alone_and_no_relocation_of_code(shipped: Path) -> None:
    for file in sorted(shipped.glob("*.so")):
        read_elf = ["readelf", "-W", "--dyn-syms", "--dynamic", str(file)]
        text = subprocess.run(read_elf, capture_output=True, text=True, check=True).stdout
        assert "TEXTREL" not in text
        assert "(NEEDED)" not in text
        undefined = re.findall(r" UND (\w+)", text)
        assert undefined
        assert all(re.match(r"_?Py", name) or name in ("memcpy", "memset", "memmove") for name in undefined), undefined
        exported = re.findall(r"GLOBAL DEFAULT +\d+ (\S+)", text)
        assert exported == [f"PyInit_{file.name.partition('.')[0]}"]


@x86
def test_features_are_those_that_llvm_finds(shipped: Path, tmp_path: Path) -> None:
    program = """
import llvmlite.binding as llvm
from rookery.kernel.targets import TARGETS, X86, features_of
from rookery.machine_code import cpu
found, expected = features_of(cpu.cpuid, cpu.xgetbv), dict(llvm.get_host_cpu_features())
needed = {name for target in TARGETS if target.machines == X86 for name in target.features}
print(needed == set(found), {name for name in found if found[name] != expected[name]} or "same")
"""
    done = python(program, PYTHONPATH=installed(shipped, tmp_path))
    assert done.stdout.split() == ["True", "same"], done.stderr


class Cpu:
    """An x86-64 CPU: registers by leaf, and which registers its system saves."""

    def __init__(self, leaves: dict[int, tuple[int, int, int, int]], saved: int) -> None:
        self.leaves, self.saved = leaves, saved

    def cpuid(self, leaf: int) -> bytes:
        return b"".join(register.to_bytes(4, "little") for register in self.leaves.get(leaf, (0, 0, 0, 0)))

    def xgetbv(self) -> int:
        assert self.leaves[1][2] >> 27 & 1, "the instruction would fail"
        return self.saved


ALL = 0xFFFF_FFFF
EVERYTHING = {0: (7, 0, 0, 0), 1: (0, 0, ALL, ALL), 7: (0, ALL, ALL, ALL)}
EXTENDED = {0x8000_0000: (0x8000_0001, 0, 0, 0), 0x8000_0001: (0, 0, ALL, ALL)}


@pytest.mark.parametrize(
    ("cpu", "best"),
    [
        (Cpu({**EVERYTHING, **EXTENDED}, 0xE7), "x86-64-v4-vbmi2"),
        (Cpu({**EVERYTHING, **EXTENDED}, 0x07), "x86-64-v3"),  # the system does not save registers of 512 bits
        (Cpu({**EVERYTHING, **EXTENDED}, 0x03), "x86-64-v2"),  # nor those of 256 bits
        (Cpu({**EVERYTHING, **EXTENDED, 1: (0, 0, ALL ^ (1 << 27), ALL)}, 0xE7), "x86-64-v2"),
        (Cpu({**EVERYTHING, **EXTENDED, 0: (1, 0, 0, 0)}, 0xE7), "x86-64-v2"),  # leaf 7 is another leaf's
        (Cpu(EVERYTHING, 0xE7), None),  # no LAHF in 64-bit mode
        (Cpu({0: (1, 0, 0, 0), 1: (0, 0, 0, ALL), **EXTENDED}, 0), None),
    ],
)
def test_the_family_of_a_cpu(cpu: Cpu, best: str | None) -> None:
    found = targets.features_of(cpu.cpuid, cpu.xgetbv)
    families = (t.name for t in TARGETS if t.machines == X86 and all(found[name] for name in t.features))
    assert next(families, None) == best


def test_damaged_modules_are_not_there(shipped: Path, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged"
    shutil.copytree(shipped, damaged)
    for file in damaged.iterdir():
        if file.name.startswith(RUNNABLE[0].module):
            file.write_bytes(file.read_bytes()[:100])
    done = python(KNIGHTS, PYTHONPATH=installed(damaged, tmp_path / "with"), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.split() == COMPILED, done.stderr


@pytest.fixture
def without_code() -> Iterator[None]:
    """Forget which families have been looked for, before and after."""

    def forget() -> None:
        for function in (targets._named, targets._host_features, targets.modules, targets.shipped_family):
            function.cache_clear()

    forget()
    yield
    forget()


def test_wrong_names_of_families() -> None:
    done = python("from rookery import bits", ROOKERY_TARGET="pentium")
    names = ", ".join(target.name for target in of_machine())
    assert f"ROOKERY_TARGET: 'pentium': expected one of {names}, host" in done.stderr


@pytest.mark.usefixtures("without_code")
def test_a_family_that_this_cpu_does_not_belong_to(monkeypatch: pytest.MonkeyPatch) -> None:
    best = of_machine()[0]
    if best.machines != X86:
        pytest.skip("the features of this kind of CPU cannot be asked")
    lacking = dict.fromkeys(best.features[1:], True)
    monkeypatch.setattr(targets, "missing_features", lambda target: [n for n in target.features if n not in lacking])
    monkeypatch.setattr(targets, "modules", lambda: tuple(target.module for target in of_machine()))
    monkeypatch.setenv("ROOKERY_TARGET", best.name)
    with pytest.raises(RuntimeError, match=f"this CPU lacks {best.features[0]}"):
        targets.forced()
    monkeypatch.delenv("ROOKERY_TARGET")
    assert targets.shipped_family() is None


ASSEMBLY = """
from rookery.shipping.precompiled import calls_of
text = "".join(entry.assembly(*example) for entry, example in calls_of("positions.queries.mobility"))
print(*sorted(name for name in ("zmm", "ymm", "vpopcntq", "vpcompressb", "vgf2p8affineqb") if name in text))
"""


@x86
@pytest.mark.parametrize(
    ("name", "found", "absent"),
    few(
        [("x86-64-v3", {"ymm"}, {"zmm", "vpopcntq", "vpcompressb"}), ("x86-64-v4-vbmi2", {"zmm", "vpopcntq"}, set())], 1
    ),
)
def test_the_instructions_of_a_family(name: str, found: set[str], absent: set[str], tmp_path: Path) -> None:
    """The code of each family is compiled on any CPU, and read but not run."""
    (target,) = (target for target in TARGETS if target.name == name)
    done = python(ASSEMBLY, NUMBA_CPU_NAME=target.cpu, NUMBA_CPU_FEATURES=target.listed)
    assert done.returncode == 0, done.stderr
    instructions = set(done.stdout.split())
    assert found <= instructions
    assert not absent & instructions


def test_a_machine_of_no_family(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rookery.shipping.wheels.of_machine", tuple)
    with pytest.raises(RuntimeError, match="expected some of those of this kind of machine"):
        compile_targets(tmp_path, jobs=1)


def test_old_variants_are_removed(tmp_path: Path) -> None:
    from rookery.kernel.codecache import cache
    from rookery.kernel.native.units import Unit

    unit = Unit("name", b"", (), 2)

    def key(version: int, types: str) -> cache.Key:
        return cache.Key("rookery.x", "f", "apart", types, f"{version}", ("cpu",), False, "3")

    for version in range(cache.MOST_VARIANTS + 3):
        for types in ("int64", "uint64"):
            cache.write(tmp_path, cache.Kept(key(version, types), [], unit))
            os.utime(tmp_path / key(version, types).name(), (version, version))
    kept = {(found.key.types, int(found.key.made_by)) for found in kept_in(tmp_path)}
    assert kept == {(types, version) for types in ("int64", "uint64") for version in range(3, cache.MOST_VARIANTS + 3)}
