"""All techniques, in teaching order: that of the tutorial's chapters."""

import functools
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rookery.arguments import shown
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.techniques.base import calls
else:  # the rules of chess import this package for `base.protocol`
    (calls,) = modules_later("rookery.techniques.base", "calls")

# The file of each technique, in teaching order. A file is imported when one of its techniques is used.
_FILES: Final = {
    "rays": "rays",
    "classical": "classical",
    "classical-branchless": "classical",
    "classical-generalized": "classical",
    "classical-generalized-branchless": "classical",
    "classical-zero-count": "classical",
    "classical-one-run": "classical",
    "classical-sherwin": "classical",
    "dumb7fill": "dumb7fill",
    "kogge-stone": "kogge_stone",
    "exploding": "exploding",
    "hyperbola": "hyperbola",
    "hyperbola-bitreverse": "hyperbola",
    "obstruction-difference": "obstruction_difference",
    "obstruction-difference-short": "obstruction_difference",
    "sbamg": "sbamg",
    "slide-arithmetic": "slide_arithmetic",
    "qbb": "qbb",
    "first-rank-256": "first_rank",
    "first-rank-64": "first_rank",
    "titboards": "titboards",
    "dictionary": "dictionary",
    "rotated-hyatt": "rotated",
    "rotated-heinz": "rotated_heinz",
    "rotated-hyatt-64": "rotated",
    "rotated-heinz-64": "rotated_heinz",
    "rotated-compact": "rotated_compact",
    "kindergarten": "kindergarten",
    "kindergarten-split": "split",
    "congruent-modulo": "congruent_modulo",
    "congruent-modulo-dense": "congruent_modulo",
    "sherwin": "sherwin",
    "sherwin-bytes": "sherwin",
    "sissy": "sissy",
    "magic-plain": "magic",
    "magic-fancy": "magic",
    "magic-shared": "magic",
    "magic-reduced": "magic",
    "magic-fixed-shift": "magic",
    "magic-index16": "magic_numbered",
    "magic-byte": "magic_numbered",
    "magic-folded-2": "folded",
    "magic-folded-4": "folded",
    "magic-folded-8": "folded",
    "magic-black": "black",
    "pext": "pext",
    "pext-pdep16": "pext",
    "split-pext": "split",
    "pext-line-pdep": "pext_line",
    "ray-space": "ray_space",
}

if TYPE_CHECKING:
    ALL: "tuple[calls.Technique, ...]"
else:  # type checkers must still report names that do not exist

    def __getattr__(name: str) -> Any:
        if name != "ALL":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return _all()


@functools.cache
def _in_its_file(name: str) -> "calls.Technique":
    """Return the technique with a name, a constant of its file: ``KOGGE_STONE`` for ``"kogge-stone"``."""
    found: calls.Technique = getattr(import_module(f"{__name__}.{_FILES[name]}"), name.upper().replace("-", "_"))
    return found


@functools.cache
def _all() -> "tuple[calls.Technique, ...]":
    return tuple(map(_in_its_file, _FILES))


def techniques() -> "tuple[calls.Technique, ...]":
    """Return all techniques, in teaching order.

    >>> [t.name for t in techniques()][:3]
    ['rays', 'classical', 'classical-branchless']
    """
    return _all()


@functools.cache
def _variants() -> "dict[str, calls.Technique]":
    """Return the techniques by the names of their variants."""
    return {variant.name: technique for technique in techniques() for variant in technique.card.variants}


def technique(name: "str | calls.Technique") -> "calls.Technique":
    """Return the technique with a name, like ``"kogge-stone"``. A technique is returned unchanged.

    >>> technique("kogge-stone").summary
    'flood all sliders by 1, 2 and 4 steps'

    The name of a variant finds the technique that it is another form of:

    >>> technique("leorik").name
    'slide-arithmetic'
    """
    if not isinstance(name, str) and isinstance(name, calls.Technique):
        return name
    try:
        return _in_its_file(name) if name in _FILES else _variants()[name]
    except (KeyError, TypeError):
        if not isinstance(name, str):
            raise TypeError(f"technique: {shown(name)}: expected a name, like 'kogge-stone'") from None
        raise ValueError(f"technique: {shown(name)} is unknown; {_near(name[:80])}") from None


def _near(name: str) -> str:
    """Suggest names for an unknown one, of techniques and of variants, for an error message."""
    import difflib

    known, wanted = [*_FILES, *_variants()], name.strip().lower().replace("_", "-").replace(" ", "-")
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    near += [other for other in known if wanted and wanted in other and other not in near]
    if not near:
        (nearest,) = difflib.get_close_matches(wanted, known, n=1, cutoff=0)
        return f"the name that looks most like it is {nearest!r}; known are {', '.join(_FILES)}"
    return f"did you mean {' or '.join(map(repr, near[:6]))}? `rookery techniques` lists all"


def reduced(t: "calls.Technique") -> tuple[Any, tuple[str]]:
    """Reduce a technique to its name, so that copying and unpickling return the same object."""
    import pickle

    if t.name not in _FILES or _in_its_file(t.name) is not t:
        raise pickle.PicklingError(f"technique {t.name!r} is not part of rookery: only its own can be pickled")
    return technique, (t.name,)
