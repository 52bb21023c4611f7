"""Families of CPUs for which a wheel carries machine code, and the choice among them.

``ROOKERY_TARGET`` names one of them: its code is used, and what is missing is compiled for it. ``ROOKERY_TARGET=host``
uses no code from the wheel, so everything is compiled for this very CPU.
"""

import functools
import os
import platform
import sys
from collections.abc import Mapping
from typing import Final, NamedTuple

VARIABLE: Final = "ROOKERY_TARGET"
HOST: Final = "host"


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


_X86: Final = ("x86_64", "amd64")
_ARM: Final = ("aarch64", "arm64")
_V3: Final = tuple("avx avx2 bmi bmi2 cmov crc32 cx16 cx8 f16c fma fxsr lzcnt mmx movbe popcnt sahf".split())
_V3_SSE: Final = tuple("sse sse2 sse3 sse4.1 sse4.2 ssse3 xsave".split())
_V4: Final = tuple("avx512bw avx512cd avx512dq avx512f avx512vl".split())
# Ice Lake (2019) and Zen 4 (2022) brought these together.
_V4_BYTES: Final = tuple("avx512bitalg avx512ifma avx512vbmi avx512vbmi2 avx512vnni avx512vpopcntdq gfni".split())

# The best first.
TARGETS: Final = (
    Target("x86-64-v4-vbmi2", _X86, "x86-64-v4", _V3 + _V3_SSE + _V4 + _V4_BYTES),
    Target("x86-64-v3", _X86, "x86-64-v3", _V3 + _V3_SSE),
    Target("apple-m1", _ARM, "apple-m1", ("neon",)),
    Target("aarch64", _ARM, "generic", ("neon",)),
)


def of_machine() -> tuple[Target, ...]:
    """Return the families of this kind of machine, the best first, whatever the CPU can do."""
    machine = platform.machine().lower()
    apple = sys.platform == "darwin"
    return tuple(
        t for t in TARGETS if machine in t.machines and (t.cpu.startswith("apple") is apple or t.machines is _X86)
    )


@functools.cache
def _host_features() -> Mapping[str, bool]:
    try:
        import llvmlite.binding as llvm
    except ImportError:
        return {}
    try:
        return dict(llvm.get_host_cpu_features())
    except RuntimeError:  # LLVM does not know how to ask
        return {}


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


def forced() -> Target | None:
    """Return the family that ``ROOKERY_TARGET`` names, or None if the choice is left to rookery or is the host."""
    name = os.environ.get(VARIABLE, "")
    return _named(name) if name and name != HOST else None


def shipped_target() -> Target | None:
    """Return the family whose machine code is used from the wheel: the one forced, or the best for this CPU."""
    if os.environ.get(VARIABLE) == HOST:
        return None
    return forced() or next((target for target in of_machine() if not missing_features(target)), None)
