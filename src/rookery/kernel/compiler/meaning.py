"""The passes that decide what integers mean. Both pipelines run them: without them answers would be wrong."""

from typing import Any, Final

from numba.core.typed_passes import NopythonTypeInference

from rookery.kernel.compiler.words import IntIndices, NoMixtures, Words

# On the statements of a function, before any other pass reads them.
FIRST: Final[tuple[Any, ...]] = (Words,)
# Before types are inferred, after each pass that rewrites statements. They may run again and again.
UNTYPED: Final[tuple[Any, ...]] = (IntIndices,)
# Once each assignment has a variable of its own, just before types are inferred.
ASSIGNED: Final[tuple[Any, ...]] = ()
# What stands for Numba's type inference in the plain pipeline. The full one has `inference`.
INFERENCE: Final[Any] = NopythonTypeInference
# As soon as types are inferred.
TYPED: Final[tuple[Any, ...]] = (NoMixtures,)
