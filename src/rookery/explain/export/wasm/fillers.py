"""Functions that fill the large tables of techniques, for the compiler.

They do what exports do (`rookery.explain.export.program`): they walk the rays for each occupancy, and the technique's
own kernel says which slot it reads. Some tables hold no attacks, and have fillers of their own.
"""

from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from rookery.bitboards.bits import SPLITMIX_STEP
from rookery.bitboards.lines import LINES
from rookery.explain.export import templates
from rookery.explain.export.program import LINE_STARTS, PIECES, SMALL_LINE, filled_line, filling
from rookery.kernel import U64, kernel, pext, popcount
from rookery.techniques import sherwin
from rookery.techniques.base import Technique
from rookery.techniques.base.protocol import QUESTIONS, attacks, prepare
from rookery.techniques.dictionary import EMPTY
from rookery.techniques.rays import RAYS

_RAYS: Final = RAYS.tables()
_LINE_DIRECTIONS: Final = tuple(LINE_STARTS[line] for line in LINES)


class Filler(NamedTuple):
    """A function that fills tables of a technique: ``function(table, slot, noted, tables)``.

    `table` is the first of `fields`, with one axis. With the tables `noted`, look-ups do not read it: the slot that
    they would read is in ``slot[0]``.
    """

    fields: tuple[str, ...]
    function: Callable[..., Any]


def fillers_of(t: Technique) -> Iterator[Filler]:
    """Yield the functions that fill tables of a technique. What none fills is carried by the module."""
    if t.name in _OWN:
        yield from _OWN[t.name]
        return
    for field in t.tables()._fields:
        if getattr(t.tables(), field).size <= SMALL_LINE:
            continue
        if how := filling(t, field):
            for first, piece in enumerate(PIECES):
                if how.squares[piece]:
                    yield Filler((field,), _by_squares(piece, first, how.squares[piece], how.walked))
        elif line := filled_line(t, field):
            yield Filler((field,), _by_line(line))


def _by_squares(piece: str, first: int, squares: int, walked: Callable[..., Any]) -> Callable[..., Any]:
    """Return `templates.fill_squares` for a piece, as a function for the compiler."""
    question = QUESTIONS[piece]

    def fill(table: Any, slot: Any, noted: Any, tables: Any) -> None:
        for sq in range(64):
            if (squares >> sq) & 1:
                relevant = templates.relevant_squares(first, sq, _RAYS)
                occupied = 0
                going = 1
                while going:
                    attacks(question, sq, prepare(occupied, noted), noted)
                    table[slot[0]] = walked(first, sq, occupied, _RAYS)
                    occupied = (occupied - relevant) & relevant
                    going = occupied

    return fill


def _by_line(line: str) -> Callable[..., Any]:
    """Return `templates.fill_line` for a line, as a function for the compiler."""
    question, start = QUESTIONS[line], LINE_STARTS[line]

    def fill(table: Any, slot: Any, noted: Any, tables: Any) -> None:
        for sq in range(64):
            attacks(question, sq, prepare(0, noted), noted)
            first = slot[0]
            deciding = 0
            for s in range(64):
                attacks(question, sq, prepare(1 << s, noted), noted)
                if slot[0] != first:
                    deciding |= 1 << s
            occupied = 0
            going = 1
            while going:
                attacks(question, sq, prepare(occupied, noted), noted)
                table[slot[0]] = templates.walked_line(start, sq, occupied, _RAYS)
                occupied = (occupied - deciding) & deciding
                going = occupied

    return fill


def _fill_dictionary(table: Any, slot: Any, noted: Any, tables: Any) -> None:
    """Fill the hash tables as `rookery.techniques.dictionary.hashed` does."""
    tables.keys[:] = EMPTY
    for sq in range(64):
        for n in range(4):
            which = U64(4 * sq + n)
            line = templates.walked_line(_LINE_DIRECTIONS[n], sq, 0, _RAYS)
            start = tables.starts[which]
            shift = tables.shifts[which]
            last = (1 << (64 - shift)) - 1
            occupied = 0
            going = 1
            while going:
                at = (occupied * SPLITMIX_STEP) >> shift
                while tables.keys[start + at] != EMPTY:
                    at = (at + 1) & last
                tables.keys[start + at] = occupied
                tables.attacks[start + at] = templates.walked_line(_LINE_DIRECTIONS[n], sq, occupied, _RAYS)
                occupied = (occupied - line) & line
                going = occupied


def _fill_sissy(table: Any, slot: Any, noted: Any, tables: Any) -> None:
    """Walk the queen's rays for each byte of each rank, on an otherwise empty board."""
    for sq in range(64):
        for rank in range(8):
            for byte in range(256):
                occupied = U64(byte) << U64(8 * rank)
                walked = templates.walked_attacks(0, sq, occupied, _RAYS)
                walked |= templates.walked_attacks(1, sq, occupied, _RAYS)
                table[(sq << 11) | (rank << 8) | byte] = walked


def _numbered(piece: str, first: int, number_of: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function that writes the number of an attack set to each slot."""
    question = QUESTIONS[piece]

    def fill(table: Any, slot: Any, noted: Any, tables: Any) -> None:
        for sq in range(64):
            relevant = templates.relevant_squares(first, sq, _RAYS)
            occupied = 0
            going = 1
            while going:
                attacks(question, sq, occupied, noted)
                table[slot[0]] = number_of(templates.walked_attacks(first, sq, occupied, _RAYS), sq, tables)
                occupied = (occupied - relevant) & relevant
                going = occupied

    return fill


@kernel
def _number_of_all(attacked: Any, sq: Any, tables: Any) -> Any:
    """Return the place of a set among all sets, which are sorted."""
    low: Any = 0
    high: Any = U64(tables.sets.size)
    while low < high:
        middle = (low + high) >> 1
        if tables.sets[middle] < attacked:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _number_of_rook(attacked: Any, sq: Any, tables: Any) -> Any:
    return _number_from(tables.rook_first[sq], attacked, tables)


@kernel
def _number_of_bishop(attacked: Any, sq: Any, tables: Any) -> Any:
    return _number_from(tables.bishop_first[sq], attacked, tables)


@kernel
def _number_from(first: Any, attacked: Any, tables: Any) -> Any:
    """Return the place of a set among those of its square, which begin at `first`."""
    place = first
    while tables.sets[place] != attacked:
        place = place + 1
    return place - first


def _rows(piece: str, first_rank: int, width: int) -> Filler:
    """Return what fills the rows of Sherwin bitboards as `rookery.techniques.sherwin.rows_of` does."""
    placed = sherwin.bases(piece)
    bases = np.array([placed[sq] for sq in range(64)], U64)
    first, first_file, patterns = PIECES.index(piece), (8 - width) // 2, 1 << width
    ranks = 8 - 2 * first_rank

    def fill(table: Any, slot: Any, noted: Any, tables: Any) -> None:
        for sq in range(64):
            relevant = templates.relevant_squares(first, sq, _RAYS)
            shift = U64(0)
            for i in range(ranks):
                in_row = (relevant >> U64(8 * (i + first_rank) + first_file)) & U64(patterns - 1)
                for pattern in range(patterns):
                    place = (sq * ranks + i) * patterns + pattern
                    table[place] = (pext(U64(pattern), in_row) << shift) | bases[sq]
                shift += popcount(in_row)

    return Filler((f"{piece}_rows",), fill)


def _sherwin() -> tuple[Filler, ...]:
    """Return the fillers of rows, then of the attacks that these lead to."""
    every = 2**64 - 1
    attacks_of = (
        Filler((f"{piece}_attacks",), _by_squares(piece, first, every, templates.walked_attacks))
        for first, piece in enumerate(PIECES)
    )
    return _rows("rook", 0, 8), _rows("bishop", 1, 6), *attacks_of


_OWN: Final[dict[str, tuple[Filler, ...]]] = {
    "dictionary": (Filler(("keys", "attacks"), _fill_dictionary),),
    "sherwin": _sherwin(),
    "sherwin-bytes": _sherwin(),
    "sissy": (Filler(("sets",), _fill_sissy),),
    "magic-index16": tuple(
        Filler(("numbers",), _numbered(piece, first, _number_of_all)) for first, piece in enumerate(PIECES)
    ),
    "magic-byte": (
        Filler(("numbers",), _numbered("rook", 0, _number_of_rook)),
        Filler(("numbers",), _numbered("bishop", 1, _number_of_bishop)),
    ),
}
