"""The oracle: sliding attacks found by walking square by square, in plain Python.

Every technique is verified against it. It shares no code with them: it imports nothing from the package, and only the
verification imports it. Coordinates are (rank, file) pairs; boards are ints with a1 = bit 0.
"""

from collections.abc import Iterator

COMPASS = {
    "north": (1, 0),
    "northeast": (1, 1),
    "east": (0, 1),
    "southeast": (-1, 1),
    "south": (-1, 0),
    "southwest": (-1, -1),
    "west": (0, -1),
    "northwest": (1, -1),
}
MOVERS = {
    "rank": ("east", "west"),
    "file": ("north", "south"),
    "diagonal": ("northeast", "southwest"),
    "antidiagonal": ("northwest", "southeast"),
    "rook": ("north", "east", "south", "west"),
    "bishop": ("northeast", "southeast", "southwest", "northwest"),
}


def ray(direction: str, square: int, occupied: int) -> int:
    """Walk from `square` to the edge or the first occupied square, which is attacked, too.

    >>> bin(ray("east", 0, 0b1001000))
    '0b1110'
    """
    up, right = COMPASS[direction]
    rank, file = square // 8 + up, square % 8 + right
    attacked = 0
    while 0 <= rank <= 7 and 0 <= file <= 7:
        here = 1 << (8 * rank + file)
        attacked |= here
        if occupied & here:
            break
        rank, file = rank + up, file + right
    return attacked


def attacks(mover: str, square: int, occupied: int) -> int:
    """Return the attacks of a rook or bishop, or along one line: the union of its rays."""
    attacked = 0
    for direction in MOVERS[mover]:
        attacked |= ray(direction, square, occupied)
    return attacked


def ray_cases(direction: str, square: int) -> list[tuple[int, int]]:
    """Return every subset of a whole ray with its attack set."""
    whole = ray(direction, square, 0)
    cases = []
    subset = whole
    while True:
        cases.append((subset, ray(direction, square, subset)))
        if subset == 0:
            return cases
        subset = (subset - 1) & whole


def cases(mover: str, square: int) -> Iterator[tuple[int, int]]:
    """Return every subset of a mover's whole rays, edges included, with its attack set.

    A rook has 2**14 on every square, 1,048,576 in all; a bishop has 71,168 in all. Rays do not overlap, so the cases of
    a mover are the products of the cases of its rays.
    """
    product = [(0, 0)]
    for direction in MOVERS[mover]:
        of_ray = ray_cases(direction, square)
        product = [(o | p, a | b) for o, a in product for p, b in of_ray]
    return iter(product)
