"""Games and pictures by python-chess's names, compared with python-chess."""

import io
import logging
import pickle
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

import chess
import chess.engine
import chess.pgn
import chess.svg
import pytest

import rookery
import rookery.compat as compat
from rookery.compat import pgn, svg

DATA: Final = Path(__file__).parents[1] / "samples" / "lichess-2025-05.pgn"
TEXTS: Final = {
    "nested": '[White "Anna"]\n[Black "Bert"]\n\n{Before the game} 1. e4! {first} (1. d4 d5 (1... Nf6 $5 2. c4 (2. Nf3 '
    "{quiet} g6) 2... e6) 2. c4) ({An idea} 1. c4 $1 $14 c5 {symmetrical}) 1... e5 $2 {a comment that is longer than a "
    "line of a file may be, and that is not broken for all that} 2. Nf3 Nc6 {[%clk 0:05:00]} 3. Bb5 a6 1/2-1/2",
    "black to move": '[FEN "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 57"]\n\n57... h5 (57... a1=Q+ {wins}) 58. a8=R+ *',
    "chess960": '[Variant "Chess960"]\n'
    '[FEN "nbbrknrq/pppppppp/8/8/8/8/PPPPPPPP/NBBRKNRQ w KQkq - 0 1"]\n\n1. e4 (1. d4) *',
    "only headers": '[White "A"]\n[Custom_Tag "x"]\n\n*',
}
BAD: Final = "1. e4 e5 2. Nf3 Nc3 3. Bb5 *\n\n1. d4 *"


def both(text: str) -> tuple[pgn.Game, chess.pgn.Game]:
    ours, theirs = pgn.read_game(io.StringIO(text)), chess.pgn.read_game(io.StringIO(text))
    assert ours is not None
    assert theirs is not None
    return ours, theirs


def without_setup(text: str) -> str:
    """python-chess does not add the header SetUp where only FEN is given."""
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith("[SetUp "))


@pytest.mark.parametrize("name", TEXTS)
def test_games_are_written_as_python_chess_writes_them(name: str) -> None:
    ours, theirs = both(TEXTS[name])
    for options in (
        {},
        {"columns": None},
        {"columns": 30},
        {"headers": False},
        {"comments": False},
        {"variations": False},
    ):
        found = ours.accept(pgn.StringExporter(**options))
        expected = theirs.accept(chess.pgn.StringExporter(**options))
        assert without_setup(found) == without_setup(expected), options
    assert without_setup(str(ours)) == without_setup(str(theirs))
    file, their_file = io.StringIO(), io.StringIO()
    ours.accept(pgn.FileExporter(file))
    theirs.accept(chess.pgn.FileExporter(their_file))
    assert without_setup(file.getvalue()) == without_setup(their_file.getvalue())
    assert pickle.loads(pickle.dumps(ours)) == ours
    assert type(pickle.loads(pickle.dumps(ours))) is pgn.Game


def test_all_games_of_a_file() -> None:
    number = 0
    with DATA.open() as file, DATA.open() as their_file:
        while theirs := chess.pgn.read_game(their_file):
            ours = pgn.read_game(file)
            assert ours is not None
            assert str(ours) == str(theirs)
            assert [type(node) for node in ours.mainline()] == [pgn.ChildNode] * ours.end().ply()
            assert type(ours.end().board()) is compat.Board
            assert ours.end().board().fen() == theirs.end().board().fen()
            for node, their_node in zip(ours.mainline(), theirs.mainline(), strict=True):
                assert str(node.eval()) == str(their_node.eval())
                assert node.clock() == their_node.clock()
            number += 1
        assert pgn.read_game(file) is None
    assert number > 5


def test_bad_games_are_returned_up_to_the_fault(caplog: pytest.LogCaptureFixture) -> None:
    file = io.StringIO(BAD)
    game = pgn.read_game(file)
    assert game is not None
    assert str(game.mainline_moves()) == "1. e4 e5 2. Nf3"
    (error,) = game.errors
    assert isinstance(error, ValueError)
    assert str(error).startswith("PGN: game 1, line 1, move 2...: SAN move: 'Nc3' is not legal in")
    assert [record.getMessage() for record in caplog.records] == [str(error)]
    assert caplog.records[0].levelno == logging.ERROR
    following = pgn.read_game(file)
    assert following is not None
    assert (str(following.mainline_moves()), following.errors) == ("1. d4", [])
    assert pgn.read_game(file) is None


def test_visitors_without_a_way_to_handle_errors_have_them_raised() -> None:
    for visitor in (pgn.BoardBuilder, pgn.HeadersBuilder, pgn.StringExporter):
        with pytest.raises(ValueError, match=r"^PGN: game 1, line 1, move 2\.\.\.: SAN move: 'Nc3' is not legal"):
            pgn.read_game(io.StringIO(BAD), Visitor=visitor)


@pytest.mark.parametrize("wrong", ["x", 5, int, lambda: None])
def test_visitors_that_are_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match=r"^Visitor: "):
        pgn.read_game(io.StringIO(BAD), Visitor=wrong)


def test_visitors_see_boards_of_these_classes() -> None:
    class Sees(pgn.BaseVisitor[list[type]]):
        def begin_game(self) -> None:
            self.seen: list[type] = []

        def visit_board(self, board: Any) -> None:
            self.seen.append(type(board))

        def result(self) -> list[type]:
            return self.seen

    assert pgn.read_game("1. e4 e5 (1... c5) *", Visitor=Sees) == [compat.Board] * 4


def test_games_of_boards() -> None:
    board = compat.Board("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    board.push_san("O-O-O")
    game = pgn.Game.from_board(board)
    theirs = chess.pgn.Game.from_board(board.to_chess())
    assert str(game) == str(theirs)
    assert [type(node) for node in game.mainline()] == [pgn.ChildNode]
    assert game.end().board().move_stack == board.move_stack


@pytest.mark.parametrize(
    "score",
    [chess.engine.Cp(0), chess.engine.Cp(-7), chess.engine.Cp(123456), chess.engine.Mate(3), chess.engine.Mate(-12)],
)
@pytest.mark.parametrize("colour", [True, False])
def test_evaluations_are_those_of_chess_engine(score: Any, colour: bool) -> None:
    ours, theirs = pgn.Game(), chess.pgn.Game()
    if score == chess.engine.Cp(123456):
        with pytest.raises(ValueError, match=r"^pawns: .*: expected a number from -1000 to 1000"):
            ours.set_eval(chess.engine.PovScore(score, colour))
        return
    for game in (ours, theirs):
        game.set_eval(chess.engine.PovScore(score, colour), 8)
    assert ours.comment == theirs.comment
    assert ours.eval() == theirs.eval()
    assert ours.eval_depth() == theirs.eval_depth() == 8
    ours.set_eval(None)
    assert (ours.eval(), ours.comment) == (None, "")
    ours.set_eval(0.5)
    assert ours.eval() == chess.engine.PovScore(chess.engine.Cp(50), chess.WHITE)


@pytest.mark.parametrize("score", [chess.engine.Mate(0), chess.engine.MateGiven])
@pytest.mark.parametrize("colour", [True, False])
def test_a_mate_on_the_board_is_not_an_evaluation(score: Any, colour: bool) -> None:
    ours, theirs = pgn.Game(), chess.pgn.Game()
    for game in (ours, theirs):
        game.comment = "mate [%eval 0.50,3]"
        game.set_eval(chess.engine.PovScore(score, colour), 8)
        assert (game.comment, game.eval()) == ("mate", None)


@pytest.mark.parametrize(
    "text",
    ["0.00", "0.35", "-0.35,12", "15.5", "499.99", "#1", "#-1", "#0", "#-0", "#40,7", "#-40", "#100", "x"],
)
def test_evaluations_are_read_as_python_chess_reads_them(text: str) -> None:
    ours, theirs = both(f"{{[%eval {text}]}} 1. e4 {{[%eval {text}]}} *")
    for here, there in ((ours, theirs), (ours.end(), theirs.end())):
        assert repr(here.eval()) == repr(there.eval())
        assert here.eval_depth() == there.eval_depth()


def test_nodes_are_added_with_what_belongs_to_them() -> None:
    ours, theirs = pgn.Game(), chess.pgn.Game()
    pairs: list[tuple[Any, Any]] = [(ours, compat.Move.from_uci), (theirs, chess.Move.from_uci)]
    for game, move in pairs:
        node = game.add_variation(move("e2e4"), comment="best", starting_comment="first", nags=[1, 14])
        node.add_variation(move("e7e5"))
        game.add_variation(move("d2d4"))
        node.add_main_variation(move("c7c5"), comment="sharp")
        assert [child.move.uci() for child in game.variations] == ["e2e4", "d2d4"]
        assert [child.move.uci() for child in node.variations] == ["c7c5", "e7e5"]
        assert (node.comment, node.starting_comment, sorted(node.nags)) == ("best", "first", [1, 14])
        later = node.variations[1]
        assert (later.comment, later.starting_comment, list(later.nags)) == ("", "", [])
    assert str(ours) == str(theirs)


def test_games_begin_with_the_roster_and_without_errors() -> None:
    assert dict(pgn.Game().headers) == dict(chess.pgn.Game().headers)
    assert pgn.Game().errors == chess.pgn.Game().errors == []
    assert dict(pgn.Game.without_tag_roster().headers) == dict(chess.pgn.Game.without_tag_roster().headers) == {}
    assert type(pgn.Game({"White": "Anna"}).headers) is pgn.Headers
    for name in ("FEN", "SetUp"):
        game, theirs = pgn.Game(), chess.pgn.Game()
        for each in (game, theirs):
            each.headers["Annotator"] = "Bert"
            each.setup("4k3/8/8/8/8/8/8/4K3 w - - 0 1")
        assert list(game.headers).index(name) == list(theirs.headers).index(name)
    assert str(game) == str(theirs)


def test_visitors_of_python_chess_s_kinds() -> None:
    text = '[White "Anna"]\n\n1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *'
    for name in ("BoardBuilder", "HeadersBuilder", "SkipVisitor"):
        ours: Any = pgn.read_game(io.StringIO(text), Visitor=getattr(pgn, name))
        theirs: Any = chess.pgn.read_game(io.StringIO(text), Visitor=getattr(chess.pgn, name))
        if name == "BoardBuilder":
            assert ours.fen() == theirs.fen()
            assert len(ours.move_stack) == len(theirs.move_stack) == 3
        elif name == "HeadersBuilder":
            assert dict(ours) == dict(chess.pgn.Headers()) | dict(theirs)  # here the game has the whole roster
        else:
            assert ours is theirs is True
    for empty in ("", "\n\n"):
        assert pgn.read_game(io.StringIO(empty)) is None
        assert chess.pgn.read_game(io.StringIO(empty)) is None
        assert pgn.read_game(io.StringIO(empty), Visitor=pgn.SkipVisitor) is None


def test_headers_are_taken_without_a_check() -> None:
    headers = pgn.Headers.unchecked({"White": "Anna", "a b": "c"})
    assert (dict(headers), type(headers)) == ({"White": "Anna", "a b": "c"}, pgn.Headers)
    with pytest.raises(ValueError, match=r"^header Variant: 5: expected a text$"):
        pgn.Headers()["Variant"] = 5  # type: ignore[assignment]


@pytest.mark.parametrize("data", [None, {}, {"White": "Anna"}, [("Black", "Bert")], {"Result": "1-0", "Round": "2"}])
@pytest.mark.parametrize("more", [{}, {"Site": "here"}])
def test_headers_of_a_mapping_are_those_alone(data: Any, more: dict[str, str]) -> None:
    assert dict(pgn.Headers(data, **more)) == dict(chess.pgn.Headers(data, **more))
    assert type(pgn.Headers(data, **more)) is pgn.Headers


def test_nags_have_their_numbers() -> None:
    names = [name for name in dir(chess.pgn) if name.startswith("NAG_")]
    assert len(names) > 25
    for name in names:
        assert getattr(pgn, name) == getattr(chess.pgn, name)
        assert name in pgn.__all__
    assert pgn.TAG_ROSTER == chess.pgn.TAG_ROSTER


@pytest.mark.parametrize(
    "variant", ["", "chess", "Chess960", "Fischerandom", "wild/0", "wild/8a", "Wild/3", "wild/9", "Atomic"]
)
def test_headers_answer_alike(variant: str) -> None:
    ours, theirs = pgn.Headers(), chess.pgn.Headers()
    assert dict(ours) == dict(theirs)
    for headers in (ours, theirs):
        headers["Variant"] = variant
    assert (ours.is_chess960(), ours.is_wild()) == (theirs.is_chess960(), theirs.is_wild())
    if variant.lower() in ("chess", "chess960", "fischerandom"):
        assert ours.board().fen() == theirs.board().fen()
        assert ours.board().chess960 == theirs.board().chess960
    with pytest.raises(ValueError, match=r"^header '~'"):
        ours["~"] = "x"
    assert type(ours.copy()) is pgn.Headers
    assert pickle.loads(pickle.dumps(ours)) == ours


# Pictures.


def titles(text: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(text).iter("{http://www.w3.org/2000/svg}title")]


def test_pictures_of_boards() -> None:
    board = compat.Board()
    move = board.push_san("e4")
    drawn = svg.board(
        board, orientation=compat.BLACK, lastmove=move, check=compat.E8,
        arrows=[svg.Arrow(1, 18, color="red"), (6, 21)],
        fill={compat.D4: "blue"}, squares=[compat.A1, compat.H1], size=200, coordinates=False,
    )  # fmt: skip
    described = ET.fromstring(drawn).findtext("{http://www.w3.org/2000/svg}desc")
    assert described is not None
    for part in ("squares: a1, h1", "blue: d4", "last move e2 to e4", "check on e8", "arrow from b1 to c3"):
        assert part in described
    assert "white king on e1" in titles(drawn)
    assert titles(svg.board()) == ["Chess board"]
    assert svg.board(board, flipped=True) == svg.board(board, orientation=compat.BLACK)
    assert titles(compat.BaseBoard("4k3/8/8/8/8/8/8/4K3")._repr_svg_())[1:] == ["white king on e1", "black king on e8"]


def described(picture: str) -> str:
    return ET.fromstring(picture).findtext("{http://www.w3.org/2000/svg}desc") or ""


def test_squares_of_one_colour_are_one_set() -> None:
    drawn = described(svg.board(fill={compat.A1: "red", compat.D4: "blue", compat.H8: "red"}))
    assert drawn == "red: a1, h8; blue: d4"
    assert described(svg.board(squares=0)) == "squares: none"
    assert described(svg.board()) == "an empty board"
    for wrong in (64, -1):
        with pytest.raises(ValueError, match=rf"^fill: {wrong} is off the board"):
            svg.board(fill={wrong: "red"})


@pytest.mark.parametrize("orientation", [True, False])
@pytest.mark.parametrize("flipped", [True, False])
def test_a_flipped_board_has_the_other_colour_below(orientation: bool, flipped: bool) -> None:
    drawn = svg.board(compat.Board(), orientation=orientation, flipped=flipped)
    assert drawn == svg.board(compat.Board(), orientation=orientation != flipped)
    assert (drawn == svg.board(compat.Board())) == (orientation != flipped)


def test_sizes_of_pictures() -> None:
    def size(picture: str) -> tuple[str | None, ...]:
        return tuple(ET.fromstring(picture).get(name) for name in ("width", "height", "viewBox"))

    assert size(svg.board()) == ("360", "360", "0 0 400 400")
    assert size(svg.board(size=100, coordinates=False)) == ("100", "100", "0 0 360 360")
    assert size(svg.piece("K")) == (None, None, "0 0 45 45")
    for pixels in (1, 10_000):
        assert size(svg.piece("K", size=pixels)) == (str(pixels), str(pixels), "0 0 45 45")
    for wrong in (0, 10_001, -5, True, "9", 1.5):
        with pytest.raises(ValueError, match=rf"^size: {wrong!r}: expected 1 to 10000 pixels$"):
            svg.piece("K", size=wrong)  # type: ignore[arg-type]


def test_a_picture_is_of_a_board_of_these_classes() -> None:
    with pytest.raises(TypeError, match=r"^board: .*: expected a board of rookery or rookery.compat$"):
        svg.board(chess.Board())  # type: ignore[arg-type]
    assert svg.board(rookery.Board()) == svg.board(compat.Board())


@pytest.mark.parametrize("symbol", "PNBRQKpnbrqk")
def test_pictures_of_pieces(symbol: str) -> None:
    ours = ET.fromstring(svg.piece(compat.Piece.from_symbol(symbol), size=50))
    theirs = ET.fromstring(chess.svg.piece(chess.Piece.from_symbol(symbol), size=50))
    ids = [element.get("id") for element in ours.iter() if element.get("id")]
    assert ids == [element.get("id") for element in theirs.iter() if element.get("id")]
    assert (ours.get("width"), ours.get("viewBox")) == ("50", theirs.get("viewBox"))
    (piece,) = (group for group in ours if group.tag.endswith("}g"))
    assert (piece.get("transform") or "").startswith("translate(-2.5 -3.5)")  # the square is the picture


def test_colours_of_arrows() -> None:
    assert svg.Arrow(0, 8).color == rookery.pgn.read_game("1. e4 {[%cal Ga1a2]} *").end().arrows()[0].color == "green"  # type: ignore[union-attr]
    with pytest.raises(ValueError, match=r"^color: 'pink': expected one of green"):
        svg.Arrow(0, 8, color="pink")  # type: ignore[arg-type]
