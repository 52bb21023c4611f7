"""Export techniques to other languages: constants, look-up functions, their sources, and a self-check.

    ir           words, statements, functions and tables, of no language yet
    translate    kernels, read from their Python source, become these
    templates    what fills tables at start-up, and the self-check, as kernels of their own
    program      a technique as a program
    writer       what the writers of all languages share; c, rust, csharp, javascript, python, cuda hold one each
    records      JSON, for programs of any other kind

A new technique needs no code here: it can be exported as soon as it runs.
"""

from typing import Final

from rookery.arguments import shown
from rookery.bitboards.squares import LITTLE_ENDIAN_RANK_FILE, MAPPINGS, Mapping
from rookery.export.c import C, Cpp
from rookery.export.csharp import CSharp
from rookery.export.cuda import Cuda
from rookery.export.javascript import JavaScript
from rookery.export.program import module, self_check
from rookery.export.provenance import heading
from rookery.export.python import Python
from rookery.export.records import json_export
from rookery.export.rust import Rust
from rookery.export.writer import Export, Writer
from rookery.technique import Technique
from rookery.techniques import technique

__all__ = ["LANGUAGES", "export_files", "export_text"]

WRITERS: Final[dict[str, type[Writer]]] = {
    "c": C,
    "cpp": Cpp,
    "rust": Rust,
    "python": Python,
    "csharp": CSharp,
    "javascript": JavaScript,
    "cuda": Cuda,
}
LANGUAGES: Final = (*WRITERS, "json")


def export_text(language: str, name: str | Technique, mapping: str | Mapping = LITTLE_ENDIAN_RANK_FILE) -> str:
    """Return a technique in another language, as one file that includes its self-check.

    >>> "uint64_t queen_attacks(uint64_t sq, uint64_t occupied)" in export_text("c", "obstruction-difference")
    True
    """
    chosen, squares = _checked(language, name, mapping)
    return json_export(chosen, squares) if language == "json" else _writer(language, chosen, squares).single()


def export_files(
    language: str, name: str | Technique, mapping: str | Mapping = LITTLE_ENDIAN_RANK_FILE
) -> dict[str, str]:
    """Return a technique in another language as several files by name, with the self-check apart.

    >>> list(export_files("rust", "hyperbola"))
    ['rookery_attacks.rs', 'selfcheck.rs']
    """
    chosen, squares = _checked(language, name, mapping)
    if language == "json":
        return {"rookery_attacks.json": json_export(chosen, squares)}
    return _writer(language, chosen, squares).files()


def _checked(language: str, name: str | Technique, mapping: str | Mapping) -> tuple[Technique, Mapping]:
    if language not in LANGUAGES:
        raise ValueError(f"language: {shown(language)}: expected one of {', '.join(LANGUAGES)}")
    if not isinstance(mapping, Mapping):
        if mapping not in MAPPINGS:
            raise ValueError(f"mapping: {shown(mapping)}: expected one of {', '.join(MAPPINGS)}")
        mapping = MAPPINGS[mapping]
    return technique(name), mapping


def _writer(language: str, chosen: Technique, mapping: Mapping) -> Writer:
    writer = WRITERS[language]
    look_ups = module(chosen, by_square=writer.on_device)
    check = self_check(mapping, look_ups, calls=not writer.on_device)
    return writer(Export(look_ups, check, mapping, heading(chosen, language, mapping)))
