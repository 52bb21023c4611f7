"""Patterns: partial boards with wildcards, in place or under symmetries, similarity to them, and echoes.

A pattern is written like the first field of a FEN, with more signs: ``?`` is any square, ``!`` an occupied one, ``.``
an empty one, ``A`` and ``a`` any white and any black piece, ``U`` and ``u`` any piece of the side to move and of the
other, ``[QR]`` one of several, ``[^QR]`` none of several, and ``*`` fills a rank with ``?``.
"""

import functools
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rookery.bitboards.bits import flip_diagonal, flip_vertical, mirror_horizontal
from rookery.kernel import U64, trailing_zeros
from rookery.lazy_imports import compile_later, modules_later
from rookery.positions.language.block import Block
from rookery.positions.language.functions.sequences import PLIES
from rookery.positions.language.functions.sets import empty, occupied, pieces, pieces_of_side
from rookery.positions.language.grammar import ANYWHERE, NUMBER, SET, TRUTH, Node, Written, function

if TYPE_CHECKING:
    from rookery.positions.queries import sets as queries
else:
    (queries,) = modules_later("rookery.positions.queries", "sets")


_PIECES: Final = "PNBRQK"
_SIGNS: Final = f"{_PIECES}{_PIECES.lower()}AaUu.!"
_CELL: Final = compile_later(r"\[\^?[^\]\[^]+\]|[1-8]|[A-Za-z?!.*]")
_WRITTEN: Final = (
    "a pattern: ranks separated by '/', of the letters of a FEN, digits for empty squares, and the signs "
    "? ! . A a U u [QR] [^QR] *"
)


class Condition(NamedTuple):
    """A condition on a square: one of some signs stands there, or none of them."""

    signs: str
    negated: bool


Cells = dict[int, Condition]  # by square


class Pattern(NamedTuple):
    """A partial board: conditions by square, and whether it is smaller than a board."""

    cells: tuple[tuple[int, Condition], ...]
    is_small: bool

    def under(self, names: frozenset[str]) -> "Variants":
        """Return the variants of the pattern; one that is smaller than a board may be anywhere."""
        return variants_of(self, names | {"shift"} if self.is_small else names)


@functools.lru_cache(512)
def read_pattern(text: Any) -> Pattern:
    """Read a pattern; ValueError describes what was expected."""
    if not isinstance(text, str):
        raise ValueError(_WRITTEN)
    ranks = [_rank(line) for line in text.strip().split("/")]
    width = max(map(len, ranks))
    if len(ranks) > 8 or width > 8:
        raise ValueError(f"at most 8 ranks of 8 squares, not {len(ranks)} of {width}")
    if any(len(rank) != width for rank in ranks):
        raise ValueError("ranks of one length; '*' fills a rank")
    cells = []
    for y, rank in enumerate(reversed(ranks)):
        cells += [(8 * y + x, condition) for x, condition in enumerate(rank) if condition is not None]
    if not cells:
        raise ValueError("a pattern with at least one square that is not '?'")
    return Pattern(tuple(cells), len(ranks) < 8 or width < 8)


def _rank(line: str) -> list[Condition | None]:
    cells: list[Condition | None] = []
    place = 0
    while place < len(line):
        found = _CELL.match(line, place)
        if found is None:
            raise ValueError(f"{_WRITTEN}, not {line[place:]!r}")
        cell, place = found[0], found.end()
        if cell.isdigit():
            cells += [Condition(".", False)] * int(cell)
        elif cell == "*":
            cells += [None] * (8 - len(cells))
        elif cell == "?":
            cells.append(None)
        else:
            signs = cell.strip("[]^")
            if set(signs) - set(_SIGNS):
                raise ValueError(f"{_WRITTEN}, not {cell!r}")
            cells.append(Condition("".join(sorted(set(signs))), cell.startswith("[^")))
    return cells


# Symmetries.

SYMMETRIES: Final = {
    "mirror": "the files a to h exchanged",
    "flip": "the ranks 1 to 8 exchanged",
    "rotate": "quarter turns",
    "dihedral": "all of these",
    "colors": "the colours exchanged, and the ranks",
    "shift": "moved anywhere on the board",
}


def _read_symmetries(text: Any) -> frozenset[str]:
    words = text.replace(",", " ").split() if isinstance(text, str) else ["?"]
    if set(words) - SYMMETRIES.keys():
        raise ValueError(f"symmetries: {', '.join(SYMMETRIES)}")
    return frozenset(words)


@function(SET, 1.0, options={"scope": ANYWHERE}, squares=SET)
def flip(block: Block, squares: Any) -> Any:
    """Return a set with the ranks 1 to 8 exchanged: flip(white.pawns) == black.pawns."""
    return flip_vertical(squares)


@function(SET, 3.0, options={"scope": ANYWHERE}, squares=SET)
def mirror(block: Block, squares: Any) -> Any:
    """Return a set with the files a to h exchanged."""
    return mirror_horizontal(squares)


PATTERN: Final = Written("pattern in quotes", read_pattern)
SYMMETRY: Final = Written("symmetries in quotes", _read_symmetries)


class Symmetry(NamedTuple):
    """A symmetry of the board: an element of its group of eight, and whether colours are exchanged."""

    transposed: bool
    flipped: bool
    mirrored: bool
    recoloured: bool

    def board(self, b: Any) -> Any:
        """Return a board, or an array of boards, after the symmetry."""
        b = flip_diagonal(b) if self.transposed else b
        b = flip_vertical(b) if self.flipped else b
        return mirror_horizontal(b) if self.mirrored else b


_PLAIN: Final = Symmetry(False, False, False, False)
_GENERATORS: Final = {
    "mirror": (Symmetry(False, False, True, False),),
    "flip": (Symmetry(False, True, False, False),),
    "rotate": (Symmetry(True, True, False, False),),
    "dihedral": (Symmetry(True, False, False, False), Symmetry(False, True, False, False)),
    "colors": (Symmetry(False, True, False, True),),
    "shift": (),
}


def _after(a: Symmetry, b: Symmetry) -> Symmetry:
    """Return the symmetry that is `a` and then `b`, found by what it does to two squares."""
    places = tuple(b.board(a.board(1 << square)) for square in (1, 8))
    for bits in range(8):
        c = Symmetry(bool(bits & 4), bool(bits & 2), bool(bits & 1), a.recoloured != b.recoloured)
        if tuple(c.board(1 << square) for square in (1, 8)) == places:
            return c
    raise AssertionError((a, b))


@functools.cache
def symmetries(names: frozenset[str]) -> tuple[Symmetry, ...]:
    """Return the group of symmetries that some names generate, the identity first."""
    group = [_PLAIN]
    generators = [generator for name in sorted(names) for generator in _GENERATORS[name]]
    for element in group:
        group += [e for e in dict.fromkeys(_after(element, g) for g in generators) if e not in group]
    return tuple(group)


# Matching.


class Variants(NamedTuple):
    """The conditions of a pattern, and the squares on which each must hold in each variant: (v, k)."""

    conditions: tuple[Condition, ...]
    masks: NDArray[np.uint64]


@functools.lru_cache(512)
def variants_of(pattern: Pattern, names: frozenset[str]) -> Variants:
    """Return the variants of a pattern under symmetries, without duplicates."""
    found: dict[tuple[tuple[Condition, int], ...], None] = {}
    for symmetry in symmetries(names):
        masks: dict[Condition, int] = {}
        for square, condition in pattern.cells:
            seen = _recoloured(condition) if symmetry.recoloured else condition
            masks[seen] = masks.get(seen, 0) | int(symmetry.board(1 << square))
        for shifted in _shifted(masks) if "shift" in names else (masks,):
            found[tuple(sorted(shifted.items()))] = None
    conditions = tuple(dict.fromkeys(condition for variant in found for condition, _ in variant))
    rows = [[dict(variant).get(condition, 0) for condition in conditions] for variant in found]
    return Variants(conditions, np.array(rows, U64))


def _recoloured(condition: Condition) -> Condition:
    swapped = (sign if sign in "Uu" else sign.swapcase() for sign in condition.signs)
    return Condition("".join(sorted(swapped)), condition.negated)


def _shifted(masks: dict[Condition, int]) -> Iterable[dict[Condition, int]]:
    """Yield the masks at all places of the board, without wrapping around its edges."""
    everything = functools.reduce(int.__or__, masks.values())
    files = [square % 8 for square in range(64) if everything >> square & 1]
    ranks = [square // 8 for square in range(64) if everything >> square & 1]
    for dy in range(-min(ranks), 8 - max(ranks)):
        for dx in range(-min(files), 8 - max(files)):
            by = 8 * dy + dx
            yield {c: mask << by if by >= 0 else mask >> -by for c, mask in masks.items()}


def _satisfying(block: Block, condition: Condition) -> Any:
    """Return the squares of each position that satisfy a condition."""
    squares: Any = U64(0)
    for sign in condition.signs:
        squares = squares | _SETS[sign](block)
    return ~squares if condition.negated else squares


def _set_of(sign: str) -> Callable[[Block], Any]:
    match sign:
        case ".":
            return empty
        case "!":
            return occupied
        case "A" | "a":
            return lambda block: pieces(block, "white" if sign == "A" else "black")
        case "U" | "u":
            return lambda block: pieces(block, "us" if sign == "U" else "them")
    kind = _PIECES.index(sign.upper()) + 1
    return lambda block: pieces_of_side(block, kind, "white" if sign.isupper() else "black")


_SETS: Final = {sign: _set_of(sign) for sign in _SIGNS}


def _squares(block: Block, conditions: tuple[Condition, ...]) -> NDArray[np.uint64]:
    squares = np.empty((len(conditions), block.n), U64)
    for row, condition in zip(squares, conditions, strict=True):
        row[:] = _satisfying(block, condition)
    return squares


@function(SET, 15.0, pattern=PATTERN, under=(SYMMETRY, frozenset()))
def pattern(block: Block, pattern: Pattern, under: frozenset[str]) -> Any:
    """Return the squares of a partial board where it matches, of all its images that match: pattern("6k1/5ppp/8").

    A board is written like the first field of a FEN, with more signs: ? is any square, ! an occupied one, . an empty
    one, A and a any white and any black piece, U and u any of ours and any of theirs, [QR] one of several, [^QR] none
    of several, and * fills a rank with ?. A board with fewer than 8 ranks or files may be anywhere; its ? need not be
    on the board. `under` names symmetries: "mirror" exchanges the files a to h, "flip" the ranks 1 to 8, "rotate"
    stands for quarter turns, "dihedral" for all of these, "colors" exchanges the colours and the ranks, and "shift"
    moves the board anywhere. They can be combined: "mirror colors". The squares that are ? are not part of the result.
    """
    variants = pattern.under(under)
    out = np.empty(block.n, U64)
    queries.matches(_squares(block, variants.conditions), variants.masks, out)
    return out


@function(NUMBER, 30.0, pattern=PATTERN, under=(SYMMETRY, frozenset()))
def like(block: Block, pattern: Pattern, under: frozenset[str]) -> Any:
    """Return the share of a pattern's squares that match, from 0 to 1, in the image that matches best.

    Patterns and symmetries are those of pattern(...); squares that are ? do not count.
    """
    variants = pattern.under(under)
    out = np.empty(block.n, np.uint8)
    queries.likeness(_squares(block, variants.conditions), variants.masks, out)
    return out / len(pattern.cells)


def squares_of_like(block: Block, pattern: Pattern, under: frozenset[str]) -> Any:
    """Return the squares of a pattern that match in the image that matches best, uint64."""
    variants = pattern.under(under)
    squares = _squares(block, variants.conditions)
    best = np.zeros(block.n, U64)
    for masks in variants.masks:
        agreed = np.bitwise_or.reduce(squares & masks[:, np.newaxis], axis=0)
        best = np.where(np.bitwise_count(agreed) > np.bitwise_count(best), agreed, best)
    return best


# Echoes.


def _placement(block: Block) -> NDArray[np.uint64]:
    """Return the pieces of each kind and colour: (12, n), white's first."""
    return _squares(block, tuple(Condition(sign, False) for sign in f"{_PIECES}{_PIECES.lower()}"))


def _in_the_corner(boards: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Return placements moved towards a1 as far as they go."""
    everything = np.bitwise_or.reduce(boards, axis=0)
    files = everything
    for step in (32, 16, 8):
        files = files | files >> U64(step)
    by = (trailing_zeros(everything) & ~U64(7)) + trailing_zeros(files & U64(0xFF))
    moved: NDArray[np.uint64] = boards >> (by & U64(63))
    return moved


def _least(forms: list[NDArray[np.uint64]]) -> NDArray[np.uint64]:
    """Return for each column the least of several forms, compared row by row."""
    least = forms[0]
    for form in forms[1:]:
        less = np.zeros(least.shape[1], np.bool_)
        equal = np.ones(least.shape[1], np.bool_)
        for a, b in zip(form, least, strict=True):
            less |= equal & (a < b)
            equal &= a == b
        least = np.where(less, form, least)
    return least


@function(
    TRUTH, 500.0, options={"sequence": True, "lazy": True}, condition=(TRUTH, None), under=(SYMMETRY, frozenset())
)
def echo(block: Block, condition: Node | None, under: frozenset[str]) -> Any:
    """Check whether an earlier position of the game looks alike: not the same, but a symmetric or shifted image of it.

    With a condition, both positions must satisfy it: echo(is_mate or is_check, "shift mirror"). Without symmetries,
    all of them count.
    """
    rows = np.flatnonzero(block.truth(condition)) if condition is not None else np.arange(block.n)
    out = np.zeros(block.n, np.bool_)
    if rows.size < 2:
        return out
    names = under or frozenset(SYMMETRIES)
    placement = _placement(block)[:, rows]
    forms = []
    for symmetry in symmetries(names):
        form = symmetry.board(placement)
        form = np.concatenate([form[6:], form[:6]]) if symmetry.recoloured else form
        forms.append(_in_the_corner(form) if "shift" in names else form)
    alike = _numbered(block.segment[rows], _least(forms))
    same = _numbered(block.segment[rows], placement)
    order = np.lexsort([rows, alike])
    begins = np.ones(rows.size, np.bool_)
    begins[1:] = np.diff(alike[order]) != 0
    starts = np.maximum.accumulate(np.where(begins, np.arange(rows.size), 0))
    differs = same[order] != same[order][starts]
    before = np.cumsum(differs)
    out[rows[order]] = differs | (before - before[starts] > 0)
    return out


@function(TRUTH, 300.0, options={"sequence": True, "lazy": True}, condition=(TRUTH, None), plies=(PLIES, 1))
def seen_before(block: Block, condition: Node | None, plies: int) -> Any:
    """Check whether the same pieces stood on the same squares at least some half-moves earlier in the game.

    It does not matter who was to move. With a condition, the earlier position must satisfy it: not white_to_move and
    seen_before(white_to_move) finds a position that White handed to Black.
    """
    if not block.n:
        return np.zeros(0, np.bool_)
    same = _numbered(block.segment, _placement(block))
    rows = np.arange(block.n)
    counts = block.truth(condition) if condition is not None else np.ones(block.n, np.bool_)
    earliest = np.full(block.n, block.n)
    np.minimum.at(earliest, same[counts], rows[counts])
    return rows - earliest[same] >= plies


def _numbered(games: NDArray[Any], words: NDArray[np.uint64]) -> NDArray[np.intp]:
    """Return the same number for rows of one game with equal words."""
    order = np.lexsort([*words, games])
    changes = np.zeros(games.size, np.intp)
    for values in (games, *words):
        ordered = values[order]
        changes[1:] |= ordered[1:] != ordered[:-1]
    numbers = np.empty(games.size, np.intp)
    numbers[order] = np.cumsum(changes)
    return numbers


__all__ = ["like", "pattern", "read_pattern"]
