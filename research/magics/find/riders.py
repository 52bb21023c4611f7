"""Magic factors for any rider on any board of up to 64 squares.

    delta     files and ranks of one step; the rider repeats it until the board ends or a piece stands in its way
    ray       the squares of one delta, nearest first
    mask      the squares whose occupancy can change the attacks: those that matter

A nightrider rides by the knight's eight deltas, a camelrider by ``(1, 3)`` and its reflections. Squares are numbered
rank by rank from a1, as on the chess board: ``rank * width + file``.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from magics.find import cover
from rookery.bitboards.bits import subset_array
from rookery.techniques._filler import Boards, walk_rays

Delta = tuple[int, int]

WIDEST_MASK: Final = 20  # squares: 16 MiB of occupancies and attacks
WIDEST_INDEX: Final = 24  # bits: a table of 128 MiB


class Rider(NamedTuple):
    """A piece and its board."""

    deltas: tuple[Delta, ...]
    width: int = 8
    height: int = 8

    @property
    def squares(self) -> list[str]:
        """Return the names of the squares by number.

        >>> Rider(((1, 2),), 3, 2).squares
        ['a1', 'b1', 'c1', 'a2', 'b2', 'c2']
        """
        return [f"{_file_name(file)}{rank + 1}" for rank in range(self.height) for file in range(self.width)]

    def parse_square(self, name: str) -> int:
        """Return the number of a square."""
        try:
            return self.squares.index(name)
        except ValueError:
            raise ValueError(f"square: {name!r}: expected {self.squares[0]} to {self.squares[-1]}") from None


class RiderFactor(NamedTuple):
    """A square's mask, its magic factor and its index width."""

    square: str
    mask: int
    magic: int
    bits: int
    seed: int
    tries: int

    @property
    def shift(self) -> int:
        """Return how many places the product is shifted right."""
        return 64 - self.bits


def _file_name(file: int) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return letters[file] if file < 26 else letters[file // 26 - 1] + letters[file % 26]


def rider(deltas: Sequence[Delta], width: int = 8, height: int = 8) -> Rider:
    """Return a rider after checking its deltas and board.

    >>> rider([(1, 2), (1, 2)])
    Traceback (most recent call last):
        ...
    ValueError: deltas: 1,2 is given twice
    """
    for name, size in (("width", width), ("height", height)):
        if size < 1:
            raise ValueError(f"{name}: {size}: expected 1 or more")
    if width * height > 64:
        raise ValueError(f"width and height: {width} x {height} is {width * height} squares: expected up to 64")
    if not deltas:
        raise ValueError("deltas: none: expected at least one, like '1,2'")
    for i, (x, y) in enumerate(deltas):
        if x == y == 0:
            raise ValueError("deltas: 0,0 moves nowhere: expected a delta other than 0,0")
        if (x, y) in deltas[:i]:
            raise ValueError(f"deltas: {x},{y} is given twice")
        if abs(x) >= width or abs(y) >= height:
            raise ValueError(f"deltas: {x},{y} leaves a board of {width} x {height} from every square")
    return Rider(tuple(deltas), width, height)


def parse_deltas(text: str) -> list[Delta]:
    """Parse the deltas of a rider, files before ranks.

    >>> parse_deltas("1,2 -2,1")
    [(1, 2), (-2, 1)]
    """
    deltas = []
    for word in text.split():
        try:
            x, y = map(int, word.split(","))
        except ValueError:
            raise ValueError(f"deltas: {word!r}: expected files and ranks like '1,2', or '-2,1'") from None
        deltas.append((x, y))
    return deltas


def rays(piece: Rider, square: int) -> list[list[int]]:
    """Return the rays from a square, without empty ones.

    >>> rays(rider([(1, 2), (-1, 2)]), 0)
    [[17, 34, 51]]
    """
    found = []
    for x, y in piece.deltas:
        rank, file = divmod(square, piece.width)
        ray = []
        while 0 <= rank + y < piece.height and 0 <= file + x < piece.width:
            rank, file = rank + y, file + x
            ray.append(rank * piece.width + file)
        if ray:
            found.append(ray)
    return found


def mask(piece: Rider, square: int) -> int:
    """Return the squares whose occupancy can change the attacks.

    A blocker matters if, with the way to it free, a square behind it is attacked without the blocker but not with it.
    Another ray may reach that square too (the ray of 2,0 reaches squares of 1,0); then something must be able to stop
    that ray: the blocker itself or a square off this way.

    >>> bin(mask(rider([(1, 0)]), 0)), bin(mask(rider([(1, 0), (2, 0)]), 0))
    ('0b1111110', '0b1111110')
    """
    every = rays(piece, square)
    found = 0
    for ray in every:
        for i, blocker in enumerate(ray):
            for j in range(i + 1, len(ray)):
                way = {*ray[:j]} - {blocker}
                others = [other[: other.index(ray[j])] for other in every if other is not ray and ray[j] in other]
                if all({*other} - way for other in others):
                    found |= 1 << blocker
    return found


def cases(piece: Rider, square: int) -> tuple[Boards, Boards]:
    """Return every subset of the mask, and the attacks for each."""
    occupied = subset_array(mask(piece, square))
    return occupied, walk_rays(rays(piece, square), occupied)


def check_masks(piece: Rider) -> None:
    """Refuse a rider if any of its squares has too large a mask for a table."""
    for square, name in enumerate(piece.squares):
        bits = mask(piece, square).bit_count()
        if bits > WIDEST_MASK:
            raise ValueError(f"deltas: {bits} squares matter on {name}: a table takes up to {WIDEST_MASK}")


def find_rider(
    piece: Rider,
    square: int,
    *,
    seed: int = 0,
    limit: int = 1_000,
    progress: Callable[[int], None] = lambda tries: None,
) -> RiderFactor | None:
    """Find a magic factor with the narrowest index that `limit` dives can achieve.

    The width starts at the number of squares in the mask and grows up to 24 bits; beyond that the result is None. (A
    queen has a factor on 58 of the 64 squares, with up to seven extra bits.) An empty mask has the factor 0 and 1 index
    bit, since a word cannot be shifted by 64.

    >>> factor = find_rider(rider([(1, 2), (2, 1), (-1, 2), (-2, 1)]), 3)
    >>> bin(factor.mask), factor.bits
    ('0b10001000000000000101000010000000000000', 5)
    """
    blockers = mask(piece, square)
    occupied, attacks = cases(piece, square)
    for bits in range(max(1, blockers.bit_count()), WIDEST_INDEX + 1):
        case = cover.Case(blockers, bits, occupied, attacks)
        s = cover.run(cover.cases_of([case]), seed, limit, lambda done, tries: progress(tries))
        if s.tries[0]:
            return RiderFactor(piece.squares[square], blockers, int(s.magic[0]), bits, seed, int(s.tries[0]))
    return None
