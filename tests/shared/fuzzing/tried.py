"""The process that tries inputs: ``python -m fuzzing.tried MODULE NAME``.

Standard input has inputs, each behind its length. For each input, standard output gets a line of JSON: null, or the
kind of the fault and its traceback. The lines `compiling` and `compiled` stand around what is compiled.
"""

import faulthandler
import importlib
import json
import os
import resource
import sys
import traceback
from pathlib import Path
from typing import Final

import rookery
from fuzzing import Target, try_input
from rookery.kernel import watch_compilation

LIBRARY: Final = str(Path(rookery.__file__).parent)
ROOM: Final = 8 << 30  # bytes of address space that inputs may take


def fault_of(target: Target, data: bytes) -> tuple[str, str] | None:
    """Try an input. Return the kind of its fault, which says where it was raised, and its traceback."""
    try:
        try_input(target, data)
    except BaseException as error:
        frames = traceback.extract_tb(error.__traceback__)
        where = next((frame for frame in reversed(frames) if frame.filename.startswith(LIBRARY)), frames[-1])
        own = [frame for frame in frames if Path(frame.filename).parent == Path(__file__).parent]
        kind = f"{type(error).__name__} in {Path(where.filename).name}:{where.name}, from {own[-1].line}"
        return kind, "".join(traceback.format_exception(error))
    return None


def main(module: str, name: str) -> None:
    """Try the inputs that come until there are no more."""
    faulthandler.enable()
    answers = os.dup(1)
    os.dup2(2, 1)  # what the library prints is no answer
    target = next(target for target in importlib.import_module(module).TARGETS if target.name == name)
    taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (taken + ROOM, resource.getrlimit(resource.RLIMIT_AS)[1]))

    def answer(text: str) -> None:
        os.write(answers, text.encode() + b"\n")

    answer("ready")
    with watch_compilation(lambda: answer("compiling"), lambda: answer("compiled")):
        while head := sys.stdin.buffer.read(8):
            data = sys.stdin.buffer.read(int.from_bytes(head, "little"))
            answer(json.dumps(fault_of(target, data)))


if __name__ == "__main__":
    main(*sys.argv[1:])
