"""Bounds from machine code: loops whose cycles are counted by hand, and the operations that techniques consist of."""

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

import rookery
from rookery.bench.uses import bounds, loops
from rookery.bench.uses.bounds import CORES, WIDEST, Core
from rookery.bench.uses.loop_code import MachineLoop
from rookery.bench.uses.loop_code import loops as loops_in
from rookery.cli.tables import BOUNDED
from rookery.kernel import U64
from rookery.techniques import technique

pytestmark = pytest.mark.compiler  # a benchmark compiles what it times
ZEN3, SKYLAKE = CORES["znver3"], CORES["skylake"]
x86_64 = pytest.mark.skipif(platform.machine().lower() not in ("x86_64", "amd64"), reason="machine code of x86-64")


def loop_of(text: str) -> MachineLoop:
    """Return the only loop of a function whose loop has these instructions, one per line."""
    body = "".join(f"\t{line.strip().replace(' ', chr(9), 1)}\n" for line in text.strip().splitlines())
    (loop,) = loops_in(f"f:\n\tmovq\t%rax, %rcx\n.LBB0_1:\n{body}\tjne\t.LBB0_1\n\tretq\n.Lfunc_end0:\n{body}")
    return loop


def test_a_product_waits_for_the_one_before_it() -> None:
    loop = loop_of(
        """
        movq (%rdi,%rax,8), %rcx
        imulq %rcx, %rdx
        addq $2, %rax
        cmpq %rax, %rsi
        """
    )
    assert loop.step == 2
    assert bounds.cycles_in_chain(loop, ZEN3) == 3  # the product; loads do not wait for it
    # Five instructions, of which the last two are one, and one load, a round of two answers.
    assert bounds.of_loop(loop, 2, ZEN3) == bounds.TimeBound(
        cycles=1.5, by="chain", instructions=2.5, loads=0.5, bytes=4.0
    )


@pytest.mark.parametrize(
    ("ending", "step"),
    [
        ("incq %rax\ncmpq %rax, %rsi", 1),
        ("addq $-4, %rax", 4),
        ("movq %r8, %rdx\nleaq 2(%rdx), %r8\ncmpq %r8, -16(%rsp)", 2),
        ("movq (%rsi), %rax\ncmpq %rax, %rdx", 0),  # not a count
        ("addq 8(%rsi), %rax\ncmpq %rax, %rdx", 0),
        ("leaq 40(%rsp), %r8\nandq %r8, %rbx\nmovq %rdi, %r8\ncmpq %r8, %rdx", 0),  # used for something else before
        ("leaq 40(%rsp), %r8\nandq %r8, %rbx\nleaq 1(%rdi), %r8\ncmpq %r8, %rdx", 1),
    ],
)
def test_the_step_of_a_loop(ending: str, step: int) -> None:
    assert loop_of(f"imulq %rcx, %rcx\n{ending}").step == step


def test_a_loaded_address_waits_for_the_cache() -> None:
    loop = loop_of("movq 8(%rdi,%rdi), %rdi\ndecq %rsi")
    assert loop.step == 1
    assert bounds.cycles_in_chain(loop, ZEN3) == 4
    assert bounds.cycles_in_chain(loop, SKYLAKE) == 5


@pytest.mark.parametrize(
    ("body", "cycles"),
    [
        ("addq %rbx, %rax\nrorxq $63, %rax, %rax\ndecq %rsi", 2),
        ("addq (%rbx), %rax\ndecq %rsi", 1),  # the load does not wait for the sum
        ("movq %rax, -8(%rsp)\naddq -8(%rsp), %rbx\nmovq %rbx, %rax\ndecq %rsi", 1),  # through the stack
        ("imulq %rax, %rax\nxorl %eax, %eax\naddq %rbx, %rax\ndecq %rsi", 1),  # zeroing ends the chain
        ("lzcntq %rax, %rcx\nshlxq %rcx, %rbx, %rax\ndecq %rsi", 2),
        ("pextq (%rbx), %rax, %rax\nandq %r9, %rax\ndecq %rsi", 4),
        ("testq %rax, %rax\ncmoveq %rbx, %rax\ndecq %rsi", 2),
        ("movl %eax, %ecx\nbtsq %rcx, %rax\ndecq %rsi", 1),  # a move takes no time
        ("vpaddq %ymm0, %ymm1, %ymm1\nvpmuludq %ymm1, %ymm2, %ymm1\ndecq %rsi", 4),
        ("vpternlogq $150, %zmm2, %zmm3, %zmm1\ndecq %rsi", 1),  # reads its target
        ("vpxor %ymm2, %ymm3, %ymm1\nimulq %rcx, %rcx\ndecq %rsi", 3),  # does not
    ],
)
def test_chains_counted_by_hand(body: str, cycles: int) -> None:
    assert bounds.cycles_in_chain(loop_of(body), ZEN3) == cycles


def test_vectors_and_stores_are_counted() -> None:
    loop = loop_of(
        """
        vmovdqu (%r9,%rax,8), %ymm9
        vpgatherqq %ymm4, (%rcx,%ymm9,8), %ymm2
        vpand %ymm9, %ymm2, %ymm2
        vpor %ymm9, %ymm2, %ymm2
        vmovdqu %ymm2, -40(%rsp)
        vmovdqu %ymm2, (%r8,%rax,8)
        movq %rcx, 32(%r8,%rax,8)
        addq $5, %rax
        cmpq %rax, %rdx
        """
    )
    assert loop.answers_stored == 5  # a vector of four, and a word; the stack does not count
    found = bounds.of_loop(loop, 5, Core("test", issue=100, loads=1, vector=1, vector512=1, multiply=1))
    assert (found.by, found.cycles, found.loads) == ("loads", 1.0, 1.0)  # one vector, and four words gathered
    assert found.bytes == (32 + 4 * 8) / 5 == 12.8
    found = bounds.of_loop(loop, 5, Core("test", issue=100, loads=100, vector=1, vector512=1, multiply=1))
    assert (found.by, found.cycles) == ("vector", 0.6)  # the gather, AND and OR


@pytest.mark.parametrize(
    ("instruction", "loaded"),
    [
        ("movzbl (%rdi,%rax), %ecx", 1),
        ("movzwl 2(%rdi), %ecx", 2),
        ("movl (%rdi), %ecx", 4),
        ("pextq 8(%rdi,%rax), %rdx, %rcx", 8),
        ("vpinsrb $1, (%r12,%rax), %xmm3, %xmm3", 1),
        ("vpbroadcastq (%rdi), %ymm3", 8),
        ("vmovq (%rdi), %xmm3", 8),
        ("vpmovzxbq (%rdi), %ymm3", 4),
        ("vpand (%rdi), %zmm3, %zmm3", 64),
        ("movq 16(%rsp), %rcx", 0),  # the stack
        ("leaq (%rdi,%rax,8), %rcx", 0),
        ("movq %rcx, (%rdi)", 0),
    ],
)
def test_bytes_loaded(instruction: str, loaded: int) -> None:
    assert loop_of(f"{instruction}\ndecq %rsi").body[0].loaded_bytes == loaded


def test_a_loop_with_branches_has_no_bound() -> None:
    inside = ["incq\t%rax", "jne\t.L2", "addq\t$1, %rcx"]
    lines = ["f:", ".L1:", *(f"\t{i}" for i in inside), ".L2:", "\tcmpq\t%rax, %rdx", "\tjne\t.L1", ".Lfunc_end0:"]
    assert loops_in("\n".join(lines)) == []


@x86_64
@pytest.mark.parametrize("column", bounds.LOOPS)
@pytest.mark.parametrize(("name", "instruction"), [("pext", "pextq"), ("magic-fancy", "imulq")])
def test_a_queen_gathers_or_multiplies_twice(name: str, instruction: str, column: str) -> None:
    """So the compiled loop is read right, and its look-ups are counted right, however far it is unrolled."""
    assembly, answers = bounds.LOOPS[column]
    found = {answers(loop): loop for loop in loops_in(assembly(technique(name))) if answers(loop)}
    for count, loop in found.items():
        if any(i.loads for i in loop.body):
            assert sum(i.name == instruction for i in loop.body) == 2 * count, (count, loop)
    assert found


@x86_64
def test_the_bound_of_a_technique() -> None:
    t = technique("magic-fancy")
    narrow, wide = (bounds.bound(t, "calls", core) for core in (SKYLAKE, WIDEST))
    assert narrow
    assert wide
    assert narrow.cycles > wide.cycles
    assert narrow.loads == wide.loads >= 10  # two records of four words, and two answers
    waiting = bounds.bound(t, "latency", ZEN3)
    assert waiting
    assert waiting.by == "chain"
    assert waiting.cycles >= 3 + 4 + 3 + 4  # the record, the product and the answer, after the square is known
    assert bounds.bound(technique("exploding"), "arrays") is None  # it loops over blockers
    assert bounds.bound(t, "busy") is None


READ_AVX_512 = """
from rookery.bench.uses import bounds
from rookery.techniques import technique
print(bounds.this_core().family)
for name in ("hyperbola-bitreverse", "kogge-stone"):
    text = bounds.LOOPS["arrays"][0](technique(name))
    loop = max(bounds.loops_in(text), key=lambda loop: loop.answers_stored)
    widest = sum(i.bits == 512 for i in loop.body)
    print(name, text.count("gf2p8affineqb"), loop.answers_stored, widest, bounds.bound(technique(name), "arrays").by)
"""


@x86_64
def test_code_for_avx_512_and_gfni_is_read(tmp_path: Path) -> None:
    """Also on a CPU without them: the code is read, not run. GFNI reverses bits, as in the variant `galois-field`."""
    features = "avx avx2 avx512f avx512bw avx512dq avx512vl bmi bmi2 gfni lzcnt popcnt".split()
    environment = {
        **os.environ,
        "NUMBA_CPU_NAME": "znver4",
        "NUMBA_CPU_FEATURES": ",".join(f"+{feature}" for feature in features),
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(rookery.__file__).parents[1]),
    }
    command = [sys.executable, "-c", READ_AVX_512]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    family, *lines = done.stdout.splitlines()
    assert family == CORES["znver4"].family
    for line in lines:
        name, matrices, answers, widest, by = line.split()
        assert (int(matrices) > 0) == (name == "hyperbola-bitreverse")
        assert int(answers) % 8 == 0  # a vector holds eight
        assert int(widest) > 50
        assert by == "vector"


def test_the_widest_core_is_as_wide_as_any() -> None:
    for core in CORES.values():
        assert all(ours >= theirs for ours, theirs in zip(WIDEST[1:6], core[1:6], strict=True))
        assert all(ours <= theirs for ours, theirs in zip(WIDEST[6:], core[6:], strict=True))


def test_the_chain_rotates_and_adds() -> None:
    word = 1
    for _ in range(1000):
        word = ((word << 1 | word >> 63) + 3) % (1 << 64)
    assert loops.chain(U64(1), U64(3), 1000) == word
    assert bounds.clock(rounds=1) > 0


def test_columns_with_bounds_are_those_that_are_read() -> None:
    assert tuple(bounds.LOOPS) == BOUNDED
