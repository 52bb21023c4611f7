"""Names, indices, directions, and the eight square mappings against each other by coordinates."""

import itertools
import random
import re
from collections.abc import Callable
from typing import Any

import chess
import numpy as np
import pytest

from rookery.bitboards import mappings, squares
from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.mappings import MAPPINGS, Mapping, convert_board, convert_square
from rookery.bitboards.squares import parse_square, square_name
from rookery.kernel import U64

OURS = "rank-little-little"
BOARDS = [random.Random(64).getrandbits(64) for _ in range(20)]


# Names.


def test_names() -> None:
    for rank, file in itertools.product(range(8), range(8)):
        square = 8 * rank + file
        name = "abcdefgh"[file] + "12345678"[rank]
        assert square_name(square) == squares.SQUARE_NAMES[square] == name
        assert parse_square(name) == square
        assert squares.square_at(rank, file) == square
        assert (squares.rank_index(square), squares.file_index(square)) == (rank, file)


def test_constants_are_squares_by_name() -> None:
    assert [getattr(squares, name.upper()) for name in chess.SQUARE_NAMES] == chess.SQUARES
    assert list(squares.SQUARE_NAMES) == chess.SQUARE_NAMES
    assert (squares.FILE_NAMES, squares.RANK_NAMES) == ("abcdefgh", "12345678")
    assert tuple(range(64)) == squares.SQUARES


@pytest.mark.parametrize(("name", "square"), [("a1", 0), ("b1", 1), ("h1", 7), ("a2", 8), ("e4", 28), ("h8", 63)])
def test_named_examples(name: str, square: int) -> None:
    assert parse_square(name) == square
    assert square_name(square) == name


@pytest.mark.parametrize("name", ["", "e", "e9", "e0", "i1", "E4", "e44", " e4", "4e", "a1b1", "-"])
def test_no_square(name: str) -> None:
    with pytest.raises(ValueError, match="expected a file a-h and a rank 1-8") as error:
        parse_square(name)
    assert repr(name) in str(error.value)


@pytest.mark.parametrize("square", [-1, 64, 1000, -(2**70)])
def test_off_the_board(square: int) -> None:
    with pytest.raises(ValueError, match="is off the board") as error:
        square_name(square)
    assert f" {square} " in str(error.value)


@pytest.mark.parametrize("square", ["e4", 3.0, None, True, np.float64(3), np.True_, [3]])
def test_no_square_number(square: object) -> None:
    with pytest.raises(TypeError, match="is not a square") as error:
        squares.check_square(square)  # type: ignore[arg-type]
    assert repr(square) in str(error.value)


def test_check_square_names_its_argument() -> None:
    with pytest.raises(ValueError, match="king: 64 is off the board"):
        squares.check_square(64, "king")
    with pytest.raises(TypeError, match="king: 'e1' is not a square"):
        squares.check_square("e1", "king")  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [np.uint8, np.int8, np.int64, np.uint64, int])
def test_check_square_gives_an_int(kind: type) -> None:
    checked = squares.check_square(kind(63))
    assert checked == 63
    assert type(checked) is int


OF_ONE_SQUARE = [
    (squares.square_name, chess.square_name),
    (squares.square_file, chess.square_file),
    (squares.square_rank, chess.square_rank),
    (squares.square_mirror, chess.square_mirror),
    (squares.file_index, chess.square_file),
    (squares.rank_index, chess.square_rank),
]


@pytest.mark.parametrize(("ours", "theirs"), OF_ONE_SQUARE)
def test_functions_of_a_square_take_numbers_of_numpy(ours: Any, theirs: Any) -> None:
    for square in range(64):
        expected = theirs(square)
        for found in (ours(square), ours(np.uint8(square)), ours(Bitboard(square))):
            assert found == expected
            assert type(found) is type(expected)


@pytest.mark.parametrize(("ours", "theirs"), OF_ONE_SQUARE)
@pytest.mark.parametrize("square", [-1, 64, np.int8(-1), np.uint8(64), 1 << 70])
def test_functions_of_a_square_refuse_numbers_off_the_board(ours: Any, theirs: Any, square: Any) -> None:
    with pytest.raises(ValueError, match=rf"^square: {square} is off the board: expected 0 \(a1\) to 63 \(h8\)$"):
        ours(square)


@pytest.mark.parametrize(("ours", "theirs"), OF_ONE_SQUARE)
@pytest.mark.parametrize("square", [True, 1.0, "e4", None, [1]])
def test_functions_of_a_square_refuse_what_is_not_a_number(ours: Any, theirs: Any, square: Any) -> None:
    message = f"square: {square!r} is not a square: expected an int from 0 (a1) to 63 (h8)"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        ours(square)


@pytest.mark.parametrize("kind", [np.uint8, np.int64, Bitboard])
def test_functions_of_two_numbers_take_those_of_numpy(kind: type) -> None:
    for rank, file in itertools.product(range(8), repeat=2):
        for first, second in ((kind(file), kind(rank)), (file, kind(rank)), (kind(file), rank)):
            assert squares.square(first, second) == squares.square_at(second, first) == 8 * rank + file
            assert type(squares.square(first, second)) is type(squares.square_at(second, first)) is int
    for a, b in itertools.product(range(0, 64, 3), range(0, 64, 5)):
        for first, second in ((kind(a), kind(b)), (a, kind(b)), (kind(a), b)):
            assert squares.square_distance(first, second) == chess.square_distance(a, b)
            assert squares.square_manhattan_distance(first, second) == chess.square_manhattan_distance(a, b)


OF_A_FILE_OR_RANK: list[tuple[str, Callable[[Any], int]]] = [
    ("file", lambda number: squares.square(number, 0)),
    ("rank", lambda number: squares.square(7, number)),
    ("rank", lambda number: squares.square_at(number, 0)),
    ("file", lambda number: squares.square_at(7, number)),
]


@pytest.mark.parametrize(("name", "function"), OF_A_FILE_OR_RANK)
def test_files_and_ranks_are_numbers_from_0_to_7(name: str, function: Callable[[Any], int]) -> None:
    for number in (-1, 8, np.int8(-1), np.uint8(8)):
        expected = rf"^{name}: (np\.u?int8\()?{number}\)?: expected (an int from )?0 to 7$"
        with pytest.raises(ValueError, match=expected):
            function(number)
    for wrong in (True, 1.0, "1", None):
        with pytest.raises(TypeError, match=rf"^{name}: {wrong!r}: expected an int from 0 to 7$"):
            function(wrong)


@pytest.mark.parametrize("distance", [squares.square_distance, squares.square_manhattan_distance])
def test_distances_are_between_squares_of_the_board(distance: Any) -> None:
    for wrong in (-1, 64):
        with pytest.raises(ValueError, match=rf"^a: {wrong} is off the board"):
            distance(wrong, 0)
        with pytest.raises(ValueError, match=rf"^b: {wrong} is off the board"):
            distance(63, wrong)


# Diagonals.


@pytest.mark.parametrize(
    ("name", "diagonal", "antidiagonal"),
    [("a1", 0, 7), ("h8", 0, 9), ("a8", 7, 0), ("h1", 9, 0), ("d4", 0, 1), ("e4", 15, 0), ("d5", 1, 0), ("e5", 0, 15)],
)
def test_diagonal_indices(name: str, diagonal: int, antidiagonal: int) -> None:
    assert squares.diagonal_index(parse_square(name)) == diagonal
    assert squares.antidiagonal_index(parse_square(name)) == antidiagonal


def test_squares_share_an_index_if_they_share_the_diagonal() -> None:
    for a, b in itertools.product(range(64), repeat=2):
        same_diagonal = a // 8 - a % 8 == b // 8 - b % 8
        same_antidiagonal = a // 8 + a % 8 == b // 8 + b % 8
        assert (squares.diagonal_index(a) == squares.diagonal_index(b)) == same_diagonal
        assert (squares.antidiagonal_index(a) == squares.antidiagonal_index(b)) == same_antidiagonal


def test_diagonals_above_and_below() -> None:
    for square in range(64):
        rank, file = divmod(square, 8)
        diagonal, antidiagonal = squares.diagonal_index(square), squares.antidiagonal_index(square)
        # How many ranks above a1-h8; how many below a8-h1. Negative numbers count down from 16.
        assert diagonal == (rank - file if rank >= file else 16 - (file - rank))
        assert antidiagonal == (7 - rank - file if rank + file <= 7 else 16 - (rank + file - 7))


# Directions.


def test_directions_go_clockwise_from_north() -> None:
    steps = {
        "north": 8,
        "northeast": 9,
        "east": 1,
        "southeast": -7,
        "south": -8,
        "southwest": -9,
        "west": -1,
        "northwest": 7,
    }
    assert list(steps) == list(squares.DIRECTIONS)
    for index, (name, by) in enumerate(steps.items()):
        assert squares.parse_direction(name) == index
        assert squares.STEPS[index] == by
        assert squares.STEPS[(index + 4) % 8] == -by
    indices = [squares.NORT, squares.NOEA, squares.EAST, squares.SOEA]
    indices += [squares.SOUT, squares.SOWE, squares.WEST, squares.NOWE]
    assert indices == list(range(8))


@pytest.mark.parametrize("name", ["", "nort", "noEa", "NORTH", "n", "north-east"])
def test_no_direction(name: str) -> None:
    with pytest.raises(
        ValueError, match="expected one of north, northeast, east, southeast, south, southwest, west, northwest"
    ) as error:
        squares.parse_direction(name)
    assert repr(name) in str(error.value)


# Mappings.


def place_in(mapping: str, rank: int, file: int) -> int:
    """The bit of (rank, file) in a mapping, by its name alone."""
    major, ranks, files = mapping.split("-")
    rank = {"little": rank, "big": 7 - rank}[ranks]
    file = {"little": file, "big": 7 - file}[files]
    return {"rank": 8 * rank + file, "file": 8 * file + rank}[major]


PAIRS = list(itertools.product(MAPPINGS, repeat=2))


def test_there_are_eight_mappings() -> None:
    assert len(MAPPINGS) == 8
    orders = {tuple(place_in(name, *divmod(square, 8)) for square in range(64)) for name in MAPPINGS}
    assert len(orders) == 8
    assert [str(mapping) for mapping in MAPPINGS.values()] == list(MAPPINGS)
    assert MAPPINGS["file-big-little"] == Mapping("file", "big", "little")


@pytest.mark.parametrize(
    ("mapping", "name", "index"),
    [
        (mappings.LITTLE_ENDIAN_RANK_FILE, "a1", 0),
        (mappings.LITTLE_ENDIAN_RANK_FILE, "b1", 1),
        (mappings.LITTLE_ENDIAN_FILE_RANK, "a1", 0),
        (mappings.LITTLE_ENDIAN_FILE_RANK, "a2", 1),
        (mappings.LITTLE_ENDIAN_FILE_RANK, "b1", 8),
        (mappings.BIG_ENDIAN_FILES, "h1", 0),  # DarkThought
        (mappings.BIG_ENDIAN_FILES, "g1", 1),
        (mappings.BIG_ENDIAN_FILES, "a8", 63),
        (MAPPINGS["rank-big-little"], "a8", 0),
        (MAPPINGS["rank-big-little"], "h1", 63),
        (MAPPINGS["rank-big-big"], "h8", 0),
        (MAPPINGS["file-big-big"], "h7", 1),
    ],
)
def test_mapping_examples(mapping: Mapping, name: str, index: int) -> None:
    assert mapping.index(parse_square(name)) == index
    assert mapping.square(index) == parse_square(name)
    assert convert_square(index, mapping, OURS) == parse_square(name)
    assert convert_square(parse_square(name), OURS, str(mapping)) == index


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (("Rank", "little", "little"), "major: 'Rank': expected rank or file"),
        (("rank", "small", "little"), "ranks: 'small': expected little or big"),
        (("rank", "little", 1), "files: 1: expected little or big"),
        ((["rank"], "little", "big"), "major: ['rank']: expected rank or file"),
    ],
)
def test_a_mapping_is_a_rank_or_a_file_little_or_big(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        Mapping(*values)


def test_a_mapping_has_indices_of_squares_alone() -> None:
    mapping = MAPPINGS["file-big-big"]
    for name, function in (("square", mapping.index), ("index", mapping.square)):
        for wrong in (-1, 64):
            with pytest.raises(ValueError, match=rf"^{name}: {wrong} is off the board"):
                function(wrong)
        assert function(np.array([], np.uint8)).tolist() == []
        assert sorted(function(np.arange(64)).tolist()) == list(range(64))


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_convert_square(source: str, target: str) -> None:
    for rank, file in itertools.product(range(8), range(8)):
        assert convert_square(place_in(source, rank, file), source, target) == place_in(target, rank, file)
    for kind in (np.int64, np.uint8, np.uint64):
        numbers: Any = np.arange(64, dtype=kind).reshape(8, 8)
        there = convert_square(numbers, source, target)
        assert there.shape == (8, 8)
        assert there.ravel().tolist() == [convert_square(n, source, target) for n in range(64)]
        assert convert_square(there, target, source).tolist() == numbers.tolist()


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_convert_board(source: str, target: str) -> None:
    for square in range(64):
        assert convert_board(1 << square, source, target) == 1 << convert_square(square, source, target)
    for board in (0, (1 << 64) - 1, *BOARDS):
        there = convert_board(board, source, target)
        assert type(there) is int
        for rank, file in itertools.product(range(8), range(8)):
            assert there >> place_in(target, rank, file) & 1 == board >> place_in(source, rank, file) & 1
        assert convert_board(there, target, source) == board
    array = np.array(BOARDS, U64)
    converted = convert_board(array, source, target)
    assert converted.dtype == U64
    assert converted.tolist() == [convert_board(board, source, target) for board in BOARDS]


def test_conversions_compose() -> None:
    for a, b, c in itertools.product(MAPPINGS, repeat=3):
        for board in BOARDS[:2]:
            assert convert_board(convert_board(board, a, b), b, c) == convert_board(board, a, c)


def test_converting_a_bitboard() -> None:
    rank = Bitboard.of("a1", "b1", "c1")
    assert convert_board(rank, OURS, "file-little-little") == Bitboard.of("a1", "a2", "a3")
    assert rank == Bitboard.of("a1", "b1", "c1")


def test_mappings_as_objects_and_by_name() -> None:
    assert convert_board(1, mappings.BIG_ENDIAN_FILES, mappings.LITTLE_ENDIAN_RANK_FILE) == Bitboard.of("h1")
    assert convert_board(1, "rank-little-big", OURS) == Bitboard.of("h1")


@pytest.mark.parametrize("square", [-1, 64, np.int8(-1), np.array([0, 64]), np.array([[-1, 3]])])
def test_converting_off_the_board(square: Any) -> None:
    with pytest.raises(ValueError, match="is off the board"):
        convert_square(square, OURS, "rank-big-big")


@pytest.mark.parametrize("square", ["e4", 3.0, None, True, np.array([1.0]), np.array([True])])
def test_converting_no_square(square: Any) -> None:
    with pytest.raises(TypeError, match=r"^square: .*: expected an int from 0 .* or an array of integers"):
        convert_square(square, OURS, "rank-big-big")


@pytest.mark.parametrize("mapping", ["", "rank", "rank-little", "little-rank-little", "RANK-LITTLE-LITTLE"])
def test_unknown_mappings(mapping: str) -> None:
    for convert in (convert_square, convert_board):
        for source, target in ((mapping, OURS), (OURS, mapping)):
            with pytest.raises(ValueError, match="expected one of rank-little-little, ") as error:
                convert(0, source, target)
            assert repr(mapping) in str(error.value)


@pytest.mark.parametrize(
    ("board", "error", "message"),
    [
        (-1, ValueError, "board: -1 is outside 0"),
        (1 << 64, ValueError, "board: 18446744073709551616 is outside 0"),
        (np.array([3, -2]), ValueError, r"board\[1\]: -2 is negative"),
        ("e4", TypeError, "board: 'e4': expected an int from 0"),
        (1.5, TypeError, r"board: 1\.5: expected an int from 0"),
        (None, TypeError, "board: None: expected"),
        (np.array([1.0]), TypeError, "board: an array of float64"),
        ([1, 2.5], TypeError, "board: not a list of ints"),
    ],
)
def test_converting_no_board(board: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        convert_board(board, OURS, "rank-big-big")


def test_converting_lists() -> None:
    assert convert_square([0, 63], OURS, "rank-big-little").tolist() == [56, 7]
    assert convert_board([1, 1 << 63], OURS, "rank-big-little").tolist() == [1 << 56, 1 << 7]
    wrong: tuple[Any, ...] = (["rank"], None, 5)
    for mapping in wrong:
        with pytest.raises(ValueError, match=r"^source: .*: expected one of"):
            convert_square(0, mapping, OURS)
