"""Game trees: read, changed and written, with python-chess as the judge."""

import copy
import io
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess.pgn
import pytest

from rookery.board.board import Board
from rookery.board.moves import IllegalMoveError, Move
from rookery.pgn import ChildNode, Game, GameBuilder, GameNode, read, read_game
from test_pgn import annotated_game, one_line

DATA = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
Events = list[object]

NESTED = """[Event "Nested"]
[White "Anna Müller"]
[Black "Bert"]
[Result "1/2-1/2"]

{Before the game} 1. e4! {first} {second} (1. d4 d5 (1... Nf6 $5 2. c4 (2. Nf3 {quiet} g6) 2... e6) 2. c4)
({An idea} 1. c4 $1 $14 c5 {symmetrical}) 1... e5 $2 {to the end of
the line}
2. Nf3 (2. f4 exf4 (2... d5) 3. Nf3) Nc6 {[%clk 0:05:00]} 3. Bb5 a6 (3... Nf6 4. O-O) 1/2-1/2
"""
HAND_WRITTEN = {
    "nested": NESTED,
    "null moves": "1. e4 -- 2. d4 (2. -- d5 {passed} (2... Z0)) 2... d5 *",
    "set-up position": '[FEN "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 57"]\n\n'
    "57... h5 (57... a1=Q+ {wins} 58. Kd2) 58. a8=R+ *",
    "chess960": '[Variant "Chess960"]\n'
    '[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"]\n\n1. e4 (1. d4) *',
    "castling": "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O (4. d3 Nf6 5. O-O {late} O-O) *",
    "en passant": "1. e4 Nf6 2. e5 d5 3. exd6 (3. d4 c5 (3... Ne4)) *",
    "only headers": '[White "A"]\n[Custom_Tag "x"]\n\n*',
    "only a comment": "{nothing was played} *",
    "same move twice": "1. e4 (1. e4 e5) (1. d4) *",
}


def theirs_of(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


def ours_of(text: str) -> Game:
    game = read_game(text)
    assert game is not None
    return game


def their_events(game: chess.pgn.Game) -> Events:
    """What a tree of python-chess says, in one list: moves, remarks and brackets."""
    found: Events = [one_line(game.comment)]
    fischer = game.board().chess960

    def line(node: chess.pgn.GameNode) -> None:
        while node.variations:
            main, *others = node.variations
            said(main)
            for other in others:
                found.append("(")
                said(other)
                line(other)
                found.append(")")
            node = main

    def said(node: chess.pgn.ChildNode) -> None:
        text = node.uci(chess960=fischer)
        found.extend((one_line(node.starting_comment), text, node.nags, one_line(node.comment)))

    line(game)
    return found


def our_events(game: Game) -> Events:
    """The same of our tree, by its attributes alone."""
    found: Events = [game.comment]
    fischer = game.board().chess960

    def line(node: GameNode) -> None:
        while node.variations:
            main, *others = node.variations
            said(main)
            for other in others:
                found.append("(")
                said(other)
                line(other)
                found.append(")")
            node = main

    def said(node: ChildNode) -> None:
        found.extend((node.starting_comment, node.uci(chess960=fischer), node.nags, node.comment))

    line(game)
    return found


def nodes_of(node: GameNode) -> Iterator[ChildNode]:
    for child in node.variations:
        yield child
        yield from nodes_of(child)


def check(text: str) -> None:
    """Both libraries read the same tree of a text; what ours writes of it, both read as the same tree again."""
    ours, theirs = ours_of(text), theirs_of(text)
    assert our_events(ours) == their_events(theirs)
    assert {name: ours.headers[name] for name in theirs.headers} == dict(theirs.headers)
    written = str(ours)
    assert all(len(line) < 80 or "{" in line or "x" * 90 in line for line in written.splitlines())
    assert their_events(theirs_of(written)) == their_events(theirs)
    again = ours_of(written)
    assert again == ours
    assert again.headers == ours.headers
    assert our_events(again) == our_events(ours)
    assert str(again) == written
    built = ours.accept(GameBuilder())
    assert built == ours
    assert built.headers == ours.headers


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_hand_written_games(name: str) -> None:
    check(HAND_WRITTEN[name])


@pytest.mark.parametrize("seed", range(40))
def test_random_trees_written_by_python_chess(seed: int) -> None:
    theirs = annotated_game(random.Random(seed))
    check(str(theirs))


def test_a_file_of_games() -> None:
    with DATA.open(encoding="utf-8") as ours, DATA.open(encoding="utf-8") as theirs:
        number = 0
        while game := read_game(ours):
            peer = chess.pgn.read_game(theirs)
            assert peer is not None
            assert our_events(game) == their_events(peer)
            assert ours_of(str(game)) == game
            number += 1
        assert chess.pgn.read_game(theirs) is None
    assert number > 10


# Positions and places in the tree.


def test_nodes_answer_as_those_of_python_chess() -> None:
    ours, theirs = ours_of(NESTED), theirs_of(NESTED)

    def pairs(a: GameNode, b: chess.pgn.GameNode) -> Iterator[tuple[ChildNode, chess.pgn.ChildNode]]:
        for x, y in zip(a.variations, b.variations, strict=True):
            yield x, y
            yield from pairs(x, y)

    compared = 0
    for a, b in pairs(ours, theirs):
        assert a.board().fen() == b.board().fen()
        assert (a.san(), a.uci(), a.ply(), a.turn()) == (b.san(), b.uci(), b.ply(), b.turn())
        assert (a.is_main_variation(), a.is_mainline(), a.is_end(), a.starts_variation()) == (
            b.is_main_variation(), b.is_mainline(), b.is_end(), b.starts_variation(),
        )  # fmt: skip
        assert (a.root() is ours, a.game() is ours) == (True, True)
        last, peer = a.end(), b.end()
        assert isinstance(last, ChildNode)
        assert last.uci() == peer.uci()
        bare = chess.pgn.StringExporter(columns=None, headers=False, comments=False)
        assert str(a.mainline_moves()) == b.mainline_moves().accept(bare)
        assert [m.uci() for m in reversed(a.mainline_moves())] == [m.uci() for m in reversed(b.mainline_moves())]
        compared += 1
    assert compared > 20
    assert (ours.is_mainline(), ours.is_main_variation(), ours.parent, ours.move) == (True, True, None, None)
    assert not ours.starts_variation()


def test_boards_of_nodes_have_their_moves() -> None:
    node = ours_of(NESTED)[1][1].end()
    board = node.board()
    assert [move.uci() for move in board.move_stack] == ["d2d4", "g8f6", "c2c4", "e7e6"]
    board.pop()
    assert node.board() != board  # a board of its own


def test_changing_the_tree_as_python_chess_does() -> None:
    rng = random.Random(4)
    ours, theirs = Game(), chess.pgn.Game()
    places: list[tuple[GameNode, chess.pgn.GameNode]] = [(ours, theirs)]
    for _ in range(300):
        a, b = rng.choice(places)
        board = b.board()
        what = rng.randrange(7)
        moves = list(board.legal_moves)
        if what < 3 and moves:
            move = rng.choice(moves)
            if b.has_variation(move):
                assert a.has_variation(Move.from_uci(move.uci()))
                continue
            comment, nags = rng.choice(["", "good"]), rng.sample(range(20), rng.randrange(3))
            our_move = a.board().parse_uci(move.uci())
            if what == 2:
                pair = (
                    a.add_main_variation(our_move, comment=comment, nags=nags),
                    b.add_main_variation(move, comment=comment, nags=nags),
                )
            else:
                pair = (
                    a.add_variation(our_move, comment=comment, nags=nags),
                    b.add_variation(move, comment=comment, nags=nags),
                )
            places.append(pair)
        elif b.variations:
            place = rng.randrange(len(b.variations))
            name = ("promote", "demote", "promote_to_main")[what % 3]
            by: tuple[int | GameNode, int | chess.pgn.GameNode] = (place, place)
            if what > 4:
                by = (a.variations[place], b.variations[place])
            getattr(a, name)(by[0])
            getattr(b, name)(by[1])
    assert our_events(ours) == their_events(theirs)
    for a, b in places[1:20]:
        if a.parent is not None and a in a.parent and b.parent is not None:
            a.parent.remove_variation(a)
            b.parent.remove_variation(b)
    assert our_events(ours) == their_events(theirs)
    assert str(ours) == str(ours_of(str(theirs)))


def test_add_line() -> None:
    game = Game()
    moves = [Move.from_uci(text) for text in ("e2e4", "e7e5", "g1f3")]
    last = game.add_line(moves, comment="end", starting_comment="start", nags=[1])
    assert (last.comment, last.nags, game[0].starting_comment) == ("end", {1}, "start")
    assert game.moves == moves
    assert game.add_line([]) is game


def test_variations_are_found_by_move_node_and_number() -> None:
    game = ours_of("1. e4 (1. d4) *")
    d4 = game.variations[1]
    assert game[1] is game[d4] is game[Move.from_uci("d2d4")] is game.variation(1) is d4
    assert d4 in game
    assert 1 in game
    assert 2 not in game
    assert Move.from_uci("c2c4") not in game
    assert d4 not in d4
    with pytest.raises(KeyError, match=r"move: Move\('c2c4'\): the variations here are: e2e4, d2d4"):
        game.variation(Move.from_uci("c2c4"))
    with pytest.raises(KeyError, match="move: -1: the variations here are: e2e4, d2d4"):
        game.promote(-1)
    with pytest.raises(TypeError, match="move: 'e4': expected a Move, a node or the number of a variation"):
        game.variation("e4")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="nags: 'x': expected ints"):
        game.add_variation(Move.from_uci("c2c4"), nags="x")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="move: 'c4': expected a Move"):
        game.add_variation("c4")  # type: ignore[arg-type]


def test_illegal_moves_show_when_a_board_is_made_or_the_game_is_written() -> None:
    game = Game()
    node = game.add_variation(Move.from_uci("e2e5"))
    for ask in (node.board, node.san, lambda: str(game)):
        with pytest.raises(IllegalMoveError, match="e2e5 is not legal"):
            ask()


# What cannot be read as moves.


@pytest.mark.parametrize(
    ("text", "moves", "unread"),
    [
        ("1. e4 (1. Nd4 {no}) (1. d4) e5 *", ["e4", "d4"], ["1. Nd4 {no}"]),
        ("1. e4 (1. d4 (1. Kd3) d5) e5 *", ["e4", "d4"], []),
        ("1. e4 (1. d4 d5 2. hello) e5 *", ["e4"], ["1. d4 d5 2. hello"]),
        ("1. e4 (1. d4 (1. c4) d5 2. hello) e5 *", ["e4"], ["1. d4 (1. c4) d5 2. hello"]),
        ("1. e4 () ({words}) ($1 1. d4) ((1. c4) 1. d4) e5 *", ["e4"], ["", "{words}", "$1 1. d4", "(1. c4) 1. d4"]),
        ("(1. d4) 1. e4 *", ["e4"], []),
        ("1. e4 (1. d4 } ) *", ["e4"], ["1. d4 }"]),
    ],
)  # fmt: skip
def test_variations_that_cannot_be_read_are_kept_as_text(text: str, moves: list[str], unread: list[str]) -> None:
    game = ours_of(text)
    assert [node.san() for node in game.variations] == moves
    assert game[0].unread == unread
    again = ours_of(str(game))
    assert again == game
    kept = [node.unread for node in (game, *nodes_of(game))]
    assert [node.unread for node in (again, *nodes_of(again))] == kept
    assert sum(map(len, kept)) == max(1, len(unread))
    assert game.accept(GameBuilder()) == game


def test_a_result_inside_a_variation_is_a_comment() -> None:
    game = ours_of("1. e4 (1. f3 e5 2. g4 Qh4# 0-1) e5 *")
    assert game[1].end().comment == "0-1"
    assert ours_of(str(game)) == game


@pytest.mark.parametrize("depth", [3000])
def test_deep_and_long_trees_need_no_recursion(depth: int) -> None:
    cycle = [Move.from_uci(text) for text in ("g1f3", "g8f6", "f3g1", "f6g8")]
    game = Game()
    game.add_line(cycle * (depth // 4))
    assert str(game).endswith(f"{depth // 2}. Ng1 Ng8 *")
    assert game.end().ply() == depth
    assert pickle.loads(pickle.dumps(game)) == copy.deepcopy(game) == game
    nested = ours_of("1. e4 " + "(1. d4 d5 (1... Nf6 " * 200 + ")" * 400 + " e5 *")
    assert len(nested.variations) == 2
    again = ours_of(str(nested))
    assert again == nested


# One game, as movetext and as a tree.


def test_a_game_grows_when_its_tree_is_used() -> None:
    text = "1.e4!(1.d4   d5) e5 {x} *"
    game, other = ours_of(text), ours_of(text)
    assert game.movetext().variations == {1: ["1.d4 d5"]}
    assert len(game.variations) == 2
    assert game.movetext().variations == {1: ["1. d4 d5"]}
    assert game.movetext().comments == other.movetext().comments == {2: "x"}
    assert game.movetext().nags == other.movetext().nags == {1: [1]}
    assert game == other
    assert other == game
    assert game.moves == other.moves
    game[1].comment = "another"
    assert game != other
    assert game.movetext().variations == {1: ["1. d4 {another} 1... d5"]}
    assert game != "1. e4"


def test_what_movetext_returns_is_a_copy() -> None:
    game = ours_of("1. e4! {x} (1. d4) *")
    for _ in range(2):
        found = game.movetext()
        found.moves.clear()
        found.comments.clear()
        found.nags[1].append(5)
        found.variations[1].clear()
        assert str(game).endswith("\n1. e4 $1 {x} (1. d4) *")
        assert len(game.variations) == 2  # the second time round it is a tree


def test_movetext_of_trees_is_read_as_the_same_tree() -> None:
    for seed in range(10):
        text = str(annotated_game(random.Random(seed)))
        game = ours_of(text)
        assert game.variations is game.variations
        again = Game(game.headers, *game.movetext())
        assert our_events(again) == our_events(game)


def test_a_tree_that_cannot_grow_stays_as_it_was() -> None:
    game = Game({}, [Move.from_uci("e2e5"), Move.from_uci("e7e5")], variations={2: ["1... c5"]})
    for _ in range(2):
        with pytest.raises(IllegalMoveError):
            game.variations  # noqa: B018
    assert len(game.moves) == 2
    with pytest.raises(AttributeError, match="'Game' object has no attribute 'variation_list'"):
        game.variation_list  # type: ignore[attr-defined]  # noqa: B018


def test_reading_makes_no_nodes() -> None:
    game = next(read(NESTED, errors="raise"))
    assert game._movetext is not None
    assert len(game.moves) == 6
    assert str(game)
    assert game._movetext is not None
    assert game.next()
    assert game._movetext is None


def test_setup() -> None:
    game = Game()
    fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
    game.setup(Board(fen))
    assert (game.start, game.headers["SetUp"], game.board().fen()) == (fen, "1", fen)
    game.setup(Board.from_chess960_pos(283))
    assert (game.headers["Variant"], game.board().chess960_pos()) == ("Chess960", 283)
    game.setup(Board().fen())
    assert not {"FEN", "SetUp", "Variant"} & game.headers.keys()
    with pytest.raises(ValueError, match="FEN"):
        game.setup("nonsense")


@pytest.mark.parametrize("name", ["comment", "starting_comment", "nags", "unread", "variations"])
@pytest.mark.parametrize("text", ["", "{before} 1. e4 (1. d4) e5 *"])
def test_what_is_assigned_to_a_game_before_its_tree_exists_is_kept(name: str, text: str) -> None:
    values: dict[str, Any] = {"nags": {5}, "unread": ["1. Zz9"], "variations": []}
    value = values.get(name, "assigned")
    game = read_game(text) if text else Game()
    assert game is not None
    setattr(game, name, value)
    assert getattr(game, name) == value
    game.add_variation(Move.from_uci("c2c4"))
    assert getattr(game, name) == value
    grown = read_game(text) if text else Game()
    assert grown is not None
    assert grown.variations is not None  # the tree exists
    setattr(grown, name, value)
    grown.add_variation(Move.from_uci("c2c4"))
    assert game == grown
    assert str(game) == str(grown)
