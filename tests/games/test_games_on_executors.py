"""Files of games become the same file byte for byte, whatever threads and executors read them.

The oracle is `write_parquet` of `scan_pgn` in one thread, which has no tasks.
"""

import bz2
import gzip
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

import rookery
from command_line import document
from damaged_games import GAMES, damaged
from game_samples import SAMPLE, UGLY
from rookery.games.read import on_executor
from rookery.sources.failures import DamagedFileError, DamagedFileWarning
from thinning import slow, slow_but

RANGE = 10_000


@pytest.fixture(autouse=True)
def small_ranges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(on_executor, "RANGE", RANGE)


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Return files of every kind: plain with damaged games, packed, tables, and one that is cut short."""
    rng = random.Random(24)
    folder = tmp_path_factory.mktemp("in")
    games = [damaged(rng, game) if rng.random() < 0.2 else game for game in GAMES * 15]
    texts = {
        "damaged.pgn": b"\n\n".join(games) + b"\n",
        "ugly.pgn": UGLY.encode() + SAMPLE.read_bytes() * 2,
        "crlf.pgn": SAMPLE.read_bytes().replace(b"\n", b"\r\n") * 3,
        "latin.pgn": UGLY.encode("latin-1") * 10,
        "short.pgn": (SAMPLE.read_bytes() * 2)[:-200],
        "empty.pgn": b"",
    }
    for name, text in texts.items():
        (folder / name).write_bytes(text)
    plain = SAMPLE.read_bytes() * 2
    (folder / "a.pgn.gz").write_bytes(gzip.compress(plain))
    (folder / "a.pgn.bz2").write_bytes(bz2.compress(plain))
    (folder / "broken.pgn.gz").write_bytes(gzip.compress(plain)[:-30])
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    half = len(plain) // 2
    frames = [zstandard.ZstdCompressor().compress(part) for part in (plain[:half], plain[half:])]
    (folder / "frames.pgn.zst").write_bytes(b"".join(frames))
    rookery.write_parquet(rookery.read_pgn(SAMPLE), folder / "stored.parquet")
    return sorted(folder.iterdir())


def expected(inputs: list[Path], path: Path, group: int = 100, **options: Any) -> bytes:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        with rookery.scan_pgn([str(one) for one in inputs], **options) as scan:
            rookery.write_parquet(scan, path, row_group_size=group)
    content = path.read_bytes()
    path.unlink()
    return content


OPTIONS: dict[str, dict[str, Any]] = {
    "all": {},
    "skip": {"errors": "skip"},
    "where": {"where": "WhiteElo > 1500", "headers": ["White", "WhiteElo"]},
    "texts": {"texts": True, "strict": True},
    "small": {"clocks": False, "comments": False, "nags": False, "variations": False, "headers": []},
}


@pytest.mark.parametrize("name", slow_but(OPTIONS, "all", "where"))
@pytest.mark.filterwarnings("ignore::rookery.sources.failures.DamagedFileWarning")
def test_the_file_is_that_of_one_thread(name: str, inputs: list[Path], tmp_path: Path) -> None:
    if "texts" in OPTIONS[name]:  # the table has no column of texts
        inputs = [one for one in inputs if one.suffix != ".parquet"]
    right = expected(inputs, tmp_path / "right.parquet", **OPTIONS[name])
    out = tmp_path / "out.parquet"
    for threads in (1, 2) if name == "all" else (2,):
        seen: list[tuple[int, int]] = []
        n = rookery.pgn_to_parquet(
            [str(one) for one in inputs],
            out,
            row_group_size=100,
            threads=threads,
            progress=lambda done, total: seen.append((done, total)),  # noqa: B023
            **OPTIONS[name],
        )
        assert out.read_bytes() == right
        assert n == len(rookery.read_parquet(out))
        assert seen[-1][0] == seen[-1][1] > 500_000  # bytes of the inputs
        assert len(seen) > 20
        assert not (tmp_path / "out.parquet.parts").exists()


def test_errors_that_are_raised(inputs: list[Path], tmp_path: Path) -> None:
    by_name = {path.name: path for path in inputs}
    for name, kind in (("damaged.pgn", ValueError), ("short.pgn", DamagedFileError)):
        with pytest.raises(kind) as right:
            rookery.read_pgn(str(by_name[name]), errors="raise")
        with pytest.raises(kind) as found:
            rookery.pgn_to_parquet(str(by_name[name]), tmp_path / f"{name}.parquet", errors="raise")
        assert str(found.value) == str(right.value)
        assert not (tmp_path / f"{name}.parquet").exists()


def test_an_unknown_header_is_one_of_no_file(tmp_path: Path) -> None:
    (tmp_path / "a.pgn").write_bytes(SAMPLE.read_bytes() * 10)
    with pytest.raises(ValueError, match=r"'WhitElo'.*did you mean 'WhiteElo'"):
        rookery.pgn_to_parquet(tmp_path / "a.pgn", tmp_path / "out.parquet", where="WhitElo > 1000")
    assert not (tmp_path / "out.parquet.parts").exists()  # the condition will be another one


# What a format changes is the same for all executors: one of them in processes, which take seconds to start.
@pytest.mark.parametrize(
    ("suffix", "executor"),
    [slow(".parquet", "processes:2"), (".arrow", "threads:2"), (".csv", "threads:2"), (".pgn", "threads:2")],
)
def test_the_command(suffix: str, executor: str, inputs: list[Path], tmp_path: Path) -> None:
    documents = []
    for name, options in (("one", []), ("two", ["--executor", executor])):
        out = tmp_path / f"{name}{suffix}"
        words = [*map(str, inputs), "-o", str(out), "--errors", str(tmp_path / f"{name}.jsonl"), *options]
        found = document("games", *words, status=1)  # damaged files
        assert found.pop("out") == str(out)
        found.pop("seconds")
        documents.append(found)
        assert not (tmp_path / f"{name}{suffix}.parts").exists()
    assert documents[0] == documents[1]
    assert (tmp_path / f"one{suffix}").read_bytes() == (tmp_path / f"two{suffix}").read_bytes()
    assert (tmp_path / "one.jsonl").read_bytes() == (tmp_path / "two.jsonl").read_bytes()


def test_the_command_refuses_what_tasks_cannot_read_again() -> None:
    command = [sys.executable, "-m", "rookery", "games"]
    found = subprocess.run(
        [*command, "-", "--stats", "--executor", "threads:2"], input="", capture_output=True, text=True, check=False
    )
    assert "--executor: needs -o FILE" in found.stderr


def test_damaged_files_end_as_they_do_without_tasks(tmp_path: Path) -> None:
    zstandard = pytest.importorskip("zstandard", reason="zstandard is not installed")
    plain = SAMPLE.read_bytes() * 4
    rookery.write_parquet(rookery.read_pgn(plain), tmp_path / "whole.parquet", row_group_size=10)
    table = bytearray((tmp_path / "whole.parquet").read_bytes())
    table[len(table) // 2 : len(table) // 2 + 4_000] = bytes(4_000)
    contents = {
        "a.pgn.zst": zstandard.ZstdCompressor().compress(plain)[:-20],
        "b.pgn.bz2": bz2.compress(plain)[:-20],
        "c.pgn.gz": b"".join([gzip.compress(plain)[:2_000], b"?" * 50, gzip.compress(plain)[2_050:]]),
        "d.parquet": bytes(table),
        "e.pgn": plain.replace(b"1. e4", b"1. e4 \x00\x00", 3) + b"{ " + b"x" * 1_000_000 + b" } 1. e4 *\n",
        "f.pgn": plain + SAMPLE.read_text("utf-8").encode("utf-16"),
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
        found: list[Any] = []
        for write in (read_and_write, rookery.pgn_to_parquet):
            out = tmp_path / "out.parquet"
            with warnings.catch_warnings(record=True) as messages:
                warnings.simplefilter("always")
                try:
                    n = write(str(tmp_path / name), out, strict=True)
                    found.append((n, out.read_bytes(), [str(w.message) for w in messages]))
                except (OSError, ValueError) as error:
                    found.append(str(error))
        assert found[0] == found[1], name
        assert name in ("e.pgn", "f.pgn") or isinstance(found[0], str) or found[0][2]


def read_and_write(source: str, out: Path, **options: Any) -> int:
    with rookery.scan_pgn(source, **options) as scan:
        return rookery.write_parquet(scan, out)
