"""The public calls with other numbers of positions and games, as a program.

``python sized_calls.py guarded FOLDER SIZES SUBJECTS TECHNIQUES`` guards all arrays. The folder gets `note`, with the
name of the entry that runs if the process dies, and `called`: how often each entry was called. ``plain`` in place of
``guarded`` only makes the calls. The last three arguments are JSON.
"""

import contextlib
import json
import random
import sys
from pathlib import Path

import guarded_arrays


def fens(size: int) -> list[str]:
    """Return FENs of random games, each with a legal move, and where a null move is legal."""
    from corpus import random_game
    from rookery.board.board import Board

    def is_plain(board: Board) -> bool:
        return not board.is_check() and board.count_legal_moves() > 0

    rng = random.Random(size)
    found: list[str] = []
    while len(found) < size:
        found += [board.fen() for board in random_game(rng, Board(), 120) if is_plain(board)]
    return found[:size]


def games(size: int) -> bytes:
    """Return so many games as PGN, of 0 and more moves, with headers, comments, variations and errors."""
    from damaged_games import GAMES, damaged

    rng = random.Random(size)
    found = [damaged(rng, rng.choice(GAMES)) for _ in range(size)]
    return b"\n\n".join([*GAMES[: min(size, 1)], *found[1:]])  # one is whole, since a file of bad games is refused


def run(size: int, subjects: list[str], techniques: list[str]) -> None:
    """Make the calls of some subjects, and ask some techniques."""
    import rookery
    from public_calls import CALLS, ask, sample

    sample.fens, sample.games = fens(size), games(size)
    for name in subjects:
        print(f"{size}: {name}", flush=True)
        with contextlib.suppress(*(LookupError,) * (size == 0)):  # there is no first game
            CALLS[name]()
    for name in techniques:
        print(f"{size}: {name}", flush=True)
        ask(rookery.technique(name))


def main(kind: str, folder: str, *arguments: str) -> None:
    """Make the calls."""
    guard = guarded_arrays.install(Path(folder, "note")) if kind == "guarded" else None
    sizes, subjects, techniques = map(json.loads, arguments)
    for size in sizes:
        run(size, subjects, techniques)
    if guard is not None:
        Path(folder, "called").write_text(json.dumps([guard.called, sorted(guard.shared)]), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
