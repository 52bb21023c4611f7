"""Machine code in wheels: the families of CPUs, the code for each, and the choice among them."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rookery
from rookery.kernel import targets
from rookery.kernel.codecache import trust
from rookery.kernel.codecache.cache import Kept, read
from rookery.kernel.targets import TARGETS, missing_features, of_machine
from rookery.precompiled import UNITS
from rookery.shipping import compile_targets, shipped_units

SOURCE = str(Path(rookery.__file__).parents[1])
RUNNABLE = [target for target in of_machine() if not missing_features(target)]
x86 = pytest.mark.skipif(not any(t.name == "x86-64-v3" for t in RUNNABLE), reason="needs an x86-64 CPU with AVX2")


def kept_in(folder: Path) -> list[Kept]:
    found = (read(file, trust.owners(Path(__file__))) for file in sorted(folder.glob("*.code")))
    return [kept for kept in found if kept]


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": SOURCE, **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("machine_code")
    code = f"""
from pathlib import Path
from rookery.shipping import compile_targets
if __name__ == "__main__":
    print(compile_targets(Path({str(folder)!r}), jobs=1, units=["knights and kings", "magics: find"]))
"""
    script = folder.parent / "ship.py"
    script.write_text(code)
    env = {**os.environ, "PYTHONPATH": SOURCE}
    done = subprocess.run([sys.executable, str(script)], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder


KNIGHTS = """
import sys
from pathlib import Path
import numpy as np
import rookery
from rookery.bitboards.leapers import knight_attacks
from rookery.kernel.codecache import cache
from rookery.kernel import settings, watch_compilation
cache.SHIPPED = Path({folder!r})
compiled = []
with watch_compilation(lambda: compiled.append(1)):
    answer = knight_attacks(np.array([0, 27], np.uint8)).tolist()
print(answer == [0x20400, 0x0000142200221400], len(compiled), "numba" in sys.modules)
"""


def test_each_family_has_the_same_functions(shipped: Path) -> None:
    names = {
        target.name: sorted((kept.key.module, kept.key.function, kept.key.types) for kept in kept_in(folder))
        for target in of_machine()
        if (folder := shipped / target.name).is_dir()
    }
    assert set(names) == {target.name for target in of_machine()}
    first, *others = names.values()
    assert len(first) >= 2
    assert all(other == first for other in others)


def test_the_code_of_a_wheel_is_used_and_nothing_is_compiled(shipped: Path, tmp_path: Path) -> None:
    program = KNIGHTS.format(folder=str(shipped))
    done = python(program, NUMBA_CACHE_DIR=str(tmp_path))
    assert done.stdout.split() == ["True", "0", "False"], done.stderr
    assert not list(tmp_path.rglob("*.code"))
    # Without it, and where it is not wanted, the function is compiled.
    for environment in ({"ROOKERY_TARGET": "host"}, {"NUMBA_BOUNDSCHECK": "1"}):
        done = python(program, NUMBA_CACHE_DIR=str(tmp_path), **environment)
        assert done.stdout.split() == ["True", "1", "True"], done.stderr
    done = python(KNIGHTS.format(folder=str(shipped / "nothing")), NUMBA_CACHE_DIR=str(tmp_path / "empty"))
    assert done.stdout.split() == ["True", "1", "True"], done.stderr


@pytest.mark.parametrize("target", [target.name for target in RUNNABLE])
def test_a_family_can_be_forced(shipped: Path, tmp_path: Path, target: str) -> None:
    done = python(KNIGHTS.format(folder=str(shipped)), NUMBA_CACHE_DIR=str(tmp_path), ROOKERY_TARGET=target)
    assert done.stdout.split() == ["True", "0", "False"], done.stderr


def test_damaged_and_outdated_code_is_compiled_anew(shipped: Path, tmp_path: Path) -> None:
    folder = tmp_path / "machine_code"
    for file in shipped.rglob("*.code"):
        copy = folder / file.relative_to(shipped)
        copy.parent.mkdir(parents=True, exist_ok=True)
        content = bytearray(file.read_bytes())
        content[len(content) // 2] ^= 1
        copy.write_bytes(content)
    done = python(KNIGHTS.format(folder=str(folder)), NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout.split() == ["True", "1", "True"], done.stderr


def test_wrong_names_of_families() -> None:
    done = python("from rookery import bits", ROOKERY_TARGET="pentium")
    names = ", ".join(target.name for target in of_machine())
    assert f"ROOKERY_TARGET: 'pentium': expected one of {names}, host" in done.stderr


def test_a_family_that_this_cpu_does_not_belong_to(monkeypatch: pytest.MonkeyPatch) -> None:
    best = of_machine()[0]
    if best.machines != targets.TARGETS[0].machines:
        pytest.skip("the features of this kind of CPU cannot be asked")
    monkeypatch.setattr(targets, "_host_features", lambda: dict.fromkeys(best.features[1:], True))
    targets._named.cache_clear()
    monkeypatch.setenv("ROOKERY_TARGET", best.name)
    with pytest.raises(RuntimeError, match=f"this CPU lacks {best.features[0]}"):
        targets.forced()
    monkeypatch.delenv("ROOKERY_TARGET")
    assert targets.shipped_target() is None
    targets._named.cache_clear()


ASSEMBLY = """
import re
import numpy as np
import rookery
from rookery.positions.positions import Positions
from rookery.kernel import entries
calls = []
positions = Positions.from_fens([rookery.STARTING_FEN] * 100)
with entries.record_entries(lambda entry, examples: calls.append((entry, examples))):
    positions.mobility("knight")
text = "".join(entry.assembly(*examples) for entry, examples in calls)
print(*sorted(name for name in ("zmm", "ymm", "vpopcntq", "vpcompressb", "vgf2p8affineqb") if name in text))
"""


@x86
@pytest.mark.parametrize(
    ("name", "found", "absent"),
    [("x86-64-v3", {"ymm"}, {"zmm", "vpopcntq", "vpcompressb"}), ("x86-64-v4-vbmi2", {"zmm", "vpopcntq"}, set())],
)
def test_the_instructions_of_a_family(name: str, found: set[str], absent: set[str], tmp_path: Path) -> None:
    """The code of each family is compiled on any CPU, and read but not run."""
    (target,) = (target for target in TARGETS if target.name == name)
    program = f"""
import os
{ASSEMBLY.split("text =")[0]}
import sys
assert "numba" not in sys.modules
os.environ.update(NUMBA_CPU_NAME={target.cpu!r}, NUMBA_CPU_FEATURES={target.listed!r})
text ={ASSEMBLY.split("text =")[1]}"""
    python(ASSEMBLY.split("text =")[0])  # so that the calls need no compiler
    done = python(program)
    assert done.returncode == 0, done.stderr
    instructions = set(done.stdout.split())
    assert found <= instructions
    assert not absent & instructions


def test_which_units_wheels_carry() -> None:
    left_out = {unit.name for unit in UNITS} - set(shipped_units())
    assert left_out == {"magics: find", "magics: prove", "magics: pack"}


def test_a_cpu_of_no_family(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rookery.shipping.missing_features", lambda target: ["avx2"])
    with pytest.raises(RuntimeError, match="this CPU belongs to none of the families"):
        compile_targets(tmp_path, jobs=1)


def test_wheels_carry_no_code_of_the_plain_pipeline(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("rookery.kernel.compiler.choice.fault", lambda: "Numba 9.9 was not tested")
    with pytest.raises(RuntimeError, match=r"^Numba 9\.9 was not tested: wheels carry only"):
        compile_targets(tmp_path, jobs=1)


def test_old_variants_are_removed(tmp_path: Path) -> None:
    from rookery.kernel.codecache import cache
    from rookery.kernel.native.units import Unit

    unit = Unit("name", b"", ())

    def key(version: int, types: str) -> cache.Key:
        return cache.Key("rookery.x", "f", "apart", types, f"{version}", ("cpu",), False, "3")

    for version in range(cache.MOST_VARIANTS + 3):
        for types in ("int64", "uint64"):
            cache.write(tmp_path, cache.Kept(key(version, types), [], unit))
            os.utime(tmp_path / key(version, types).name(), (version, version))
    kept = {(found.key.types, int(found.key.made_by)) for found in kept_in(tmp_path)}
    assert kept == {(types, version) for types in ("int64", "uint64") for version in range(3, cache.MOST_VARIANTS + 3)}
