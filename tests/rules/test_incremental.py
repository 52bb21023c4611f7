"""Rotated boards kept up move by move, against boards turned anew at every node of a perft."""

from typing import Any

import numpy as np
import pytest

from rookery.board.board import Board
from rookery.counting.walk import POSITIONS
from rookery.kernel import U64, UNIVERSE, entry
from rookery.rules.constants import MOST_MOVES, WORDS
from rookery.rules.generate import List, generate
from rookery.rules.position import load, make, prepared, store
from rookery.techniques import technique
from rookery.techniques.base.protocol import prepare


@entry
def root(row: Any, out: Any, t: Any) -> None:
    store(out, prepared(row, t))


@entry
def expand(row: Any, children: Any, moves: Any, t: Any) -> Any:
    """Keep all children of a kept position; returns their number, and how many states differ from a rebuild."""
    p = load(row, t)
    n = generate(p, t, List(moves), UNIVERSE, UNIVERSE)
    drifted = 0
    for i in range(n):
        child = make(p, U64(moves[i]), t)
        store(children[i], child)
        kept, fresh = child.state, prepare(child.us | child.them, t)
        if kept.plain != fresh.plain or kept.r90 != fresh.r90 or kept.l45 != fresh.l45 or kept.r45 != fresh.r45:
            drifted += 1
    return n, drifted


pytestmark = pytest.mark.compiler  # of the loop above: in Python it takes minutes
CHESS960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"


@pytest.mark.parametrize("name", ["rotated-hyatt", "rotated-heinz"])
@pytest.mark.parametrize(
    ("fen", "depth", "nodes"),
    [
        (POSITIONS["kiwipete"], 3, 48 + 2039 + 97862),
        (POSITIONS["position3"], 4, 14 + 191 + 2812 + 43238),
        (POSITIONS["position4"], 3, 6 + 264 + 9467),
        (POSITIONS["position5"], 3, 44 + 1486 + 62379),
        (CHESS960, 3, 21 + 528 + 12189),
    ],
    ids=["kiwipete", "position3", "position4", "position5", "chess960"],
)
def test_no_state_drifts(name: str, fen: str, depth: int, nodes: int) -> None:
    t = technique(name).tables()
    row = np.zeros(WORDS, U64)
    root(Board(fen).words(), row, t)
    children, moves = np.zeros((MOST_MOVES, WORDS), U64), np.zeros(MOST_MOVES, np.uint16)
    seen = 0
    level = [row]
    for _ in range(depth):
        following: list[Any] = []
        for row in level:
            n, drifted = expand(row, children, moves, t)
            assert drifted == 0
            seen += n
            following.extend(children[:n].copy())
        level = following
    assert seen == nodes
