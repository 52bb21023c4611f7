"""A `SquareSet`, of this library or of python-chess, is taken as a board; and a `Bitboard` says what it lacks."""

import inspect
import operator
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

import rookery
from rookery import Bitboard, Board, SquareSet, bits, lines, sets, squares
from rookery.bitboards.pictures import board_svg


def method(owner: Any, name: str, *before: Any) -> Callable[[Any], Any]:
    """A method as a function of its last argument."""
    return lambda board: getattr(owner, name)(*before, board)


def listed(name: str) -> Callable[[Any], Any]:
    """The moves from, and to, the squares of a board."""
    return lambda board: [list(getattr(BOARD, name)(board)), list(getattr(BOARD, name)(to_mask=board))]


MASK = 0x8100_0000_1824_0081
OTHER = 0x0000_0010_1020_0001
BOARD = Board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1")

# Every public function that takes a board, as a function of one.
FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "Bitboard": Bitboard,
    "SquareSet": SquareSet,
    "rook_attacks": lambda x: rookery.rook_attacks(27, x),
    "rook_attacks of arrays": lambda x: rookery.rook_attacks(np.array([27, 28]), x),
    "rook_attacks of a list": lambda x: rookery.rook_attacks([27, 28], [x, x]),
    "bishop_attacks": lambda x: rookery.bishop_attacks(27, x),
    "queen_attacks": lambda x: rookery.queen_attacks(27, x),
    "fill": lambda x: rookery.fill("north", x, x),
    "fill of a list": lambda x: rookery.fill("north", [x], [x]),
    "ray_attacks": lambda x: rookery.ray_attacks("east", x, x),
    "progressive_mobility": lambda x: rookery.progressive_mobility("rook", 0, x),
    "trajectories": lambda x: rookery.trajectories("rook", 63, 1, x),
    "trajectories to an area": lambda x: rookery.trajectories("rook", 63, Bitboard(x), 0),
    "convert_board": lambda x: rookery.convert_board(x, "rank-big-little", "file-little-little"),
    "side_by_side": lambda x: rookery.side_by_side({"x": x}),
    "board_svg": lambda x: board_svg(sets={"x": x}, shaded=x),
    **{f"Technique.{n}": method(rookery.technique("hyperbola"), n, 27) for n in ("rook", "rank")},
    "Technique.ray": lambda x: rookery.technique("classical").ray("north", 0, x),
    "Technique.ask": lambda x: rookery.technique("rotated-hyatt").ask("rook", 0, x),
    "Technique.prepare": lambda x: rookery.technique("rotated-hyatt").prepare(x),
    "Technique.fill": lambda x: rookery.technique("kogge-stone").fill("north", x, x),
    **{
        f"Bitboard.{n}": method(Bitboard(MASK), n)
        for n in ("issubset", "issuperset", "isdisjoint", "union", "intersection", "difference", "symmetric_difference")
    },
    **{
        f"SquareSet.{n}": method(SquareSet(MASK), n)
        for n in ("issubset", "issuperset", "isdisjoint", "union", "intersection", "difference", "symmetric_difference")
    },
    "Board.attackers": lambda x: BOARD.attackers(True, 35, x),
    "Board.is_attacked_by": lambda x: BOARD.is_attacked_by(True, 35, x),
    "Board.xray_attacks": lambda x: BOARD.xray_attacks(0, x),
    "Board.piece_map": lambda x: BOARD.piece_map(mask=x),
    "Board.svg": lambda x: BOARD.svg(sets={"x": x}),
    **{
        f"Board.{n}": listed(n)
        for n in dir(Board)
        if n.startswith("generate_") and "from_mask" in inspect.signature(getattr(Board, n)).parameters
    },
}


def _parameters(function: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(inspect.unwrap(function)).parameters)


def shown(answer: Any) -> Any:
    return answer.tolist() if isinstance(answer, np.ndarray) else answer


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_set_is_taken_as_the_board_that_it_is(name: str) -> None:
    ask = FUNCTIONS[name]
    for mask in (0, 1, MASK, OTHER, (1 << 64) - 1):
        expected = shown(ask(mask))
        for given in (Bitboard(mask), SquareSet(mask), chess.SquareSet(mask)):
            found = shown(ask(given))
            assert found == expected
            assert type(found) is type(expected)


IN_MODULES = [
    (f"{module.__name__.rpartition('.')[2]}.{name}", function)
    for module in (bits, sets, lines)
    for name, function in vars(module).items()
    if name[0] != "_"
    and inspect.isfunction(function)
    and function.__module__ == module.__name__
    and set(_parameters(function)) & {"x", "b", "y", "mask", "occupied", "gen", "pro", "empty", "sliders"}
    and name not in ("squares_of", "rank_to_h_file", "fill_files", "between", "line")  # of an int, a byte, squares
]


def test_there_are_many_functions_of_boards() -> None:
    assert len(IN_MODULES) > 35
    assert len(FUNCTIONS) > 40


@pytest.mark.parametrize(("name", "function"), IN_MODULES)
def test_functions_of_boards_in_modules(name: str, function: Callable[..., Any]) -> None:
    parameters = inspect.signature(inspect.unwrap(function)).parameters
    boards = {"x", "b", "y", "mask", "occupied", "gen", "pro", "empty", "sliders"}

    def ask(board: Any) -> Any:
        answer = function(*(board if parameter in boards else 3 for parameter in parameters))
        return list(answer) if hasattr(answer, "__next__") else shown(answer)

    for mask in (1, 0x8021, OTHER & 0xFFFF_FFFF):
        try:
            expected = ask(mask)
        except (ValueError, TypeError, ZeroDivisionError):
            continue
        for given in (SquareSet(mask), chess.SquareSet(mask)):
            found = ask(given)
            assert found == expected, name
            assert type(found) is type(expected), name


def test_the_number_of_a_set_is_a_plain_int() -> None:
    for made in (SquareSet._of(Bitboard(MASK)), SquareSet(Bitboard(MASK)), SquareSet([0]) | Bitboard(MASK)):
        assert type(operator.index(made)) is type(int(made)) is int


def test_a_set_is_no_square() -> None:
    for ask in (
        lambda x: Board().attackers(True, x),
        lambda x: rookery.rook_attacks(x, 0),
        lambda x: rookery.rook_attacks([x], 0),
        lambda x: bits.bit(x),
        lambda x: bits.bit([x]),
        lambda x: squares.square_name(x),
        lambda x: x in Bitboard(5),
    ):
        with pytest.raises(TypeError):
            ask(SquareSet([0]))


# What a Bitboard has of a SquareSet, and what it says of the rest.


def test_a_bitboard_has_what_does_not_change_a_set() -> None:
    public = {name for name in dir(chess.SquareSet) if name[0] != "_"}
    made = {"from_square", "between", "ray"}  # of the class: lines.between and others make boards
    changes = {name for name in public if not hasattr(Bitboard, name)} - made
    assert changes == {
        "add", "clear", "difference_update", "discard", "intersection_update", "pop", "remove",
        "symmetric_difference_update", "update",
    }  # fmt: skip
    ours, theirs = Bitboard(MASK), chess.SquareSet(MASK)
    assert ours.tolist() == theirs.tolist()
    assert int(ours.mirror()) == int(theirs.mirror())
    assert ours.copy() == int(theirs.copy())
    assert list(Bitboard(0x8021).carry_rippler()) == list(chess.SquareSet(0x8021).carry_rippler())
    for name in ("union", "intersection", "difference"):
        found = getattr(ours, name)(OTHER)
        assert int(found) == int(getattr(theirs, name)(OTHER))
        assert type(found) is Bitboard
        assert getattr(ours, name)() == ours
        assert getattr(ours, name)(OTHER, 0xFF) == getattr(found, name)(0xFF)
    assert int(ours.symmetric_difference(OTHER)) == int(theirs.symmetric_difference(OTHER))
    for name in changes:
        with pytest.raises(AttributeError, match=rf"^{name}: a Bitboard does not change: SquareSet\(bitboard\) is"):
            getattr(ours, name)
        assert callable(getattr(SquareSet(ours), name))
    with pytest.raises(AttributeError, match=r"^'Bitboard' object has no attribute 'nothing'$"):
        _ = ours.nothing  # type: ignore[attr-defined]


def test_what_errors_of_bitboards_suggest() -> None:
    board = Bitboard(MASK)
    kept = SquareSet(board)
    assert next(iter(board)) == kept.pop()
    assert board & board - 1 == kept
    kept = SquareSet(board)
    kept.add(28)
    assert board | Bitboard.of(28) == kept
    kept.discard(28)
    assert board & ~Bitboard.of(28) == kept
