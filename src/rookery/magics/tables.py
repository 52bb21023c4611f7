"""The techniques that look up by a magic factor, and the lengths of their tables."""

from rookery.techniques import ALL
from rookery.techniques.base import Technique


def magic_techniques() -> tuple[Technique, ...]:
    """Return the magic techniques in teaching order."""
    return tuple(t for t in ALL if t.name.startswith("magic-"))


def entries(technique: Technique) -> int:
    """Return the number of slots that a technique's index addresses.

    A slot holds attacks, or a number that stands for attacks.

    >>> from rookery import technique
    >>> entries(technique("magic-plain")), entries(technique("magic-fancy")), entries(technique("magic-reduced"))
    (294912, 107648, 90304)
    """
    tables = technique.tables()._asdict()
    indexed = [tables[name] for name in ("attacks", "numbers") if name in tables]
    return sum(table.size for table in indexed or (tables["rook"], tables["bishop"]))
