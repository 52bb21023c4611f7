"""In which order a proof places the blockers of a square. A tree may be fifty times larger in another."""

import functools
import json
from collections.abc import Iterable, Sequence
from importlib import resources
from pathlib import Path
from typing import NamedTuple

from rookery import files
from rookery.lines import relevant_occupancy
from rookery.squares import SQUARE_NAMES, parse_square


class Order(NamedTuple):
    """An order of the blockers of a piece on a square, and how many nodes the tree for an index of `bits` bits has by
    estimate: in this order, and in the usual one.
    """

    piece: str
    square: str
    bits: int
    blockers: tuple[str, ...]
    nodes: int
    usual_nodes: int


def usual_order(blockers: Iterable[int], square: int) -> list[int]:
    """The blockers of the square's own rank, whose windows overlap most, and then the others from the nearest rank to
    the farthest. Without a rank (a bishop) from the lowest up.

    Rook d5 takes a third of the time that it takes with all above before all below; with the highest first, hours.
    """
    ascending = sorted(blockers)
    beside = [s for s in ascending if s // 8 == square // 8]
    if not beside:
        return ascending
    others = [s for s in ascending if s not in beside]
    return beside + sorted(others, key=lambda s: (abs(s // 8 - square // 8), -s))


@functools.cache
def orders() -> tuple[Order, ...]:
    """The stored ones: of squares whose proofs take another order than the usual."""
    return _parse("orders: damaged", resources.files(__package__).joinpath("orders.json").read_bytes())


def _parse(label: str, text: bytes) -> tuple[Order, ...]:
    try:
        document = files.parse_json(text)
        if not {"orders"} <= {*document} <= {"command", "orders"}:
            raise ValueError("expected orders, and nothing else but a command")
        found = tuple(Order(**{**r, "blockers": tuple(r["blockers"])}) for r in document["orders"])
        for order in found:
            if not all(type(n) is int and n >= 0 for n in (order.bits, order.nodes, order.usual_nodes)):
                raise ValueError(f"{order.piece} {order.square}: expected whole numbers of bits and nodes")
            relevant = list(relevant_occupancy(order.piece, parse_square(order.square)))
            if sorted(parse_square(s) for s in order.blockers) != relevant:
                expected = ", ".join(SQUARE_NAMES[s] for s in relevant)
                raise ValueError(f"{order.piece} {order.square}: blockers: expected {expected}, each once")
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{label}: {error}") from error
    return found


def read(path: Path) -> tuple[Order, ...]:
    """The orders of a file, the stored ones where there is none yet. A file of anything else is a ValueError."""
    text = files.read("orders", path)
    return orders() if text is None else _parse(f"orders: {path}: no file of orders", text)


def placing_order(piece: str, square: int, bits: int) -> list[int]:
    """The order stored for a rook or bishop and an index of so many bits, or else the usual one.

    >>> [SQUARE_NAMES[s] for s in placing_order("bishop", 2, 4)]
    ['b2', 'd2', 'e3', 'f4', 'g5']
    """
    for order in orders():
        if (order.piece, order.square, order.bits) == (piece, SQUARE_NAMES[square], bits):
            return [parse_square(s) for s in order.blockers]
    return usual_order(relevant_occupancy(piece, square), square)


def write(path: Path, found: Sequence[Order]) -> None:
    """Add them to a file of orders; those that were found again are replaced. A new file begins with the stored ones,
    and one of anything else is a ValueError and stays as it is.
    """
    known = {(o.piece, o.square, o.bits): o for o in [*read(path), *found]}
    rows = sorted(known.values(), key=lambda o: (o.piece != "rook", o.bits, parse_square(o.square)))
    document = {
        "command": "rookery magics pilot --piece PIECE --square SQUARE --out FILE",
        "orders": [o._asdict() for o in rows],
    }
    files.write(path, json.dumps(document, indent=1) + "\n")
