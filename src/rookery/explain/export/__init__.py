"""Export techniques to other languages: constants, look-up functions, their sources, and a self-check.

    ir           words, statements, functions and tables, of no language yet
    translate    kernels, read from their Python source, become these
    templates    what fills tables at start-up, and the self-check, as kernels of their own
    program      a technique as a program
    writer       what the writers of all languages share; c, cpp, rust, csharp, javascript, python, cuda hold one each
    records      JSON, for programs of any other kind

A new technique needs no code here: it can be exported as soon as it runs.
"""

import re
from typing import Final

from rookery.arguments import shown
from rookery.bitboards.mappings import LITTLE_ENDIAN_RANK_FILE, MAPPINGS, Mapping
from rookery.explain.export.languages.c import C
from rookery.explain.export.languages.cpp import Cpp
from rookery.explain.export.languages.csharp import CSharp
from rookery.explain.export.languages.cuda import Cuda
from rookery.explain.export.languages.javascript import JavaScript
from rookery.explain.export.languages.python import Python
from rookery.explain.export.languages.rust import Rust
from rookery.explain.export.program import module, self_check
from rookery.explain.export.provenance import heading
from rookery.explain.export.records import json_export
from rookery.explain.export.writer import Export, LanguageWriter
from rookery.techniques import technique
from rookery.techniques.base import Technique

__all__ = ["LANGUAGES", "export_files", "export_text"]

WRITERS: Final[dict[str, type[LanguageWriter]]] = {
    "c": C,
    "cpp": Cpp,
    "rust": Rust,
    "python": Python,
    "csharp": CSharp,
    "javascript": JavaScript,
    "cuda": Cuda,
}
LANGUAGES: Final = (*WRITERS, "json")
_PREFIX: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*")


def export_text(
    language: str,
    name: str | Technique,
    mapping: str | Mapping = LITTLE_ENDIAN_RANK_FILE,
    *,
    prefix: str | None = None,
    header: bool = False,
) -> str:
    """Return a technique in another language, as one file that includes its self-check.

    `prefix` keeps the names of several exports apart: in C it is put before every name and an underscore, in C++ and
    CUDA it names the namespace, in C# the classes, and in the other languages the module's file. If `header` is set,
    the export for C is a header of ``static inline`` functions, whose prefix is by default the technique's name. Raises
    a ValueError for a language in which one of the two means nothing.

    >>> "uint64_t queen_attacks(uint64_t sq, uint64_t occupied)" in export_text("c", "obstruction-difference")
    True
    >>> text = export_text("c", "obstruction-difference", prefix="od", header=True)
    >>> "static inline uint64_t od_queen_attacks(uint64_t sq, uint64_t occupied)" in text
    True
    """
    writer = _writer(language, name, mapping, prefix, header)
    return writer if isinstance(writer, str) else writer.single()


def export_files(
    language: str,
    name: str | Technique,
    mapping: str | Mapping = LITTLE_ENDIAN_RANK_FILE,
    *,
    prefix: str | None = None,
    header: bool = False,
) -> dict[str, str]:
    """Return a technique in another language as several files by name, with the self-check apart.

    `prefix` and `header` are those of `export_text`. The names of the files have the prefix, too.

    >>> list(export_files("rust", "hyperbola"))
    ['rookery_attacks.rs', 'selfcheck.rs']
    >>> list(export_files("c", "hyperbola", prefix="hq", header=True))
    ['hq_attacks.h', 'hq_selfcheck.c']
    """
    writer = _writer(language, name, mapping, prefix, header)
    return {"rookery_attacks.json": writer} if isinstance(writer, str) else writer.files()


def check_options(language: str, prefix: str | None, header: bool) -> None:
    """Raise a ValueError if a language has no such form of an export, or cannot use the prefix."""
    writer = WRITERS.get(language)
    if header and not (writer and writer.header_only):
        already = "; its export is a header already" if language in ("cpp", "cuda") else ""
        raise ValueError(f"header: only C has a second form{already}; expected the language c, not {language}")
    if prefix is None:
        return
    if writer is None:
        raise ValueError(f"prefix: {shown(prefix)}: an export for {language} has no names to keep apart")
    if not isinstance(prefix, str) or not _PREFIX.fullmatch(prefix):
        raise ValueError(
            f"prefix: {shown(prefix)}: expected a letter, then letters, digits and single underscores, like 'hq'"
        )
    if prefix in writer.not_a_prefix:
        raise ValueError(f"prefix: {shown(prefix)}: no namespace of {language} can have this name")


def _writer(
    language: str, name: str | Technique, mapping: str | Mapping, prefix: str | None, header: bool
) -> LanguageWriter | str:
    """Return the writer of an export, or the text of one that has no program."""
    if language not in LANGUAGES:
        raise ValueError(f"language: {shown(language)}: expected one of {', '.join(LANGUAGES)}")
    if not isinstance(mapping, Mapping):
        if mapping not in MAPPINGS:
            raise ValueError(f"mapping: {shown(mapping)}: expected one of {', '.join(MAPPINGS)}")
        mapping = MAPPINGS[mapping]
    chosen = technique(name)
    check_options(language, prefix, header)
    if language not in WRITERS:
        return json_export(chosen, mapping)
    described = heading(chosen, language, mapping, prefix=prefix, header=header)
    if header and prefix is None:
        prefix = chosen.name.replace("-", "_")
    writer = WRITERS[language]
    look_ups = module(chosen, by_square=writer.on_device, keep=True)
    check = self_check(mapping, look_ups, calls=not writer.on_device)
    return writer(Export(look_ups, check, mapping, described, prefix=prefix or "", header=header))
