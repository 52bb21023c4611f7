"""The definitions of the motifs, for the page of the dictionary."""

import textwrap
from typing import Final

from rookery import Bitboard, Board
from rookery.pictures.text import marked
from rookery.positions.motifs import FAMILIES, MOTIFS, Motif

HEADINGS: Final = ("Pawn structure", "Pieces, kings and files", "Attacks and tactics")
_WIDTH: Final = 120


def motifs() -> str:
    """Return a section for each family, and in it the definition and the example of each motif."""
    parts = []
    for heading, family in zip(HEADINGS, FAMILIES, strict=True):
        parts.append(f"## {heading}")
        parts += [_entry(i, motif) for i, motif in enumerate(MOTIFS) if motif.family is family]
    return "\n\n".join(parts)


def _entry(bit: int, motif: Motif) -> str:
    source = f' Source: chessprogramming wiki, "{motif.source}".' if motif.source else ""
    example = motif.example
    side = "" if example.side == "white" else f", for {example.side}"
    drawing = marked(str(Board(example.fen)), int(Bitboard.of(*example.squares.split())))
    definition = f"Definition in words: {motif.formula}." if motif.in_words else f"```text\n{_code(motif.formula)}\n```"
    return "\n\n".join(
        [
            f"### {motif.name}",
            motif.summary,
            definition if not motif.in_words else _wrapped(definition),
            _wrapped(f"Bit {bit}. Left out: {motif.leaves_out[0].lower()}{motif.leaves_out[1:]}{source}"),
            f"`{example.fen}`{side}:",
            f"```text\n{drawing}\n```",
        ]
    )


def _wrapped(text: str) -> str:
    return "\n".join(textwrap.wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False))


def _code(formula: str) -> str:
    """Break an expression over lines at its operators."""
    return "\n".join(textwrap.wrap(formula, 100, break_long_words=False, break_on_hyphens=False))
