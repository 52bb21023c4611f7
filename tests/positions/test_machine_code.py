"""The queries' machine code: vectorised for AVX2 and for AVX-512, and nothing for bounds checks to find."""

import os
import platform
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from numpy.typing import NDArray

import rookery
from corpus import EDGES, STRANGE
from rookery.board.board import Board
from rookery.counting.perft import perft
from rookery.positions.features.channels import CHANNELS
from rookery.positions.positions import Positions
from thinning import slow

pytestmark = pytest.mark.compiler

AVX_512 = "+avx,+avx2,+avx512f,+avx512bw,+avx512dq,+avx512vl,+avx512vpopcntdq,+bmi,+bmi2,+lzcnt,+popcnt"
TARGETS = {
    "haswell": "+avx,+avx2,+bmi,+bmi2,+lzcnt,+popcnt",
    # Both makers' CPUs: LLVM's tuning for Intel's prefers 256 bits unless it is asked for all.
    "emeraldrapids": AVX_512,
    "znver4": AVX_512,
}

COUNT_REGISTERS = """
import numpy as np
from rookery.bench.attacks import registers_named
from rookery.positions.queries import attacks, questions
from rookery.positions.layout import SIDES, ByPiece, empty_columns
from rookery.rules.compiled import default_technique

c, us = empty_columns(1), SIDES["us"]
boards, numbers = np.empty(1, np.uint64), np.empty(1, np.uint16)
for entry, *operands in (
    (attacks.of_both, c, boards, boards),
    (attacks.maps, c, ByPiece(*[boards] * 6), ByPiece(*[boards] * 6)),
    (attacks.counts, attacks.count_room(), c, us, np.empty((1, 8), np.uint64)),
    (questions.counts, c, numbers, default_technique().tables()),
):
    found = registers_named(entry.assembly(*operands))
    print(f"{entry.__module__}.{entry.__name__}", found["zmm"], found["ymm"], found["gather"])
"""

CHECKED = """
import sys
import numpy as np
sys.path[:0] = {folders!r}
from test_machine_code import PARTS, positions
from rookery.positions.queries import questions
from rookery.positions.layout import SIDES

print(PARTS[{part!r}]())
p = positions()
try:
    questions.boards(questions.Checkers(), p.columns, SIDES["us"], np.empty(len(p) + 1, np.uint64))
    print("unchecked")
except IndexError:
    print("caught")
"""


def positions() -> Positions:
    return Positions.from_boards([Board.unchecked(fen) for fen in (*EDGES, *STRANGE)])


# A number for each answer, in parts; the first is the quickest to compile.


def attacks() -> list[int]:
    p = positions()
    answers = [p.attacks("both"), p.attacks("them", "queen"), p.checkers(), p.pinned(), p.king_danger()]
    return [zlib.crc32(answer.tobytes()) for answer in answers]


def queries() -> list[int]:
    p = positions()
    answers: list[NDArray[Any]] = [p.attack_maps(), p.attack_counts()]
    answers += [p.discoverers(), p.mobility(), p.mobility("queen")]
    answers += [p.progressive_mobility("queen", 4), p.legal_move_counts(), p.is_check(), p.is_checkmate()]
    answers += [p.is_stalemate()]
    return [zlib.crc32(answer.tobytes()) for answer in answers]


def features() -> list[int]:
    p = positions()
    answers: list[NDArray[Any]] = [p.planes(list(CHANNELS)), p.policy_mask(), p.policy_mask("leela", packed=True)]
    return [zlib.crc32(answer.tobytes()) for answer in answers]


def moves() -> list[int]:
    p = positions()
    answers: list[NDArray[Any]] = [p.legal_moves().moves, p.captures().offsets]
    drawn = p.random_moves(1)
    answers += [drawn, *p.play(np.where(p.is_check() & (drawn == 0), 0, drawn), check=False).columns]
    answers += [p[:12].rollouts(1, max_plies=40).plies]
    lines = "\n".join(p.to_fens(en_passant="fen"))
    assert Positions.from_fens(lines) == p
    return [*(zlib.crc32(answer.tobytes()) for answer in answers), zlib.crc32(lines.encode())]


def leaves() -> list[int]:
    return [perft(Board.unchecked(fen), 4, hash_mb=1) for fen in EDGES[20:]]


PARTS: Final = {part.__name__: part for part in (attacks, queries, features, moves, leaves)}


def python(code: str, **environment: str) -> list[str]:
    """Run code in a fresh interpreter; its standard output."""
    source = str(Path(rookery.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, **environment}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="x86 targets")
@pytest.mark.parametrize(
    "target",
    ["emeraldrapids", *(slow(target) for target in ("haswell", "znver4"))],
)
def test_queries_are_vectorised(target: str, tmp_path: Path) -> None:
    """Also for CPUs that are not there: the code is looked at, not run. A loop of scalars would name a few dozen
    registers at most, to move data about.
    """
    environment = {"NUMBA_CPU_NAME": target, "NUMBA_CPU_FEATURES": TARGETS[target], "NUMBA_CACHE_DIR": str(tmp_path)}
    rows = [line.split() for line in python(COUNT_REGISTERS, **environment)]
    assert len(rows) == 4
    for name, zmm, ymm, gathers in rows:
        widest, other = (int(ymm), int(zmm)) if target == "haswell" else (int(zmm), int(ymm))
        assert widest > 300, (name, zmm, ymm)
        assert other < widest / 2, (name, zmm, ymm)
        assert gathers == "0", name


@pytest.mark.parametrize("part", ["attacks", *(slow(part) for part in list(PARTS)[1:])])
def test_nothing_is_read_or_written_out_of_bounds(part: str) -> None:
    """With bounds checks, whose code the cache keeps apart. The overrun, on purpose, shows that they are live."""
    here = Path(__file__).parent
    code = CHECKED.format(folders=[str(here), str(here.parent / "shared")], part=part)
    assert python(code, NUMBA_BOUNDSCHECK="1") == [str(PARTS[part]()), "caught"]
