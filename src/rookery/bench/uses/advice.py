"""``rookery doctor``: the machine, what compiled code uses of it, and which technique to choose for what."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from rookery.bench.attacks import vector_registers
from rookery.bench.engine.building import NotBuilt
from rookery.bench.engine.measuring import measure as measure_engine
from rookery.bench.machine import describe
from rookery.bench.quiet import LIMITS, Limits, reasons, watch_others
from rookery.bench.uses import bounds, code_cost, measuring
from rookery.kernel import cpu, has_pext
from rookery.techniques import ALL, technique

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
ENGINE_CANDIDATES: Final = tuple(t.name for t in ALL)  # a C compiler may turn every ranking round
SMALL: Final = 16 << 10  # bytes of tables that leave half of a first cache to other data


class Use(NamedTuple):
    """A use for which a technique is recommended: the column that decides, and which techniques are considered."""

    name: str
    column: str
    admits: Callable[[dict[str, Any]], bool] = lambda row: True


def is_small(row: dict[str, Any]) -> bool:
    """Check whether a technique's tables leave room for other data."""
    return bool(row["table_bytes"] <= SMALL)


# rookery compiles the first four, a C compiler the others: their columns are those of `rookery.bench.engine`.
USES: Final = (
    Use("throughput, from Python: many look-ups at once, over arrays", "arrays"),
    Use("latency, compiled for Python: each look-up needs the answer of the last", "latency"),
    Use("compiled for Python: other data fills the caches between look-ups", "busy"),
    Use("little memory, from Python: over arrays", "arrays", is_small),
)
ENGINE_USES: Final = (
    Use("inside an engine in C: nothing else in the caches", "warm"),
    Use("inside an engine in C: a word of a 64 MB table at each node", "cold"),
    Use("little memory, inside an engine in C", "cold", is_small),
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
    from rookery.kernel.codecache.cache import cache_folders
    from rookery.kernel.targets import shipped_family

    sources = {path.parent for path in Path(__file__).parents[2].rglob("*.py")}
    folders = {folder for source in sources for folder in cache_folders(source / "any.py")}
    files = [file for folder in folders if folder.is_dir() for file in folder.glob("*.code")]
    shipped = shipped_family()
    carried = shipped.name if shipped is not None else None
    return {"functions": len(files), "bytes": sum(file.stat().st_size for file in files), "shipped": carried}


def best(use: Use, rows: list[dict[str, Any]], noise: float = 0.0) -> list[dict[str, Any]]:
    """Return the fastest technique in a use, and those that may be as fast.

    Their quartiles overlap with its own, or they differ by less than the noise.
    """
    field = sorted((row for row in rows if use.admits(row)), key=lambda row: row[use.column]["ns"])
    first = field[0][use.column]
    limit = max(first["ns_quartiles"][1], first["ns"] * (1 + noise))
    return [row for row in field if row[use.column]["ns_quartiles"][0] <= limit]


def recommend(use: Use, found: dict[str, Any], limits: Limits) -> dict[str, Any]:
    """Return the recommendation for a use: names, or none and the reason.

    `found` is a measurement with `techniques`, `noise`, `repeat`, `share` and `others`.
    """
    why = reasons(found, use.column, limits)
    field = [row for row in found["techniques"] if use.admits(row)]
    noise = max(found["noise"][use.column], found["repeat"][use.column])
    chosen = [] if why else best(use, field, noise)
    if len(chosen) == len(field) > 1:
        why.append(f"all {len(field)} differ by no more than the noise of {noise:.0%}")
        chosen = []
    return {
        "use": use.name,
        "column": use.column,
        "techniques": [row["name"] for row in chosen],
        "reason": f"the machine is too busy to tell: {'; '.join(why)}" if why else None,
    }


def examine(
    *,
    rounds: int = 15,
    progress: Callable[[str], None] = lambda what: None,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """Measure the candidates and return the machine, the figures and the recommendations.

    With a C compiler, perft in C is measured, too, with every technique. Without one, ``engine`` is None, and
    ``not_measured`` says why. A use in which the machine was too busy to tell has no recommendation but a reason.
    """
    limits = limits or LIMITS
    columns = list(dict.fromkeys(use.column for use in USES))
    candidates = [technique(name) for name in CANDIDATES]
    with watch_others() as others:
        result = measuring.measure(candidates, columns, rounds=rounds, progress=progress)
    result["others"] = others.share
    engine, not_measured = _measure_engine(rounds, progress)
    bounds.explain(result, progress)
    for row in result["techniques"]:
        progress(f"reading the machine code of {row['name']}")
        row["code"] = code_cost.cost(technique(row["name"]))._asdict()
    _, features = cpu()
    recommendations = [recommend(use, result, limits) for use in USES]
    for use in ENGINE_USES:
        if engine:
            recommendations.append(recommend(use, engine, limits))
        else:
            why = not_measured[0]["reason"]
            recommendations.append(
                {"use": use.name, "column": use.column, "techniques": [], "reason": f"not measured: {why}"}
            )
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
        "repeat": result["repeat"],
        "share": result["share"],
        "others": result["others"],
        "core": result["core"],
        "clock_ghz": result["clock_ghz"],
        "rounds": rounds,
        "techniques": result["techniques"],
        "engine": engine,
        "not_measured": not_measured,
        "recommendations": recommendations,
    }


def _measure_engine(rounds: int, progress: Callable[[str], None]) -> tuple[dict[str, Any] | None, list[dict[str, str]]]:
    """Return what perft in C measures, or None, and what was not measured."""
    try:
        with watch_others() as others:
            engine = measure_engine([technique(name) for name in ENGINE_CANDIDATES], rounds=rounds, progress=progress)
    except NotBuilt as error:
        return None, [{"what": "perft in C: how fast techniques are inside an engine", "reason": str(error)}]
    return engine | {"others": others.share}, []
