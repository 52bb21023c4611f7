"""All techniques, in teaching order: that of the tutorial's chapters."""

import copyreg
import difflib
import pickle
from typing import Any, Final

from rookery.arguments import shown
from rookery.technique import Technique
from rookery.techniques.black import MAGIC_BLACK
from rookery.techniques.classical import (
    CLASSICAL,
    CLASSICAL_BRANCHLESS,
    CLASSICAL_GENERALIZED,
    CLASSICAL_GENERALIZED_BRANCHLESS,
    CLASSICAL_ONE_RUN,
    CLASSICAL_SHERWIN,
    CLASSICAL_ZERO_COUNT,
)
from rookery.techniques.congruent_modulo import CONGRUENT_MODULO, CONGRUENT_MODULO_DENSE
from rookery.techniques.dictionary import DICTIONARY
from rookery.techniques.dumb7fill import DUMB7FILL
from rookery.techniques.exploding import EXPLODING
from rookery.techniques.first_rank import FIRST_RANK_64, FIRST_RANK_256
from rookery.techniques.folded import MAGIC_FOLDED_2, MAGIC_FOLDED_4, MAGIC_FOLDED_8
from rookery.techniques.hyperbola import HYPERBOLA, HYPERBOLA_BITREVERSE
from rookery.techniques.kindergarten import KINDERGARTEN
from rookery.techniques.kogge_stone import KOGGE_STONE
from rookery.techniques.magic import (
    MAGIC_FANCY,
    MAGIC_FIXED_SHIFT,
    MAGIC_PLAIN,
    MAGIC_REDUCED,
    MAGIC_SHARED,
)
from rookery.techniques.magic_numbered import MAGIC_BYTE, MAGIC_INDEX16
from rookery.techniques.obstruction_difference import OBSTRUCTION_DIFFERENCE, OBSTRUCTION_DIFFERENCE_SHORT
from rookery.techniques.pext import PEXT, PEXT_PDEP16
from rookery.techniques.pext_line import PEXT_LINE_PDEP
from rookery.techniques.qbb import QBB
from rookery.techniques.ray_space import RAY_SPACE
from rookery.techniques.rays import RAYS
from rookery.techniques.rotated import ROTATED_HYATT, ROTATED_HYATT_64
from rookery.techniques.rotated_compact import ROTATED_COMPACT
from rookery.techniques.rotated_heinz import ROTATED_HEINZ, ROTATED_HEINZ_64
from rookery.techniques.sbamg import SBAMG
from rookery.techniques.sherwin import SHERWIN, SHERWIN_BYTES
from rookery.techniques.sissy import SISSY
from rookery.techniques.slide_arithmetic import SLIDE_ARITHMETIC
from rookery.techniques.split import KINDERGARTEN_SPLIT, SPLIT_PEXT
from rookery.techniques.titboards import TITBOARDS

ALL: Final = (
    RAYS,
    CLASSICAL,
    CLASSICAL_BRANCHLESS,
    CLASSICAL_GENERALIZED,
    CLASSICAL_GENERALIZED_BRANCHLESS,
    CLASSICAL_ZERO_COUNT,
    CLASSICAL_ONE_RUN,
    CLASSICAL_SHERWIN,
    DUMB7FILL,
    KOGGE_STONE,
    EXPLODING,
    HYPERBOLA,
    HYPERBOLA_BITREVERSE,
    OBSTRUCTION_DIFFERENCE,
    OBSTRUCTION_DIFFERENCE_SHORT,
    SBAMG,
    SLIDE_ARITHMETIC,
    QBB,
    FIRST_RANK_256,
    FIRST_RANK_64,
    TITBOARDS,
    DICTIONARY,
    ROTATED_HYATT,
    ROTATED_HEINZ,
    ROTATED_HYATT_64,
    ROTATED_HEINZ_64,
    ROTATED_COMPACT,
    KINDERGARTEN,
    KINDERGARTEN_SPLIT,
    CONGRUENT_MODULO,
    CONGRUENT_MODULO_DENSE,
    SHERWIN,
    SHERWIN_BYTES,
    SISSY,
    MAGIC_PLAIN,
    MAGIC_FANCY,
    MAGIC_SHARED,
    MAGIC_REDUCED,
    MAGIC_FIXED_SHIFT,
    MAGIC_INDEX16,
    MAGIC_BYTE,
    MAGIC_FOLDED_2,
    MAGIC_FOLDED_4,
    MAGIC_FOLDED_8,
    MAGIC_BLACK,
    PEXT,
    PEXT_PDEP16,
    SPLIT_PEXT,
    PEXT_LINE_PDEP,
    RAY_SPACE,
)
_BY_NAME: Final = {technique.name: technique for technique in ALL}
_VARIANTS: Final = {variant.name: technique for technique in ALL for variant in technique.card.variants}


def techniques() -> tuple[Technique, ...]:
    """Return all techniques, in teaching order.

    >>> [t.name for t in techniques()][:3]
    ['rays', 'classical', 'classical-branchless']
    """
    return ALL


def technique(name: str | Technique) -> Technique:
    """Return the technique with a name, like ``"kogge-stone"``. A technique is returned unchanged.

    >>> technique("kogge-stone").summary
    'flood all sliders by 1, 2 and 4 steps'

    The name of a variant finds the technique that it is another form of:

    >>> technique("leorik").name
    'slide-arithmetic'
    """
    if isinstance(name, Technique):
        return name
    try:
        return _BY_NAME.get(name) or _VARIANTS[name]
    except (KeyError, TypeError):
        if not isinstance(name, str):
            raise TypeError(f"technique: {shown(name)}: expected a name, like 'kogge-stone'") from None
        raise ValueError(f"technique: {shown(name)} is unknown; {_near(name[:80])}") from None


def _near(name: str) -> str:
    """Suggest names for an unknown one, of techniques and of variants, for an error message."""
    known, wanted = [*_BY_NAME, *_VARIANTS], name.strip().lower().replace("_", "-").replace(" ", "-")
    near = difflib.get_close_matches(wanted, known, n=3, cutoff=0.5)
    near += [other for other in known if wanted and wanted in other and other not in near]
    if not near:
        (nearest,) = difflib.get_close_matches(wanted, known, n=1, cutoff=0)
        return f"the name that looks most like it is {nearest!r}; known are {', '.join(_BY_NAME)}"
    return f"did you mean {' or '.join(map(repr, near[:6]))}? `rookery techniques` lists all"


def _by_name(t: Technique) -> tuple[Any, tuple[str]]:
    """Reduce a technique to its name, so that copying and unpickling return the same object."""
    if _BY_NAME.get(t.name) is not t:
        raise pickle.PicklingError(f"technique {t.name!r} is not part of rookery: only its own can be pickled")
    return technique, (t.name,)


copyreg.pickle(Technique, _by_name)
