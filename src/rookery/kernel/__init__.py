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
    entries         entries, with examples of their arguments for compilation in advance
    making          their machine code: from the cache, or from the compiler
    notice          a line on the terminal during compilation, and warnings of one line
    compiler/       the compiler of kernels and entries, and Numba's for what it does not take
    native/         functions with Python's calling convention around compiled code
    codecache/      machine code on disk, loaded without Numba
    in_python       the meaning of integers where functions run in Python
    settings        settings from the environment
    building        parts of LLVM code
    first_use       objects created once, on first use by any thread
    instructions/   instructions of the CPU
"""

from typing import TYPE_CHECKING

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
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
    from rookery.kernel.entries import Entry, array_of, entry, entry_of, tuple_of, watch_compilation
    from rookery.kernel.first_use import attribute_once, once, once_compiled
    from rookery.kernel.instructions.arrays import (
        shared_load,
        shared_store,
        union_of_windows,
        write_eight,
        write_squares,
        write_squares_over,
    )
    from rookery.kernel.instructions.bits import (
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
    from rookery.kernel.instructions.nibbles import NIBBLE_ROWS, byte_planes, xor_by_nibbles
    from rookery.kernel.instructions.texts import copy_64, where_byte, word_at, write_word
    from rookery.kernel.settings import cpu, has_pext
else:  # type checkers must still report names that do not exist
    # On first use: `rookery.kernel.native` needs none of them, and they need NumPy.
    __getattr__ = import_later(
        __name__,
        {
            "rookery.kernel.instructions.arrays": (
                "shared_load shared_store union_of_windows write_eight write_squares write_squares_over"
            ),
            "rookery.kernel.by_type": "kernel_by_type",
            "rookery.kernel.compiling": (
                "U64 UNIVERSE Bits Kind Square State Word called_kernel cold_kernel compile_in_place_of kernel "
                "kernel_made_by signed wrapping"
            ),
            "rookery.kernel.entries": "Entry array_of entry entry_of tuple_of watch_compilation",
            "rookery.kernel.first_use": "attribute_once once once_compiled",
            "rookery.kernel.instructions.bits": (
                "bitreverse byte_view byteswap leading_zeros pdep pdep_portable pext pext_portable popcount "
                "rotate_left trailing_zeros"
            ),
            "rookery.kernel.instructions.nibbles": "NIBBLE_ROWS byte_planes xor_by_nibbles",
            "rookery.kernel.settings": "cpu has_pext",
            "rookery.kernel.instructions.texts": "copy_64 where_byte word_at write_word",
        },
    )
