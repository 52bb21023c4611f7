"""Attacks of sliding pieces by the default technique, and fills by any."""

from rookery.aliases import AnyBoard, Direction, Integer, Integers
from rookery.bitboards import signatures
from rookery.bitboards.bitboard import Bitboard
from rookery.frames.array_arguments import Boards
from rookery.techniques import technique as find_technique

# Over arrays it is within a tenth of the fastest in benchmarks/attacks.json, and it needs no tables.
_default = find_technique("obstruction-difference-short")


@signatures.slider_attacks
def rook_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a rook: a Bitboard for ints, a uint64 array for arrays. See `Technique`.

    >>> rook_attacks(0, Bitboard.of("a3", "d1")).names()
    ['b1', 'c1', 'd1', 'a2', 'a3']
    """
    return _default.rook(square, occupied, out)


@signatures.slider_attacks
def bishop_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a bishop: a Bitboard for ints, a uint64 array for arrays.

    >>> bishop_attacks(0, Bitboard.of("d4")).names()
    ['b2', 'c3', 'd4']
    """
    return _default.bishop(square, occupied, out)


@signatures.slider_attacks
def queen_attacks(
    square: Integer | Integers, occupied: AnyBoard | Integers, out: Boards | None = None
) -> Bitboard | Boards:
    """Return the attacks of a queen: a Bitboard for ints, a uint64 array for arrays.

    >>> len(queen_attacks(27, 0))
    27
    """
    return _default.queen(square, occupied, out)


@signatures.fill_by_technique
def fill(
    direction: Direction,
    sliders: AnyBoard | Integers,
    empty: AnyBoard | Integers,
    technique: str = "kogge-stone",
    out: Boards | None = None,
) -> Bitboard | Boards:
    """Return the sliders and every empty square they can slide to in a direction: the occluded fill.

    `sliders` and `empty` are boards (ints, or arrays that broadcast together). The direction is a name of the compass
    rose: north, northeast, east, southeast, south, southwest, west, northwest.

    >>> fill("east", 0x01, ~0x21 & 0xFF).names()
    ['a1', 'b1', 'c1', 'd1', 'e1']
    """
    return find_technique(technique).fill(direction, sliders, empty, out)


@signatures.fill_by_technique
def ray_attacks(
    direction: Direction,
    sliders: AnyBoard | Integers,
    empty: AnyBoard | Integers,
    technique: str = "kogge-stone",
    out: Boards | None = None,
) -> Bitboard | Boards:
    """Return every square that any of the sliders attacks in a direction, including the first blockers.

    >>> ray_attacks("east", 0x01, ~0x21 & 0xFF).names()
    ['b1', 'c1', 'd1', 'e1', 'f1']
    """
    return find_technique(technique).ray_attacks(direction, sliders, empty, out)
