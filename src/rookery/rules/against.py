"""Compare perft with a UCI engine's, down to the first position whose moves differ.

The engine must know ``go perft N`` and answer with a line ``move: nodes`` for each move, as Stockfish does. Where
the count under a move differs, the walk goes down that move; where a move is missing or illegal, it has arrived.
"""

import contextlib
import queue
import re
import shlex
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, NamedTuple

from rookery.rules.board import Board
from rookery.rules.perft import check_depth, divide, slices
from rookery.technique import Technique

PATIENCE: Final = 600.0  # seconds without a word from an engine that counts
_DIVIDED: Final = re.compile(r"([a-h][1-8][a-h][1-8][nbrq]?): (\d+)")


class Difference(NamedTuple):
    """Where an engine and this library part."""

    fen: str
    moves: list[str]  # made on the way there, in UCI
    missing: list[str]  # legal moves that the engine does not find
    extra: list[str]  # moves that it finds, and are not legal
    ours: int
    theirs: int


class Uci:
    """A UCI engine in a process of its own."""

    def __init__(self, command: str, *, chess960: bool = False, patience: float = PATIENCE) -> None:
        self.command = command
        self.patience = patience
        words = shlex.split(command)
        if not words:
            raise ValueError(f"engine: {command!r}: expected a command")
        try:
            self._process = subprocess.Popen(
                words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1
            )
        except OSError as error:
            raise ValueError(f"engine: {command!r} cannot be started: {error.strerror or error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self.send("uci")
            self._wait_for("uciok")
            if chess960:
                self.send("setoption name UCI_Chess960 value true")
            self.send("isready")
            self._wait_for("readyok")
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # closed while reading
            for line in self._process.stdout:
                self._lines.put(line.strip())
        self._lines.put(None)

    def send(self, text: str) -> None:
        """Send a line."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
        except OSError:
            raise ValueError(f"engine: {self.command!r} has ended before {text!r}") from None

    def _wait_for(self, word: str) -> None:
        for _ in self._answers(lambda line: line.startswith(word)):
            pass

    def _answers(self, ends: Callable[[str], bool]) -> Iterator[str]:
        while True:
            try:
                line = self._lines.get(timeout=self.patience)
            except queue.Empty:
                raise ValueError(f"engine: {self.command!r} has said nothing for {self.patience:g} s") from None
            if line is None:
                raise ValueError(f"engine: {self.command!r} has ended without an answer")
            yield line
            if ends(line):
                return

    def divide(self, fen: str, depth: int) -> dict[str, int]:
        """The leaves under each move, as the engine counts."""
        self.send(f"position fen {fen}")
        self.send(f"go perft {depth}")
        leaves = {}
        for line in self._answers(lambda line: line.lower().startswith("nodes searched")):
            match = _DIVIDED.match(line)
            if match:
                leaves[match[1]] = int(match[2])
        return leaves

    def close(self) -> None:
        """End the engine."""
        with contextlib.suppress(ValueError, OSError):
            self.send("quit")
        try:
            self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream:
                with contextlib.suppress(OSError):
                    stream.close()

    def __enter__(self) -> "Uci":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def first_difference(
    board: Board,
    depth: int,
    command: str,
    t: Technique | None = None,
    *,
    progress: Callable[[str], None] = lambda what: None,
) -> Difference | None:
    """The first position on the way down whose moves an engine sees otherwise, or None if all counts agree."""
    if check_depth(depth) < 1:
        raise ValueError(f"depth: {depth}: expected at least 1 to compare")
    here = board.copy()
    made: list[str] = []
    with Uci(command, chess960=board.chess960) as engine:
        while True:
            progress(f"depth {depth} after {' '.join(made) or 'no move'}")
            moves = {here.uci(move): move for move in here.generate_legal_moves()}
            ours = {here.uci(move): nodes for move, nodes in divide(here, depth, partial(slices, t=t))}
            fen = here.fen(shredder=here.chess960)
            theirs = engine.divide(fen, depth)
            if ours == theirs:
                return None
            missing = [uci for uci in ours if uci not in theirs]
            extra = [uci for uci in theirs if uci not in ours]
            wrong = [uci for uci in ours if uci in theirs and ours[uci] != theirs[uci]]
            if missing or extra or depth == 1 or not wrong:
                return Difference(here.fen(), made, missing, extra, sum(ours.values()), sum(theirs.values()))
            here.push(moves[wrong[0]])
            made.append(wrong[0])
            depth -= 1
