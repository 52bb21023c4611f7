"""What a person who waits for the compiler reads."""

import io
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import rookery
from rookery.cli.common import err
from rookery.cli.runner import compilation_shown
from rookery.kernel import entries, making, notice


def line(name: str, functions: int = 0, seconds: int = 1) -> str:
    """The line during a compilation, as wide as a terminal of 80 columns shows it."""
    text = f"compiling {name} once for this CPU: {functions} functions, {seconds} s ('rookery compile' does it all)"
    return text[:79].rstrip()


class Terminal(io.StringIO):
    """A stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


class Clock:
    """Time that passes when a test says so, and timers that ring then."""

    def __init__(self) -> None:
        self.now = 0.0
        self.timers: list[Timer] = []

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        for timer in [timer for timer in self.timers if timer.due <= self.now]:
            timer.cancel()
            timer.ring()


class Timer:
    """Stands for `threading.Timer`."""

    def __init__(self, clock: Clock, delay: float, function: Callable[..., None], args: tuple[object, ...]) -> None:
        self.clock, self.due, self.daemon = clock, clock.now + delay, False
        self.ring: Callable[[], None] = partial(function, *args)

    def start(self) -> None:
        assert self.daemon  # no program waits for it
        self.clock.timers.append(self)

    def cancel(self) -> None:
        if self in self.clock.timers:
            self.clock.timers.remove(self)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock, before anything was compiled or shown."""
    clock = Clock()
    monkeypatch.setattr(notice, "time", SimpleNamespace(monotonic=lambda: clock.now))
    monkeypatch.setattr(notice, "threading", SimpleNamespace(Timer=partial(Timer, clock)))
    monkeypatch.setattr(notice, "_spent", 0.0)
    monkeypatch.setattr(notice, "_shown_in_notebook", False)
    return clock


def print_to(stream: object, monkeypatch: pytest.MonkeyPatch, **modules: ModuleType) -> None:
    """Have a stream for standard error, which pytest exchanges between a fixture and its test."""
    monkeypatch.setattr(notice, "sys", SimpleNamespace(stderr=stream, modules=modules))


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    stream = Terminal()
    print_to(stream, monkeypatch)
    return stream


def in_notebook(monkeypatch: pytest.MonkeyPatch, shell: object) -> io.StringIO:
    """Standard error of a notebook, and a stub of IPython in its kernel."""
    ipython = ModuleType("IPython")
    ipython.get_ipython = lambda: shell  # type: ignore[attr-defined]
    stream = io.StringIO()
    print_to(stream, monkeypatch, IPython=ipython)
    return stream


def compile_slowly(clock: Clock, *names: str, seconds: float = 2.0) -> None:
    for name in names:
        with notice.shown(name):
            clock.sleep(seconds)


def screen(text: str, width: int = 80) -> list[str]:
    """What a terminal shows after this, line by line."""
    lines = [""]
    for part in text.split("\r"):
        for n, piece in enumerate(part.split("\n")):
            if n:
                lines.append("")
            lines[-1] = piece + lines[-1][len(piece) :]
            assert len(piece) < width
    return [line.rstrip() for line in lines]


def test_a_terminal_shows_a_line_and_erases_it(terminal: Terminal, clock: Clock) -> None:
    with notice.shown("games.replay"):
        clock.sleep(0.9)
        assert terminal.getvalue() == ""
        clock.sleep(0.2)
        assert screen(terminal.getvalue()) == [line("games.replay")]
        clock.sleep(20)
    assert screen(terminal.getvalue()) == [""]
    assert clock.timers == []


def test_the_line_tells_how_far_the_compiler_is(terminal: Terminal, clock: Clock) -> None:
    with notice.shown("a"):
        for _ in range(3):
            notice.count_function()
        clock.sleep(1)
        assert screen(terminal.getvalue()) == [line("a", 3)]
        clock.sleep(9)
        notice.count_function()
        assert screen(terminal.getvalue()) == [line("a", 4, 10)]
        with notice.shown("for a"):
            notice.count_function()
        assert screen(terminal.getvalue()) == [line("a", 5, 10)]
    assert screen(terminal.getvalue()) == [""]
    with notice.shown("b"):
        clock.sleep(1)
    assert line("b", 0, 1) in terminal.getvalue()
    before = terminal.getvalue()
    notice.count_function()  # of a function that nobody reports
    assert terminal.getvalue() == before


def test_a_line_is_never_folded(terminal: Terminal, clock: Clock) -> None:
    with notice.shown("x" * 100):
        clock.sleep(2)
        assert screen(terminal.getvalue()) == [f"compiling {'x' * 69}"]
    assert screen(terminal.getvalue()) == [""]


def test_what_is_quick_is_not_mentioned(terminal: Terminal, clock: Clock) -> None:
    compile_slowly(clock, "a", seconds=0.9)
    clock.sleep(10)  # at work on something else
    assert terminal.getvalue() == ""


def test_a_timer_that_rings_too_late_says_nothing(terminal: Terminal) -> None:
    notice._show(terminal)
    assert terminal.getvalue() == ""


def test_short_compilations_add_up_and_share_a_line(terminal: Terminal, clock: Clock) -> None:
    compile_slowly(clock, *"abcdefgh", seconds=0.3)
    text = terminal.getvalue()
    assert "\n" not in text
    assert [name for name in "abcdefgh" if f"compiling {name} once" in text] == [*"defgh"]
    assert screen(text) == [""]


def test_a_function_compiled_for_another_is_not_mentioned(terminal: Terminal, clock: Clock) -> None:
    with notice.shown("outer"):
        compile_slowly(clock, "inner")
        assert screen(terminal.getvalue()) == [line("outer", seconds=2)]
    assert screen(terminal.getvalue()) == [""]


def test_threads_share_a_line(terminal: Terminal, clock: Clock) -> None:
    lock = threading.Lock()  # as Numba has one

    def work(name: str) -> None:
        with lock:
            compile_slowly(clock, name, seconds=0.4)

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert terminal.getvalue().count("compiling ") == 2
    assert screen(terminal.getvalue()) == [""]
    assert notice._under_way == []


def test_an_error_of_the_compiler_leaves_nothing(terminal: Terminal, clock: Clock) -> None:
    def fail() -> None:
        with notice.shown("a"):
            clock.sleep(2)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert "compiling a once" in terminal.getvalue()
    assert screen(terminal.getvalue()) == [""]
    assert notice._under_way == []


def test_a_notebook_shows_one_line_and_keeps_it(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    stream = in_notebook(monkeypatch, SimpleNamespace(kernel=object()))
    compile_slowly(clock, "games.replay", "b", "c")
    assert stream.getvalue() == (
        "rookery compiles games.replay for this CPU. This happens once; the command 'rookery compile' compiles "
        "everything in advance.\n"
    )


@pytest.mark.parametrize("shell", [None, SimpleNamespace()])
def test_anything_else_shows_nothing(shell: object, monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    stream = in_notebook(monkeypatch, shell)
    compile_slowly(clock, "a")
    assert stream.getvalue() == ""
    closed = Terminal()
    closed.close()
    for other in (None, object(), closed):
        print_to(other, monkeypatch)
        compile_slowly(clock, "a")
    assert clock.timers == []


def test_a_terminal_that_goes_away_is_no_error(terminal: Terminal, clock: Clock) -> None:
    with notice.shown("a"):
        clock.sleep(2)
        terminal.close()
    with notice.shown("b"):
        clock.sleep(2)


def test_whoever_watches_speaks(terminal: Terminal, clock: Clock) -> None:
    def slow() -> None:
        """Stands for a function to be compiled."""

    for progress in (entries.watch_compilation(lambda: None), compilation_shown(), err.status("counting")):
        with progress, making._reported(slow):
            clock.sleep(2)
    assert terminal.getvalue() == ""
    with making._reported(slow):
        clock.sleep(2)
    assert "\rcompiling test_notice once for this CPU" in terminal.getvalue()


# A small function, compiled in a process of its own. The compiler is made slow.
PROGRAM = """
import time
import numpy as np
from rookery.bitboards import leapers
from rookery.kernel.compiler import linkable
fast = linkable.compiled_ir
def slow(*arguments, **named):
    time.sleep(1.5)
    return fast(*arguments, **named)
linkable.compiled_ir = slow
print(leapers.knight_attacks(np.zeros(2, np.uint8)).tolist())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
@pytest.mark.compiler
def test_the_library_on_a_terminal(tmp_path: Path) -> None:
    import pty

    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(rookery.__file__).parents[1]),
    }
    for mentioned in (True, False):  # the second process finds the code compiled
        shown, terminal = pty.openpty()
        program = PROGRAM if mentioned else PROGRAM.replace("linkable.compiled_ir = slow", "")
        with subprocess.Popen(
            [sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=terminal, env=environment
        ) as process:
            os.close(terminal)
            text = b""
            while True:
                try:
                    data = os.read(shown, 1 << 16)
                except OSError:  # nobody writes to the terminal any more
                    break
                if not data:
                    break
                text += data
            assert process.stdout is not None
            assert process.stdout.read() == b"[132096, 132096]\n"
        os.close(shown)
        assert process.returncode == 0
        assert ("\rcompiling bitboards.leapers once for this CPU: 0 functions, 1 s" in text.decode()) == mentioned
        assert screen(text.decode()) == [""]


def test_the_library_without_a_terminal(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "NUMBA_CACHE_DIR": str(tmp_path),
        "PYTHONPATH": str(Path(rookery.__file__).parents[1]),
    }
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("[132096, 132096]\n", "")
