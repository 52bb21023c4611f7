"""What callers hand over is used, copied or refused: columns, boards, sides, moves, arrays to fill."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from corpus import EDGES, corpus
from rookery.bitboards.colours import BLACK, WHITE
from rookery.board.board import Board
from rookery.board.moves import Move
from rookery.board.rows import CLOCK, NUMBER, replaced
from rookery.positions.layout import Columns
from rookery.positions.positions import Positions
from rookery.rules.notation.start import START


def edges() -> Positions:
    return Positions.from_fens(list(EDGES))


# Columns.


def test_what_is_no_columns_is_refused_at_once() -> None:
    anything: list[Any] = [["8/8/8/8/8/8/8/8 w - - 0 1"], None, 5, START, [Board()], (), {}, edges()]
    for wrong in anything:
        with pytest.raises(TypeError, match=r"^columns: .*: expected .*Columns; Positions.from_fens reads texts"):
            Positions(wrong)


def test_columns_of_unequal_lengths_are_refused() -> None:
    columns = edges().columns
    restored, (kind, state) = edges().__reduce__()  # what a pickle keeps
    for name in Columns._fields[1:]:
        shorter = columns._replace(**{name: getattr(columns, name)[1:]})
        with pytest.raises(ValueError, match=rf"^{name}: {len(EDGES) - 1} values, but {len(EDGES)} in pawns"):
            Positions(shorter)
        with pytest.raises(ValueError, match=rf"^{name}: "):
            restored(kind, {**state, "columns": shorter})


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ([1, 2], "kings: list: expected one dimension of uint64"),
        (None, "kings: NoneType"),
        (np.zeros(len(EDGES)), "kings: an array of float64: expected"),
        (np.zeros(len(EDGES), np.int64), "kings: an array of int64: expected"),
        (np.zeros(len(EDGES), ">u8"), "kings: an array of >u8: expected"),
        (np.zeros((len(EDGES), 1), np.uint64), r"kings: an array of uint64 and shape \(\d+, 1\): expected"),
    ],
)
def test_columns_of_other_kinds_are_refused(column: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}"):
        Positions(edges().columns._replace(kings=column))


def test_columns_of_any_layout_are_made_fit() -> None:
    positions = edges()
    assert Positions(positions.columns).columns is positions.columns
    wide = np.zeros((len(positions), 2), np.uint64)
    wide[:, 0] = positions.columns.kings
    read_only = positions.columns.pawns.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(8 * len(positions) + 1, np.uint8)[1:].view(np.uint64)
    unaligned[:] = positions.columns.white

    class Own(np.ndarray[Any, Any]):
        pass

    changed = Positions(
        positions.columns._replace(
            kings=wide[:, 0], pawns=read_only, white=unaligned, state=positions.columns.state.view(Own)
        )
    )
    assert changed == positions
    for column in changed.columns:
        assert type(column) is np.ndarray
        assert column.flags.carray
        assert column.flags.aligned
    assert changed.legal_move_counts().tolist() == positions.legal_move_counts().tolist()


# Boards.


def test_counters_that_do_not_fit_are_refused() -> None:
    board = Board()
    board.halfmove_clock = board.fullmove_number = 999_999_999  # the most that a FEN can hold
    (again,) = Positions.from_boards([board])
    assert (again.halfmove_clock, again.fullmove_number) == (999_999_999, 999_999_999)
    for name, word in (("halfmove_clock", CLOCK), ("fullmove_number", NUMBER)):
        for value in (2**30, 2**64 - 1):
            strange = Board()
            strange._row = replaced(strange._row, word, value)  # past the check of the board itself
            with pytest.raises(ValueError, match=rf"^boards\[1\]: {name} {value}: expected 0 to 1073741823"):
                Positions.from_boards([Board(), strange])


def test_what_is_no_board_is_refused() -> None:
    with pytest.raises(TypeError, match=rf"^boards\[1\]: '{START[:20]}.*: expected a rookery.Board"):
        Positions.from_boards([Board(), START])  # type: ignore[list-item]
    with pytest.raises(TypeError, match=r"^parts\[1\]: Board.*: expected Positions"):
        Positions.concatenate([edges(), Board()])  # type: ignore[list-item]


# Sides.


def test_a_side_is_a_colour_as_everywhere() -> None:
    p = Positions.from_boards(corpus(1000))
    asks: list[Callable[[Any], Any]] = [
        lambda side: p.attacks(side),
        lambda side: p.attacks(side, "rook"),
        lambda side: p.attack_counts(side),
        lambda side: p.checkers(side),
        lambda side: p.pinned(side=side),
        lambda side: p.pinners(side),
        lambda side: p.discoverers(side),
        lambda side: p.king_danger(side),
        lambda side: p.mobility(side=side),
        lambda side: p.mobility("rook", side=side),
        lambda side: p.progressive_mobility("rook", side=side),
    ]
    for ask in asks:
        for name, colour in (("white", WHITE), ("black", BLACK)):
            expected = ask(name)
            assert np.array_equal(ask(colour), expected)
            assert np.array_equal(ask(np.bool_(colour)), expected)
        for wrong in (1, 0, None, "White", "red", 1.0):
            with pytest.raises(ValueError, match=r"^side: .*: expected one of us, them, white, black"):
                ask(wrong)


# Moves.


def test_moves_of_any_layout() -> None:
    p = Positions.from_boards(corpus(500))
    p = p[p.legal_move_counts() > 0]
    moves = p.random_moves(3)
    expected, texts, indices = p.play(moves), p.uci(moves), p.policy_index(moves)
    wide = np.zeros((len(p), 3), np.uint16)
    wide[:, 1] = moves
    read_only = moves.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(2 * len(p) + 1, np.uint8)[1:].view(np.uint16)
    unaligned[:] = moves
    layouts = (wide[:, 1], moves[::-1][::-1], read_only, unaligned, moves.astype(">u2"), moves.astype(np.int64))
    for given in (*layouts, moves.tolist(), [Move(word) for word in moves.tolist()]):
        assert p.play(given) == expected
        assert np.array_equal(p.uci(given), texts)
        assert np.array_equal(p.policy_index(given), indices)


@pytest.mark.parametrize(
    "wrong", [None, "e2e4", ["e2e4", "e2e4"], [1.0, 2.0], [True, False], [None, None], [{}, {}]], ids=repr
)
def test_what_is_no_move(wrong: Any) -> None:
    p = Positions.from_boards([Board(), Board()])
    for call in (p.play, p.uci, p.policy_index):
        with pytest.raises((TypeError, ValueError), match=r"^moves: (an array of|shape)"):
            call(wrong)


# Arrays to fill.

FILLING = {
    name: method
    for name, method in inspect.getmembers(Positions, inspect.isfunction)
    if not name.startswith("_") and "out" in inspect.signature(method).parameters
}
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "progressive_mobility": ("rook",),
    "attacks_from": ("e4", "queen"),
    "forks": ("knight", "kq"),
    "motif": ("passed",),
    "moving_pieces": (np.zeros(len(EDGES), np.uint16),),  # null moves
    "captured_pieces": (np.zeros(len(EDGES), np.uint16),),
}


def test_the_methods_that_fill_arrays_are_found() -> None:
    assert {"planes", "policy_mask", "attacks", "is_check", "keys", "is_valid", "legal_move_counts"} <= set(FILLING)


@pytest.mark.parametrize("name", FILLING)
def test_an_array_to_fill_lies_apart_from_the_positions(name: str) -> None:
    p, n = edges(), len(EDGES)
    arguments = ARGUMENTS.get(name, ())
    expected = getattr(p, name)(*arguments)
    # Positions whose columns are the first words of what is to be filled.
    buffer = np.zeros(max(expected.nbytes, 9 * 8 * n) // 8 + 1, np.uint64)
    columns = [buffer[i * n : (i + 1) * n] for i in range(9)]
    for column, words in zip(columns, p.columns, strict=True):
        column[:] = words
    out = buffer.view(np.uint8)[: expected.nbytes].view(expected.dtype).reshape(expected.shape)
    inside = Positions(Columns(*columns))
    before = buffer.copy()
    with pytest.raises(ValueError, match=r"^out: shares memory with the positions: expected separate memory"):
        getattr(inside, name)(*arguments, out=out)
    assert np.array_equal(buffer, before)
    assert getattr(inside, name)(*arguments, out=out.copy()).tobytes() == expected.tobytes()


@pytest.mark.parametrize("name", FILLING)
def test_an_array_to_fill_is_of_the_right_form(name: str) -> None:
    p = edges()
    arguments = ARGUMENTS.get(name, ())
    expected = getattr(p, name)(*arguments)
    read_only = np.empty_like(expected)
    read_only.flags.writeable = False
    strided = np.empty((*expected.shape, 2), expected.dtype)[..., 0]
    others: list[Any] = [np.empty(0, expected.dtype), np.empty(expected.shape, np.complex128), [], "out"]
    for wrong in (read_only, strided, *others):
        with pytest.raises((TypeError, ValueError), match=r"^out: .*expected a writeable, C-contiguous"):
            getattr(p, name)(*arguments, out=wrong)


# What errors quote.


def test_errors_quote_no_megabytes() -> None:
    p = edges()
    long = "8/" * 1_000_000
    calls: list[Callable[[], Any]] = [
        lambda: Positions([long]),  # type: ignore[arg-type]
        lambda: Positions.from_fens([long]),
        lambda: Positions.from_fens(long.encode()),
        lambda: Positions.from_fens([long], errors=long),  # type: ignore[arg-type]
        lambda: Positions.from_fens([START], chess960=long),  # type: ignore[arg-type]
        lambda: Positions.from_fens([START, {long: long}]),
        lambda: Positions.from_boards([long]),  # type: ignore[list-item]
        lambda: Positions.from_numpy(long),  # type: ignore[arg-type]
        lambda: p[long],  # the name of a column
        lambda: p.attacks(long),  # type: ignore[arg-type]
        lambda: p.attacks("us", long),  # type: ignore[arg-type]
        lambda: p.pinned(line=long),  # type: ignore[arg-type]
        lambda: p.planes([long]),
        lambda: p.planes(long),
        lambda: p.policy_mask(long),  # type: ignore[arg-type]
        lambda: p.to_fens(en_passant=long),  # type: ignore[arg-type]
        lambda: p.is_check(threads=long),  # type: ignore[arg-type]
        lambda: p.random_moves(long),  # type: ignore[arg-type]
        lambda: p.rollouts(1, max_plies=long),  # type: ignore[arg-type]
        lambda: p.progressive_mobility("rook", long),  # type: ignore[arg-type]
        lambda: Positions.scan_fens([START], batch_size=long),  # type: ignore[arg-type]
    ]
    for i, call in enumerate(calls):
        with pytest.raises((TypeError, ValueError, KeyError)) as error:
            call()
        assert len(str(error.value)) < 2500, (i, str(error.value)[:200])
    (bad,) = Positions.from_fens([long], errors="skip").bad_lines
    assert len(str(bad)) < 500
    assert bad.text == long
