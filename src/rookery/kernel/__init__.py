"""Everything that compiles: kernels, entries, native functions, the compile cache, and hardware bit instructions.

A *kernel* is a small, straight-line Python function on 64-bit words. It remains an ordinary Python function that takes
ints, ``np.uint64`` or whole arrays and runs in plain Python and NumPy. That is how tables are filled, and how a
step-by-step explanation runs the real code. Inside an *entry* a kernel is compiled and forced inline, because only then
does LLVM vectorise the loop around it: a Kogge-Stone queen over arrays ran at 131 M/s with calls and at 1,240 M/s
inlined.

An *entry* is a loop that Python calls. It is compiled on its first call (never at import) and releases the GIL. Its
machine code is cached on disk with digests of the files it was made from, and is loaded from there without Numba.

Integers in both are 64-bit words, as in ``b & (b - 1)`` or ``0xFF << 56``. Compiled code computes what Python computes
modulo 2**64, or compilation fails and names the line: a word that meets a bool or a length stays a word, and a signed
number that may be negative has to be converted. Shifts by 64 or more are undefined (docs/how-numba-is-used.md has all
rules). A function that needs negative numbers, or that mixes literals with lengths, is marked `signed`.

    compiling       kernels, words
    by_type         kernels chosen by the types of their arguments
    entries         entries
    making          their machine code: from the cache, or from the compiler
    examples        examples of their arguments, for compilation in advance
    notice          a line on the terminal during compilation
    warn            warnings of one line, each once per process
    compiler/       the compiler of kernels and entries, and Numba's for what it does not take
    native/         functions with Python's calling convention around compiled code
    codecache/      machine code on disk, loaded without Numba
    in_python       the meaning of integers where functions run in Python
    settings        Numba's settings from the environment
    building        parts of LLVM code
    first_use       objects created once, on first use by any thread
    instructions    hardware bit instructions
    arrays          instructions that read and write arrays
    texts           instructions that read text
    nibbles         look-ups by nibbles, of many rows at once
    windows         512 bits of a bitmap, from any bit on
"""

from typing import TYPE_CHECKING

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery.kernel.arrays import (
        shared_load,
        shared_store,
        write_eight,
        write_squares,
        write_squares_over,
    )
    from rookery.kernel.by_type import kernel_by_type
    from rookery.kernel.compiling import (
        U64,
        UNIVERSE,
        Bits,
        Kind,
        Square,
        State,
        Word,
        called_kernel,
        cold_kernel,
        compile_in_place_of,
        kernel,
        kernel_made_by,
        signed,
        wrapping,
    )
    from rookery.kernel.entries import Entry, entry, entry_of, watch_compilation
    from rookery.kernel.examples import array_of, tuple_of
    from rookery.kernel.first_use import attribute_once, once, once_compiled
    from rookery.kernel.instructions import (
        bitreverse,
        byte_view,
        byteswap,
        leading_zeros,
        pdep,
        pdep_portable,
        pext,
        pext_portable,
        popcount,
        rotate_left,
        trailing_zeros,
    )
    from rookery.kernel.nibbles import (
        NIBBLE_ROWS,
        byte_planes,
        xor_by_nibbles,
    )
    from rookery.kernel.settings import cpu, has_pext
    from rookery.kernel.texts import (
        copy_64,
        where_byte,
        word_at,
    )
    from rookery.kernel.windows import union_of_windows
else:  # type checkers must still report names that do not exist
    # On first use: `rookery.kernel.native` needs none of them, and they need NumPy.
    __getattr__ = import_later(
        __name__,
        {
            "rookery.kernel.arrays": ("shared_load shared_store write_eight write_squares write_squares_over"),
            "rookery.kernel.by_type": "kernel_by_type",
            "rookery.kernel.compiling": (
                "U64 UNIVERSE Bits Kind Square State Word called_kernel cold_kernel compile_in_place_of kernel "
                "kernel_made_by signed wrapping"
            ),
            "rookery.kernel.entries": "Entry entry entry_of watch_compilation",
            "rookery.kernel.examples": "array_of tuple_of",
            "rookery.kernel.first_use": "attribute_once once once_compiled",
            "rookery.kernel.instructions": (
                "bitreverse byte_view byteswap leading_zeros pdep pdep_portable pext pext_portable popcount "
                "rotate_left trailing_zeros"
            ),
            "rookery.kernel.nibbles": ("NIBBLE_ROWS byte_planes xor_by_nibbles"),
            "rookery.kernel.settings": "cpu has_pext",
            "rookery.kernel.texts": "copy_64 where_byte word_at",
            "rookery.kernel.windows": "union_of_windows",
        },
    )

__all__ = [
    "NIBBLE_ROWS",
    "U64",
    "UNIVERSE",
    "Bits",
    "Entry",
    "Kind",
    "Square",
    "State",
    "Word",
    "array_of",
    "attribute_once",
    "bitreverse",
    "byte_planes",
    "byte_view",
    "byteswap",
    "called_kernel",
    "cold_kernel",
    "compile_in_place_of",
    "copy_64",
    "cpu",
    "entry",
    "entry_of",
    "has_pext",
    "kernel",
    "kernel_by_type",
    "kernel_made_by",
    "leading_zeros",
    "once",
    "once_compiled",
    "pdep",
    "pdep_portable",
    "pext",
    "pext_portable",
    "popcount",
    "rotate_left",
    "shared_load",
    "shared_store",
    "signed",
    "trailing_zeros",
    "tuple_of",
    "union_of_windows",
    "watch_compilation",
    "where_byte",
    "word_at",
    "wrapping",
    "write_eight",
    "write_squares",
    "write_squares_over",
    "xor_by_nibbles",
]
