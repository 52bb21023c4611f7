"""What a technique is, on a card: where it comes from, what it needs, its kernels, and what makes its tables."""

import enum
import re
import sys
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rookery.kernel import U64, Bits, Square, State, kernel
from rookery.protocol import Tables
from rookery.technique.answers import Kernel, Kernels


class Needs(enum.Flag):
    """Instructions a technique's speed rests on; all have portable twins."""

    NOTHING = 0
    MULTIPLY = enum.auto()
    MODULO = enum.auto()
    BYTESWAP = enum.auto()
    BITREVERSE = enum.auto()
    SCAN_FORWARD = enum.auto()
    SCAN_REVERSE = enum.auto()
    PEXT = enum.auto()
    PDEP = enum.auto()

    def __str__(self) -> str:
        names = [str(flag.name).lower().replace("_", " ") for flag in self]
        return ", ".join(names) or "nothing"


class NoTables(NamedTuple):
    """The tables of a technique that computes everything."""


def no_tables() -> NoTables:
    """Nothing to build."""
    return NoTables()


@kernel
def itself(occupied: Bits, t: Tables) -> State:
    """The state that most techniques keep."""
    return occupied


@kernel
def xor_square(state: State, sq: Square, t: Tables) -> State:
    """How they keep it up."""
    return state ^ (1 << sq)


class Upkeep(NamedTuple):
    """What is kept of the occupancy from move to move: by default itself.

    `state` is the class of what is kept, `U64` for a word. ``prepare(occupied, t)`` makes it of nothing, and
    ``toggle(state, sq, t)`` puts a piece on a square, or takes it away.
    """

    state: type = U64
    prepare: Kernel = itself
    toggle: Kernel = xor_square


OCCUPANCY: Final = Upkeep()


def _where_it_is_written() -> str:
    # Past this function, the constructor, and `replace` where one card is made of another: as `typing.NamedTuple`
    # finds out where its classes stand.
    depth = 2
    while (name := str(sys._getframe(depth).f_globals["__name__"])) in ("copy", "dataclasses"):
        depth += 1
    return name


@dataclass(frozen=True, kw_only=True, eq=False)
class Card:
    """A technique as it is written down, at the end of its file.

    `authors`, `year` and `source` say where it comes from; the year is the source's where the inventor's own is not
    known. `needs` names the instructions it lives by. `tables` builds its tables: the class of NamedTuple that it is
    annotated to return may serve several techniques. `gathers` is false where loops over arrays are faster with plain
    loads than with vectors of them. `module` is where the card is written.
    """

    name: str
    summary: str
    authors: tuple[str, ...]
    year: int
    source: str
    kernels: Kernels
    needs: Needs = Needs.NOTHING
    tables: Callable[[], Tables] = no_tables
    upkeep: Upkeep = OCCUPANCY
    gathers: bool = True
    module: str = field(init=False, default_factory=_where_it_is_written)


_names: set[str] = set()


def own_class(card: Card) -> type[Any]:
    """A class for the tables of one technique alone, derived from that which says what they hold.

    By the class of its tables a technique is told from the others, and Numba's dispatcher looks at the name of a class
    and at its fields alone: of two alike, the second would be answered by the first one's machine code. The compile
    cache finds a class by module and name, so it stands in the technique's module as if it were written there.
    """
    fields: Any = typing.get_type_hints(card.tables).get("return")
    if not hasattr(fields, "_fields"):
        raise TypeError(f"technique {card.name!r}: {card.tables.__qualname__} must be annotated to return a NamedTuple")
    name = re.sub(r"\W", "_", f"{fields.__name__}_{card.name}")
    if name in _names:
        raise TypeError(f"technique {card.name!r}: another technique's tables are named {name}")
    _names.add(name)
    own = type(name, (fields,), {"__slots__": (), "__module__": card.module, "__doc__": fields.__doc__})
    setattr(sys.modules[card.module], name, own)
    return own
