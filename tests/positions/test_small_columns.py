"""Columns of a few positions against python-chess: pieces, keys, moves, texts and endings, in plain Python, too."""

import operator
import random
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

import chess
import chess.polyglot
import numpy as np
import pytest

from rookery import Board, Positions
from rookery.board.moves import IllegalMoveError, Move
from rookery.frames.columns import Texts
from rookery.positions.language import texts
from rookery.positions.moves import judged
from small_positions import SMALL
from test_few_positions import FENS

BOARDS: Final = [chess.Board(fen) for fen in (*FENS, *SMALL)]
KINDS: Final = ("pawn", "knight", "bishop", "rook", "queen", "king")
SIDES: Final = ("us", "them", "white", "black")


@pytest.fixture(scope="module")
def positions() -> Positions:
    return Positions.from_fens([board.fen(en_passant="fen") for board in BOARDS])


def colour(board: chess.Board, side: str) -> chess.Color:
    return {"us": board.turn, "them": not board.turn, "white": chess.WHITE, "black": chess.BLACK}[side]


# Pieces.


@pytest.mark.parametrize("side", SIDES)
def test_pieces_and_their_values(positions: Positions, side: Any) -> None:
    for kind, name in enumerate(KINDS, 1):
        expected = [int(board.pieces(kind, colour(board, side))) for board in BOARDS]
        assert positions.pieces(name, side).tolist() == expected  # type: ignore[arg-type]
    assert positions.pieces(side=side).tolist() == [board.occupied_co[colour(board, side)] for board in BOARDS]
    kings = [board.king(colour(board, side)) for board in BOARDS]
    assert positions.king_square(side).tolist() == [64 if king is None else king for king in kings]
    for values in ((1, 3, 3, 5, 9), (100, -320, 330, 0, 1_000_000)):
        worth = [
            sum(value * len(board.pieces(kind, colour(board, side))) for kind, value in enumerate(values, 1))
            for board in BOARDS
        ]
        assert positions.material(side, values).tolist() == worth


def test_signatures(positions: Positions) -> None:
    def letters(board: chess.Board, side: chess.Color) -> str:
        return "".join(chess.piece_symbol(k).upper() * len(board.pieces(k, side)) for k in (6, 5, 4, 3, 2, 1))

    assert positions.signature().tolist() == [f"{letters(b, True)}v{letters(b, False)}" for b in BOARDS]


@pytest.mark.parametrize("name", KINDS)
def test_attacks_from_a_square(positions: Positions, name: Any) -> None:
    kind = KINDS.index(name) + 1
    for first, side in ((0, "us"), (5, "black")):
        squares = [(first + 7 * i) % 65 for i in range(len(BOARDS))]
        found = positions.attacks_from(squares, name, side)  # type: ignore[arg-type]
        for board, square, attacked in zip(BOARDS, squares, found.tolist(), strict=True):
            alone = board.copy(stack=False)
            if square < 64:
                alone.set_piece_at(square, chess.Piece(kind, colour(board, side)))
            assert attacked == (alone.attacks_mask(square) if square < 64 else 0)


@pytest.mark.parametrize("targets", ["k", "p", "n", "b", "r", "q", "kq", "pp", "kr", "bnr"])
def test_forks(positions: Positions, targets: str) -> None:
    wanted = Counter(chess.PIECE_SYMBOLS.index(letter) for letter in targets)
    for kind, name in enumerate(KINDS, 1):
        for side in ("us", "white"):
            expected = []
            for board in BOARDS:
                own, forking = colour(board, side), 0
                for square in board.pieces(kind, own):
                    pieces = [board.piece_at(target) for target in board.attacks(square)]
                    hit = Counter(piece.piece_type for piece in pieces if piece and piece.color != own)
                    forking |= (hit >= wanted) << square
                expected.append(forking)
            assert positions.forks(name, targets, side).tolist() == expected  # type: ignore[arg-type]


# Keys.


def test_keys_of_books_are_those_of_python_chess(positions: Positions) -> None:
    expected = [chess.polyglot.zobrist_hash(board) for board in BOARDS]
    assert positions.polyglot_keys().tolist() == expected
    assert positions[::-1].polyglot_keys().tolist() == expected[::-1]


@pytest.mark.parametrize("n", [0, 1, 31, 32])
def test_keys_of_any_number_of_positions(positions: Positions, n: int) -> None:
    assert positions[:n].keys().tolist() == positions.keys()[:n].tolist()


# Moves.


def test_counters_turn_and_castling_after_a_move(positions: Positions) -> None:
    moves = positions.random_moves(11)
    some = np.flatnonzero(moves)
    before = positions[some]
    played = before.play(moves[some])
    for row, text, now in zip(some.tolist(), before.uci(moves[some]).tolist(), played, strict=True):
        expected = BOARDS[row].copy(stack=False)
        expected.push_uci(text)
        assert now.fen(en_passant="fen") == expected.fen(en_passant="fen")


def test_words_of_no_legal_move_are_told_from_the_others() -> None:
    rng = random.Random(4)
    for board in BOARDS[::5]:
        one = Positions.from_fens([board.fen(en_passant="fen")])
        legal = one.legal_moves()[0].tolist()
        others = [rng.randrange(1 << 16) for _ in range(150)]
        near = [word ^ 1 << rng.randrange(16) for word in legal]
        words = np.array([*legal, *near, *others, 0], np.uint16)
        expected = {*legal, *(() if board.is_check() else (0,))}
        found = judged(one[np.zeros(words.size, np.intp)].columns, words, 1)
        assert {int(word) for word, good in zip(words, found, strict=True) if good} == expected


@pytest.mark.parametrize(
    ("fen", "move", "expected"),
    [
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 5 7", "e1g1", "4k3/8/8/8/8/8/8/R4RK1 b - - 6 7"),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 5 7", "a1a8", "R3k3/8/8/8/8/8/8/4K2R b K - 6 7"),
        ("r3k2r/8/8/8/8/8/8/4K3 b kq - 5 7", "e8c8", "2kr3r/8/8/8/8/8/8/4K3 w - - 6 8"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 5 7", "e5d6", "4k3/8/3P4/8/8/8/8/4K3 b - - 0 7"),
        ("4k3/8/8/8/8/8/p7/4K3 b - - 5 7", "a2a1n", "4k3/8/8/8/8/8/8/n3K3 w - - 0 8"),
        ("4k3/8/8/8/8/2p5/8/1R2K3 w - - 5 7", "b1b3", "4k3/8/8/8/8/1Rp5/8/4K3 b - - 6 7"),
        ("4k3/8/8/8/8/1p6/8/1R2K3 w - - 5 7", "b1b3", "4k3/8/8/8/8/1R6/8/4K3 b - - 0 7"),
        ("4k3/8/8/8/8/8/8/1R2K3 w - - 5 7", "0000", "4k3/8/8/8/8/8/8/1R2K3 b - - 6 7"),
        ("4k3/4p3/8/3P4/8/8/8/4K3 b - - 5 7", "e7e5", "4k3/8/8/3Pp3/8/8/8/4K3 w - e6 0 8"),
    ],
)
def test_positions_after_special_moves(fen: str, move: str, expected: str) -> None:
    board = Board(fen)
    parsed = board.parse_uci(move) if move != "0000" else Move.null()
    assert Positions.from_fens([fen]).play([parsed])[0].fen(en_passant="fen") == expected


def test_an_illegal_move_among_legal_ones_is_named(positions: Positions) -> None:
    moves = positions[:2].random_moves(1)
    with pytest.raises(IllegalMoveError, match=r"^moves\[1\]: a1a8 is not legal in 'r3k2r/p1ppqpb1/"):
        positions[:2].play([moves[0], Move.of(0, 56)])


# Texts.

COMPARED: Final = (operator.eq, operator.ne, operator.lt, operator.le, operator.gt, operator.ge)
TEXTS: Final = ["", "a", "ab", "abc", "abd", "b", "aab", "aaab", "é", "aé", "éa", "e", "bab", "c", None]


@pytest.mark.parametrize("compare", COMPARED)
def test_texts_are_compared_by_their_bytes(compare: Callable[[Any, Any], Any]) -> None:
    column = Texts.of(TEXTS)
    for text in filter(None, TEXTS):
        expected = [t is not None and compare(t.encode(), text.encode()) for t in TEXTS]
        assert texts.compared(compare, column, text).tolist() == expected
        mirrored = [t is not None and compare(text.encode(), t.encode()) for t in TEXTS]
        assert texts.compared(compare, text, column).tolist() == mirrored
    for shift in range(len(TEXTS)):
        other = TEXTS[shift:] + TEXTS[:shift]
        both = [
            a is not None and b is not None and compare(a.encode(), b.encode())
            for a, b in zip(TEXTS, other, strict=True)
        ]
        assert texts.compared(compare, column, Texts.of(other)).tolist() == both


@pytest.mark.parametrize("text", [text for text in TEXTS if text is not None])
def test_texts_begin_contain_and_end_with_others(text: str) -> None:
    column, plain = Texts.of(TEXTS), np.array([t or "" for t in TEXTS])
    for found, holds in (
        (texts.begins, str.startswith),
        (texts.ends, str.endswith),
        (texts.contains, str.__contains__),
    ):
        assert found(column, text).tolist() == [t is not None and holds(t, text) for t in TEXTS]
        assert found(plain, text).tolist() == [holds(t or "", text) for t in TEXTS]
    within = [t is not None and text != "" and text in t for t in TEXTS]
    assert texts.is_within(text, column).tolist() == within


def test_texts_in_lower_case() -> None:
    words = ["ABC", "a[Z", None, "@`z{", ""]
    assert list(texts.lower(Texts.of(words))) == ["abc", "a[z", None, "@`z{", ""]
    assert list(texts.lower(Texts.of([*words, "ÉİA"]))) == ["abc", "a[z", None, "@`z{", "", "ÉİA".lower()]


@pytest.mark.parametrize("en_passant", ["legal", "fen", "xfen"])
@pytest.mark.parametrize("shredder", [False, True])
def test_positions_are_written_as_by_python_chess(positions: Positions, en_passant: Any, shredder: bool) -> None:
    expected = [board.fen(shredder=shredder, en_passant=en_passant) for board in BOARDS]
    assert positions.to_fens(en_passant=en_passant, shredder=shredder) == expected
    fields = [fen.rsplit(" ", 2)[0] for fen in expected]
    assert positions.to_epds(en_passant=en_passant, shredder=shredder) == fields


def test_lines_are_read_skipped_marked_and_refused() -> None:
    lines = f"{FENS[0]}\n\n{FENS[1]}\nbad\n  \n{FENS[3]}"
    marked = Positions.from_fens(lines.encode(), errors="mark")
    assert marked.marked.tolist() == [False, False, True, False]
    assert [line.line for line in marked.bad_lines] == [4]
    skipped = Positions.from_fens(lines.encode(), errors="skip")
    assert skipped.to_fens() == [Board(FENS[i]).fen() for i in (0, 1, 3)]
    with pytest.raises(ValueError, match=r"line 4"):
        Positions.from_fens(lines.encode())
    assert Positions.from_fens([FENS[3]], chess960=True).chess960.tolist() == [True]
    assert Positions.from_fens([FENS[3]], chess960=False).chess960.tolist() == [False]
    fischer = "4k3/8/8/8/8/8/8/1R2K1R1 w GB - 0 1"
    assert Positions.from_fens([fischer]).chess960.tolist() == [True]
    with pytest.raises(ValueError, match="FEN"):
        Positions.from_fens([fischer], chess960=False)


# Endings.

CODES: Final = {
    chess.Termination.CHECKMATE: 1,
    chess.Termination.STALEMATE: 2,
    chess.Termination.INSUFFICIENT_MATERIAL: 3,
    chess.Termination.FIFTY_MOVES: 4,
    chess.Termination.SEVENTYFIVE_MOVES: 7,
}


@pytest.mark.parametrize("claimed", [False, True])
@pytest.mark.parametrize("clock", [0, 98, 99, 100, 101, 149, 150, 151])
@pytest.mark.parametrize(
    "pieces", ["7k/8/8/8/8/8/8/K6R", "7k/8/8/8/8/p7/P7/K7", "k7/P7/K7/8/8/8/8/8", "7k/8/8/8/8/8/8/K7"]
)
def test_clocks_end_games(pieces: str, clock: int, claimed: bool) -> None:
    for turn in "wb":
        fen = f"{pieces} {turn} - - {clock} 200"
        found = Positions.from_fens([fen]).outcomes(claim_draw=claimed)
        expected = chess.Board(fen).outcome(claim_draw=claimed)
        assert found.outcome.tolist() == [0]
        assert found.termination.tolist() == [CODES[expected.termination] if expected else 0]
