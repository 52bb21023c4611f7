"""Glyphs, comments and variations keep their order when games are written again: python-chess sees the same."""

import copy
import io
import pickle
import random
from collections.abc import Callable
from pathlib import Path

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rookery
from rookery import pgn

WORDS = ["best", "Zug", "é́", "2.", "Nf3", "!", "$5", "(x)", "[%csl Re5]", "[%clk 0:05:00]", "%", ";", "a" * 40]
VALUES = ["[%clk 0:03:00]", "[%eval 0.25]", "[%eval #-3] [%clk 0:00:07.5]", "[%emt 0:00:02]"]

Events = list[tuple[str, object]]


class Seen(chess.pgn.BaseVisitor[Events]):
    """What python-chess reads in a text. A comment right behind another is a part of it."""

    def __init__(self, *, joins: bool) -> None:
        self.events: Events = []
        self.joins = joins

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:  # noqa: ARG002
        self.events.append(("move", move.uci()))

    def visit_nag(self, nag: int) -> None:
        self.events.append(("nag", nag))

    def visit_comment(self, comment: str) -> None:
        text = comment.strip()
        if self.joins and self.events and self.events[-1][0] == "comment":
            text = f"{self.events.pop()[1]} {text}"
        self.events.append(("comment", text))

    def begin_variation(self) -> None:
        self.events.append(("(", None))

    def end_variation(self) -> None:
        self.events.append((")", None))

    def result(self) -> Events:
        return self.events


def seen(text: str, *, joins: bool = False) -> Events:
    found = chess.pgn.read_game(io.StringIO(text), Visitor=lambda: Seen(joins=joins))
    assert found is not None
    return found


def remarks(rng: random.Random, before: chess.Board | None, depth: int) -> list[str]:
    """Return glyphs, comments and variations in any order; variations begin from `before`."""
    found: list[str] = []
    glyphs = rng.sample(range(1, 140), 3)
    for _ in range(rng.choice([0, 0, 0, 1, 2, 3, 5])):
        kind = rng.random()
        if kind < 0.3 and glyphs:
            found.append(f"${glyphs.pop()}")
        elif kind < 0.5:
            found.append(f"{{ {rng.choice(VALUES)} }}")
        elif kind < 0.75 or before is None or depth > 2:
            found.append("{" + " ".join(rng.choices(WORDS, k=rng.randint(1, 12))) + "}")
        else:
            first = ["{" + rng.choice(WORDS) + "}"] if rng.random() < 0.3 else []
            found.append("(" + " ".join([*first, *line(rng, before.copy(), rng.randint(1, 4), depth + 1)]) + ")")
    return found


def line(rng: random.Random, board: chess.Board, length: int, depth: int = 0) -> list[str]:
    """Return random moves with remarks."""
    found: list[str] = []
    for _ in range(length):
        moves = list(board.legal_moves)
        if not moves:
            break
        before = board.copy()
        found += [f"{board.fullmove_number}{'.' if board.turn else '...'}", board.san(move := rng.choice(moves))]
        board.push(move)
        # A variation of the first move of a variation is one more variation of the move before, in a tree.
        found += remarks(rng, before if found[2:] or not depth else None, depth)
    return found


def annotated(seed: int) -> str:
    rng = random.Random(seed)
    before = ["{" + " ".join(rng.choices(WORDS, k=3)) + "}"] if rng.random() < 0.3 else []
    return '[White "Anna"]\n\n' + " ".join([*before, *line(rng, chess.Board(), rng.randint(1, 24)), "1-0"]) + "\n\n"


def of_tree(text: str) -> str:
    game = pgn.read_game(text)
    assert game is not None
    game.variations  # noqa: B018  # the tree is built
    return str(game)


def of_columns(text: str, *, export: bool = False) -> str:
    out = io.StringIO()
    rookery.write_pgn(rookery.read_pgn(text.encode()), out, export=export)
    return out.getvalue()


TREES: dict[str, Callable[[str], str]] = {
    "as read": lambda text: str(pgn.read_game(text)),
    "as a tree": of_tree,
    "of columns": lambda text: str(rookery.read_pgn(text.encode())[0]),
    "copied": lambda text: str(copy.deepcopy(pgn.read_game(text))),
    "pickled": lambda text: str(pickle.loads(pickle.dumps(pgn.read_game(of_tree(text))))),
    "built": lambda text: str(pgn.read_game(text, Visitor=pgn.GameBuilder)),
    "without line breaks": lambda text: pgn.read_game(text, Visitor=lambda: pgn.StringExporter(columns=None)) or "",
}


@pytest.mark.parametrize("way", TREES)
@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_trees_keep_the_order(way: str, seed: int) -> None:
    text = annotated(seed)
    written = TREES[way](text)
    assert seen(written, joins=True) == seen(text, joins=True)
    assert pgn.read_game(written) == pgn.read_game(text)


@pytest.mark.parametrize("export", [False, True])
@settings(max_examples=150, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_columns_keep_the_order(export: bool, seed: int) -> None:
    text = annotated(seed)
    games = rookery.read_pgn(text.encode())
    written = of_columns(text, export=export)
    assert rookery.read_pgn(written.encode())[0] == games[0]
    assert seen(written) == seen(text)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10**9))
def test_tables_keep_the_order(seed: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    text = annotated(seed)
    path = Path(tmp_path_factory.mktemp("order")) / "games.parquet"
    rookery.write_parquet(rookery.read_pgn(text.encode()), path)
    out = io.StringIO()
    rookery.write_pgn(rookery.read_parquet(path), out)
    assert seen(out.getvalue()) == seen(text)


def test_tables_of_older_versions_have_the_usual_order() -> None:
    pa = pytest.importorskip("pyarrow")
    text = "1. e4 {a} $1 (1. d4) {b} 1... e5 *"
    table = rookery.read_pgn(text.encode()).to_arrow()
    for name, value in (("nags", "nag"), ("comments", "text")):
        column = table[name].combine_chunks()
        rows = column.flatten()
        kept = pa.StructArray.from_arrays([rows.field("ply"), rows.field(value)], ["ply", value])
        older = pa.ListArray.from_arrays(column.offsets, kept)
        table = table.set_column(table.schema.get_field_index(name), name, older)
    out = io.StringIO()
    rookery.write_pgn(rookery.Games.from_arrow(table), out)
    assert out.getvalue().strip() == '[Result "*"]\n\n1. e4 $1 {a} {b} (1. d4) 1... e5 *'


def test_changed_nodes_keep_the_order_of_the_rest() -> None:
    game = pgn.read_game("1. e4 {a} $2 (1. d4) {b} (1. c4) 1... e5 *")
    assert game is not None
    node = game.next()
    assert node is not None

    def now() -> str:
        return str(game).rpartition("\n")[2]

    assert now() == "1. e4 {a} $2 (1. d4) {b} (1. c4) 1... e5 *"
    node.nags.add(14)
    assert now() == "1. e4 $14 {a} $2 (1. d4) {b} (1. c4) 1... e5 *"
    node.nags.remove(2)
    node.comment = "c"
    assert now() == "1. e4 $14 {c} (1. d4) (1. c4) 1... e5 *"
    game.remove_variation(1)
    game.add_variation(rookery.Move.from_uci("g1f3"))
    game.add_variation(rookery.Move.from_uci("b1c3"))
    assert now() == "1. e4 $14 {c} (1. c4) (1. Nf3) (1. Nc3) 1... e5 *"
    node.comment = ""
    node.nags.clear()
    assert now() == "1. e4 (1. c4) (1. Nf3) (1. Nc3) 1... e5 *"


def test_variations_that_cannot_be_read_keep_their_places() -> None:
    text = "1. e4 (1. Ke4) {a} (1. d4 (1. Kd4) 1... d5) (1. Kc4) $1 1... e5 *"
    assert of_tree(text).rpartition("\n")[2] == str(pgn.read_game(text)).rpartition("\n")[2] == text


def test_no_line_is_broken_in_a_comment_but_lines_are_full() -> None:
    words = " ".join(["word"] * 30)
    text = f"1. e4 {{{words}}} (1. d4 d5 2. c4 e6 3. Nc3 {{{words}}} 3... Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3) 1... e5 *"
    for written in (str(pgn.read_game(text)), of_tree(text), of_columns(text, export=True)):
        assert seen(written) == seen(text)
        lines = written.rstrip().split("\n\n")[-1].splitlines()
        assert [len(line) > 79 for line in lines] == [words in line for line in lines]
        assert len(lines) > 4


def test_characters_are_counted_not_bytes() -> None:
    text = "1. e4 {" + "é" * 50 + "} 1... e5 2. Nf3 *"
    for written in (str(pgn.read_game(text)), of_columns(text, export=True)):
        assert written.rstrip().splitlines()[-1] == text
