"""Native functions: machine code that Python calls like its own built-in functions.

A native function is a fast path. Its wrapper takes what callers usually give: exact types, in range. For anything else
it calls the Python function that it stands in for, which raises the error or answers. So a call takes 30 to 60 ns,
where Numba's dispatcher takes 0.2 to 0.5 us, and no error message is written twice.

    marks      `native`, the decorator of Python functions that have a twin in machine code, and `bind`
    wrapping   the wrapper around a kernel, in LLVM's language
    entry_wrappers    the wrappers of entries; `rookery.native_methods` has those of marked functions
    units      machine code of one function: put together, loaded, given to Python
    building   parts of wrappers
    shipped    the extension module of a wheel, and what its units become
    linking    extension modules for wheels
    extension, holders, cpu_module, tables    parts of them
    layouts    where Python and NumPy keep what wrappers read; checked before anything is bound

This module and `marks` import nothing but the standard library, so that a board needs neither NumPy nor Numba.
"""

from rookery.kernel.native.marks import (
    bind,
    bind_from_wheel,
    field_holder,
    keep,
    native,
    objects_with_fields,
    provide,
    show_fields,
    show_slots,
    uncollected,
    word_holder,
)

__all__ = [
    "bind",
    "bind_from_wheel",
    "field_holder",
    "keep",
    "native",
    "objects_with_fields",
    "provide",
    "show_fields",
    "show_slots",
    "uncollected",
    "word_holder",
]
