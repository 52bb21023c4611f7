"""An index of games, an opening tree and a scan agree after any work on them: a state machine adds games and asks."""

import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from game_samples import UGLY
from meeting_games import made_games
from rookery import GameIndex, Games, OpeningTree, index_games, open_index, read_pgn, search
from thinning import examples

_DEPTH = 1 << 20
_STATISTICS = ("games", "white_wins", "draws", "black_wins", "average_rating", "first_played", "last_played")


class Indices(RuleBasedStateMachine):
    """An index and a tree of the same files, and what a scan finds: the games and half-moves of each position."""

    def __init__(self) -> None:
        super().__init__()
        self.temporary = tempfile.TemporaryDirectory()
        self.folder = Path(self.temporary.name)
        self.files: list[Path] = []
        self.games: list[Games] = []
        self.places: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.boards: dict[int, str] = {}
        self.tree = OpeningTree(_DEPTH)
        self.index: GameIndex

    def teardown(self) -> None:
        self.temporary.cleanup()

    def new_file(self, seed: int) -> Games:
        """Write a file, and note its positions."""
        path = self.folder / f"{len(self.files)}.pgn"
        path.write_bytes((made_games(1 + seed % 6, seed) if seed % 5 else UGLY).encode())
        games, before = read_pgn(path), sum(map(len, self.games))
        positions = games.positions("all")
        rows = zip(positions.keys(), positions.game + before, positions.ply, positions.to_fens(), strict=True)
        for key, game, ply, fen in rows:
            self.places[int(key)].append((int(game), int(ply)))
            self.boards.setdefault(int(key), fen)
        self.files.append(path)
        self.games.append(games)
        return games

    @initialize(seed=st.integers(0, 99))
    def begin(self, seed: int) -> None:
        self.add(seed, merge=False, threads=1)

    @rule(seed=st.integers(0, 99), merge=st.booleans(), threads=st.integers(1, 2))
    def add(self, seed: int, merge: bool, threads: int) -> None:
        self.tree.add(self.new_file(seed))
        self.index = index_games(self.files[-1], self.folder / "index", merge=merge, threads=threads)

    @rule(seeds=st.lists(st.integers(0, 99), min_size=1, max_size=3))
    def add_files_and_merge_trees(self, seeds: list[int]) -> None:
        other = OpeningTree(_DEPTH)
        for seed in seeds:
            other.add(self.new_file(seed))
        self.tree.merge(other)
        self.index = index_games(self.files[-len(seeds) :], self.folder / "index")

    @rule()
    def open_again(self) -> None:
        self.index = open_index(self.folder / "index")

    @rule()
    def make_at_once(self) -> None:
        folder = self.folder / f"at once {len(self.files)}"
        self.index_agrees(index_games(self.files, folder, executor="threads:2", force=True), 20)
        tree = OpeningTree(_DEPTH)
        tree.add(Games.concatenate(self.games))
        examples = ["file", "number"]
        assert tree.to_arrow().drop_columns(examples).equals(self.tree.to_arrow().drop_columns(examples))

    @rule(least=st.integers(1, 6))
    def prune(self, least: int) -> None:
        games = {position.board.key: position.games for position in self.tree}
        kept = {position.board.key: position.games for position in self.tree.pruned(least)}
        assert kept.items() <= games.items()
        assert all(number >= least for number in kept.values()) or len(kept) == 1  # the root stays

    @precondition(lambda self: self.boards)
    @rule(number=st.integers(0, 10**6))
    def search_finds_the_same_games(self, number: int) -> None:
        pieces, turn = self.boards[sorted(self.boards)[number % len(self.boards)]].split()[:2]
        same = [key for key, fen in self.boards.items() if fen.split()[:2] == [pieces, turn]]
        found: Any = search(self.files, f'pattern("{pieces}") and {"" if turn == "w" else "not "}white_to_move')
        hits = zip(found.game.tolist(), found.ply.tolist(), strict=True)
        assert sorted(hits) == sorted(place for key in same for place in self.places[key])

    def index_agrees(self, index: GameIndex, limit: int) -> None:
        for key in sorted(self.boards)[:: max(1, len(self.boards) // limit)]:
            position = index.at(self.boards[key], limit=1 << 20)
            hits = position.hits
            assert list(zip(hits.game.tolist(), hits.ply.tolist(), strict=True)) == sorted(self.places[key])
            assert position.games == len({game for game, _ in self.places[key]})

    @invariant()
    def the_index_agrees_with_a_scan(self) -> None:
        if self.files:
            assert self.index.games == self.tree.games == sum(map(len, self.games))
            assert len(self.index) == sum(map(len, self.places.values()))
            self.index_agrees(self.index, 12)

    @invariant()
    def the_tree_agrees_with_the_index(self) -> None:
        for i, position in enumerate(self.tree):
            assert position.games == len({game for game, _ in self.places[position.board.key]})
            if i % 9 == 0:
                found = self.index.at(position.board)
                assert [getattr(found, name) for name in _STATISTICS] == [
                    getattr(position, name) for name in _STATISTICS
                ]
                moves = [[(move.san, move.games, move.score) for move in one.moves] for one in (found, position)]
                assert moves[0] == moves[1]


TestIndices = Indices.TestCase
TestIndices.settings = examples(200, 5, stateful_step_count=8)
