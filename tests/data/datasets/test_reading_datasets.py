"""Batches of datasets: planes, indices and values of the rows, epochs, workers, damaged files, missing libraries."""

import pickle
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from naive_datasets import DOCS, docs_text, naive_games
from rookery import Board, Dataset, make_dataset, open_dataset, read_pgn
from rookery.data.training.samples import ScoredPositions
from rookery.positions.features.channels import CHANNELS
from rookery.positions.features.move_lists import move_list
from rookery.positions.features.policy import move_to_index

POLICIES: Any = ("alphazero", "leela")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("datasets") / "dataset"
    make_dataset(DOCS, path, split=[1], shards=3, shuffle=True)
    return path


@pytest.mark.parametrize("dtype", [np.uint8, np.float32])
def test_planes_of_stored_rows_are_those_of_their_positions(dtype: Any, tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", planes=list(CHANNELS), split=[1], value=None, policy=None)
    positions = ScoredPositions.from_games(read_pgn(DOCS)).positions
    batches = list(open_dataset(tmp_path / "a", batch=100, dtype=dtype))
    assert np.array_equal(np.concatenate([batch.planes for batch in batches]), positions.planes(CHANNELS, dtype=dtype))
    assert all(batch[1:] == (None, None, None) for batch in batches)


@pytest.mark.parametrize("policy", ["alphazero", "leela"])
def test_indices_values_and_masks_are_those_of_single_boards(policy: Any, tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", policy=policy, split=[1])
    rows = [row for game in naive_games(docs_text()) for row in game]
    place = 0
    for batch in open_dataset(tmp_path / "a", batch=97, legal=True):
        assert (batch.policy.dtype, batch.value.dtype, batch.legal.dtype) == (np.int32, np.float32, np.bool_)
        for index, value, legal in zip(batch.policy, batch.value, batch.legal, strict=True):
            row = rows[place]
            board = Board(row.fen)
            assert index == move_to_index(board.parse_uci(row.move), board, policy)
            assert value == row.result
            assert legal.sum() == chess.Board(row.fen).legal_moves.count()
            assert legal[index]
            place += 1
    assert place == len(rows)


def test_scores_become_expected_results(tmp_path: Path) -> None:
    path = tmp_path / "a.pgn"
    path.write_text("1. e4 { [%eval 1.0] } e5 { [%eval -2.5] } 2. Nf3 { [%eval #5] } Nc6 { [%eval #-3] } 3. Nc3 *\n")
    make_dataset(path, tmp_path / "a", split=[1], value="eval")
    (batch,) = open_dataset(tmp_path / "a")
    # Lichess' formula, evaluated by hand at 100 and 250 centipawns.
    assert batch.value.tolist() == pytest.approx([-0.18210, -0.43026, -1, -1], abs=1e-4)


def test_every_row_comes_once_in_an_epoch_with_any_number_of_workers(folder: Path) -> None:
    dataset = open_dataset(folder, batch=64, shuffle=True, seed=3)
    assert dataset.planes[0] == "our_pawns"
    epochs = [[batch.planes.tobytes() for batch in dataset] for _ in range(2)]
    assert not set(epochs[0]) & set(epochs[1])  # the rows of a batch are not together in the next epoch
    rows = [Counter(plane.tobytes() for _, batch in dataset.batches_of(i) for plane in batch.planes) for i in (0, 1)]
    assert rows[0] == rows[1]
    assert rows[0].total() == dataset.rows
    assert sum(batch.value.size for batch in dataset) == dataset.rows
    for workers in (2, 3, 7):
        shares = [list(dataset.batches_of(1, worker, workers)) for worker in range(workers)]
        together = sorted((pair for share in shares for pair in share), key=lambda pair: pair[0])
        assert [batch.planes.tobytes() for _, batch in together] == epochs[1]
    assert [batch.planes.tobytes() for _, batch in pickle.loads(pickle.dumps(dataset)).batches_of(0)] == epochs[0]
    whole = open_dataset(folder, batch=64, drop_last=True)
    assert len(whole) == len(dataset) - 1 == len(list(whole))


@pytest.mark.parametrize("world_size", [2, 3, 4])
def test_processes_that_train_together_get_different_batches_of_the_same_number(world_size: int, folder: Path) -> None:
    whole = open_dataset(folder, batch=64, shuffle=True, seed=3, drop_last=True)
    epochs = [[batch.planes.tobytes() for batch in whole] for _ in range(2)]
    each = len(whole) // world_size
    found: list[list[bytes]] = [[b""] * each * world_size for _ in range(2)]
    for rank in range(world_size):
        share = open_dataset(folder, batch=64, shuffle=True, seed=3, rank=rank, world_size=world_size)
        assert len(share) == each
        for epoch in range(2):
            found[epoch][rank::world_size] = [batch.planes.tobytes() for batch in share]
    assert found == [epoch[: each * world_size] for epoch in epochs]


def test_legal_masks_of_thousands_of_positions_are_those_of_python_chess(tmp_path: Path) -> None:
    rng = random.Random(6)
    games = []
    for _ in range(45):
        board = chess.Board()
        for _ in range(100):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        games.append(str(chess.pgn.Game.from_board(board)))
    (tmp_path / "games.pgn").write_text("\n\n".join(games))
    make_dataset(tmp_path / "games.pgn", tmp_path / "a", split=[1], value=None)
    meanings = {name: {text: i for i, text in enumerate(move_list(name).texts) if text} for name in POLICIES}
    datasets = [open_dataset(tmp_path / "a", batch=512, policy=name, legal=True) for name in POLICIES]
    seen = 0
    for place, batches in enumerate(zip(*datasets, strict=True)):
        rows = datasets[0].read(place * 512, place * 512 + 512)
        for i, fen in enumerate(rows.positions.to_fens()):
            board = chess.Board(fen)
            for name, batch in zip(POLICIES, batches, strict=True):
                expected = sorted(meanings[name][naive_text(board, move, name)] for move in board.legal_moves)
                assert np.flatnonzero(batch.legal[i]).tolist() == expected, (fen, name)
            seen += 1
    assert seen > 3_000


def naive_text(board: chess.Board, move: chess.Move, layout: str) -> str:
    """The text of a move as the mover sees it, in the terms of a layout."""
    source, target, piece = move.from_square, move.to_square, move.promotion
    if layout == "leela" and board.is_castling(move):  # the king takes the rook
        target = chess.square(7 if chess.square_file(target) == 6 else 0, chess.square_rank(target))
    if board.turn == chess.BLACK:
        source, target = chess.square_mirror(source), chess.square_mirror(target)
    plain = {"alphazero": chess.QUEEN, "leela": chess.KNIGHT}[layout]
    ending = "" if piece in (None, plain) else chess.piece_symbol(piece)
    return chess.square_name(source) + chess.square_name(target) + ending


@pytest.mark.parametrize("read", [0, 1, 5, 9])
def test_an_epoch_goes_on_in_its_middle(read: int, folder: Path) -> None:
    def opened() -> Dataset:
        return open_dataset(folder, batch=64, shuffle=True)

    undisturbed = opened()
    expected = [batch.planes.tobytes() for _ in range(2) for batch in undisturbed]
    first = opened()
    batches = iter(first)
    found = [next(batches).planes.tobytes() for _ in range(read)]
    second = opened()
    second.load_state_dict(first.state_dict())
    found += [batch.planes.tobytes() for batch in second]
    assert second.state_dict() == second.state_at(1, 0)
    assert [*found, *(batch.planes.tobytes() for batch in second)] == expected


def test_damaged_shards_are_errors(folder: Path, tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "a", split=[1])
    shard = tmp_path / "a" / "train-00000.npy"
    content = shard.read_bytes()
    open_dataset(tmp_path / "a", check=True)
    changed = bytearray(content)
    changed[400] ^= 1
    shard.write_bytes(changed)
    with pytest.raises(ValueError, match=r"shard: .*train-00000.npy: damaged: its digest is not that in the manifest"):
        open_dataset(tmp_path / "a", check=True)
    shard.write_bytes(content[:-1])
    with pytest.raises(ValueError, match=r"train-00000.npy: has 30,\d+ bytes: expected 30,\d+ bytes"):
        open_dataset(tmp_path / "a")
    noise = np.random.default_rng(0).integers(0, 256, len(content), np.uint8)
    shard.write_bytes(noise.tobytes())
    with pytest.raises(ValueError, match=r"a shard is damaged: row 0: .*: not a position"):
        list(open_dataset(tmp_path / "a"))
    shard.unlink()
    with pytest.raises(ValueError, match=r"train-00000\.npy: is missing"):
        open_dataset(tmp_path / "a")
    manifest = tmp_path / "a" / "manifest.json"
    manifest.write_text(manifest.read_text().replace('"rows"', '"raws"'))
    with pytest.raises(ValueError, match=r"manifest: .*: damaged"):
        open_dataset(tmp_path / "a")
    with pytest.raises(FileNotFoundError, match=r"folder: .*: no manifest.json: expected a dataset"):
        open_dataset(tmp_path)


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"split": "test"}, "split: 'test': expected one of train"),
    ({"batch": 0}, "batch: 0"),
    ({"planes": ["x"]}, "planes: channels: 'x'"),
    ({"policy": "x"}, "policy: 'x'"),
    ({"value": "x"}, "value: 'x'"),
    ({"dtype": "int8"}, "dtype: int8"),
    ({"legal": True, "policy": None}, "legal: True: expected a policy"),
    ({"seed": -1}, "seed: -1"),
    ({"threads": 0}, "threads: 0"),
    ({"rank": 2, "world_size": 2}, "rank: 2: expected an int from 0 to world_size - 1, 1"),
    ({"rank": -1}, "rank: -1"),
    ({"world_size": 0}, "world_size: 0"),
]


@pytest.mark.parametrize(("wrong", "message"), WRONG)
def test_wrong_arguments_are_named(wrong: dict[str, Any], message: str, folder: Path) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        open_dataset(folder, **wrong)


@pytest.mark.parametrize(("module", "name"), [("torch", "PyTorch"), ("jax", "JAX")])
def test_a_missing_library_is_named(module: str, name: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rookery.data.datasets import torch_batches

    torch_batches._class.cache_clear()
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(ModuleNotFoundError, match=f"needs {name}: pip install {module}"):
        getattr(open_dataset(folder), module)()
