"""Check and time every technique's CUDA export on a device, and count a perft there.

``python benchmarks/cuda_device.py --out benchmarks/cuda_device.json`` needs rookery, nvcc (``pip install
".[cuda]"``), a C++ compiler and a device. Where the device is on another machine, build a file that needs only
Python 3.11 and an NVIDIA driver there:

    python benchmarks/cuda_device.py --pack cuda_device.pyz       here
    python3 cuda_device.pyz --out cuda_device.json                there

Each technique is a program, made from `cuda_device.cu` and its export. It runs the self-check of the export, which
compares all 107,648 relevant cases with ray walking, and then measures

    scattered     attacks of queens on random squares, with random boards, in the registers of each thread
    same_square   the same, with one square for all threads at a time
    sets          attacks of all rooks, bishops and queens of a side, four pieces for each kind of line on average
    arrays        attacks of queens on squares and boards in memory: 17 bytes are moved for each
    nothing       the random numbers alone, which `scattered` and `same_square` include

in look-ups (or boards) per second; the middle one of three runs. All programs draw the same random numbers, so all must
compute the same results; those of the first threads are computed again by ray walking. Techniques with tables that
fit in constant memory are measured twice: with the tables there, and with the tables in global memory.

The perft goes through levels of positions: see `cuda_levels`. Its totals must be the published ones.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipapp
import zipfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import cuda_driver

# Nothing but this and the standard library may be imported here: the packed file runs on a bare machine.

HERE: Final = Path(__file__).parent
THREADS: Final = 1 << 22
SECONDS: Final = 0.02  # the least time of a measured launch
BLOCK: Final = 256  # threads whose results are computed again
ROUNDS: Final = 16
AGREED: Final = "107648 look-ups agree with ray walking"
MEASURED: Final = ("scattered", "same_square", "sets", "arrays")
# Published totals (chessprogramming wiki, Perft Results).
TOTALS: Final = {
    ("start", 7): 3_195_901_860,
    ("start", 8): 84_998_978_956,
    ("start", 9): 2_439_530_234_167,
    ("kiwipete", 6): 8_031_647_685,
    ("kiwipete", 7): 374_190_009_323,
    ("position4", 6): 706_045_033,
    ("position5", 5): 89_941_194,
    ("position6", 6): 6_923_051_137,
}
CAPACITY: Final = 1 << 25  # positions of a level: 2.7 GB
_ALL: Final = (1 << 64) - 1
NO_DEVICE: Final = f"no CUDA device here: {cuda_driver.LIBRARY} is missing or finds none"


# Building: with rookery.


def programs(names: Iterable[str] | None = None) -> Iterator[tuple[str, str, str]]:
    """Return the programs: each technique with the memory of its tables, and the text of its export.

    A technique without tables that fit in constant memory has one program, any other has two.
    """
    import rookery
    from rookery.explain.export import export_text

    for technique in rookery.techniques() if names is None else map(rookery.technique, names):
        text = export_text("cuda", technique)
        if "fill" in technique.offers:
            text = with_fills(text, technique)
        tables = "static ROOKERY_TABLE" in text
        for memory in ("constant", "global") if tables else ("none",):
            yield technique.name, memory, text


def with_fills(text: str, technique: Any) -> str:
    """Return an export with functions for the attacks of sets of rooks and bishops, made of the technique's fills."""
    from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE
    from rookery.bitboards.sets import step
    from rookery.explain.export.ir import Name, Program
    from rookery.explain.export.kernel_values import Tables
    from rookery.explain.export.languages.cuda import Cuda
    from rookery.explain.export.translate import KernelTranslator
    from rookery.explain.export.writer import Export

    fill = technique.fill_kernel

    def rooks_attacks(sliders: Any, occupied: Any, t: Any) -> Any:
        """Return the attacks of a set of rooks."""
        return (
            step(0, fill(0, sliders, ~occupied, t))
            | step(2, fill(2, sliders, ~occupied, t))
            | step(4, fill(4, sliders, ~occupied, t))
            | step(6, fill(6, sliders, ~occupied, t))
        )

    def bishops_attacks(sliders: Any, occupied: Any, t: Any) -> Any:
        """Return the attacks of a set of bishops."""
        return (
            step(1, fill(1, sliders, ~occupied, t))
            | step(3, fill(3, sliders, ~occupied, t))
            | step(5, fill(5, sliders, ~occupied, t))
            | step(7, fill(7, sliders, ~occupied, t))
        )

    program = Program()
    translator = KernelTranslator(program)
    for function in (rooks_attacks, bishops_attacks):
        translator.function(function, (Name("sliders"), Name("occupied"), Tables(technique.tables())))
    writer = Cuda(Export(program, Program(), LITTLE_ENDIAN_RANK_FILE, []))
    parts = [*map(writer.table, program.tables.values()), *writer.functions(program)]
    body = "\n".join(["#define ROOKERY_HAS_FILLS", "namespace sets {", *parts, "}", "using namespace sets;"])
    return f"{text}\n{body}\n"


def build(
    command: list[str], names: Iterable[str] | None, folder: Path, progress: Callable[[str], None]
) -> dict[str, Any]:
    """Compile the programs into a folder with the beginning of a compiler's command, and return what it holds."""
    source = (HERE / "cuda_device.cu").read_text(encoding="utf-8")

    def compiled(program: tuple[str, str, str]) -> dict[str, str]:
        name, memory, text = program
        own = f"{name}-{memory}"
        place = folder / f"{own}.build"
        place.mkdir()
        (place / "rookery_attacks.cuh").write_text(text, encoding="utf-8")
        (place / "main.cu").write_text(source, encoding="utf-8")
        defined = ["-DROOKERY_TABLE=__constant__"] if memory == "constant" else []
        done = subprocess.run(
            [*command, *defined, "main.cu", "-o", str(folder.resolve() / own)],
            cwd=place, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{own}: {' '.join(command)} failed:\n{done.stdout}{done.stderr}")
        shutil.rmtree(place)
        progress(own)
        return {"technique": name, "memory": memory, "file": own}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return {"programs": list(pool.map(compiled, programs(names)))}


def rows_of_positions() -> dict[str, list[int]]:
    """Return the words of the positions of the perft."""
    from rookery.counting.walk import as_board

    return {name: list(map(int, as_board(name).words()[:10])) for name, _ in TOTALS}


def levels(folder: Path) -> str:
    """Return the PTX of the perft. It is made in a process of its own, whose Numba compiles for a generic CPU."""
    file = folder / "levels.ptx"
    subprocess.run([sys.executable, HERE / "cuda_levels.py", file], check=True)
    return file.read_text(encoding="utf-8")


def nvcc_command() -> list[str]:
    """Return the command that compiles for all architectures of its CUDA version."""
    import cuda_registers

    nvcc = cuda_registers.find_nvcc()
    if nvcc is None:
        raise SystemExit('no nvcc here: pip install ".[cuda]"')
    return [nvcc, "-std=c++17", "-O2", "-arch=all-major", "-cudart", "static"]


def pack(folder: Path, target: Path) -> None:
    """Write the programs of a folder, this file and the oracle as one file that Python runs."""
    import rookery.geometry

    shutil.copy(__file__, folder / "__main__.py")
    shutil.copy(cuda_driver.__file__, folder)
    package = folder / "rookery"
    package.mkdir()
    (package / "__init__.py").touch()
    shutil.copy(rookery.geometry.__file__, package)
    zipapp.create_archive(folder, target, compressed=True)


# Running: with the standard library alone.


def next_word(word: int) -> int:
    """Return the random word that follows (xorshift by 13, 7 and 17)."""
    word ^= word << 13 & _ALL
    word ^= word >> 7
    return word ^ word << 17 & _ALL


def expected_results() -> dict[str, int]:
    """Return what the first threads compute in each measurement, by ray walking."""
    from rookery import geometry  # packed next to this file, as the only module of the package

    def queen(square: int, occupied: int) -> int:
        return int(geometry.attacks("rook", square, occupied) | geometry.attacks("bishop", square, occupied))

    def union(mover: str, sliders: int, occupied: int) -> int:
        return sum_of(geometry.attacks(mover, square, occupied) for square in range(64) if sliders >> square & 1)

    def sum_of(sets: Iterable[int]) -> int:
        result = 0
        for one in sets:
            result |= one
        return result

    results = dict.fromkeys(("nothing", *MEASURED), 0)
    for thread in range(BLOCK):
        word = (thread + 1) * 0x9E3779B97F4A7C15 & _ALL
        for i in range(ROUNDS):
            word = next_word(word)
            occupied = word & (word << 32 | word >> 32) & _ALL
            results["nothing"] ^= occupied + (word >> 58) & _ALL
            results["scattered"] ^= queen(word >> 58, occupied)
            results["same_square"] ^= queen(i, occupied)
            rooks, bishops = occupied & word << 9 & word >> 20, occupied & word << 21 & word >> 12
            results["sets"] ^= union("rook", rooks, occupied) | union("bishop", bishops, occupied)
            if i == 0:
                results["arrays"] ^= queen(word >> 58, occupied)
    return results


class WrongAnswer(Exception):
    """A program that did not run to its end, or computed something else than ray walking does."""


def run_program(path: Path, threads: int, seconds: float, expected: dict[str, int]) -> dict[str, Any]:
    """Run a program, and return its measurements; WrongAnswer if it fails or a result is wrong."""
    path.chmod(0o755)
    done = subprocess.run([path.resolve(), str(threads), str(seconds)], capture_output=True, text=True, check=False)
    lines = done.stdout.splitlines()
    if done.returncode or lines[:1] != [AGREED] or len(lines) != 2:
        raise WrongAnswer(f"{path.name}: exit status {done.returncode}: {done.stdout}{done.stderr}")
    found: dict[str, Any] = json.loads(lines[1])
    for name, result in expected.items():
        if int(found[name]["small"], 16) != result:
            raise WrongAnswer(f"{path.name}, {name}: expected {result:#018x}, got {found[name]['small']}")
    return found


def run_all(
    content: dict[str, Any], folder: Path, threads: int, seconds: float, progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Run all programs one after another, and return their measurements.

    WrongAnswer if two programs compute different results.
    """
    expected = expected_results()
    rows: list[dict[str, Any]] = []
    for program in content["programs"]:
        found = run_program(folder / program["file"], threads, seconds, expected)
        rates = {name: found[name]["rate"] for name in ("nothing", *MEASURED)}
        results = {name: found[name]["all"] for name in ("nothing", *MEASURED)}
        if rows and rows[0]["results"] != results:
            raise WrongAnswer(f"{program['file']}: expected the results of {rows[0]['technique']}, got {results}")
        rows.append({**program, "rates": rates, "results": results})
        progress(f"{program['file']}: {rates['scattered'] / 1e9:.1f} G look-ups/s")
    return rows


def count_perfts(
    counter: cuda_driver.Levels, rows: dict[str, list[int]], progress: Callable[[str], None]
) -> list[dict[str, Any]]:
    """Count the published perfts, and return the seconds of each; WrongAnswer if a total is not the published one."""
    counted = []
    for (name, depth), published in TOTALS.items():
        start = time.perf_counter()
        leaves = counter.perft(rows[name], depth)
        seconds = time.perf_counter() - start
        if leaves != published:
            raise WrongAnswer(f"perft {name} {depth}: expected {published}, got {leaves}")
        counted.append({"position": name, "depth": depth, "leaves": leaves, "seconds": round(seconds, 6)})
        progress(f"perft {name} {depth}: {leaves / seconds / 1e9:.1f} G leaves/s")
    return counted


def measure(content: dict[str, Any], folder: Path, progress: Callable[[str], None]) -> dict[str, Any]:
    """Run all programs and the perft on the device, and return the record."""
    card = cuda_driver.device()
    if card is None:
        raise SystemExit(NO_DEVICE)
    rows = run_all(content, folder, THREADS, SECONDS, progress)
    perfts = count_perfts(cuda_driver.Levels(content["levels"], CAPACITY), content["positions"], progress)
    return {
        "benchmark": "cuda_device",
        "command": "python benchmarks/cuda_device.py",
        **card,
        "nvcc": content["nvcc"],
        "date": datetime.now(UTC).date().isoformat(),
        "threads": THREADS,
        "self_check": AGREED,
        "results": rows[0]["results"],
        "perft": perfts,
        "programs": [
            {key: value for key, value in row.items() if key not in ("file", "results")} for row in rows
        ],
    }  # fmt: skip


def show(line: str) -> None:
    """Show progress on standard error."""
    print(line, file=sys.stderr, flush=True)


def main() -> None:
    """Read the options, and build, pack or run the programs."""
    parser = argparse.ArgumentParser(description="Check and time every technique's CUDA export on a device.")
    parser.add_argument("--pack", type=Path, metavar="FILE", help="Build the programs into a file for another machine.")
    parser.add_argument("--out", type=Path, metavar="FILE", help="Write the JSON to this file.")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if zipfile.is_zipfile(sys.argv[0]):  # the packed file
            if options.pack:
                parser.error("--pack: this file is packed already")
            with zipfile.ZipFile(sys.argv[0]) as packed:
                packed.extractall(folder)
            content = json.loads((folder / "content.json").read_text(encoding="utf-8"))
        else:
            if not options.pack and cuda_driver.device() is None:
                raise SystemExit(f"{NO_DEVICE}; --pack builds for another")
            import cuda_registers

            command = nvcc_command()
            content = build(command, None, folder, show) | {
                "nvcc": cuda_registers.version(command[0]),
                "levels": levels(folder),
                "positions": rows_of_positions(),
            }
            if options.pack:
                (folder / "content.json").write_text(json.dumps(content), encoding="utf-8")
                pack(folder, options.pack)
                return
        try:
            text = json.dumps(measure(content, folder, show), indent=2)
        except WrongAnswer as error:
            raise SystemExit(str(error)) from None
    if options.out:
        options.out.write_text(f"{text}\n", encoding="utf-8")
    else:
        print(text)


if __name__ == "__main__":
    main()
