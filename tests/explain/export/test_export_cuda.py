"""CUDA exports: the memory of their tables, kernels over arrays, machine code, and the self-check on a device."""

import ctypes
import itertools
import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import ptx
import pytest
from exports import LOOKUPS

import cuda_registers
import rookery
from rookery import geometry
from rookery.explain.export import export_files, export_text
from rookery.explain.export.languages.cuda import texts
from thinning import few

# Tables that are filled, that fit in constant memory, of bytes, and none; division, loops, and reversed bits.
KINDS = ("pext", "magic-fancy", "kindergarten", "congruent-modulo-dense", "dumb7fill", "hyperbola-bitreverse")
ALL = tuple(t.name for t in rookery.techniques())
OTHERS = tuple(name for name in ALL if name not in KINDS)
CONSTANT_MEMORY = 65_536
KERNELS = {"rook_attacks", "bishop_attacks", "queen_attacks"}
TABLE = re.compile(r"^static (ROOKERY_TABLE|__device__) (const )?uint(\d+)_t (\w+)\[(\d+)\]", re.MULTILINE)


def built(*command: str, folder: Path) -> str:
    """Run a compiler, and return what it reports."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


def ran(program: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program)], capture_output=True, text=True, check=False)


# The text.


@pytest.mark.parametrize("name", few(ALL, 12))
def test_small_tables_fit_in_constant_memory(name: str) -> None:
    text = export_text("cuda", name).partition("#ifdef ROOKERY_SELFCHECK")[0]
    tables = [(memory, bool(const), int(bits) // 8 * int(size)) for memory, const, bits, _, size in TABLE.findall(text)]
    assert {m[4] for m in TABLE.finditer(text)} == {*re.findall(r"\b\w+_TABLE\b", text)} - {
        "ROOKERY_TABLE",
        "DROOKERY_TABLE",
    }
    constant = sum(size for memory, _, size in tables if memory == "ROOKERY_TABLE")
    assert constant <= CONSTANT_MEMORY
    for memory, const, size in tables:
        assert const or memory == "__device__"  # only the host can write constant memory
        if const and memory == "__device__":
            assert constant + size > CONSTANT_MEMORY
    assert ("fill_tables" in text) == any(not const for _, const, _ in tables)


@pytest.mark.parametrize("name", KINDS)
def test_functions_kernels_and_launchers(name: str) -> None:
    text = export_text("cuda", name)
    for piece in ("rook", "bishop", "queen"):
        for head in (
            f"static __device__ __forceinline__ uint64_t {piece}_attacks(uint64_t sq, uint64_t occupied) {{",
            f"static __global__ void {piece}_attacks_kernel(",
            f"static inline cudaError_t launch_{piece}_attacks(",
        ):
            assert text.count(head) == 1
    assert "static inline cudaError_t init_attacks() {" in text


def test_bits_are_reversed_by_the_instruction() -> None:
    text = export_text("cuda", "hyperbola-bitreverse")
    function = text.partition("uint64_t bitreverse(uint64_t x) {\n")[2].partition("\n}")[0]
    assert function.strip() == "return __brevll(x);"
    assert "byteswap" not in text  # which only the translated function needs


# As C++.

PROGRAM = """
#include <cstdio>
#include <vector>
#include "rookery_attacks.cuh"
int other();
int main() {
    using namespace rookery;
    if (init_attacks() != cudaSuccess || other() != 1) {
        return 1;
    }
    const uint64_t sizes[] = {0, 1, 255, 256, 257, 5000000};
    for (uint64_t count : sizes) {
        std::vector<uint8_t> squares(count + 1);
        std::vector<uint64_t> occupied(count + 1), attacks(count + 1, 42);
        uint64_t state = 1;
        for (uint64_t i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            squares[i] = state >> 58;
            occupied[i] = state * (state >> 32 | 1);
        }
        if (launch_queen_attacks(squares.data(), occupied.data(), attacks.data(), count) != cudaSuccess) {
            return 2;
        }
        for (uint64_t i = 0; i < count; i++) {
            if (attacks[i] != (rook_attacks(squares[i], occupied[i]) | bishop_attacks(squares[i], occupied[i]))) {
                return 3;
            }
        }
        if (attacks[count] != 42) {
            return 4;
        }
    }
    std::puts("right");
    return 0;
}
"""
OTHER = """
#include "rookery_attacks.cuh"
int other() {
    using namespace rookery;
    return init_attacks() == cudaSuccess && rook_attacks(A1, 0) == UINT64_C(0x01010101010101fe);
}
"""


def test_arrays_of_any_size_and_two_source_files(tmp_path: Path) -> None:
    """5,000,000 elements are more than the most threads of a launch. Both files have tables of their own."""
    if not shutil.which("g++"):
        pytest.skip("no g++ here")
    assert texts.THREADS * texts.BLOCKS_AT_MOST < 5_000_000
    for name, text in {**export_files("cuda", "pext"), "main.cpp": PROGRAM, "other.cpp": OTHER}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    built(*"g++ -std=c++17 -Wall -Wextra -Werror -O1 -o program main.cpp other.cpp".split(), folder=tmp_path)
    done = ran(tmp_path / "program")
    assert (done.returncode, done.stdout) == (0, "right\n")


# By NVIDIA's compiler.


@pytest.fixture(scope="module")
def nvcc() -> str:
    found = cuda_registers.find_nvcc()
    if found is None:
        pytest.skip('needs nvcc: pip install ".[cuda]"')
    return found


def assert_compiles(nvcc: str, name: str, folder: Path) -> None:
    """PTX, and machine code without spills, with the kernels that the text has and no others."""
    text = export_text("cuda", name)
    usages = cuda_registers.machine_code(nvcc, text, folder)
    assert list(usages) == ["sm_80", "sm_90"]
    for architecture, kernels in usages.items():
        assert set(kernels) == KERNELS | ({"fill_tables"} if "fill_tables" in text else set())
        for kernel, usage in kernels.items():
            assert 8 <= usage.registers <= 255
            assert (usage.stack, usage.spilled) == (0, 0), (architecture, kernel)
        assert (folder / f"{architecture}.cubin").read_bytes().startswith(b"\x7fELF")
    assert_ptx_is_right(text, (folder / "attacks.ptx").read_text(encoding="utf-8"))


def assert_ptx_is_right(text: str, compiled: str) -> None:
    """Run what nvcc compiled: the filling of the tables, and each kernel with eight occupancies of each square."""
    module = ptx.Module(compiled)
    assert len(module.kernels) == 3 + ("fill_tables" in text)
    if "fill_tables" in text:
        blocks = text.count("if (blockIdx.x == ")
        for block, thread in itertools.product(range(blocks), range(64)):
            module.run("fill_tables", (), block, blocks, thread, 64)
    random = np.random.default_rng(1)
    squares = np.repeat(np.arange(64, dtype=np.uint8), 8)
    occupied = random.integers(0, 2**64, 512, np.uint64) & random.integers(0, 2**64, 512, np.uint64)
    attacks = module.place(bytes(8 * 512))
    arguments = (module.place(squares.tobytes()), module.place(occupied.tobytes()), attacks, 512)
    for piece in ("rook", "bishop", "queen"):
        for i in range(96):
            module.run(f"{piece}_attacks_kernel", arguments, i // 32, 3, i % 32, 32)
        for i, (square, board) in enumerate(zip(squares.tolist(), occupied.tolist(), strict=True)):
            expected = [geometry.attacks(p, square, board) for p in ("rook", "bishop") if piece in (p, "queen")]
            assert module.load(attacks + 8 * i, 8) == sum(expected), (piece, square, board)


@pytest.mark.parametrize("name", few(KINDS, 2))
def test_machine_code_and_what_ptx_computes(nvcc: str, name: str, tmp_path: Path) -> None:
    assert_compiles(nvcc, name, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERS)
def test_machine_code_and_what_ptx_computes_of_all_others(nvcc: str, name: str, tmp_path: Path) -> None:
    assert_compiles(nvcc, name, tmp_path)


@pytest.mark.parametrize(
    ("name", "instruction"),
    [("hyperbola", "prmt.b32"), ("hyperbola-bitreverse", "brev.b64"), ("classical", "clz.b64")],
)
def test_ptx_has_the_instruction(nvcc: str, name: str, instruction: str, tmp_path: Path) -> None:
    cuda_registers.machine_code(nvcc, export_text("cuda", name), tmp_path)
    assert instruction in (tmp_path / "attacks.ptx").read_text(encoding="utf-8")


def test_a_wrong_instruction_in_ptx_is_noticed(nvcc: str, tmp_path: Path) -> None:
    """Bytes swapped in another order give wrong answers."""
    text = export_text("cuda", "hyperbola")
    cuda_registers.machine_code(nvcc, text, tmp_path)
    compiled = (tmp_path / "attacks.ptx").read_text(encoding="utf-8")
    order = int("0123", 16)
    assert str(order) in compiled
    with pytest.raises(AssertionError, match="rook"):
        assert_ptx_is_right(text, re.sub(rf"\b{order}\b", str(int("0132", 16)), compiled))


WORDS = (0, 1, 0x0123456789ABCDEF, 1 << 63, 0x00F0_0000_0000_0100, 2**64 - 1)
CALLS = tuple(f"{name}(UINT64_C({word:#x}))" for name in ("__brevll", "__popcll", "__clzll") for word in WORDS)


def test_intrinsics_of_other_compilers_are_those_of_nvcc(nvcc: str, tmp_path: Path) -> None:
    """nvcc computes the calls while it compiles; g++ runs the functions that an export has in their place."""
    if not shutil.which("g++"):
        pytest.skip("no g++ here")
    prelude = texts.PRELUDE.replace("@INTRINSICS", "".join(texts.INTRINSICS.values()))
    kernels = "\n".join(
        f"static __global__ void kernel_{i}(uint64_t *out) {{ *out = (uint64_t){call}; }}"
        for i, call in enumerate(CALLS)
    )
    start = "".join(f"    ROOKERY_LAUNCH(kernel_{i}, 1, 1, nullptr, (&out)); show(out);\n" for i in range(len(CALLS)))
    show = 'void show(uint64_t word) { std::printf("%llu\\n", (unsigned long long)word); }'
    headers = "#include <cstdint>\n#include <cstdio>\n"
    text = f"{headers}{prelude}\n{kernels}\n{show}\nint main() {{\n    uint64_t out;\n{start}}}\n"
    (tmp_path / "calls.cu").write_text(text, encoding="utf-8")
    built(*"g++ -std=c++17 -x c++ -o calls calls.cu".split(), folder=tmp_path)
    ours = [int(line) for line in ran(tmp_path / "calls").stdout.split()]
    built(nvcc, "-std=c++17", "-ptx", "-arch=compute_80", "calls.cu", "-o", "calls.ptx", folder=tmp_path)
    entries = (tmp_path / "calls.ptx").read_text(encoding="utf-8").split(".entry")[1:]
    theirs = {}
    for entry in entries:
        number = re.search(r"kernel_(\d+)", entry)
        word = re.search(r"mov\.u64\s+%rd\d+, (-?\d+);\s*st\.global\.u64", entry)
        assert number, entry
        assert word, entry
        theirs[int(number[1])] = int(word[1]) % 2**64
    assert len(theirs) == len(CALLS)
    assert ours == [theirs[i] for i in range(len(CALLS))]


# On a device.


def devices() -> int:
    """Return the number of CUDA devices."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return 0
    number = ctypes.c_int()
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(number)):
        return 0
    return number.value


def self_check_by_nvcc(nvcc: str, name: str, folder: Path) -> subprocess.CompletedProcess[str]:
    if not shutil.which("g++"):
        pytest.skip("no g++ here, which nvcc needs")
    for file, text in export_files("cuda", name).items():
        (folder / file).write_text(text, encoding="utf-8")
    built(nvcc, "-std=c++17", "-Werror", "all-warnings", "-O2", "-o", "selfcheck", "selfcheck.cu", folder=folder)
    return ran(folder / "selfcheck")


@pytest.mark.parametrize("name", ALL)
def test_the_self_check_on_a_device(nvcc: str, name: str, tmp_path: Path) -> None:
    if not devices():
        pytest.skip("no CUDA device here")
    done = self_check_by_nvcc(nvcc, name, tmp_path)
    assert (done.returncode, done.stdout) == (0, f"{LOOKUPS} look-ups agree with ray walking\n")


@pytest.mark.parametrize("name", ["magic-fancy", "dumb7fill"])
def test_without_a_device_the_self_check_reports_it(nvcc: str, name: str, tmp_path: Path) -> None:
    if devices():
        pytest.skip("there is a CUDA device here")
    done = self_check_by_nvcc(nvcc, name, tmp_path)
    assert done.returncode == 2
    assert re.fullmatch(r"CUDA: .*(driver|device).*\n", done.stdout)
