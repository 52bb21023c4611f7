"""Numba's settings from the environment, read without importing Numba, which takes a third of a second.

Once Numba is imported, its own variables are read, because a program may have changed them.
"""

# `pathlib` takes 2 ms to import.
# ruff: noqa: PTH113, PTH123

import functools
import os
import sys
from importlib.machinery import PathFinder
from typing import Any, Final, NamedTuple

from rookery.kernel.targets import forced, machine

_CONFIGURATION: Final = ".numba_config.yaml"  # read by Numba in the current folder
_WITHOUT_AVX: Final = {"corei7-avx", "core-avx-i", "sandybridge", "ivybridge", "nocona"}


class Settings(NamedTuple):
    """The settings that matter here."""

    cache_folder: str
    no_compiler: bool  # NUMBA_DISABLE_JIT: kernels are plain Python
    bounds_checked: bool
    optimised: str  # NUMBA_OPT
    memory_manager: bool | None  # llvmlite's own


def _config() -> Any:
    """Return Numba's variables, or None if it need not be imported.

    Only Numba can read its configuration file.
    """
    if "numba.core.config" not in sys.modules and (_has_no_file() or not has_compiler()):
        return None
    import numba

    return getattr(numba, "config", None)


@functools.cache
def _has_no_file() -> bool:
    return not os.path.isfile(_CONFIGURATION)


def _number(name: str, default: int | None) -> int | None:
    try:
        return int(os.environ[name])
    except (KeyError, ValueError):
        return default


def settings() -> Settings:
    """Return the current settings."""
    named = Settings(
        os.environ.get("NUMBA_CACHE_DIR", ""),
        bool(_number("NUMBA_DISABLE_JIT", 0)),
        bool(_number("NUMBA_BOUNDSCHECK", 0)),
        os.environ.get("NUMBA_OPT", "3"),
        _number("NUMBA_USE_LLVMLITE_MEMORY_MANAGER", None),  # type: ignore[arg-type]  # None, 0 or 1
    )
    config = _config()
    if config is None:
        return named
    # A version of Numba may lack a variable.
    level = getattr(config, "OPT", None)
    return Settings(
        getattr(config, "CACHE_DIR", named.cache_folder),
        bool(getattr(config, "DISABLE_JIT", named.no_compiler)),
        bool(getattr(config, "BOUNDSCHECK", named.bounds_checked)),
        named.optimised if level is None else "max" if getattr(level, "is_opt_max", False) else str(int(level)),
        getattr(config, "USE_LLVMLITE_MEMORY_MANAGER", None),
    )


def _avx_is_supported() -> bool:
    if not sys.platform.startswith("linux") or machine() not in ("i386", "i586", "i686", "x86_64"):
        return True
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return True
    flags = (body.split() for head, _, body in (line.partition(":") for line in lines) if head.strip() == "flags")
    return any("avx" in words for words in flags)


@functools.cache
def _host(named: str | None, listed: str | None, avx: bool | None) -> tuple[str, str]:
    if not has_compiler() or (named and listed is not None):
        return named or "generic", listed or ""
    import llvmlite.binding as llvm

    name = named or llvm.get_host_cpu_name()
    if listed is not None:
        return name, listed
    try:
        features = llvm.get_host_cpu_features()
    except RuntimeError:
        return name, ""
    if not (avx if avx is not None else name not in _WITHOUT_AVX and _avx_is_supported()):
        features.update({feature: False for feature in features if feature.startswith("avx")})
    return name, features.flatten()


def llvm_triple() -> str:
    """Return LLVM's name of this kind of machine and system."""
    import llvmlite.binding as llvm

    triple: str = llvm.get_process_triple()
    return triple


def cpu() -> tuple[str, str]:
    """Return the CPU that machine code is compiled for: its name in LLVM, and the list of its features.

    The choice is made as in Numba. Without Numba it is a CPU without any feature, since nothing is compiled.
    """
    named = os.environ.get("NUMBA_CPU_NAME")
    generic = "" if str(named).lower() == "generic" else None
    listed = os.environ.get("NUMBA_CPU_FEATURES", generic)
    number = _number("NUMBA_ENABLE_AVX", None)
    avx = None if number is None else bool(number)
    config = _config()
    if config is not None:
        named, listed = getattr(config, "CPU_NAME", named), getattr(config, "CPU_FEATURES", listed)
        avx = bool(config.ENABLE_AVX) if hasattr(config, "ENABLE_AVX") else avx
    return _host(named, listed, avx)


def has_full_width() -> bool:
    """Check whether loops prefer vectors of 512 bits."""
    return {"+avx512f", "+avx512vpopcntdq"} <= {*cpu()[1].split(",")}


def has_pext() -> bool:
    """Check whether the target CPU has BMI2's PEXT and PDEP (fast on Intel since 2013, on AMD since Zen 3)."""
    return "+bmi2" in cpu()[1].split(",")


def target() -> tuple[str, str, str]:
    """Return what machine code is compiled for: LLVM's triple, the name of the CPU, and the list of its features."""
    return llvm_triple() if has_compiler() else "", *cpu()


@functools.cache
def has_compiler() -> bool:
    """Check whether Numba is installed, without importing it."""
    return "numba" in sys.modules or PathFinder.find_spec("numba") is not None


def need_compiler(what: str) -> None:
    """Raise a ModuleNotFoundError if Numba is not installed. `what` says what needs it."""
    if not has_compiler():
        raise ModuleNotFoundError(f"{what} needs Numba: pip install 'rookery[compile]'", name="numba")


def compiler_version() -> str:
    """Return the version of llvmlite. What Numba compiles is not kept."""
    import llvmlite

    version: str = llvmlite.__version__
    return version


def force_target() -> None:
    """Have Numba compile for the family of CPUs that ``ROOKERY_TARGET`` names, or that the wheel's code is for."""
    family = forced()
    if family is None:
        return
    os.environ["NUMBA_CPU_NAME"], os.environ["NUMBA_CPU_FEATURES"] = family.cpu, family.listed
    config = sys.modules.get("numba.core.config")
    if config is not None:
        config.CPU_NAME, config.CPU_FEATURES = family.cpu, family.listed  # type: ignore[attr-defined]


force_target()
