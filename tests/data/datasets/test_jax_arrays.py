"""Arrays for JAX, in another interpreter: JAX starts threads, after which PyTorch cannot fork its workers."""

import subprocess
import sys
from pathlib import Path

import pytest

from naive_datasets import DOCS
from rookery import make_dataset

pytest.importorskip("jax", reason="needs JAX")
PROGRAM = """
import sys
import jax, numpy as np, rookery

dataset = rookery.open_dataset(sys.argv[1], batch=100)
equal = [
    np.array_equal(np.asarray(ours), expected)
    for (_, arrays), batch in zip(dataset.batches_of(0), dataset.jax(), strict=True)
    for ours, expected in [(batch.planes, arrays.planes), (batch.policy, arrays.policy)]
]
shared = [
    jax.dlpack.from_dlpack(array).unsafe_buffer_pointer() == array.ctypes.data
    for _, batch in rookery.open_dataset(sys.argv[1], batch=100, legal=True).batches_of(0)
    for array in batch
]
print(len(equal), sum(equal), len(shared), sum(shared))
"""


def test_jax_arrays_are_not_copies(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "dataset", split=[1], shards=3, shuffle=True)
    command = [sys.executable, "-c", PROGRAM, str(tmp_path / "dataset")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    compared, equal, arrays, shared = map(int, done.stdout.split())
    assert compared == equal == 14
    assert arrays == shared == 28


WIDE = """
import sys
import jax, numpy as np, rookery

dataset = rookery.open_dataset(sys.argv[1], batch=100)
try:
    dataset.jax()
except ValueError as error:
    print(error)
jax.config.update("jax_enable_x64", True)
for (_, expected), batch in zip(dataset.batches_of(0), dataset.jax(), strict=True):
    for name, array in expected.columns.items():
        assert np.array_equal(np.asarray(batch.columns[name]), array, equal_nan=name == "elo"), name
        assert batch.columns[name].dtype == array.dtype
"""


def test_own_columns_of_64_bits_are_never_cut(tmp_path: Path) -> None:
    make_dataset(DOCS, tmp_path / "dataset", split=[1], columns="elo=elo(us), attacks, check=is_check")
    command = [sys.executable, "-c", WIDE, str(tmp_path / "dataset")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("jax: column 'attacks' has 64 bits, of which JAX keeps 32: expected jax.config")
