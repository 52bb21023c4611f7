"""A UCI engine in its own process, which answers ``go perft``.

Engines print the leaves under each move in several ways (``e2e4: 20``, ``e2e4 20``, ``e2e4 - 20``), and not all print a
total. All must answer ``isready`` with ``readyok``. Engines that count before they read on do so after their last line.
Others answer while they count; their answer ends with the total, or with the last of the legal moves.
"""

import contextlib
import queue
import re
import shlex
import subprocess
import threading
import time
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from rookery.arguments import shown

PATIENCE: Final = 600.0  # seconds without a word from an engine that counts
HANDSHAKE: Final = 10.0  # seconds in which an engine has to answer what takes no thinking
_QUIET: Final = 1.0  # seconds of silence that end a list without a total, when every legal move was in it
_MOST_LINES: Final = 10_000  # kept unread; an engine that prints more than is read waits

_DIVIDED: Final = re.compile(
    r"(?:info string )?(?:move )?\W*(?:\d+[.):]+\s*)?"
    r"(?P<from>[a-h][1-8])-?(?P<to>[a-h][1-8])=?(?P<promotion>[nbrq]?)"
    r"(?:\s*(?:[:=,|]|-+>?)\s*|\s+)(?:nodes:?\s*)?(?P<leaves>\d[\d,_']*)(?![\w.])",
    re.IGNORECASE,
)
_TOTAL: Final = re.compile(
    r"(?:info string )?(?:total )?(?:nodes|leaves) ?(?:searched|total)?\s*[:=]\s*(\d[\d,_']*)$", re.I
)


class Divided(NamedTuple):
    """The leaves that an engine prints under each move, the moves that it prints twice, and its total, if any."""

    leaves: dict[str, int]
    repeated: list[str]
    total: int | None


class Uci:
    """A UCI engine in its own process."""

    def __init__(
        self, command: str, *, chess960: bool = False, patience: float = PATIENCE, handshake: float = HANDSHAKE
    ) -> None:
        self.command = command
        self.patience = patience
        self.handshake = handshake
        try:
            words = shlex.split(command)
            if not words:
                raise ValueError("expected a command")
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                encoding="utf-8",
                errors="replace",
                bufsize=1,
            )
        except OSError as error:
            raise ValueError(f"engine: {shown(command)} cannot be started: {error.strerror or error}") from None
        except ValueError as error:  # an open quote, a byte 0
            raise ValueError(f"engine: {shown(command)}: {error}") from None
        self._lines: queue.Queue[str | None] = queue.Queue(_MOST_LINES)
        self._closed = threading.Event()
        self._question = ""  # for messages: the commands whose answer is awaited
        threading.Thread(target=self._read, daemon=True).start()
        try:
            self._ask("uci", "uciok")
            if chess960:
                self.send("setoption name UCI_Chess960 value true")
            self._ask("isready", "readyok")
        except BaseException:
            self.close()
            raise

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(ValueError):  # closed while reading
            for line in self._process.stdout:
                self._keep(line.strip())
        self._keep(None)

    def _keep(self, line: str | None) -> None:
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=0.2)
                return

    def send(self, text: str) -> None:
        """Send one or more lines."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(text + "\n")
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _line(self, seconds: float) -> str | None:
        """Return the next line, or None after so many seconds without one."""
        try:
            line = self._lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            return None
        if line is None:
            raise self._ended()
        return line

    def _ended(self) -> ValueError:
        return ValueError(f"engine: {shown(self.command)} has ended without an answer to {self._question}")

    def _ask(self, question: str, answer: str) -> None:
        """Send a command that needs no search, and wait for the answer."""
        self._question = repr(question)
        self.send(question)
        until = time.monotonic() + self.handshake
        while (left := until - time.monotonic()) > 0:
            line = self._line(left)
            if line is not None and line.split()[:1] == [answer]:
                return
        raise ValueError(
            f"engine: {shown(self.command)} has not answered {question!r} with {answer!r} in {self.handshake:g} s: "
            "expected a UCI engine"
        )

    def new_game(self) -> None:
        """Make the engine forget what it keeps between positions."""
        self.send("ucinewgame")
        self._ask("isready", "readyok")

    def divide(self, fen: str, depth: int, moves: Sequence[str] = (), legal: Collection[str] = ()) -> Divided:
        """Return the leaves under each move, as the engine counts them after `moves` from a position.

        `legal` are the moves it should print; they mark the end of the answer if nothing else does.
        """
        position = f"position fen {fen}{' moves ' * bool(moves)}{' '.join(moves)}"
        self._question = f"'{position}' and 'go perft {depth}'"
        self.send(f"{position}\ngo perft {depth}\nisready")
        leaves: dict[str, int] = {}
        repeated: list[str] = []
        total: int | None = None
        ready = early = False
        unread = ""  # the last line that is none of an answer
        heard = time.monotonic()
        while not (ready and total is not None):
            every = ready and set(legal) <= leaves.keys()
            if every and not early:
                break
            # One ply is counted at once, and so who says no more has no more to say.
            patience = self.handshake if depth == 1 else self.patience
            if every or (ready and not early):
                patience = _QUIET
            line = self._line(heard + patience - time.monotonic())
            if line is None:
                if every or (ready and not early) or (ready and depth == 1 and leaves):
                    break
                last = f"its last line is {shown(unread)}; " if unread else ""
                raise ValueError(
                    f"engine: {shown(self.command)} has not counted on for {patience:g} s after {self._question}: "
                    f"{last}expected a line for each move, like 'e2e4: 20', and 'readyok' after 'isready'"
                )
            if line.split()[:1] == ["readyok"]:
                ready, early = True, bool(legal) and not leaves
            elif found := _DIVIDED.match(line):
                move = (found["from"] + found["to"] + found["promotion"]).lower()
                if move in leaves:
                    repeated.append(move)
                leaves[move] = leaves.get(move, 0) + _number(found["leaves"])
                early |= ready
            elif found := _TOTAL.match(line):
                total = _number(found[1])
            else:
                unread = line or unread
                continue  # other output of an engine is no sign that it counts
            heard = time.monotonic()
        return Divided(leaves, repeated, total)

    def close(self) -> None:
        """End the engine."""
        self._closed.set()
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


def _number(text: str) -> int:
    return int(re.sub(r"\D", "", text))
