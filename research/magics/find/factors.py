"""Find magic factors.

Where the index has a bit for every blocker of the square, or more, `cover` lays copies: all 128 factors of the natural
width in one compiled call that also tries each on all occupancies, for every form of the table. `docs/magic-factors.md`
says how long that takes, by `python benchmarks/magic_search.py`; random candidates needed hundreds of times as long.

    plain, fancy   ``((o & mask) * magic) >> shift``, as many bits as the mask has
    fixed-shift    the same with 12 bits for every rook, and 9 for every bishop
    black          ``((o | ~mask) * magic) >> shift``, as many bits as the mask has

Where the index is narrower there is no cover, and the branch and bound of the proofs looks for a factor.
"""

import functools
from collections.abc import Callable, Iterable
from typing import Any

from magics import DIVES
from magics.find import cover
from magics.prove import branch
from magics.prove.schedule import plan_for
from magics.widths import check_width
from rookery.bitboards.bits import mixed
from rookery.bitboards.lines import relevant_occupancy
from rookery.bitboards.squares import SQUARE_NAMES, check_square
from rookery.kernel import U64
from rookery.magics.forms import all_squares, index_bits, multiplied
from rookery.techniques._filler import relevant_cases
from rookery.techniques._magics import Factor

BRANCH_SLICE = U64(20_000_000)  # looks at an occupancy between two looks for Ctrl-C: at most about 0.2 s


@functools.cache
def cases_for(form: str, which: tuple[tuple[str, int], ...]) -> cover.Cases:
    """Return the search input for these pieces and squares."""
    return cover.cases_of(
        cover.Case(
            int(relevant_occupancy(piece, square)),
            index_bits(piece, square, form),
            multiplied(piece, square, form),
            relevant_cases(piece, square)[1],
        )
        for piece, square in which
    )


def find_all(
    form: str = "fancy", *, seed: int = 0, which: Iterable[tuple[str, int]] | None = None, **options: Any
) -> list[Factor]:
    """Return the factors of all 128 cases, or of those in `which`, for a form of the table.

    >>> from rookery.magics.forms import is_magic
    >>> all(is_magic(factor, form="black") for factor in find_all("black", seed=7))
    True
    """
    wanted = tuple(all_squares() if which is None else which)
    if not wanted:
        return []
    cases = cases_for(form, wanted)
    s = cover.run(cases, seed, **options)
    return [
        Factor(piece, SQUARE_NAMES[square], int(magic), 64 - int(shift), seed, int(tries))
        for (piece, square), magic, shift, tries in zip(wanted, s.magic, cases.shift, s.tries, strict=True)
        if tries
    ]


def find(
    piece: str,
    square: int,
    *,
    seed: int = 0,
    bits: int | None = None,
    injective: bool = False,
    limit: int = DIVES,
    progress: Callable[[int], None] = lambda tries: None,
) -> Factor | None:
    """Find a magic factor for a rook or bishop; return None after `limit` tries.

    `bits` is the index width; by default the natural one, as many as the relevant occupancy has. A try is a dive of
    `cover` or, for a narrower index, a slice of the branch and bound. For a narrower index None may also mean that no
    factor exists. `progress` is called with the number of tries every few tenths of a second.

    >>> from rookery.magics.forms import is_magic
    >>> factor = find("bishop", 27)
    >>> factor.bits, is_magic(factor)
    (9, True)
    """
    if piece not in ("rook", "bishop"):
        raise ValueError(f"piece: {piece!r}: expected 'rook' or 'bishop'")
    blockers = relevant_occupancy(piece, check_square(square))
    width = len(blockers) if bits is None else bits
    check_width(piece, square, width, injective)
    if width < len(blockers):
        magic, tries = _narrow(piece, square, width, seed, limit, progress)
    else:
        occupied, attacks = relevant_cases(piece, square)
        case = cover.Case(int(blockers), width, occupied, occupied if injective else attacks)
        s = cover.run(cover.cases_of([case]), seed, limit, lambda done, tries: progress(tries))
        magic, tries = int(s.magic[0]), int(s.tries[0])
    return Factor(piece, SQUARE_NAMES[square], magic, width, seed, tries) if tries else None


def _narrow(
    piece: str, square: int, bits: int, seed: int, limit: int, progress: Callable[[int], None]
) -> tuple[int, int]:
    """Find a factor for an index too narrow for a cover; return it and the slices it took, or 0 and 0.

    The seed chooses the prefix to begin with. Random candidates do not help here: of ten million for each bishop, three
    words ANDed, none was a factor. This search finds one in a few milliseconds on 20 of the 24 squares that have one.
    """
    p = plan_for(piece, square, bits)
    s = branch.state_for(p)
    prefixes = branch.prefixes(p)
    begin = int(mixed(seed))
    tries = 0
    for n in range(prefixes):
        branch.stand_at(p, s, (begin + n) % prefixes)
        result = branch.OUT_OF_BUDGET
        while result == branch.OUT_OF_BUDGET:
            if tries == limit:
                return 0, 0
            result = int(branch.search(p, s, BRANCH_SLICE))
            tries += 1
            progress(tries)
        if result == branch.FOUND:
            return s.found, tries
    return 0, 0


def find_widening(piece: str, square: int, *, limit: int = DIVES, **options: Any) -> Factor:
    """Return the narrowest factor found with `limit` tries at each width, from the natural one up."""
    width = len(relevant_occupancy(piece, square))
    while True:
        factor = find(piece, square, bits=width, limit=limit, **options)
        if factor:
            return factor
        width += 1
