"""Checks of all stored magic factors, tables and certificates. Each returns what it checked and the faults it found."""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from rookery.bitboards.squares import SQUARE_NAMES
from rookery.magics import atlas, ranges
from rookery.magics.certify import Certified, Refusal, certify, left_out_certificates, stored_certificates
from rookery.magics.forms import is_magic
from rookery.magics.laboratory import laboratory
from rookery.magics.tables import entries, magic_techniques, used
from rookery.techniques._magics import INCOMPLETE, PACKINGS, SETS, packed, stored
from rookery.verify import look_ups

Faults: TypeAlias = list[str]
Progress: TypeAlias = Callable[[str], None]


class Packing(NamedTuple):
    """A table into which all squares are packed."""

    name: str
    entries: int
    used: int


class TableSize(NamedTuple):
    """The size of a technique's table of attacks, checked by every look-up."""

    technique: str
    entries: int
    bytes: int


def check_factors() -> tuple[int, list[str], Faults]:
    """Try every stored factor on all occupancies, and find those of our own finder again from their seeds.

    The second result says where the finder is, if this installation leaves it out.
    """
    checked, faults = 0, []
    find, left_out = None, []
    try:
        find = laboratory("find.factors").find
    except ModuleNotFoundError as error:
        left_out.append(f"seeds: not tried: {error}")
    for which in SETS:
        for factor in stored(which):
            checked += 1
            label = f"{which}: {factor.piece} {factor.square}"
            if not is_magic(factor):
                faults.append(f"{label}: 0x{factor.magic:016x} is no magic")
            if find is None or which in INCOMPLETE:  # not of our finder
                continue
            square = SQUARE_NAMES.index(factor.square)
            again = find(factor.piece, square, seed=factor.seed, bits=factor.bits, limit=factor.tries)
            if again != factor:
                tries = f"{factor.tries} tries"
                faults.append(f"{label}: seed {factor.seed} does not find 0x{factor.magic:016x} in {tries}")
    return checked, left_out, faults


def check_packings() -> tuple[list[Packing], Faults]:
    """Make every look-up in the packed tables."""
    checked, faults = [], []
    for which, form in PACKINGS.items():
        length, records = packed(which)
        try:
            checked.append(Packing(which, length, used(records, length, form)))
        except ValueError as error:
            faults.append(f"{which}: {error}")
    return checked, faults


def check_tables(progress: Progress) -> tuple[list[TableSize], Faults]:
    """Build the tables of all magic techniques, and make every look-up."""
    checked, faults = [], []
    for t in magic_techniques():
        progress(f"looking everything up in {t.name}")
        try:
            first = look_ups(t).first
        except ValueError as error:  # a collision
            faults.append(f"{t.name}: {error}")
            continue
        if first:
            faults.append(f"{t.name}: {first}")
        else:
            checked.append(TableSize(t.name, entries(t), t.table_bytes))
    return checked, faults


def check_atlas() -> Faults:
    """Check the factors of the atlas, and the smallest ranges."""
    return atlas.faults() + ranges.faults()


def check_certificates(progress: Progress) -> tuple[list[Certified], list[str], Faults]:
    """Follow every certificate that no factor exists, and compare it with the atlas.

    The second result says which certificates this installation leaves out, and where they are.
    """
    impossible = {(c.piece, c.square, c.bits) for c in atlas.atlas() if c.answer == "none"}
    checked, faults = [], []
    for name, data in stored_certificates().items():
        progress(f"following certificate {name}")
        try:
            proof = certify(data)
        except Refusal as error:
            faults.append(f"certificate {name}: {error}")
            continue
        checked.append(proof)
        if proof[:3] not in impossible:
            faults.append(f"certificate {name}: the atlas does not call {proof.piece} {proof.square} impossible")
    left_out = [f"certificate {name}: {where}" for name, where in left_out_certificates().items()]
    return checked, left_out, faults
