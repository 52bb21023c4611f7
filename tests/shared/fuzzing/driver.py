"""Run a target for a given time. Another process tries each input, so that an input that crashes Python is kept."""

import contextlib
import hashlib
import json
import os
import random
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from fuzzing import REGRESSIONS, Target

START: Final = 120.0  # seconds until a process must be ready
MEMORY: Final = {"TMPDIR": "/dev/shm"} if Path("/dev/shm").is_dir() else {}  # folders there are made faster
WAIT: Final = 30.0  # how many times its limit of CPU time an input may take: other programs use the machine, too
SHRINK: Final = 30.0  # seconds in which an input that fails is made smaller


class Fault(NamedTuple):
    """A kind of fault that was found: the file with the input, the number of the example, and the traceback."""

    kind: str
    path: Path
    example: int
    text: str


class Report(NamedTuple):
    """The result of a run of a target."""

    target: str
    seed: int
    examples: int
    seconds: float
    faults: list[Fault]

    def __str__(self) -> str:
        """Return a line for each fault below one about the run."""
        lines = [f"{self.target}: {self.examples} examples in {self.seconds:.0f} s, --fuzz-seed {self.seed}"]
        lines += [f"{fault.path}: example {fault.example}: {fault.kind}\n{fault.text}" for fault in self.faults]
        return "\n".join(lines)


class Process:
    """A process that tries the inputs of a target, started when it is needed."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self._process: subprocess.Popen[bytes] | None = None
        self._rest = b""

    def try_input(self, data: bytes) -> tuple[str, str] | None:
        """Return the kind of the input's fault, and a text about it; None if there is no fault."""
        try:
            process = self._started()
            assert process.stdin is not None
            process.stdin.write(len(data).to_bytes(8, "little") + data)
            process.stdin.flush()
            answer = json.loads(self._line(self.target.limit))
        except TimeoutError:
            return f"takes more than {self.target.limit:g} seconds", self._stopped(signal.SIGABRT)
        except (EOFError, BrokenPipeError):
            text = self._stopped(None)
            return f"crash: {text.partition(chr(10))[0]}", text
        return None if answer is None else (answer[0], answer[1])

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._stopped(signal.SIGKILL)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115, closed with the process
            self._process = subprocess.Popen(
                [sys.executable, "-m", "fuzzing.tried", self.target.check.__module__, self.target.name],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, **MEMORY, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
            )
            ready = self._line(START)
            assert ready == b"ready", ready
        return self._process

    def _line(self, limit: float) -> bytes:
        """Return the next line that is not about compilation, which stops the clock. The limit is CPU time."""
        assert self._process is not None
        assert self._process.stdout is not None
        pipe, is_compiling = self._process.stdout.fileno(), False
        used, began = _cpu_seconds(self._process.pid), time.monotonic()
        while True:
            line, found, rest = self._rest.partition(b"\n")
            if found:
                self._rest = rest
                if line not in (b"compiling", b"compiled"):
                    return line
                is_compiling = line == b"compiling"
                used, began = _cpu_seconds(self._process.pid), time.monotonic()
                continue
            if not select.select([pipe], [], [], limit)[0]:
                waited = time.monotonic() - began > WAIT * limit
                if not is_compiling and (waited or _cpu_seconds(self._process.pid) - used > limit):
                    raise TimeoutError
                continue
            some = os.read(pipe, 1 << 16)
            if not some:
                raise EOFError
            self._rest += some

    def _stopped(self, number: int | None) -> str:
        """End the process with a signal, if there is one, and return the end of what it wrote to standard error."""
        process, self._process, self._rest = self._process, None, b""
        assert process is not None
        if number is not None:
            process.send_signal(number)
        try:
            status = process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            status = process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(BrokenPipeError):
                assert pipe is not None
                pipe.close()
        with self._errors:
            self._errors.seek(max(self._errors.seek(0, os.SEEK_END) - 4000, 0))
            text = self._errors.read().decode("utf-8", "replace")
        name = signal.Signals(-status).name if status < 0 else f"status {status}"
        return f"{name}\n{text}"


def _cpu_seconds(number: int) -> float:
    """Return the CPU time that a process has used."""
    fields = Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(target: Target, seconds: float, seed: int, folder: Path = REGRESSIONS) -> Report:
    """Try random inputs until the time is over; write one input of each kind of fault to a folder, made small."""
    with contextlib.closing(Process(target)) as process:
        process.try_input(target.make(random.Random(f"{seed} 0")))  # compiles, which takes no time of the run
        began, spared, example = time.monotonic(), 0.0, 0
        faults: dict[str, Fault] = {}
        while example == 0 or time.monotonic() - began - spared < seconds:
            data = target.make(random.Random(f"{seed} {example}"))
            found = process.try_input(data)
            if found is not None and found[0] not in faults:
                started = time.monotonic()
                faults[found[0]] = _kept(process, data, found, example, folder)
                spared += time.monotonic() - started
            example += 1
        return Report(target.name, seed, example, time.monotonic() - began - spared, list(faults.values()))


def _kept(process: Process, data: bytes, found: tuple[str, str], example: int, folder: Path) -> Fault:
    """Write an input that fails, made small, to a folder."""
    kind, text = found

    def fails(smaller: bytes) -> bool:
        again = process.try_input(smaller)
        return again is not None and again[0] == kind

    is_repeated = fails(data)
    data = shrunk(data, fails) if is_repeated else data
    path = folder / process.target.name / hashlib.sha256(data).hexdigest()[:12]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return Fault(kind, path, example, text if is_repeated else f"{text}\nwhen it was tried again, it did not fail")


def shrunk(data: bytes, fails: Callable[[bytes], bool], seconds: float = SHRINK) -> bytes:
    """Return a smaller input that fails, too: without lines, then without bytes that it does not need."""
    end = time.monotonic() + seconds

    def without(parts: list[bytes]) -> list[bytes]:
        size = len(parts)
        while size:
            i, was_shorter = 0, False
            while i < len(parts) and time.monotonic() < end:
                shorter = parts[:i] + parts[i + size :]
                if fails(b"".join(shorter)):
                    parts, was_shorter = shorter, True
                else:
                    i += size
            size = size // 2 if size > 1 or not was_shorter else 1
        return parts

    data = b"".join(without(data.splitlines(keepends=True)))
    return b"".join(without([bytes([byte]) for byte in data]))


def regressions() -> Iterator[tuple[str, Path]]:
    """Yield the inputs that failed once, each with its target."""
    for path in sorted(REGRESSIONS.glob("*/*")):
        if path.parent.name != "__pycache__":
            yield path.parent.name, path
