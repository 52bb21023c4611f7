"""Every fault of a FEN, and none that is no fault."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rookery.bitboards.placement import Placement
from rookery.board.board import Board
from rookery.board.reasons import every_fault
from rookery.counting.walk import POSITIONS
from rookery.rules.notation.fen import refusal
from rookery.rules.notation.fen_reasons import PIECES
from rookery.rules.notation.start import START

KIWIPETE = POSITIONS["kiwipete"]
KINGS = "4k3/8/8/8/8/8/8/4K3"


@pytest.mark.parametrize(
    ("fen", "parts"),
    [
        (START, ()),
        (f"{KINGS} w - -", ()),
        ("", ("has 0 fields",)),
        ("startx", ("has 1 fields", "has 1 ranks", "unexpected 's', 't', 'a', 'x'")),
        (f"{KINGS} w", ("has 2 fields",)),
        (f"{KINGS} x - - 0 1 2", ("has 7 fields", "field 2")),
        (
            "9/8/8/44/8/8/8/7 x Z! z9 a b",
            ("'9'", "two", "7 squares", "field 2", "'Z'", "'!'", "field 4", "field 5", "field 6"),
        ),
        ("8/8/8/8/8/8/8/8/8 w KQkq - 0 1", ("has 9 ranks",)),  # whether they may castle cannot be said
        (f"{KINGS} w Kq - 0 1", ("'K' has no rook", "'q' has no rook")),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KKQqx - 0 1", ("'K' says again", "unexpected 'x'")),
        (f"{KINGS} w - e3 0 1", ("expected a square on rank 6 when white is to move",)),
        (f"{KINGS} x - e3 0 1", ("field 2",)),
        (f"{KINGS} x - e4 0 1", ("field 2", "expected a square on rank 3 or 6")),
        (f"{KINGS} w - e6 x 1", ("field 5", "no black pawn on e5")),
        ("4k3/8/8/8/8/8/8/4RK2 w - - 0 x", ("field 6", "black's king is in check from e1")),
        ("4k3/8/8/8/8/8/8/4RK2 x - - 0 1", ("field 2",)),  # in check or not: it depends on who is to move
        ("8/8/8/8/8/8/8/8 x - - 0 1", ("field 2", "white has no king", "black has no king")),
        ("3R4/8/8/8/8/8/8/3kKr2 w - - 0 1", ("black's king is in check", "adjacent")),
    ],
)
def test_every_fault_is_reported(fen: str, parts: tuple[str, ...]) -> None:
    faults = every_fault(fen)
    assert len(faults) == len(set(faults))
    for part in parts:
        assert any(part in fault for fault in faults), (part, faults)
    assert len(faults) == len(parts), faults


@settings(deadline=None)
@given(st.data())
def test_a_fen_with_a_fault_is_one_that_is_refused(data: st.DataObject) -> None:
    fen = data.draw(st.sampled_from([START, KIWIPETE, "1r2k1r1/8/8/8/3pP3/8/8/1R2K1R1 b GBgb e3 0 1"]))
    for _ in range(data.draw(st.integers(0, 4))):
        at = data.draw(st.integers(0, len(fen)))
        fen = fen[:at] + data.draw(st.sampled_from("KQkqrRNp/12389 -wbxe36") | st.text(max_size=2)) + fen[at + 1 :]
    faults = every_fault(fen)
    printed = ""
    try:
        Board(fen)
    except ValueError as error:
        printed = str(error)
    if not printed:
        assert all("no game can reach this" in fault for fault in faults)
    elif printed.startswith("FEN field"):
        assert printed in faults
    else:
        assert faults


@pytest.mark.parametrize(
    "fen",
    [
        "8/" * 10**6,
        "x" * 10**6,
        "".join(map(chr, range(0x4E00, 0x9000))) * 50,
        f"{KINGS} w {'K' * 10**6} - 0 1",
        f"{KINGS} w {''.join(map(chr, range(0x4E00, 0x9000)))} - 0 1",
        f"{KINGS} {'w' * 10**6} - - {'1' * 10**6} {'1' * 10**6}",
        f"{KINGS} w - - 0 1 " * 10**5,
        f"{KINGS} w - - 0 1" + " " * 10**6 + "x",
    ],
    ids=range(8),
)
def test_errors_about_a_long_fen_are_short(fen: str) -> None:
    with pytest.raises(ValueError, match="FEN") as error:
        Board(fen)
    assert len(str(error.value)) < 300
    faults = every_fault(fen)
    assert 0 < len(faults) <= 50
    assert max(map(len, faults)) < 300


@settings(deadline=None)
@given(st.data())
def test_the_compiled_reader_of_pieces_and_that_of_placement_take_the_same(data: st.DataObject) -> None:
    field = data.draw(st.sampled_from([START.split()[0], KIWIPETE.split()[0], "8/8/8/8/8/8/8/8"]))
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(field) - 1))
        field = field[:at] + data.draw(st.sampled_from("KQkqrRNpPbB/123456789-wx\u00fc")) + field[at + 1 :]
    try:
        placement = Placement.from_fen(field)
    except ValueError:
        placement = None
    assert (refusal(f"{field} w - - 0 1")[0] == PIECES) == (placement is None)
    if placement and placement.white_king and placement.black_king:
        try:
            board = Board(f"{field} w - - 0 1")
        except ValueError:
            return  # pawns on a back rank, or too many of a kind
        assert board.placement == placement
