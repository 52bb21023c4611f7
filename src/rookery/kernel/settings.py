"""Settings from the environment, by the names that Numba uses. Importing Numba would take a third of a second."""

import contextlib
import functools
import os
from collections.abc import Iterator
from typing import NamedTuple

from rookery.kernel.targets import forced
from rookery.lazy_imports import is_installed


class Settings(NamedTuple):
    """The settings that matter here."""

    cache_folder: str
    no_compiler: bool  # NUMBA_DISABLE_JIT: kernels are plain Python
    bounds_checked: bool
    optimised: str  # NUMBA_OPT
    memory_manager: bool | None  # llvmlite's own


def _number(name: str, default: int | None) -> int | None:
    try:
        return int(os.environ[name])
    except (KeyError, ValueError):
        return default


def settings() -> Settings:
    """Return the current settings."""
    return Settings(
        os.environ.get("NUMBA_CACHE_DIR", ""),
        bool(_number("NUMBA_DISABLE_JIT", 0)),
        bool(_number("NUMBA_BOUNDSCHECK", 0)),
        os.environ.get("NUMBA_OPT", "3"),
        _number("NUMBA_USE_LLVMLITE_MEMORY_MANAGER", None),  # type: ignore[arg-type]  # None, 0 or 1
    )


@functools.cache
def _host(named: str | None, listed: str | None) -> tuple[str, str]:
    if not has_compiler() or (named and listed is not None):
        return named or "generic", listed or ""
    import llvmlite.binding as llvm

    name = named or llvm.get_host_cpu_name()
    if listed is not None:
        return name, listed
    try:
        return name, llvm.get_host_cpu_features().flatten()
    except RuntimeError:
        return name, ""


def llvm_triple() -> str:
    """Return LLVM's name of this kind of machine and system."""
    import llvmlite.binding as llvm

    triple: str = llvm.get_process_triple()
    return triple


def cpu() -> tuple[str, str]:
    """Return the CPU that machine code is compiled for: its name in LLVM, and the list of its features.

    ``NUMBA_CPU_NAME`` and ``NUMBA_CPU_FEATURES`` name another one than this, and `compiling_for` another machine.
    Without Numba it is a CPU without any feature, since nothing is compiled.
    """
    if _elsewhere:
        return _elsewhere[-1][1:]
    named = os.environ.get("NUMBA_CPU_NAME")
    generic = "" if str(named).lower() == "generic" else None
    return _host(named, os.environ.get("NUMBA_CPU_FEATURES", generic))


def has_full_width() -> bool:
    """Check whether loops prefer vectors of 512 bits."""
    return {"+avx512f", "+avx512vpopcntdq"} <= {*cpu()[1].split(",")}


def has_pext() -> bool:
    """Check whether the target CPU has BMI2's PEXT and PDEP (fast on Intel since 2013, on AMD since Zen 3)."""
    return "+bmi2" in cpu()[1].split(",")


def target() -> tuple[str, str, str]:
    """Return what machine code is compiled for: LLVM's triple, the name of the CPU, and the list of its features."""
    if _elsewhere:
        return _elsewhere[-1]
    return llvm_triple() if has_compiler() else "", *cpu()


_elsewhere: list[tuple[str, str, str]] = []


@contextlib.contextmanager
def compiling_for(triple: str, name: str, features: str) -> Iterator[None]:
    """Compile for another kind of machine meanwhile: LLVM's triple, the name of the CPU, and the list of its features.

    Only `rookery.kernel.compiler` can be used: what the cache loads and stores is for this machine.
    """
    _elsewhere.append((triple, name, features))
    try:
        yield
    finally:
        _elsewhere.pop()


@functools.cache
def has_compiler() -> bool:
    """Check whether Numba is installed, without importing it."""
    return is_installed("numba")


def need_compiler(what: str) -> None:
    """Raise a ModuleNotFoundError if Numba is not installed. `what` says what needs it."""
    if not has_compiler():
        raise ModuleNotFoundError(f"{what} needs Numba: pip install 'numba>=0.64,<0.69'", name="numba")


def compiler_version() -> str:
    """Return the version of llvmlite. What Numba compiles is not kept."""
    import llvmlite

    version: str = llvmlite.__version__
    return version


def force_target() -> None:
    """Compile for the family of CPUs that ``ROOKERY_TARGET`` names, or that the wheel's code is for."""
    family = forced()
    if family is not None:
        os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = family.cpu, family.listed


force_target()
