"""Families of CPUs for which a wheel carries machine code, and the choice among them.

The code of the best family that this CPU belongs to is used, and what is missing is compiled for it, too, so that both
agree about the CPU's instructions. ``ROOKERY_TARGET`` names another family. ``ROOKERY_TARGET=host`` uses no code from
the wheel, so everything is compiled for this very CPU.
"""

import functools
import os
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Final, NamedTuple

VARIABLE: Final = "ROOKERY_TARGET"
HOST: Final = "host"
PACKAGE: Final = "rookery.machine_code"  # in the wheel: an extension module for each family, and `CPU_MODULE`
CPU_MODULE: Final = "cpu"  # which asks an x86-64 CPU


class Target(NamedTuple):
    """A family of CPUs."""

    name: str
    machines: tuple[str, ...]  # what `platform.machine` returns, in lower case
    cpu: str  # LLVM's name
    features: tuple[str, ...]  # LLVM's names of what each of its CPUs must have

    @property
    def listed(self) -> str:
        """Return the features as LLVM and Numba write them."""
        return ",".join(f"+{feature}" for feature in self.features)

    @property
    def module(self) -> str:
        """Return the name of the extension module with the family's machine code."""
        return self.name.replace("-", "_")


X86: Final = ("x86_64", "amd64")
_ARM: Final = ("aarch64", "arm64")
_V2: Final = tuple("cmov crc32 cx16 cx8 fxsr mmx popcnt sahf sse sse2 sse3 sse4.1 sse4.2 ssse3".split())
_V3: Final = tuple("avx avx2 bmi bmi2 f16c fma lzcnt movbe xsave".split())
_V4: Final = tuple("avx512bw avx512cd avx512dq avx512f avx512vl".split())
# Ice Lake (2019) and Zen 4 (2022) brought these together.
_V4_BYTES: Final = tuple("avx512bitalg avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512vpopcntdq gfni".split())

# The best first.
TARGETS: Final = (
    Target("x86-64-v4-vbmi2", X86, "x86-64-v4", _V2 + _V3 + _V4 + _V4_BYTES),
    Target("x86-64-v3", X86, "x86-64-v3", _V2 + _V3),
    Target("x86-64-v2", X86, "x86-64-v2", _V2),
    Target("apple-m1", _ARM, "apple-m1", ("neon",)),
    Target("aarch64", _ARM, "generic", ("neon",)),
)


def of_machine() -> tuple[Target, ...]:
    """Return the families of this kind of machine, the best first, whatever the CPU can do."""
    this = machine().lower()
    apple = sys.platform == "darwin"
    return tuple(t for t in TARGETS if this in t.machines and (t.cpu.startswith("apple") is apple or t.machines is X86))


def machine() -> str:
    """Return what `platform.machine` returns, on most systems without importing it."""
    if hasattr(os, "uname"):
        return os.uname().machine
    import platform  # takes 3 ms

    return platform.machine()


# Where `cpuid` tells the features: the leaf, the place of the register among EAX, EBX, ECX and EDX, and the bits.
_BITS: Final = (
    (1, 2, "sse3 0 ssse3 9 fma 12 cx16 13 sse4.1 19 sse4.2 20 crc32 20 movbe 22 popcnt 23 xsave 27 avx 28 f16c 29"),
    (1, 3, "cx8 8 cmov 15 mmx 23 fxsr 24 sse 25 sse2 26"),
    (7, 1, "bmi 3 avx2 5 bmi2 8 avx512f 16 avx512dq 17 avx512ifma 21 avx512cd 28 avx512bw 30 avx512vl 31"),
    (7, 2, "avx512vbmi 1 avx512vbmi2 6 gfni 8 avx512vnni 11 avx512bitalg 12 avx512vpopcntdq 14"),
    (0x8000_0001, 2, "sahf 0 lzcnt 5"),
)
# What the system has to save: registers of 256 bits, and of 512.
_WIDE: Final = {"avx", "avx2", "f16c", "fma", "xsave"}
_WIDE_STATE, _WIDEST_STATE = 0x06, 0xE6


def features_of(cpuid: Callable[[int], bytes], xgetbv: Callable[[], int]) -> dict[str, bool]:
    """Return the features of an x86-64 CPU by LLVM's names. The functions are those of the wheel's `CPU_MODULE`."""

    def register(leaf: int, place: int) -> int:
        if leaf > int.from_bytes(cpuid(leaf & 0x8000_0000)[:4], "little"):  # the highest leaf of its kind
            return 0
        return int.from_bytes(cpuid(leaf)[4 * place : 4 * place + 4], "little")

    has_state = register(1, 2) >> 27 & 1
    saved = xgetbv() if has_state else 0
    found = {}
    for leaf, place, bits in _BITS:
        value, words = register(leaf, place), bits.split()
        for name, bit in zip(words[::2], words[1::2], strict=True):
            state = _WIDEST_STATE if name.startswith("avx512") else _WIDE_STATE if name in _WIDE else 0
            found[name] = bool(value >> int(bit) & 1) and saved & state == state
    return found


@functools.cache
def _host_features() -> Mapping[str, bool]:
    if CPU_MODULE in modules():
        cpu = import_module(f"{PACKAGE}.{CPU_MODULE}")
        return features_of(cpu.cpuid, cpu.xgetbv)
    try:
        import llvmlite.binding as llvm
    except ImportError:
        return {}
    try:
        return dict(llvm.get_host_cpu_features())
    except RuntimeError:  # LLVM does not know how to ask
        return {}


@functools.cache
def modules(has_native: bool = False) -> tuple[str, ...]:
    """Return the names of the extension modules in the wheel, or of those that have native functions."""
    try:
        wheel = import_module(PACKAGE)
    except ModuleNotFoundError:
        return ()
    found: tuple[str, ...] = wheel.NATIVE if has_native else wheel.MODULES
    return found


def missing_features(target: Target) -> list[str]:
    """Return the features of a family that this CPU lacks."""
    # LLVM cannot ask Apple's and ARM's CPUs on every system. All of them have what is listed here.
    if target.machines is _ARM:
        return []
    return [name for name in target.features if not _host_features().get(name, False)]


@functools.cache
def _named(name: str) -> Target:
    for target in of_machine():
        if target.name == name:
            if lacking := missing_features(target):
                raise RuntimeError(f"{VARIABLE}: {name!r}: this CPU lacks {', '.join(lacking)}")
            return target
    names = ", ".join([*(target.name for target in of_machine()), HOST])
    raise ValueError(f"{VARIABLE}: {name!r}: expected one of {names}")


@functools.cache
def shipped_family() -> Target | None:
    """Return the best family of this CPU for which the wheel has machine code, or None if there is none."""
    families = [target for target in of_machine() if target.module in modules()]
    return next((target for target in families if not missing_features(target)), None)


def forced() -> Target | None:
    """Return the family that everything is compiled for, or None if that is this very CPU."""
    name = os.environ.get(VARIABLE, "")
    if name == HOST:
        return None
    return _named(name) if name else shipped_family()


def module_names(*, has_native: bool = False) -> list[str]:
    """Return the names of the modules of the wheel for this CPU: that of its family, then those of lesser families.

    With `has_native`, those that have native functions. There are none if kernels are to run in Python or with checks
    of indices.
    """
    family = forced()
    checked = any(os.environ.get(name, "0") not in ("", "0") for name in ("NUMBA_BOUNDSCHECK", "NUMBA_DISABLE_JIT"))
    if family is None or checked:
        return []
    families = of_machine()
    names = (target.module for target in families[families.index(family) :])
    return [f"{PACKAGE}.{name}" for name in names if name in modules(has_native)]
