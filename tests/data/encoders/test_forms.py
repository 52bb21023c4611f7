"""Every encoder in every form has the values of its dense array; the page of nets lists them."""

import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rookery
from corpus import corpus
from rookery import Positions, encoders
from rookery.data.encoders import forms
from rookery.data.pipeline.features import FEATURES

PAGE: Final = Path(__file__).parents[3] / "docs" / "inputs-of-nets.md"
NAMES: Final = "see, mobility, attacks, is_check, fork=fork(us)"
OPTIONS: Final[dict[str, dict[str, Any]]] = {"concepts": {"names": NAMES}, "leela_planes": {"input_format": 4}}
SAMPLE: Final = [board for board in corpus(120) if len(board.kings) == 2 and not board.chess960]


def encoded(name: str, form: str) -> dict[str, Any]:
    """Return what an encoder makes of the sample in a form, by name."""
    made = encoders.encode(name, Positions.from_boards(SAMPLE), form, **OPTIONS.get(name, {}))
    return made if isinstance(made, dict) else {name: made}


def rows_of(name: str, form: str) -> dict[str, Any]:
    """The same as an array with a row of numbers for each position, taken back from the form."""
    return {key: _rows(form, one) for key, one in encoded(name, form).items()}


def _rows(form: str, made: Any) -> Any:
    if form == "sparse":
        return made.to_dense(np.float32)
    if form == "torch-sparse":
        return made.to_dense().numpy()
    if form == "jax-sparse":
        return np.asarray(made.todense())
    return np.asarray(made).reshape(len(SAMPLE), -1)


@pytest.mark.parametrize("name", forms.ENCODERS)
def test_numpy_and_arrow(name: str) -> None:
    dense = rows_of(name, "dense")
    for key, sparse in rows_of(name, "sparse").items():
        np.testing.assert_array_equal(sparse, dense[key].astype(np.float32))
    for key, column in encoded(name, "arrow").items():
        assert len(column) == len(SAMPLE)
        if pa.types.is_fixed_size_list(column.type):
            np.testing.assert_array_equal(np.array(column.to_pylist()), dense[key])
        elif pa.types.is_list(column.type):
            assert column.to_pylist() == [
                row.tolist() for row in encoders.encode(name, Positions.from_boards(SAMPLE), "sparse")
            ]
        elif pa.types.is_struct(column.type):
            words = encoders.leela_planes(Positions.from_boards(SAMPLE), 4)
            assert [row["words"] for row in column.to_pylist()] == words.words.tolist()
            np.testing.assert_array_equal([row["clocks"] for row in column.to_pylist()], words.clocks)
        else:
            assert column.to_pylist() == dense[key].ravel().tolist()


@pytest.mark.parametrize("name", forms.ENCODERS)
def test_torch(name: str) -> None:
    torch = pytest.importorskip("torch", reason="needs torch: the extra torch is not installed")
    dense = rows_of(name, "dense")
    for form in ("torch", "torch-sparse"):
        for key, rows in rows_of(name, form).items():
            np.testing.assert_array_equal(rows, dense[key].astype(rows.dtype))
    for key, bag in encoded(name, "torch-bag").items():
        weights = torch.arange(3.0 * dense[key].shape[1]).reshape(-1, 3) % 7
        sums = torch.nn.EmbeddingBag.from_pretrained(weights, mode="sum")(*bag)
        np.testing.assert_allclose(sums.numpy(), dense[key].astype(np.float32) @ weights.numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", forms.ENCODERS)
def test_jax(name: str) -> None:
    pytest.importorskip("jax", reason="needs jax: the extra jax is not installed")
    dense = rows_of(name, "dense")
    for form in ("jax", "jax-sparse"):
        for key, rows in rows_of(name, form).items():
            np.testing.assert_array_equal(rows, dense[key].astype(rows.dtype))


def test_the_page_lists_every_encoder_and_form() -> None:
    rows = [re.split(r" *\| *", line.strip())[1:-1] for line in PAGE.read_text().split("\n") if line.startswith("| `")]
    header = next(line for line in PAGE.read_text().split("\n") if line.startswith("| encoder | its own form"))
    assert [name.strip("` ") for name in header.split("|")[3:-2]] == list(forms.FORMS)
    table = {row[0].strip("`"): row for row in rows if len(row) == len(header.split("|")) - 2}
    assert list(table) == list(forms.ENCODERS)
    for name, row in table.items():
        assert row[2:4] + row[5:-1] == ["yes"] * 7
        column = row[-1].strip("`")
        assert column in (*FEATURES, "-", "each name")
        assert (column == name) == (name in FEATURES)
    assert {*encoders.__all__} >= {name for name in table if name != "policy_mask"}


def test_columns_of_plans_are_the_encoders_lists(tmp_path: Path) -> None:
    names = [name for name in forms.ENCODERS if name in FEATURES]
    positions = Positions.from_boards(SAMPLE)
    path = tmp_path / "a.parquet"
    rookery.scan(positions).select(*names, see="see", fork="fork(us)").write_parquet(path)
    table = pq.read_table(path)
    for name in names:
        assert table.column(name).to_pylist() == encoders.encode(name, positions, "arrow").to_pylist()
    assert table.column("see").to_pylist() == encoders.concepts(positions, "see")["see"].tolist()
    with pytest.raises(ValueError, match="halfkp: the input of a net: expected encode"):
        encoders.concepts(positions, "halfkp")


def test_streams_of_games_are_encoded_block_by_block() -> None:
    games = rookery.read_pgn("docs/lichess-2025-05.pgn.zst")
    whole = encoders.encode("leela_planes", games)
    parts = list(encoders.encode_blocks("leela_planes", (games[i : i + 5] for i in range(0, len(games), 5)), "sparse"))
    assert len(parts) == 3
    np.testing.assert_array_equal(
        np.concatenate([part.to_dense(np.float32) for part in parts]), whole.reshape(len(whole), -1)
    )
    (lists,) = encoders.encode_blocks(encoders.halfkp, [rookery.ScoredPositions.from_games(games)], "sparse")
    assert lists == encoders.halfkp(games.positions("all"))


def test_wrong_arguments() -> None:
    positions = Positions.from_boards(SAMPLE[:2])
    with pytest.raises(ValueError, match="encoder: 'halfkq': expected one of halfkp, "):
        encoders.encode("halfkq", positions)
    with pytest.raises(ValueError, match="form: 'numpy': expected one of dense, sparse"):
        encoders.encode("halfkp", positions, "numpy")
    with pytest.raises(ValueError, match=r"form: an array of .*: expected numbers"):
        encoders.encode("concepts", positions, "sparse", names="signature")
    with pytest.raises(TypeError, match="blocks: 'x': expected an iterable"):
        encoders.encode_blocks("halfkp", "x")
    weighted = encoders.encode("searchless_tokens", positions, "sparse")
    assert weighted.sorted() == weighted
    for call in (weighted.padded, lambda: weighted.without(weighted)):
        with pytest.raises(ValueError, match="with weights: expected features that are on or off"):
            call()
