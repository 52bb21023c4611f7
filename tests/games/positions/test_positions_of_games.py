"""What games say about their positions, compared with python-chess, and games that are the same."""

import io
import math
import pickle
import random
from typing import Any

import chess
import chess.pgn
import numpy as np
import pytest

from game_samples import SAMPLE
from rookery import read_pgn
from rookery.games.games import Games
from rookery.games.positions import replay
from rookery.games.positions.game_positions import GamePositions
from rookery.positions.positions import Positions

POINTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5, "*": math.nan}


@pytest.fixture(scope="module")
def text() -> str:
    return SAMPLE.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def games(text: str) -> Games:
    return read_pgn(text.encode())


@pytest.fixture(scope="module")
def positions(games: Games) -> GamePositions:
    return games.positions("all")


@pytest.fixture(scope="module")
def nodes(text: str, games: Games) -> list[chess.pgn.GameNode]:
    """The nodes of python-chess, one for each position."""
    file, found = io.StringIO(text), []
    while (game := chess.pgn.read_game(file)) is not None:
        found += [game, *game.mainline()]
    assert len(found) == len(games) + int(games.plies.sum())
    return found


def same(ours: Any, theirs: list[float]) -> bool:
    return np.array_equal(ours, np.array(theirs, np.float32), equal_nan=True)


def test_results_and_headers(positions: GamePositions, nodes: list[chess.pgn.GameNode]) -> None:
    points = [POINTS[node.game().headers["Result"]] for node in nodes]
    assert same(positions.result(), points)
    assert same(positions.result("black"), [1 - p for p in points])
    assert same(positions.result("us"), [p if node.turn() else 1 - p for p, node in zip(points, nodes, strict=True)])
    assert positions.header("White").tolist() == [node.game().headers["White"] for node in nodes]
    elos = [int(node.game().headers["WhiteElo" if node.turn() else "BlackElo"]) for node in nodes]
    assert positions.elo().tolist() == elos
    assert positions.elo("white").tolist() == [int(node.game().headers["WhiteElo"]) for node in nodes]


def clock_of(node: chess.pgn.GameNode | None, white: bool) -> float:
    """The last clock that a side's moves state up to a node."""
    while isinstance(node, chess.pgn.ChildNode) and node.turn() == white:  # the other side made the last move
        node = node.parent
    clock = node.clock() if isinstance(node, chess.pgn.ChildNode) else None
    return math.nan if clock is None else clock


def test_clocks(positions: GamePositions, nodes: list[chess.pgn.GameNode]) -> None:
    for side, white in (("white", True), ("black", False)):
        assert same(positions.clock(side), [clock_of(node, white) for node in nodes])  # type: ignore[arg-type]
    assert same(positions.clock(), [clock_of(node, node.turn()) for node in nodes])
    assert same(positions.clock("them"), [clock_of(node, not node.turn()) for node in nodes])
    assert np.isfinite(positions.clock()).sum() > len(positions) / 2


def test_times_of_moves() -> None:
    rng = random.Random(1)
    moves = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7".split()
    times = [rng.choice(["", f"{{[%emt 0:00:{rng.randint(0, 59):02}]}}"]) for _ in moves]
    text = " ".join(f"{move} {time}" for move, time in zip(moves, times, strict=True)) + " *"
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    nodes: list[chess.pgn.GameNode] = [game, *game.mainline()]

    def expected(node: chess.pgn.GameNode | None, white: bool) -> float:
        while isinstance(node, chess.pgn.ChildNode) and node.turn() == white:
            node = node.parent
        time = node.emt() if isinstance(node, chess.pgn.ChildNode) else None
        return math.nan if time is None else time

    positions = read_pgn(text.encode()).positions("all")
    for side, white in (("white", True), ("black", False)):
        assert same(positions.emt(side), [expected(node, white) for node in nodes])  # type: ignore[arg-type]
    assert same(positions.emt("them"), [expected(node, not node.turn()) for node in nodes])
    assert same(positions.evaluate("emt"), [expected(node, node.turn()) for node in nodes])
    taken = positions.evaluate("next(emt(them))")[:-1]
    assert same(taken, [expected(node, not node.turn()) for node in nodes[1:]])


def eval_of(node: chess.pgn.GameNode | None) -> float:
    score = node.eval() if isinstance(node, chess.pgn.ChildNode) else None
    if score is None:
        return math.nan
    mate = score.white().mate()
    if mate is not None:
        return 1000 - mate if mate > 0 else -1000 - mate
    return (score.white().score() or 0) / 100


def test_evaluations(positions: GamePositions, nodes: list[chess.pgn.GameNode]) -> None:
    expected = [eval_of(node) for node in nodes]
    assert np.allclose(positions.eval(), expected, equal_nan=True)
    assert np.allclose(positions.eval("black"), [-e for e in expected], equal_nan=True)
    before = [eval_of(node.parent) for node in nodes]
    assert np.allclose(positions.eval_before(), before, equal_nan=True)
    turned = [e if node.turn() else -e for e, node in zip(before, nodes, strict=True)]
    assert np.allclose(positions.eval_before("us"), turned, equal_nan=True)
    assert np.isfinite(positions.eval()).sum() > 50


def test_parts_and_pickles_keep_what_games_say(positions: GamePositions, games: Games) -> None:
    some = positions[positions.is_check()][::2]
    chosen = np.flatnonzero(positions.is_check())[::2]
    assert same(some.clock(), positions.clock()[chosen].tolist())
    again = pickle.loads(pickle.dumps(some))
    assert same(again.clock(), some.clock().tolist())
    blocks = list(games.position_blocks(1000, when="all"))
    assert same(np.concatenate([block.eval() for block in blocks]), positions.eval().tolist())
    assert type(positions[:0].play(np.zeros(0, np.uint16))) is Positions  # no game has these positions
    with pytest.raises(ValueError, match="these positions do not know their games"):
        type(positions).from_boards([]).result()


def test_missing_values() -> None:
    positions = read_pgn(b"1. e4 e5 *").positions()
    assert np.isnan([positions.clock(), positions.eval(), positions.result()]).all()
    assert positions.elo().tolist() == [None, None]
    with pytest.raises(KeyError, match="column 'Wizard'"):
        positions.header("Wizard")
    with pytest.raises(ValueError, match="side: 'green'"):
        positions.result("green")  # type: ignore[arg-type]


def test_hashes_of_moves(games: Games) -> None:
    for plies in (None, 0, 1, 2, 8, 10_000):
        hashes = games.moves.hash(plies)
        words = [moves[:plies].tobytes() for moves in games.moves]
        assert len(set(hashes.tolist())) == len(set(words))
        assert [words.index(w) for w in words] == [hashes.tolist().index(h) for h in hashes.tolist()]
    with pytest.raises(ValueError, match="plies: -1"):
        games.moves.hash(-1)


def naive_unique(games: Games) -> list[int]:
    seen: dict[Any, int] = {}
    for i, game in enumerate(games):
        seen.setdefault((game.board().fen(), tuple(game.moves)), i)
    return list(seen.values())


MANY = b"""1. e4 e5 *

1. e4 *

1. e4 e5 1-0

*

[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]

1. O-O-O *

[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 9"]

1. O-O-O *

[White "Anna"]
[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1"]

1. O-O-O *

0-1

[FEN "4k3/8/8/8/8/8/8/R3K3 w Q - 0 9"]

*
"""


@pytest.mark.parametrize("collide", [False, True])
def test_games_that_are_the_same(games: Games, monkeypatch: pytest.MonkeyPatch, collide: bool) -> None:
    few = read_pgn(MANY)
    if collide:  # hashes decide nothing
        monkeypatch.setattr("rookery.positions.moves.keys.move_hashes", lambda offsets, moves, most, out: out.fill(7))
    kept = few.unique(min_plies=0)
    assert (kept.numbers - 1).tolist() == naive_unique(few)
    assert len(kept) == 6
    some = games[:40]
    twice = Games.concatenate([some, some[::3], some[:7]])
    assert len(twice.unique(min_plies=0)) == len(naive_unique(some))
    assert len(read_pgn(b"").unique()) == 0


def test_data_frames(games: Games) -> None:
    table = games.to_arrow()
    assert games.to_polars().to_arrow().column("moves").to_pylist() == table["moves"].to_pylist()
    frame = games.to_pandas()
    assert frame["White"].tolist() == table["White"].to_pylist()
    assert len(frame) == len(games)


def test_keys_of_neighbours_are_those_of_single_boards(games: Games) -> None:
    """Keys are computed from those of the position before; shuffled, they are computed alone."""
    positions = games.positions("all")
    keys_in_order = positions.keys()
    assert keys_in_order.tolist() == [board.key for board in positions]
    order = np.random.default_rng(1).permutation(len(positions))
    assert np.array_equal(positions[order].keys(), keys_in_order[order])
    assert np.array_equal(positions.keys(threads=2), keys_in_order)


def test_pickles_hold_only_the_games_of_their_positions(games: Games, positions: GamePositions) -> None:
    few = positions[positions.game == 3]
    assert len(pickle.dumps(few)) < len(pickle.dumps(positions)) / 4
    again = pickle.loads(pickle.dumps(few))
    assert again.game.tolist() == few.game.tolist()
    assert again.header("White").tolist() == [games["White"][3]] * len(few)
    assert pickle.loads(pickle.dumps(positions[:0])).result().size == 0


@pytest.mark.parametrize("when", ["before", "after", "all", "last"])
def test_games_replayed_in_pieces(games: Games, when: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = games.positions(when, start=3, every=2)
    monkeypatch.setattr(replay, "_PIECE", 5)
    for threads in (1, 2):
        assert games.positions(when, start=3, every=2, threads=threads) == whole
