"""No file makes compiled code read or write outside its arrays, whatever its columns say.

The files are made and used in another process (`hostile_games`, `hostile_rows`), whose status tells a crash. With
``NUMBA_BOUNDSCHECK=1`` every access to an array is checked, too.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from rookery import IllegalMoveError, Move
from rookery.board.moves import CASTLING, word_of
from rookery.frames.columns import Lists
from rookery.games.interchange import checked_moves
from rookery.positions.moves import Moves
from rookery.sources.failures import DamagedFileWarning

SHARED: Final = Path(__file__).parents[2] / "shared"


def use_files(program: str, first: int, last: int, folder: Path, **environment: str) -> None:
    """Let a program use files number `first` to `last`; fail with the number of the file at which it crashed."""
    path = os.pathsep.join([str(Path(rookery.__file__).parents[1]), str(SHARED), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(SHARED / f"{program}.py"), str(folder), str(first), str(last)],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    lines = done.stdout.split("\n")
    where = next((line for line in reversed(lines) if line.isdigit()), "none")
    assert done.returncode == 0, f"status {done.returncode} at file {where}:\n{done.stderr[-4000:]}"
    assert lines[-2].endswith(" 0 faults")
    assert int(lines[-2].split()[0]) > last - first, lines[-2]  # not all are refused


def forged(path: Path, words: Sequence[Sequence[int]]) -> Path:
    """Write a file of games with some moves, whose digest says that all are legal."""
    table = pa.table({"moves": pa.array(words, pa.list_(pa.uint16())), "number": range(7, 7 + len(words))})
    digests = [[checked_moves.digest(table)]]
    pq.write_table(table.replace_schema_metadata({checked_moves._KEY: json.dumps(digests).encode()}), path)
    return path


USES: Final[dict[str, Callable[[Path, Path], Any]]] = {
    "positions": lambda path, _: rookery.read_parquet(path).positions("all"),
    "last positions": lambda path, _: rookery.read_pgn(path).positions("last"),
    "summaries": lambda path, _: rookery.read_pgn(path).summaries(),
    "search": lambda path, _: rookery.search(path, "is_check"),
    "tree": lambda path, _: rookery.read_parquet(path).opening_tree(),
    "parquet": lambda path, out: rookery.write_parquet(rookery.scan_pgn(path), out / "out.parquet"),
    "annotate": lambda path, out: rookery.annotate(path, out / "out.csv", "legal_moves"),
    "dataset": lambda path, out: rookery.make_dataset(path, out / "dataset"),
    "rows": lambda path, _: rookery.ScoredPositions.from_games(rookery.read_parquet(path)),
}


@pytest.mark.parametrize("use", USES)
def test_a_move_that_leaves_no_position_is_named(use: str, tmp_path: Path) -> None:
    """Castling where there is no king, in the second game: a legal file is not expected, and nothing worse happens."""
    castling = word_of(20, 23, kind=CASTLING)
    path = forged(tmp_path / "forged.parquet", [[Move.of(12, 28)], [Move.of(12, 28), Move.of(52, 36), castling]])
    expected = (
        r"forged.parquet: game 8, half-move 3: .* is not legal in 'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w"
    )
    with pytest.raises(ValueError, match=expected):
        USES[use](path, tmp_path)
    with pytest.raises(IllegalMoveError, match=r"forged.parquet: game 2, move 3: "):
        rookery.write_pgn(rookery.read_parquet(path), tmp_path / "out.pgn")


def test_a_tree_of_openings_stays_whole_after_such_a_game(tmp_path: Path) -> None:
    words: list[list[int]] = [[Move.of(12, 28)], [Move.of(12, 28), word_of(20, 23, kind=CASTLING)], [Move.of(11, 27)]]
    games = rookery.read_parquet(forged(tmp_path / "forged.parquet", words))
    tree = rookery.OpeningTree()
    with pytest.raises(IllegalMoveError, match="game 8, half-move 2"):
        tree.add(games)
    assert [(move.san, move.games) for move in tree.root.moves] == [("e4", 2), ("d4", 1)]
    assert tree.root["e4"].example.number == 7


def test_offsets_of_an_arrow_file_that_lead_out_of_their_array(tmp_path: Path) -> None:
    offsets = pa.py_buffer(np.array([0, 1 << 30, 2], np.int32).tobytes())
    words = pa.array([1, 2], pa.uint16())
    moves = pa.Array.from_buffers(pa.list_(pa.uint16()), 2, [None, offsets], children=[words])
    table = pa.table({"moves": moves})
    with pa.ipc.new_file(tmp_path / "games.arrow", table.schema) as writer:
        writer.write_table(table)
    with pytest.warns(DamagedFileWarning, match=r"games.arrow: damaged or cut short"):
        assert len(rookery.read_pgn(tmp_path / "games.arrow")) == 0
    with pytest.raises(ValueError, match="table: damaged: "):
        rookery.Games.from_arrow(table)


def test_offsets_of_a_mapped_table_that_lead_out_of_their_array() -> None:
    # The size of a table follows the offsets of its lists to those of their texts.
    tags = pa.array([[("a", "b")] * 3, [("a", "b")] * 77], pa.list_(pa.struct([("name", "str"), ("value", "str")])))
    table = pa.table({"moves": pa.array([[1], [2]], pa.list_(pa.uint16())), "tags": tags})
    with io.BytesIO() as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
        offsets = np.array([0, 3, 80], np.int32).tobytes()
        assert file.getvalue().count(offsets) == 1
        damaged = file.getvalue().replace(offsets, np.array([0, 3, 1 << 30], np.int32).tobytes())
    with pytest.raises(ValueError, match="table: damaged: "):
        rookery.Games.from_arrow(pa.ipc.open_stream(damaged).read_all())


def test_names_of_fields_that_are_not_utf_8() -> None:
    tags = pa.array([], pa.list_(pa.struct([("name", pa.string()), ("value", pa.string())])))
    table = pa.table({"moves": pa.array([], pa.list_(pa.uint16())), "tags": tags})
    with io.BytesIO() as file, pa.ipc.new_stream(file, table.schema) as writer:
        writer.close()
        damaged = file.getvalue().replace(b"value\0", b"va\xedue\0")
    with pytest.raises(ValueError, match="a name that is not UTF-8"):
        rookery.Games.from_arrow(pa.ipc.open_stream(damaged).read_all())


def test_offsets_of_lists_that_a_caller_makes() -> None:
    words = np.zeros(3, np.uint16)
    for offsets in ([0, 1 << 40], [-1, 3], [0, 3, 1], []):
        moves = Moves(np.array(offsets, np.int64), words)
        with pytest.raises(ValueError, match=r"offsets: .*: expected n \+ 1 numbers that never fall, from 0 to 3"):
            moves.hash()
    games = rookery.read_pgn(b"1. e4 e5 *")
    plies = Lists(np.array([0, 1 << 40]), games.columns.plies.columns)
    with pytest.raises(ValueError, match="columns: plies: offsets from 0 to 1099511627776 of 2 moves"):
        rookery.Games(games.columns.replace(plies=plies))


@pytest.mark.parametrize(("program", "files"), [("hostile_games", 12), ("hostile_rows", 2)])
def test_files_with_random_columns(program: str, files: int, tmp_path: Path) -> None:
    use_files(program, 0, files, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("bounds", ["0", "1"])
@pytest.mark.parametrize(("program", "files"), [("hostile_games", 1000), ("hostile_rows", 300)])
def test_many_files_with_random_columns(
    program: str, files: int, bounds: str, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    checked = {"NUMBA_CACHE_DIR": str(tmp_path_factory.getbasetemp() / "checked-code")} if bounds == "1" else {}
    use_files(program, 1000, 1000 + files, tmp_path, NUMBA_BOUNDSCHECK=bounds, **checked)
