"""Opening trees, compared with trees that python-chess and dictionaries make."""

import io
import math
import os
import subprocess
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest
from numpy.typing import NDArray

import rookery
from game_samples import SAMPLE, ugly
from meeting_games import made_games
from rookery import Board, Games, OpeningTree, read_pgn
from rookery.games.openings.position import Example

Key = tuple[Any, ...]


@dataclass
class Naive:
    """Statistics, counted game by game."""

    results: Counter[str] = field(default_factory=Counter)
    names: Counter[tuple[str | None, str | None]] = field(default_factory=Counter)
    days: list[str] = field(default_factory=list)
    rated: list[tuple[int, int, float]] = field(default_factory=list)  # mover's and opponent's rating, mover's points
    examples: list[int] = field(default_factory=list)
    white: bool = True

    def add(self, number: int, headers: dict[str, Any], white: bool) -> None:
        self.white = white
        self.results[headers["Result"]] += 1
        self.examples.append(number)
        code, opening = (text if text not in ("", "?") else None for text in map(headers.get, ("ECO", "Opening")))
        if code or opening:
            self.names[code, opening] += 1
        if headers.get("day"):
            self.days.append(headers["day"])
        elos = [headers.get("WhiteElo"), headers.get("BlackElo")]
        if headers["Result"] != "*" and all(elos):
            points = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}[headers["Result"]]
            ours, theirs = map(int, filter(None, elos if white else elos[::-1]))
            self.rated.append((ours, theirs, points if white else 1 - points))

    def check(self, found: Any) -> None:
        assert found.games == sum(self.results.values())
        won, drawn, lost = self.results["1-0"], self.results["1/2-1/2"], self.results["0-1"]
        assert (found.white_wins, found.draws, found.black_wins) == (won, drawn, lost)
        decided = won + drawn + lost
        points = (won if self.white else lost) + drawn / 2
        assert found.score == (pytest.approx(points / decided) if decided else None)
        assert str(found.first_played) == min(self.days, default="None")
        assert str(found.last_played) == max(self.days, default="None")
        n = len(self.rated)
        if not n:
            assert found.average_rating is None
            assert found.performance is None
            return
        assert found.average_rating == pytest.approx(sum(ours for ours, _, _ in self.rated) / n)
        share = sum(points for _, _, points in self.rated) / n
        above = math.copysign(800, share - 0.5) if share in (0, 1) else 400 * math.log10(share / (1 - share))
        above = max(-800, min(800, above))
        assert found.performance == pytest.approx(sum(theirs for _, theirs, _ in self.rated) / n + above)

    def name(self) -> tuple[str | None, str | None]:
        most = max(self.names.values(), default=0)
        tied = [name for name, times in self.names.items() if times == most]
        return min(tied, key=lambda name: (name[0] or "", name[1] or "")) if tied else (None, None)


def key_of(board: chess.Board) -> Key:
    """What makes two positions the same, read from python-chess."""
    captures = board.ep_square if board.has_legal_en_passant() else None
    return board.board_fen(), board.turn, board.castling_rights, captures


class NaiveTree:
    """A tree of dictionaries."""

    def __init__(self, games: Games, depth: int) -> None:
        self.positions: dict[Key, Naive] = defaultdict(Naive)
        self.moves: dict[tuple[Key, int], Naive] = defaultdict(Naive)
        self.after: dict[tuple[Key, int], Key] = {}
        for i in range(len(games)):
            self._add(games, i, depth)

    def _add(self, games: Games, i: int, depth: int) -> None:
        headers = {name: games[name][i] for name in games.headers} | {"Result": games.results[i]}
        headers = {name: value for name, value in headers.items() if value is not None and value is not chess}
        for name in ("WhiteElo", "BlackElo"):
            rating = games[name].tolist()[i] if name in games.headers else None
            headers[name] = rating if rating and rating > 0 else None
        headers["day"] = None if str(games.date[i]) == "NaT" else str(games.date[i])
        number = int(games.numbers[i])
        board = chess.Board(games.board(i).fen(shredder=True), chess960=True)
        seen = set()
        for ply in range(len(games.moves[i]) + 1):
            here = key_of(board)
            if here not in seen:
                self.positions[here].add(number, headers, board.turn)
                seen.add(here)
            if ply == len(games.moves[i]) or ply == depth:
                break
            word = int(games.moves[i][ply])
            edge = (here, word)
            if edge not in seen:
                self.moves[edge].add(number, headers, board.turn)
                seen.add(edge)
            move = rookery.Move.from_word(word, chess960=True)
            board.push(chess.Move(move.from_square, move.to_square, move.promotion))
            self.after[edge] = key_of(board)

    def check(self, tree: OpeningTree) -> None:
        assert (len(tree), tree.move_count) == (len(self.positions), len(self.moves))
        known = set()
        for position in tree:
            here = key_of(chess.Board(position.board.fen(shredder=True), chess960=True))
            known.add(here)
            naive = self.positions[here]
            naive.check(position)
            assert (position.eco, position.opening) == naive.name()
            assert tree[position.board] == position
            games = [move.games for move in position.moves]
            assert games == sorted(games, reverse=True)
            examples = [example.number for example in position.examples]
            assert examples[0] == naive.examples[0]
            assert len(examples) <= 3
            assert set(examples) <= set(naive.examples)
            for move in position:
                edge = here, position.board.move_word(move.move) if move.move else 0
                self.moves[edge].check(move)
                assert move.before == position
                assert key_of(chess.Board(move.position.board.fen(shredder=True), chess960=True)) == self.after[edge]
        assert known == set(self.positions)


@pytest.fixture(scope="module")
def sample() -> Games:
    return read_pgn(SAMPLE)


@pytest.mark.parametrize("depth", [0, 1, 6, 20, 1000])
def test_a_month_of_lichess(sample: Games, depth: int) -> None:
    NaiveTree(sample, depth).check(sample.opening_tree(depth))


@pytest.mark.parametrize("seed", range(4))
def test_few_games(seed: int) -> None:
    games = read_pgn(made_games(5, seed).encode())
    NaiveTree(games, 6).check(games.opening_tree(6))


def test_odd_games() -> None:
    games = ugly()
    NaiveTree(games, 20).check(games.opening_tree())


def test_games_that_meet_and_repeat() -> None:
    text = made_games(120, 1)
    assert chess.pgn.read_game(io.StringIO(text)) is not None
    games = read_pgn(text.encode())
    naive = NaiveTree(games, 10)
    assert max(sum(position.results.values()) for position in naive.positions.values()) == 120
    assert len(naive.moves) > len(naive.positions)  # ways meet
    tree = games.opening_tree(10)
    naive.check(tree)
    # In batches, merged, and in another order of batches.
    one, other = OpeningTree(10), OpeningTree(10)
    for start in range(0, 120, 14):
        (one if start < 60 else other).add(games[start : start + 14])
    one.merge(other)
    naive.check(one)
    assert one.games == 120
    assert one.to_arrow().equals(tree.to_arrow().replace_schema_metadata(None))
    empty = OpeningTree(10)
    empty.merge(one)
    naive.check(empty)
    one.merge(OpeningTree(10))
    naive.check(one)


@pytest.mark.parametrize("least", [1, 2, 5, 1000])
def test_pruning(least: int) -> None:
    games = read_pgn(made_games(120, 2).encode())
    tree = games.opening_tree(12)
    naive = NaiveTree(games, 12)
    for edge in [edge for edge, known in naive.moves.items() if sum(known.results.values()) < least]:
        del naive.moves[edge]
    for key in [key for key, known in naive.positions.items() if sum(known.results.values()) < least]:
        del naive.positions[key]
    naive.check(tree.pruned(least))


def test_moves_are_followed_by_name(sample: Games) -> None:
    root = sample.opening_tree().root
    first = root.moves[0]
    assert root[first.san].move == first.move == root[first.move.uci()].move == root[first.move].move
    assert root.play("1. e4 e5 2.Nf3 Nc6") == root.play("e2e4 e7e5 g1f3 b8c6") == root.play("e4").play("e5 Nf3 Nc6")
    assert root.play("") == root
    assert root.play(first.move) == first.position
    with pytest.raises(KeyError, match="'a3': no game plays it"):
        root.play("a3")
    with pytest.raises(ValueError, match="Ke2"):
        root.play("Ke2")


def test_positions_are_found_by_what_makes_them_the_same() -> None:
    tree = read_pgn(b"1. e4 *").opening_tree()
    board = Board()
    board.push_san("e4")
    assert board in tree
    # No black pawn can capture on e3, so it does not matter whether the square is stated.
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 7 9" in tree
    assert "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQq - 0 1" not in tree
    with pytest.raises(KeyError, match="no game reaches it within 20 half-moves"):
        tree["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"]
    with pytest.raises(KeyError):
        OpeningTree().root.play("e4")


def test_examples_have_their_file() -> None:
    tree = OpeningTree()
    tree.add(read_pgn(b"1. e4 *\n\n1. d4 *\n\n1. e4 e5 *"), "one.pgn")
    tree.add(read_pgn(b""), "nothing.pgn")
    tree.add(read_pgn(b"1. c4 *\n\n1. d4 d5 *\n\n1. c4 c5 *")[[2, 1]], "two.pgn")
    assert tree.root.play("d4 d5").examples == [Example("two.pgn", 2)]
    assert tree.root.play("c4").examples == [Example("two.pgn", 3)]
    assert tree.root.examples == [Example("one.pgn", 1), Example("one.pgn", 2), Example("two.pgn", 3)]
    table = tree.to_arrow()
    rows = dict(
        zip(
            table["san"].to_pylist(),
            zip(table["file"].to_pylist(), table["number"].to_pylist(), strict=True),
            strict=True,
        )
    )
    assert rows == {
        "e4": ("one.pgn", 1),
        "d4": ("one.pgn", 2),
        "e5": ("one.pgn", 3),
        "c4": ("two.pgn", 3),
        "c5": ("two.pgn", 3),
        "d5": ("two.pgn", 2),
    }


def test_trees_of_other_depths_and_wrong_games() -> None:
    tree = OpeningTree(3)
    with pytest.raises(ValueError, match="other: a tree of depth 20: expected depth 3"):
        tree.merge(OpeningTree())
    with pytest.raises(TypeError, match="games: 5: expected Games"):
        tree.add(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="file: 5"):
        tree.add(read_pgn(b""), 5)  # type: ignore[arg-type]


def test_tables_hold_what_the_tree_says(sample: Games) -> None:
    tree = sample.opening_tree(8)
    moves, positions = tree.to_arrow(), tree.to_arrow("positions")
    assert (moves.num_rows, positions.num_rows) == (tree.move_count, len(tree))
    fens = positions["fen"].to_pylist()
    for row in moves.to_pylist():
        board = chess.Board(row["fen"])
        assert fens[row["position"]] == row["fen"]
        move = board.parse_san(row["san"])
        assert move.uci() == row["uci"]
        known = tree[row["fen"]][row["san"]]
        after = known.position
        assert [known.games, known.score, known.performance] == [row["games"], row["score"], row["performance"]]
        assert [after.eco, after.opening] == [row["eco"], row["opening"]]
        assert Board(fens[row["after"]]) == after.board
        assert known.last_played == row["last_played"]


EQUAL_HASHES = """
import numpy as np
from meeting_games import made_games
from rookery import read_pgn
from rookery.games.openings import growth

if {equal}:
    growth.position_hash = lambda q, target, word: np.uint64(0x1234_5678_9ABC_DEF0)
with np.errstate(over="ignore"):
    tree = read_pgn(made_games(20, 5).encode()).opening_tree(8)
    tree.merge(tree.pruned(1))
    print(len(tree), tree.move_count, sorted(str(row) for row in tree.to_arrow().to_pylist()))
"""


def test_positions_with_equal_hashes_stay_apart() -> None:
    printed = []
    for equal in (True, False):  # kernels run as Python, so that the hash can be replaced
        paths = [str(Path(rookery.__file__).parents[1]), str(Path(made_games.__code__.co_filename).parent)]
        env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "NUMBA_DISABLE_JIT": "1"}
        code = EQUAL_HASHES.format(equal=equal)
        done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
        printed.append(done.stdout)
    tree = read_pgn(made_games(20, 5).encode()).opening_tree(8)
    tree.merge(tree.pruned(1))
    rows = sorted(str(row) for row in tree.to_arrow().to_pylist())
    assert printed == [f"{len(tree)} {tree.move_count} {rows}\n"] * 2


def test_a_tree_grows_while_something_refers_to_its_arrays() -> None:
    games = read_pgn(made_games(300, 6).encode())
    tree = OpeningTree(12)
    tree.add(games[:100])
    storage = tree._storage
    held: list[NDArray[Any]] = [*storage.positions, *storage.moves]
    copies = [array.copy() for array in held]
    storage.reserve(5000, 5000, 5000)
    assert all((array == copy).all() for array, copy in zip(held, copies, strict=True))
    tree.add(games[100:])
    NaiveTree(games, 12).check(tree)


def test_a_tree_is_merged_with_itself() -> None:
    games = read_pgn(made_games(200, 7).encode())
    tree = games.opening_tree(12)
    tree.merge(tree)
    NaiveTree(Games.concatenate([games, games]), 12).check(tree)


@pytest.mark.parametrize("most", [0, 1, 20, 100, 10_000])
def test_pruning_to_so_many_positions(most: int) -> None:
    tree = read_pgn(made_games(120, 2).encode()).opening_tree(12)
    pruned = tree.pruned(max_positions=most)
    assert len(pruned) <= most
    games = sorted((position.games for position in tree), reverse=True)
    left = sorted((position.games for position in pruned), reverse=True)
    assert left == games[: len(left)]
    if len(left) < len(games):  # no more would fit, as those of the same number of games are all dropped
        assert sum(n >= games[len(left)] for n in games) > most
    assert tree.pruned(5, max_positions=10_000).to_arrow().equals(tree.pruned(5).to_arrow())


def test_counts_miss_no_more_than_most_missed() -> None:
    games = read_pgn(made_games(400, 8).encode())
    exact, tree, missed = games.opening_tree(10), OpeningTree(10), []
    for a in range(0, 400, 40):
        tree.add(games[a : a + 40])
        tree = tree.pruned(max_positions=60)
    for position in tree:
        missed.append(exact[position.board].games - position.games)
        missed += [exact[position.board][move.move].games - move.games for move in position]
    assert min(missed) == 0
    assert 0 < max(missed) <= tree.most_missed < 40
    whole = OpeningTree(10)
    whole.merge(tree)
    assert whole.most_missed >= tree.most_missed
    assert exact.most_missed == exact.pruned(2).most_missed == 0
    with pytest.raises(ValueError, match="max_positions: -1"):
        tree.pruned(max_positions=-1)
