"""The tables of the guide on CUDA: what NVIDIA's compiler makes of every technique, and its speed on a device."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rookery.cli.common import size

_RECORDS: Final = Path(__file__).resolve().parents[1] / "benchmarks"
_PIECES: Final = ("rook", "bishop", "queen")


def _recorded(name: str) -> dict[str, Any]:
    result: dict[str, Any] = json.loads((_RECORDS / name).read_text(encoding="utf-8"))
    return result


def registers() -> str:
    """Return the recorded ``python benchmarks/cuda_registers.py``."""
    result = _recorded("cuda.json")
    architectures = result["architectures"]
    rows = [
        f"Compiled by nvcc {result['nvcc']}, {result['date']}, to PTX for `{result['ptx']}`, and from it to machine "
        f"code for {' and '.join(f'`{a}`' for a in architectures)}. Small tables fit in constant memory together. "
        "Registers are those of one thread of the kernels for rooks, bishops and queens. The last column adds up the "
        "stacks and the spilled registers of all kernels:",
        "",
        f"| technique | small tables | large tables | {' | '.join(f'registers, `{a}`' for a in architectures)} "
        "| spilled bytes |",
        f"|---|---:|---:|{'---|' * len(architectures)}---:|",
    ]
    rows += [_registers_row(row, architectures) for row in result["techniques"]]
    return "\n".join(rows)


def _registers_row(row: dict[str, Any], architectures: list[str]) -> str:
    memory = [size(row["table_bytes"][kind]) if row["table_bytes"][kind] else "none" for kind in ("small", "large")]
    used = [", ".join(str(row[a][f"{piece}_attacks"]["registers"]) for piece in _PIECES) for a in architectures]
    spilled = sum(kernel["stack"] + kernel["spilled"] for a in architectures for kernel in row[a].values())
    return f"| `{row['name']}` | {' | '.join([*memory, *used])} | {spilled} |"


def rates() -> str:
    """Return the recorded ``python benchmarks/cuda_device.py``."""
    result = _recorded("cuda_device.json")
    by_memory: dict[str, dict[str, dict[str, float]]] = {"none": {}, "global": {}, "constant": {}}
    for program in result["programs"]:
        by_memory[program["memory"]][program["technique"]] = program["rates"]
    in_constant = by_memory["constant"]
    default = by_memory["none"] | by_memory["global"]
    slowdowns = [by_memory["global"][name]["scattered"] / rates["scattered"] for name, rates in in_constant.items()]
    slower = sum(s > 1.05 for s in slowdowns)
    rows = [
        f"{result['device']}, CUDA {result['cuda']}, nvcc {result['nvcc']}, {result['date']}. Billions of queens per "
        "second, and billions of boards per second for the sliders of one side (four pieces for each kind of line on "
        "average). All programs passed the self-check on the device and computed equal results. With small tables in "
        f"constant memory, {slower} of {len(slowdowns)} techniques are slower on random squares, up to "
        f"{max(slowdowns):.0f} times:",
        "",
        "| technique | random squares | one square for a warp | arrays in memory | sliders of a side "
        "| random squares, constant memory |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name in dict.fromkeys(program["technique"] for program in result["programs"]):
        figures = [default[name][kind] for kind in ("scattered", "same_square", "arrays", "sets")]
        cells = [f"{rate / 1e9:.1f}" for rate in figures]
        constant = f"{in_constant[name]['scattered'] / 1e9:.1f}" if name in in_constant else "no tables"
        rows.append(f"| `{name}` | {' | '.join(cells)} | {constant} |")
    return "\n".join(rows)


def perfts() -> str:
    """Return the perft of the recorded ``python benchmarks/cuda_device.py``."""
    result = _recorded("cuda_device.json")
    rows = [
        f"{result['device']}, {result['date']}. The totals are the published ones:",
        "",
        "| position | depth | leaves | seconds | billions of leaves per second |",
        "|---|---:|---:|---:|---:|",
    ]
    for row in result["perft"]:
        rate = row["leaves"] / row["seconds"] / 1e9
        rows.append(f"| `{row['position']}` | {row['depth']} | {row['leaves']:,} | {row['seconds']:.3f} | {rate:.1f} |")
    return "\n".join(rows)


BLOCKS: Final[dict[str, Callable[[], str]]] = {
    "cuda-registers": registers,
    "cuda-device": rates,
    "cuda-perft": perfts,
}
