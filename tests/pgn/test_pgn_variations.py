"""Variations kept as text: what is read of them, and what is written is read again, here and by python-chess."""

import io
import itertools
import random

import chess.pgn
import pytest
from hypothesis import given
from hypothesis import strategies as st

from both_readers import read
from rookery.board.moves import Move
from rookery.pgn import BadGame, Game
from rookery.pgn.write.variations import normal
from test_pgn import annotated_game, one_line, only_game
from thinning import examples, few, slow

Line = list[tuple[str, str, set[int], str, list["Line"]]]  # a move, what is said of it, and what else was possible


def tree(game: chess.pgn.Game) -> Line:
    def line(node: chess.pgn.GameNode) -> Line:
        moves: Line = []
        while node.variations:
            main, *others = node.variations
            moves.append((*said(main), [[(*said(other), []), *line(other)] for other in others]))
            node = main
        return moves

    def said(node: chess.pgn.ChildNode) -> tuple[str, str, set[int], str]:
        return node.move.uci(), one_line(node.comment), node.nags, one_line(node.starting_comment)

    return line(game)


def by_python_chess(text: str) -> chess.pgn.Game:
    game = chess.pgn.read_game(io.StringIO(text))
    assert game is not None
    assert not game.errors
    return game


@pytest.mark.parametrize("number", [100, slow(3000)])
def test_games_of_python_chess(number: int) -> None:
    rng = random.Random(number)
    kept = 0
    for _ in range(number):
        theirs = annotated_game(rng)
        nodes = [theirs.variations[0]] if theirs.variations else []
        while nodes:  # NAGs in the variations, too
            node = nodes.pop()
            nodes += node.variations
            node.nags |= {rng.randrange(140)} if rng.random() < 0.1 else set()
        text = theirs.accept(chess.pgn.StringExporter(columns=rng.choice([30, 80, None])))
        game = only_game(text)
        written = game.write()
        assert only_game(written) == game
        assert only_game(written).write() == written
        assert all(len(line) < 80 or "{" in line or "x" * 90 in line for line in written.splitlines())
        assert tree(by_python_chess(written)) == tree(by_python_chess(text)), text
        kept += sum(map(len, game.movetext().variations.values()))
        assert sum(len(node.variations) - 1 for node in [theirs, *theirs.mainline()] if node.variations) == sum(
            map(len, game.movetext().variations.values())
        )
    assert kept > number


@pytest.mark.parametrize(
    ("text", "variations"),
    [
        ("1. e4 (1. d4) e5 (1... c5 2. Nf3) (1... e6) *", {1: ["1. d4"], 2: ["1... c5 2. Nf3", "1... e6"]}),
        ("(1. d4) 1. e4 () e5 *", {0: ["1. d4"], 1: [""]}),
        ("1. e4 ( 1.d4 \n\n\t d5!?$3  (1... Nf6(1...e6))\r\n) e5", {1: ["1.d4 d5!?$3 (1... Nf6(1...e6))"]}),
        ("1. e4 (1. d4 1-0 {a ) (  b \n c} * }) e5", {1: ["1. d4 1-0 {a ) (  b c} * }"]}),
        ("1. e4 (1. d4;a) } {\nd5 ; b  \n) e5", {1: ["1. d4;a) } {\nd5 ; b"]}),
        ("1. e4 (1. d4 ;\n;;\n) e5", {1: ["1. d4 ;\n;;"]}),
        ("1. e4 (1. d4\n% nothing ) {\nd5 {\n%not nothing}) e5", {1: ["1. d4 d5 { %not nothing}"]}),
        ("1. e4 (1. d4 ; x\n %y [\n \ufeffz) e5", {1: ["1. d4 ; x\n %y [ \ufeffz"]}),
        ("1. e4 (\n1. d4\x1a\n\x1a {} {a\x1a\n}\n\x1a\x1a\n\x1a) e5", {1: ["1. d4 \x1a {} {a\x1a } \x1a"]}),
        ("1. e4 {[%clk 0:01:00]} (1. d4) {b} (1. c4) $1 e5 ", {1: ["1. d4", "1. c4"]}),
    ],
)
def test_what_is_kept(text: str, variations: dict[int, list[str]]) -> None:
    game = only_game(text)
    assert game.movetext().variations == variations
    assert only_game(game.write()) == game
    for kept in itertools.chain(*variations.values()):
        assert kept == normal(kept)


def test_where_variations_are_written() -> None:
    game = only_game("1. e4 (1. d4) $1 {best} e5 (1... c5 ; Sicilian }\n) 2. Nf3 (2. f4) (2. d4) Nc6 *")
    assert str(game).split("\n\n")[1] == (
        "1. e4 (1. d4) $1 {best} 1... e5 (1... c5 ; Sicilian }\n) 2. Nf3 (2. f4) (2. d4) 2... Nc6 *"
    )
    assert game != only_game("1. e4 e5 2. Nf3 Nc6 *")


@pytest.mark.parametrize(
    "mark", few(["%", "[", "[x", "%%", "\ufeff", "ï»¿", "\x1a", "\x1a\x1a", "{a b}", "; x\n", "} (%)"], 4)
)
def test_lines_break_where_nothing_means_something_else(mark: str) -> None:
    for before in range(80):
        game = Game(moves=[Move.of(12, 28)], variations={1: ["x" * before + f" {mark}" * 60 + " end"]})
        text = game.write()
        again = only_game(text)
        assert again.write() == text
        (variation,) = again.movetext().variations[1]
        assert variation.split() == game.movetext().variations[1][0].split()


def test_long_comments_are_not_broken() -> None:
    """python-chess reads a line break in a comment as a part of it."""
    words = ("word " * 60).strip()
    game = only_game(f"1. e4 {{{words}}} (1. d4 {{{words}}} d5 (1... e6 {{{words}}})) e5 *")
    for written in (game, only_game(str(game))):
        assert len(written.variations) == 2  # of the tree, which is written after this
        theirs = chess.pgn.read_game(io.StringIO(str(written)))
        assert theirs is not None
        e4, d4 = theirs.variations
        assert [e4.comment, d4.comment, d4.variations[1].comment] == [words] * 3
    assert only_game(str(game)) == game
    unread = only_game(f"1. e4 (1. Ke3 {{{words}}}) e5 *")
    assert f"{{{words}}}" in str(unread)


@examples(200)
@given(
    st.lists(
        st.sampled_from(["(", ")", "{", "}", ";", "%", "[", " ", "  ", "\n", "\r", "\t", "\x1a", "\ufeff", "1.", "e4"])
        | st.sampled_from(["!?", "$1", "1-0", "ï»¿", "\xa0", "\x0b", "[Event", '"', "long " * 20])
        | st.text(max_size=3),
        max_size=40,
    ).map("".join)
)
def test_any_text_is_written_and_read_or_refused(text: str) -> None:
    game = Game(moves=[Move.of(12, 28)], variations={1: [text, "1. d4"]}, comments={1: "c"})
    try:
        written = game.write()
    except ValueError as error:
        assert str(error).startswith("variation: ")  # noqa: PT017, not every text is refused
        return
    again = only_game(written)
    assert (again.moves, again.movetext().comments, again.result) == (game.moves, game.movetext().comments, game.result)
    assert again.movetext().variations in ({1: [normal(text + end), "1. d4"]} for end in ("", "\n"))
    assert only_game(again.write()) == again


@pytest.mark.parametrize(
    ("text", "kept"), [(" ;\n\n", ";"), ("\n\n1. d4\n\n", "1. d4"), ("\r\n ", ""), ("\x1a \n", "")]
)
def test_empty_lines_are_written_as_none(text: str, kept: str) -> None:
    game = Game(variations={0: [text, "1. c4"]})
    assert only_game(game.write()).movetext().variations == {0: [kept, "1. c4"]}


def test_variations_that_are_never_closed_spoil_one_game() -> None:
    open_one = '[Event "b"]\n\n1. e4 (1. d4 (1. c4) e5 *\n\n'
    good, bad, last = read(f'[Event "a"]\n\n1. e4 (1. d4) *\n\n{open_one}[Event "c"]\n\n1. d4 *')
    assert isinstance(good, Game)
    assert good.movetext().variations == {1: ["1. d4"]}
    assert isinstance(bad, BadGame)
    assert bad.reason == "the variation is not closed"
    assert isinstance(last, Game)
    assert last.movetext().variations == {}
