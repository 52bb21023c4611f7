"""The machine that a measurement ran on."""

import datetime
import os
import platform
from pathlib import Path
from typing import Any

from rookery import __version__
from rookery.bench.turns import version
from rookery.kernel import cpu


def describe() -> dict[str, Any]:
    """Return the CPU, its cores, versions and the date, for a recorded result. A missing package has version None."""
    name, features = cpu()
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "cpu": _model_name() or platform.processor() or platform.machine(),
        "llvm_cpu": name,
        "vectors": "AVX-512" if "+avx512f" in features else "AVX2" if "+avx2" in features else "128 bits",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{package: version(package) for package in ("numpy", "numba", "llvmlite")},
        "rookery": __version__,
    }


def _model_name() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), None)
