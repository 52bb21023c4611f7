"""``rookery doctor``: the machine, what compiled code uses of it, and which technique to choose for what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.bench.attacks import vector_registers
from rookery.bench.machine import describe
from rookery.bench.uses import bounds, code_cost, measuring
from rookery.kernel import cpu, has_pext
from rookery.techniques import technique

# Those that lead in some use on some CPU, and those that most engines have.
CANDIDATES: Final = (
    "kogge-stone",
    "hyperbola",
    "hyperbola-bitreverse",
    "obstruction-difference-short",
    "slide-arithmetic",
    "kindergarten",
    "rotated-compact",
    "magic-fancy",
    "magic-fixed-shift",
    "magic-byte",
    "pext",
    "pext-pdep16",
    "split-pext",
)
SMALL: Final = 16 << 10  # bytes of tables that leave half of a first cache to other data


class Use(NamedTuple):
    """A use for which a technique is recommended: the column that decides, and which techniques are considered."""

    name: str
    column: str
    admits: Callable[[dict[str, Any]], bool] = lambda row: True


USES: Final = (
    Use("throughput: many look-ups at once, over arrays", "arrays"),
    Use("latency: each look-up needs the answer of the last", "latency"),
    Use("inside an engine: other data fills the caches between look-ups", "busy"),
    Use("little memory, over arrays", "arrays", lambda row: row["table_bytes"] <= SMALL),
    Use("little memory, inside an engine", "busy", lambda row: row["table_bytes"] <= SMALL),
)


def caches() -> dict[str, int]:
    """Return the sizes in bytes of a core's caches, by name, where the system tells them.

    >>> all(size > 0 for size in caches().values())
    True
    """
    found = {}
    for index in sorted(Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        try:
            texts = [(index / name).read_text(encoding="utf-8").strip() for name in ("level", "type", "size")]
        except OSError:
            continue
        level, kind, size = texts
        if kind != "Instruction" and size.endswith("K"):
            found[f"L{level}"] = int(size[:-1]) << 10
    return found


def code_cache() -> dict[str, Any]:
    """Return where machine code is kept, how many functions there are, and their bytes."""
    from rookery.kernel.codecache.cache import SHIPPED, cache_folders
    from rookery.kernel.targets import shipped_target

    sources = {path.parent for path in Path(__file__).parents[2].rglob("*.py")}
    folders = {folder for source in sources for folder in cache_folders(source / "any.py")}
    files = [file for folder in folders if folder.is_dir() for file in folder.glob("*.code")]
    shipped = shipped_target()
    carried = shipped.name if shipped and (SHIPPED / shipped.name).is_dir() else None
    return {"functions": len(files), "bytes": sum(file.stat().st_size for file in files), "shipped": carried}


def best(use: Use, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the fastest technique in a use, and those whose quartiles overlap with its own."""
    field = sorted((row for row in rows if use.admits(row)), key=lambda row: row[use.column]["ns"])
    limit = field[0][use.column]["ns_quartiles"][1]
    return [row for row in field if row[use.column]["ns_quartiles"][0] <= limit]


def examine(*, rounds: int = 15, progress: Callable[[str], None] = lambda what: None) -> dict[str, Any]:
    """Measure the candidates and return the machine, the figures and the recommendations."""
    columns = list(dict.fromkeys(use.column for use in USES))
    result = measuring.measure([technique(name) for name in CANDIDATES], columns, rounds=rounds, progress=progress)
    bounds.explain(result, progress)
    rows = result["techniques"]
    for row in rows:
        progress(f"reading the machine code of {row['name']}")
        row["code"] = code_cost.cost(technique(row["name"]))._asdict()
    _, features = cpu()
    return {
        "command": "rookery doctor",
        "machine": describe(),
        "caches": caches(),
        "instructions": {
            "PEXT and PDEP": has_pext(),
            "GFNI": "+gfni" in features,
            "AVX2": "+avx2" in features,
            "AVX-512": "+avx512f" in features,
        },
        "registers": vector_registers(technique("hyperbola")),
        "code_cache": code_cache(),
        "columns": result["columns"],
        "noise": result["noise"],
        "core": result["core"],
        "clock_ghz": result["clock_ghz"],
        "warnings": measuring.noise_warnings(result),
        "rounds": rounds,
        "techniques": rows,
        "recommendations": [
            {
                "use": use.name,
                "column": use.column,
                "techniques": [row["name"] for row in best(use, result["techniques"])],
            }
            for use in USES
        ],
    }
