"""Check a certificate that a square has no magic factor of a width.

Written from the definition, in plain Python: it imports nothing of the package, and knows nothing of how the search
was done. What it holds a certificate to:

1. The tree is complete: each node splits on the next bit of the named order or is a leaf, and nothing is left over.
   So every factor ends in a leaf.
2. The two occupancies of each leaf are relevant ones of the square, and their attacks differ.
3. For every factor with the bits that are decided at the leaf, both products have the same top bits.

Certificates lie in the folder `certificates`; ``rookery magics check`` checks them all. Wheels leave out
the large one.
"""

import functools
import itertools
import json
import lzma
import struct
from collections.abc import Iterator
from importlib import resources
from typing import Any, NamedTuple

ALL = (1 << 64) - 1
HEADING = b"rookery certificate 1\n"
STEPS = {"rook": ((0, 1), (1, 0), (0, -1), (-1, 0)), "bishop": ((1, 1), (1, -1), (-1, -1), (-1, 1))}
_PIECE = 1 << 20  # bytes unpacked at a time
_PAIRS = (1 << 16) - 1  # as many as a token can name
_HEADER = 1 << 22  # bytes: so many pairs take three quarters of it
_MEMORY = 100 << 20  # bytes to unpack in: what the highest preset takes is two thirds of it
# Those of the folder. Wheels leave out the second kind, which take a megabyte; checkouts and source archives have them.
_IN_WHEELS = ("bishop-d1-4.xz",)
IN_SOURCES_ALONE = ("bishop-c1-4.xz",)
_FIELDS = {"piece": str, "square": str, "bits": int, "order": list, "pairs": list}


class Refusal(ValueError):
    """An error in a certificate, which therefore proves nothing."""


class Certified(NamedTuple):
    """The statement that a certificate proves: that no such factor exists."""

    piece: str
    square: str
    bits: int
    nodes: int
    leaves: int


def _rays(piece: str, square: int) -> list[list[int]]:
    rays = []
    for up, right in STEPS[piece]:
        rank, file = square // 8 + up, square % 8 + right
        ray = []
        while 0 <= rank < 8 and 0 <= file < 8:
            ray.append(8 * rank + file)
            rank, file = rank + up, file + right
        rays.append(ray)
    return rays


def _attacks(rays: list[list[int]], occupied: int) -> int:
    attacked = 0
    for ray in rays:
        for square in ray:
            attacked |= 1 << square
            if occupied >> square & 1:
                break
    return attacked


class _Text:
    """The unpacked certificate, one chunk at a time, since a file of a few kilobytes may hold gigabytes."""

    def __init__(self, data: bytes) -> None:
        self._unpacking = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_MEMORY)
        self._packed = data
        self._waiting = b""

    def _more(self) -> bytes:
        """Return the next chunk of text, empty at the end."""
        if self._unpacking.eof:
            if self._unpacking.unused_data:
                raise Refusal("bytes follow the end")
            return b""
        packed, self._packed = self._packed, b""
        try:
            unpacked = self._unpacking.decompress(packed, _PIECE)
        except lzma.LZMAError as error:
            raise Refusal(f"no certificate: {error}") from error
        if not unpacked and not self._unpacking.eof and self._unpacking.needs_input:
            raise Refusal("no certificate: it is cut short")
        return unpacked or self._more()

    def line(self, most: int) -> bytes:
        """Return a line without its end, cut to just over `most` bytes if it is longer."""
        line = self._waiting
        while b"\n" not in line and len(line) <= most and (piece := self._more()):
            line += piece
        found, _, self._waiting = line.partition(b"\n")
        return found[: most + 1]

    def tokens(self) -> Iterator[tuple[int, ...]]:
        """Yield the rest in runs of two-byte tokens."""
        left = self._waiting
        while piece := self._more():
            left += piece
            count = len(left) // 2
            yield struct.unpack_from(f"<{count}H", left)
            left = left[2 * count :]
        count = len(left) // 2
        yield struct.unpack_from(f"<{count}H", left)
        if len(left) % 2:
            raise Refusal("half a node at the end: expected two bytes a node")


def _read(data: bytes) -> tuple[dict[str, Any], Iterator[int]]:
    text = _Text(data)
    if text.line(len(HEADING)) + b"\n" != HEADING:
        raise Refusal(f"no certificate: expected it to begin with {HEADING!r}")
    try:
        header = json.loads(text.line(_HEADER))
    except (ValueError, RecursionError) as error:
        raise (error if isinstance(error, Refusal) else Refusal(f"no certificate: {error}")) from error
    if not isinstance(header, dict) or any(not isinstance(header.get(name), kind) for name, kind in _FIELDS.items()):
        raise Refusal(f"header: expected {', '.join(_FIELDS)}")
    return header, itertools.chain.from_iterable(text.tokens())


def stored_certificates() -> dict[str, bytes]:
    """Return the certificates of the package, by file name, but for those that this installation leaves out."""
    left_out = left_out_certificates()
    return {name: _file(name).read_bytes() for name in (*IN_SOURCES_ALONE, *_IN_WHEELS) if name not in left_out}


def left_out_certificates() -> dict[str, str]:
    """Return where certificates are that this installation leaves out, by file name: see `IN_SOURCES_ALONE`."""
    where = (
        "not in this installation: it is too large for wheels; "
        "a checkout of rookery or its source archive has it in src/rookery/magics/certificates"
    )
    return {name: where for name in IN_SOURCES_ALONE if not _file(name).is_file()}


def _file(name: str) -> Any:
    return resources.files(__package__).joinpath("certificates", name)


def certify(data: bytes) -> Certified:
    """Check a certificate, given as the bytes of its file.

    Raises `Refusal` if anything is wrong.
    """
    header, tokens = _read(data)
    piece, name, bits, order = header["piece"], header["square"], header["bits"], header["order"]
    if piece not in STEPS or len(name) != 2 or name[0] not in "abcdefgh" or name[1] not in "12345678":
        raise Refusal(f"{piece[:20]} {name[:20]}: no such case")
    if not 1 <= bits <= 24:
        raise Refusal(f"bits: {bits}: expected 1 to 24")
    if any(type(p) is not int or not 0 <= p < 64 for p in order) or len(set(order)) < len(order):
        raise Refusal("order: expected different bits from 0 to 63")
    rays = _rays(piece, "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1))
    relevant = sum(1 << square for ray in rays for square in ray[:-1])
    shift = 64 - bits
    below = (1 << shift) - 1

    @functools.cache
    def may_add(occupied: int) -> list[int]:
        """Return, by depth, the most that the undecided bits can add to a product."""
        amounts = []
        undecided = ALL
        for p in [*order, 0]:
            copies = (undecided << square & ALL for square in range(64) if occupied >> square & 1)
            amounts.append(sum(copies))
            undecided &= ~(1 << p)
        return amounts

    if len(header["pairs"]) > _PAIRS:
        raise Refusal(f"{len(header['pairs']):,} pairs: expected at most {_PAIRS:,}")
    pairs = []
    for number, texts in enumerate(header["pairs"], 1):
        try:
            first, second = (int(text, 16) for text in texts)
        except (TypeError, ValueError) as error:
            raise Refusal(f"pair {number}: {str(texts)[:80]}: expected two occupancies") from error
        if not 0 <= first <= ALL or not 0 <= second <= ALL or (first | second) & ~relevant:
            raise Refusal(f"pair {number}: squares that do not matter to a {piece} on {name}")
        if _attacks(rays, first) == _attacks(rays, second):
            raise Refusal(f"pair {number}: the attacks are equal, so they may share a slot")
        pairs.append((first, may_add(first), second, may_add(second)))

    todo = [(0, 0)]  # nodes still to come: their depth, and the bits decided
    leaves = nodes = 0
    for token in tokens:
        if not todo:
            raise Refusal("the tree is complete, and nodes follow")
        depth, value = todo.pop()
        nodes += 1
        if token == 0:
            if depth == len(order):
                raise Refusal(f"node {nodes}: no bit left to split on")
            todo.append((depth + 1, value | 1 << order[depth]))
            todo.append((depth + 1, value))
            continue
        if token > len(pairs):
            raise Refusal(f"node {nodes}: pair {token} of {len(pairs)}")
        first, first_adds, second, second_adds = pairs[token - 1]
        p, q = first * value & ALL, second * value & ALL
        if (
            p >> shift != q >> shift
            or (p & below) + first_adds[depth] > below
            or (q & below) + second_adds[depth] > below
        ):
            raise Refusal(f"node {nodes}: pair {token} need not share a slot")
        leaves += 1
    if todo:
        raise Refusal(f"the tree is incomplete after {nodes} nodes")
    return Certified(piece, name, bits, nodes, leaves)
