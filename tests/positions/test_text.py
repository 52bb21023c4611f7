"""Lines read and written all at once are what `Board` makes of them one by one."""

import functools
import io
import pickle
import random
from pathlib import Path
from typing import Any

import chess
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus import EDGES, STRANGE, corpus
from rookery.bitboards.placement import fields_of
from rookery.board.board import Board
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START
from thinning import examples

KINGS = "4k3/8/8/8/8/8/8/4K3"
BAD = (
    "",
    " ",
    KINGS,
    f"{KINGS} w -",
    f"{KINGS} w - - 0 1 2",
    "4k3/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3/8 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3/ w - - 0 1",
    "/4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3//8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K2 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K4 w - - 0 1",
    "4k3/8/8/8/8/8/7/4K4 w - - 0 1",
    "4k3/8/8/8/8/8/71/4K3 w - - 0 1",
    "4k3/8/8/44/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/ppppppppp/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8p/7/8/8/4K3 w - - 0 1",
    "4k3/8/8/0p7/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/9/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4X3 w - - 0 1",
    "4k3/8/8/8/8/8/8/4K3\0 w - - 0 1",
    "8" * 64 + " w - - 0 1",
    "p" * 64 + " w - - 0 1",
    f"{KINGS} x - - 0 1",
    f"{KINGS} ww - - 0 1",
    f"{KINGS} w x - 0 1",
    f"{KINGS} w -- - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KK - 0 1",
    "r3k2r/8/8/8/8/8/8/R3KR1R w FH - 0 1",
    "r3k2r/8/8/8/8/8/4K3/R6R w K - 0 1",
    f"{KINGS} w - x 0 1",
    f"{KINGS} w - e9 0 1",
    f"{KINGS} w - e3 0 1",
    f"{KINGS} b - e6 0 1",
    f"{KINGS} w - - -1 1",
    f"{KINGS} w - - 0123456789 1",
    f"{KINGS} w - - 0 ٣",
    f"{KINGS} w - - 0 1x",
    "é",
)


def as_text(fens: Any, newline: str = "\n") -> bytes:
    return "".join(fen + newline for fen in fens).encode()


@functools.cache
def positions_of_corpus(n: int) -> tuple[Positions, tuple[Board, ...]]:
    boards = (*corpus(n), *(Board.unchecked(fen) for fen in STRANGE))
    return Positions.from_boards(boards), boards


def round_trips(n: int) -> None:
    positions, boards = positions_of_corpus(n)
    for en_passant in ("legal", "fen", "xfen"):
        for shredder in (False, True):
            how: Any = {"en_passant": en_passant, "shredder": shredder}
            fens = positions.to_fens(**how)
            assert fens == [board.fen(**how) for board in boards]
            assert positions.to_epds(**how) == [fen.rsplit(" ", 2)[0] for fen in fens]
    fens = positions.to_fens(en_passant="fen")
    unchecked = Positions.from_boards(map(Board.unchecked, fens))
    for source in (fens, as_text(fens), as_text(fens, "\r\n"), as_text(fens)[:-1]):
        assert Positions.from_fens(source) == unchecked
    again = Positions.from_fens(as_text(positions.to_fens(en_passant="fen", shredder=True)), chess960=True)
    for name, column in positions.columns._asdict().items():
        if name != "state":
            assert np.array_equal(getattr(again.columns, name), column), name
    assert np.array_equal(again.turn, positions.turn)
    assert np.array_equal(again.halfmove_clock, positions.halfmove_clock)
    assert np.array_equal(again.fullmove_number, positions.fullmove_number)
    assert again.chess960.all()


def test_fifty_thousand_are_read_and_written_as_boards_are() -> None:
    round_trips(50_000)


@pytest.mark.slow
def test_a_million_are_read_and_written_as_boards_are() -> None:
    round_trips(1_000_000)


def test_python_chess_writes_the_same() -> None:
    # 2,000 of them, and all edges: python-chess takes 0.2 ms each.
    _, boards = positions_of_corpus(50_000)
    chosen = [*boards[: 2 * len(EDGES)], *boards[-len(STRANGE) :], *random.Random(5).sample(boards, 2000)]
    fens = [board.fen(en_passant="fen", shredder=True) for board in chosen]
    positions = Positions.from_fens(fens)
    for shredder in (False, True):
        for en_passant in ("legal", "fen", "xfen"):
            expected = [chess.Board(fen, chess960=True).fen(shredder=shredder, en_passant=en_passant) for fen in fens]
            assert positions.to_fens(shredder=shredder, en_passant=en_passant) == expected
    for fen, board in zip(fens, positions, strict=True):
        theirs = chess.Board(fen, chess960=True)
        assert board.castling_rights == theirs.castling_rights
        assert (board.turn, board.ep_square) == (theirs.turn, theirs.ep_square)
        assert [board.piece_at(s) for s in range(64)] == [
            piece.symbol() if (piece := theirs.piece_at(s)) else None for s in range(64)
        ]


def verdict(fen: str) -> tuple[Board | None, str]:
    try:
        return Board.unchecked(fen), ""
    except ValueError as error:
        return None, str(error)


def assert_read_as_board(fen: str) -> None:
    board, reason = verdict(fen)
    positions = Positions.from_fens([START, fen, START], errors="mark")
    assert positions.marked.tolist() == [False, board is None, False]
    if board is None:
        (bad,) = positions.bad_lines
        assert (bad.line, bad.text) == (2, fen)
        assert bad.reason == reason
        assert not any(column[1] for name, column in positions.columns._asdict().items() if name != "state")
        with pytest.raises(ValueError, match=r"^line 2: ") as error:
            Positions.from_fens([START, fen])
        assert reason in str(error.value)
        assert repr(fen) in str(error.value)
    else:
        assert not positions.bad_lines
        assert positions[1:2] == Positions.from_boards([board])


@pytest.mark.parametrize("fen", BAD)
def test_what_a_board_refuses_is_refused_for_the_same_reason(fen: str) -> None:
    assert verdict(fen)[0] is None
    assert_read_as_board(fen)


SIGNS = "pnbrqkPNBRQK12345678/ -wbKQkqAHahe360129\t\nxé\0\xa0"


@st.composite
def damaged(draw: st.DrawFn) -> str:
    fen = draw(st.sampled_from([*EDGES, *STRANGE, START]))
    for _ in range(draw(st.integers(0, 3))):
        i, j = sorted(draw(st.tuples(st.integers(0, len(fen)), st.integers(0, len(fen)))))
        fen = fen[:i] + draw(st.text(SIGNS, max_size=2)) + fen[min(j, i + 2) :]
    return fen


@given(damaged() | st.text(SIGNS, max_size=90) | st.text(max_size=20))
@examples(600)
def test_any_line_is_read_as_a_board_reads_it(fen: str) -> None:
    # These signs where the clock should be begin an EPD's operations, which have tests of their own.
    fields = fields_of(fen)
    if len(fields) > 4 and (fields[4][0].isalpha() or fields[4][0] in "-;"):
        Positions.from_fens([fen], errors="skip")
    else:
        assert_read_as_board(fen)


@given(st.lists(damaged(), max_size=8), st.sampled_from(["\n", "\r\n"]), st.booleans())
@examples(150)
def test_bytes_are_read_as_their_lines_are(fens: list[str], newline: str, ended: bool) -> None:
    lines = [fen.replace("\n", "") for fen in fens]
    text = newline.join(lines) + (newline if ended else "")
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    numbers = [i for i, line in enumerate(lines) if line.strip(" \t\r\v\f")]
    expected = Positions.from_fens([lines[i] for i in numbers], errors="mark")
    kinds = (text, text.encode(), bytearray(text.encode()), io.StringIO(text, newline=""), io.BytesIO(text.encode()))
    for source in kinds:
        positions = Positions.from_fens(source, errors="mark")
        assert positions == expected
        assert [(bad.line, bad.text) for bad in positions.bad_lines] == [
            (numbers[bad.line - 1] + 1, bad.text) for bad in expected.bad_lines
        ]
    skipped = Positions.from_fens(text.encode(), errors="skip")
    assert skipped == expected[~expected.marked]
    assert len(skipped.bad_lines) == len(expected.bad_lines)


def test_blank_lines_count_and_a_last_newline_is_none() -> None:
    text = f"\n{START}\n  \t\r\n\n{KINGS} w - -\nbad\n"
    positions = Positions.from_fens(text, errors="mark")
    assert positions.marked.tolist() == [False, False, True]
    assert [(bad.line, bad.text) for bad in positions.bad_lines] == [(6, "bad")]
    assert str(positions.bad_lines[0]).startswith("line 6: FEN: 'bad' has 1 fields")
    assert len(Positions.from_fens("\n\n")) == 0
    assert len(Positions.from_fens(["", "\n"], errors="skip")) == 0
    assert [bad.line for bad in Positions.from_fens(["", START, "\n"], errors="skip").bad_lines] == [1, 3]
    assert Positions.from_fens([f"{START}\n"]) == Positions.from_fens([START])


def test_the_error_names_line_reason_and_text() -> None:
    fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkx - 0 1"
    with pytest.raises(ValueError, match=r"^line 3: ") as error:
        Positions.from_fens(f"{START}\n\n{fen}\n{START}\nworse\n".encode())
    assert str(error.value) == f"line 3: FEN field 3 (castling): 'KQkx': unexpected 'x', in {fen!r}"


def test_signs_outside_ascii_are_shown_as_they_are() -> None:
    for source in (["é"], "é", "é".encode(), io.StringIO("é")):
        (bad,) = Positions.from_fens(source, errors="skip").bad_lines
        assert bad.text == "é"
    (bad,) = Positions.from_fens(b"\xff", errors="skip").bad_lines
    assert bad.text == "\\xff"


def test_a_file_of_either_kind(tmp_path: Path) -> None:
    path = tmp_path / "positions.epd"
    path.write_bytes(as_text(EDGES, "\r\n"))
    expected = Positions.from_fens(list(EDGES))
    with path.open() as file:
        assert Positions.from_fens(file) == expected
    with path.open("rb") as file:
        assert Positions.from_fens(file) == expected
    assert Positions.from_fens(line for line in EDGES) == expected
    assert Positions.from_fens(np.array(EDGES)) == expected


@pytest.mark.parametrize(
    ("operations", "counters"),
    [
        ("", (0, 1)),
        ('bm Nf3; id "a;b \\"c\\" fmvn 9;";', (0, 1)),
        ("hmvc 3; fmvn 7;", (3, 7)),
        ("fmvn 999999999; bm e4; hmvc 999999999;", (999999999, 999999999)),
        ("noop;resign;hmvc  5 ;", (5, 1)),
        ('c0 "";hmvcs 4; xfmvn 3; pv e4 e5;', (0, 1)),
        ("ce +35; acd 12; id é;", (0, 1)),
    ],
)
def test_epd_counters(operations: str, counters: tuple[int, int]) -> None:
    epd = f"{KINGS} b - - {operations}"
    positions = Positions.from_fens([epd])
    assert positions.to_fens() == [f"{KINGS} b - - {counters[0]} {counters[1]}"]
    assert Positions.from_fens(epd.encode()) == positions
    if "pv" not in operations and "bm" not in operations:  # a board would look for these moves
        assert Board.from_epd(epd)[0].fen() == positions.to_fens()[0]


@pytest.mark.parametrize(
    ("operations", "reason"),
    [
        ('id "open;', "the quote is not closed"),
        ('id "open\\";', "the quote is not closed"),
        ("id 1; 5 x;", "EPD operation: '5': expected a letter"),
        ("i+d 1;", "EPD operation: 'i+d': expected a letter"),
        ("hmvc 1; hmvc 1;", "EPD operation: 'hmvc' is given twice"),
        ("hmvc x;", "hmvc and fmvn: expected numbers"),
        ("hmvc;", "hmvc and fmvn: expected numbers"),
        ("hmvc 1 2;", "hmvc and fmvn: expected numbers"),
        ("hmvc 1234567890;", "hmvc and fmvn: expected numbers of at most 9 digits"),
        ("fmvn -1;", "hmvc and fmvn: expected numbers"),
        ('fmvn "3";', "hmvc and fmvn: expected numbers"),
    ],
)
def test_operations_that_are_none(operations: str, reason: str) -> None:
    epd = f"{KINGS} w - - {operations}"
    (bad,) = Positions.from_fens([epd], errors="skip").bad_lines
    assert reason in bad.reason
    with pytest.raises(ValueError, match=r"EPD|FEN"):
        Board.from_epd(epd)


@given(st.text('ab1;"\\ -+hmvc', max_size=14))
@examples(300)
def test_operations_are_refused_as_a_board_refuses_them(operations: str) -> None:
    # Only that an operation is given twice is not looked for.
    epd = f"{KINGS} w - - a {operations}"
    try:
        Board.from_epd(epd)
        expected = ""
    except ValueError as error:
        expected = str(error)
    bad_lines = Positions.from_fens([epd], errors="skip").bad_lines
    if "given twice" not in expected:
        # SAN is the board's affair.
        assert [bad.reason for bad in bad_lines] == ([expected] if expected.startswith("EPD operation") else [])


def test_counters_of_nine_digits_and_missing_ones() -> None:
    fens = [f"{KINGS} w - - 999999999 999999999", f"{KINGS} w - -", f"{KINGS} b - - 7", f"{KINGS} b - - 007 0"]
    positions = Positions.from_fens(fens)
    assert positions.halfmove_clock.tolist() == [999999999, 0, 7, 7]
    assert positions.fullmove_number.tolist() == [999999999, 1, 1, 1]
    assert not (positions.marked | positions.chess960).any()
    assert positions.to_fens()[0] == fens[0]


def test_chess960_is_recognised_or_requested() -> None:
    fens = ["r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", f"{KINGS} w - - 0 1"]
    fens += ["1r2k1r1/8/8/8/8/8/8/1R2K1R1 w KQkq - 0 1", "4k3/8/8/8/8/8/8/R1R1K2R w KC - 0 1"]
    assert Positions.from_fens(fens).chess960.tolist() == [Board(fen).chess960 for fen in fens]
    assert Positions.from_fens(fens, chess960=True).chess960.all()
    positions = Positions.from_fens(fens, chess960=False, errors="skip")
    assert [bad.line for bad in positions.bad_lines] == [1, 4, 5]
    for bad in positions.bad_lines:
        with pytest.raises(ValueError, match="Chess960") as error:
            Board(bad.text, chess960=False)
        assert bad.reason == str(error.value)


def test_a_missing_position_has_no_text() -> None:
    positions = Positions.from_fens([START, "bad", START], errors="mark")
    assert positions.to_fens() == [START, None, START]
    assert Positions.from_fens(positions.to_fens(), errors="mark") == positions
    assert positions.to_epds()[1] is None
    assert positions[1] is None


def test_none_one_slices_and_pickles() -> None:
    nothings: tuple[Any, ...] = ([], "", b"", io.StringIO(""))
    for nothing in nothings:
        none = Positions.from_fens(nothing)
        assert (len(none), none.to_fens(), none.bad_lines) == (0, [], ())
    positions = Positions.from_fens([*EDGES, "bad"], errors="skip")
    assert positions[3:40].to_fens(en_passant="fen") == [
        Board.unchecked(fen).fen(en_passant="fen") for fen in EDGES[3:40]
    ]
    assert positions[::3].to_fens() == positions.to_fens()[::3]
    assert pickle.loads(pickle.dumps(positions)) == positions
    assert len(positions.bad_lines) == 1
    assert positions[1:].bad_lines == pickle.loads(pickle.dumps(positions)).bad_lines == ()
    # More than are written at once.
    many = Positions.concatenate([positions] * 1000)
    assert many.to_fens() == positions.to_fens() * 1000


def test_the_longest_line_fits() -> None:
    # Sixteen castling rooks are not chess, and no FEN says so: eight per side stand on their back ranks all the same.
    pieces = "rrrrrrrr/pppppppp/pppppppp/pppppppp/PPPPPPPP/PPPPPPPP/PPPPPPPP/RRRRRRRR"
    columns = Positions.from_fens([f"{pieces} w - -"]).columns
    counters = np.full(1, (1 << 63) - 1 & ~4, np.uint64)
    strange = Positions(columns._replace(castling=columns.orthogonals, state=counters))
    fens = Positions.concatenate([strange] * 100).to_fens(shredder=True)
    assert set(fens) == {f"{pieces} b HGFEDCBAhgfedcba - 1073741823 1073741823"}


@pytest.mark.parametrize(
    ("lines", "error", "message"),
    [
        (5, TypeError, "lines: int: expected an iterable of texts"),
        (None, TypeError, "lines: NoneType"),
        ([START, 5], TypeError, r"lines\[1\]: 5: expected text"),
        ([START.encode()], TypeError, r"lines\[0\]: b'rnbq.*': expected text"),
    ],
)
def test_what_is_no_text(lines: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        Positions.from_fens(lines)


def test_arguments_are_checked() -> None:
    with pytest.raises(ValueError, match="errors: 'ignore': expected 'raise', 'skip' or 'mark'"):
        Positions.from_fens([], errors="ignore")  # type: ignore[arg-type]
    for wrong in ("no", 0, 1):
        with pytest.raises(TypeError, match=f"chess960: {wrong!r}: expected True, False or None"):
            Positions.from_fens([], chess960=wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="en_passant: 'always': expected 'legal', 'fen' or 'xfen'"):
        Positions.from_fens([START]).to_fens(en_passant="always")  # type: ignore[arg-type]


def test_each_set_of_occupied_squares_of_a_rank_is_written() -> None:
    rng = random.Random(1)
    fens = []
    for occupied in range(256):
        peer = chess.Board(None)
        for square in range(64):
            if (occupied ^ 17 * (square >> 3)) >> (square & 7) & 1:
                peer.set_piece_at(square, chess.Piece(rng.randint(1, 6), rng.random() < 0.5))
        peer.halfmove_clock, peer.fullmove_number = rng.randrange(1000), rng.randrange(1, 10 ** rng.randrange(1, 10))
        fens.append(peer.fen())
    boards = [Board.unchecked(fen) for fen in fens]
    assert Positions.from_boards(boards).to_fens() == [board.fen() for board in boards] == fens
