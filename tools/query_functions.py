"""Tables of the functions of the query language, made from the functions."""

import importlib
import re
from collections.abc import Callable, Iterable

from rookery.positions.language.grammar import FUNCTIONS, Function
from rookery.positions.language.headers import KINDS
from rookery.positions.language.vocabulary import METHODS, PUBLIC, PUBLIC_NAMES
from rookery.positions.motifs import MOTIFS
from rookery.positions.motifs.named_mates import NAMED_MATES

_KINDS = {"same": "as the value"}


def of_module(module: str) -> Callable[[], str]:
    """Return a function that writes the table of the functions of a module of the language."""
    name_of_module = importlib.import_module(f"rookery.positions.language.functions.{module}").__name__
    return lambda: _table(
        f for name, f in PUBLIC.items() if name in PUBLIC_NAMES and f.run.__module__ == name_of_module
    )


def of_move() -> str:
    """Return the table of the attributes of the move."""
    return _table(f for name, f in FUNCTIONS.items() if name.startswith("move."))


def of_methods() -> str:
    """Return the table of the methods of texts."""
    rows = [
        f"| `{name}` | {FUNCTIONS[f'.{name}'].kind} | {_sentence(FUNCTIONS[f'.{name}'].summary)} |" for name in METHODS
    ]
    return "\n".join(["| method | kind | value |", "|---|---|---|", *rows])


def of_headers() -> str:
    """Return the table of the headers that are not texts."""
    kinds: dict[str, list[str]] = {}
    for name, kind in KINDS.items():
        kinds.setdefault(kind, []).append(f"`{name}`")
    rows = [f"| {', '.join(names)} | {kind} |" for kind, names in kinds.items()]
    return "\n".join(["| header | kind |", "|---|---|", *rows])


def of_motifs() -> str:
    """Return the table of the motifs."""
    rows = [f"| `{PUBLIC[motif.name].signature()}` | {_cell(motif.summary)} |" for motif in MOTIFS]
    return "\n".join(["| name | set |", "|---|---|", *rows])


def of_mates() -> str:
    """Return the table of the mates by name."""
    rows = [f"| `{mate.name}` | {_cell(mate.definition)} |" for mate in NAMED_MATES]
    return "\n".join(["| name | the side to move is mated like this |", "|---|---|", *rows])


def _table(functions: Iterable[Function]) -> str:
    rows = [f"| `{_cell(f.signature())}` | {_KINDS.get(f.kind, f.kind)} | {_sentence(f.summary)} |" for f in functions]
    return "\n".join(["| name | kind | value |", "|---|---|---|", *rows])


def _sentence(summary: str) -> str:
    """Return the first paragraph of a docstring as a description of the value."""
    text = " ".join(summary.split("\n\n")[0].split()).replace("``", "`")
    text = re.sub(r": ([a-z_0-9]+\(.*\)(?: == \S+)?)\.$", r": `\1`.", text)
    text = re.sub(r"^(Return|Check) ", "", text)
    return _cell(text[0].upper() + text[1:])


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
