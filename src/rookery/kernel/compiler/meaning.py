"""The passes that decide what integers mean. Both pipelines run them: without them answers would be wrong."""

from typing import Any, Final

from rookery.kernel.compiler.assigned import SetOnEveryPath
from rookery.kernel.compiler.mixed import InferenceInWords
from rookery.kernel.compiler.words import IntIndices, Words

# On the statements of a function, before any other pass reads them.
FIRST: Final[tuple[Any, ...]] = (Words,)
# Before types are inferred, after each pass that rewrites statements. They may run again and again.
UNTYPED: Final[tuple[Any, ...]] = (IntIndices,)
# Once each assignment has a variable of its own, just before types are inferred.
ASSIGNED: Final[tuple[Any, ...]] = (SetOnEveryPath,)
# What stands for Numba's type inference in the plain pipeline. The full one has `inference`, which extends it.
INFERENCE: Final[Any] = InferenceInWords
