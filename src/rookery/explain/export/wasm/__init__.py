"""The export to WebAssembly: the kernels of every technique, legal moves and perft as one module with SIMD.

techniques    the functions of techniques, and their tables; fillers fills large ones
positions     legal moves, checks, pins, FEN, SAN and perft
rookery.js    the module for programs in JavaScript; selfcheck.js compares it with ray walking
"""

import base64
import json
import re
import zlib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

from rookery.arguments import shown
from rookery.counting.walk import POSITIONS
from rookery.explain.export.wasm.positions import MOST_PLIES, TEXT, add_positions
from rookery.explain.export.wasm.techniques import add_technique
from rookery.kernel import once
from rookery.kernel.codecache.modules import kept
from rookery.kernel.webassembly import Assembly, portable, version
from rookery.rules import faults
from rookery.rules.constants import WORDS
from rookery.rules.notation import fen_reasons
from rookery.techniques import ALL, technique
from rookery.techniques.base import Needs, Technique

__all__ = [
    "MISSING",
    "inlined",
    "is_available",
    "loader",
    "packed_module",
    "page_script",
    "wasm_files",
    "wasm_module",
    "wasm_text",
]

_IMPORT: Final = re.compile(r"^import .*;\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export ", re.MULTILINE)

MISSING: Final = Needs.BYTESWAP | Needs.BITREVERSE | Needs.PEXT | Needs.PDEP  # instructions that WebAssembly lacks
_FASTEST: Final = "magic-fancy"  # without PEXT, which WebAssembly lacks
_TOTALS: Final = {  # chessprogramming wiki, Perft Results
    "start": (5, 4_865_609),
    "kiwipete": (4, 4_085_603),
    "position3": (6, 11_030_083),
    "position4": (4, 422_333),
    "position5": (4, 2_103_487),
    "position6": (4, 3_894_594),
}


@once
def wasm_module(name: str | None = None) -> bytes:
    """Return a WebAssembly module with the kernels of a technique, or of all, and legal moves and perft.

    Compiling takes about ten seconds for all techniques. Raises a ModuleNotFoundError without Numba or without the
    linker ``wasm-ld``.
    """
    chosen = _chosen(name)
    return kept(Path(__file__), name or "all", version(), lambda: _compiled(chosen, name or _FASTEST))


def _compiled(chosen: Sequence[Technique], fastest: str) -> bytes:
    assembly = Assembly()
    with portable():
        tables = {t.name: add_technique(assembly, t) for t in chosen}
        add_positions(assembly, tables[fastest])
        return assembly.module()


def _chosen(name: str | None) -> Sequence[Technique]:
    return ALL if name is None else [technique(name)]


def is_available() -> bool:
    """Check whether the module can be made, and make it."""
    try:
        return bool(wasm_module())
    except ModuleNotFoundError:
        return False


def loader(name: str | None = None) -> str:
    """Return the module of JavaScript that loads the WebAssembly module and offers its functions."""
    facts = {
        "technique": name or _FASTEST,
        "longest": TEXT,
        "words": WORDS,
        "plies": MOST_PLIES,
        "refusals": _refusals(),
        "faults": _faults(),
        "unreachable": faults.UNREACHABLE,
        "tables": {t.name: {f: getattr(t.tables(), f).size for f in t.tables()._fields} for t in _chosen(name)},
    }
    return _text_of("rookery.js").replace("/* FACTS */", json.dumps(facts))


def wasm_files(name: str | None = None) -> dict[str, str | bytes]:
    """Return the export as files by name: the module, its loader and the self-check."""
    totals = [[POSITIONS[position], *total] for position, total in _TOTALS.items()]
    return {
        "rookery.wasm": wasm_module(name),
        "rookery.mjs": loader(name),
        "selfcheck.mjs": _text_of("selfcheck.js").replace("/* TOTALS */", json.dumps(totals)),
    }


def wasm_text(name: str | None = None) -> str:
    """Return the export as one file: the loader, which has the module in it, deflated and in base64."""
    source = 'source = new URL("rookery.wasm", import.meta.url)'
    return f"""{loader(name).replace(source, "source = unpacked(PACKED)")}
const PACKED = "{packed_module(name)}";
"""


def packed_module(name: str | None = None) -> str:
    """Return the module deflated and in base64, as the loader's `unpacked` takes it."""
    return base64.b64encode(zlib.compress(wasm_module(name), 9)).decode("ascii")


def page_script(names: str, name: str | None = None) -> str:
    """Return the loader for pages, which have the module in them: a statement that defines some of its names.

    >>> page_script("instantiated, unpacked").splitlines()[0]
    'const { instantiated, unpacked } = (() => {'
    """
    return inlined(loader(name).partition("// Loads the module: from")[0], names)


def inlined(module: str, names: str) -> str:
    """Return a module of JavaScript as a statement that defines some of its names, without what it imports."""
    body = _EXPORT.sub("", _IMPORT.sub("", module))
    return f"const {{ {names} }} = (() => {{\n{body}\nreturn {{ {names} }};\n}})();\n"


def check_options(mapping: Any, prefix: str | None, header: bool) -> None:
    """Raise a ValueError for an option that the export to WebAssembly does not have."""
    for option, value, is_set in (
        ("mapping", mapping, str(mapping) != "rank-little-little"),
        ("prefix", prefix, prefix is not None),
        ("header", header, header),
    ):
        if is_set:
            raise ValueError(f"{option}: {shown(value)}: a WebAssembly module has no {option}")


def _text_of(name: str) -> str:
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")


def _refusals() -> list[str]:
    """Return why a FEN is refused, by the reader's numbers; ``{0}`` stands for its first field."""
    fields = [f"{{{n}}}" for n in range(6)]
    messages = [
        "",
        "FEN: expected 6 fields: pieces, side to move, castling, en passant, and two counters (which may be left out)",
        "FEN field 1 (pieces): '{0}': expected 8 ranks of 8 squares: letters of PNBRQKpnbrqk, digits for empty ones",
    ]
    return messages + [fen_reasons.field_fault(fields, n, "{sign}") for n in range(3, fen_reasons.NUMBER + 1)]


_WORDS_OF_FAULTS: Final = {
    faults.CASTLING_ROOK: "a castling right without its rook",
    faults.CASTLING_KING: "a castling right without its king",
    faults.CASTLING_TWICE: "castling rights of two rooks on one side of their king",
    faults.EN_PASSANT_RANK: "the en-passant square is on a wrong rank",
    faults.WHITE_KINGS: "White has no king, or several",
    faults.BLACK_KINGS: "Black has no king, or several",
    faults.WHITE_PIECES: "White has more than 16 pieces",
    faults.BLACK_PIECES: "Black has more than 16 pieces",
    faults.WHITE_PAWNS: "White has more than 8 pawns",
    faults.BLACK_PAWNS: "Black has more than 8 pawns",
    faults.PAWNS_ON_BACK_RANK: "a pawn is on rank 1 or 8",
    faults.ADJACENT_KINGS: "the kings are next to each other",
    faults.OPPOSITE_CHECK: "the side to move gives check",
    faults.EN_PASSANT_PAWN: "no pawn is in front of the en-passant square",
    faults.EN_PASSANT_WAY: "a piece is where the pawn passed or began",
    faults.WHITE_PROMOTED: "White has more promoted pieces than missing pawns",
    faults.BLACK_PROMOTED: "Black has more promoted pieces than missing pawns",
    faults.TOO_MANY_CHECKERS: "more than two pieces give check",
    faults.IMPOSSIBLE_CHECK: "no last move can have given this check",
    faults.IMPOSSIBLE_JUMP: "the pawn's double step cannot have been the last move",
}


def _faults() -> list[str]:
    """Return the faults of a position in words, by their bits."""
    bits = range(faults.IMPOSSIBLE_JUMP.bit_length())
    return [_WORDS_OF_FAULTS.get(1 << bit, "a square has two pieces, or a piece no colour") for bit in bits]
