"""The table of the guide on CUDA: what NVIDIA's compiler makes of every technique."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from rookery.cli.common import size

_RECORD: Final = Path(__file__).resolve().parents[1] / "benchmarks" / "cuda.json"
_PIECES: Final = ("rook", "bishop", "queen")


def registers() -> str:
    """Return the recorded ``python benchmarks/cuda_registers.py``."""
    result = json.loads(_RECORD.read_text(encoding="utf-8"))
    architectures = result["architectures"]
    rows = [
        f"Compiled by nvcc {result['nvcc']}, {result['date']}, to PTX for `{result['ptx']}`, and from it to machine "
        f"code for {' and '.join(f'`{a}`' for a in architectures)}. Registers are those of one thread of the kernels "
        "for rooks, bishops and queens. The last column adds up the stacks and the spilled registers of all kernels:",
        "",
        f"| technique | constant | global | {' | '.join(f'registers, `{a}`' for a in architectures)} | spilled bytes |",
        f"|---|---:|---:|{'---|' * len(architectures)}---:|",
    ]
    rows += [_row(row, architectures) for row in result["techniques"]]
    return "\n".join(rows)


def _row(row: dict[str, Any], architectures: list[str]) -> str:
    memory = [
        size(row["table_bytes"][where]) if row["table_bytes"][where] else "none" for where in ("constant", "global")
    ]
    used = [", ".join(str(row[a][f"{piece}_attacks"]["registers"]) for piece in _PIECES) for a in architectures]
    spilled = sum(kernel["stack"] + kernel["spilled"] for a in architectures for kernel in row[a].values())
    return f"| `{row['name']}` | {' | '.join([*memory, *used])} | {spilled} |"


BLOCKS: Final[dict[str, Callable[[], str]]] = {"cuda-registers": registers}
