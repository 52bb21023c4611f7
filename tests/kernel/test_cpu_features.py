"""Features of CPUs: which bits of CPUID tell them, and which families and vector widths follow."""

from collections.abc import Callable
from typing import Final

import pytest

from rookery.kernel import settings, targets
from rookery.kernel.settings import compiling_for, has_full_width, has_pext
from rookery.kernel.targets import TARGETS, features_of, missing_features, of_machine

EAX, EBX, ECX, EDX = range(4)

# Leaf, register and bit, from the manuals of Intel (volume 2, CPUID) and AMD (volume 3, appendix E). LLVM calls it
# xsave only where the system has enabled it (OSXSAVE), and crc32 is part of SSE4.2.
PLACES: Final = {
    "sse3": (1, ECX, 0), "ssse3": (1, ECX, 9), "fma": (1, ECX, 12), "cx16": (1, ECX, 13), "sse4.1": (1, ECX, 19),
    "sse4.2": (1, ECX, 20), "crc32": (1, ECX, 20), "movbe": (1, ECX, 22), "popcnt": (1, ECX, 23),
    "xsave": (1, ECX, 27), "avx": (1, ECX, 28), "f16c": (1, ECX, 29),
    "cx8": (1, EDX, 8), "cmov": (1, EDX, 15), "mmx": (1, EDX, 23), "fxsr": (1, EDX, 24), "sse": (1, EDX, 25),
    "sse2": (1, EDX, 26),
    "bmi": (7, EBX, 3), "avx2": (7, EBX, 5), "bmi2": (7, EBX, 8), "avx512f": (7, EBX, 16), "avx512dq": (7, EBX, 17),
    "avx512ifma": (7, EBX, 21), "avx512cd": (7, EBX, 28), "avx512bw": (7, EBX, 30), "avx512vl": (7, EBX, 31),
    "avx512vbmi": (7, ECX, 1), "avx512vbmi2": (7, ECX, 6), "gfni": (7, ECX, 8), "avx512vnni": (7, ECX, 11),
    "avx512bitalg": (7, ECX, 12), "avx512vpopcntdq": (7, ECX, 14),
    "sahf": (0x80000001, ECX, 0), "lzcnt": (0x80000001, ECX, 5),
}  # fmt: skip
OSXSAVE: Final = (1, ECX, 27)
WIDE: Final = {"avx", "avx2", "f16c", "fma", "xsave"}  # they use the registers of 256 bits
EVERYTHING_SAVED: Final = 0xE7


def cpu_with(*places: tuple[int, int, int], last: int = 7) -> Callable[[int], bytes]:
    """Return the CPUID of a CPU with these bits only, whose highest basic leaf is `last`."""

    def cpuid(leaf: int) -> bytes:
        if leaf in (0, 0x80000000):
            return (last if leaf == 0 else 0x80000001).to_bytes(4, "little") + bytes(12)
        registers = [0, 0, 0, 0]
        for at, register, bit in places:
            if at == leaf:
                registers[register] |= 1 << bit
        return b"".join(register.to_bytes(4, "little") for register in registers)

    return cpuid


@pytest.mark.parametrize("name", PLACES)
def test_each_feature_is_one_bit(name: str) -> None:
    found = features_of(cpu_with(PLACES[name], OSXSAVE), lambda: EVERYTHING_SAVED)
    same = {other for other, place in PLACES.items() if place in (PLACES[name], OSXSAVE)}
    assert {feature for feature, has in found.items() if has} == same
    assert found.keys() == PLACES.keys()
    others = [place for place in PLACES.values() if place != PLACES[name]]
    without = features_of(cpu_with(*others), lambda: EVERYTHING_SAVED)
    assert not without[name]


def test_every_feature_of_a_family_is_asked_for() -> None:
    asked = {feature for target in TARGETS if target.machines is targets.X86 for feature in target.features}
    assert asked == PLACES.keys()


@pytest.mark.parametrize(
    ("saved", "lacking"),
    [
        (0xE7, set()),
        (0xE6, set()),
        (0x06, {name for name in PLACES if name.startswith("avx512")}),
        (0x66, {name for name in PLACES if name.startswith("avx512")}),
        (0x02, WIDE | {name for name in PLACES if name.startswith("avx512")}),
        (0xE4, WIDE | {name for name in PLACES if name.startswith("avx512")}),
        (0x00, WIDE | {name for name in PLACES if name.startswith("avx512")}),
    ],
)
def test_wide_registers_must_be_saved_by_the_system(saved: int, lacking: set[str]) -> None:
    found = features_of(cpu_with(*PLACES.values()), lambda: saved)
    assert {name for name, has in found.items() if not has} == lacking


def test_a_system_that_saves_no_wide_registers_is_not_asked_which() -> None:
    def refused() -> int:
        raise AssertionError("XGETBV is no instruction without OSXSAVE")

    found = features_of(cpu_with(*(place for place in PLACES.values() if place != OSXSAVE)), refused)
    assert {name for name, has in found.items() if not has} == WIDE | {n for n in PLACES if n.startswith("avx512")}


def test_leaves_beyond_the_highest_say_nothing() -> None:
    found = features_of(cpu_with(*PLACES.values(), last=6), lambda: EVERYTHING_SAVED)
    assert {name for name, has in found.items() if not has} == {n for n, place in PLACES.items() if place[0] == 7}


@pytest.mark.parametrize(
    ("machine", "platform", "names"),
    [
        ("x86_64", "linux", ["x86-64-v4-vbmi2", "x86-64-v3", "x86-64-v2"]),
        ("AMD64", "win32", ["x86-64-v4-vbmi2", "x86-64-v3", "x86-64-v2"]),
        ("x86_64", "darwin", ["x86-64-v4-vbmi2", "x86-64-v3", "x86-64-v2"]),
        ("arm64", "darwin", ["apple-m1"]),
        ("aarch64", "linux", ["aarch64"]),
        ("ARM64", "win32", ["aarch64"]),
        ("riscv64", "linux", []),
    ],
)
def test_families_of_a_kind_of_machine(
    machine: str, platform: str, names: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(targets, "machine", lambda: machine)
    monkeypatch.setattr("sys.platform", platform)
    assert [target.name for target in of_machine()] == names


def test_families_list_their_features_as_llvm_does(monkeypatch: pytest.MonkeyPatch) -> None:
    by_name = {target.name: target for target in TARGETS}
    assert by_name["apple-m1"].listed == "+neon"
    assert by_name["x86-64-v3"].listed.split(",")[-1] == "+xsave"
    assert by_name["x86-64-v3"].module == "x86_64_v3"
    assert set(by_name["x86-64-v2"].features) < set(by_name["x86-64-v3"].features)
    assert set(by_name["x86-64-v3"].features) < set(by_name["x86-64-v4-vbmi2"].features)
    monkeypatch.setattr(targets, "_host_features", lambda: {"neon": False})
    assert missing_features(by_name["aarch64"]) == []  # they all have it
    lacking = {name: name not in ("bmi2", "avx") for name in by_name["x86-64-v3"].features}
    monkeypatch.setattr(targets, "_host_features", lambda: lacking)
    assert missing_features(by_name["x86-64-v3"]) == ["avx", "bmi2"]
    assert missing_features(by_name["x86-64-v2"]) == []


@pytest.mark.parametrize(
    ("features", "is_full_width", "has_bmi2"),
    [
        ("+avx512f,+avx512vpopcntdq,+bmi2", True, True),
        ("+avx512f,-avx512vpopcntdq,-bmi2", False, False),
        ("+avx512vpopcntdq", False, False),
        ("+bmi2", False, True),
        ("+bmi", False, False),
        ("", False, False),
    ],
)
def test_widths_and_pext_are_those_of_the_cpu_that_is_compiled_for(
    features: str, is_full_width: bool, has_bmi2: bool
) -> None:
    before = settings.cpu()
    with compiling_for("some-triple", "some-cpu", features):
        assert settings.cpu() == ("some-cpu", features)
        assert settings.target() == ("some-triple", "some-cpu", features)
        assert (has_full_width(), has_pext()) == (is_full_width, has_bmi2)
        with compiling_for("other-triple", "other-cpu", "+bmi2"):
            assert settings.target() == ("other-triple", "other-cpu", "+bmi2")
        assert settings.cpu() == ("some-cpu", features)
    assert settings.cpu() == before


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("NUMBA_CACHE_DIR", "/somewhere", "cache_folder", "/somewhere"),
        ("NUMBA_CACHE_DIR", None, "cache_folder", ""),
        ("NUMBA_DISABLE_JIT", "1", "no_compiler", True),
        ("NUMBA_DISABLE_JIT", "0", "no_compiler", False),
        ("NUMBA_DISABLE_JIT", "yes", "no_compiler", False),
        ("NUMBA_DISABLE_JIT", None, "no_compiler", False),
        ("NUMBA_BOUNDSCHECK", "1", "bounds_checked", True),
        ("NUMBA_BOUNDSCHECK", "0", "bounds_checked", False),
        ("NUMBA_BOUNDSCHECK", None, "bounds_checked", False),
        ("NUMBA_OPT", "2", "optimised", "2"),
        ("NUMBA_OPT", None, "optimised", "3"),
        ("NUMBA_USE_LLVMLITE_MEMORY_MANAGER", "0", "memory_manager", 0),
        ("NUMBA_USE_LLVMLITE_MEMORY_MANAGER", None, "memory_manager", None),
    ],
)
def test_settings_are_those_of_numba(
    name: str, value: str | None, field: str, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(name, raising=False)
    if value is not None:
        monkeypatch.setenv(name, value)
    assert getattr(settings.settings(), field) == expected
