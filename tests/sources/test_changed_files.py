"""Files that other programs replace, cut, write over or remove while they are read: never a mixture, always an error.

The file is changed by the task that has just ended, or before the next batch is requested, so nothing depends on time.
"""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

import rookery
from command_line import run
from rookery.data.pipeline import inputs as pipeline_inputs
from rookery.data.plans import running
from rookery.data.training.tasks import division
from rookery.games.read import blocks, game_ranges, on_executor
from rookery.games.search import ranges as search_ranges
from rookery.sources import ranges
from rookery.sources.failures import ChangedFileError
from rookery.sources.identity import check_identity, identity_of, reading

SIZE: Final = 4_000  # bytes of a task
GAMES: Final = 400


def text(white: str) -> bytes:
    """Return games of about 50 bytes each; `white` has one letter, so that all texts have the same length."""
    moves = random.Random(1).choices(["e4", "d4", "c4"], k=GAMES)
    headers = f'[White "{white}"]\n[Result "*"]'
    return "".join(f'[Event "{i:04}"]\n{headers}\n\n1. {move} e5 *\n\n' for i, move in enumerate(moves)).encode()


def replace(path: Path, content: bytes) -> None:
    """Replace a file as programs do that write another one and rename it."""
    other = path.with_name("other")
    other.write_bytes(content)
    other.replace(path)


def written_over(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    os.utime(path, ns=(0, 0))  # a clock may be too coarse to tell the times apart


def continued(path: Path) -> None:
    with path.open("ab") as file:
        file.write(text("B"))


CHANGES: Final[dict[str, Callable[[Path], None]]] = {
    "replaced": lambda path: replace(path, text("B")),
    "replaced by a shorter one": lambda path: replace(path, text("B")[: 50 * 100]),
    "written over": lambda path: written_over(path, text("B")),
    "cut": lambda path: os.truncate(path, path.stat().st_size // 3),
    "emptied": lambda path: os.truncate(path, 0),
    "continued": continued,
    "removed": Path.unlink,
}


class Changer:
    """Work of tasks that changes a file after some task."""

    def __init__(self, work: Callable[..., Any], path: Path, change: Callable[[Path], None], after: int) -> None:
        self.work, self.path, self.change, self.after = work, path, change, after
        self.done = 0

    def __call__(self, *arguments: Any) -> Any:
        result = self.work(*arguments)
        self.done += 1
        if self.done == self.after:
            self.change(self.path)
        return result


# Each command: its function of tasks, and its arguments, in which IN is the input and OUT the output.
COMMANDS: Final[dict[str, tuple[Any, str, list[str]]]] = {
    "games": (on_executor, "read_range", ["games", "IN", "-o", "OUT.parquet", "--executor", "threads:1"]),
    "search": (
        search_ranges,
        "search_range",
        ["search", "IN", "ply == 2", "-o", "OUT.csv", "--executor", "threads:1"],
    ),
    "annotate": (
        running,
        "stage_part",
        ["annotate", "IN", "-o", "OUT.parquet", "--features", "legal_moves", "--executor", "threads:1"],
    ),
    "dataset": (running, "stage_part", ["dataset", "IN", "-o", "OUT", "--value", "none", "--executor", "threads:1"]),
    "convert games": (
        running,
        "stage_part",
        ["convert", "IN", "-o", "OUT.bullet", "--no-result", "draw", "--executor", "threads:1"],
    ),
    "games without an executor": (on_executor, "read_range", ["games", "IN", "-o", "OUT.arrow"]),
    "openings": (on_executor, "read_range", ["openings", "IN", "-o", "OUT.csv"]),
    "duplicates": (on_executor, "read_range", ["duplicates", "IN", "-o", "OUT.pgn"]),
    "convert": (
        running,
        "stage_part",
        ["convert", "IN.plain", "-o", "OUT.bullet", "--executor", "threads:1"],
    ),
}


@pytest.fixture(autouse=True)
def _small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "WINDOW", 1_000)
    for module, name in (
        (on_executor, "RANGE"),
        (division, "RANGE"),
        (pipeline_inputs, "TASK_BYTES"),
    ):
        monkeypatch.setattr(module, name, SIZE)
    monkeypatch.setattr(pipeline_inputs, "_MORE_ROWS", 1)
    monkeypatch.setattr(game_ranges.ranges_of, "__defaults__", (SIZE, None, None))


def prepared(command: str, folder: Path) -> tuple[Path, list[str]]:
    """Write the input of a command, and return its path and the arguments."""
    words = COMMANDS[command][2]
    name = next(word for word in words if word.startswith("IN"))
    path = folder / name.replace("IN", "in" if "." in name else "in.pgn")
    path.write_bytes(content_of(path))
    out = str(folder / "out")
    return path, [str(path) if word == name else word.replace("OUT", out) for word in words]


def content_of(path: Path) -> bytes:
    if path.suffix == ".pgn":
        return text("A")
    entry = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 1\nply 0\nresult 0\ne\n"
    return entry.encode() * 300


_tasks: Final[dict[str, int]] = {}


def tasks_of(command: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """Run a command whose input nobody changes, and return the number of its tasks."""
    if command in _tasks:
        return _tasks[command]
    module, name, _ = COMMANDS[command]
    folder.mkdir()
    path, words = prepared(command, folder)
    counter = Changer(getattr(module, name), path, lambda _: None, 0)
    with monkeypatch.context() as patch:
        patch.setattr(module, name, counter)
        run(*words)
    assert counter.done > 2
    _tasks[command] = counter.done
    return counter.done


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("command", COMMANDS)
def test_commands_do_not_mix_files(command: str, change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module, name, _ = COMMANDS[command]
    tasks = tasks_of(command, tmp_path / "whole", monkeypatch)
    for after in (1, tasks):  # before other tasks open the file, or before the job joins what all have read
        folder = tmp_path / str(after)
        folder.mkdir()
        path, words = prepared(command, folder)
        with monkeypatch.context() as patch:
            patch.setattr(module, name, Changer(getattr(module, name), path, CHANGES[change], after))
            failed = run(*words, status=1)
        assert str(path) in failed.stderr
        assert "while it was read" in failed.stderr
        assert "start again when no other program writes to it" in failed.stderr
        assert {file.name for file in folder.iterdir()} <= {path.name}


def test_the_same_command_works_when_the_file_stays_as_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, out = tmp_path / "in.pgn", tmp_path / "out.parquet"
    path.write_bytes(text("A"))
    with monkeypatch.context() as patch:
        patch.setattr(on_executor, "read_range", Changer(on_executor.read_range, path, CHANGES["replaced"], 2))
        with pytest.raises(ChangedFileError):
            rookery.pgn_to_parquet(path, out)
    assert rookery.pgn_to_parquet(path, out) == GAMES
    assert set(rookery.read_pgn(out).headers["White"].to_numpy()) == {"B"}


def test_errors_of_a_changed_file_are_not_those_of_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "in.pgn"
    path.write_bytes(text("A"))
    cut = Changer(on_executor.read_range, path, lambda path: written_over(path, b"1. e4 e6 2. Ke5 *" * 500), 1)
    monkeypatch.setattr(on_executor, "read_range", cut)
    with pytest.raises(ChangedFileError):
        rookery.pgn_to_parquet(path, tmp_path / "out.parquet", errors="raise")


@pytest.fixture
def scan_in_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file that two threads read in many ranges."""
    monkeypatch.setattr(blocks, "BLOCK", 4_096)
    path = tmp_path / "in.pgn"
    path.write_bytes(text("A") * 20)
    return path


@pytest.mark.parametrize("change", [name for name in CHANGES if name != "continued"])
@pytest.mark.filterwarnings("ignore::rookery.sources.failures.DamagedFileWarning")
def test_threads_do_not_mix_files(scan_in_threads: Path, change: str) -> None:
    path = scan_in_threads
    with rookery.scan_pgn(path, games=1, threads=2) as scan:
        games = [next(scan)]
        CHANGES[change](path)
        with pytest.raises(ChangedFileError, match=r"in\.pgn"):
            games.extend(scan)
    assert {name for one in games for name in one.headers["White"].to_numpy()} == {"A"}


@pytest.mark.parametrize("threads", [1, 2])
def test_other_programs_may_add_games_to_a_file_that_is_read(scan_in_threads: Path, threads: int) -> None:
    path = scan_in_threads
    with rookery.scan_pgn(path, games=1, threads=threads) as scan:
        number = len(next(scan))
        CHANGES["continued"](path)
        number += sum(map(len, scan))
    assert number in (GAMES * 20, GAMES * 21)


@pytest.mark.parametrize("change", ["written over", "cut", "emptied"])
@pytest.mark.filterwarnings("ignore::rookery.sources.failures.DamagedFileWarning")
def test_a_thread_notices_that_its_open_file_changes(
    change: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 4_096)
    path = tmp_path / "in.pgn"
    path.write_bytes(text("A") * 20)
    with rookery.scan_pgn(path, games=1) as scan:
        next(scan)
        CHANGES[change](path)
        with pytest.raises(ChangedFileError, match=r"in\.pgn: was cut or written over while it was read"):
            list(scan)


def test_a_file_that_replaces_an_open_one_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "BLOCK", 4_096)
    path = tmp_path / "in.pgn"
    path.write_bytes(text("A") * 3)
    with rookery.scan_pgn(path, games=1) as scan:
        first = next(scan)
        CHANGES["replaced"](path)
        rest = list(scan)
    assert len(first) + sum(map(len, rest)) == GAMES * 3


@pytest.mark.parametrize("suffix", [".parquet", ".arrow"])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.filterwarnings("ignore::rookery.sources.failures.DamagedFileWarning")
def test_a_table_that_is_cut_while_it_is_read_is_an_error(suffix: str, threads: int, tmp_path: Path) -> None:
    """A mapped file would end the process here: the system sends SIGBUS to who reads behind the end."""
    pgn, path = tmp_path / "in.pgn", tmp_path / f"in{suffix}"
    pgn.write_bytes(text("A") * 20)
    if suffix == ".parquet":
        rookery.write_parquet(rookery.scan_pgn(pgn), path, row_group_size=100)
    else:
        run("games", str(pgn), "-o", str(path))
    with rookery.scan_pgn(path, games=10, threads=threads) as scan:
        next(scan)
        os.truncate(path, 4_096)
        with pytest.raises(ChangedFileError, match="in"):
            list(scan)


def test_an_identity_has_size_time_and_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"a" * 100_000)
    before = identity_of(str(path))
    assert before.size == 100_000
    assert before.changed == path.stat().st_mtime_ns
    check_identity(str(path), before)
    for place in (0, 4_095, 100_000 - 4_096, 99_999):  # with the same size and time
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"b")
        os.utime(path, ns=(before.changed, before.changed))
        with pytest.raises(ChangedFileError, match="file: changed while it was read"):
            check_identity(str(path), before)
        with path.open("r+b") as file:
            file.seek(place)
            file.write(b"a")
        os.utime(path, ns=(before.changed, before.changed))
        check_identity(str(path), before)
    os.utime(path, ns=(0, 0))
    with pytest.raises(ChangedFileError):
        check_identity(str(path), before, may_grow=True)
    with path.open("ab") as file:
        file.write(b"c")
    check_identity(str(path), before, may_grow=True)
    with pytest.raises(ChangedFileError, match="it had 100,000 bytes and has 100,001"):
        check_identity(str(path), before)
    path.unlink()
    with pytest.raises(ChangedFileError, match="was removed while it was read"):
        check_identity(str(path), before)


def test_a_file_that_grows_while_it_is_read_is_not_changed(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    with reading(path) as file:
        assert file.read() == b"abc"
        with path.open("ab") as more:
            more.write(b"d")
        assert file.read() == b"d"
    with pytest.raises(ChangedFileError), reading(path):
        os.truncate(path, 1)
    with pytest.raises(ChangedFileError) as raised, reading(path):
        raise_after(CHANGES["emptied"], path)
    assert isinstance(raised.value.__cause__, ValueError)


def raise_after(change: Callable[[Path], None], path: Path) -> None:
    change(path)
    raise ValueError("what a reader says of a file that ends too early")


def test_pipes_have_no_identity_to_compare(tmp_path: Path) -> None:
    with reading(os.devnull) as file:
        assert file.read() == b""


@pytest.mark.engines
def test_files_of_stores_are_compared_by_size_and_tag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    store = fsspec.filesystem("memory")
    store.pipe_file("/in.pgn", text("A"))
    before = identity_of("memory://in.pgn")
    assert before.size == len(text("A"))
    check_identity("memory://in.pgn", before)
    change = Changer(on_executor.read_range, tmp_path, lambda _: store.pipe_file("/in.pgn", text("B")), 2)
    monkeypatch.setattr(on_executor, "read_range", change)
    with pytest.raises(ChangedFileError, match=r"memory://in\.pgn: changed while it was read"):
        rookery.pgn_to_parquet("memory://in.pgn", tmp_path / "out.parquet")
    assert not list(tmp_path.iterdir())
    store.rm("/in.pgn")
    with pytest.raises(ChangedFileError, match=r"memory://in\.pgn: was removed"):
        check_identity("memory://in.pgn", before)
