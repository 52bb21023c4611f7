"""Describe the sources of an export."""

import textwrap
from collections import Counter
from importlib import metadata

from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, Mapping
from rookery.techniques._magics import PACKINGS, SETS, document, packed, stored
from rookery.techniques.base import Technique, itself

_WORDS = (
    "A board is a 64-bit word with a bit for each square; `occupied` holds all pieces. Large tables of attacks are "
    "filled at start-up by walking rays; all other tables are written out. The self-check compares each of the 107,648 "
    "relevant occupancies with ray walking, alone and with all other squares occupied, and checks the queen too."
)


_KEPT = (
    "The technique keeps a state from move to move: prepare makes it from an occupancy, and toggle puts a piece on a "
    "square or takes it away. Three look-ups take a state; the others make one for each question. "
    "The self-check compares the state that toggle keeps with the one that prepare makes."
)


def command_line(
    technique: Technique, language: str, mapping: Mapping, prefix: str | None = None, header: bool = False
) -> str:
    """Return the command that writes an export again."""
    chosen = "" if mapping == LITTLE_ENDIAN_RANK_FILE else f" --mapping {mapping}"
    form = f"{' --header' if header else ''}{f' --prefix {prefix}' if prefix else ''}"
    return f"rookery export {language} --technique {technique.name}{form}{chosen}"


def version() -> str:
    """Return the program and version that write the export."""
    return f"rookery {metadata.version('rookery')}"


def factor_sources(technique: Technique) -> list[str]:
    """Return who found the magic factors in a technique's tables.

    The stored sets are matched in turn, the one with the most factors first; each is credited with the factors that no
    earlier set has explained.
    """
    numbers = Counter(
        int(number)
        for table in technique.tables()
        if table.dtype.itemsize == 8 and table.size <= 1024
        for number in table.reshape(-1)
    )
    in_set = {which: {factor.magic for factor in stored(which)} for which in SETS}
    in_set |= {which: {record.magic for record in packed(which)[1]} for which in PACKINGS}
    sources: list[str] = []
    for which in sorted(in_set, key=lambda which: -sum(numbers[magic] for magic in in_set[which])):
        found = sum(numbers.pop(magic, 0) for magic in in_set[which])
        if found:
            described = document(which)
            source = f" ({described['source']})" if "source" in described else ""
            sources.append(f"{found} from {described['finder']}{source}")
    return sources


def heading(
    technique: Technique, language: str, mapping: Mapping, *, prefix: str | None = None, header: bool = False
) -> list[str]:
    """Return the comment above exported code."""
    a1, b1, h8 = (mapping.index(sq) for sq in (0, 1, 63))
    facts = [
        ("authors", ", ".join(technique.authors)),
        ("year", str(technique.year)),
        ("source", technique.source),
        *(("magic factors", source) for source in factor_sources(technique)),
        ("tables", f"{technique.table_bytes:,} bytes"),
        ("mapping", f"{mapping}: a1 is bit {a1}, b1 bit {b1}, h8 bit {h8}"),
        ("written by", f"{version()}, {command_line(technique, language, mapping, prefix, header)}"),
    ]
    lines = [
        *textwrap.wrap(f"Attacks of rooks, bishops and queens by {technique.name}: {technique.summary}.", 112),
        "",
    ]
    for name, text in facts:
        lines += textwrap.wrap(f"{name}: {text}", 112, subsequent_indent="    ")
    lines += [
        "",
        *textwrap.wrap(f"{_WORDS}{'' if technique.prepare_kernel is itself else f' {_KEPT}'}", 112),
    ]
    return lines
