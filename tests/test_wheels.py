"""A wheel with machine code: built as a release is, unpacked, and used with no cache and no compiler."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from hidden_numba import HIDING
from rookery.kernel.targets import CPU_MODULE, of_machine

ROOT = Path(__file__).resolve().parents[1]
MOST_MEGABYTES = 4
MOST_INSTALLED_MEGABYTES = 12
FIRST_ANSWERS = {
    "board": ("len(rookery.Board().legal_moves)", "20"),
    "perft": ("rookery.perft('start', 5)", "4865609"),
    "counts": ("rookery.Positions.from_fens([rookery.STARTING_FEN]).legal_move_counts().tolist()", "[20]"),
    "games": ("len(rookery.read_pgn(b'1. e4 e5 2. Nf3 1-0'))", "1"),
    "search": ("rookery.read_pgn(b'1. f3 e5 2. g4 Qh4# 0-1').search('is_mate')", "<1 hit>"),
    "queens": ("rookery.queen_attacks(27, 0) == rookery.technique('pext').queen(27, 0)", "True"),
}


def wheel_tag() -> str:
    """Return the tag of the Pythons that a wheel is for: all, but on Windows only this one."""
    version = f"cp{sys.version_info.major}{sys.version_info.minor}"
    return f"{version}-{version}" if sys.platform == "win32" else "cp311-abi3"


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), str(ROOT)]
    done = subprocess.run(
        command, env={**os.environ, "ROOKERY_PRECOMPILE": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    assert wheel.stat().st_size < MOST_MEGABYTES * 1_000_000
    assert f"-{wheel_tag()}-" in wheel.name
    with zipfile.ZipFile(wheel) as packed:
        assert sum(file.file_size for file in packed.infolist()) < MOST_INSTALLED_MEGABYTES * 1_000_000
        packed.extractall(folder / "unpacked")
    return folder / "unpacked"


@pytest.mark.slow
def test_it_holds_every_family(unpacked: Path) -> None:
    found = {path.name.partition(".")[0] for path in (unpacked / "rookery" / "machine_code").iterdir()}
    assert found - {CPU_MODULE, "__init__"} == {target.module for target in of_machine()}


@pytest.mark.slow
@pytest.mark.parametrize("requested", FIRST_ANSWERS)
def test_first_answers_need_no_compiler(unpacked: Path, requested: str, tmp_path: Path) -> None:
    code, answer = FIRST_ANSWERS[requested]
    environment = {**os.environ, "PYTHONPATH": str(unpacked), "NUMBA_CACHE_DIR": str(tmp_path)}
    environment.pop("ROOKERY_TARGET", None)
    program = f"import sys, rookery; print({code}, 'numba' in sys.modules, rookery.__file__)"
    command = [sys.executable, "-c", HIDING + program]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [*answer.split(), "False", str(unpacked / "rookery" / "__init__.py")]
    assert not list(tmp_path.rglob("*.code"))


NO_NUMPY = """
import sys
import rookery
board = rookery.Board()
board.push_san("e4")
board.push(rookery.Move.from_uci("c7c5"))
print(len(list(board.legal_moves)), board.fen(), board.piece_at(rookery.E4), rookery.square_name(rookery.E4))
print(sorted({"click", "llvmlite", "numba", "numpy", "rich"} & sys.modules.keys()))
"""


@pytest.mark.slow
def test_a_board_needs_neither_numpy_nor_click(unpacked: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(unpacked)}
    environment.pop("ROOKERY_TARGET", None)
    command = [sys.executable, "-c", NO_NUMPY]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines() == [
        "30 rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2 P e4",
        "[]",
    ], done.stderr
