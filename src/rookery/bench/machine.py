"""The machine that a measurement ran on."""

import datetime
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from rookery.kernel import cpu


def describe() -> dict[str, Any]:
    """CPU, cores, versions and date, for a recorded result."""
    name, features = cpu()
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "cpu": _model_name() or platform.processor() or platform.machine(),
        "llvm_cpu": name,
        "vectors": "AVX-512" if "+avx512f" in features else "AVX2" if "+avx2" in features else "128 bits",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "python": platform.python_version(),
        **{package: _version(package) for package in ("numpy", "numba", "llvmlite", "rookery")},
    }


def _version(package: str) -> str | None:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def _model_name() -> str | None:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return None
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), None)
