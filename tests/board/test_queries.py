"""Attack queries against python-chess, and against plain definitions that walk one square at a time."""

import itertools
import random
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import chess
import pytest

from rookery.bitboards.bitboard import Bitboard
from rookery.bitboards.colours import BLACK, WHITE
from rookery.bitboards.lines import PIECES
from rookery.bitboards.squares import parse_square
from rookery.board import queries
from rookery.board.board import Board
from rookery.board.queries import Battery, Pin, batteries, progressive_mobility, trajectories

Jump = tuple[int, int]  # ranks up, files to the right

# Clockwise from north.
COMPASS: list[Jump] = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]
JUMPS = {"rook": COMPASS[::2], "bishop": COMPASS[1::2], "queen": COMPASS}
NAMES = {chess.ROOK: "rook", chess.BISHOP: "bishop", chess.QUEEN: "queen"}


@cache
def positions() -> list[chess.Board]:
    """Two thousand positions of random games, and five hundred scattered ones full of sliders."""
    chance = random.Random(3)
    found: list[chess.Board] = []
    while len(found) < 2000:
        board = chess.Board()
        while not board.is_game_over() and len(board.move_stack) < 200:
            board.push(chance.choice(list(board.legal_moves)))
            if chance.random() < 0.3:
                found.append(board.copy(stack=False))
    while len(found) < 2500:
        board = chess.Board(None)
        white, black = (chance.sample("PPPPNNNNBBBBBRRRRRQQQQ", k=chance.randrange(2, 16)) for _ in range(2))
        signs = [*"Kk", *white, *map(str.lower, black)]
        for sign, square in zip(signs, chance.sample(range(8, 56), len(signs)), strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(sign))
        board.turn = chance.random() < 0.5
        kings = board.pieces(chess.KING, chess.WHITE) | board.pieces(chess.KING, chess.BLACK)
        if not board.was_into_check() and chess.square_distance(*kings) > 1:
            found.append(board)
    return found


def pairs() -> Iterator[tuple[chess.Board, Board]]:
    for theirs in positions():
        yield theirs, Board(theirs.fen(en_passant="fen"))


def walk(square: int, jump: Jump) -> Iterator[int]:
    """The squares of a ray, nearest first."""
    rank, file = square // 8 + jump[0], square % 8 + jump[1]
    while 0 <= rank < 8 and 0 <= file < 8:
        yield 8 * rank + file
        rank, file = rank + jump[0], file + jump[1]


def seen(square: int, jump: Jump, occupied: int) -> list[int]:
    """What is attacked along a ray."""
    squares = []
    for s in walk(square, jump):
        squares.append(s)
        if occupied >> s & 1:
            break
    return squares


def sliders(board: chess.Board, colour: bool) -> dict[int, str]:
    return {
        square: NAMES[kind]
        for square in chess.SquareSet(board.occupied_co[colour])
        if (kind := board.piece_type_at(square)) in NAMES and kind is not None
    }


def test_positions_hold_the_queried_features() -> None:
    boards = positions()
    assert len({board.fen() for board in boards}) > 2000
    assert sum(board.is_check() for board in boards) > 100


def test_attackers_of_every_square() -> None:
    chance = random.Random(5)
    for theirs, ours in pairs():
        for colour, square in itertools.product((WHITE, BLACK), chance.sample(range(64), 16)):
            expected = int(theirs.attackers(colour, square))
            assert ours.attackers(colour, square) == expected
            assert ours.is_attacked_by(colour, square) == bool(expected)


def test_attackers_through_another_occupancy() -> None:
    chance = random.Random(7)
    for theirs, ours in pairs():
        for square in chance.sample(range(64), 6):
            occupied = theirs.occupied & chance.getrandbits(64) | (chance.getrandbits(64) & chance.getrandbits(64))
            for colour in (WHITE, BLACK):
                assert ours.attackers(colour, square, occupied) == int(theirs.attackers(colour, square, occupied))
                assert ours.attackers(colour, square, 0) == int(theirs.attackers(colour, square, 0))


def test_pins() -> None:
    chance = random.Random(23)
    count = 0
    for theirs, ours in pairs():
        for colour in (WHITE, BLACK):
            pins = ours.pinned(colour)
            king = theirs.king(colour)
            assert king is not None
            expected = [
                square for square in chess.SquareSet(theirs.occupied_co[colour]) if theirs.is_pinned(colour, square)
            ]
            assert sorted(pin.square for pin in pins) == expected
            for square in {*expected, *chance.sample(range(64), 4)}:
                assert ours.is_pinned(colour, square) == (square in expected)
            for pin in pins:
                line = chess.SquareSet.between(king, pin.pinner) | chess.BB_SQUARES[pin.pinner]
                assert pin.line == int(line)
                assert int(line) & ~int(theirs.pin(colour, pin.square)) == 0
                assert list(line & theirs.occupied) == sorted((pin.square, pin.pinner))
                assert theirs.color_at(pin.pinner) is not colour
            ways = [next(i for i in range(8) if pin.square in walk(king, COMPASS[i])) for pin in pins]
            assert ways == sorted(set(ways))
            count += len(pins)
    assert count > 300


def test_discoverers_square_by_square() -> None:
    count = 0
    for theirs, ours in pairs():
        for colour in (WHITE, BLACK):
            king = theirs.king(not colour)
            assert king is not None
            before = theirs.attackers(colour, king)
            expected = chess.SquareSet()
            for square in chess.SquareSet(theirs.occupied_co[colour]):
                if theirs.attackers(colour, king, theirs.occupied ^ chess.BB_SQUARES[square]) - before:
                    expected.add(square)
            assert ours.discoverers(colour) == int(expected)
            count += len(expected)
    assert count > 200


def test_discoverers_by_their_moves() -> None:
    count = 0
    for theirs, ours in pairs():
        discoverers = ours.discoverers(theirs.turn)
        for move in list(theirs.legal_moves):
            if theirs.is_castling(move) or theirs.is_en_passant(move):
                continue
            theirs.push(move)
            discovered = bool(theirs.checkers() - chess.SquareSet.from_square(move.to_square))
            theirs.pop()
            if discovered:
                assert move.from_square in discoverers
                count += 1
    assert count > 100


def test_xray_attacks_by_walking() -> None:
    chance = random.Random(11)
    count = 0
    for theirs, ours in pairs():
        for colour in (WHITE, BLACK):
            for square, piece in sliders(theirs, colour).items():
                for blockers in (None, theirs.occupied, chance.getrandbits(64)):
                    through = theirs.occupied_co[colour] if blockers is None else blockers
                    expected = []
                    for jump in JUMPS[piece]:
                        first = seen(square, jump, theirs.occupied)
                        if first and theirs.occupied & through & 1 << first[-1]:
                            expected += seen(first[-1], jump, theirs.occupied)
                    result = ours.xray_attacks(square, blockers)
                    assert result == Bitboard.from_squares(expected)
                    count += len(result)
    assert count > 10_000


def batteries_by_definition(board: chess.Board, colour: bool) -> list[Battery]:
    found = []
    own = sliders(board, colour)
    for jump in COMPASS:
        for front, rear in itertools.permutations(own, 2):
            joined = front in walk(rear, jump) and not chess.between(front, rear) & board.occupied
            if joined and all(jump in JUMPS[own[s]] for s in (front, rear)) and (ahead := list(walk(front, jump))):
                line = [s for s in ahead if not chess.between(front, s) & board.occupied]
                found.append(Battery(front, rear, Bitboard.from_squares(line)))
    return found


def test_batteries_pair_by_pair() -> None:
    count = 0
    for theirs, ours in pairs():
        for colour in (WHITE, BLACK):
            found = ours.batteries(colour)
            assert sorted(found) == sorted(batteries_by_definition(theirs, colour))
            count += len(found)
    assert count > 1000


def test_a_gun_of_three_points_both_ways() -> None:
    # . . . . k . . .
    # . . p . . . . .
    # . . . . . . . .
    # . . . . . . . .
    # . . R . . . . .
    # . . R . . . . .     Alekhine's gun
    # . . Q . . . . .
    # . . . . . . K .
    board = Board("4k3/2p5/8/8/2R5/2R5/2Q5/6K1 w - - 0 1")
    c1, c2, c3, c4 = (parse_square(f"c{rank}") for rank in "1234")
    assert batteries(board, WHITE) == (
        Battery(c3, c2, Bitboard(1 << c4)),
        Battery(c4, c3, Bitboard.of("c5", "c6", "c7")),
        Battery(c2, c3, Bitboard(1 << c1)),
        Battery(c3, c4, Bitboard(1 << c2)),
    )


def test_pieces_that_stand_in_line_but_do_not_move_along_it() -> None:
    # A bishop before a rook, a rook before a bishop, and neither pins what stands beyond on the other's line.
    board = Board("4k3/4n3/8/4B3/8/2R1R3/8/B5K1 w - - 0 1")
    assert batteries(board, WHITE) == (
        Battery(20, 18, Bitboard.of("f3", "g3", "h3")),
        Battery(18, 20, Bitboard.of("a3", "b3")),
    )
    assert board.pinned(BLACK) == ()
    assert board.discoverers(WHITE) == 0
    board.remove_piece_at(parse_square("e5"))
    assert board.pinned(BLACK) == (Pin(52, 20, Bitboard.of("e3", "e4", "e5", "e6", "e7")),)


def test_boards_without_kings_pin_nothing() -> None:
    board = Board.empty()
    assert board.pinned(WHITE) == ()
    assert board.discoverers(BLACK) == 0
    assert board.batteries(WHITE) == ()
    assert board.attackers(WHITE, 0) == 0


def reached_by_search(piece: str, square: int, occupied: int, moves: int) -> list[dict[int, list[tuple[int, ...]]]]:
    """After n moves: the squares reached for the first time, each with all shortest ways there."""
    layers: list[dict[int, list[tuple[int, ...]]]] = [{square: [(square,)]}]
    known = {square}
    for _ in range(moves):
        layer: dict[int, list[tuple[int, ...]]] = {}
        for s, ways in layers[-1].items():
            if s != square and occupied >> s & 1:
                continue
            for jump in JUMPS[piece]:
                for target in seen(s, jump, occupied & ~(1 << square)):
                    if target not in known:
                        layer.setdefault(target, []).extend((*way, target) for way in ways)
        known |= layer.keys()
        layers.append(layer)
    return layers


def occupancies(count: int) -> list[int]:
    words = random.Random(13)
    return [words.getrandbits(64) & (words.getrandbits(64) if i % 2 else -1) for i in range(count)]


@pytest.mark.parametrize("piece", PIECES)
def test_progressive_mobility_and_trajectories_by_search(piece: str) -> None:
    chance = random.Random(17)
    longest = 0
    for occupied in [0, (1 << 64) - 1, *occupancies(60)]:
        for square in chance.sample(range(64), 8):
            layers = reached_by_search(piece, square, occupied, 63)
            unions: list[Bitboard] = list(
                itertools.accumulate((Bitboard.from_squares(layer) for layer in layers[1:]), Bitboard.__or__)
            )
            assert progressive_mobility(piece, square, occupied, 12) == tuple(unions[:12])  # type: ignore[arg-type]
            ways = {target: found for layer in layers for target, found in layer.items()}
            for target in chance.sample(range(64), 12):
                assert trajectories(piece, square, target, occupied) == tuple(sorted(ways.get(target, [])))  # type: ignore[arg-type]
            area = chance.getrandbits(64) & chance.getrandbits(64) & chance.getrandbits(64)
            for target_area in (area, area & ~unions[1]):
                nearest = next((layer for layer in layers if any(target_area >> s & 1 for s in layer)), {})
                expected = sorted(way for s, found in nearest.items() if target_area >> s & 1 for way in found)
                assert trajectories(piece, square, Bitboard(target_area), occupied) == tuple(expected)  # type: ignore[arg-type]
            longest = max(longest, *(i for i, layer in enumerate(layers) if layer))
    assert longest >= 4


def test_a_rook_through_a_maze() -> None:
    walls = Bitboard.parse("""
        . . . . . . . .
        . 1 1 1 1 1 1 1
        . . . . . . . .
        1 1 1 1 1 1 1 .
        . . . . . . . .
        . 1 1 1 1 1 1 1
        . . . . . . . .
        1 1 1 1 1 1 1 .""")
    names = "h1 h2 a2 a4 h4 h6 a6 a8 h8".split()
    way = tuple(map(parse_square, names))
    assert trajectories("rook", way[0], way[-1], walls) == (way,)
    layers = progressive_mobility("rook", way[0], walls, 63)
    assert [way[-1] in layer for layer in layers[:8]] == [False] * 7 + [True]
    assert layers[7] == layers[62]
    assert trajectories("bishop", way[0], way[1], walls) == ()


def test_where_the_slider_stands_is_no_target_but_a_way_of_no_moves() -> None:
    assert 0 not in progressive_mobility("queen", 0, 0, 3)[2]
    assert progressive_mobility("queen", 0, 1, 3) == progressive_mobility("queen", 0, 0, 3)
    assert trajectories("rook", 9, 9, 0) == ((9,),)
    assert trajectories("rook", 9, Bitboard.UNIVERSE, 0) == ((9,),)
    assert trajectories("rook", 9, Bitboard.EMPTY, 0) == ()


BOARD = Board()
NO_BOARD: Any = "startpos"
NO_COLOUR: Any = 1
NO_SQUARE: Any = "e4"
NO_NUMBER: Any = 2.0


@pytest.mark.parametrize(
    ("ask", "error", "message"),
    [
        (lambda: queries.attackers(NO_BOARD, WHITE, 0), TypeError, "board: 'startpos': expected a rookery.Board"),
        (lambda: BOARD.attackers(NO_COLOUR, 0), TypeError, "colour: 1: expected WHITE or 'white'"),
        (lambda: BOARD.attackers(WHITE, 64), ValueError, "square: 64 is off the board"),
        (lambda: BOARD.attackers(WHITE, NO_SQUARE), TypeError, "square: 'e4' is not a square"),
        (lambda: BOARD.attackers(WHITE, 0, -1), ValueError, "occupied: -1 is outside"),
        (lambda: BOARD.attackers(WHITE, 0, NO_NUMBER), TypeError, "occupied: 2.0: expected a board"),
        (lambda: BOARD.is_attacked_by(NO_COLOUR, 0), TypeError, "colour: 1: expected"),
        (lambda: BOARD.pinned(NO_COLOUR), TypeError, "colour: 1: expected"),
        (lambda: BOARD.is_pinned(WHITE, -1), ValueError, "square: -1 is off the board"),
        (lambda: BOARD.is_pinned(NO_COLOUR, 1), TypeError, "colour: 1: expected"),
        (lambda: BOARD.discoverers(NO_COLOUR), TypeError, "colour: 1: expected"),
        (lambda: BOARD.batteries(NO_COLOUR), TypeError, "colour: 1: expected"),
        (lambda: BOARD.xray_attacks(1), ValueError, "square: white knight on b1: expected a bishop, rook or queen"),
        (lambda: BOARD.xray_attacks(30), ValueError, "square: nothing on g4: expected"),
        (lambda: BOARD.xray_attacks(0, 1 << 64), ValueError, "blockers: 18446744073709551616 is outside"),
        (lambda: progressive_mobility("knight", 0, 0), ValueError, "piece: 'knight': expected BISHOP"),  # type: ignore[arg-type]
        (lambda: progressive_mobility("rook", 64, 0), ValueError, "square: 64 is off the board"),
        (lambda: progressive_mobility("rook", 0, NO_NUMBER), TypeError, "occupied: 2.0"),
        (lambda: progressive_mobility("rook", 0, 0, 0), ValueError, "moves: 0: expected 1 to 63"),
        (lambda: progressive_mobility("rook", 0, 0, 64), ValueError, "moves: 64: expected 1 to 63"),
        (lambda: progressive_mobility("rook", 0, 0, NO_NUMBER), TypeError, "moves: 2.0: expected an int"),
        (lambda: trajectories("pawn", 0, 1, 0), ValueError, "piece: 'pawn': expected BISHOP"),  # type: ignore[arg-type]
        (lambda: trajectories("rook", 64, 1, 0), ValueError, "square: 64 is off the board"),
        (lambda: trajectories("rook", 0, 64, 0), ValueError, "target: 64 is off the board"),
        (lambda: trajectories("rook", 0, NO_SQUARE, 0), TypeError, "target: 'e4' is not a square"),
        (lambda: trajectories("rook", 0, 1, -1), ValueError, "occupied: -1 is outside"),
    ],
)
def test_errors_name_the_argument(ask: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        ask()


@pytest.mark.parametrize(("colour", "name"), [(WHITE, "white"), (BLACK, "black")])
def test_colours_by_name(colour: bool, name: Any) -> None:
    board = Board("4k3/8/8/q7/1b6/2P5/3P1n2/R3K1R1 w Q - 0 1")
    requested: list[Callable[[Any], object]] = [
        lambda side: board.attackers(side, parse_square("d2")),
        lambda side: board.is_attacked_by(side, parse_square("d2")),
        board.pinned,
        lambda side: [board.is_pinned(side, square) for square in range(64)],
        board.discoverers,
        board.batteries,
        board.pieces_of,
        board.king,
        board.has_insufficient_material,
    ]
    for ask in requested:
        assert ask(name) == ask(colour)
    for wrong in ("White", "w", ""):
        with pytest.raises(ValueError, match=f"colour: '{wrong}': expected 'white' or 'black'"):
            board.pieces_of(wrong)  # type: ignore[arg-type]
