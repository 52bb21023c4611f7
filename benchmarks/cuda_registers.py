"""Record what NVIDIA's compiler makes of every technique: registers and spills, with no device.

``python benchmarks/cuda_registers.py --out benchmarks/cuda.json`` needs nvcc: ``pip install ".[cuda]"``. It
compiles each export to PTX, and the PTX to machine code for each of `ARCHITECTURES`.
"""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any, Final, NamedTuple

import click

import rookery
from recording import out_option, record
from rookery.explain.export import export_text

ARCHITECTURES: Final = ("sm_80", "sm_90")  # A100, H100
OLDEST: Final = "compute_80"  # of which the PTX is
_KERNEL: Final = re.compile(
    r"Compiling entry function '(?P<symbol>\w+)' for '(?P<architecture>\w+)'.*?"
    r"(?P<stack>\d+) bytes stack frame, (?P<stores>\d+) bytes spill stores, (?P<loads>\d+) bytes spill loads.*?"
    r"Used (?P<registers>\d+) registers",
    re.DOTALL,
)
_NAME: Final = re.compile(r"(rook_attacks|bishop_attacks|queen_attacks|fill_tables)")
_TABLE: Final = re.compile(r"^static (ROOKERY_TABLE|__device__) (?:const )?uint(\d+)_t \w+\[(\d+)\]", re.MULTILINE)


class Usage(NamedTuple):
    """What a kernel needs of a multiprocessor: registers of a thread, and bytes of its stack and of its spills."""

    registers: int
    stack: int
    spilled: int


def find_nvcc() -> str | None:
    """Return nvcc from NVIDIA's wheel, or from the PATH, or None."""
    try:
        files = metadata.files("nvidia-cuda-nvcc") or []
    except metadata.PackageNotFoundError:
        files = []
    found = [str(f.locate()) for f in files if f.name in ("nvcc", "nvcc.exe")]
    return found[0] if found else shutil.which("nvcc")


def compiled(nvcc: str, *arguments: str, folder: Path) -> str:
    """Run nvcc in a folder, and return what it reports; RuntimeError if it fails."""
    done = subprocess.run([nvcc, *arguments], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(done.args)} failed: {done.stderr}")
    return done.stderr + done.stdout


def version(nvcc: str) -> str:
    """Return nvcc's version, like 13.5.37."""
    found = re.search(r"V(\d+\.\d+\.\d+)", compiled(nvcc, "--version", folder=Path.cwd()))
    return found[1] if found else "unknown"


def machine_code(nvcc: str, text: str, folder: Path) -> dict[str, dict[str, Usage]]:
    """Compile an export to PTX and to machine code in a folder, and return the usage by architecture and kernel."""
    (folder / "rookery_attacks.cuh").write_text(text, encoding="utf-8")
    (folder / "attacks.cu").write_text('#include "rookery_attacks.cuh"\n', encoding="utf-8")
    flags = ("-std=c++17", "-Werror", "all-warnings")
    compiled(nvcc, *flags, "-ptx", f"-arch={OLDEST}", "attacks.cu", "-o", "attacks.ptx", folder=folder)
    usages = {}
    for architecture in ARCHITECTURES:
        report = compiled(
            nvcc, "-cubin", f"-arch={architecture}", "-Xptxas", "-v", "attacks.ptx", "-o", f"{architecture}.cubin",
            folder=folder,
        )  # fmt: skip
        usages[architecture] = {
            kernel_name(m["symbol"]): Usage(int(m["registers"]), int(m["stack"]), int(m["stores"]) + int(m["loads"]))
            for m in _KERNEL.finditer(report)
            if m["architecture"] == architecture
        }
    return usages


def kernel_name(symbol: str) -> str:
    """Return the name of a kernel in an export, from its mangled name."""
    found = _NAME.search(symbol)
    if not found:
        raise ValueError(f"symbol: {symbol!r}: expected one of an exported kernel")
    return found[1]


def table_bytes(text: str) -> dict[str, int]:
    """Return the bytes of an export's tables, small (they fit in constant memory) and large."""
    sizes = {"small": 0, "large": 0}
    for memory, bits, elements in _TABLE.findall(text):
        sizes["small" if memory == "ROOKERY_TABLE" else "large"] += int(bits) // 8 * int(elements)
    return sizes


def measure(*, progress: Callable[[str], None]) -> dict[str, Any]:
    """Return the usage of every technique."""
    nvcc = find_nvcc()
    if nvcc is None:
        raise SystemExit('needs nvcc: pip install ".[cuda]"')
    rows = []
    for technique in rookery.techniques():
        progress(technique.name)
        text = export_text("cuda", technique)
        with tempfile.TemporaryDirectory() as folder:
            usages = machine_code(nvcc, text, Path(folder))
        by_kernel = {a: {name: usage._asdict() for name, usage in sorted(u.items())} for a, u in usages.items()}
        rows.append({"name": technique.name, "table_bytes": table_bytes(text), **by_kernel})
    return {
        "benchmark": "cuda_registers",
        "command": "python benchmarks/cuda_registers.py",
        "nvcc": version(nvcc),
        "date": datetime.now(UTC).date().isoformat(),
        "ptx": OLDEST,
        "architectures": list(ARCHITECTURES),
        "techniques": rows,
    }


@click.command()
@out_option
def main(out: Path | None) -> None:
    """Compile every technique for every architecture, and record registers, stack, spills and tables."""
    record(measure, out)


if __name__ == "__main__":
    main()
