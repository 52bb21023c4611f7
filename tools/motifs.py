"""The dictionary of motifs, from its records: a section for each motif, and lists that link to them."""

import re
import textwrap
from collections.abc import Callable
from typing import Final

from rookery import Bitboard, Board
from rookery.bitboards.pictures.text import marked
from rookery.positions.motifs import FAMILIES, MOTIFS, Family, Motif
from rookery.positions.motifs.named_mates import NAMED_MATES

PAGES: Final[dict[str, Family]] = dict(zip(("pawns", "pieces", "tactics"), FAMILIES, strict=True))
_WIDTH: Final = 120
_CODE_WIDTH: Final = 62  # columns next to a board on the site


def page(name: str) -> Callable[[], str]:
    """Return a function that writes a section for each motif of a page: its meaning, example and definition."""
    return lambda: "\n\n".join(_entry(i, m) for i, m in enumerate(MOTIFS) if m.family is PAGES[name])


def names(name: str) -> Callable[[], str]:
    """Return a function that writes the motifs of a page as links."""
    listed = [m.name for m in MOTIFS if m.family is PAGES[name]]
    return lambda: _wrapped(", ".join(f"[{n}]({name}.md#{n})" for n in listed) + ".")


def mates() -> str:
    """Return a section for each mate by name: its definition and a position that shows it."""
    return "\n\n".join(
        f"## {mate.name}\n\n{_wrapped(mate.definition)}\n\n```board\n{marked(str(Board(mate.fen)), 0)}\n```\n\n"
        f"Example: `{mate.fen}`. Bit {i}."
        for i, mate in enumerate(NAMED_MATES)
    )


def mate_names() -> str:
    """Return the mates by name as links."""
    return _wrapped(", ".join(f"[{mate.name}](mates.md#{mate.name})" for mate in NAMED_MATES) + ".")


def _entry(bit: int, motif: Motif) -> str:
    example = motif.example
    drawing = marked(str(Board(example.fen)), int(Bitboard.of(*example.squares.split())))
    side = "" if example.side == "white" else f", for {example.side}"
    source = f' Chessprogramming wiki: "{motif.source}".' if motif.source else ""
    return "\n\n".join(
        [
            f"## {motif.name}",
            _wrapped(motif.summary),
            f"```board\n{drawing}\n```",
            f"Example: `{example.fen}`{side}.",
            _wrapped(f"Definition: {motif.formula}.") if motif.in_words else f"```text\n{_code(motif.formula)}\n```",
            _wrapped(f"Left out: {motif.leaves_out[0].lower()}{motif.leaves_out[1:]} Bit {bit}.{source}"),
        ]
    )


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False))


# Expressions over several lines.


def _code(formula: str) -> str:
    """Return an expression, broken before its outermost operators where it is too long for a line."""
    lines = _lines(formula)
    assert re.sub(r"\s", "", "".join(lines)) == re.sub(r"\s", "", formula)
    return "\n".join(lines)


def _lines(formula: str) -> list[str]:
    if len(formula) <= _CODE_WIDTH:
        return [formula]
    for operators in ("|", "&", "-"):
        parts = _split(formula, operators)
        if len(parts) > 1:
            return _joined(parts)
    opening = formula.index("(") + 1
    parts = _split(formula[opening : _closing(formula, opening)], ",")
    inner = [line for part in parts for line in _lines(part)]
    return [formula[:opening], *(f"    {line}" for line in inner), formula[_closing(formula, opening) :]]


def _joined(parts: list[str]) -> list[str]:
    """Return a line for each part; of a part that has operators on several lines, these are indented."""
    found = []
    for part in parts:
        first, *rest = _lines(part)
        found += [first, *(rest if first.endswith("(") else [f"    {line}" for line in rest])]
    return found


def _split(formula: str, sign: str) -> list[str]:
    """Return the parts of an expression between operators outside of brackets, each with the operator before it."""
    parts, depth, start = [], 0, 0
    for i, c in enumerate(formula):
        depth += (c == "(") - (c == ")")
        if depth == 0 and c == sign and i:
            end = i + 1 if sign == "," else i
            parts.append(formula[start:end].strip())
            start = end
    return [*parts, formula[start:].strip()]


def _closing(formula: str, opening: int) -> int:
    """Return the index of the bracket that closes the one before an index."""
    depth = 1
    for i in range(opening, len(formula)):
        depth += (formula[i] == "(") - (formula[i] == ")")
        if depth == 0:
            return i
    raise ValueError(formula)
