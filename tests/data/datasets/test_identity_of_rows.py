"""Each row says which game it is from: its file and its number there, judged by python-chess's reading of the files."""

import gzip
import io
import zipfile
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

import rookery
from rookery.data.pipeline import inputs, parts

MOVES = ["1. e4 e5 2. Nf3 Nc6 3. Bb5", "1. d4 d5 2. c4 dxc4 3. e4", "1. c4 e5 2. g3", "1. e4 d5 2. e5 f5 3. exf6"]


def games(seed: int, n: int = 60) -> str:
    return "".join(
        f'[Event "{seed}"]\n[White "player {(seed + i) % 7}"]\n\n{MOVES[(seed + i) % len(MOVES)]} 1-0\n\n'
        for i in range(n)
    )


def positions(name: str, text: str) -> dict[tuple[str, int, int], tuple[str, str | None]]:
    """Return the FEN and the move at each file, number and ply."""
    found: dict[tuple[str, int, int], tuple[str, str | None]] = {}
    file, number = io.StringIO(text), 0
    while (game := chess.pgn.read_game(file)) is not None:
        number += 1
        board = game.board()
        for ply, move in enumerate([*game.mainline_moves(), None]):
            found[name, number, ply] = board.fen(), None if move is None else move.uci()
            if move is not None:
                board.push(move)
    return found


def rows_of(folder: Path) -> list[dict[str, Any]]:
    return rookery.open_dataset(folder).to_arrow().to_pylist()  # type: ignore[no-any-return]


@pytest.fixture
def files(tmp_path: Path) -> tuple[list[Path], dict[tuple[str, int, int], tuple[str, str | None]]]:
    paths = [tmp_path / name for name in ("first.pgn", "second.pgn", "third.pgn.gz", "fourth.zip")]
    paths[0].write_text(games(1))
    paths[1].write_text(games(2))
    paths[2].write_bytes(gzip.compress(games(3).encode()))
    with zipfile.ZipFile(paths[3], "w") as archive:
        archive.writestr("a.pgn", games(4, 9))
        archive.writestr("b.pgn", games(5, 8))
    right: dict[tuple[str, int, int], tuple[str, str | None]] = {}
    for seed, path in enumerate(paths[:3], 1):
        right |= positions(str(path), games(seed))
    right |= positions(f"{paths[3]}/a.pgn", games(4, 9)) | positions(f"{paths[3]}/b.pgn", games(5, 8))
    return paths, right


@pytest.mark.parametrize("options", [{}, {"shuffle": True}, {"unique": True}, {"where": "White == 'player 3'"}])
@pytest.mark.parametrize("threads", [1, 2])
def test_rows_know_their_games(
    options: dict[str, Any], threads: int, files: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inputs, "TASK_BYTES", 700)
    for module in (inputs, parts):
        monkeypatch.setattr(module, "GAMES", 7)
    paths, right = files
    made = rookery.make_dataset(paths, tmp_path / "data", split=[1], policy=None, threads=threads, **options)
    rows = rows_of(tmp_path / "data")
    found = {(row["file"], row["number"], row["ply"]): (row["fen"], row["move"]) for row in rows}
    assert len(found) == len(rows) == made.rows["train"] > 15
    assert all(right[key] == value for key, value in found.items())
    if not options or "shuffle" in options:
        assert found == right
    assert set(made.files) == {name for name, *_ in right}


def test_rows_join_the_games(files: Any, tmp_path: Path) -> None:
    paths, _ = files
    rookery.make_dataset(paths[:2], tmp_path / "data", split=[1], policy=None)
    table = rookery.open_dataset(tmp_path / "data").to_arrow()
    read = rookery.read_pgn(paths[:2]).to_arrow()
    joined = table.join(read.select(["file", "number", "White"]), ["file", "number"])
    assert joined.num_rows == table.num_rows
    assert joined.column("White").null_count == 0


def test_games_of_training_data_are_counted(tmp_path: Path) -> None:
    rows = rookery.ScoredPositions.from_games(rookery.read_pgn(games(1, 20).encode()))
    rows = rows[rows.moves != 0]
    rows.scores[:] = 10
    path = tmp_path / "rows.plain"
    rookery.write_training(rows, path)
    rookery.make_dataset(path, tmp_path / "data", split=[1])
    found = rows_of(tmp_path / "data")
    number, plies = 0, []
    for row in found:
        number += not row["ply"]
        plies.append(number)
    assert [row["number"] for row in found] == plies
    assert {row["file"] for row in found} == {str(path)}
