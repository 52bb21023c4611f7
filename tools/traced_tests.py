"""Which tests execute a line: traces of test files, and runs of chosen tests in forked processes.

`Traces` runs each test file once in a process of its own, and keeps for every test that passes its seconds and the
lines of the library that it executes, as `sys.monitoring` reports them (Python 3.12 or newer). A trace is made in one
of two modes: "compiled", in which kernels are machine code and none of their lines is seen, and "plain", in which
kernels run in Python (``NUMBA_DISABLE_JIT=1``). Traces are kept in a file for each test file and mode: what was traced
before is not traced again.

Tests run in children of a process that has imported the packages the tests need, but nothing of rookery: that saves a
second a run. Seconds are those of the processor, so that other work on the machine changes no result; a test that
waits may take `_WAITS` times as long by the clock.
"""

import contextlib
import hashlib
import importlib
import json
import math
import os
import resource
import signal
import sys
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import pytest

Mode = Literal["compiled", "plain"]

_VERSION: Final = 2  # of the records of traces
_TOOL: Final = 4  # a number of sys.monitoring that no known tool takes
_monitoring: Any = getattr(sys, "monitoring", None)  # since Python 3.12
_LONGEST: Final = {"compiled": 6, "plain": 4}  # seconds after which a test is interrupted while traces are made
_LONGEST_FILE: Final = 60  # seconds after which a test file is left
_WAITS: Final = 20  # seconds by the clock for a second of the processor
_IMPORTED: Final = (
    "chess chess.pgn hypothesis numpy pandas polars pyarrow pyarrow.parquet duckdb numba llvmlite.binding zstandard"
)

_IGNORED: Final = "ignore::pytest.PytestAssertRewriteWarning"  # hypothesis is imported before pytest begins
_BROKEN: Final = 70  # the exit status if pytest itself fails


class Test(NamedTuple):
    """A test that passes, and how long it takes."""

    seconds: float
    name: str  # pytest's, relative to the root of the repository


class Failure(NamedTuple):
    """Tests that did not pass."""

    test: str  # the first that failed; "" if a module could not be imported, or the process ended
    is_late: bool


class _Interrupted(BaseException):
    """A test took longer than it may."""


class _Tracer:
    """A plugin of pytest that writes a record for each test: its name, seconds, whether it passed, and its lines."""

    def __init__(self, root: Path, path: Path, longest: float) -> None:
        self.source = str(root / "src" / "rookery")
        self.root, self.longest = str(root) + os.sep, longest
        self.file = path.open("w", encoding="utf-8")
        self.lines: dict[str, set[int]] = defaultdict(set)
        self.known: dict[str, int] = {}
        self.passed = False
        _monitoring.use_tool_id(_TOOL, "traces")
        _monitoring.register_callback(_TOOL, _monitoring.events.LINE, self.note)
        _monitoring.set_events(_TOOL, _monitoring.events.LINE)

    def note(self, code: Any, line: int) -> Any:
        if code.co_filename.startswith(self.source):
            self.lines[code.co_filename].add(line)
        return _monitoring.DISABLE

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self.lines.clear()
        _monitoring.restart_events()
        self.passed, begin = True, _spent()
        signal.setitimer(signal.ITIMER_PROF, self.longest)
        try:
            return (yield)
        except _Interrupted:
            self.passed = False
            return True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self.write(item.nodeid, _spent() - begin)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.passed &= report.passed

    def write(self, name: str, seconds: float) -> None:
        sets = []
        for file, lines in self.lines.items():
            text = json.dumps([file.removeprefix(self.root), sorted(lines)])
            if text not in self.known:
                self.known[text] = len(self.known)
                digest = _digest(Path(file).read_bytes())
                self.file.write(f'{{"set": {self.known[text]}, "lines": {text}, "source": "{digest}"}}\n')
            sets.append(self.known[text])
        record = {"test": name, "seconds": round(seconds, 4), "passed": self.passed, "sets": sets}
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()


class _FailureNote:
    """A plugin of pytest that writes the name of the first test that fails to a file."""

    def __init__(self, root: Path, path: Path, pinned: tuple[str, str] | None) -> None:
        self.path = path
        if pinned:
            from rookery.kernel.codecache import dependencies

            digest, unchanged = dependencies.content_digest, root / pinned[0]
            source = hashlib.sha256(pinned[1].encode()).hexdigest()
            dependencies.content_digest = lambda file: source if file == unchanged else digest(file)  # type: ignore[assignment]

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.path.exists():
            self.path.write_text(report.nodeid, encoding="utf-8")


def _spent() -> float:
    """Return the seconds that the processor has worked for this process and for those it has waited for."""
    return time.process_time() + sum(os.times()[2:4])


def _interrupt(*_: object) -> None:
    raise _Interrupted


class Forks:
    """Runs pytest in forked children, in a copy of the repository."""

    def __init__(self, root: Path) -> None:
        self.root, self.log = root, root.parent / f"log-{root.name}"
        for name in _IMPORTED.split():
            with contextlib.suppress(ImportError):
                importlib.import_module(name)

    def run(
        self, words: Sequence[str], mode: Mode, limit: float, plugin: Callable[[], object] | None = None
    ) -> int | None:
        """Run pytest; return its exit status, or None if it took longer than `limit` seconds of the processor."""
        sys.stdout.flush()
        child = os.fork()
        if not child:
            self._child(words, mode, limit, plugin)
        return _waited(child, _WAITS * limit)

    def first_failure(
        self, tests: Sequence[str], mode: Mode, limit: float, pinned: tuple[str, str] | None = None
    ) -> Failure | None:
        """Run tests up to the first that fails; return it, or None if all pass.

        `pinned` is a file and a source: machine code that was compiled from it is used as if the file still held it.
        """
        noted = self.root.parent / f"failure-{self.root.name}"
        noted.unlink(missing_ok=True)
        status = self.run(tests, mode, limit, lambda: _FailureNote(self.root, noted, pinned))
        if status == 0:
            return None
        if status == pytest.ExitCode.NO_TESTS_COLLECTED:
            raise SystemExit(f"no tests in {' '.join(tests)}")
        return Failure(noted.read_text(encoding="utf-8") if noted.exists() else "", is_late=status is None)

    def _child(self, words: Sequence[str], mode: Mode, limit: float, plugin: Callable[[], object] | None) -> None:
        status = _BROKEN
        try:
            os.setsid()
            os.chdir(self.root)
            log = os.open(self.log, os.O_RDWR | os.O_CREAT | os.O_TRUNC)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            for kind, most in (resource.RLIMIT_AS, 16 << 30), (resource.RLIMIT_FSIZE, 1 << 30):  # of a mutant gone mad
                resource.setrlimit(kind, (most, most))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 1))
            os.environ["PYTHONPATH"] = str(self.root / "src")
            os.environ["NUMBA_CACHE_DIR"] = str(self.root.parent / f"cache-{self.root.name}")
            os.environ["NUMBA_DISABLE_JIT"] = str(int(mode == "plain"))
            sys.path[:0] = [str(self.root / "src")]
            sys.dont_write_bytecode = False
            status = pytest.main(
                ["-x", "-q", "-n", "0", "-p", "no:cacheprovider", "-W", _IGNORED, *words],
                plugins=[plugin()] if plugin else None,
            )
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(int(status))


def _waited(child: int, limit: float) -> int | None:
    """Return the exit status of a child, or None if it used up its time.

    After so many seconds by the clock, kill it and those it started.
    """
    end = time.monotonic() + limit
    pause = 0.005
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            _kill_group(child)
            code = os.waitstatus_to_exitcode(status)
            return None if code == -signal.SIGXCPU else code
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)
    _kill_group(child)
    os.waitpid(child, 0)
    return None


def _kill_group(child: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)


class Traces:
    """The tests of each line of the library, from one file of records for each test file and mode."""

    def __init__(self, forks: Forks, folder: Path) -> None:
        self.forks, self.folder = forks, folder
        folder.mkdir(parents=True, exist_ok=True)

    def of(self, mode: Mode, test_files: Sequence[str], files: Sequence[str]) -> dict[tuple[str, int], list[Test]]:
        """Return the tests of each line of some files, the fastest first.

        Test files are traced that were not traced before, or whose tests executed other sources of these files then.
        """
        found: dict[tuple[str, int], list[Test]] = defaultdict(list)
        sources = {file: _digest((self.forks.root / file).read_bytes()) for file in files}
        for number, test_file in enumerate(test_files, 1):
            path = self._path(mode, test_file)
            known = list(_read(path, sources)) if path.exists() else [None]
            if None in known:
                print(f"tracing {number} of {len(test_files)} in {mode} mode: {test_file}", flush=True)
                self._trace(mode, test_file, path)
                known = list(_read(path, sources))
            for place, test in filter(None, known):
                found[place].append(test)
        return {place: sorted(set(tests)) for place, tests in found.items()}

    def passed(self, mode: Mode, test_file: str) -> list[Test]:
        """Return the tests of a traced file that passed, whatever lines they execute."""
        path = self._path(mode, test_file)
        records = map(json.loads, path.read_text(encoding="utf-8").splitlines() if path.exists() else ())
        return [Test(record["seconds"], record["test"]) for record in records if record.get("passed")]

    def _path(self, mode: Mode, test_file: str) -> Path:
        content = (self.forks.root / test_file).read_bytes()
        return self.folder / f"{_digest(f'{_VERSION} {mode} {test_file} '.encode() + content)}.jsonl"

    def _trace(self, mode: Mode, test_file: str, path: Path) -> None:
        unfinished = path.with_suffix(".unfinished")
        longest = _LONGEST[mode]

        def plugin() -> _Tracer:
            signal.signal(signal.SIGPROF, _interrupt)
            return _Tracer(self.forks.root, unfinished, longest)

        status = self.forks.run(["--maxfail=1000000", test_file], mode, _LONGEST_FILE, plugin)
        if not unfinished.exists():
            if status == _BROKEN:
                raise SystemExit(f"{test_file}: pytest does not run: see {self.forks.log}")
            unfinished.write_text("")
        unfinished.replace(path)


def _read(path: Path, sources: Mapping[str, str]) -> Iterator[tuple[tuple[str, int], Test] | None]:
    """Yield the lines of some files and the tests that execute them; None for a file that had another source."""
    sets: dict[int, tuple[str, list[int]]] = {}
    for text in path.read_text(encoding="utf-8").splitlines(keepends=True):
        if not text.endswith("\n"):  # the process was killed while it wrote
            return
        record = json.loads(text)
        if "set" in record:
            file, lines = record["lines"]
            if file in sources:
                sets[record["set"]] = file, lines
                if record["source"] != sources[file]:
                    yield None
        elif record["passed"]:
            test = Test(record["seconds"], record["test"])
            for file, lines in (sets[number] for number in record["sets"] if number in sets):
                for line in lines:
                    yield (file, line), test


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:24]
