"""The type of the default technique's tables, apart from the technique: callers of entries pass it."""

from importlib import import_module
from typing import Final, NamedTuple


class DefaultTables(NamedTuple):
    """The empty tables of the default technique, whose tables are in the machine code."""

    @staticmethod
    def register_kernels() -> None:
        """Make the technique, which registers its kernels."""
        import_module("rookery.rules.compiled").default_technique()


_TABLES: Final = DefaultTables()


def default_tables() -> DefaultTables:
    """Return the tables of `rookery.rules.compiled.default_technique`, without making the technique."""
    return _TABLES
