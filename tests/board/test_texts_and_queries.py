"""Texts and pictures of boards, pieces that are set up, queries and helpmates: small boards with known answers."""

import copy
from collections.abc import Callable
from typing import Any

import chess
import pytest

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.squares import parse_square
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.board.queries import Battery, Pin, progressive_mobility, trajectories

KINGS = "4k3/8/8/8/8/8/8/4K3"


def message_of(ask: Callable[..., object], *arguments: Any, **options: Any) -> str:
    with pytest.raises((ValueError, TypeError)) as error:
        ask(*arguments, **options)
    return str(error.value)


def squares(text: str) -> Bitboard:
    return Bitboard.of(*text.split())


# Texts.


@pytest.mark.parametrize(
    ("fen", "legal", "xfen", "always"),
    [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "d6", "d6", "d6"),
        ("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "-", "-", "d6"),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 0 1", "-", "d6", "d6"),
        ("4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1", "d3", "d3", "d3"),
        ("4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", "-", "-", "d3"),
        ("7K/8/8/8/k2Pp2R/8/8/8 b - d3 0 1", "-", "d3", "d3"),
        (f"{KINGS} w - - 0 1", "-", "-", "-"),
    ],
)
def test_ways_to_write_an_en_passant_square(fen: str, legal: str, xfen: str, always: str) -> None:
    board = Board(fen)
    for way, expected in (("legal", legal), ("xfen", xfen), ("fen", always)):
        fields = fen.split()
        fields[3] = expected
        assert board.fen(en_passant=way) == board.shredder_fen(en_passant=way) == " ".join(fields)  # type: ignore[arg-type]
        assert board.epd(en_passant=way) == " ".join(fields[:4])  # type: ignore[arg-type]
    assert (board.fen(), board.epd()) == (board.fen(en_passant="legal"), board.epd(en_passant="legal"))
    for wrong in ("", "FEN", None, 1):
        message = message_of(lambda wrong=wrong: board.fen(en_passant=wrong))
        assert message == f"en_passant: {wrong!r}: expected 'legal', 'fen' or 'xfen'"
    with pytest.raises(TypeError, match=r"^shredder: 1: "):
        board.fen(shredder=1)  # type: ignore[arg-type]


def test_drawings_from_either_side() -> None:
    board = Board("4k3/8/8/8/8/8/P7/RN2K3 w Q - 0 1")
    assert str(board).splitlines() == [
        ". . . . k . . .", *[". . . . . . . ."] * 5, "P . . . . . . .", "R N . . K . . ."
    ]  # fmt: skip
    assert board.unicode(empty_square=".", orientation="black").splitlines() == [
        ". . . ♔ . . ♘ ♖", ". . . . . . . ♙", *[". . . . . . . ."] * 5, ". . . ♚ . . . ."
    ]  # fmt: skip
    framed = board.unicode(empty_square=".", borders=True).splitlines()
    assert framed[:3] == ["  -----------------", "8 |.|.|.|.|♚|.|.|.|", "  -----------------"]
    assert framed[-3:] == ["1 |♖|♘|.|.|♔|.|.|.|", "  -----------------", "   a b c d e f g h"]
    turned = board.unicode(empty_square=".", borders=True, orientation=False).splitlines()
    assert turned[1] == "1 |.|.|.|♔|.|.|♘|♖|"
    assert turned[-1] == "   h g f e d c b a"
    assert board.unicode(invert_color=True).splitlines()[-1] == "♜ ♞ ⭘ ⭘ ♚ ⭘ ⭘ ⭘"
    assert board.unicode() == board.unicode(invert_color=False, borders=False, empty_square="⭘", orientation="white")
    assert repr(board) == "Board('4k3/8/8/8/8/8/P7/RN2K3 w Q - 0 1')"
    for name in ("invert_color", "borders"):
        assert message_of(board.unicode, **{name: 1}).startswith(f"{name}: 1: ")
    assert message_of(lambda: board.unicode(empty_square=5)).startswith("empty_square: 5: ")  # type: ignore[arg-type]
    assert message_of(lambda: board.unicode(orientation="up")).startswith("orientation: 'up': ")  # type: ignore[arg-type]


def test_pictures_show_the_last_move_and_a_check() -> None:
    board = Board("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1")
    picture = board.svg()
    assert "Chess position, black to move" in picture
    assert "check on e8" in picture
    assert "last move" not in picture
    board.push_san("Kd8")
    picture = board.svg()
    assert board._repr_svg_() == picture
    assert "Chess position, white to move" in picture
    assert "last move e8 to d8" in picture
    assert "check on" not in picture
    assert "last move a1 to a2" in board.svg(last_move=Move.from_uci("a1a2"))
    assert "last move e1 to g1" in board.svg(last_move=4 | 7 << 6 | 3 << 14)
    board.push_san("--")
    assert "last move" not in board.svg()
    assert "A title" in board.svg(title="A title")
    assert "Chess position" not in board.svg(title="A title")
    assert 'width="360"' in picture
    for options in (
        {"coordinates": False},
        {"orientation": "black"},
        {"size": 99},
        {"arrows": [(0, 1)]},
        {"sets": {"a": 1}},
    ):
        assert board.svg(**options) != board.svg()
    assert board.svg(coordinates=True, orientation=True, size=360) == board.svg()
    assert message_of(lambda: board.svg(last_move="e2e4")).startswith("last_move: 'e2e4': ")  # type: ignore[arg-type]


def test_operations_hold_lines_and_sorted_lists_of_moves() -> None:
    board = Board("4k3/8/8/8/8/8/4P3/R3K3 w Q - 3 9")
    moves = [board.parse_san(san) for san in ("Ra8+", "Kd2", "e4")]
    line = [Move.from_uci(text) for text in ("e2e4", "e8d8", "e1c1")]
    assert board.epd() == "4k3/8/8/8/8/8/4P3/R3K3 w Q -"
    assert board.epd(bm=moves, am="e3").endswith(" bm Kd2 Ra8+ e4; am e3;")
    assert board.epd(pv=line).endswith(" pv e4 Kd8 O-O-O+;")
    assert board.epd(pv=[line[0], "Kd8"]).endswith(" pv e4 Kd8;")
    assert board.epd(pm=moves[0], id="x", acd=5, resign=None, c=[moves[1], 7]).endswith(
        ' pm Ra8+; id "x"; acd 5; resign; c Kd2 7;'
    )
    assert board.fen() == "4k3/8/8/8/8/8/4P3/R3K3 w Q - 3 9"
    found, operations = Board.from_epd(board.epd(bm=moves, pv=line, pm=moves[1], id="Kd2", sm=moves[2], hmvc=4, fmvn=8))
    assert found.fen() == "4k3/8/8/8/8/8/4P3/R3K3 w Q - 4 8"
    assert operations == {
        "bm": [moves[1], moves[0], moves[2]], "pv": line, "pm": moves[1], "id": "Kd2", "sm": moves[2],
        "hmvc": 4, "fmvn": 8,
    }  # fmt: skip


def test_counters_of_an_epd() -> None:
    four = f"{KINGS} w - -"
    for text, counters in (
        ("", "0 1"),
        (" hmvc 0; fmvn 2;", "0 2"),
        (' 5 6 id "a";', "5 6"),
        (' 5 6 hmvc 7; id "a";', "7 6"),
        (" hmvc 9;", "9 1"),
    ):
        assert Board.from_epd(four + text)[0].fen() == f"{four} {counters}"
    for text in ("hmvc -1;", "fmvn -1;", 'hmvc "5";', "fmvn 1.5;", "hmvc;"):
        assert message_of(Board.from_epd, f"{four} {text}").endswith(": hmvc and fmvn: expected numbers")
    for number, text in ((0, ""), (3, f"{KINGS} w -")):
        assert message_of(lambda text=text: Board.from_epd(text)) == (
            f"EPD: {text!r} has {number} fields, expected four and operations"
        )
    assert "EPD: 5 has 0 fields" in message_of(lambda: Board.from_epd(5))  # type: ignore[arg-type]
    assert Board.from_epd("4k3/8/8/8/8/8/8/4K2R w K -", True)[0].chess960
    assert not Board.from_epd("4k3/8/8/8/8/8/8/4K2R w K -")[0].chess960
    unreachable = "k3r3/8/8/8/1b5b/8/8/4K3 w - -"
    assert Board.from_epd(unreachable, strict=False)[0].fen() == f"{unreachable} 0 1"
    assert "no move gives check" in message_of(lambda: Board.from_epd(unreachable, strict=True))


def test_an_epd_is_set_up() -> None:
    board = Board("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", chess960=True)
    board.push_san("Kd1")
    assert board.set_epd("4k3/8/8/8/8/8/8/4K2R w K - hmvc 3;") == {"hmvc": 3}
    assert (board.fen(), board.move_stack, board.chess960) == ("4k3/8/8/8/8/8/8/4K2R w K - 3 1", [], True)
    board = Board()
    board.set_epd("4k3/8/8/8/8/8/8/1R2K3 w B -")
    assert board.chess960


# Pieces.


def test_pieces_are_set_up_by_square() -> None:
    board = Board("4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 4 9")
    board.push_san("Kd8")
    board.pop()
    board.set_piece_map({4: "K", 60: "k", 7: "R", 27: "p", 28: "P"})
    assert (board.fen(), board.move_stack) == ("4k3/8/8/8/3pP3/8/8/4K2R b K e3 4 9", [])
    board.set_piece_map(dict(enumerate("PNBRQKpnbrqk")))
    assert board.board_fen() == "8/8/8/8/8/8/brqk4/PNBRQKpn"
    assert [int(getattr(board, name)) for name in "pawns knights bishops rooks queens kings".split()] == [
        1 << i | 1 << i + 6 for i in range(6)
    ]
    board.set_board_fen("4k3/8/8/8/8/8/8/4K3")
    assert board.fen() == f"{KINGS} b - - 4 9"
    assert message_of(lambda: board.set_piece_map({64: "K"})).startswith("pieces: 64 is off the board")
    assert message_of(lambda: board.set_piece_map({4: "x"})).startswith("pieces[4]: 'x'")
    assert message_of(lambda: board.set_piece_map([4])).startswith("pieces: [4]: ")  # type: ignore[arg-type]
    for wrong in ("", "8/8 w", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", None):
        message = message_of(lambda wrong=wrong: board.set_board_fen(wrong))
        assert message == f"FEN field 1 (pieces): {wrong!r}: expected this field alone"
    assert board.fen() == f"{KINGS} b - - 4 9"


def test_pieces_are_listed_by_square_and_mask() -> None:
    board = Board("7k/8/8/8/8/8/n7/KR6 w - - 0 1")
    pieces = {0: "K", 1: "R", 8: "n", 63: "k"}
    assert (board.piece_map(), list(board.piece_map())) == (pieces, [0, 1, 8, 63])
    assert board.piece_map(mask=0x101) == {0: "K", 8: "n"}
    assert board.piece_map(mask=1 << 63) == {63: "k"}
    assert board.piece_map(mask=0) == {}
    assert message_of(lambda: board.piece_map(mask=-1)).startswith("mask: -1 is outside")
    for square, sign in pieces.items():
        for ask in (board.piece_at, board.kind_at, board.piece_type_at, board.color_at):
            assert ask(square) is not None
        assert board.placement.marks()[square] == sign
    assert board.remove_piece_at(63) == "k"
    assert board.remove_piece_at(63) is None


def test_of_several_kings_the_lowest_counts() -> None:
    board = Board.unchecked("3k3k/8/8/8/8/8/8/2K1K3 w - - 0 1")
    assert (board.king("white"), board.king("black"), board.king(True), board.king(False)) == (2, 59, 2, 59)
    assert Board.empty().king("black") is None


# Copies.


def test_copies_keep_as_many_moves_as_are_wanted() -> None:
    board = Board(chess960=True)
    for san in ("e4", "e5", "Nf3"):
        board.push_san(san)
    stacks = {number: [str(move) for move in board.copy(stack=number).move_stack] for number in (0, 1, 2, 3, 4)}
    assert stacks == {0: [], 1: ["g1f3"], 2: ["e7e5", "g1f3"], 3: ["e2e4", "e7e5", "g1f3"], 4: ["e2e4", "e7e5", "g1f3"]}
    assert [len(one.move_stack) for one in (board.copy(), copy.copy(board), copy.deepcopy(board))] == [3, 3, 3]
    assert board.mirror().move_stack == board.root().move_stack == []
    assert (board.mirror().chess960, board.root().chess960) == (True, True)
    assert board.copy(stack=False).root() == board
    other = board.copy()
    other.push_san("d6")
    assert len(board.move_stack) == 3
    assert message_of(lambda: board.copy(stack=-1)) == "stack: -1: expected True, False or a number of moves"


def test_conversions_keep_null_moves_and_the_kind_of_chess() -> None:
    theirs = chess.Board("4k3/8/8/8/8/8/8/1R2K1R1 w GB - 3 9", chess960=True)
    for move in (chess.Move.null(), chess.Move.from_uci("e8e7"), theirs.parse_san("O-O")):
        theirs.push(move)
    ours = Board.from_chess(theirs)
    assert (ours.chess960, ours.move_stack) == (True, [Move.null(), *(Move.from_uci(t) for t in ("e8e7", "e1g1"))])
    again = ours.to_chess()
    assert (again, again.move_stack, again.chess960) == (theirs, theirs.move_stack, True)
    promoted = chess.Board("8/P3k3/8/8/8/8/8/4K3 w - - 0 1")
    promoted.push_uci("a7a8n")
    assert Board.from_chess(promoted).to_chess().move_stack == promoted.move_stack
    black = chess.Board("4k3/8/8/8/3pP3/8/8/4K3 b - e3 5 7")
    assert Board.from_chess(black).to_chess().fen(en_passant="fen") == black.fen(en_passant="fen")
    assert Board.from_chess(black) == Board(black.fen())


# Queries.


def test_pins_in_all_eight_directions() -> None:
    free = Board("3r4/8/1b3b2/2NNN3/1rNKNr2/2NNN3/1b3b2/3r3k w - - 0 1")
    assert [pin.square for pin in free.pinned("white")] == [
        parse_square(name) for name in "d5 e5 e4 e3 d3 c3 c4 c5".split()
    ]
    assert free.pinned("white")[0] == Pin(parse_square("d5"), parse_square("d8"), squares("d5 d6 d7 d8"))
    assert free.pinned("white")[5] == Pin(parse_square("c3"), parse_square("b2"), squares("c3 b2"))
    assert free.pinned("black") == ()
    assert free.discoverers("black") == 0
    assert Board("3r3k/8/8/3n4/8/8/8/3K4 w - - 0 1").discoverers("black") == squares("d5")
    assert Board("3r3k/8/8/3n4/8/8/8/3K4 w - - 0 1").pinned("white") == ()
    assert Board("3r3k/8/8/3N4/8/8/8/3K4 w - - 0 1").discoverers("black") == 0
    assert Board("3r3k/3R4/8/3N4/8/8/8/3K4 w - - 0 1").pinned("white") == ()


def test_attacks_through_pieces() -> None:
    board = Board("4k3/8/4p3/8/2n1P3/8/4P3/B3R1K1 w - - 0 1")
    e1, a1 = parse_square("e1"), parse_square("a1")
    assert board.xray_attacks(e1) == squares("e3 e4 h1")
    assert board.xray_attacks(e1, 0) == 0
    assert board.xray_attacks(e1, squares("e2")) == squares("e3 e4")
    assert board.xray_attacks(a1) == 0
    queen = Board("4k3/8/2p5/8/4P3/2P5/8/Q3K3 b - - 0 1")
    assert queen.xray_attacks(0) == squares("d4 e5 f6 g7 h8 f1 g1 h1")
    assert queen.xray_attacks(0, queen.pieces_of("white")) == queen.xray_attacks(0)
    black = Board("r3k3/8/8/p7/8/P7/8/4K3 w - - 0 1")
    assert black.xray_attacks(56) == squares("a4 a3 f8 g8 h8")
    for square, what in ((4, "white king on e1"), (0, "nothing on a1")):
        assert message_of(lambda square=square: black.xray_attacks(square)) == (
            f"square: {what}: expected a bishop, rook or queen"
        )


def test_batteries_of_each_colour() -> None:
    board = Board("3rk3/3r4/8/8/8/8/1B6/Q3K3 w - - 0 1")
    assert board.batteries("white") == (Battery(9, 0, squares("c3 d4 e5 f6 g7 h8")),)
    assert board.batteries("black") == (Battery(51, 59, squares("d6 d5 d4 d3 d2 d1")),)
    assert Board("4k3/8/8/8/8/8/1B6/Q3K3 b - - 0 1").batteries("black") == ()


def test_attackers_where_other_squares_are_occupied() -> None:
    board = Board("4k3/8/8/8/8/4N3/4R3/4R1K1 w - - 0 1")
    c2, e5 = parse_square("c2"), parse_square("e5")
    assert board.attackers("white", c2) == squares("e2 e3")
    assert board.attackers("black", c2) == 0
    assert board.attackers("white", e5) == 0
    assert board.attackers("white", e5, 0) == squares("e1 e2")
    assert board.attackers("white", e5, squares("e2")) == squares("e2")
    assert (board.is_attacked_by("white", e5), board.is_attacked_by("white", e5, 0)) == (False, True)
    assert message_of(lambda: board.attackers("white", e5, -1)).startswith("occupied: -1 is outside")


def test_slides_have_a_number_of_moves() -> None:
    assert progressive_mobility("rook", 0, 0) == progressive_mobility("rook", 0, 0, 2)
    assert len(progressive_mobility("rook", 0, 0, 63)) == 63
    assert progressive_mobility("bishop", 0, 0, 1) == (squares("b2 c3 d4 e5 f6 g7 h8"),)
    assert message_of(lambda: progressive_mobility("rook", 0, 0, 0)) == "moves: 0: expected 1 to 63"
    assert message_of(lambda: progressive_mobility("rook", 0, 0, 64)) == "moves: 64: expected 1 to 63"
    assert message_of(lambda: progressive_mobility("rook", 0, 0, "2")) == "moves: '2': expected an int from 1 to 63"  # type: ignore[arg-type]
    assert trajectories("bishop", 0, 63, 0) == ((0, 63),)
    assert trajectories("bishop", 0, 63, 1) == ((0, 63),)
    assert trajectories("rook", 0, squares("a3 c1"), 0) == ((0, 2), (0, 16))
    assert trajectories("rook", 0, squares("a3 c1"), squares("a2 b1")) == ()
    assert trajectories("rook", 0, squares("a1 c1"), 0) == ((0,),)


# Helpmates.


def played(board: Board, moves: Any) -> Board:
    board = board.copy()
    for move in moves:
        board.push(move)
    return board


@pytest.mark.parametrize(
    ("fen", "winner"),
    [
        ("7k/8/6K1/8/8/8/8/6Q1 w - - 0 1", True),
        ("7k/8/6K1/8/8/8/8/6Q1 b - - 0 1", True),
        ("7K/8/6k1/8/8/8/8/6q1 w - - 0 1", False),
    ],
)
def test_helpmates_of_the_side_that_can_mate(fen: str, winner: bool) -> None:
    board = Board(fen)
    assert (board.can_mate(winner), board.can_mate(not winner)) == (True, False)
    assert board.is_dead_position() is False
    assert board.find_helpmate(not winner) is None
    for line in (
        board.find_helpmate(),
        board.find_helpmate(winner),
        board.find_helpmate("white" if winner else "black"),
    ):
        assert line is not None
        mate = played(board, line)
        assert (mate.is_checkmate(), mate.turn) == (True, not winner)


def test_answers_without_a_search() -> None:
    mate = Board("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")
    assert (mate.find_helpmate("white"), mate.find_helpmate()) == ([], [])
    bare = Board(f"{KINGS} w - - 0 1")
    assert (bare.is_dead_position(limit=0), bare.can_mate("white", limit=0)) == (True, False)
    start = Board()
    assert (start.is_dead_position(limit=0), start.can_mate("white", limit=0)) == (None, None)
    assert start.find_helpmate(limit=0) is None
    assert message_of(lambda: start.find_helpmate("red")).startswith("winner: 'red': ")  # type: ignore[arg-type]
    assert message_of(lambda: start.can_mate("red")).startswith("colour: 'red': ")  # type: ignore[arg-type]
    for ask in (start.is_dead_position, start.find_helpmate):
        assert message_of(ask, limit=-1).startswith("limit: -1")
    chess960 = Board("4k3/8/8/8/8/8/8/4K2R w H - 0 1", chess960=True)
    line = chess960.find_helpmate("white")
    assert line is not None
    assert played(chess960, line).is_checkmate()


@pytest.mark.parametrize(
    ("fen", "word", "texts"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", 4 | 7 << 6 | 3 << 14, ("e1g1", "O-O", "O-O")),
        ("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", 60 | 56 << 6 | 3 << 14, ("e8c8", "O-O-O", "O-O-O")),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", 36 | 43 << 6 | 2 << 14, ("e5d6", "exd6", "e5xd6")),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", 48 | 56 << 6 | 7 << 12, ("a7a8q", "a8=Q", "a7-a8=Q")),
        ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 12 | 28 << 6, ("e2e4", "e4", "e2-e4")),
    ],
)
def test_a_move_may_be_given_as_its_word(fen: str, word: int, texts: tuple[str, str, str]) -> None:
    board = Board(fen)
    assert (board.uci(word), board.san(word), board.lan(word)) == texts
    assert board.uci(word, chess960=False) == board.xboard(word) == texts[0]
    assert board.move_word(word) == word
    assert board.is_legal(word)
    assert (board.is_castling(word), board.is_en_passant(word)) == (word >> 14 == 3, word >> 14 == 2)
    assert board.is_capture(word) == (word >> 14 == 2)
    assert board.is_zeroing(word) == (word >> 14 != 3)
    after = board.copy()
    after.push(word)
    assert after.peek() is board.parse_san(texts[1])
    assert board.variation_san([word]).endswith(texts[1])
    assert board.san_and_push(word) == texts[1]
