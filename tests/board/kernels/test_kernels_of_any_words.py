"""Every kernel of boards on rows of any words: none may write behind a buffer, or name an object that there is not."""

import random
from typing import Any

import numpy as np
import pytest

from kernel_rows import addresses, ours, padded, row_of, their_boards
from rookery.board.kernels.compiled import compiled, twins
from rookery.kernel import U64
from rookery.native_methods.kinds import REFUSED, ROW_WORDS, Twin

ROWS = [row_of(ours(board)) for board in their_boards(8, seed=5)]
BEHIND = 64  # elements behind each buffer that must stay as they are
CANARY = 0x5A
MOST = {
    "pieces": 13,
    "piece types": 7,
    "letters of types": 7,
    "colours": 3,
    "outcomes": 9,
    "results": 9,
    "promotions": 5,
}


def any_row(rng: random.Random) -> Any:
    """Return a row of any words, of a few bits, or of a position in which some words are others."""
    row = np.zeros(ROW_WORDS, U64)
    kind = rng.randrange(4)
    if kind < 2:
        for i in range(ROW_WORDS):
            row[i] = rng.getrandbits(64) & (rng.getrandbits(64) & rng.getrandbits(64) if kind else (1 << 64) - 1)
    else:
        row[:] = rng.choice(ROWS)
        for i in rng.sample(range(ROW_WORDS), kind):
            row[i] = rng.choice((rng.getrandbits(64), (1 << 64) - 1, 1 << rng.randrange(64)))
    row.flags.writeable = False
    return row


def any_word(rng: random.Random, kind: str, most: int) -> Any:
    limits = {"chess960": 1, "square": most, "colour": 1, "piece type": 6, "board": (1 << 64) - 1}
    if kind == "piece":
        return rng.choice((0, *b"PNBRQKpnbrqk"))
    if kind in limits:
        return rng.randrange(limits[kind] + 1)
    return rng.choice((rng.randrange(1 << 12), rng.randrange(1 << 14, 2 << 14)))  # a move


def ask(twin: Twin, rng: random.Random) -> tuple[int, list[Any], list[Any]]:
    """Return what a kernel answers, its buffers, and what stands behind them."""
    arguments: list[Any] = []
    buffers: list[Any] = []
    behind: list[Any] = []
    held = [any_row(rng).tobytes() for _ in range(5)]
    for kind in twin.arguments:
        if kind.is_buffer:
            size = kind.examples[0].size
            whole = np.full(size + BEHIND, CANARY, kind.examples[0].dtype)
            buffers.append(whole[:size])
            behind.append(whole[size:])
            arguments.append(buffers[-1])
        elif kind.name in ("row", "other row"):
            arguments.append(any_row(rng))
        elif kind.name == "history":
            arguments += [addresses(held), U64(len(held))]
        elif kind.name == "text":
            signs, length = padded("".join(rng.choice("abNQ18=x+#-O/ w") for _ in range(rng.randrange(128))))
            arguments += [signs, U64(length)]
        elif kind.examples:
            arguments.append(U64(any_word(rng, kind.name, kind.size)))
    tables = (compiled().tables,) if twin.tables else ()
    return int(getattr(compiled(), twin.entry.function.__name__)(*arguments, *tables)) & REFUSED, buffers, behind


@pytest.mark.parametrize("name", twins())
def test_any_words(name: str) -> None:
    twin, rng = twins()[name], random.Random(7)
    for _ in range(150):
        answer, buffers, behind = ask(twin, rng)
        for rest in behind:
            assert (rest == CANARY).all()
        if answer == REFUSED and twin.refuses:
            continue
        if twin.returns.name == "item":
            assert answer < MOST[twin.returns.objects[0]]
        elif twin.returns.name in ("text", "list of moves"):
            assert answer <= buffers[0].size
        elif twin.returns.name == "piece map":
            assert 2 * answer <= buffers[0].size
            assert buffers[0][1 : 2 * answer : 2].max(initial=0) < MOST["pieces"]
        elif twin.returns.name == "square or none":
            assert answer <= 64
        elif twin.returns.name in ("move", "pop", "plain move", "push and return the move"):
            assert answer < 1 << 16
