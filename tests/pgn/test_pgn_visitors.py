"""Visitors of game trees, and those that write them."""

import io
import random
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn import (
    SKIP,
    BadGame,
    BaseVisitor,
    ChildNode,
    FileExporter,
    Game,
    GameBuilder,
    StringExporter,
    read,
    read_game,
    read_headers,
    skip_game,
)
from test_pgn import annotated_game
from test_pgn_tree import NESTED, ours_of, theirs_of

DATA = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
EVENTS = (
    "begin_game", "begin_headers", "visit_header", "end_headers", "visit_board", "visit_comment", "visit_nag",
    "visit_move", "begin_variation", "end_variation", "visit_result", "end_game",
)  # fmt: skip


def plain(value: Any) -> Any:
    """A board or move of either library as text."""
    if isinstance(value, (Board, chess.Board)):
        return value.fen()
    return value.uci() if isinstance(value, (Move, chess.Move)) else value


def recorder(base: Any) -> Any:
    """A visitor of either library that writes down what it is shown."""

    class Recorder(base):  # type: ignore[misc]
        def __init__(self) -> None:
            self.seen: list[tuple[Any, ...]] = []

        def result(self) -> list[tuple[Any, ...]]:
            return self.seen

    def record(name: str) -> Any:
        def method(self: Any, *arguments: Any) -> Any:
            self.seen.append((name, *map(plain, arguments)))
            return {} if name == "begin_headers" and base is chess.pgn.BaseVisitor else None

        return method

    for name in EVENTS:
        setattr(Recorder, name, record(name))
    return Recorder()


@pytest.mark.parametrize("seed", range(12))
def test_visitors_are_shown_what_python_chess_shows(seed: int) -> None:
    text = str(annotated_game(random.Random(seed)))
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    for node in theirs.mainline():
        node.comment = " ".join(node.comment.split())
    ours = ours_of(text)
    expected = theirs.accept(recorder(chess.pgn.BaseVisitor))
    found = ours.accept(recorder(BaseVisitor))
    # SetUp and FEN stand in another order; ours shows a tree's headers as those of a text.
    found.remove(("begin_headers",))
    headers = [sorted(e for e in events if e[0] == "visit_header") for events in (found, expected)]
    assert headers[0] == headers[1]
    rest = [[e for e in events if e[0] not in ("visit_header", "visit_comment")] for events in (found, expected)]
    assert rest[0] == rest[1]
    comments = [[" ".join(e[1].split()) for e in events if e[0] == "visit_comment"] for events in (found, expected)]
    assert comments[0] == comments[1]


def same_words(text: str) -> list[str]:
    """The words of movetext, however its brackets are spaced."""
    for sign in "(){}":
        text = text.replace(sign, f" {sign} ")
    return text.split()


@pytest.mark.parametrize("comments", [True, False])
@pytest.mark.parametrize("variations", [True, False])
@pytest.mark.parametrize("columns", [None, 80, 30])
def test_exporters_leave_out_what_python_chess_leaves_out(
    comments: bool, variations: bool, columns: int | None
) -> None:
    ours, theirs = ours_of(NESTED), theirs_of(NESTED)
    options: Any = {"columns": columns, "headers": False, "comments": comments, "variations": variations}
    written = ours.accept(StringExporter(**options))
    assert same_words(written) == same_words(theirs.accept(chess.pgn.StringExporter(**options)))
    lines = written.splitlines()
    assert len(lines) == 1 if columns is None else max(map(len, lines)) < columns
    whole = ours.accept(StringExporter(columns=columns))
    assert ours_of(whole) == ours
    assert str(ours) == ours.accept(StringExporter())


def test_file_exporter() -> None:
    game = ours_of(NESTED)
    out = io.StringIO()
    exporter: Any = FileExporter(out)
    assert game.accept(exporter) == len(game.write())
    game.accept(exporter)
    assert out.getvalue() == game.write() * 2
    assert list(read(out.getvalue())) == [game, game]


def test_arguments_of_exporters() -> None:
    for columns in (0, -1, "80", True):
        with pytest.raises(ValueError, match=r"columns: .*: expected a positive int, or None"):
            StringExporter(columns=columns)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="handle: 5: expected a file opened for writing text"):
        FileExporter(5)  # type: ignore[arg-type]
    game = Game()
    game.nags.add(-1)
    with pytest.raises(ValueError, match="NAG: -1: expected a number from 0 to 999999999"):
        game.accept(StringExporter())


@pytest.mark.parametrize(
    ("skipped", "seen"),
    [
        ("begin_game", ["begin_game", "end_game"]),
        ("begin_headers", ["begin_game", "begin_headers", "end_headers", "visit_move", "visit_result", "end_game"]),
        ("end_headers", ["begin_game", "begin_headers", "visit_header", "end_headers", "end_game"]),
    ],
)
def test_what_is_skipped_is_not_shown(skipped: str, seen: list[str]) -> None:
    visitor = recorder(BaseVisitor)
    method = getattr(type(visitor), skipped)

    def skip(self: Any, *arguments: Any) -> Any:
        method(self, *arguments)
        return SKIP

    setattr(type(visitor), skipped, skip)
    names = dict.fromkeys(event[0] for event in ours_of("1. e4 *").accept(visitor) if event[0] != "visit_board")
    assert list(names) == seen


def test_a_builder_that_leaves_variations_out() -> None:
    class BlacksVariations(GameBuilder):
        skipping = False

        def begin_variation(self) -> Any:
            self.skipping = not self.variation_stack[-1].turn()
            return SKIP if self.skipping else super().begin_variation()

        def end_variation(self) -> None:
            if self.skipping:
                self.skipping = False
            else:
                super().end_variation()

    text = "1. e4 e5 (1... d5 2. exd5 Qxd5 3. Nc3 (3. c4) 3... Qa5) *"
    game = read_game(text, Visitor=BlacksVariations)
    assert game is not None
    assert str(game).endswith("\n1. e4 e5 (1... d5 2. exd5 Qxd5 3. Nc3 Qa5) *")
    with pytest.raises(ValueError, match="begin_variation: expected a move before it"):
        GameBuilder().begin_variation()


def test_a_part_of_a_game() -> None:
    game = ours_of("1. d4 d5 (1... Nf6 2. c4 (2. Nf3 g6 3. g3)) *")
    node = game[0][1]
    part = node.accept_subgame(GameBuilder())
    assert part.headers["FEN"] == node.board().fen()
    assert [child.san() for child in part.variations] == ["c4", "Nf3"]
    assert node.accept(StringExporter()) == "1... Nf6 2. c4 (2. Nf3 g6 3. g3)"


# One game after the other.


def test_games_of_a_file_are_where_python_chess_finds_them() -> None:
    with DATA.open(encoding="utf-8") as ours, DATA.open(encoding="utf-8") as theirs:
        offsets = []
        while True:
            offset = ours.tell()
            assert offset == theirs.tell()
            headers, peer = read_headers(ours), chess.pgn.read_headers(theirs)
            if headers is None:
                break
            assert peer is not None
            assert headers["Site"] == peer["Site"]
            offsets.append((offset, headers["Site"]))
        assert peer is None
        random.Random(1).shuffle(offsets)
        for offset, site in offsets:
            ours.seek(offset)
            game = read_game(ours)
            assert game is not None
            assert game.headers["Site"] == site


def test_games_on_one_line_and_bad_games() -> None:
    text = '1. e4 * 1. d4 * 1. Ke2 *\n[White "A"]\n1. c4 *'
    file = io.StringIO(text)
    first = [read_game(file), read_game(file)]
    assert [game.moves for game in first if game] == [[Move.from_uci("e2e4")], [Move.from_uci("d2d4")]]
    with pytest.raises(ValueError, match=r"game 3, line 1, move 1\.: SAN move: 'Ke2' is not legal"):
        read_game(file)
    last = read_game(file)
    assert last is not None
    assert last.headers["White"] == "A"
    assert read_game(file) is None
    assert not skip_game(file)
    file.seek(0)
    assert sum(skip_game(file) for _ in range(9)) == 4
    assert [isinstance(game, BadGame) for game in read(text)] == [False, False, True, False]


def test_games_of_a_stream_that_cannot_go_back() -> None:
    class Pipe(io.StringIO):
        def tell(self) -> int:
            raise OSError("a pipe")

    pipe = Pipe("1. e4 * 1. d4 *\n\n1. c4 *")
    found = []
    while game := read_game(pipe):
        found.append(game.moves[0].uci())
    assert found == ["e2e4", "d2d4", "c2c4"]


class KingsPawn(ChildNode):
    """A node of a class of its own, which its game makes."""


class OwnGame(Game):
    """A game that makes nodes of a class of its own."""

    def add_variation(self, move: int, **remarks: Any) -> KingsPawn:
        node = KingsPawn(self, Move(move), **remarks)
        self.variations.append(node)
        return node


def test_games_of_derived_classes() -> None:
    text = "1. e4 {best} (1. d4 d5) e5 *"
    game = read_game(text, Visitor=lambda: GameBuilder(Game=OwnGame))
    assert type(game) is OwnGame
    assert [type(node) for node in game.variations] == [KingsPawn, KingsPawn]
    assert type(game.next().next()) is ChildNode  # type: ignore[union-attr]  # there are two moves
    assert game == read_game(text)
    main = OwnGame().add_main_variation(Move.from_uci("c2c4"))
    assert type(main) is KingsPawn
    assert main.is_main_variation()


@pytest.mark.parametrize("wrong", [None, "x", 5, int, GameBuilder, ChildNode])
def test_classes_of_games_that_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^Game: .*: expected a class derived from pgn\.Game$"):
        GameBuilder(Game=wrong)


@pytest.mark.parametrize("wrong", ["x", 5, int, Game, lambda: None, lambda: Game])
def test_visitors_that_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^Visitor: .*: expected a (class derived from|function that returns a) Base"):
        read_game("1. e4 *", Visitor=wrong)
