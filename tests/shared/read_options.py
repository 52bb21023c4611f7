"""The options of reading games, with a value to try for each."""

import dataclasses
from typing import Any, Final

from rookery.games.read.options import ReadOptions

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
    "errors": "skip",
    "strict": True,
    "threads": 2,
}
PGN: Final = '[White "Карпов"]\n\n1. e4 e5 *\n\n[White "Каспаров"]\n\n1. d4 Ke2 *\n'


def fields_of(record: type[ReadOptions]) -> dict[str, Any]:
    """Return the fields of a record with their defaults."""
    return {field.name: field.default for field in dataclasses.fields(record)}
