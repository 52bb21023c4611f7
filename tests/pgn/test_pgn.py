"""Games as text, judged by python-chess."""

import copy
import io
import pickle
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chess
import chess.pgn
import pytest

from both_readers import read
from rookery import pgn
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.pgn import BadGame, Game

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
BLACK_FIRST = "4k3/P6p/8/8/8/8/p6P/4K3 b - - 3 57"
REMARKS = ["good", "a (round) $3 1-0 ; remark", "[%clk 0:10:00] [%eval -0.3]", "x" * 90, "many words " * 12, 'a "b" \\']


def board_of(rng: random.Random) -> chess.Board:
    kind = rng.randrange(5)
    if kind == 0:
        return chess.Board.from_chess960_pos(rng.randrange(960))
    return chess.Board({1: KIWIPETE, 2: BLACK_FIRST}.get(kind, chess.STARTING_FEN))


def one_line(text: str) -> str:
    return " ".join(filter(None, (part.strip() for part in text.split("\n"))))


def only_game(text: str) -> Game:
    (game,) = read(text, errors="raise")
    return game


def uci(game: Game) -> list[str]:
    return [move.uci() for move in game.moves]


# Written by python-chess, read by ours.


def annotated_game(rng: random.Random) -> chess.pgn.Game:
    board = board_of(rng)
    game = chess.pgn.Game()
    game.setup(board)
    game.headers["White"] = rng.choice(["Müller, K.", "?", "O'Neil [GM]"])
    game.headers["WhiteElo"] = str(rng.randrange(3000))
    game.headers["Result"] = rng.choice(["1-0", "0-1", "1/2-1/2", "*"])
    if rng.random() < 0.5:
        game.comment = rng.choice(REMARKS)
    node: chess.pgn.GameNode = game
    for _ in range(rng.randrange(60)):
        moves = list(board.legal_moves)
        if not moves:
            break
        move = chess.Move.null() if rng.random() < 0.02 and not board.is_check() else rng.choice(moves)
        add_variations(rng, node, board, 0)
        node = node.add_main_variation(move)
        board.push(move)
        if rng.random() < 0.15:
            node.comment = rng.choice(REMARKS)
        if rng.random() < 0.15:
            node.nags = {rng.randrange(140)}
    return game


def add_variations(rng: random.Random, node: chess.pgn.GameNode, board: chess.Board, depth: int) -> None:
    """Some moves instead of the next, with replies, and with variations to those."""
    while rng.random() < 0.15 and depth < 4:
        side, there = node, board.copy(stack=False)
        for i in range(rng.randrange(1, 4)):
            moves = list(there.legal_moves)
            if not moves:
                break
            if i:
                add_variations(rng, side, there, depth + 1)
            move = rng.choice(moves)
            side = side.add_variation(move, comment=rng.choice(["", *REMARKS]))
            side.starting_comment = "" if i else rng.choice(["", "(first"])
            there.push(move)


def assert_same(ours: Game, theirs: chess.pgn.Game) -> None:
    nodes: list[chess.pgn.GameNode] = [theirs, *theirs.mainline()]
    assert not theirs.errors
    assert ours.headers == dict(theirs.headers)
    assert ours.result == theirs.headers["Result"]
    board = theirs.board()
    moves = []
    for move in theirs.mainline_moves():
        moves.append(board.uci(move))
        board.push(move)
    fischer = ours.board().chess960
    assert [move.uci() for move in ours.moves] == moves
    assert ours.movetext().comments == {ply: one_line(node.comment) for ply, node in enumerate(nodes) if node.comment}
    assert {ply: set(nags) for ply, nags in ours.movetext().nags.items()} == {
        ply: node.nags for ply, node in enumerate(nodes) if node.nags
    }
    assert (ours.end().board().fen(), fischer) == (board.fen(), board.chess960)


def test_games_by_python_chess_are_read() -> None:
    rng = random.Random(1)
    games = [annotated_game(rng) for _ in range(60)]
    exporter = [game.accept(chess.pgn.StringExporter(columns=rng.choice([30, 80, None]))) for game in games]
    for ours, theirs in zip(read("\n\n\n".join(exporter), errors="raise"), games, strict=True):
        assert_same(ours, theirs)


# Written by ours, read by python-chess.


def our_game(rng: random.Random) -> Game:
    board = board_of(rng)
    ours = Board(board.fen(), board.chess960)
    for _ in range(rng.randrange(80)):
        moves = list(ours.legal_moves)
        if not moves:
            break
        ours.push(Move.null() if rng.random() < 0.02 and not ours.is_check() else rng.choice(moves))
    game = Game.from_board(ours)
    game.headers["Round"] = "3.1"
    plies = range(len(game.moves) + 1)
    comments = {ply: one_line(rng.choice(REMARKS)) for ply in plies if rng.random() < 0.2}
    nags = {ply: rng.sample(range(1, 140), rng.randrange(1, 3)) for ply in plies if rng.random() < 0.2}
    return Game(game.headers, game.moves, comments, nags)


def test_our_games_are_read_by_python_chess_and_by_us() -> None:
    rng = random.Random(2)
    games = [our_game(rng) for _ in range(60)]
    text = "".join(game.write() for game in games)
    assert all(len(line) < 80 or "{" in line or "x" * 90 in line for line in text.splitlines())
    handle = io.StringIO(text)
    for game in games:
        theirs = chess.pgn.read_game(handle)
        assert theirs is not None
        assert_same(game, theirs)
    assert chess.pgn.read_game(handle) is None
    assert list(read(text)) == games


# What is read.


@pytest.mark.parametrize(
    "text",
    [
        "1. e4 e5 2. Nf3 *",
        "1.e4 e5 2.Nf3 *",
        "1 e4 e5 2 Nf3",
        "1. e4 1... e5 2 . Nf3 *",
        "1. e4 1. ... e5 2.Nf3",
        "1.e4 1…e5 2.Nf3",
        "e4 e5 Nf3",
        "1. e4\ne5\n\n2.\n\nNf3\n*",
        "1. e2e4 e7-e5 2. Ng1f3 1/2",
        "\ufeff1. e4 e5\r\n2. Nf3\r\n",
        "ï»¿1. e4 e5 2. Nf3",
        "% 1. d4\n1. e4 e5\n%2. d4 {\n2. Nf3",
        "1. e4 (1. d4 d5 (1... Nf6 {an ( and } 2. c4) ; a ) too\n2. c4 1-0 $3) e5 2. Nf3",
        "(1. d4) 1. e4 e5 (2. Kd8 what is ] this) () 2. Nf3 (2. d4\n\n2... exd4)",
        '[Event "?"][Site "?"] 1. e4 e5 2. Nf3',
        '  [Event "?"]\n\n[White "?"]\n[White "?"]\n1. e4 e5 2. Nf3',
    ],
)
def test_main_line(text: str) -> None:
    game = only_game(text)
    assert uci(game) == ["e2e4", "e7e5", "g1f3"]
    assert (game.movetext().comments, game.movetext().nags) == ({}, {})
    assert game.result == ("1/2-1/2" if "1/2" in text else "*")
    assert [board.fullmove_number for board in game.positions()] == [1, 1, 2, 2]
    assert list(game.positions())[-1] == game.end().board()


def test_unusual_moves() -> None:
    game = only_game("1. e4 d5 2. -- -- 3. e5 f5 4. exf6 e.p. Z0 5. fxg7 0000 6. gxh8Q --")
    assert uci(game)[2:] == "0000 0000 e4e5 f7f5 e5f6 0000 f6g7 0000 g7h8q 0000".split()
    assert uci(only_game("1. e4 d5 2. e5 f5 3. exf6e.p. Nxf6 4. Nf3 g6 5. Be2 Bg7 6.0-0 O-O+"))[-2:] == ["e1g1", "e8g8"]


def test_comments_and_nags() -> None:
    game = only_game(
        """; a preface
[White "A"]
; among headers
{ before

  the game } $22

1. {x} e4! {first}{  } {second} (1. d4 {not} ?) {third } e5 ?! ; to the {end}
{%eval;} 2. Nf3 $5$6 !!! {of two
% lines} 1-0 {at the end
of time} $9
"""
    )
    assert game.movetext().comments == {
        0: "a preface among headers before the game x",
        1: "first second third",
        2: "to the {end} %eval;",
        3: "of two % lines at the end of time",
    }
    assert game.movetext().nags == {0: [22], 1: [1], 2: [6], 3: [5, 6, 3, 1, 9]}
    assert only_game(str(game)) == game
    assert str(game).endswith(
        "\n\n{a preface among headers before the game} $22 {x} 1. e4 $1 {first second} (1.\n"
        "d4 {not} ?) {third} 1... e5 $6 ;to the {end} %eval;\n"
        "2. Nf3 $5 $6 $3 $1 {of two % lines at the end of time} $9 1-0"
    )


@pytest.mark.parametrize("mark", ["(", ")", "}", "1.", "1-0", "%", "[", '[Event "x"]', "$", "$1", "Event", "e4"])
def test_marks_mean_nothing_in_a_comment(mark: str) -> None:
    game = Game(moves=[Move.of(12, 28)], comments={0: mark, 1: f"{mark} " * 60 + "end"})
    assert only_game(game.write()) == game
    if mark != "}":
        text = f"{{\n{mark}}} 1. e4\n\n{{{mark}\n{mark}}}"
        assert only_game(text).movetext().comments == {0: mark, 1: f"{mark} {mark}"}


def test_headers() -> None:
    game = only_game(
        r"""[Site "a \"b\" \\ c"]
[Event "C:\new\"]
[White "the "great" one" ]
[ ECO"B00"]
[Annotator ""]

1-0"""
    )
    unknown = {"Date": "????.??.??", "Round": "?", "Black": "?"}
    given_ = {"Event": "C:\\new\\", "Site": 'a "b" \\ c', "White": 'the "great" one', "ECO": "B00", "Annotator": ""}
    assert game.headers == {**given_, **unknown, "Result": "1-0"}
    written = str(game).splitlines()
    assert [
        line[1:].split()[0] for line in written[:-2]
    ] == "Event Site Date Round White Black Result ECO Annotator".split()
    assert written[-1] == "1-0"
    assert only_game(str(game)) == game


def test_start_positions() -> None:
    game = only_game(f'[FEN "{BLACK_FIRST}"]\n\n57... h5 58. h4')
    assert (game.start, game.board().fen(), game.board().chess960) == (BLACK_FIRST, BLACK_FIRST, False)
    assert str(game).endswith(f'[SetUp "1"]\n[FEN "{BLACK_FIRST}"]\n\n57... h5 58. h4 *')
    game.start = None
    assert "FEN" not in game.headers
    game.start = KIWIPETE
    assert (game.headers["SetUp"], game.headers["FEN"]) == ("1", KIWIPETE)
    for variant in ("Chess960", "Fischerandom", "chess 960"):
        fischer = only_game(f'[Variant "{variant}"]\n\n1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. O-O')
        assert fischer.end().board().chess960
        assert only_game(str(fischer)) == fischer
    shuffled = Board(chess.Board.from_chess960_pos(3).fen())
    assert Game.from_board(shuffled).headers["Variant"] == "Chess960"
    assert Game.from_board(Board()).start is None
    ended = Board()
    for san in "f3 e5 g4 Qh4#".split():
        ended.push_san(san)
    assert str(Game.from_board(ended)).endswith("\n\n1. f3 e5 2. g4 Qh4# 0-1")


@pytest.mark.parametrize(
    ("text", "results"),
    [
        ("", []),
        ("\n \r\n\ufeff\n%\n", []),
        ("*", ["*"]),
        ('[Event "a"]', ["*"]),
        ('[Event "a"]\n\n[Event "b"]\n1-0', ["*", "1-0"]),
        ('[Result "1-0"]\n1. e4 e5\n[Result "0-1"]\n[White "x"]\n1. d4 *', ["1-0", "0-1"]),
        ('[Result "?"]\n\n1. e4 0-1', ["0-1"]),
        ("1. e4 1-0 1. d4 0-1\n\n*", ["1-0", "0-1", "*"]),
        ("1. e4 e5\n\n1. d4 d5\n\n1... d4", None),
        ("1. e4 e5\n\n1. d4 d5\n\n2. c4 1/2-1/2", ["*", "1/2-1/2"]),
        ('1. e4 * {a}\n{b}\n\n[Event "x"]\n*', ["*", "*"]),
    ],
)
def test_where_games_end(text: str, results: list[str] | None) -> None:
    games = list(read(text))
    if results is None:
        assert [type(game) for game in games] == [Game, BadGame]
    else:
        assert [isinstance(game, Game) and game.result for game in games] == results


def test_files_are_read_on_demand(tmp_path: Path) -> None:
    taken = 0

    def lines() -> Iterator[str]:
        nonlocal taken
        for line in ["1. e4 *\n", "\n", "1. d4 *\n", "\n"] * 100:
            taken += 1
            yield line

    games = read(lines())
    assert taken == 0
    next(games)
    assert taken == 2
    path = tmp_path / "games.pgn"
    path.write_bytes("\ufeff".encode() + b'[White "M\xc3\xbcller"]\r\n\r\n1. e4\r\n{a\r\nb} 1-0\r\n')
    for newline in (None, "", "\n"):
        with path.open(encoding="utf-8", newline=newline) as file:
            (game,) = read(file)
        assert isinstance(game, Game)
        assert (game.headers["White"], game.movetext().comments, game.result) == ("Müller", {1: "a b"}, "1-0")
    with path.open("rb") as binary, pytest.raises(TypeError, match="opened as text"):
        list(read(binary))  # type: ignore[arg-type]


# Bad games.

AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"


@pytest.mark.parametrize(
    ("text", "report"),
    [
        ("1. e4\nNd3 1-0", f"line 2, move 1...: SAN move: 'Nd3' is not legal in '{AFTER_E4}'"),
        (
            f'[FEN "{BLACK_FIRST}"]\n57... a1=N\n58. Ke3 *',
            "line 3, move 58.: SAN move: 'Ke3' is not legal in '4k3/P6p/8/8/8/8/7P/n3K3 w - - 0 58'",
        ),
        (
            '[FEN "4k3/8/8/8/8/8/8/R2RK3 w - - 0 1"]\n\n1. Rc1 *',
            "line 3, move 1.: SAN move: 'Rc1' is ambiguous in '4k3/8/8/8/8/8/8/R2RK3 w - - 0 1': a1c1 or d1c1",
        ),
        ("1. e4 f6 2. Qh5+ -- 3. e5", "line 1, move 2...: null move: the king is in check"),
        ("1. hello 1-0", "line 1, move 1.: SAN move: 'hello': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'"),
        ("1. e4 $x", "line 1, move 1...: SAN move: '$': expected a move like 'Nf3', 'exd5', 'e8=Q' or 'O-O'"),
        ("1. e4 {a {b} e5 }", "line 1, move 2.: '}' closes no comment"),
        ("1. e4 (1. d4 ( ) e5\n*", "line 1, move 1...: the variation is not closed"),
        ("1. e4\n{it goes\non *", "line 2, move 1...: the comment '{it goes' is not closed"),
        ('[Event "x"]\n{it goes', "line 2, move 1.: the comment '{it goes' is not closed"),
        ('[Event "x"\n1. e4 *', "line 1, headers: header: '[Event \"x\"': expected [Name \"value\"]"),
        ('[Event x]\n[White "w"]\n\n1. e4 *', "line 1, headers: header: '[Event x]': expected [Name \"value\"]"),
        ('1. e4\n[%clk "x"\n1. e5 *', "line 2, move 1...: header: '[%clk \"x\"': expected [Name \"value\"]"),
        ('[White "a"]\n[White "b"]\n*', "line 2, headers: header White: 'b': it was given before as 'a'"),
        ('[Result "won"]\n*', "line 1, headers: header Result: 'won': expected one of 1-0, 0-1, 1/2-1/2, *"),
        ('[Result "1-0"]\n1. e4\n0-1', "line 3, move 1...: result: '0-1': the header says '1-0'"),
        ('\n\n[Variant "Atomic"]\n*', "line 3, headers: header Variant: 'Atomic': expected chess or Chess960"),
        ('[SetUp "1"]\n\n1. e4 *', "line 1, headers: header SetUp: '1' requires a FEN header, and there is none"),
        (
            '[White "x"]\n[FEN "8/8/8/8/8/8/8/K6k x - - 0 1"]\n\n1. Kb1 } *',
            "line 2, headers: FEN field 2 (side to move): 'x': expected 'w' or 'b'",
        ),
        (
            '[FEN "8/8/8/8/8/8/8/K7 w - - 0 1"]\n1. Kb1 {',
            "line 1, headers: FEN: '8/8/8/8/8/8/8/K7 w - - 0 1': black has no king, expected one",
        ),
        ("1. " + "x" * 999, f"line 1, move 1.: SAN move: {'x' * 60 + '...'!r}: expected a move like 'Nf3', 'exd5', "
         "'e8=Q' or 'O-O'"),
        ("1. e4" + "+" * 60 + "e5", f"line 1, move 1.: SAN move: {'e4' + '+' * 58 + '...'!r}: expected a move like "
         "'Nf3', 'exd5', 'e8=Q' or 'O-O'"),
    ],
)  # fmt: skip
def test_bad_games_say_where_and_why(text: str, report: str) -> None:
    (bad,) = read(text)
    assert isinstance(bad, BadGame)
    assert str(bad) == f"game 1, {report}"
    with pytest.raises(ValueError) as caught:  # noqa: PT011, the whole text is compared
        list(read(text, errors="raise"))
    assert str(caught.value) == str(bad)
    # Whatever is still open, the next game is read.
    after = list(read(f'{text}\n\n[Event "next"]\n\n1. d4 *'))
    assert after[0] == bad
    assert [uci(game) for game in after[1:] if isinstance(game, Game)] == [["d2d4"]]
    assert len(after) == 2


def test_what_follows_a_result_is_another_game() -> None:
    good, bad = read("1. e4 e5 1-0 Kd2 [10:31]")
    assert isinstance(good, Game)
    assert str(bad) == f"game 2, line 1, move 1.: SAN move: 'Kd2' is not legal in {chess.STARTING_FEN!r}"


def test_a_remark_without_a_game_is_reported() -> None:
    report = "line 3, headers: no game: neither headers nor moves nor a result"
    for text in ("\n\n{only a remark}\n", "\n\n$3\n; and\n", "%\n\n12.\n"):
        assert [str(bad) for bad in read(text)] == [f"game 1, {report}"]
    assert str(list(read("1. e4 *\n\n; end"))[1]) == f"game 2, {report}"


def test_300_games_of_which_some_are_bad() -> None:
    rng = random.Random(3)
    faults = {
        "1. e4 e5 2. Ke3 Ke6 3. d4 1-0": "Ke3",
        "1. e4 {unclosed e5 2. Nf3 1-0": "not closed",
        "1. e4 (1. d4 {x} e5 2. Nf3 1-0": "not closed",
        '[FEN "8/8 w - -"]\n\n1. e4 1-0': "has 2 ranks",
        "[White x]\n\n1. e4 1-0": "[White x]",
        "{...} Some text 1. e4 1-0": "Some",
        "": "",  # headers alone are a game
    }
    text, expected, line = "", list[Game | str](), 1
    for number in range(1, 301):
        if rng.random() < 0.2:
            movetext, reason = rng.choice(list(faults.items()))
            written = f'[Event "{number}"]\n{movetext}\n\n'
            expected.append(reason or Game({"Event": f"{number}"}))
        else:
            game = our_game(rng)
            game.headers["Event"] = f"{number}"
            written = game.write()
            expected.append(game)
        text += written
    for number, (found, wanted) in enumerate(zip(read(text), expected, strict=True), 1):
        if isinstance(wanted, Game):
            assert found == wanted
        else:
            assert isinstance(found, BadGame)
            assert wanted in found.reason
            assert (found.number, found.headers["Event"]) == (number, f"{number}")
            line = 1 + text[: text.index(f'[Event "{number}"]')].count("\n")
            assert line <= found.line <= line + 3


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (Game(moves=[Move.of(0, 63)]), "is not legal"),
        (Game(comments={1: "x"}), "after 1 half-moves: the game has 0"),
        (Game(nags={-1: [1]}), "after -1 half-moves"),
        (Game(variations={1: ["1. d4"]}), "after 1 half-moves"),
        (Game(variations={0: ["1. d4 (1. c4"]}), r"^variation: '1. d4 \(1. c4': '\(' is not closed"),
        (Game(variations={0: ["1. d4) (1. c4"]}), r"^variation: '1. d4\) \(1. c4': '\)' closes no variation in it"),
        (Game(variations={0: ["1. d4 {it goes)"]}), "^variation: '1. d4 {it goes\\)': a comment is not closed"),
        (Game(variations={0: ['1. d4\n[Event "x"]']}), r"one of its lines begins with '\[', like a header"),
        (Game(variations={0: ["1. d4\n[Event "]}), r"one of its lines begins with '\[', like a header"),
        (Game(nags={0: [-1]}), "NAG: -1: expected"),
        (Game({"SetUp": "1"}), "requires a FEN header"),
        (Game({"FEN": "x"}), "'x' has 1 fields"),
    ],
)
def test_what_cannot_be_written(game: Game, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        game.write()


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("White", "a\nb", r"^header White: 'a\\nb': a line break$"),
        ("~", "x", "^header '~': expected a name of letters, digits and _$"),
        ("a b", "x", "^header 'a b': expected a name"),
        ("", "x", "^header '': expected a name"),
        ("Ä", "x", "^header 'Ä': expected a name"),
        (5, "x", "^header 5: expected a name"),
        ("White", 5, "^header White: 5: expected a text$"),
        ("White", None, "^header White: None: expected a text$"),
        ("Result", "won", "^header Result: 'won': expected one of 1-0"),
        ("Variant", "Atomic", "expected chess or Chess960"),
    ],
)
def test_headers_that_cannot_be_written_are_refused_at_once(name: Any, value: Any, message: str) -> None:
    for refused in (
        lambda headers: Game({name: value}),
        lambda headers: headers.__setitem__(name, value),
        lambda headers: headers.update({name: value}),
        lambda headers: headers.update([(name, value)]),
        lambda headers: headers.__ior__({name: value}),
        lambda headers: pgn.Headers({name: value}),
        lambda headers: pgn.GameBuilder().visit_header(name, value),
    ):
        game = Game({"White": "Anna"})
        before = dict(game.headers)
        with pytest.raises(ValueError, match=message):
            refused(game.headers)
        assert game.headers == before
    if name not in Game().headers:
        with pytest.raises(ValueError, match=message):
            Game().headers.setdefault(name, value)
    game = Game()
    with pytest.raises(ValueError, match=message):
        game.headers = {name: value}
    assert game == Game()


def test_headers_are_a_dict() -> None:
    game = Game({"White": "Anna"})
    game.headers = {"Black": "Bert"}
    game.headers |= {"Round": "1"}
    assert game.headers == {"Black": "Bert", "Round": "1"}
    assert isinstance(game.headers, dict)
    for same in (
        game.headers.copy(),
        copy.copy(game.headers),
        copy.deepcopy(game.headers),
        pickle.loads(pickle.dumps(game.headers)),
    ):
        assert type(same) is pgn.Headers
        assert same == game.headers
        assert same is not game.headers
    assert game.headers.setdefault("Black", "Carl") == "Bert"
    assert game.headers.setdefault("White", "Dora") == game.headers["White"] == "Dora"


def test_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="expected one of 1-0"):
        Game().result = "2-0"
    with pytest.raises(ValueError, match="expected 'report' or 'raise'"):
        read("", errors="ignore")  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"variations\[0\]: '1. d4': expected a list of texts"):
        Game(variations={0: "1. d4"}).write()  # type: ignore[dict-item]
    for wrong in (b"1. e4", None, 5):
        with pytest.raises(TypeError, match="expected text or a text file"):
            read(wrong)  # type: ignore[arg-type]
