"""The options of reading games, with a value to try for each."""

import dataclasses
from typing import Any, Final

from rookery import read_opening_names
from rookery.games.read.options import ReadOptions

NAMES: Final = b"eco\tname\tpgn\nC20\tOpen Game\t1. e4 e5\n"
# A value that is not the default, for each option.
VALUES: Final[dict[str, Any]] = {
    "headers": ["ECO"],
    "clocks": False,
    "comments": False,
    "nags": False,
    "variations": False,
    "where": "White == 'Карпов'",
    "moves": False,
    "texts": True,
    "encoding": "cp1251",
    "letters": "german",
    "names": read_opening_names(NAMES),
    "errors": "skip",
    "strict": True,
    "threads": 2,
}
PGN: Final = '[White "Карпов"]\n\n1. e4 e5 1-0\n\n[White "Каспаров"]\n\n1. d4 Ke2 0-1\n'


def fields_of(record: type[ReadOptions]) -> dict[str, Any]:
    """Return the fields of a record with their defaults."""
    return {field.name: field.default for field in dataclasses.fields(record)}
