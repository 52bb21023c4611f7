"""Find a C compiler, and build the perft of each technique with it."""

import os
import shlex
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Final, NamedTuple

from rookery.explain.export import export_text
from rookery.techniques.base import Technique, itself

COMPILERS: Final = ("cc", "gcc", "clang")
OPTIMISED: Final = ("-std=c11", "-O3")
NATIVE: Final = ("-march=native", "-mcpu=native")  # the first that the compiler takes
SOURCES: Final = ("perft.h", "engine.h", "main.c")
PROGRAM: Final = "perft.exe" if os.name == "nt" else "perft"


class NotBuilt(RuntimeError):
    """There is no compiler, or it cannot build the program: the message says why."""


class Compiler(NamedTuple):
    """A C compiler: the command with its options, and what it says of its version."""

    command: tuple[str, ...]
    version: str


def find_compiler() -> Compiler:
    """Return the compiler that the environment variable ``CC`` names, or else the first of `COMPILERS`.

    Raises `NotBuilt` if there is none, or if it cannot build a program.
    """
    named = shlex.split(os.environ.get("CC", ""))
    if named:
        if not shutil.which(named[0]):
            raise NotBuilt(f"CC: {named[0]!r}: there is no such command")
        command = tuple(named)
    else:
        found = next((name for name in COMPILERS if shutil.which(name)), None)
        if found is None:
            names = f"{', '.join(COMPILERS[:-1])} or {COMPILERS[-1]}"
            raise NotBuilt(f"there is no C compiler: CC is not set, and there is no {names}")
        command = (found,)
    lines = _run([*command, "--version"], Path.cwd()).splitlines()
    return Compiler(command, lines[0] if lines else command[0])


def build(
    techniques: Sequence[Technique], folder: Path, progress: Callable[[str], None] = lambda what: None
) -> tuple[Compiler, tuple[str, ...]]:
    """Build the program in a folder, with the perft of each technique, on all CPUs at once.

    Return the compiler and its options. Raises `NotBuilt` if there is no compiler, or if it fails.
    """
    compiler = find_compiler()
    for name in SOURCES:
        shutil.copyfile(Path(__file__).with_name(name), folder / name)
    own = [t.name.replace("-", "_") for t in techniques]
    (folder / "engines.h").write_text("".join(f"ENGINE(engine_{name})\n" for name in own), encoding="utf-8")
    options = _options(compiler, folder)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            compiled = []
            for i, t in enumerate(techniques, 1):
                progress(f"C: exporting {t.name}, {i} of {len(techniques)}")
                source = _write(t, folder)
                compiled.append(pool.submit(_run, [*compiler.command, *options, "-c", source], folder))
            for i, done in enumerate(as_completed(compiled), 1):
                done.result()
                progress(f"C: compiling perft, {i} of {len(compiled)} techniques")
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    objects = [f"{name}.o" for name in own]
    _run([*compiler.command, *options, "-o", PROGRAM, "main.o", *objects], folder)
    return compiler, options


def _options(compiler: Compiler, folder: Path) -> tuple[str, ...]:
    """Compile the main program, and return the options with which that works."""
    failed: NotBuilt | None = None
    for native in (*([one] for one in NATIVE), []):
        options = (*OPTIMISED, *native)
        try:
            _run([*compiler.command, *options, "-c", "main.c"], folder)
        except NotBuilt as error:
            failed = failed or error
        else:
            return options
    assert failed
    raise failed


def _write(t: Technique, folder: Path) -> str:
    """Export a technique as a header, and return the name of the source file with its perft."""
    own = t.name.replace("-", "_")
    (folder / f"{own}.h").write_text(export_text("c", t, header=True), encoding="utf-8")
    source = (
        f'#include "{own}.h"\n#define OWN(name) {own}_##name\n'
        f"#define KEEPS_A_STATE {int(t.prepare_kernel is not itself)}\n#define ENGINE engine_{own}\n"
        '#include "perft.h"\n'
    )
    (folder / f"{own}.c").write_text(source, encoding="utf-8")
    return f"{own}.c"


def _run(command: Sequence[str], folder: Path) -> str:
    """Run a compiler and return what it prints. Raises `NotBuilt` with the first line that it says is wrong."""
    try:
        done = subprocess.run(
            command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, stdin=subprocess.DEVNULL
        )
    except OSError as error:
        raise NotBuilt(f"{command[0]}: {error.strerror}") from error
    if done.returncode:
        lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        first = next((line for line in lines if "error" in line), lines[0] if lines else f"status {done.returncode}")
        raise NotBuilt(f"{command[0]} failed: {first}")
    return done.stdout
