"""The description of a technique: where it comes from, what it needs, its kernels and its tables."""

import enum
import re
import sys
import typing
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rookery.kernel import U64, Bits, Square, State, kernel
from rookery.techniques.base.answers import Kernel, Kernels
from rookery.techniques.base.protocol import Tables


class Needs(enum.Flag):
    """The instructions on which a technique's speed depends; all have portable twins."""

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
    """The empty tables of a technique that computes everything."""


def no_tables() -> NoTables:
    """Return empty tables."""
    return NoTables()


@kernel
def itself(occupied: Bits, t: Tables) -> State:
    """Return the occupancy as the state, as most techniques do."""
    return occupied


@kernel
def xor_square(state: State, sq: Square, t: Tables) -> State:
    """Update the state of these techniques."""
    return state ^ (1 << sq)


class Upkeep(NamedTuple):
    """The state that a technique keeps from move to move: by default the occupancy.

    `state` is the class of the state, `U64` for a word. ``prepare(occupied, t)`` makes the state of an occupancy, and
    ``toggle(state, sq, t)`` puts a piece on a square or takes it away.
    """

    state: type = U64
    prepare: Kernel = itself
    toggle: Kernel = xor_square


OCCUPANCY: Final = Upkeep()


@dataclass(frozen=True)
class Variant:
    """A technique that turned out to be another in a different form, with what distinguishes the two.

    The tests compare both in every case. `rookery.technique` finds the technique by the name of its variant, too.
    """

    name: str
    authors: tuple[str, ...]
    year: int
    source: str
    difference: str


def _calling_module() -> str:
    # Skip this function, the constructor, and `replace` if one card is made from another. `typing.NamedTuple` finds the
    # module of its classes in the same way.
    depth = 2
    while (name := str(sys._getframe(depth).f_globals["__name__"])) in ("copy", "dataclasses"):
        depth += 1
    return name


@dataclass(frozen=True, kw_only=True, eq=False)
class Card:
    """The description of a technique, at the end of its file.

    `authors`, `year` and `source` give its origin; the year is that of the source if the inventor's is not known.
    `users` names programs that use it. `needs` names the instructions on which its speed depends. `tables` builds its
    tables; the NamedTuple class that it is annotated to return may serve several techniques. `gathers` is false if
    loops over arrays are faster with plain loads than with gathers. `own_class` is a class of tables that belongs to
    this technique alone, if there is one already; else one is made. `variants` are published techniques that are this
    one in another form. `module` is the module that defines the card.
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
    users: str = ""
    gathers: bool = True
    own_class: type[Any] | None = None
    variants: tuple[Variant, ...] = ()
    module: str = field(init=False, default_factory=_calling_module)

    def html(self) -> str:
        """Return the card as a table."""
        from html import escape

        rows = {
            "name": self.name,
            "summary": self.summary,
            "authors": ", ".join(self.authors),
            "year": str(self.year),
            "source": self.source,
            "used by": self.users,
            "variants": ", ".join(variant.name for variant in self.variants),
            "module": self.module,
        }
        cells = "".join(f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in rows.items() if text)
        return f"<table>{cells}</table>"


_names: set[str] = set()


def own_class(card: Card) -> type[Any]:
    """Make a class for the tables of one technique alone, derived from the class that describes the tables.

    The class of the tables identifies the technique. Numba's dispatcher compares only the name and the fields of a
    class: of two alike, the second would run the machine code of the first. The compile cache finds a class by module
    and name, so the new one becomes an attribute of the technique's module.
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
