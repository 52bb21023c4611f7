"""Files of games become the same file byte for byte, whatever executor reads them and however often it is killed.

The oracle is `write_parquet` of `scan_pgn` in one thread, which has no tasks.
"""

import bz2
import gzip
import random
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from pathlib import Path
from typing import Any

import pytest

import rookery
from command_line import document
from damaged_games import GAMES, damaged
from game_samples import SAMPLE, UGLY
from named_executors import executors, needs_engine
from rookery.games.read import on_executor
from rookery.sources.failures import DamagedFileError, DamagedFileWarning
from thinning import slow, slow_but

RANGE = 10_000
PROGRAM = textwrap.dedent(
    """
    import sys, time
    import rookery
    from rookery.games.read import on_executor
    on_executor.RANGE = 10_000
    def progress(done, total):
        print(done, total, flush=True)
        time.sleep(0.02)
    rookery.pgn_to_parquet(sys.argv[3:], sys.argv[1], executor=sys.argv[2], row_group_size=100, progress=progress)
    """
)


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


@pytest.fixture(scope="module")
def right(inputs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return what one thread writes of all inputs."""
    return expected(inputs, tmp_path_factory.mktemp("right") / "right.parquet")


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


@pytest.mark.parametrize("executor", executors("processes:2", "dask:2", "ray:local", "loky:2"))
def test_every_executor_writes_the_same_bytes(executor: str, inputs: list[Path], right: bytes, tmp_path: Path) -> None:
    if needs_engine(executor):
        process = start(tmp_path, inputs, executor)  # without this process' filters of warnings
        printed = process.communicate(timeout=300)[1]
        assert process.returncode == 0, printed
    else:
        finish(tmp_path, inputs, executor)
    assert (tmp_path / "out.parquet").read_bytes() == right


def finish(folder: Path, inputs: list[Path], executor: str = "threads:2") -> tuple[int, int]:
    """Do the work of `start` in this process, or go on with it; return how many tasks were kept, and of how many."""
    seen: list[tuple[int, int]] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DamagedFileWarning)
        rookery.pgn_to_parquet(
            [str(one) for one in inputs],
            folder / "out.parquet",
            executor=executor,
            row_group_size=100,
            progress=lambda done, total: seen.append((done, total)),
        )
    return seen[0]


def start(folder: Path, inputs: list[Path], executor: str = "threads:2") -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROGRAM, str(folder / "out.parquet"), executor, *map(str, inputs)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.skipif(sys.platform == "win32", reason="no signals")
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1, 51))
def test_a_killed_run_goes_on(seed: int, inputs: list[Path], right: bytes, tmp_path: Path) -> None:
    rng = random.Random(seed)
    executor = rng.choice(["threads:2", "processes:2"])
    for _ in range(2):
        process = start(tmp_path, inputs, executor)
        assert process.stdout is not None
        for _ in range(rng.randrange(2, 6)):  # a line for each finished task
            process.stdout.readline()
        time.sleep(rng.random() / 50)
        process.send_signal(signal.SIGKILL if seed % 2 else signal.SIGINT)
        process.communicate(timeout=60)
        assert not (tmp_path / "out.parquet").exists()
    assert finish(tmp_path, inputs, executor)[0] > 0  # tasks were kept
    assert (tmp_path / "out.parquet").read_bytes() == right
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.parquet"]


@pytest.mark.skipif(sys.platform == "win32", reason="no limits")
def test_a_full_disk_is_a_clear_error_and_keeps_what_is_done(inputs: list[Path], right: bytes, tmp_path: Path) -> None:
    limit = len(right) - 1_000
    program = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); "
        f"resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))\n"
    )
    command = [sys.executable, "-c", program + PROGRAM, str(tmp_path / "out.parquet"), "threads:1", *map(str, inputs)]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "File too large" in found.stderr.splitlines()[-1]
    assert not (tmp_path / "out.parquet").exists()
    kept, tasks = finish(tmp_path, inputs)
    assert kept == tasks
    assert (tmp_path / "out.parquet").read_bytes() == right


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


def test_other_work_is_refused(inputs: list[Path], tmp_path: Path) -> None:
    process = start(tmp_path, inputs)
    assert process.stdout is not None
    for _ in range(3):
        process.stdout.readline()
    process.kill()
    process.communicate()
    with pytest.raises(ValueError, match="is of other work"):
        rookery.pgn_to_parquet([str(one) for one in inputs], tmp_path / "out.parquet", strict=True)
    assert (tmp_path / "out.parquet.parts").exists()


def test_a_part_that_was_cut_to_nothing_is_read_again(inputs: list[Path], right: bytes, tmp_path: Path) -> None:
    process = start(tmp_path, inputs)
    assert process.stdout is not None
    for _ in range(6):
        process.stdout.readline()
    process.kill()
    process.communicate()
    sorted((tmp_path / "out.parquet.parts").glob("part-*.arrow"))[0].write_bytes(b"")
    kept, tasks = finish(tmp_path, inputs)
    assert 0 < kept < tasks
    assert (tmp_path / "out.parquet").read_bytes() == right


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
